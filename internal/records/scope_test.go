package records_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// sharing is a scope that accounts share: not divided at first, and divided from some moment on.
type sharing struct {
	t       *testing.T
	r       *rand.Rand
	db      *records.DB
	now     time.Time
	divided bool
	still   bool // no one writes while a list is paged through
	// truth is what there is, by account and id. Versions are the contents of all
	// versions that a record ever had.
	truth    map[string]map[string]string
	versions map[string]string
	made     int
}

func (s *sharing) list(account string) records.Scope {
	if !s.divided {
		return "bins"
	}
	return records.Scope("bins#").Of(account)
}

// writes is where a record is written: some do not tell whose they are.
func (s *sharing) writes(account, id string) records.Scope {
	if s.divided && id[0] == 'o' {
		return "bins#"
	}
	return s.list(account)
}

// step writes, deletes or forgets something.
func (s *sharing) step() {
	s.t.Helper()
	s.now = s.now.Add(time.Second)
	account := []string{"ann", "bob"}[s.r.IntN(2)]
	id := fmt.Sprint("n", s.r.IntN(12), account)
	if s.r.IntN(9) == 0 {
		id = "o" + id
	}
	in := s.writes(account, id)
	err := s.db.Update(s.t.Context(), func(u *records.Update) error {
		if s.r.IntN(3) == 0 {
			delete(s.truth[account], id)
			if err := parts.Delete(u, in, id); !errors.Is(err, records.ErrNotFound) {
				return err
			}
			return nil
		}
		s.made++
		name := fmt.Sprint(s.made)
		rec, err := parts.Put(u, in, &part{ID: id, Group: account, Name: name})
		s.truth[account][id] = name
		if before, used := s.versions[id+rec.ETag]; used {
			s.t.Errorf("version %s of %s is %s, and was %s", rec.ETag, id, name, before)
		}
		s.versions[id+rec.ETag] = name
		return err
	})
	if err == nil && s.r.IntN(40) == 0 {
		_, err = s.db.Forget(s.t.Context(), s.now.Add(-20*time.Second))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// follower knows what an account has, from lists and deltas.
type follower struct {
	account, delta, etag string
	has, atETag          map[string]string
	again                int
}

// look brings a follower up to date, while others write between the pages.
func (f *follower) look(s *sharing) {
	s.t.Helper()
	opts := twinplatform.ListOptions{Delta: f.delta, Top: 1 + s.r.IntN(5)}
	if f.delta == "" {
		f.has = make(map[string]string)
	}
	for {
		var page twinplatform.Page[part]
		err := s.db.View(s.t.Context(), func(v *records.View) (err error) {
			page, err = parts.List(v, s.list(f.account), records.Query[part]{ListOptions: opts, Op: "bins", Index: "group", Equals: f.account})
			return err
		})
		if errors.Is(err, records.ErrDeltaExpired) || errors.Is(err, records.ErrContinuationExpired) {
			f.again++
			f.delta = ""
			f.look(s)
			return
		}
		if err != nil {
			s.t.Fatalf("%s lists %+v: %v", f.account, opts, err)
		}
		for p, err := range page.OnPage() {
			if err != nil {
				s.t.Fatal(err)
			}
			if f.has[p.ID] = p.Name; p.Deleted {
				delete(f.has, p.ID)
			}
		}
		if opts = (twinplatform.ListOptions{Continuation: page.Next, Top: opts.Top}); page.Next == "" {
			f.delta = page.Delta
			return
		}
		if !s.still && s.r.IntN(3) == 0 {
			s.step()
		}
	}
}

// glance checks that a list which is said not to have changed has not.
func (f *follower) glance(s *sharing) {
	s.t.Helper()
	var page twinplatform.Page[part]
	err := s.db.View(s.t.Context(), func(v *records.View) (err error) {
		page, err = parts.List(v, s.list(f.account), records.Query[part]{
			ListOptions: twinplatform.ListOptions{IfNoneMatch: f.etag}, Op: "bins", Index: "group", Equals: f.account,
		})
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(f.atETag, s.truth[f.account]); page.NotModified && diff != "" {
		s.t.Errorf("a list of %s that has changed has the version %s still:\n%s", f.account, f.etag, diff)
	}
	f.etag, f.atETag = page.ETag, maps.Clone(s.truth[f.account])
}

// A client that follows a list misses nothing when the revision that all accounts shared
// becomes one of each: tokens and versions from before hold, or lead to a new list.
func TestWhoFollowsAListMissesNothingWhenItsScopeIsDivided(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](60, 5) {
		s := &sharing{
			t: t, r: rand.New(rand.NewPCG(seed, 7)), db: records.New(memory.New()), now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
			truth: map[string]map[string]string{"ann": {}, "bob": {}}, versions: make(map[string]string),
		}
		s.db.Clock(twinplatform.Env{Now: func() time.Time { return s.now }})
		var all []*follower
		for range 3 {
			all = append(all, &follower{account: "ann"}, &follower{account: "bob"})
		}
		divide := 20 + s.r.IntN(40)
		for i := range 200 {
			s.divided = s.divided || i == divide
			s.step()
			if f := all[s.r.IntN(len(all))]; s.r.IntN(3) == 0 {
				f.look(s)
			} else {
				f.glance(s)
			}
		}
		for _, f := range all {
			s.still = true
			f.look(s)
			f.look(s) // which is a delta
			if diff := cmp.Diff(s.truth[f.account], f.has); diff != "" {
				t.Fatalf("seed %d, divided at %d: a follower of %s (-want +got):\n%s", seed, divide, f.account, diff)
			}
		}
	}
}

// A token from before is as good as one that was made since, as long as no one writes
// for an account without a name.
func TestAnOldDeltaTokenOutlivesTheDivision(t *testing.T) {
	t.Parallel()
	s := &sharing{t: t, db: records.New(memory.New())}
	put := func(in records.Scope, id, account string) {
		t.Helper()
		if err := s.db.Update(t.Context(), func(u *records.Update) error {
			_, err := parts.Put(u, in, &part{ID: id, Group: account, Name: fmt.Sprint(len(in), id)})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	list := func(in records.Scope, opts twinplatform.ListOptions) (page twinplatform.Page[part], err error) {
		err = s.db.View(t.Context(), func(v *records.View) error {
			page, err = parts.List(v, in, records.Query[part]{ListOptions: opts, Op: "bins", Index: "group", Equals: "ann"})
			return err
		})
		return page, err
	}
	put("bins", "first", "ann")
	put("bins", "of bob", "bob")
	before, err := list("bins", twinplatform.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	put("bins", "second", "ann")
	own := records.Scope("bins#").Of("ann")
	put(own, "third", "ann")
	put(records.Scope("bins#").Of("bob"), "of bob", "bob")
	put(own, "first", "ann")
	after, err := list(own, twinplatform.ListOptions{Delta: before.Delta})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(t, after); !slices.Equal(got, []string{"second", "third", "first"}) {
		t.Errorf("the delta tells of %q", got)
	}
	if _, err := list("bins#", twinplatform.ListOptions{Delta: before.Delta}); !errors.Is(err, records.ErrDeltaExpired) {
		t.Errorf("over all accounts: %v", err)
	}
	whole, err := list("bins#", twinplatform.ListOptions{})
	if err != nil || whole.Delta != "" || whole.ETag == "" {
		t.Errorf("the list over all accounts has the delta %q and the version %q, %v", whole.Delta, whole.ETag, err)
	}
	put(records.Scope("bins#").Of("bob"), "more of bob", "bob")
	if again, err := list("bins#", twinplatform.ListOptions{IfNoneMatch: whole.ETag}); err != nil || again.NotModified {
		t.Errorf("a change of one account leaves the version of all: %v", err)
	}
	if again, err := list(own, twinplatform.ListOptions{Delta: after.Delta}); err != nil || again.Len() != 0 {
		t.Errorf("%d changes of another account, %v", again.Len(), err)
	}
	put("bins#", "old", "ann")
	if _, err := list(own, twinplatform.ListOptions{Delta: after.Delta}); !errors.Is(err, records.ErrDeltaExpired) {
		t.Errorf("after a change of a record that tells no account: %v", err)
	}
}
