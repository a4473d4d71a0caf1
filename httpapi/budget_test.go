package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	twinsarea "github.com/seed-933f9a09/twinplatform/twins"
)

// An account without room is answered so, with the amounts; another one continues, and so
// do reads and deletions, which make room.
func TestFullAccountIsAnsweredWhatIsUsedAndAllowed(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithPlatform(func(c *platform.Config) { c.Budget = platform.Budget{Account: 1 << 30} }))
	other := tw.Admin()
	other.ID, other.AccountID = "another", "99999999-9999-4999-8999-999999999999"
	plan := func(p twinplatform.Principal, name string) string {
		ctx := twinplatform.WithPrincipal(t.Context(), p)
		account, err := tw.Twins.PrimaryAccount(ctx)
		if err != nil {
			t.Fatal(err)
		}
		twin, err := tw.Twins.CreateTwin(ctx, twinsarea.NewTwin{Class: twinsarea.Endeavor, DisplayName: name, ParentID: account.Value.ID})
		if err != nil {
			t.Fatal(err)
		}
		res, err := tw.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: twin.Value().ID})
		if err != nil {
			t.Fatal(err)
		}
		return tw.URL + "/schedules/" + res.Value().ID
	}
	ours, theirs := plan(tw.Admin(), "Tower"), plan(other, "Tower")
	send := func(client *http.Client, method, address, body string, status int) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || resp.StatusCode != status {
			t.Errorf("%s %s: %d %s (%v), want %d", method, address, resp.StatusCode, text, err, status)
		}
		return string(text)
	}
	task := func(id string) string {
		return fmt.Sprintf(`{"id": %q, "name": %q, "type": "Work"}`, id, strings.Repeat("n", 500))
	}
	us, them := tw.Client(), tw.Client(other)
	send(us, http.MethodPost, ours+"/tasks", task("first"), http.StatusAccepted)
	for i := range 4 {
		send(us, http.MethodPost, ours+"/tasks", task(fmt.Sprint("more-", i)), http.StatusAccepted)
	}
	allowed := tw.BytesOf(tw.Admin().AccountID)
	tw.SetBudget(platform.Budget{Account: allowed})
	refused := send(us, http.MethodPost, ours+"/tasks", task("second"), http.StatusConflict)
	for _, want := range []string{`"AccountStorageFull"`, fmt.Sprintf("%d are used", allowed), "asked for", fmt.Sprintf("%d allowed", allowed)} {
		if !strings.Contains(refused, want) {
			t.Errorf("the refusal is %s, want %q in it", refused, want)
		}
	}
	send(them, http.MethodPost, theirs+"/tasks", task("second"), http.StatusAccepted)
	send(us, http.MethodGet, ours+"/tasks/first", "", http.StatusOK)
	send(us, http.MethodDelete, ours, "", http.StatusNoContent)
	if now := tw.BytesOf(tw.Admin().AccountID); now >= allowed {
		t.Errorf("the deletion has made no room: %d bytes of %d", now, allowed)
	}
	plan(tw.Admin(), "Bridge")
}
