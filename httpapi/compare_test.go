package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
	"github.com/seed-933f9a09/twinplatform/httpapi/recording"
)

// inProcess sends requests to a handler.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "192.0.2.1:1234", r.URL.Host
	in.URL.Scheme, in.URL.Host = "", ""
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, in)
	res := w.Result()
	res.Request = r
	return res, nil
}

// spoiler changes what a deployment answers to an operation.
type spoiler struct {
	http.RoundTripper

	handler   *httpapi.Handler // knows operations
	operation string
	spoil     func(*spoilt)
}

// spoilt is an answer with its body.
type spoilt struct {
	*http.Response

	body map[string]any
}

func (s spoiler) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if o, _ := s.handler.OperationOf(r); o.ID != s.operation {
		return res, nil
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	var body map[string]any
	if stdjson.Unmarshal(raw, &body) == nil {
		s.spoil(&spoilt{res, body})
		if raw, err = stdjson.Marshal(body); err != nil {
			return nil, err
		}
	}
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return res, nil
}

// asEach is the token of a caller of the conversations.
func asEach(caller string) string { return caller }

// compared plays a conversation against its world under the vocabulary of a garden, the answers
// to an operation spoilt, and against the same world.
func compared(t *testing.T, c *transcript.Conversation, operation string, spoil func(*spoilt)) []recording.Difference {
	t.Helper()
	played := *c
	played.Steps = nil
	for _, s := range c.Steps {
		s.Request = conversations.Pictures(s.Request)
		played.Steps = append(played.Steps, s)
	}
	theirs, ours := worlds[c.Area()](t), worlds[c.Area()](t)
	over, err := garden(t).Transport("https://api.test", inProcess{inTheGarden(t, theirs)})
	if err != nil {
		t.Fatal(err)
	}
	if spoil != nil {
		over = spoiler{over, ours, operation, spoil}
	}
	sides := recording.Sides{
		Target:   &recording.Server{URL: "https://api.test", Client: &http.Client{Transport: over}, Token: asEach},
		Emulator: &recording.Server{URL: "https://api.test", Client: &http.Client{Transport: inProcess{ours}}, Token: asEach},
	}
	found, err := sides.Play(t.Context(), &played)
	if err != nil {
		t.Errorf("%s: %v", c.Path, err)
	}
	return found
}

func TestNothingDiffersFromTheSamePlatformUnderOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range conversations.All() {
		if !inSample(c.Path) {
			continue
		}
		t.Run(c.Path, func(t *testing.T) {
			t.Parallel()
			for _, d := range compared(t, c, "", nil) {
				t.Error(d)
			}
		})
	}
}

// inside is an object of a body.
func inside(body map[string]any, names ...string) map[string]any {
	for _, name := range names {
		switch v := body[name].(type) {
		case map[string]any:
			body = v
		case []any:
			if len(v) == 0 {
				return map[string]any{}
			}
			body, _ = v[0].(map[string]any)
		default:
			return map[string]any{}
		}
	}
	return body
}

