package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/schedules"
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
	made := p.importPlan(xerOf(t, randomXER(3, 400)), schedules.PlannerImportOptions{})
	things := 0
	for _, n := range changes(t, made)["created"] {
		things += n
	}
	if n := len(rememberedKeys(t, p)); n == 0 || n > things/32+20 {
		t.Errorf("%d keys hold %d items that were imported", n, things)
	}
}

func TestPlanThatEarlierFormatsRememberIsKnownAgainWhenItIsImported(t *testing.T) {
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
			for what, n := range changes(t, p.synchronize(storedPlan(t), schedules.IntegrateMode))["created"] {
				if n > 0 {
					t.Errorf("%s: %d %s were made again", format, n, what)
				}
			}
		}
		for _, key := range rememberedKeys(t, p) {
			if !strings.Contains(key, "/r/packs/") {
				t.Errorf("%s: %s is still there", format, key)
			}
		}
	}
	if found < 7 {
		t.Errorf("%d formats remember imports, want at least 7", found)
	}
}

func TestRememberedItemsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := func() string {
			switch r.IntN(5) {
			case 0:
				return ""
			case 1:
				return schedules.HashOf(r.IntN(20))
			case 2:
				return "sixteen letters!"
			case 3:
				return strings.Repeat("Brücke/\x00", r.IntN(20))
			}
			return fmt.Sprintf("c:BRÜCKE-7/A%07d", r.IntN(100))
		}
		items := make([]schedules.RememberedItem, r.IntN(70))
		for i := range items {
			items[i] = schedules.RememberedItem{RecordID: fmt.Sprintf("d3kf0%x", r.IntN(1<<16)), SynchronizerID: text(), Key: text(), Alias: text()}
			for range r.IntN(6) {
				items[i].Hashes = append(items[i].Hashes, text())
			}
		}
		packed, got, err := schedules.PackedAndUnpacked(items)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(items, got); diff != "" {
			t.Fatalf("%d items (-written +read):\n%s", len(items), diff)
		}
		for range 20 { // which must not panic
			if n := len(packed); n > 0 {
				packed[r.IntN(n)] ^= byte(1 + r.IntN(255))
				schedules.Unpack(packed[:r.IntN(n)])
			}
		}
	}
}
