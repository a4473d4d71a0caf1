package platform_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Permissions are closed under every operation. Whatever random people make, move, grant,
// invite, share, secure and revoke, in whatever order: after each step no one can do more
// than before, unless the caller of the step held that and was allowed to grant it, and no
// one has lost what that caller could not have revoked. What someone can do is
// not computed, but asked for: the authorizer at every twin, and each form, definition
// and webhook by trying.
func TestPermissionsAreClosedUnderEveryOperation(t *testing.T) {
	t.Parallel()
	histories := uint64(600)
	if testing.Short() || testsize.Raced {
		histories /= 30
	}
	engines := map[string]func(testing.TB) storage.Store{
		"memory": storetest.New,
		"buntdb": func(t testing.TB) storage.Store {
			store, err := buntdb.Open(filepath.Join(t.TempDir(), "db"), buntdb.Options{Durability: buntdb.SyncNever, ReserveBytes: -1})
			if err != nil {
				t.Fatal(err)
			}
			return store
		},
	}
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			taken := make(map[string]int)
			for seed := range histories {
				steps := randomSteps(rand.New(rand.NewPCG(seed, uint64(engine[0]))))
				if _, found := live(t, open(t), steps, taken); found == "" {
					continue
				}
				steps = shortest(t, steps)
				lines, found := live(t, memory.New(), steps, nil)
				t.Fatalf("history %d, cut to what it takes:\n%s\n%s", seed, strings.Join(lines, "\n"), found)
			}
			for name := range closureSteps {
				if taken[name] == 0 && histories == 600 {
					t.Errorf("no history got as far as to %s", name)
				}
			}
		})
	}
}

// closureStep is one step of a history. Its numbers say what it is about, whatever
// there is by then, so that a history with steps left out is a history again.
type closureStep struct {
	op         string
	actor      int // the system where it is the number of people
	a, b, c, d int
}

// How many steps a history has: what the system lays out, and what people do.
const (
	layoutSteps = 14
	peopleSteps = 24
)

func randomSteps(rnd *rand.Rand) (steps []closureStep) {
	names := slices.Sorted(func(yield func(string) bool) {
		for name, s := range closureSteps {
			for range s.weight {
				if !yield(name) {
					return
				}
			}
		}
	})
	layout := []string{
		"grant", "grant", "grant", "grant", "create a definition", "create a form", "invite", "invite", "make a member of a model", "make a member of a model",
		"create a group", "give a group a role", "give a group a role",
	}
	pick := func(op string, actor int) closureStep {
		return closureStep{op, actor, rnd.IntN(1 << 16), rnd.IntN(1 << 16), rnd.IntN(1 << 16), rnd.IntN(1 << 16)}
	}
	for range layoutSteps {
		steps = append(steps, pick(layout[rnd.IntN(len(layout))], people))
	}
	if rnd.IntN(2) == 0 {
		steps = append(steps, comeback(rnd, pick)...)
	}
	for range peopleSteps {
		steps = append(steps, pick(names[rnd.IntN(len(names))], rnd.IntN(people)))
	}
	return steps
}

// comeback is what takes too long for chance alone: someone becomes a member of a twin,
// there is an invitation by it or to it, an administrator removes it, and the invitation
// is accepted, with a chance that any of these is about something else.
func comeback(rnd *rand.Rand, pick func(op string, actor int) closureStep) []closureStep {
	const twin, administrator = 6, 3
	who, friend := rnd.IntN(administrator), rnd.IntN(people)
	grant, invite := pick("grant", people), pick("invite", people)
	remove, accept := pick("remove a member", administrator), pick("accept an invitation", who)
	grant.a, grant.b, grant.c = twin, who, 5*rnd.IntN(2)
	invite.a, invite.c, invite.d = twin, who, 1
	remove.a, remove.b = twin, who
	if rnd.IntN(2) == 0 {
		grant.c, invite.actor, invite.b, invite.c, accept.actor = 0, who, 0, friend, friend
	}
	steps := []closureStep{grant, invite, remove, accept}
	if rnd.IntN(3) == 0 { // to a twin below that one
		below := pick("create a twin", people)
		below.a, invite.a = twin, 7
		steps = []closureStep{below, grant, invite, remove, accept}
	}
	return steps
}

// live runs a history in its own world and returns what happened in it and what was wrong
// with the last step.
func live(t *testing.T, store storage.Store, steps []closureStep, taken map[string]int) (lines []string, found string) {
	t.Helper()
	w := newClosureWorld(t, store)
	defer w.close(t)
	var before *measured // nil after what the system does, to whom nothing is refused
	var out putOut
	for _, s := range steps {
		if before == nil && s.actor < people {
			before = w.measure(t)
			if found := before.inconsistent(); found != "" {
				return lines, found
			}
		}
		what, err := closureSteps[s.op].take(w, w.caller(s.actor), s)
		if err != nil {
			w.mustBeRefusal(t, s, err)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s", personName(s.actor), what))
		if s.actor == people {
			before, out = nil, putOut{}
			continue
		}
		if taken != nil {
			taken[s.op]++
		}
		after := w.measure(t)
		if found = w.unexplained(s, before, after); found == "" {
			found = after.inconsistent()
		}
		if found == "" {
			found = out.after(w, s, before, after)
		}
		if found != "" {
			return lines, found
		}
		before = after
	}
	return lines, ""
}

// shortest leaves out of a history, one after the other, whatever its end does not
// depend on.
func shortest(t *testing.T, steps []closureStep) []closureStep {
	t.Helper()
	for cut := true; cut; {
		cut = false
		for i := range slices.Backward(steps) {
			fewer := slices.Delete(slices.Clone(steps), i, i+1)
			if _, found := live(t, memory.New(), fewer, nil); found != "" {
				steps, cut = fewer, true
			}
		}
	}
	return steps
}