func TestEachPlantedDifferenceIsNamedByOperationAndMember(t *testing.T) {
	t.Parallel()
	ok := func(spoil func(body map[string]any)) func(*spoilt) {
		return func(s *spoilt) {
			if s.StatusCode < 300 {
				spoil(s.body)
			}
		}
	}
	for _, tt := range []struct {
		name, operation string
		spoil           func(*spoilt)
		member          string
		kind            recording.Kind
	}{
		{"another status", "schedules.get", func(s *spoilt) { s.StatusCode++ }, "status", recording.Changed},
		{"a member dropped", "tasks.update", ok(func(b map[string]any) { delete(inside(b, "task"), "comment") }), "task.comment", recording.Added},
		{"a member added", "tasks.get", ok(func(b map[string]any) { inside(b, "task")["colour"] = "red" }), "task.colour", recording.Missing},
		{"a number as a text", "tasks.get", ok(func(b map[string]any) { inside(b, "task")["percentComplete"] = "0" }), "task.percentComplete", recording.Type},
		{"null for a value", "tasks.get", ok(func(b map[string]any) { inside(b, "task")["name"] = nil }), "task.name", recording.Type},
		{"another number", "tasks.get", ok(func(b map[string]any) { inside(b, "task")["percentComplete"] = 7 }), "task.percentComplete", recording.Changed},
		{"another text", "tasks.get", ok(func(b map[string]any) { inside(b, "task")["type"] = "Delivery" }), "task.type", recording.Changed},
		{"a day later", "tasks.get", ok(func(b map[string]any) { inside(b, "task")["plannedStart"] = "2026-01-09T09:00:00Z" }), "task.plannedStart", recording.Changed},
		{"a list turned", "tasks.list", ok(func(b map[string]any) {
			if all, _ := b["tasks"].([]any); len(all) > 1 {
				slices.Reverse(all)
			}
		}), "tasks[]", recording.Order},
		{"an entry less", "codes.list", ok(func(b map[string]any) {
			if all, _ := b["codes"].([]any); len(all) > 0 {
				b["codes"] = all[1:]
			}
		}), "codes[]", recording.Length},
		{"a member of an entry dropped", "twins.list", ok(func(b map[string]any) { delete(inside(b, "twins"), "displayName") }), "twins[].displayName", recording.Added},
		{"another code", "tasks.get", func(s *spoilt) {
			if s.StatusCode == http.StatusNotFound {
				inside(s.body, "error")["code"] = "NotThere"
			}
		}, "error.code", recording.Changed},
		{"another code in a detail", "tasks.create", func(s *spoilt) {
			if details, _ := inside(s.body, "error")["details"].([]any); len(details) > 0 {
				details[0].(map[string]any)["code"] = "Wrong"
			}
		}, "error.details[].code", recording.Changed},
		{"no version", "webhooks.get", func(s *spoilt) { s.Header.Del("ETag") }, "header ETag", recording.Added},
		{"another type of media", "users.me", func(s *spoilt) { s.Header.Set("Content-Type", "text/json") }, "header Content-Type", recording.Changed},
		{"another place", "forms.create", func(s *spoilt) {
			if at := s.Header.Get("Location"); at != "" {
				s.Header.Set("Location", strings.Replace(at, "/forms", "/papers", 1))
			}
		}, "header Location", recording.Changed},
		{"a link elsewhere", "schedules.list", ok(func(b map[string]any) {
			if self := inside(b, "_links", "self"); self["href"] != nil {
				self["href"] = "https://api.test/plans"
			}
		}), "_links.self.href", recording.Changed},
	} {
		if testing.Short() && crc32.ChecksumIEEE([]byte(tt.name))%3 != 0 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(conversations.All(), func(c *conversations.Conversation) bool { return c.Operation() == tt.operation })
			if at < 0 {
				t.Fatalf("there is no conversation about %s", tt.operation)
			}
			found := compared(t, conversations.All()[at], tt.operation, tt.spoil)
			want := []recording.Row{{Difference: recording.Difference{Operation: tt.operation, Member: tt.member, Kind: tt.kind}}}
			if diff := cmp.Diff(want, rows(found)); diff != "" {
				t.Errorf("differences (-planted +found):\n%s", diff)
			}
		})
	}
}

// rows are differences by operation, member and kind alone.
func rows(found []recording.Difference) (all []recording.Row) {
	for _, r := range recording.Rows(found) {
		all = append(all, recording.Row{Difference: recording.Difference{Operation: r.Operation, Member: r.Member, Kind: r.Kind}})
	}
	return all
}

// The order of the members of objects is of no meaning.
func TestMembersInAnotherOrderDoNotDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range conversations.All() {
		if c.Operation() == "tasks.get" {
			for _, d := range compared(t, c, "tasks.get", func(*spoilt) {}) { // encoded again, by name
				t.Error(d)
			}
		}
	}
}
