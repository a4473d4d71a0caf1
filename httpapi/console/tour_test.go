package console_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestFirstStepsAreShownUntilThereIsSomething(t *testing.T) {
	t.Parallel()
	admin, _ := seeded(t, "", false)
	first := admin.see("/console/")
	for title, path := range map[string]string{
		"Import a plan": "edit/twins.create?next=/schedules", "Make a webhook": "edit/webhooks.create", "Run a test": "try",
	} {
		if !strings.Contains(first.text, title) || !slices.Contains(first.links, path) && !slices.Contains(first.links, "./"+path) {
			t.Errorf("the first page of an empty platform does not lead to %s by %s: %s %q", path, title, first.text, first.links)
		}
	}
	admin.populate()
	if p := admin.see("/console/"); strings.Contains(p.text, "Where to begin") {
		t.Errorf("with a webhook the first steps are still shown: %s", p.text)
	}
	only, _ := seeded(t, "", true)
	if p := only.see("/console/"); strings.Contains(p.text, "Import a plan") || !strings.Contains(p.text, "Run a test") {
		t.Errorf("a read-only console shows the first steps %s", p.text)
	}
	if p := open(t, demo).browser().text("/console/", http.StatusOK); strings.Contains(p, "Where to begin") {
		t.Errorf("with twins the first steps are shown: %s", p)
	}
}
