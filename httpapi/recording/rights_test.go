package recording_test

import (
	"regexp"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
)

const (
	southBridge = "b0000000-0000-4000-8000-000000000011"
	reader      = "b0000000-0000-4000-8000-0000000000f7"
)

// reading asks as a user who may read one twin and its schedules, and is refused all else.
func (s *session) reading() {
	s.send("GET", "/users/me", "")
	for _, path := range []string{
		"/twins", "/twins/" + bridge, "/twins/" + southBridge, "/schedules/nb-plan", "/schedules/nb-plan/tasks/dig", "/schedules/sb-plan", "/schedules/sb-plan/tasks",
		"/access-control/twins/" + bridge + "/members", "/access-control/twins/" + bridge + "/roles",
	} {
		s.send("GET", path, "")
	}
	s.send("POST", "/schedules/nb-plan/tasks", `{"id": "mine", "name": "Mine", "type": "Work"}`)
	s.send("PATCH", "/twins/"+bridge, `{"displayName": "My bridge"}`)
	s.send("DELETE", "/twins/"+southBridge, "")
	s.send("POST", "/schedules", `{"name": "Mine", "twinId": "`+bridge+`"}`)
}

// as lets a session call with another token.
func (s *session) as(token string, call func()) {
	before := s.token
	s.token = token
	call()
	s.token = before
}

func TestCallersOfDifferentRightsGetTheSameAnswersFromTheSeed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		hold func(t *testing.T, s *session, p twinplatform.Principal) // gives the reader its rights
		look bool                                                     // the administrator reads who is a member
	}{
		{"a member that the seed has", func(t *testing.T, s *session, p twinplatform.Principal) {
			role := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(s.send("POST", "/access-control/twins/"+bridge+"/roles",
				`{"displayName": "Reader", "description": "reads", "permissions": ["twins_read", "schedules_read"]}`))[1]
			s.send("POST", "/access-control/twins/"+bridge+"/members", `{"members": [{"id": "`+p.ID+`", "displayName": "Rita", "email": "rita@bridges.example", "roleIds": ["`+role+`"]}]}`)
		}, true},
		{"rights that calls alone show", func(t *testing.T, s *session, p twinplatform.Principal) {
			grant := platform.Grant{TwinID: bridge, Permissions: []string{"twins_read", "schedules_read"}}
			if err := s.tw.Grant(t.Context(), platform.Callers{{Token: "x", Principal: p, Grants: []platform.Grant{grant}}}); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, httpapi.Vocabulary{}, httpapi.Vocabulary{}, 0)
			p := s.tw.Admin()
			p.ID, p.AccountID, p.DisplayName, p.Email, p.AdministratorRoles = reader, "b0000000-0000-4000-8000-000000000001", "Rita", "rita@bridges.example", nil
			recorder := s.front.URL
			s.front.URL = s.deployment // which is prepared before anything is recorded
			tt.hold(t, s, p)
			s.front.URL = recorder
			for _, path := range []string{
				"/twins", "/twins/" + bridge, "/twins/" + southBridge, "/schedules/nb-plan", "/schedules/nb-plan/calendars", "/schedules/nb-plan/project-scheduling",
				"/schedules/nb-plan/tasks", "/schedules/sb-plan", "/schedules/sb-plan/calendars", "/schedules/sb-plan/project-scheduling", "/schedules/sb-plan/tasks",
			} {
				s.send("GET", path, "")
			}
			if tt.look {
				s.send("GET", "/access-control/twins/"+bridge+"/roles", "")
				s.send("GET", "/access-control/twins/"+bridge+"/members", "")
			}
			s.as(s.tw.TokenOf(p), s.reading)
			s.as("unknown", func() { s.send("GET", "/twins", "") })
			notes := s.close()
			for _, what := range append(notes.NotSeeded, notes.LeftOutLines()...) {
				t.Log(what)
			}
			httpapitest.Replay(t, s.dir)
		})
	}
}
