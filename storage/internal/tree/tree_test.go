package tree_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/internal/tree"
)

// pair is a tree with what it is to hold.
type pair struct {
	tree  *tree.Map
	model map[string]string
}

// scanned is what a tree yields of keys with a prefix behind one, the first few of them.
func scanned(m *tree.Map, prefix, after string, few int) (all []string) {
	m.Scan(prefix, after, func(key string, value []byte) bool {
		all = append(all, key+"="+string(value))
		return len(all) < few
	})
	return all
}

func (p *pair) scanned(prefix, after string, few int) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(p.model)) {
		if strings.HasPrefix(key, prefix) && key > after && len(all) < few {
			all = append(all, key+"="+p.model[key])
		}
	}
	return all
}

// check compares all that a tree holds, and some of its scans.
func (p *pair) check(t *testing.T, keys []string, rnd *rand.Rand) {
	t.Helper()
	if got := p.tree.Len(); got != len(p.model) {
		t.Fatalf("the tree has %d keys, want %d", got, len(p.model))
	}
	if diff := cmp.Diff(p.scanned("", "", len(keys)), scanned(p.tree, "", "", len(keys)+1)); diff != "" {
		t.Fatalf("a scan of all (-want +got):\n%s", diff)
	}
	for range 20 {
		prefix, after, few := "", "", 1+rnd.IntN(100)
		if rnd.IntN(4) > 0 {
			key := keys[rnd.IntN(len(keys))]
			prefix = key[:rnd.IntN(len(key)+1)]
		}
		if rnd.IntN(2) > 0 {
			after = keys[rnd.IntN(len(keys))]
		}
		if diff := cmp.Diff(p.scanned(prefix, after, few), scanned(p.tree, prefix, after, few)); diff != "" {
			t.Fatalf("a scan of %q behind %q (-want +got):\n%s", prefix, after, diff)
		}
		var first []string
		if key, value, ok := p.tree.First(prefix, after); ok {
			first = append(first, key+"="+string(value))
		}
		if diff := cmp.Diff(p.scanned(prefix, after, 1), first); diff != "" {
			t.Fatalf("the first of %q behind %q (-want +got):\n%s", prefix, after, diff)
		}
	}
}

// keysLike are keys of different sorts.
var keysLike = map[string]func(i int, rnd *rand.Rand) string{
	"in order":         func(i int, _ *rand.Rand) string { return fmt.Sprintf("scope/tasks/r/%06d", i) },
	"in order of runs": func(i int, _ *rand.Rand) string { return fmt.Sprintf("scope/%c/%06d", 'a'+i%7, i/7) },
	"backwards":        func(i int, _ *rand.Rand) string { return fmt.Sprintf("scope/tasks/r/%06d", 999_999-i) },
	"of scattered ids": func(_ int, rnd *rand.Rand) string { return fmt.Sprintf("scope/tasks/r/%x", rnd.Uint64()) },
	"of indexes": func(_ int, rnd *rand.Rand) string {
		return fmt.Sprintf("scope/i/parent/%d/%x", rnd.IntN(30), rnd.Uint64())
	},
	"prefixes of other": func(_ int, rnd *rand.Rand) string {
		return strings.Repeat("ab", 1+rnd.IntN(400)) + "\x00\xff"[:rnd.IntN(3)]
	},
	"any bytes": func(_ int, rnd *rand.Rand) string {
		b := make([]byte, 1+rnd.IntN(4))
		for i := range b {
			b[i] = []byte{0, 1, 'a', 0xfe, 0xff}[rnd.IntN(5)]
		}
		return string(b)
	},
	"as long as can be": func(i int, rnd *rand.Rand) string {
		return fmt.Sprintf("%c%s%06d", 'a'+rnd.IntN(2), strings.Repeat("k", storage.MaxKeyBytes-7-rnd.IntN(3)), i)
	},
}

func TestTreeHoldsWhatAMapHolds(t *testing.T) {
	t.Parallel()
	steps := testsize.Of(3000, 1500)
	for name, next := range keysLike {
		for seed := range testsize.Of[uint64](4, 1) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(seed, 1))
				all := []*pair{{new(tree.Map), map[string]string{}}}
				var keys []string
				for i := range steps {
					p := all[rnd.IntN(len(all))]
					key := next(i, rnd)
					if i > 0 && rnd.IntN(5) == 0 {
						key = keys[rnd.IntN(len(keys))]
					}
					keys = append(keys, key)
					p.set(t, key, fmt.Sprint(i))
					if i > steps/3 && rnd.IntN(3) > 0 || rnd.IntN(10) == 0 { // shrinking in the end
						for range rnd.IntN(4) {
							p.delete(t, keys[rnd.IntN(len(keys))])
						}
					}
					if rnd.IntN(steps/8) == 0 {
						all = append(all, &pair{p.tree.Copy(), maps.Clone(p.model)})
					}
					if i%250 == 0 {
						for _, p := range all {
							p.check(t, keys, rnd)
						}
					}
				}
				for _, p := range all {
					p.check(t, keys, rnd)
					for _, key := range keys {
						p.delete(t, key)
					}
					p.check(t, keys, rnd)
				}
			})
		}
	}
}

// had compares what a tree says was there before.
func (p *pair) had(t *testing.T, key string, before []byte, had bool) {
	t.Helper()
	if want, ok := p.model[key]; had != ok || string(before) != want {
		t.Fatalf("%q was %q, %v; want %q, %v", key, before, had, want, ok)
	}
}

func (p *pair) set(t *testing.T, key, value string) {
	t.Helper()
	before, had := p.tree.Set(key, []byte(value))
	p.had(t, key, before, had)
	p.model[key] = value
	if got, ok := p.tree.Get(key); !ok || string(got) != value {
		t.Fatalf("%q is %q, %v; want %q", key, got, ok, value)
	}
}

func (p *pair) delete(t *testing.T, key string) {
	t.Helper()
	before, had := p.tree.Delete(key)
	p.had(t, key, before, had)
	delete(p.model, key)
	if got, ok := p.tree.Get(key); ok {
		t.Fatalf("%q is %q", key, got)
	}
}
