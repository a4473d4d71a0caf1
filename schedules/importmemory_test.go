package schedules_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
)

// rememberedKeys are the keys of records that remember what imports were given.
func rememberedKeys(t *testing.T, p *plan) (keys []string) {
	t.Helper()
	for line := range strings.Lines(recordstest.Dump(t, p.store)) {
		if key, value, _ := strings.Cut(line, " "); strings.Contains(key, "/imported-items/r/") && !strings.Contains(value, `\"deleted\":true`) {
			keys = append(keys, key)
		}
	}
	return keys
}

func TestWhatIsRememberedOfAnImportTakesFewKeys(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	made := p.importPlan(xerOf(t, randomXER(3, 400)), exchange.PlannerImportOptions{})
	things := 0
	for _, n := range changes(t, made)["created"] {
		things += n
	}
	if n := len(rememberedKeys(t, p)); n == 0 || n > things/32+20 {
		t.Errorf("%d keys hold %d items that were imported", n, things)
	}
}

func TestPlanThatAStoredFormatRemembersIsKnownAgainWhenItIsImported(t *testing.T) {
	t.Parallel()
	found := 0
	for _, format := range recordstest.Formats(t, ".") {
		store := recordstest.Load(t, recordstest.Text(t, ".", format, "store.txt"))
		p := openStored(t, store)
		p.id = "tower"
		if len(rememberedKeys(t, p)) == 0 {
			continue
		}
		found++
		for range 2 {
			for what, n := range changes(t, p.synchronize(storedPlan(t), exchange.IntegrateMode))["created"] {
				if n > 0 {
					t.Errorf("%s: %d %s were made again", format, n, what)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no format remembers imports")
	}
}
