package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// namedByCallers are the collections whose records callers give the ids, or names, by
// which the paths of the API know them without an account, with how to make one: %[1]s is
// the id, %[2]s the twin, %[3]s a model of it and %[4]s whose it is.
var namedByCallers = map[string]string{
	"/schedules":                  `{"id":%[1]q,"twinId":%[2]q,"name":%[4]q}`,
	"/models":                     `{"id":%[1]q,"twinId":%[2]q,"displayName":%[4]q}`,
	"/saved-views":                `{"id":%[1]q,"modelId":%[3]q,"displayName":%[4]q,"shared":true}`,
	"/saved-views/groups":         `{"id":%[1]q,"modelId":%[3]q,"displayName":%[4]q,"shared":true}`,
	"/saved-views/tags":           `{"id":%[1]q,"modelId":%[3]q,"displayName":%[4]q}`,
	"/reality-analysis/detectors": `{"name":%[1]q,"displayName":%[4]q,"description":"Finds cracks.","type":"PhotoObjectDetector"}`,
}

// collectionsNamedByCallers are those of the document: what is made there has a member
// that the path of a single one ends with.
func collectionsNamedByCallers(t *testing.T) map[string]bool {
	t.Helper()
	type schemas = map[string]struct{ Properties map[string]any }
	var d struct {
		Paths map[string]struct {
			Post struct {
				RequestBody struct {
					Content map[string]struct {
						Schema struct {
							Ref string `json:"$ref"`
						}
					}
				} `json:"requestBody"`
			}
		}
		Components struct{ Schemas schemas }
	}
	if err := stdjson.Unmarshal(httpapi.OpenAPI("/"), &d); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for single := range d.Paths {
		path, name, one := strings.Cut(single, "/{")
		if name = strings.TrimSuffix(name, "}"); !one || strings.ContainsAny(name, "/{}") {
			continue
		}
		for _, body := range d.Paths[path].Post.RequestBody.Content {
			for property := range d.Components.Schemas[strings.TrimPrefix(body.Schema.Ref, "#/components/schemas/")].Properties {
				if strings.HasSuffix(name, strings.ToUpper(property[:1])+property[1:]) {
					found[path] = true
				}
			}
		}
	}
	return found
}

// idsWorld has a twin with a model in each of two accounts. boss administers acme and
// ann is a member of its twin; eve administers the other account.
type idsWorld struct {
	*accessWorld
	theirs string // the twin of the other account
}

func newIDsWorld(t *testing.T) *idsWorld {
	t.Helper()
	ann := twinplatform.Principal{ID: "ann", AccountID: acmeID, Email: "ann@acme.example"}
	chief := twinplatform.Principal{ID: "chief", AccountID: acmeID, Email: "chief@acme.example", AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	eve := twinplatform.Principal{ID: "eve", AccountID: otherID, Email: "eve@example.com", AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	w := &idsWorld{newAccessWorld(t, ann, chief, eve), "e0000000-0000-4000-8000-00000000000e"}
	must[twinsapi.Twin](t)(w.Twins.CreateTwin(t.Context(), twinsapi.NewTwin{Class: twinsapi.Endeavor, DisplayName: "Theirs", ID: w.theirs, AccountID: otherID}))
	w.want(t, "chief", "POST /access-control/twins/{twin}/members/owners", `{"id":"ann"}`, 201, `"id":"ann"`)
	w.make(t, "chief", "/models", "base of chief")
	w.make(t, "eve", "/models", "base of eve")
	return w
}

// make makes a record of a collection for the caller.
func (w *idsWorld) make(t *testing.T, caller, path, id string) {
	t.Helper()
	twin := w.twin
	if caller == "eve" {
		twin = w.theirs
	}
	w.want(t, caller, "POST "+path, fmt.Sprintf(namedByCallers[path], id, twin, "base of "+caller, "of "+caller), 201, "of "+caller)
}

// admit lets someone of acme into the twin of eve, by an invitation that is accepted.
func (w *idsWorld) admit(t *testing.T, caller string, status int, holds string) {
	t.Helper()
	of := *w.accessWorld
	of.twin = w.theirs
	of.want(t, caller, of.invite(t, "eve", caller+"@acme.example"), "", status, holds)
}

// Whatever callers name: what an account calls by an id, or has called, is not replaced by
// what another account calls by it, for no one of the account, to read or to write.
func TestIDThatAnAccountHasOrHadStaysItsOwn(t *testing.T) {
	t.Parallel()
	collections := collectionsNamedByCallers(t)
	for path := range namedByCallers {
		if !collections[path] {
			t.Errorf("%s: callers name nothing there", path)
		}
	}
	for path := range collections {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if namedByCallers[path] == "" {
				t.Fatal("no record is made of what callers name there")
			}
			w, at := newIDsWorld(t), path+"/X"
			w.admit(t, "chief", 200, "chief")
			w.admit(t, "ann", 200, "ann")
			w.make(t, "chief", path, "X")
			w.make(t, "eve", path, "X")
			for caller, whose := range map[string]string{"chief": "of chief", "ann": "of chief", "eve": "of eve"} {
				w.want(t, caller, "GET "+at, "", 200, whose)
			}
			w.want(t, "chief", "DELETE "+at, "", 204, "")
			for _, caller := range []string{"chief", "ann"} {
				w.want(t, caller, "GET "+at, "", 404, "NotFound")
				w.want(t, caller, "DELETE "+at, "", 404, "NotFound")
				if method := methodOfChange(w.h, path); method != "" {
					w.want(t, caller, method+" "+at, `{"displayName":"of `+caller+`"}`, 404, "NotFound")
				}
			}
			w.want(t, "eve", "GET "+at, "", 200, "of eve")
			w.make(t, "chief", path, "X")
			w.want(t, "ann", "GET "+at, "", 200, "of chief")
		})
	}
}

