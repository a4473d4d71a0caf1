package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const shareTwin = "/console/twins/" + planTwin + "/share"

func TestATwinIsSharedByOneRoleThatMayReadAndNothingElse(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	if p := b.source("/console/browse/twins/"+planTwin, http.StatusOK); !strings.Contains(p, planTwin+"/share") {
		t.Fatalf("the twin does not lead to its form: %s", p)
	}
	form := b.get(shareTwin)
	parse(t, shareTwin, form.Body.Bytes())
	for _, email := range []string{"ana@example.com", "ünal@example.com"} {
		res := b.post(shareTwin, url.Values{"email": {email}, "displayName": {"Ana"}, "role": {"read"}})
		if at := res.Header().Get("Location"); res.Code != http.StatusSeeOther || !strings.Contains(at, "/members/invitations") {
			t.Fatalf("%s: the form answers %d %s %s", email, res.Code, at, res.Body)
		}
	}
	roles := b.text("/console/browse/access-control/twins/"+planTwin+"/roles", http.StatusOK)
	if n := strings.Count(roles, "May read everything of the twin."); n != 1 {
		t.Errorf("there are %d roles that may read, want one: %s", n, roles)
	}
	for _, given := range []string{"schedules_modify", "twins_modify", "models_write", "Forms_FullAccess"} {
		if strings.Count(roles, given) > 1 { // the owner has it
			t.Errorf("who may read may %s: %s", given, roles)
		}
	}
}

func TestWhatIsWrongWithSharingATwinIsSaidAndWhatWasTypedStays(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	res := b.post(shareTwin, url.Values{"email": {strings.Repeat("a", 300)}, "displayName": {"Ana"}, "role": {"read"}})
	if body := res.Body.String(); res.Code != http.StatusOK || !strings.Contains(body, `value="Ana"`) || !strings.Contains(body, "422") {
		t.Errorf("the form answers %d %s", res.Code, body)
	}
}
