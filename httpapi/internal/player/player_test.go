package player_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// meaning returns how an answer in the words of a conversation differs from the recorded one by
// meaning.
func meaning(recorded, came string) []player.Difference {
	d := player.NewDiffer(player.New(nil), player.New(nil))
	step := &transcript.Step{Request: "GET /schedules\n", Answer: recorded}
	d.Answers(step, player.Recorded(recorded), player.Recorded(came))
	return d.Found
}

// places are differences by member and kind alone.
func places(found []player.Difference) (all []string) {
	for _, d := range found {
		all = append(all, d.Member+": "+string(d.Kind))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// spoil changes one place of a value at random.
func spoil(random *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		if slices.Sort(names); len(names) == 0 {
			return map[string]any{"more": true}
		}
		name := names[random.IntN(len(names))]
		switch random.IntN(4) {
		case 0:
			delete(v, name)
		case 1:
			v["more"] = "m"
		default:
			v[name] = spoil(random, v[name])
		}
		return v
	case []any:
		switch at := random.IntN(3); {
		case len(v) == 0 || at == 0:
			return append(v, "more")
		case at == 1:
			slices.Reverse(v)
		default:
			i := random.IntN(len(v))
			v[i] = spoil(random, v[i])
		}
		return v
	case string:
		return []any{v + " and more", nil, "", "2026-02-03T04:05:06Z", "new-77"}[random.IntN(5)]
	}
	return []any{7, "7", nil, true, json.Number("1.50")}[random.IntN(5)]
}

// What is equal exactly is equal by meaning, and what differs by meaning differs exactly.
func TestWhatIsEqualExactlyIsEqualByMeaning(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(50, 3))
	for _, c := range conversations.All() {
		for _, s := range c.Steps {
			if found := slices.Concat(player.Exactly(s.Answer, s.Answer), meaning(s.Answer, s.Answer)); len(found) > 0 {
				t.Fatalf("%s: %s: an answer differs from itself: %v", c.Path, s.Title, found)
			}
			head, body, _ := strings.Cut(s.Answer, "\n\n")
			var v any
			if json.Unmarshal([]byte(body), &v) != nil {
				continue
			}
			raw, err := json.MarshalIndent(spoil(random, v), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			came := head + "\n\n" + string(raw)
			exact, meant := player.Exactly(s.Answer, came), meaning(s.Answer, came)
			if len(exact) == 0 && len(meant) > 0 {
				t.Errorf("%s: %s: equal exactly, and by meaning there is %v\n%s", c.Path, s.Title, meant, came)
			}
		}
	}
}

const recordedTask = `200
Content-Type: application/json
ETag: {{etag}}

{
  "task": {
    "id": "dig",
    "name": "Dig",
    "percentComplete": 10,
    "plannedStart": "2026-01-05T09:00:00Z",
    "_links": {"self": {"href": "https://api.test/schedules/plan/tasks/dig"}}
  },
  "codes": [{"value": "A"}, {"value": "B"}]
}
`

func TestBothRulesNameEachKindOfDifference(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, old, by, want string }{
		{"another status", "200\n", "404\n", "status: value"},
		{"another type of media", "application/json", "text/plain", "header Content-Type: value"},
		{"a header less", "ETag: {{etag}}\n", "", "header ETag: missing"},
		{"a header more", "ETag:", "Location: https://api.test/schedules\nETag:", "header Location: added"},
		{"another text", `"Dig"`, `"Dug"`, "task.name: value"},
		{"another number", "10", "11", "task.percentComplete: value"},
		{"a text for a number", "10", `"10"`, "task.percentComplete: type"},
		{"null for a value", `"Dig"`, "null", "task.name: type"},
		{"another moment", "09:00:00Z", "10:00:00Z", "task.plannedStart: value"},
		{"another address", "tasks/dig", "jobs/dig", "task._links.self.href: value"},
		{"a member less", `"name": "Dig",`, "", "task.name: missing"},
		{"a member more", `"name"`, `"colour": "red", "name"`, "task.colour: added"},
		{"an entry less", `, {"value": "B"}`, "", "codes[]: length"},
		{"another order", `[{"value": "A"}, {"value": "B"}]`, `[{"value": "B"}, {"value": "A"}]`, "codes[]: order"},
		{"no JSON", recordedTask[strings.Index(recordedTask, "{\n"):], "sorry", "body: value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			came := strings.Replace(recordedTask, tt.old, tt.by, 1)
			want := []string{tt.want}
			if diff := cmp.Diff(want, places(player.Exactly(recordedTask, came))); diff != "" {
				t.Errorf("exactly (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, places(meaning(recordedTask, came))); diff != "" {
				t.Errorf("by meaning (-want +got):\n%s", diff)
			}
		})
	}
}

