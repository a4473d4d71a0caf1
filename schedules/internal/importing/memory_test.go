package importing_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
)

func TestRememberedItemsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := func() string {
			switch r.IntN(5) {
			case 0:
				return ""
			case 1:
				return importing.HashOf(r.IntN(20))
			case 2:
				return "sixteen letters!"
			case 3:
				return strings.Repeat("Brücke/\x00", r.IntN(20))
			}
			return fmt.Sprintf("c:BRÜCKE-7/A%07d", r.IntN(100))
		}
		items := make([]importing.RememberedItem, r.IntN(70))
		for i := range items {
			items[i] = importing.RememberedItem{RecordID: fmt.Sprintf("d3kf0%x", r.IntN(1<<16)), SynchronizerID: text(), Key: text(), Alias: text()}
			for range r.IntN(6) {
				items[i].Hashes = append(items[i].Hashes, text())
			}
		}
		packed, got, err := importing.PackedAndUnpacked(items)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(items, got); diff != "" {
			t.Fatalf("%d items (-written +read):\n%s", len(items), diff)
		}
		for range 20 { // which must not panic
			if n := len(packed); n > 0 {
				packed[r.IntN(n)] ^= byte(1 + r.IntN(255))
				importing.Unpack(packed[:r.IntN(n)])
			}
		}
	}
}
