package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

func TestOverviewTellsHowEveryAreaAndTheServerAre(t *testing.T) {
	t.Parallel()
	w := open(t, func(cfg *console.Config) {
		demo(cfg)
		cfg.Health = func(context.Context) []console.Part {
			return []console.Part{{Name: "Store takes writes", Well: true}, {Name: "Deliveries", Well: false}}
		}
	})
	page := w.browser().text("/console/", http.StatusOK)
	_, health, _ := strings.Cut(page, "Health")
	for _, area := range []string{"Twins", "Access control", "Schedules", "Forms", "Models", "Transformations", "Reality data", "Detectors", "Webhooks"} {
		if !strings.Contains(health, area+"answers") || strings.Contains(health, area+"answers, not") {
			t.Errorf("%s is not well: %s", area, health)
		}
	}
	if !strings.Contains(health, "Store takes writeswell") || !strings.Contains(health, "Deliveriesnot well") {
		t.Errorf("the parts of the server are %s", health)
	}
}

func TestOverviewSaysWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	stranger := w.browser()
	stranger.signIn(strangerTok)
	page := stranger.text("/console/", http.StatusOK)
	for _, want := range []string{"Schedulesnot asked: there is no twin that you may see", "this console is not told"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q: %s", want, page)
		}
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
