package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

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
		if !strings.Contains(health, area+"answers") || strings.Contains(health, area+"answers, not") {
			t.Errorf("%s is not well: %s", area, health)
		}
	}
	if !strings.Contains(health, "Store takes writeswell") || !strings.Contains(health, "Deliveriesnot well") {
		t.Errorf("the parts of the server are %s", health)
	}
}

func TestOverviewShowsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	stranger := w.browser()
	stranger.signIn(strangerTok)
	page := stranger.text("/console/", http.StatusOK)
	for _, want := range []string{
		"Schedulesnot checked: no twin is visible to you", "This console is not configured to show",
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
	if page := b.text("/console/", http.StatusOK); !strings.Contains(page, "Formsanswers, not about this twin") {
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
	for _, want := range []string{"Twinsdoes not answer", "Webhooksdoes not answer"} {
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
	for _, want := range []string{"Your account900 B1000 B90 % used", "The fullest account3.0 MiB2.0 MiBfull", "The whole store5.0 GiBany numberno budget"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q: %s", want, page)
		}
	}
	if page := open(t, demo).browser().text("/console/", http.StatusOK); strings.Contains(page, "Storage") {
		t.Error("a console that knows of no budget shows one")
	}
}
