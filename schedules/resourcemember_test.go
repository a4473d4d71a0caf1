package schedules_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// follower is a copy of a group's resources that is kept by pages and deltas
// alone.
type follower struct {
	group string
	have  map[string]schedules.Resource
	next  string // within a listing
	delta string
}

// step fetches one page and reports whether the copy is complete with it. While
// there is no such group, there is nothing to fetch.
func (f *follower) step(p *plan, size int) (complete bool) {
	p.Helper()
	o := twinplatform.ListOptions{Top: size}
	switch {
	case f.next != "":
		o.Continuation = f.next
	case f.delta != "":
		o.Delta = f.delta
	default:
		f.have = make(map[string]schedules.Resource)
	}
	page, err := p.in().GroupResources(p.ctx, f.group, schedules.ResourceQuery{ListOptions: o})
	if errors.Is(err, twinplatform.NotFound) {
		return true
	}
	if err != nil {
		p.Fatal(err)
	}
	if page.Next != "" && page.Len() != size {
		p.Fatalf("a page that is not the last has %d of %d", page.Len(), size)
	}
	for r, err := range page.OnPage() {
		if err != nil {
			p.Fatal(err)
		}
		if r.Deleted {
			delete(f.have, r.ID)
		} else {
			f.have[r.ID] = r
		}
	}
	if f.next = page.Next; f.next == "" {
		f.delta = page.Delta
	}
	return f.next == ""
}

// staff changes resources and groups at random and knows what comes of it.
type staff struct {
	*plan
	rnd       *rand.Rand
	resources map[string]schedules.Resource
	groups    map[string]map[string]bool
}

func (s *staff) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *staff) change() {
	s.Helper()
	id, group := fmt.Sprint("r", s.rnd.IntN(12)), fmt.Sprint("g", s.rnd.IntN(3))
	_, exists := s.resources[id]
	members, there := s.groups[group]
	switch roll := s.rnd.IntN(20); {
	case !exists:
		s.resources[id] = s.resource(schedules.NewResource{ID: id, Name: fmt.Sprint(s.rnd.IntN(4)), Type: schedules.EquipmentResource})
	case !there:
		s.group(schedules.NewResourceGroup{ID: group, PlannerResourceID: id})
		s.groups[group] = make(map[string]bool)
	case roll < 8 && !members[id]:
		s.join(group, id)
		members[id] = true
	case roll < 8:
		s.leave(group, id)
		delete(members, id)
	case roll < 17:
		s.resources[id] = s.patchResource(id, schedules.ResourcePatch{Name: twinplatform.Set(fmt.Sprint(s.rnd.IntN(4)))})
	case roll < 19:
		s.deleteResources(id)
		delete(s.resources, id)
		for _, members := range s.groups {
			delete(members, id)
		}
	default:
		_, err := s.in().DeleteResourceGroups(s.ctx, []string{group})
		s.must(err)
		delete(s.groups, group)
	}
}

// Whatever happens to resources, groups and memberships between any two calls, a
// copy that only pages and follows deltas equals the truth.
//
// covers: Rules of resources: rule deleted marks a deleted record
func TestCopyOfAGroupsResourcesEqualsTheTruth(t *testing.T) {
	t.Parallel()
	histories := 60
	if testing.Short() {
		histories = 10
	}
	onEachEngine(t, func(p *plan) {
		for seed := range histories {
			p.id = fmt.Sprint("history-", seed)
			p.schedule(schedules.NewSchedule{ID: p.id, Name: p.id, TwinID: "twin"})
			s := &staff{plan: p, rnd: rand.New(rand.NewPCG(uint64(seed), 17)), resources: make(map[string]schedules.Resource), groups: make(map[string]map[string]bool)}
			followers := []*follower{{group: "g0"}, {group: "g1"}, {group: "g2"}}
			for range 10 + s.rnd.IntN(60) {
				for range s.rnd.IntN(6) {
					s.change()
				}
				for _, f := range followers {
					if s.rnd.IntN(2) == 0 {
						f.step(p, 1+s.rnd.IntN(4))
					}
				}
			}
			for _, f := range followers {
				members, there := s.groups[f.group]
				if !there {
					continue
				}
				// The first completion may be that of a listing under way.
				for completions := 0; completions < 2; {
					if f.step(p, 1+s.rnd.IntN(4)) {
						completions++
					}
				}
				want := make(map[string]schedules.Resource)
				for id := range members {
					want[id] = s.resources[id]
				}
				if diff := cmp.Diff(want, f.have); diff != "" {
					p.Fatalf("history %d, copy of %s (-truth +copy):\n%s", seed, f.group, diff)
				}
			}
		}
	})
}