// A caller whose ids would be ambiguous is refused rather than given the wrong record.
func TestAmbiguousIDsAreRefusedWhenAMemberIsAdded(t *testing.T) {
	t.Parallel()
	for path := range namedByCallers {
		if path == "/reality-analysis/detectors" {
			continue // which is of no twin
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := newIDsWorld(t)
			w.make(t, "eve", path, "X")
			w.admit(t, "ann", 200, "ann")
			w.want(t, "ann", "GET "+path+"/X", "", 200, "of eve")
			w.make(t, "chief", path, "X")
			w.want(t, "ann", "GET "+path+"/X", "", 200, "of chief")
			of := *w.accessWorld
			of.twin = w.theirs
			accept := of.invite(t, "eve", "chief@acme.example")
			of.want(t, "chief", accept, "", 409, "AmbiguousId")
			of.want(t, "ann", accept, "", 404, "InvitationNotFound")
			w.want(t, "chief", "DELETE "+path+"/X", "", 204, "")
			of.want(t, "chief", accept, "", 409, "AmbiguousId")
			w.want(t, "eve", "DELETE "+path+"/X", "", 204, "")
			of.want(t, "chief", accept, "", 200, "chief")
		})
	}
}

// methodOfChange is the method that changes a record of a collection; empty where none does.
func methodOfChange(h *httpapi.Handler, path string) string {
	for _, o := range h.Operations() {
		if at, name, _ := strings.Cut(o.Path, "/{"); at == path && !strings.Contains(name, "/") && (o.Method == "PATCH" || o.Method == "PUT") {
			return o.Method
		}
	}
	return ""
}

// A user who is added to a twin of another account without having accepted is not a
// member of it.
func TestUsersOfOtherAccountsAreMembersOnlyOnceTheyAccept(t *testing.T) {
	t.Parallel()
	w := newIDsWorld(t)
	w.make(t, "eve", "/schedules", "X")
	w.make(t, "eve", "/models", "M")
	of := *w.accessWorld
	of.twin = w.theirs
	for request, body := range map[string]string{
		"POST /access-control/twins/{twin}/members":        `{"members":[{"id":"chief","email":"chief@acme.example","roleIds":["` + of.owner(t) + `"]}]}`,
		"POST /access-control/twins/{twin}/members/owners": `{"id":"ann","email":"ann@acme.example"}`,
		"POST /models/M/members":                           `{"id":"ann","roleIds":["` + of.owner(t) + `"]}`,
	} {
		of.want(t, "eve", request, body, 201, "")
	}
	for _, caller := range []string{"chief", "ann"} {
		of.want(t, caller, "GET /twins/{twin}", "", 404, "twinNotFound")
		of.want(t, caller, "GET /schedules/X", "", 404, "ScheduleNotFound")
		of.want(t, caller, "GET /models/M", "", 404, "ModelNotFound")
		of.want(t, caller, "GET /twins?queryScope=memberOfTwin", "", 200, "")
	}
}
