package httpapitest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// scene is where an event is caused.
type scene struct {
	*testing.T

	tw                *httpapitest.Harness
	twin, role, model string
}

// made posts to a path and returns the id of what was made, which the answer has under
// key.
func (s *scene) made(path, key, body string) string {
	s.Helper()
	a := send(s.T, s.tw.Client(), http.MethodPost, s.tw.URL+path, body)
	var answer map[string]json.RawMessage
	var record struct{ ID string }
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil || a.status != http.StatusCreated || json.Unmarshal(answer[key], &record) != nil {
		s.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	return record.ID
}

func (s *scene) ask(method, path, body string) {
	s.Helper()
	if a := send(s.T, s.tw.Client(), method, s.tw.URL+path, body); a.status >= 300 {
		s.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
}

const someone = "44444444-4444-4444-8444-444444444444"

// member is someone who becomes a member of the twin.
func (s *scene) member() {
	s.Helper()
	a := send(s.T, s.tw.Client(), http.MethodPost, s.tw.URL+"/access-control/twins/"+s.twin+"/members", `{"members":[{"id":"`+someone+`","roleIds":["`+s.role+`"]}]}`)
	if a.status != http.StatusCreated {
		s.Fatalf("%d %s", a.status, a.body)
	}
}

// causes are the requests that cause each event type that the platform emits.
var causes = map[string]func(s *scene){
	event.TypeTwinCreated: func(s *scene) {
		s.made("/twins", "twin", `{"class":"Thing","displayName":"Bridge"}`)
	},
	event.TypeTwinUpdated: func(s *scene) { s.ask("PATCH", "/twins/"+s.twin, `{"displayName":"Harbour"}`) },
	event.TypeTwinDeleted: func(s *scene) {
		s.ask("DELETE", "/twins/"+s.made("/twins", "twin", `{"class":"Thing","displayName":"Shed"}`), "")
	},

	event.TypeMemberAdded:   func(s *scene) { s.member() },
	event.TypeMemberRemoved: func(s *scene) { s.member(); s.ask("DELETE", s.members(), "") },
	event.TypeInvitationCreated: func(s *scene) {
		s.made("/access-control/twins/"+s.twin+"/members/invitations", "invitation", `{"email":"ann@example.com","roleIds":["`+s.role+`"]}`)
	},
	event.TypeRoleAssigned: func(s *scene) {
		s.member()
		s.ask("PATCH", s.members(), `{"roleIds":["`+s.role+`","`+s.newRole("Builder")+`"]}`)
	},
	event.TypeRoleUnassigned: func(s *scene) {
		s.member()
		s.ask("PATCH", s.members(), `{"roleIds":["`+s.newRole("Builder")+`"]}`)
	},

	event.TypeModelCreated: func(s *scene) {
		s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Plant"}`)
	},
	event.TypeModelDeleted: func(s *scene) { s.ask("DELETE", "/models/"+s.model, "") },
	event.TypeChangesReady: func(s *scene) {
		s.made("/models/"+s.model+"/changesets", "changeset", `{}`)
	},
	event.TypeNamedVersionCreated: func(s *scene) {
		s.made("/models/"+s.model+"/changesets", "changeset", `{}`)
		s.made("/models/"+s.model+"/named-versions", "namedVersion", `{"name":"As built"}`)
	},

	event.TypeRealityConversionJobCompleted: func(s *scene) {
		s.job("/reality-conversion/jobs", `"type":"Conversion","outputs":["LAS"]`)
	},
	event.TypeRealityAnalysisJobCompleted: func(s *scene) { s.job("/reality-analysis/jobs", `"type":"Checksum"`) },
	event.TypeTransformationJobCompleted: func(s *scene) {
		s.made("/transformations", "transformation", `{"configurationId":"`+s.configuration()+`"}`)
	},
}

// job is a job that is done.
func (s *scene) job(jobs, asked string) {
	s.Helper()
	data := s.made("/reality-management/reality-data", "realityData", `{"twinId":"`+s.twin+`","displayName":"Scan","type":"LAS"}`)
	id := s.made(jobs, "job", `{"name":"Job","twinId":"`+s.twin+`","inputs":[{"id":"`+data+`"}],`+asked+`}`)
	s.ask("PATCH", jobs+"/"+id, `{"state":"active"}`)
}

// configuration is one that brings all of a design into the model.
func (s *scene) configuration() string {
	s.Helper()
	source := s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Design"}`)
	view := s.made("/saved-views", "savedView", `{"modelId":"`+source+`","displayName":"All","shared":true}`)
	return s.made("/transformations/configurations/filterbysavedview", "configuration",
		`{"transformName":"All","comment":"all","sourceProjectId":"`+s.twin+`","sourceModelId":"`+source+`","targetProjectId":"`+s.twin+`","targetModelId":"`+s.model+`",`+
			`"transformParameters":{"savedViewId":"`+view+`"}}`)
}

func (s *scene) members() string { return "/access-control/twins/" + s.twin + "/members/" + someone }

func (s *scene) newRole(name string) string {
	s.Helper()
	return s.made("/access-control/twins/"+s.twin+"/roles", "role", `{"displayName":"`+name+`","permissions":["schedules_read"]}`)
}

// TestEveryDocumentedEventHasACause walks every event type of the catalogue from its
// cause to the delivery, whose signature the receiver has checked and whose content
// has the members of the catalogue, all of them texts. What the platform does not emit
// itself the embedding program publishes.
func TestEveryDocumentedEventHasACause(t *testing.T) {
	t.Parallel()
	for _, kind := range event.Catalogue() {
		t.Run(kind.Type(), func(t *testing.T) {
			t.Parallel()
			cause := causes[kind.Type()]
			if (cause == nil) != (kind.Source == event.FromProgram) {
				t.Fatalf("it comes from %s, and nothing causes it, or it does not and something does", kind.Source)
			}
			files, err := filestore.Temporary(filestore.Config{})
			if err != nil {
				t.Fatal(err)
			}
			tw := httpapitest.New(t, httpapitest.WithPlatform(func(c *platform.Config) { c.RealityData.Containers = files }))
			s := &scene{T: t, tw: tw}
			s.twin = s.made("/twins", "twin", `{"class":"Thing","displayName":"Tower"}`)
			s.role = s.newRole("Planner")
			s.model = s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Tower"}`)
			tw.Webhooks.Subscribe(webhooks.EventType(kind.Type()))
			if cause != nil {
				cause(s)
			} else if _, err := tw.Webhooks.PublishContent(t.Context(), s.twin, kind.Content); err != nil {
				t.Fatal(err)
			}
			tw.Webhooks.Drain(t.Context())
			got := tw.Webhooks.Deliveries()
			if len(got) != 1 || got[0].Err != nil || got[0].Status != http.StatusNoContent || got[0].EventType != kind.Type() || got[0].TwinID == "" {
				t.Fatalf("delivered were %+v", got)
			}
			var content map[string]string
			if err := json.Unmarshal(got[0].Content, &content); err != nil {
				t.Fatalf("the content %s has other members than texts: %v", got[0].Content, err)
			}
			members, want := slices.Sorted(maps.Keys(content)), []string(nil)
			for name := range kind.Members() {
				want = append(want, name)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, members); diff != "" {
				t.Errorf("the content is %s: %s", got[0].Content, diff)
			}
			if _, err := event.Decode(got[0].EventType, got[0].Content); err != nil {
				t.Error(err)
			}
		})
	}
	for typ := range causes {
		if _, ok := event.Lookup(typ); !ok {
			t.Errorf("%s is caused and not in the catalogue", typ)
		}
	}
}
