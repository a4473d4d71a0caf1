package twins_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Whatever is made, moved, granted and taken: a list holds exactly those twins
// that the caller may read, and a caller may read exactly those twins at which,
// or above which, it is a member as one of its account.
func TestListsAgreeWithRights(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](6, 1) {
		t.Run(fmt.Sprint("history ", seed), func(t *testing.T) {
			t.Parallel()
			h := &history{world: newWorld(t, twins.Config{}), rnd: rand.New(rand.NewPCG(seed, 1)), members: make(map[string]map[string]string), ofAccount: make(map[string]string)}
			for range 150 {
				h.step(t)
				h.check(t)
			}
		})
	}
}

var historyPeople = []twinplatform.Principal{user("a", acme), user("b", acme), user("c", other), user("admin", acme, "Account Administrator")}

type history struct {
	*world
	rnd     *rand.Rand
	ids     []string
	members map[string]map[string]string // roles, by twin and member
	made    int
	// ofAccount are the accounts of members.
	ofAccount map[string]string
}

func (h *history) any() string { return h.ids[h.rnd.IntN(len(h.ids))] }

func (h *history) step(t *testing.T) {
	p := historyPeople[h.rnd.IntN(3)]
	who := p.ID
	switch n := h.rnd.IntN(10); {
	case len(h.ids) < 3 || n < 3:
		h.made++
		twin := twins.NewTwin{Class: twins.Thing, DisplayName: fmt.Sprint(h.made), AccountID: acme}
		if h.rnd.IntN(4) == 0 {
			twin.Status = twins.Inactive
		}
		if len(h.ids) > 0 && h.rnd.IntN(3) > 0 {
			twin.ParentID = h.any()
		} else if h.rnd.IntN(4) == 0 {
			twin.AccountID = other
		}
		h.ids = append(h.ids, h.twin(t, t.Context(), twin).ID)
	case n < 6:
		at := h.any()
		if h.members[at][who] != "" {
			return
		}
		role, err := h.CreateRole(t.Context(), at, twins.NewRole{DisplayName: fmt.Sprint("role ", h.made, h.rnd.Uint64()), Permissions: []string{"schedules_read"}})
		if err != nil {
			t.Fatal(err)
		}
		n := twins.NewMember{ID: who, RoleIDs: []string{role.Value().ID}}
		if h.rnd.IntN(3) > 0 {
			n.AccountID = p.AccountID
		}
		res, err := h.CreateMember(t.Context(), at, n)
		if err != nil {
			t.Fatal(err)
		}
		h.ofAccount[at+who] = res.Value().AccountID
		if h.members[at] == nil {
			h.members[at] = make(map[string]string)
		}
		h.members[at][who] = role.Value().ID
	case n < 7:
		at := h.any()
		if h.members[at][who] == "" {
			return
		}
		if err := h.DeleteMember(t.Context(), at, who); err != nil {
			t.Fatal(err)
		}
		delete(h.members[at], who)
	case n < 9: // refused where it would make a circle or leave the account
		_, _ = h.UpdateTwin(t.Context(), h.any(), twins.TwinPatch{ParentID: twinplatform.Set(h.any())})
	default:
		id := h.any()
		if h.DeleteTwin(t.Context(), id) == nil {
			h.ids = slices.DeleteFunc(h.ids, func(other string) bool { return other == id })
			delete(h.members, id)
		}
	}
}

func (h *history) check(t *testing.T) {
	t.Helper()
	parents := make(map[string]twins.Twin)
	for twin, err := range h.all(t, twinplatform.Principal{}) {
		if err != nil {
			t.Fatal(err)
		}
		parents[twin.ID] = twin
	}
	for _, p := range historyPeople {
		var want, got []string
		for id, twin := range parents {
			reads := twinplatform.Env{}.Administers(p, string(twin.TwinAccountID)) || twinplatform.Env{}.Administers(p, id)
			for at := id; at != "" && !reads; at = string(parents[at].ParentID) {
				reads = h.members[at][p.ID] != "" && h.ofAccount[at+p.ID] == p.AccountID
			}
			if reads {
				want = append(want, id)
			}
			h.wantAllowed(t, reads, p, twins.PermissionRead, id)
		}
		for twin, err := range h.all(t, p) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, twin.ID)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("list of %s (-want +got):\n%s", p.ID, diff)
		}
	}
}

// all yields every twin that a principal sees; the system without one.
func (h *history) all(t *testing.T, p twinplatform.Principal) func(func(twins.Twin, error) bool) {
	ctx := t.Context()
	if p.ID != "" {
		ctx = as(t, p)
	}
	return twinplatform.All(ctx, h.Twins, twins.TwinQuery{ListOptions: twinplatform.ListOptions{Top: 7}, IncludeInactive: true})
}