// What a client sent comes back as it was sent, also where it looks like what a server chooses.
func TestWhatClientsSentIsTheSameByMeaning(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, sent, came string }{
		{"an address of another host", "https://example.com/cracks", "https://example.com/rust"},
		{"a moment", "2026-01-05T09:00:00Z", "2026-01-05T09:00:01Z"},
		{"an id", "0f9c5d1e7a3b4c5d6e7f", "1f9c5d1e7a3b4c5d6e7f"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := player.NewDiffer(player.New(nil), player.New(nil))
			d.Sent(`POST /x` + "\n\n" + `{"at": "` + tt.sent + `"}`)
			at := func(text string) string { return "200\n\n{\"at\": \"" + text + "\"}" }
			d.Answers(&transcript.Step{Request: "GET /x\n", Answer: at(tt.sent)}, player.Recorded(at(tt.sent)), player.Recorded(at(tt.came)))
			if diff := cmp.Diff([]string{"at: value"}, places(d.Found)); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

// What a server may choose differs exactly, and not by meaning.
func TestWhatServersChooseDiffersExactlyAlone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, recorded, came string }{
		{"an id", `{"task": {"id": "new-1", "self": "/tasks/new-1"}}`, `{"task": {"id": "new-9", "self": "/tasks/new-9"}}`},
		{"an id in a text", `{"name": "Copy of new-1!"}`, `{"name": "Copy of 7b!"}`},
		{"the text of an error", `{"error": {"code": "No", "message": "Not so."}}`, `{"error": {"code": "No", "message": "No."}}`},
		{"when it was made", `{"createdAt": "2026-01-05T09:00:00Z"}`, `{"createdAt": "2026-03-05T09:00:00Z"}`},
		{"the order of its ids", `[{"id": "new-1", "n": 1}, {"id": "new-2", "n": 2}]`, `[{"id": "new-5", "n": 2}, {"id": "new-4", "n": 1}]`},
		{"the order of members", `{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`},
		{"the spelling of a parameter", `{"next": "https://api.test/tasks?$top=2"}`, `{"next": "https://api.test/tasks?top=2"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if player.Exactly("200\n\n"+tt.recorded, "200\n\n"+tt.came) == nil {
				t.Error("it does not differ exactly")
			}
			if found := meaning("200\n\n"+tt.recorded, "200\n\n"+tt.came); len(found) > 0 {
				t.Errorf("by meaning it differs: %v", found)
			}
		})
	}
}

// doer answers requests with what is recorded for them.
type doer func(*http.Request) string

func (d doer) Do(r *http.Request) (*http.Response, error) {
	a := player.Recorded(d(r))
	return &http.Response{StatusCode: a.Status, Header: canonical(a.Header), Body: io.NopCloser(strings.NewReader(a.Raw)), Request: r}, nil
}

func canonical(h http.Header) http.Header {
	out := make(http.Header)
	for name, values := range h {
		out[http.CanonicalHeaderKey(name)] = values
	}
	return out
}

// However answers are compared, later requests have the same values for the names in them.
func TestPlayersLearnTheSameNamesUnderBothRules(t *testing.T) {
	t.Parallel()
	steps := []transcript.Step{
		{Request: "POST /tasks\n\n{\"name\": \"Dig\"}\n", Answer: "201\nETag: {{etag}}\n\n{\"id\": \"{{id-1}}\", \"secret\": \"{{secret}}\"}"},
		{Request: "GET /tasks?$top=1\n", Answer: "200\nContinuation-Token: {{next}}\n\n{\"tasks\": [{\"id\": \"{{id-1}}\", \"of\": \"new-1\"}]}"},
		{Request: "PATCH /tasks/{{id-1}}?after={{next}}\nIf-Match: {{etag}}\n\n{\"of\": \"new-1\", \"text\": \"see {{id-1}}\"}\n", Answer: "200\n\n{}"},
	}
	answers := []string{
		"201\nETag: \"7.a\"\n\n{\"id\": \"x/1\", \"secret\": \"s3cret\"}",
		"200\nContinuation-Token: t+k\n\n{\"tasks\": [{\"id\": \"x/1\", \"of\": \"q\"}]}",
		"200\n\n{}",
	}
	var sent []string
	n := 0
	side := player.New(&player.Server{URL: "https://server.test", Now: time.Now, Client: doer(func(r *http.Request) string {
		body, _ := io.ReadAll(r.Body)
		sent = append(sent, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("If-Match"), body))
		n++
		return answers[n-1]
	})})
	d := player.NewDiffer(player.New(nil), side)
	for i := range steps {
		if err := d.Step(context.Background(), &steps[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.Found) > 0 {
		t.Errorf("by meaning the answers differ: %v", d.Found)
	}
	var exact player.Player
	var filled []string
	for i, s := range steps {
		r := exact.Filled(s.Request)
		filled = append(filled, fmt.Sprintf("%s %s %s %s", r.Method, r.Target, strings.TrimPrefix(strings.Join(r.Header, ""), "If-Match: "), r.Body))
		exact.Learn(player.Recorded(s.Answer), player.Recorded(answers[i]))
	}
	if diff := cmp.Diff(filled, sent); diff != "" {
		t.Errorf("requests (-exactly +by meaning):\n%s", diff)
	}
	want := `PATCH /tasks/x%2F1?after=t%2Bk "7.a" {"of": "q", "text": "see x/1"}` + "\n"
	if sent[2] != want {
		t.Errorf("the last request is %q, want %q", sent[2], want)
	}
}
