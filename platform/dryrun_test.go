package platform_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A dry run over a network reads as much as is wanted in a journey, and one more where it has deleted some of that.
func TestDryRunReadsThePageThatIsWanted(t *testing.T) {
	t.Parallel()
	key := func(i int) string { return fmt.Sprintf("list/%04d", i) }
	for name, c := range map[string]struct {
		deletes, adds []int
		limit, most   int // journeys
	}{
		"few":                        {nil, nil, 3, 1},
		"more than a scan begins by": {nil, nil, 500, 1},
		"all":                        {nil, nil, 5_000, 2},
		"some of which are deleted":  {[]int{0, 7, 450, 499}, nil, 500, 2},
		"some of which are added":    {nil, []int{1_001, 5_001}, 800, 1},
		"all that is deleted":        {[]int{0, 1, 2, 3}, []int{1}, 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			far := distant.Over(memory.New())
			want := make(map[string]bool)
			put := func(w storage.Writer, numbers []int) (err error) {
				for _, i := range numbers {
					err = errors.Join(err, w.Put(key(i), []byte("value")))
					want[key(i)] = true
				}
				return err
			}
			var even []int
			for i := range 500 {
				even = append(even, 2*i)
			}
			if err := far.Update(t.Context(), func(w storage.Writer) error { return put(w, even) }); err != nil {
				t.Fatal(err)
			}
			s := platform.DryRunOver(far)
			if err := s.Update(t.Context(), func(w storage.Writer) (err error) {
				for _, i := range c.deletes {
					err = errors.Join(err, w.Delete(key(i)))
					delete(want, key(i))
				}
				return errors.Join(err, put(w, c.adds))
			}); err != nil {
				t.Fatal(err)
			}
			all := make([]string, 0, len(want))
			for k := range want {
				all = append(all, k)
			}
			slices.Sort(all)
			var got []string
			far.Journeys()
			if err := s.View(t.Context(), func(r storage.Reader) error {
				for k := range storage.ScanLimit(r, "list/", "", c.limit) {
					got = append(got, k)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(all[:min(len(all), c.limit)], got); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
			if n := far.Journeys(); n > c.most {
				t.Errorf("took %d journeys, want %d at most", n, c.most)
			}
		})
	}
}
