package records_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func always(*records.Update) error { return nil }

// forget forgets what ended until a time, wherever it is.
func (s *shelf) forget(until time.Time) {
	s.t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.db.Forget(context.Background(), until); err != nil {
			s.t.Fatal(err)
		}
	}
}

// forgetHere forgets what ended in the shelf's scope until a time.
func (s *shelf) forgetHere(until time.Time) {
	s.t.Helper()
	if err := s.db.ForgetIn(context.Background(), s.in(), until, always); err != nil {
		s.t.Fatal(err)
	}
}

// keys are those of the store that begin with a prefix.
func keys(t testing.TB, store storage.Store, prefix string) (all []string) {
	t.Helper()
	err := store.View(t.Context(), func(r storage.Reader) error {
		all = nil
		for key := range r.Scan(prefix, "") {
			all = append(all, key)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var forgetters = map[string]func(*shelf, time.Time){"everywhere": (*shelf).forget, "in a scope": (*shelf).forgetHere}

func TestForgettingADeletionMakesOlderDeltasFail(t *testing.T) {
	t.Parallel()
	for name, forget := range forgetters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEngines(t, func(t *testing.T, s *shelf) {
				now := time.Unix(1_700_000_000, 0)
				s.db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
				q := records.Query[part]{Op: "list"}
				for _, id := range []string{"a", "b", "c"} {
					s.put(part{ID: id})
				}
				old := s.mustList(q).Delta
				remove := func(ids ...string) {
					t.Helper()
					for _, id := range ids {
						if err := s.delete(id); err != nil {
							t.Fatal(err)
						}
					}
				}
				remove("a", "b")
				fresh := s.mustList(q).Delta
				now = now.Add(time.Second)
				remove("c")
				forget(s, now.Add(-time.Second-time.Millisecond))
				q.Delta = old
				if diff := cmp.Diff([]string{"a deleted", "b deleted", "c deleted"}, ids(t, s.mustList(q))); diff != "" {
					t.Errorf("before its time: %s", diff)
				}
				forget(s, now.Add(-time.Second))
				if _, err := s.list(q); !errors.Is(err, records.ErrDeltaExpired) {
					t.Errorf("with a token from before the forgotten deletions: %v", err)
				}
				q.Delta = fresh
				if diff := cmp.Diff([]string{"c deleted"}, ids(t, s.mustList(q))); diff != "" {
					t.Error(diff)
				}
				if left := keys(t, s.store, "zended/"); len(left) != 1 {
					t.Errorf("the queue holds %q", left)
				}
			})
		})
	}
}

func TestForgettingAMoveMakesOlderFilteredDeltasFail(t *testing.T) {
	t.Parallel()
	for name, forget := range forgetters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEngines(t, func(t *testing.T, s *shelf) {
				now := time.Unix(1_700_000_000, 0)
				s.db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
				q := records.Query[part]{Op: "list", Index: "group", Equals: "g"}
				for _, id := range []string{"a", "b"} {
					s.put(part{ID: id, Group: "g"})
				}
				old := s.mustList(q).Delta
				s.put(part{ID: "a", Group: "h"})
				fresh := s.mustList(q).Delta
				now = now.Add(time.Second)
				s.put(part{ID: "b", Group: "h"})
				forget(s, now.Add(-time.Second))
				q.Delta = old
				if _, err := s.list(q); !errors.Is(err, records.ErrDeltaExpired) {
					t.Errorf("with a token from before: %v", err)
				}
				q.Delta = fresh
				if diff := cmp.Diff([]string{"b deleted"}, ids(t, s.mustList(q))); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// What left a filtered list and was then written again, while a delta was paged
// through, is left to the next delta. That one needs what was remembered before
// the delta began.
func TestForgettingWhatTheNextDeltaIsToTellMakesItFail(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		now := time.Unix(1_700_000_000, 0)
		s.db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
		for _, id := range []string{"a", "b", "x"} {
			s.put(part{ID: id, Group: "g"})
		}
		q := records.Query[part]{Op: "list", Index: "group", Equals: "g"}
		q.Delta = s.mustList(q).Delta
		s.put(part{ID: "a", Group: "g", Name: "new"})
		s.put(part{ID: "x", Group: "h"})
		s.put(part{ID: "b", Group: "g", Name: "new"})
		now = now.Add(time.Second)
		q.ListOptions.Top = 1
		page := s.mustList(q)
		s.put(part{ID: "x", Group: "h", Name: "again"})
		for page.Next != "" {
			q.Delta, q.Continuation = "", page.Next
			page = s.mustList(q)
			if got := ids(t, page); len(got) > 0 && got[0] == "x deleted" {
				t.Fatal("the delta under way tells of what was written later")
			}
		}
		next := records.Query[part]{Op: "list", Index: "group", Equals: "g"}
		next.Delta = page.Delta
		if diff := cmp.Diff([]string{"x deleted"}, ids(t, s.mustList(next))); diff != "" {
			t.Error(diff)
		}
		s.forget(now.Add(-time.Second))
		if _, err := s.list(next); !errors.Is(err, records.ErrDeltaExpired) {
			t.Errorf("after the move is forgotten: %v", err)
		}
	})
}

// Whatever is written, forgetting everything leaves what is alive.
func TestNothingButWhatLivesIsLeftWhenAllIsForgotten(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		now := time.Unix(1_700_000_000, 0)
		s.db.Clock(twinplatform.Env{Now: func() time.Time { now = now.Add(time.Second); return now }})
		s.put(part{ID: "a", Group: "g"})
		s.put(part{ID: "b"})
		fresh := keys(t, s.store, "")
		for round := range 50 {
			id := fmt.Sprint("p", round%7)
			for _, group := range []string{"g", "h", "", "g"} {
				s.put(part{ID: id, Group: group})
			}
			if err := s.delete(id); err != nil {
				t.Fatal(err)
			}
			s.put(part{ID: "a", Group: "h"})
			s.put(part{ID: "a", Group: "g"})
		}
		if queue := keys(t, s.store, "zended/"); len(queue) > 7+2*7+2 {
			t.Errorf("%d ends are in the queue", len(queue)) // one for each tombstone and each value that was left
		}
		s.forget(now)
		var left []string
		for _, key := range keys(t, s.store, "") {
			if !strings.Contains(key, "/c/") && !strings.Contains(key, "/purged/") {
				left = append(left, key)
			}
		}
		var want []string
		for _, key := range fresh {
			if !strings.Contains(key, "/c/") {
				want = append(want, key)
			}
		}
		if diff := cmp.Diff(want, left); diff != "" {
			t.Errorf("what is left (-want +got):\n%s", diff)
		}
	})
}

