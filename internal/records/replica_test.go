package records_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// replica is a copy that is kept by pages and deltas alone.
type replica struct {
	query records.Query[part]
	keeps func(part) bool // what the list it copies holds
	have  map[string]part
	delta string
	next  string // within a listing
	again int    // how often it had to list again
}

// step fetches one page and reports whether the copy is complete with it. When
// it has to list again, it does.
func (r *replica) step(t *testing.T, s *shelf, size int) (complete bool) {
	t.Helper()
	page, err := s.list(r.ask(size))
	if errors.Is(err, records.ErrDeltaExpired) || errors.Is(err, records.ErrContinuationExpired) {
		r.next, r.delta = "", ""
		r.again++
		page, err = s.list(r.ask(size))
	}
	if err != nil {
		t.Fatalf("list: %v", err)
	}
	for p, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Deleted {
			delete(r.have, p.ID)
		} else {
			r.have[p.ID] = p
		}
	}
	r.next = page.Next
	if page.Next == "" {
		r.delta = page.Delta
	}
	return page.Next == ""
}

// ask is the query for the next page.
func (r *replica) ask(size int) records.Query[part] {
	q := r.query
	q.ListOptions = top(size)
	switch {
	case r.next != "":
		q.Continuation = r.next
	case r.delta != "":
		q.Delta = r.delta
	default:
		r.have = make(map[string]part)
	}
	return q
}

// newReplicas are copies of every kind of list.
func newReplicas() map[string]*replica {
	return map[string]*replica{
		"all":    {query: records.Query[part]{Op: "list"}, keeps: func(part) bool { return true }},
		"index":  {query: records.Query[part]{Op: "list", Index: "group", Equals: "g"}, keeps: func(p part) bool { return p.Group == "g" }},
		"prefix": {query: records.Query[part]{Op: "list", Prefix: "p1"}, keeps: func(p part) bool { return p.ID[:2] == "p1" }},
		"filter": {
			query: records.Query[part]{Op: "list", Filter: "1", Match: func(p *part) bool { return p.Name == "1" }},
			keeps: func(p part) bool { return p.Name == "1" },
		},
	}
}

// catchUp completes the copy and compares it with the truth. The first
// completion may be that of a listing under way: what was written meanwhile is
// in the delta after it.
func (r *replica) catchUp(t *testing.T, s *shelf, rnd *rand.Rand, truth map[string]part) string {
	t.Helper()
	for completions := 0; completions < 2; {
		if r.step(t, s, 1+rnd.IntN(7)) {
			completions++
		}
	}
	want := make(map[string]part)
	for id, p := range truth {
		if r.keeps(p) {
			want[id] = p
		}
	}
	return cmp.Diff(want, r.have)
}

// write makes one random change to the store and to the truth.
func write(t *testing.T, rnd *rand.Rand, s *shelf, truth map[string]part) {
	t.Helper()
	id := fmt.Sprintf("p%02d", rnd.IntN(24))
	switch _, exists := truth[id]; {
	case exists && rnd.IntN(3) == 0:
		if err := s.delete(id); err != nil {
			t.Fatal(err)
		}
		delete(truth, id)
	default:
		p := part{ID: id, Name: fmt.Sprint(rnd.IntN(4)), Group: []string{"", "g", "h"}[rnd.IntN(3)], Hidden: partHidden{Note: fmt.Sprint(rnd.IntN(2))}}
		s.put(p)
		truth[id] = p
	}
}

// Whatever is written between any two calls, a copy that only pages and follows
// deltas equals the truth once it has come to the end.
// Old deletions are forgotten meanwhile; a copy that needs them gets an error, and
// begins again.
func TestCopyKeptByPagesAndDeltasEqualsTheTruth(t *testing.T) {
	t.Parallel()
	histories := 600
	if testing.Short() {
		histories = 60
	}
	onEngines(t, func(t *testing.T, s *shelf) {
		now := time.Unix(1_700_000_000, 0)
		s.db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
		for seed := range histories {
			rnd := rand.New(rand.NewPCG(uint64(seed), 7))
			truth := make(map[string]part)
			s.scope = records.Scope(fmt.Sprintf("history-%d", seed))
			replicas := newReplicas()
			for range 1 + rnd.IntN(30) {
				for range rnd.IntN(6) {
					write(t, rnd, s, truth)
					now = now.Add(time.Second)
				}
				switch rnd.IntN(8) {
				case 0:
					s.forget(now.Add(-time.Duration(rnd.IntN(20)) * time.Second))
				case 1:
					s.forgetHere(now.Add(-time.Duration(rnd.IntN(20)) * time.Second))
				}
				for _, r := range replicas {
					if rnd.IntN(2) == 0 {
						r.step(t, s, 1+rnd.IntN(7))
					}
				}
			}
			for name, r := range replicas {
				if diff := r.catchUp(t, s, rnd, truth); diff != "" {
					t.Fatalf("history %d, copy of %s: %s", seed, name, diff)
				}
			}
		}
	})
}
