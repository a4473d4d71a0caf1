package schedules_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// Names of files that would mislead are taken all the same, with a warning, since no one can change
// them before.
func TestNamesOfAFileThatMisleadAreReplacedWithAWarning(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := plannerFile(t, "mspdi-mp_j30_a2_nr1.xml")
	content = bytes.ReplaceAll(content, []byte("<Name>R 2</Name>"), []byte("<Name>R \u202e2\u2066</Name>"))
	y := p.importPlan(content, exchange.PlannerImportOptions{})
	if !slices.ContainsFunc(y.SynchronizationDetails.Warnings, func(w synchronizers.SynchronizationWarning) bool {
		return strings.HasPrefix(w.Message, "Warning: The name of a resource (ID=") && strings.Contains(w.Message, "were replaced")
	}) {
		t.Errorf("nothing warns of it: %v", y.SynchronizationDetails.Warnings)
	}
	page, err := p.in().Resources(p.ctx, schedules.ResourceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Name)
	}
	if !slices.Contains(names, "R \uFFFD2\uFFFD") {
		t.Errorf("the resources are called %q", names)
	}
}
