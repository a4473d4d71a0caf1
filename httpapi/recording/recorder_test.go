package recording_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/httpapi/recording"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// What no one may find in a recorded folder.
const (
	cookie    = "c00kie-of-somebody"
	signed    = "51gn4ture-of-an-address"
	sealed    = "s3aling-secret-of-a-webhook-0123456789abcdef"
	jwt       = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6b2UifQ.c2lnbmF0dXJl"
	zoe       = "Zoë Brückner"
	zoeMail   = "zoe.brueckner@bridges.example"
	foreman   = "Ludwig Wasserthal"
	otherMail = "l.wasserthal@bridges.example"

	shownToMaps = "what-a-map-server-wants"
	askedOfMaps = "what-each-map-is-asked-with"
)

const (
	bridge = "b0000000-0000-4000-8000-000000000010"
	member = "b0000000-0000-4000-8000-0000000000f1"
)

// session is a deployment with a world, and a recorder in front of it.
type session struct {
	t        *testing.T
	tw       *httpapitest.Harness
	recorder *recording.Recorder
	front    *httptest.Server
	client   *http.Client
	token    string
	service  string // that of an application

	deployment string // its address
	etag       string
	dir        string
}

// newSession begins one with a deployment that uses the names of v; known is what the recorder
// knows of it.
func newSession(t *testing.T, v, known httpapi.Vocabulary, maxBytes int64) *session {
	t.Helper()
	return sessionIn(t, os.DirFS("../../examples/server/testdata"), "world-bridge.json", v, known, maxBytes)
}

