package importing_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
)

func TestCyclesOfLinksAreFound(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		links [][2]string
		want  []string
	}{
		"no links":                 {nil, nil},
		"a chain":                  {[][2]string{{"a", "b"}, {"b", "c"}}, nil},
		"two ways to one task":     {[][2]string{{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}}, nil},
		"a task that is not there": {[][2]string{{"a", "x"}, {"x", "a"}}, nil},
		"a task behind itself":     {[][2]string{{"b", "b"}}, []string{"b", "b"}},
		"a cycle behind a chain":   {[][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "b"}}, []string{"b", "c", "d", "b"}},
	} {
		g := importing.NewGraph([]string{"a", "b", "c", "d"})
		for _, l := range test.links {
			g.Join(l[0], l[1])
		}
		if diff := cmp.Diff(test.want, g.Cycle()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A graph whose links all lead from a smaller number to a larger one has no cycle, and one link
// back that closes one is in the cycle that is found.
func TestCycleIsFoundOnlyWhereALinkClosesOne(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		ids := make([]string, 2+r.IntN(30))
		for i := range ids {
			ids[i] = fmt.Sprintf("t%02d", i)
		}
		g := importing.NewGraph(ids)
		for i := range len(ids) - 1 {
			g.Join(ids[i], ids[i+1])
			if far := i + 1 + r.IntN(len(ids)-i-1); r.IntN(2) == 0 {
				g.Join(ids[i], ids[far])
			}
		}
		if cycle := g.Cycle(); cycle != nil {
			t.Fatalf("seed %d: a graph without cycles has %v", seed, cycle)
		}
		from := 1 + r.IntN(len(ids)-1)
		to := r.IntN(from)
		g.Join(ids[from], ids[to])
		cycle := g.Cycle()
		closed := false
		for i := range len(cycle) - 1 {
			closed = closed || cycle[i] == ids[from] && cycle[i+1] == ids[to]
		}
		if !closed || cycle[0] != cycle[len(cycle)-1] {
			t.Errorf("seed %d: the link from %s to %s closes a cycle, got %v", seed, ids[from], ids[to], cycle)
		}
	}
}
