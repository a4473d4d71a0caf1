package filter_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/transform/internal/filter"
)

// target is a tree that refuses what a model refuses: elements below ones that are not
// there, elements above themselves, and deletions of what others are below.
type target map[string][]string

func (t target) Above(id string) (above []string, has bool, err error) {
	above, has = t[id]
	return above, has, nil
}

func (t target) Needed(id string) (bool, error) {
	for _, above := range t {
		if slices.Contains(above, id) {
			return true, nil
		}
	}
	return false, nil
}

func (t target) Clear(string) error { return nil }

func (t target) Delete(id string) error {
	if needed, _ := t.Needed(id); needed {
		return fmt.Errorf("other elements are below %q", id)
	}
	delete(t, id)
	return nil
}

func (t target) below(id, top string) bool {
	return id == top || slices.ContainsFunc(t[id], func(up string) bool { return t.below(up, top) })
}

// syncing is a target that follows a source.
type syncing struct {
	target
	source map[string]*filter.Node
}

func (s syncing) Put(id string, _ bool) error {
	above := s.source[id].Above
	for _, up := range above {
		if _, has := s.target[up]; !has {
			return fmt.Errorf("%q is below %q, which is not there", id, up)
		}
		if s.below(up, id) {
			return fmt.Errorf("%q is above itself", id)
		}
	}
	s.target[id] = above
	return nil
}

// follow syncs elements, and what is to be synced again, until nothing is.
func (s syncing) follow(t *testing.T, ids []string) {
	t.Helper()
	for left := 10_000; len(ids) > 0; left-- {
		again, err := filter.Sync(s, s.source, ids[0])
		if err != nil || left == 0 {
			t.Fatalf("syncing %q: %v, with %d to go", ids[0], err, len(ids))
		}
		ids = append(ids[1:], again...)
	}
}

// nodes are those of a source.
type nodes = map[string]*filter.Node

func TestHierarchyIsTurnedUpsideDownInAnyOrder(t *testing.T) {
	t.Parallel()
	node := func(above ...string) *filter.Node { return &filter.Node{Visible: true, Above: above} }
	for name, c := range map[string]struct {
		before target
		after  nodes
	}{
		"two": {
			target{"a": nil, "b": {"a"}},
			nodes{"b": node(), "a": node("b")},
		},
		"a chain": {
			target{"a": nil, "b": {"a"}, "c": {"b"}},
			nodes{"c": node(), "b": node("c"), "a": node("b")},
		},
		"with one that stays": {
			target{"a": nil, "b": {"a"}, "c": {"b"}},
			nodes{"b": node(), "c": node("b"), "a": node("c")},
		},
		"with one that is new": {
			target{"a": nil, "b": {"a"}},
			nodes{"b": node(), "n": node("b"), "a": node("n")},
		},
		"by parent and by scope": {
			target{"a": nil, "b": {"a", "s"}, "s": {"a"}},
			nodes{"s": node(), "b": node("s"), "a": node("b", "s")},
		},
		"with one that goes away": {
			target{"a": {"x"}, "b": {"a"}, "x": nil},
			nodes{"b": node(), "a": node("b")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ids := slices.Sorted(maps.Keys(c.before))
			for id := range c.after {
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
			want := make(target)
			for id, n := range c.after {
				want[id] = n.Above
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 50 {
				r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
				s := syncing{maps.Clone(c.before), c.after}
				s.follow(t, slices.Clone(ids))
				if diff := cmp.Diff(want, s.target); diff != "" {
					t.Fatalf("synced in the order %q (-want +got):\n%s", ids, diff)
				}
			}
		})
	}
}

// Whatever a hierarchy was and is, the target follows, in whichever order elements are synced.
func TestTargetFollowsEveryHierarchy(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := syncing{target: make(target)}
		for range 6 {
			s.source = make(map[string]*filter.Node)
			names := []string{"a", "b", "c", "d", "e", "f", "g"}
			r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			want := make(target)
			for i, id := range names[:2+r.IntN(6)] {
				n := &filter.Node{Visible: true}
				for range min(i, r.IntN(3)) {
					if up := names[r.IntN(i)]; !slices.Contains(n.Above, up) {
						n.Above = append(n.Above, up)
					}
				}
				s.source[id], want[id] = n, n.Above
			}
			r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			s.follow(t, slices.Clone(names))
			if diff := cmp.Diff(want, s.target); diff != "" {
				t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
			}
		}
	}
}
