package plan_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

func TestAncestorsAndSubtree(t *testing.T) {
	t.Parallel()
	g := below("root node<root leaf<node twig<leaf other<root apart")
	for id, want := range map[string]struct{ above, below string }{
		"root":  {"", "leaf node other root twig"},
		"node":  {"root", "leaf node twig"},
		"twig":  {"leaf node root", "twig"},
		"other": {"root", "other"},
		"apart": {"", "apart"},
	} {
		above, err := plan.Ancestors(g, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(above)), " "); got != want.above {
			t.Errorf("above %s are %q, want %q", id, got, want.above)
		}
		if got := strings.Join(slices.Sorted(plan.Subtree(g, id)), " "); got != want.below {
			t.Errorf("below %s are %q, want %q", id, got, want.below)
		}
	}
}

func TestTaskAboveItselfIsACycle(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]*graph{
		"right above":         below("a<a"),
		"two above":           below("a<b b<a"),
		"in a cycle above it": below("a<b b<c c<b"),
	} {
		if _, err := plan.Ancestors(g, "a"); !isCycle(err) {
			t.Errorf("%s: got %v, want a cycle", name, err)
		}
	}
}

func TestUnreadableParentEndsTheAncestors(t *testing.T) {
	t.Parallel()
	g := below("leaf<node node<root")
	g.fails = "node"
	if _, err := plan.Ancestors(g, "leaf"); !errors.Is(err, errUnreadable) {
		t.Errorf("got %v, want that the node is unreadable", err)
	}
}

func TestLinkInto(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ links, want string }{
		"from the task to one above is found":     {"node>top", "node>top"},
		"from above to a task far below is found": {"a>b above>twig", "above>twig"},
		"within the subtree is none":              {"node>twig leaf>twig", ""},
		"to a task elsewhere is none":             {"node>a a>top", ""},
		"no links are none":                       {"", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := below("node leaf<node twig<leaf")
			g.links = links(test.links)
			got, err := plan.LinkInto(g, g, "node", map[string]bool{"top": true, "above": true})
			if got != test.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
	g := below("node leaf<node")
	g.fails = "leaf"
	if _, err := plan.LinkInto(g, g, "node", nil); !errors.Is(err, errUnreadable) {
		t.Errorf("got %v, want that the leaf is unreadable", err)
	}
}

func isCycle(err error) bool {
	_, ok := errors.AsType[*plan.CycleError](err)
	return ok
}

// nodes are a batch from words such as "leaf<node".
func nodes(words string) (batch []plan.Node) {
	for word := range strings.FieldsSeq(words) {
		id, parent, _ := strings.Cut(word, "<")
		batch = append(batch, plan.Node{ID: id, Parent: parent})
	}
	return batch
}

func TestBatchOrder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		batch string
		want  []int
		err   error
	}{
		"without parents stays as it is":               {"a b c", []int{0, 1, 2}, nil},
		"a parent outside the batch is no concern":     {"a<x b<x", []int{0, 1}, nil},
		"parents come right before their children":     {"c<b x b<a a", []int{3, 2, 0, 1}, nil},
		"children of one parent keep their order":      {"b<a c<a a", []int{2, 0, 1}, nil},
		"an id that is there twice is a duplicate":     {"a b a", nil, &plan.DuplicateError{ID: "a"}},
		"a record above itself is a cycle":             {"b a<a", nil, &plan.CycleError{Tasks: []string{"a", "a"}, Index: 1}},
		"a cycle is named without the way that led in": {"a<b b<c c<b", nil, &plan.CycleError{Tasks: []string{"b", "c", "b"}, Index: 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := plan.BatchOrder(nodes(test.batch))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.err, err); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever forest a batch is, its order holds every record once and each after
// its parent.
func TestBatchOrderPutsParentsBeforeChildren(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		batch := make([]plan.Node, 1+r.IntN(50))
		for i := range batch {
			batch[i].ID = fmt.Sprint(i)
			if n := r.IntN(i + 1); n < i {
				batch[i].Parent = fmt.Sprint(n)
			}
		}
		r.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
		order, err := plan.BatchOrder(batch)
		if err != nil {
			t.Fatal(err)
		}
		made := map[string]bool{"": true}
		for _, i := range order {
			if !made[batch[i].Parent] || made[batch[i].ID] {
				t.Fatalf("seed %d: the order %v of %v makes %s too soon, or twice", seed, order, batch, batch[i].ID)
			}
			made[batch[i].ID] = true
		}
		if len(order) != len(batch) {
			t.Fatalf("seed %d: the order %v has %d of %d records", seed, order, len(order), len(batch))
		}
	}
}
