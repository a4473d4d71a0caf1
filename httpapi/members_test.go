package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A recordFamily is a kind of record of a schedule, as the REST API makes, changes and
// shows it. In paths, %s is the id.
type recordFamily struct {
	name    string
	make    string // POST
	wrap    string // of the body of make, in which %s is the record
	made    string // minimal record
	get     string // GET: a page or a record
	patch   string // PATCH; none when empty
	patched string // wrap of the body of patch
}

var recordFamilies = []recordFamily{
	{"schedule", "/schedules", `%s`, `{"name": "n", "twinId": "tower"}`, "/schedules/%s", "", ""},
	{"task", "/schedules/plan/tasks", `%s`, `{"name": "n", "type": "Work"}`, "/schedules/plan/tasks/%s", "/schedules/plan/tasks/%s", `%s`},
	{"task of a batch", "/schedules/plan/tasks/batch", `{"batch": [%s]}`, `{"name": "n", "type": "Work"}`, "/schedules/plan/tasks/%s", "", ""},
	{"task link", "/schedules/plan/task-links/batch", `{"batch": [%s]}`, `{"predecessorId": "link a", "successorId": "link b", "type": "FinishToStart"}`, "/schedules/plan/task-links/%s", "/schedules/plan/task-links", `{"taskLinks": [%s]}`},
	{"resource", "/schedules/plan/resources", `%s`, `{"name": "n", "type": "Human"}`, "/schedules/plan/resources/%s", "/schedules/plan/resources/%s", `%s`},
	{"resource of a batch", "/schedules/plan/resources/batch", `{"batch": [%s]}`, `{"name": "n", "type": "Material"}`, "/schedules/plan/resources/%s", "", ""},
	{"resource group", "/schedules/plan/resource-groups", `%s`, `{"name": "n"}`, "/schedules/plan/resource-groups/%s", "/schedules/plan/resource-groups/%s", `%s`},
	{"status category", "/schedules/plan/resource-status-categories", `%s`, `{"name": "n"}`, "/schedules/plan/resource-status-categories/%s", "/schedules/plan/resource-status-categories/%s", `%s`},
	{"status set", "/schedules/plan/resource-status-sets", `%s`, `{"name": "n", "statusCategoryId": "category"}`, "/schedules/plan/resource-status-sets/%s", "/schedules/plan/resource-status-sets/%s", `%s`},
	{"status item", "/schedules/plan/resource-status-items", `%s`, `{"name": "n", "statusSetId": "set", "color": "#102030"}`, "/schedules/plan/resource-status-items/%s", "/schedules/plan/resource-status-items/%s", `%s`},
	{"user field", "/schedules/plan/user-fields", `%s`, `{"name": "n", "category": "Task", "type": "String"}`, "/schedules/plan/user-fields/%s", "", ""},
	{"baseline", "/schedules/plan/baselines", `%s`, `{"name": "n"}`, "/schedules/plan/baselines/%s", "", ""},
	{"3D entity", "/schedules/old/entities-3d", `%s`, `{"name": "n"}`, "/schedules/old/entities-3d/%s", "", ""},
}

// memberValues are tried for every member: whatever it means, some of them are
// of its type, and some may be taken.
var memberValues = []any{
	"x1", "", true, false, 7.0, 0.0, -1.5, "2026-03-01T08:00:00Z", "eve@example.com", "#a0b0c0", "link a", "set", "category", "crane",
	"Started", "Finished", "StartOn", "CubicMeter", "StartToStart", "Location", "StartKeyDate", "ShortHammock", "v6.5", "v10", "Resource", "Float",
	"5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a02",
}

// talk is a conversation with a world in which what records name is there.
type talk struct {
	*testing.T
	w    *world
	made int
}

func newTalk(t *testing.T) *talk {
	t.Helper()
	x := &talk{T: t, w: newWorld(t)}
	for path, body := range map[string]string{
		"/schedules/plan/tasks/batch":                `{"batch": [{"id": "link a", "name": "a", "type": "Work"}, {"id": "link b", "name": "b", "type": "Work"}]}`,
		"/schedules/plan/resource-status-categories": `{"id": "category", "name": "n"}`,
	} {
		if status, answer := x.ask(http.MethodPost, path, body); status/100 != 2 && status != http.StatusConflict {
			t.Fatalf("%s: %d %v", path, status, answer)
		}
	}
	x.ask(http.MethodPost, "/schedules/plan/resource-status-sets", `{"id": "set", "name": "n", "statusCategoryId": "category"}`)
	return x
}

func (x *talk) ask(method, path, body string) (status int, answer map[string]any) {
	x.Helper()
	r := httptest.NewRequest(method, strings.ReplaceAll(path, " ", "%20"), strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer writer")
	rec := httptest.NewRecorder()
	x.w.handler.ServeHTTP(rec, r)
	if rec.Body.Len() > 0 {
		if err := stdjson.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
			x.Fatalf("%s %s answers %s", method, path, rec.Body)
		}
	}
	return rec.Code, answer
}