func TestTombstoneKeepsOfWhatIsHiddenOnlyWhatAnIndexNeeds(t *testing.T) {
	t.Parallel()
	needed := newParts()
	needed.Name, needed.Indexes = "needed", []records.Index[part]{{Name: "note", Value: func(p *part) string { return p.Hidden.Note }}}
	onEngines(t, func(t *testing.T, s *shelf) {
		for _, c := range []*records.Collection[part]{parts, needed} {
			err := s.update(func(u *records.Update) error {
				if _, err := c.Put(u, bin, &part{ID: "a", Group: "g", Hidden: partHidden{Note: "secret"}}); err != nil {
					return err
				}
				return c.Delete(u, bin, "a")
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		holds := func(key string) (holds bool) {
			err := s.store.View(t.Context(), func(r storage.Reader) error {
				v, err := r.Get(key)
				holds = strings.Contains(string(v), "secret")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return holds
		}
		if holds("bin-1/parts/t/a") {
			t.Error("the tombstone keeps what is hidden")
		}
		if !holds("bin-1/needed/t/a") {
			t.Error("the tombstone has lost what its index needs")
		}
	})
}

// However much is due, others get to write in between.
func TestForgettingGoesInStepsThatAreBounded(t *testing.T) {
	t.Parallel()
	store := memory.New()
	s := &shelf{t: t, db: records.New(store), store: store}
	const total, step = 2_500, 1_000
	err := s.update(func(u *records.Update) error {
		for i := range total {
			id := fmt.Sprint(i)
			if _, err := parts.Insert(u, bin, &part{ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for begin := 0; begin < total; begin += step / 2 {
		err := s.update(func(u *records.Update) error {
			for i := begin; i < begin+step/2; i++ {
				if err := parts.Delete(u, bin, fmt.Sprint(i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left := total
	for more := true; more; {
		if more, err = s.db.Forget(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		now := len(keys(t, store, "bin-1/parts/t/"))
		if now >= left || left-now > step {
			t.Fatalf("a step went from %d deletions to %d", left, now)
		}
		left = now
	}
	if left != 0 {
		t.Errorf("%d deletions are left", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.db.Forget(ctx, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("when its context is done: %v", err)
	}
}

// What forgetting costs follows what is forgotten.
func TestForgettingReadsNothingOfWhatLives(t *testing.T) {
	t.Parallel()
	scanned := 0
	store := counting{memory.New(), &scanned}
	now := time.Unix(1_700_000_000, 0)
	db := records.New(store)
	db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
	s := &shelf{t: t, db: db, store: store}
	for i := range 50 {
		s.scope = records.Scope(fmt.Sprint("bin-", i))
		err := s.update(func(u *records.Update) error {
			for j := range 100 {
				if _, err := parts.Put(u, s.scope, &part{ID: fmt.Sprint(j), Group: "g"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.delete("7"); err != nil {
		t.Fatal(err)
	}
	scanned = 0
	s.forget(now.Add(-time.Hour))
	if scanned > 2 {
		t.Errorf("forgetting nothing has read %d keys", scanned)
	}
	scanned = 0
	s.forget(now)
	if scanned > 10 {
		t.Errorf("forgetting one deletion has read %d keys", scanned)
	}
}
