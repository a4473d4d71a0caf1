package server

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// grantsTo is a tokens file with an administrator and with grants to someone.
func grantsTo(t *testing.T, twinID string, permissions ...string) string {
	t.Helper()
	grants := ""
	if len(permissions) > 0 {
		grants = fmt.Sprintf(`, "grants": [{"twinId": %q, "permissions": ["%s"]}]`, twinID, strings.Join(permissions, `", "`))
	}
	return fileWith(t, `[{"token": "t-admin", "principal": {"id": "ada", "accountId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}},
		{"token": "t-bob", "principal": {"id": "bob", "displayName": "Bob", "accountId": "elsewhere", "kind": "User", "scopes": ["twin-platform"]}`+grants+`}]`)
}

func TestGrantsAreMembersOfTwinsAndFollowTheFile(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	members := "/access-control/twins/" + tower + "/members"
	for _, tt := range []struct {
		name        string
		permissions []string
		read, write int
	}{
		{"reader", []string{"schedules_read"}, 200, 403},
		{"the same again", []string{"schedules_read"}, 200, 403},
		{"editor", []string{"schedules_read", "schedules_modify"}, 200, 202},
		{"no longer a member", nil, 404, 404},
		{"reader again", []string{"schedules_read"}, 200, 403},
	} {
		s := start(t, "-db", db, "-seed", seedFile, "-tokens", grantsTo(t, tower, tt.permissions...))
		s.callAs("t-bob", "GET", plan, "", tt.read)
		s.callAs("t-bob", "POST", plan+"/tasks", `{"name": "Dig", "type": "Work"}`, tt.write)
		got := s.callAs("t-admin", "GET", members, "", http.StatusOK).body["members"].([]any)
		if (len(got) == 1) != (tt.permissions != nil) {
			t.Errorf("%s: the members are %v", tt.name, got)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGrantsLeaveOtherRolesAlone(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	s := start(t, "-db", db, "-seed", seedFile, "-tokens", grantsTo(t, tower, "schedules_read"))
	role := s.callAs("t-admin", "POST", "/access-control/twins/"+tower+"/roles", `{"displayName": "Planner", "permissions": ["schedules_read", "schedules_modify"]}`, http.StatusCreated)
	member := "/access-control/twins/" + tower + "/members/bob"
	s.callAs("t-admin", "PATCH", member, fmt.Sprintf(`{"roleIds": [%q]}`, role.body["role"].(map[string]any)["id"]), http.StatusOK)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for _, permissions := range [][]string{{"schedules_read"}, nil} {
		s := start(t, "-db", db, "-tokens", grantsTo(t, tower, permissions...))
		s.callAs("t-bob", "POST", plan+"/tasks", `{"name": "Dig", "type": "Work"}`, http.StatusAccepted)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGrantAtATwinThatIsNotThereIsOnlyLogged(t *testing.T) {
	t.Parallel()
	s := start(t, "-tokens", grantsTo(t, "0b7e1c52-9d34-4f6a-8e21-5a9c3d7f1b40", "schedules_read"))
	if err := s.stop(); err != nil || !strings.Contains(s.log.String(), "a twin that is not there") {
		t.Errorf("the server ends with %v and logs\n%s", err, s.log)
	}
}

func TestMalformedPermissionIsFatal(t *testing.T) {
	t.Parallel()
	args := []string{"-addr", "127.0.0.1:0", "-seed", seedFile, "-tokens", grantsTo(t, tower, "all of it")}
	err := run(t.Context(), args, nil, new(strings.Builder), new(strings.Builder))
	if err == nil || !strings.Contains(err.Error(), "entry 2: There is no permission 'all of it'") || strings.Contains(err.Error(), "\n") {
		t.Errorf("run says %v", err)
	}
}

// Whatever write the process dies at, the next start grants what the file says.
func TestInterruptedGrantsAreCompleted(t *testing.T) {
	t.Parallel()
	var who, none platform.Callers
	for file, to := range map[string]*platform.Callers{grantsTo(t, tower, "schedules_read"): &who, grantsTo(t, tower): &none} {
		if err := readFile("tokens", file, to, from(platform.ReadCallers)); err != nil {
			t.Fatal(err)
		}
	}
	finished := false
	for n := 0; !finished; n++ {
		store := seededStore(t)
		mortal := storetest.Over(store)
		mortal.FailAfter(n, context.DeadlineExceeded)
		first, err := platform.New(mortal, platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		finished = first.Grant(t.Context(), who) == nil
		again, err := platform.New(store, platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Grant(t.Context(), none); err != nil {
			t.Fatalf("after %d writes: %v", n, err)
		}
		page, err := again.Twins.Members(t.Context(), tower, twins.MemberQuery{})
		if err != nil || page.Len() != 0 {
			t.Fatalf("after %d writes there are %d members (%v) of whom no one is granted anything", n, page.Len(), err)
		}
	}
}
