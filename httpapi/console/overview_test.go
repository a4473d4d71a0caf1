package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

func TestOverviewShowsTheStateOfEveryAreaAndTheServer(t *testing.T) {
	t.Parallel()
	w := open(t, func(cfg *console.Config) {
		demo(cfg)
		cfg.Health = func(context.Context) []console.Part {
			return []console.Part{{Name: "Store takes writes", Well: true}, {Name: "Deliveries", Well: false}}
		}
	})
	page := w.browser().text("/console/", http.StatusOK)
	_, health, _ := strings.Cut(page, "Health")
	for _, area := range []string{
		"Twins", "Access control", "Schedules", "Forms", "Models", "Transformations", "Reality data", "Detectors",
		"Webhooks",
	} {
		if !strings.Contains(health, area+" answers") || strings.Contains(health, area+" answers, not") {
			t.Errorf("%s is not well: %s", area, health)
		}
	}
	before, _, _ := strings.Cut(page, "Contents")
	if !strings.Contains(before, "Needs attention") || !strings.Contains(before, "Deliveries: not well") {
		t.Errorf("what needs attention does not come first: %s", before)
	}
	if strings.Index(health, "Deliveries not well") > strings.Index(health, "Store takes writes well") {
		t.Errorf("what is well comes before what is not: %s", health)
	}
	if !strings.Contains(health, "Store takes writes well") || !strings.Contains(health, "Deliveries not well") {
		t.Errorf("the parts of the server are %s", health)
	}
}

func TestOverviewShowsTheNewestTwinsFirstWithTheNamesOfTheirAccounts(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	w.now = w.now.Add(time.Hour)
	for what, body := range map[string]string{
		"POST /twins":                `{"class": "Thing", "displayName": "Annexe", "number": "A-7"}`,
		"PATCH /twins/" + ownAccount: `{"displayName": "Bridge Builders"}`,
	} {
		method, target, _ := strings.Cut(what, " ")
		if res := w.ask(ownerToken, method, target, body); res.Code >= http.StatusBadRequest {
			t.Fatalf("%s answers %d %s", what, res.Code, res.Body)
		}
	}
	page := w.browser().text("/console/", http.StatusOK)
	_, contents, _ := strings.Cut(page, "Contents")
	newest := strings.Index(contents, "Annexe Bridge Builders Thing Asset")
	if older := strings.Index(contents, "Multiproject j30 Bridge Builders"); newest < 0 || older < newest {
		t.Errorf("the twins are %s", contents)
	}
	if strings.Contains(page, "Needs attention") || !strings.Contains(page, "All is well") {
		t.Errorf("all is well, and the page shows %s", page)
	}
}

func TestOverviewShowsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	stranger := w.browser()
	stranger.signIn(strangerTok)
	page := stranger.text("/console/", http.StatusOK)
	for _, want := range []string{
		"Schedules not checked: no twin is visible to you", "This console is not configured to show",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q: %s", want, page)
		}
	}
}

// Accounts may have any id, and the twin of an account has that; forms are of twins with a
// GUID alone, and answer 422 about others.
func TestOverviewShowsFormsThatTakeNoSuchTwin(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	member := principal("44444444-4444-4444-8444-444444444444", "acme", twinplatform.AccountAdministrator)
	w.tokens["acme-token"] = member
	if _, err := w.platform.Twins.PrimaryAccount(twinplatform.WithPrincipal(t.Context(), member)); err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	b.signIn("acme-token")
	if page := b.text("/console/", http.StatusOK); !strings.Contains(page, "Forms answers, not about this twin") {
		t.Errorf("the page is %s", page)
	}
}

func TestOverviewIsThereWhenTheStoreIsNot(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	if err := w.platform.Close(); err != nil {
		t.Fatal(err)
	}
	page := w.browser().text("/console/", http.StatusOK)
	for _, want := range []string{"Twins does not answer", "Webhooks does not answer"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q: %s", want, page)
		}
	}
}

func TestOverviewShowsWhatIsLeftOfTheBudget(t *testing.T) {
	t.Parallel()
	w := open(t, func(cfg *console.Config) {
		demo(cfg)
		cfg.Operator = func(twinplatform.Principal) bool { return true }
		cfg.Room = func(p twinplatform.Principal, operator bool) []console.Room {
			if p.ID == "" || !operator {
				return nil
			}
			return []console.Room{
				{Name: "Your account", Used: 900, Allowed: 1000},
				{Name: "The fullest account", Used: 3 << 20, Allowed: 2 << 20},
				{Name: "The whole store", Used: 5 << 30},
			}
		}
	})
	page := w.browser().text("/console/", http.StatusOK)
	for _, want := range []string{
		"Your account: 90 % used", "Your account 900 B 1000 B 90 % used", "The fullest account 3.0 MiB 2.0 MiB full",
		"The whole store 5.0 GiB any number no budget",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q: %s", want, page)
		}
	}
	if page := open(t, demo).browser().text("/console/", http.StatusOK); strings.Contains(page, "Storage") {
		t.Error("a console that knows of no budget shows one")
	}
}
