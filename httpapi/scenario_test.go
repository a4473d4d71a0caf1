package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"hash/crc32"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
)

var update = recordstest.Update

// scenario is a conversation of package conversations.
type scenario struct {
	path  string
	about string
	steps []step
}

type step struct {
	title           string
	covers          []string
	request, answer string
}

// load reads a scenario.
func load(t testing.TB, path string) *scenario {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := transcript.Parse(path, string(raw))
	s := &scenario{path: path, about: c.About}
	for _, st := range c.Steps {
		s.steps = append(s.steps, step{st.Title, st.Covers, st.Request, st.Answer})
	}
	return s
}

func (s *scenario) save(t *testing.T) {
	t.Helper()
	c := transcript.Conversation{About: s.about}
	for _, st := range s.steps {
		c.Steps = append(c.Steps, transcript.Step{Title: st.title, Covers: st.covers, Request: st.request, Answer: st.answer})
	}
	if err := os.WriteFile(s.path, []byte(c.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// operation is what the file is named after.
func (s *scenario) operation() string {
	return strings.TrimSuffix(filepath.Base(s.path), ".txtar")
}

// folder is the area whose world the scenario is held in.
func (s *scenario) folder() string { return filepath.Base(filepath.Dir(s.path)) }

// run holds the conversation.
func (s *scenario) run(t *testing.T, h http.Handler) {
	var c conversation
	for i := range s.steps {
		st := &s.steps[i]
		w := c.send(t, h, st.request)
		checkAnswer(t, w)
		got := c.shown(t, w)
		if *update {
			st.answer = got
			continue
		}
		for _, d := range player.Exactly(st.answer, got) {
			t.Errorf("%s: %s: %s: want %s, got %s", st.title, d.Member, d.Kind, player.Shown(d.Target), player.Shown(d.Emulator))
		}
		if diff := cmp.Diff(strings.TrimSpace(st.answer), strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s: answer (-want +got):\n%s", st.title, diff)
		}
	}
	if *update {
		s.save(t)
	}
}

// conversation remembers what later requests refer to.
type conversation struct{ player.Player }

// generated finds a secret that was generated.
var generated = regexp.MustCompile(`"(?:secret|shareKey)":"([0-9a-f]{64}|[\w-]+\.[\w-]{43})"`)

// filled is a request with what it refers to.
func (c *conversation) filled(request string) string { return c.Fill(conversations.Pictures(request)) }

// send sends a request that is written as in a file.
func (c *conversation) send(t testing.TB, h http.Handler, request string) *httptest.ResponseRecorder {
	t.Helper()
	r := c.Filled(conversations.Pictures(request))
	return ask(h, r.Method, r.Target, r.Body, append(r.Header, "Authorization: Bearer "+r.Caller)...)
}

// shown is an answer as it is in a file.
func (c *conversation) shown(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	c.Learn(new(player.Answer), player.NewAnswer(w.Code, w.Header(), w.Body.String()))
	if secret := generated.FindStringSubmatch(w.Body.String()); secret != nil {
		c.Bind("{{secret}}", secret[1])
	}
	head, body, _ := strings.Cut(shown(w), "\n{")
	if body != "" {
		var pretty bytes.Buffer
		if err := stdjson.Indent(&pretty, []byte("{"+body), "", "  "); err != nil {
			t.Fatal(err)
		}
		head += "\n\n" + pretty.String()
	}
	return c.Spoken(strings.TrimSpace(head)) + "\n\n"
}

// scenariosIn are the scenarios of folders, by operation.
func scenariosIn(t testing.TB, folders ...string) map[string]*scenario {
	t.Helper()
	out := make(map[string]*scenario)
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(conversations.Folder, folder, "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no scenarios in %q: %v", folder, err)
		}
		for _, path := range paths {
			s := load(t, path)
			out[s.operation()] = s
		}
	}
	return out
}

// worlds are those in which the scenarios of a folder are held.
var worlds = map[string]func(testing.TB) *httpapi.Handler{
	"schedules":       func(t testing.TB) *httpapi.Handler { return newWorld(t).handler },
	"forms":           formsWorld,
	"twins":           newTwinsWorld,
	"webhooks":        func(t testing.TB) *httpapi.Handler { return newWebhooksWorld(t) },
	"realitydata":     newDataWorld,
	"detectors":       newDataWorld,
	"transformations": newDataWorld,
}

// everyScenario are the scenarios of all areas.
func everyScenario(t testing.TB) map[string]*scenario {
	t.Helper()
	return scenariosIn(t, slices.Collect(maps.Keys(worlds))...)
}

// setting are the scenarios of areas with the world that each is held in.
type setting struct {
	all   map[string]*scenario
	world func(testing.TB) *httpapi.Handler
}

// settings have every scenario.
func settings(t testing.TB) []setting {
	t.Helper()
	return []setting{
		{scenarios(t), func(t testing.TB) *httpapi.Handler { return newWorld(t).handler }},
		{formsScenarios(t), formsWorld},
		{twinsScenarios(t), newTwinsWorld},
		{dataScenarios(t), newDataWorld},
		{webhooksScenarios(t), func(t testing.TB) *httpapi.Handler { return newWebhooksWorld(t) }},
	}
}

// inSample reports whether a test that goes through all conversations is to hold this one:
// each of them, or one of eight in short mode.
func inSample(name string) bool {
	return !testing.Short() || crc32.ChecksumIEEE([]byte(name))%8 == 0
}

// holdAll holds each conversation in its own world.
func holdAll(t *testing.T, all map[string]*scenario, world func(testing.TB) *httpapi.Handler) {
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.run(t, world(t))
		})
	}
}

// wantScenarioForEach checks that there is a scenario for each operation of a handler, in
// which it succeeds, and none for what is no operation. The operations in but have their
// own tests: their answers are no JSON of ours.
func wantScenarioForEach(t *testing.T, h *httpapi.Handler, all map[string]*scenario, but ...string) {
	t.Helper()
	for _, o := range h.Operations() {
		if slices.Contains(append(but, "openapi"), o.ID) {
			continue
		}
		s := all[o.ID]
		if s == nil {
			t.Errorf("%s has no scenario", o.ID)
			continue
		}
		delete(all, o.ID)
		if !slices.ContainsFunc(s.steps, func(st step) bool {
			_, method, target := requestLine(st.request)
			found, _ := h.OperationOf(request(method, target))
			return found.ID == o.ID && strings.HasPrefix(st.answer, "2")
		}) {
			t.Errorf("%s: no request to the operation succeeds", o.ID)
		}
	}
	for name := range all {
		t.Errorf("%s is no operation", name)
	}
}