// sessionIn is newSession in a world of a file.
func sessionIn(t *testing.T, world fs.FS, file string, v, known httpapi.Vocabulary, maxBytes int64) *session {
	t.Helper()
	tw := httpapitest.New(t, httpapitest.WithVocabulary(v), httpapitest.WithWorld(world, file))
	deployment := httptest.NewServer(tw)
	t.Cleanup(deployment.Close)
	s := &session{t: t, tw: tw, deployment: deployment.URL, dir: filepath.Join(t.TempDir(), "recorded")}
	var err error
	s.recorder, err = recording.NewRecorder(recording.Config{Target: deployment.URL, Dir: s.dir, Vocabulary: known, MaxBytes: maxBytes, Now: tw.Now})
	if err != nil {
		t.Fatal(err)
	}
	s.front = httptest.NewServer(s.recorder)
	t.Cleanup(s.front.Close)
	over, err := v.Transport(s.front.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.client = &http.Client{Transport: over}
	p := tw.Admin()
	p.AccountID, p.DisplayName, p.Email = "b0000000-0000-4000-8000-000000000001", zoe, zoeMail
	s.token = tw.TokenOf(p)
	p.ID, p.Kind, p.DisplayName, p.Email = "b0000000-0000-4000-8000-0000000000e1", twinplatform.Service, "", ""
	s.service = tw.TokenOf(p)
	return s
}

// send sends a request of the session and returns the body of the answer.
func (s *session) send(method, path, body string, header ...string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.front.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Cookie", "session="+cookie)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, strings.ReplaceAll(value, "ETAG", s.etag))
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if v := res.Header.Get("ETag"); v != "" {
		s.etag = v
	}
	if res.StatusCode >= 400 {
		s.t.Logf("%d %s %s: %s", res.StatusCode, method, path, raw)
	}
	return string(raw)
}

// close ends the session.
func (s *session) close() recording.Notes {
	s.t.Helper()
	s.front.Close()
	notes, err := s.recorder.Close(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return notes
}

// look reads what there is, and work changes it.
func (s *session) look() {
	for _, path := range []string{
		"/twins/" + bridge, "/twins", "/access-control/twins/" + bridge + "/roles", "/access-control/twins/" + bridge + "/members",
		"/schedules/nb-plan", "/schedules/nb-plan/calendars", "/schedules/nb-plan/project-scheduling", "/schedules/nb-plan/tasks", "/schedules/nb-plan/task-links", "/schedules/nb-plan/resources", "/schedules/nb-plan/codes",
		"/schedules/nb-plan/tasks?$top=2", "/schedules/nb-plan/tasks/dig", "/schedules/nb-plan/tasks/nowhere", "/schedules/sb-plan",
	} {
		s.send("GET", path, "")
	}
}

func (s *session) work() {
	s.send("GET", "/users/me", "")
	s.send("POST", "/schedules/nb-plan/tasks", `{"id": "paint", "name": "Ask `+zoe+` for paint", "type": "Work", "comment": "token `+jwt+`, write to `+otherMail+`"}`)
	s.send("GET", "/schedules/nb-plan/tasks/paint", "")
	s.send("PATCH", "/schedules/nb-plan/tasks/paint", `{"name": "Paint", "comment": "`+strings.ToUpper(zoe)+` said so"}`, "If-Match: ETAG")
	s.send("PATCH", "/schedules/nb-plan/tasks/paint", `{"name": "Paint"}`, `If-Match: "0"`)
	s.send("POST", "/schedules/nb-plan/resources", `{"id": "lw", "name": "`+foreman+`", "type": "Human", "email": "`+otherMail+`"}`)
	s.send("GET", "/schedules/nb-plan/resources/lw", "")
	role := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(s.send("GET", "/access-control/twins/"+bridge+"/roles", ""))[1]
	s.send("POST", "/access-control/twins/"+bridge+"/members",
		`{"members": [{"id": "`+member+`", "displayName": "`+foreman+`", "email": "`+otherMail+`", "roleIds": ["`+role+`"]}]}`)
	s.send("GET", "/access-control/twins/"+bridge+"/members", "")
	s.send("POST", "/twins", `{"class": "Thing", "displayName": "Barge of `+foreman+`"}`)
	s.send("GET", "/schedules/nb-plan/tasks?name="+url.QueryEscape(zoe)+"&sig="+signed, "")
	s.token, s.service = s.service, s.token
	s.send("POST", "/webhooks", `{"callbackUrl": "https://hooks.example/in?sig=`+signed+`", "secret": "`+sealed+`", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"]}`)
	s.token, s.service = s.service, s.token
	s.send("POST", "/twins/"+bridge+"/repositories", `{"class": "GeographicInformationSystem", "subClass": "WebMapService", "displayName": "Soil",
		"uri": "https://maps.example.com/soil", "authentication": {"type": "QueryParameter", "key": "token", "value": "`+shownToMaps+`"},
		"options": {"queryParameters": {"layer": "`+askedOfMaps+`"}}}`)
	s.send("GET", "/twins/"+bridge+"/repositories", "")
	s.send("POST", "/access-control/twins/"+bridge+"/shares", "{}")
	s.send("DELETE", "/schedules/nb-plan/tasks/paint", "")
	s.send("GET", "/schedules/nb-plan/tasks/paint", "")
}

// everything is all that a folder holds.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		b.WriteString(path)
		b.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func vocabulary(t *testing.T, text string) httpapi.Vocabulary {
	t.Helper()
	v, err := httpapi.ParseVocabulary(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const gardens = `{
 "vendor": "acme.gardens",
 "segments": {"schedules": "seasons", "tasks": "chores", "twins": "gardens"},
 "headers": {"X-Request-Id": "X-Errand-Id"},
 "parts": {"schedule": "season", "schedules": "seasons", "task": "chore", "tasks": "chores", "twin": "garden", "twins": "gardens"}
}`

// sparse is a deployment that leaves members out and has two names for others.
const sparse = `{
 "members": {"displayName": "label"},
 "also": {"name": "title", "taskId": "choreId"},
 "accept": {"comment": "remark"},
 "omit": ["createdDateTime", "estimatedRate"],
 "areas": {"schedules.tasks": {"omit": ["url", "progressType"]}}
}`

func TestRecordedSessionIsReplayedWithoutADifference(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, speaks, known string }{
		{"in the specification's words", `{}`, `{}`},
		{"in words that are known", gardens, gardens},
		{"in words that are drafted", gardens, `{}`},
		{"with members left out", sparse, sparse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, vocabulary(t, tt.speaks), vocabulary(t, tt.known), 0)
			s.look()
			s.work()
			notes := s.close()
			if notes.Steps < 20 {
				t.Errorf("of the session %d steps are written", notes.Steps)
			}
			for _, what := range notes.LeftOutLines() {
				t.Log(what)
			}
			for _, what := range append(notes.NotSeeded, notes.Unmatched...) {
				t.Log(what)
			}
			httpapitest.Replay(t, s.dir)
		})
	}
}

func TestReplayReportsMembersThatNoOmitTableNames(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	s := newSession(t, vocabulary(t, `{"omit": ["estimatedRate"]}`), httpapi.Vocabulary{}, 0)
	s.look()
	s.close()
	collected := &failures{TB: t}
	httpapitest.Replay(collected, s.dir)
	if len(collected.errors) == 0 {
		t.Fatal("Replay reports nothing")
	}
	for _, text := range collected.errors {
		if !strings.Contains(text, "estimatedRate") {
			t.Errorf("Replay says %q", text)
		}
	}
}

// failures is a test that collects its failures.
type failures struct {
	testing.TB

	errors []string
}

func (h *failures) Error(args ...any) { h.errors = append(h.errors, fmt.Sprint(args...)) }

func TestReplayNamesTheOperationAndTheMember(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	s := newSession(t, httpapi.Vocabulary{}, httpapi.Vocabulary{}, 0)
	s.look()
	s.close()
	file := filepath.Join(s.dir, "conversations", "0001.txtar")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"percentComplete": 0,`), []byte(`"percentComplete": 7,`), 1)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	collected := &failures{TB: t}
	httpapitest.Replay(collected, s.dir)
	if len(collected.errors) != 1 || !strings.HasPrefix(collected.errors[0], "tasks.list: tasks[].percentComplete: value: the target has 7, the emulator 0") {
		t.Errorf("Replay says %q", collected.errors)
	}
}

func TestDraftIsAVocabularyThatTheDeploymentSpeaks(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	s := newSession(t, vocabulary(t, gardens), httpapi.Vocabulary{}, 0)
	s.look()
	s.close()
	raw, err := os.ReadFile(filepath.Join(s.dir, recording.VocabularyFile))
	if err != nil {
		t.Fatal(err)
	}
	v := vocabulary(t, string(raw))
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	if got := v.Address("/twins/a"); got != "/gardens/a" {
		t.Errorf("the draft calls a twin %s:\n%s", got, raw)
	}
	if got := v.Address("/schedules/a/tasks"); got != "/seasons/a/chores" {
		t.Errorf("the draft calls tasks %s:\n%s", got, raw)
	}
	if got := v.Member("twins", "twinId"); got != "gardenId" {
		t.Errorf("the draft calls twinId %s:\n%s", got, raw)
	}
}

func TestNoSecretAndNoNameOfASessionIsWritten(t *testing.T) {
	t.Parallel()
	s := newSession(t, httpapi.Vocabulary{}, httpapi.Vocabulary{}, 0)
	s.look()
	s.work()
	s.close()
	text := everything(t, s.dir)
	for _, secret := range []string{s.token, cookie, signed, sealed, shownToMaps, askedOfMaps, jwt, zoe, zoeMail, foreman, otherMail, "Brückner", "Wasserthal", "Mira", "mira@example.com"} {
		for _, spelling := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ToUpper(secret)} {
			if at := strings.Index(text, spelling); at >= 0 {
				t.Errorf("%q is in the folder: …%s…", spelling, text[max(at-100, 0):min(at+100, len(text))])
			}
		}
	}
	if !strings.Contains(text, "Person-") || !strings.Contains(text, "@example.com") {
		t.Error("there is no pseudonym in the folder")
	}
}

func TestRecorderDoesNotOverwrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := recording.NewRecorder(recording.Config{Target: "http://localhost:1", Dir: dir}); err != nil {
		t.Errorf("an empty folder is refused: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kept"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := recording.NewRecorder(recording.Config{Target: "http://localhost:1", Dir: dir}); err == nil || !strings.Contains(err.Error(), "nothing is overwritten") {
		t.Errorf("a folder with a file is taken: %v", err)
	}
	for _, target := range []string{"", "api.example.com", "ftp://api.example.com", "https://user:pass@api.example.com", "https://api.example.com?x=1"} {
		if _, err := recording.NewRecorder(recording.Config{Target: target, Dir: filepath.Join(dir, "new")}); err == nil {
			t.Errorf("the target %q is taken", target)
		}
	}
}

// What there is no room for passes through, and is counted.
func TestRecorderKeepsNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	s := newSession(t, httpapi.Vocabulary{}, httpapi.Vocabulary{}, 8<<10)
	for range 20 {
		if body := s.send("GET", "/schedules/nb-plan/tasks", ""); !strings.Contains(body, `"dig"`) {
			t.Fatalf("the answer is %s", body)
		}
	}
	notes := s.close()
	if notes.Steps == 0 || notes.Steps == 20 || notes.LeftOut["traffic beyond the room for it"] != 20-notes.Steps {
		t.Errorf("of 20 exchanges %d are written, and left out are %v", notes.Steps, notes.LeftOut)
	}
}

// A body is handed on while it comes, byte for byte, also where it is too large to be kept.
func TestStreamsAndLargeBodiesPassThrough(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB
	read := make(chan struct{})
	deployment := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"first": 1,`)
			_ = http.NewResponseController(w).Flush()
			<-read // the client has the first piece before there is another
			_, _ = io.WriteString(w, `"href": "http://`+r.Host+`/next"}`)
			return
		}
		got, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Equal(got, large) {
			t.Errorf("of the body %d bytes came: %v", len(got), err)
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(large)
	}))
	t.Cleanup(deployment.Close)
	recorder, err := recording.NewRecorder(recording.Config{Target: deployment.URL, Dir: filepath.Join(t.TempDir(), "recorded")})
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(recorder)
	t.Cleanup(front.Close)
	res, err := http.Get(front.URL + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len(`{"first": 1,`))
	if _, err := io.ReadFull(res.Body, first); err != nil {
		t.Fatal(err)
	}
	close(read)
	rest, err := io.ReadAll(res.Body)
	if err != nil || string(rest) != `"href": "`+front.URL+`/next"}` {
		t.Errorf("the rest is %s: %v", rest, err)
	}
	_ = res.Body.Close()
	res, err = http.Post(front.URL+"/large", "application/octet-stream", bytes.NewReader(large))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(res.Body)
	if err != nil || !bytes.Equal(got, large) {
		t.Errorf("of the answer %d bytes came: %v", len(got), err)
	}
	_ = res.Body.Close()
	front.Close()
	if _, err := recorder.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