// record reads a record; nil when there is none.
func (x *talk) record(f recordFamily, id string) map[string]any {
	x.Helper()
	status, answer := x.ask(http.MethodGet, fmt.Sprintf(f.get, id), "")
	if status != http.StatusOK {
		return nil
	}
	for _, v := range answer {
		return v.(map[string]any)
	}
	return nil
}

// create makes a record, with members in addition to or in place of the minimal ones.
func (x *talk) create(f recordFamily, members map[string]any) (id string, status int, answer map[string]any) {
	x.Helper()
	x.made++
	body := map[string]any{}
	if err := stdjson.Unmarshal([]byte(f.made), &body); err != nil {
		x.Fatal(err)
	}
	body["id"] = fmt.Sprintf("made-%d", x.made)
	maps.Copy(body, members)
	id, _ = body["id"].(string)
	status, answer = x.ask(http.MethodPost, f.make, fmt.Sprintf(f.wrap, inJSON(x, body)))
	return id, status, answer
}

func (x *talk) change(f recordFamily, id string, members map[string]any) (status int, answer map[string]any) {
	x.Helper()
	if strings.Contains(f.patched, "[") {
		members = maps.Clone(members)
		if _, named := members["id"]; !named {
			members["id"] = id
		}
	}
	path := f.patch
	if strings.Contains(path, "%s") {
		path = fmt.Sprintf(path, id)
	}
	return x.ask(http.MethodPatch, path, fmt.Sprintf(f.patched, inJSON(x, members)))
}

func inJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := stdjson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// named reports whether a refusal names a member, as a target or in a list.
func named(answer map[string]any, member string) bool {
	return regexp.MustCompile(`"target":"([^"]*[\].])?` + regexp.QuoteMeta(member) + `"`).MatchString(textOf(answer))
}

func textOf(v any) string {
	b, _ := stdjson.Marshal(v)
	return string(b)
}

func (f recordFamily) check(x *talk, what, id, member string, value any, status int, answer map[string]any) {
	x.Helper()
	if status/100 == 4 {
		if !named(answer, member) && !named(answer, strings.TrimSuffix(member, "Id")) && status != http.StatusNotFound {
			x.Errorf("%s of a %s with %s %v is refused and does not name it: %s", what, f.name, member, value, textOf(answer))
		}
		return
	}
	got := x.record(f, id)
	if got == nil {
		x.Errorf("%s of a %s with %s %v answers %d, and there is none: %v", what, f.name, member, value, status, answer)
		return
	}
	// An empty text is none where one is null, and leaves a choice to the platform.
	empty := value == "" && (got[member] == nil || what == "POST")
	if !empty && !reflect.DeepEqual(got[member], value) {
		x.Errorf("%s of a %s with %s %v answers %d and stores %v", what, f.name, member, value, status, got[member])
	}
}

// TestMembersOfARecordAreStoredOrRefusedByName sends every member that a record
// has, with values of all sorts, in creates and in patches: none of them is
// dropped without a word.
func TestMembersOfARecordAreStoredOrRefusedByName(t *testing.T) {
	t.Parallel()
	for _, f := range recordFamilies {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			x := newTalk(t)
			id, status, answer := x.create(f, nil)
			if status/100 != 2 {
				t.Fatalf("%d %v", status, answer)
			}
			for _, member := range slices.Sorted(maps.Keys(x.record(f, id))) {
				for _, value := range memberValues {
					if member == "id" && value == "" {
						continue // which leaves it to the platform
					}
					id, status, answer := x.create(f, map[string]any{member: value})
					f.check(x, "POST", id, member, value, status, answer)
					if f.patch == "" || member == "id" && strings.Contains(f.patched, "[") {
						continue // where it says which record to patch
					}
					id, status, answer = x.create(f, nil)
					if status/100 != 2 {
						t.Fatalf("%d %v", status, answer)
					}
					status, answer = x.change(f, id, map[string]any{member: value})
					f.check(x, "PATCH", id, member, value, status, answer)
				}
			}
		})
	}
}

// TestRecordSentBackAsItWasReadChangesNothing patches records with themselves.
func TestRecordSentBackAsItWasReadChangesNothing(t *testing.T) {
	t.Parallel()
	progress := map[string]any{"status": "Started", "percentComplete": 40, "plannedStart": "2026-01-05T09:00:00Z", "plannedDuration": 28_800, "physicalQuantity": 5}
	for _, f := range recordFamilies {
		for _, members := range []map[string]any{nil, progress, {"type": "LongHammock"}} {
			if f.patch == "" || members != nil && f.name != "task" {
				continue
			}
			x := newTalk(t)
			id, status, answer := x.create(f, members)
			before := x.record(f, id)
			if status/100 != 2 || before == nil {
				t.Fatalf("%s: %d %v", f.name, status, answer)
			}
			if status, answer := x.change(f, id, before); status != http.StatusOK {
				t.Errorf("a %s sent back is refused: %s", f.name, textOf(answer))
			}
			if diff := cmp.Diff(before, x.record(f, id)); diff != "" {
				t.Errorf("a %s sent back is another (-was +is):\n%s", f.name, diff)
			}
		}
	}
}
