package plan_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

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
