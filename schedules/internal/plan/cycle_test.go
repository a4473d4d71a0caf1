package plan_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// add adds links to a plan as a batch does, and returns the conflict. visits is how many
// tasks are visited for links one by one.
func (g *graph) add(batch []plan.Link, visits int) error {
	d := plan.NewCycleDetector(g).Visiting(visits)
	for i, l := range batch {
		if err := d.Add(l, i); err != nil {
			return err
		}
		g.links = append(g.links, l)
	}
	return d.Finish()
}

func TestCycleDetection(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		there, batch string
		want         []string
		index        int
	}{
		"a chain is none":                           {"a>b b>c", "c>d", nil, 0},
		"a second way is none":                      {"a>b b>c", "a>c", nil, 0},
		"a link back is one":                        {"a>b", "x>y b>a", []string{"b", "a", "b"}, 1},
		"a link back over three is one":             {"a>b b>c", "c>a", []string{"c", "a", "b", "c"}, 0},
		"a link to itself is one":                   {"", "a>a", []string{"a", "a"}, 0},
		"links of one batch are looked at together": {"", "a>b b>c c>a", []string{"c", "a", "b", "c"}, 2},
		"tasks before and behind do not belong":     {"x>a a>b b>y", "b>a", []string{"b", "a", "b"}, 0},
	}
	for name, test := range tests {
		for _, visits := range []int{10_000, 2, 0} {
			t.Run(fmt.Sprintf("%s, %d one by one", name, visits), func(t *testing.T) {
				t.Parallel()
				g := &graph{links: links(test.there)}
				tasks, index := cycleOf(t, g.add(links(test.batch), visits))
				if diff := cmp.Diff(test.want, tasks); diff != "" || index != test.index {
					t.Errorf("closed at %d, want %d, by (-want +got):\n%s", index, test.index, diff)
				}
			})
		}
	}
}

func TestLinkThatMovesTakesItsOwnPlace(t *testing.T) {
	t.Parallel()
	g := &graph{links: links("a>b b>c")}
	moved := g.links[0]
	moved.Predecessor, moved.Successor = "c", "a" // where a>b is gone
	if err := plan.NewCycleDetector(g).Add(moved, 0); err != nil {
		t.Errorf("got %v, want no conflict", err)
	}
}

func TestUnreadableLinksEndTheDetection(t *testing.T) {
	t.Parallel()
	for _, visits := range []int{10_000, 0} {
		g := &graph{links: links("a>b b>c"), fails: "b"}
		if err := g.add(links("c>a"), visits); !errors.Is(err, errUnreadable) {
			t.Errorf("got %v, want that the links of b are unreadable", err)
		}
	}
}

// However many tasks are visited for links one by one, a batch closes a cycle
// exactly where a plain search finds one, and what is named is a cycle of links
// that goes through the one at the index.
func TestDetectionAgreesWithPlainSearch(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		size := 3 + r.IntN(12)
		g := &graph{links: acyclic(r, size, r.IntN(2*size))}
		batch := make([]plan.Link, 1+r.IntN(4))
		for i := range batch {
			batch[i] = plan.Link{ID: fmt.Sprint("new", i), Predecessor: fmt.Sprint(r.IntN(size)), Successor: fmt.Sprint(r.IntN(size))}
		}
		all := slices.Concat(g.links, batch)
		err := g.add(batch, r.IntN(8))
		if want := cyclic(all); isCycle(err) != want || err != nil && !want {
			t.Fatalf("seed %d: got %v, a plain search finds a cycle: %v, in %v", seed, err, want, all)
		}
		if tasks, index := cycleOf(t, err); tasks != nil {
			closes(t, all, tasks, batch[index])
		}
	}
}

// acyclic are links from lower numbers to higher ones, under names that do not
// show it.
func acyclic(r *rand.Rand, size, n int) (all []plan.Link) {
	names := r.Perm(size)
	for i := range n {
		from, to := r.IntN(size), r.IntN(size)
		if from != to {
			all = append(all, plan.Link{ID: fmt.Sprint(i), Predecessor: fmt.Sprint(names[min(from, to)]), Successor: fmt.Sprint(names[max(from, to)])})
		}
	}
	return all
}

// cyclic takes away the tasks without predecessors, again and again: what is left
// is in cycles or behind them.
func cyclic(all []plan.Link) bool {
	for {
		held := make(map[string]bool)
		for _, l := range all {
			held[l.Successor] = true
		}
		left := slices.DeleteFunc(slices.Clone(all), func(l plan.Link) bool { return !held[l.Predecessor] })
		if len(left) == len(all) {
			return len(all) > 0
		}
		all = left
	}
}

// closes checks that the tasks are a cycle of links, through the given one.
func closes(t *testing.T, all []plan.Link, tasks []string, closing plan.Link) {
	t.Helper()
	through := false
	for i := range len(tasks) - 1 {
		through = through || tasks[i] == closing.Predecessor && tasks[i+1] == closing.Successor
		if !slices.ContainsFunc(all, func(l plan.Link) bool { return l.Predecessor == tasks[i] && l.Successor == tasks[i+1] }) {
			t.Errorf("no link leads from %s to %s in the cycle %v of %v", tasks[i], tasks[i+1], tasks, all)
		}
	}
	if !through || tasks[0] != tasks[len(tasks)-1] {
		t.Errorf("%v is no cycle through %v", tasks, closing)
	}
}
