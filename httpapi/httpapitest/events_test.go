package httpapitest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/webhooks"
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

const somebody = "44444444-4444-4444-8444-444444444444"

// member is somebody who becomes a member of the twin.
func (s *scene) member() {
	s.Helper()
	a := send(s.T, s.tw.Client(), http.MethodPost, s.tw.URL+"/access-control/twins/"+s.twin+"/members", `{"members":[{"id":"`+somebody+`","roleIds":["`+s.role+`"]}]}`)
	if a.status != http.StatusCreated {
		s.Fatalf("%d %s", a.status, a.body)
	}
}

// told fails unless the platform took an event that the program itself published.
func (s *scene) told(_ twinplatform.Event, err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// causes say of every documented event type how it comes about: by a request, or,
// where another service causes it, by a call of the embedding program.
var causes = map[webhooks.EventType]func(ctx context.Context, s *scene){
	webhooks.TwinCreated: func(_ context.Context, s *scene) {
		s.made("/twins", "twin", `{"class":"Thing","displayName":"Bridge"}`)
	},
	webhooks.TwinUpdated: func(_ context.Context, s *scene) { s.ask("PATCH", "/twins/"+s.twin, `{"displayName":"Harbour"}`) },
	webhooks.TwinDeleted: func(_ context.Context, s *scene) {
		s.ask("DELETE", "/twins/"+s.made("/twins", "twin", `{"class":"Thing","displayName":"Shed"}`), "")
	},

	webhooks.MemberAdded:   func(_ context.Context, s *scene) { s.member() },
	webhooks.MemberRemoved: func(_ context.Context, s *scene) { s.member(); s.ask("DELETE", s.members(), "") },
	webhooks.InvitationCreated: func(_ context.Context, s *scene) {
		s.made("/access-control/twins/"+s.twin+"/members/invitations", "invitation", `{"email":"ann@example.com","roleIds":["`+s.role+`"]}`)
	},
	webhooks.RoleAssigned: func(_ context.Context, s *scene) {
		s.member()
		s.ask("PATCH", s.members(), `{"roleIds":["`+s.role+`","`+s.newRole("Builder")+`"]}`)
	},
	webhooks.RoleUnassigned: func(_ context.Context, s *scene) {
		s.member()
		s.ask("PATCH", s.members(), `{"roleIds":["`+s.newRole("Builder")+`"]}`)
	},

	webhooks.ModelCreated: func(_ context.Context, s *scene) {
		s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Plant"}`)
	},
	webhooks.ModelDeleted: func(_ context.Context, s *scene) { s.ask("DELETE", "/models/"+s.model, "") },
	webhooks.ChangesReady: func(_ context.Context, s *scene) {
		s.made("/models/"+s.model+"/changesets", "changeset", `{}`)
	},
	webhooks.NamedVersionCreated: func(_ context.Context, s *scene) {
		s.made("/models/"+s.model+"/changesets", "changeset", `{}`)
		s.made("/models/"+s.model+"/named-versions", "namedVersion", `{"name":"As built"}`)
	},

	webhooks.SynchronizationJobCompleted: func(ctx context.Context, s *scene) {
		s.told(s.tw.Webhooks.PublishSynchronizationJob(ctx, s.twin, webhooks.SynchronizationJob{SynchronizationID: "s", ModelID: s.model, ConnectionID: "c", Result: "success"}))
	},
	webhooks.TransformationJobCompleted: func(_ context.Context, s *scene) {
		source := s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Design"}`)
		view := s.made("/saved-views", "savedView", `{"modelId":"`+source+`","displayName":"All","shared":true}`)
		s.made("/transformations", "transformation", `{"configurationId":"`+s.made("/transformations/configurations/filterbysavedview", "configuration",
			`{"transformName":"All","comment":"all","sourceProjectId":"`+s.twin+`","sourceModelId":"`+source+`","targetProjectId":"`+s.twin+`","targetModelId":"`+s.model+`",`+
				`"transformParameters":{"savedViewId":"`+view+`"}}`)+`"}`)
	},
	webhooks.RealityModelingJobCompleted: func(ctx context.Context, s *scene) {
		s.told(s.tw.Webhooks.PublishRealityModelingJob(ctx, s.twin, webhooks.RealityJob{JobID: "j"}))
	},
	webhooks.RealityAnalysisJobCompleted: func(ctx context.Context, s *scene) {
		s.told(s.tw.Webhooks.PublishRealityAnalysisJob(ctx, s.twin, webhooks.RealityJob{JobID: "j"}))
	},
	webhooks.RealityConversionJobCompleted: func(ctx context.Context, s *scene) {
		s.told(s.tw.Webhooks.PublishRealityConversionJob(ctx, s.twin, webhooks.RealityJob{JobID: "j"}))
	},
	webhooks.ChangedElementsJobCompleted: func(ctx context.Context, s *scene) {
		s.told(s.tw.Webhooks.PublishChangedElementsJob(ctx, s.twin, webhooks.ChangedElementsJob{JobID: "j", ModelID: s.model, JobSucceeded: true}))
	},
	webhooks.ChangedElementsJobCompletedV2: func(ctx context.Context, s *scene) {
		s.told(s.tw.Webhooks.PublishChangedElementsJobV2(ctx, s.twin, webhooks.ChangedElementsJob{JobID: "j", ModelID: s.model}))
	},
}

func (s *scene) members() string { return "/access-control/twins/" + s.twin + "/members/" + somebody }

func (s *scene) newRole(name string) string {
	s.Helper()
	return s.made("/access-control/twins/"+s.twin+"/roles", "role", `{"displayName":"`+name+`","permissions":["schedules_read"]}`)
}

// TestEveryDocumentedEventHasACause walks every event type of the table from its cause
// to the delivery, whose signature the receiver has checked and whose content holds
// what is documented.
func TestEveryDocumentedEventHasACause(t *testing.T) {
	t.Parallel()
	for _, typ := range webhooks.EventTypes() {
		t.Run(string(typ), func(t *testing.T) {
			t.Parallel()
			cause := causes[typ]
			if cause == nil {
				t.Fatal("nothing causes it")
			}
			tw := httpapitest.New(t)
			s := &scene{T: t, tw: tw}
			s.twin = s.made("/twins", "twin", `{"class":"Thing","displayName":"Tower"}`)
			s.role = s.newRole("Planner")
			s.model = s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Tower"}`)
			tw.Webhooks.Subscribe(typ)
			cause(t.Context(), s)
			tw.Webhooks.Drain(t.Context())
			got := tw.Webhooks.Deliveries()
			if len(got) != 1 || got[0].Err != nil || got[0].Status != http.StatusNoContent || got[0].EventType != string(typ) || got[0].TwinID == "" {
				t.Fatalf("delivered were %+v", got)
			}
			var content map[string]string
			if err := json.Unmarshal(got[0].Content, &content); err != nil {
				t.Fatalf("the content %s has other members than texts: %v", got[0].Content, err)
			}
			documented, _ := webhooks.ContentMembers(typ)
			told := make(map[string]bool)
			for _, name := range documented {
				_, told[name] = content[name]
			}
			want := make(map[string]bool)
			for _, name := range documented {
				want[name] = true
			}
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("the content is %s: %s", got[0].Content, diff)
			}
		})
	}
	for typ := range causes {
		if _, ok := webhooks.ContentMembers(typ); !ok {
			t.Errorf("%s is caused and not documented", typ)
		}
	}
}
