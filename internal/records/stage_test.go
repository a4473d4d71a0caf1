package records_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var buds = records.Collection[leaf]{
	Name: "buds", ID: func(l *leaf) string { return l.ID }, MarkDeleted: func(l *leaf) { l.Deleted = true },
	Indexes: []records.Index[leaf]{{Name: "kind", Value: func(l *leaf) string { return l.ID[:1] }}},
}

// stages are two collections of a scope whose records are staged, written and read at random.
type stages struct {
	*testing.T
	store  storage.Store
	db     *records.DB
	r      *rand.Rand
	truth  []map[string]string // texts, by collection and id
	staged []map[string]string // what the stage that is open makes of them
	number uint64              // of the stage that is open
	copies []map[string]string // what a client has by lists and deltas
	delta  []string
	next   []string // of a delta that is read in pages
	etags  []map[string]string
}

const staging records.Scope = "tree-7"

var stagedKinds = []*records.Collection[leaf]{&leaves, &buds}

func newStages(t *testing.T, seed uint64) *stages {
	s := &stages{T: t, store: memory.New(), r: rand.New(rand.NewPCG(seed, 3)), delta: make([]string, 2), next: make([]string, 2)}
	s.db = records.New(s.store)
	for range stagedKinds {
		s.truth, s.staged = append(s.truth, map[string]string{}), append(s.staged, map[string]string{})
		s.copies, s.etags = append(s.copies, map[string]string{}), append(s.etags, map[string]string{})
	}
	return s
}

func (s *stages) update(fn func(u *records.Update) error) {
	s.Helper()
	if err := s.db.Update(s.Context(), fn); err != nil {
		s.Fatal(err)
	}
}

func (s *stages) id() string { return fmt.Sprintf("%c%02d", 'a'+rune(s.r.IntN(2)), s.r.IntN(20)) }

// write writes a few records as others do.
func (s *stages) write() {
	s.Helper()
	s.update(func(u *records.Update) (err error) {
		for range 1 + s.r.IntN(4) {
			k, id, text := s.r.IntN(2), s.id(), fmt.Sprint(s.r.IntN(1000))
			if was, has := s.truth[k][id]; has && s.r.IntN(3) == 0 {
				err = stagedKinds[k].Delete(u, staging, id)
				delete(s.truth[k], id)
				delete(s.staged[k], id)
			} else if text != was {
				_, err = stagedKinds[k].Put(u, staging, &leaf{ID: id, Text: text})
				s.truth[k][id] = text
				delete(s.staged[k], id)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// stage stages a few records, of a stage of its own unless one is open.
func (s *stages) stage() {
	s.Helper()
	s.update(func(u *records.Update) (err error) {
		if s.number == 0 || s.r.IntN(8) == 0 {
			number, err := staging.Stage(u)
			if errors.Is(err, records.ErrStaged) && s.number == 0 {
				return nil
			}
			if err != nil {
				return err
			}
			s.number = number
			s.staged = []map[string]string{{}, {}}
		}
		for range s.r.IntN(12) {
			k, text := s.r.IntN(2), fmt.Sprint(s.r.IntN(1000))
			if k == 0 && s.r.IntN(3) == 0 { // which may be added
				id := s.id()
				if err := leaves.StageValue(u, staging, s.number, &leaf{ID: id, Text: text}); err != nil {
					return err
				}
				s.staged[k][id] = text
				continue
			}
			ids := slices.Sorted(maps.Keys(s.truth[k]))
			if len(ids) == 0 {
				continue
			}
			id := ids[s.r.IntN(len(ids))]
			if s.r.IntN(6) == 0 {
				text = s.truth[k][id] // as it is
			}
			if k == 0 && s.r.IntN(2) == 0 {
				if err := leaves.StageValue(u, staging, s.number, &leaf{ID: id, Text: text}); err != nil {
					return err
				}
				s.staged[k][id] = text
				continue
			}
			err := stagedKinds[k].Stage(u, staging, s.number, id, func(l *leaf) error {
				if l.Text != s.truth[k][id] {
					s.Errorf("staged over %q, want %q", l.Text, s.truth[k][id])
				}
				l.Text = text
				return nil
			})
			if err != nil {
				return err
			}
			s.staged[k][id] = text
		}
		return nil
	})
}

func (s *stages) commit() {
	s.Helper()
	if s.number == 0 {
		return
	}
	s.update(func(u *records.Update) error {
		if s.r.IntN(4) == 0 {
			s.staged = []map[string]string{{}, {}}
			return staging.AbandonStage(u)
		}
		return staging.CommitStage(u, s.number)
	})
	for k := range s.staged {
		maps.Copy(s.truth[k], s.staged[k])
	}
	s.number, s.staged = 0, []map[string]string{{}, {}}
}

// fold folds a little, or all, and changes nothing that is seen.
func (s *stages) fold() (whole bool) {
	s.Helper()
	before := s.read()
	s.update(func(u *records.Update) (err error) {
		step := records.NewStep(u)
		if s.r.IntN(3) > 0 {
			step.Spend(990)
			for range 9 {
				step.Spend(0)
			}
		}
		whole, err = staging.FoldStage(u, []*records.Table{leaves.Table(), buds.Table()}, step)
		return err
	})
	if diff := cmp.Diff(before, s.read()); diff != "" {
		s.Fatalf("folding has changed what is read (-before +after)\n%s", diff)
	}
	return whole
}

// read is every record with its ETag and its place among the changes.
func (s *stages) read() (all []string) {
	s.Helper()
	err := s.db.View(s.Context(), func(v *records.View) error {
		for k, c := range stagedKinds {
			page, err := c.List(v, staging, records.Query[leaf]{Op: "read"})
			if err != nil {
				return err
			}
			got := map[string]string{}
			for l, err := range page.OnPage() {
				if err != nil {
					return err
				}
				got[l.ID] = l.Text
				if has, err := c.Has(v, staging, l.ID); !has || err != nil {
					s.Fatalf("%s is listed and not there, %v", l.ID, err)
				}
				one, err := c.Get(v, staging, l.ID)
				if err != nil || one.Value.Text != l.Text {
					s.Fatalf("%s is %q and listed as %q, %v", l.ID, one.Value.Text, l.Text, err)
				}
				if was := s.etags[k][one.ETag]; was != "" && was != l.ID+l.Text {
					s.Fatalf("%s is of %s and %s", one.ETag, was, l.ID+l.Text)
				}
				s.etags[k][one.ETag] = l.ID + l.Text
				all = append(all, one.ETag+" "+string(one.JSON))
			}
			if diff := cmp.Diff(s.truth[k], got); diff != "" {
				s.Fatalf("-want +got\n%s", diff)
			}
			for range 4 { // most of which are not there
				id := s.id()
				_, is := got[id]
				if has, err := c.Has(v, staging, id); has != is || err != nil {
					s.Fatalf("it is %t that %s is there, want %t, %v", has, id, is, err)
				}
				if l, err := c.Lookup(v, staging, id); (l != nil) != is || err != nil {
					s.Fatalf("%+v is found of %s, want one: %t, %v", l, id, is, err)
				}
			}
			scanned := map[string]string{}
			for l, err := range c.All(v, staging, "") {
				if err != nil {
					return err
				}
				scanned[l.ID] = l.Text
			}
			if diff := cmp.Diff(got, scanned); diff != "" {
				s.Fatalf("-listed +scanned\n%s", diff)
			}
			last := uint64(0)
			seen := map[string]bool{}
			for change, err := range c.Changes(v, staging, 0) {
				if err != nil {
					return err
				}
				if change.Revision <= last || seen[change.ID] {
					s.Fatalf("change %+v comes behind %d, or again", change, last)
				}
				last, seen[change.ID] = change.Revision, true
				all = append(all, fmt.Sprint(change))
			}
			for id := range got {
				if !seen[id] {
					s.Fatalf("nothing tells of %s", id)
				}
			}
		}
		n := 0
		for l, err := range buds.Find(v, staging, "kind", "a") {
			if n++; err != nil || s.truth[1][l.ID] != l.Text {
				s.Fatalf("found %+v, %v", l, err)
			}
		}
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// follow reads a page of what a client follows by.
func (s *stages) follow() {
	s.Helper()
	k := s.r.IntN(2)
	q := records.Query[leaf]{Op: "follow"}
	q.Top, q.Delta, q.Continuation = 1+s.r.IntN(7), s.delta[k], s.next[k]
	if q.Continuation != "" {
		q.Delta = ""
	}
	var page twinplatform.Page[leaf]
	err := s.db.View(s.Context(), func(v *records.View) (err error) {
		page, err = stagedKinds[k].List(v, staging, q)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	for l, err := range page.OnPage() {
		if err != nil {
			s.Fatal(err)
		}
		if l.Deleted {
			delete(s.copies[k], l.ID)
		} else {
			s.copies[k][l.ID] = l.Text
		}
	}
	if s.next[k] = page.Next; page.Next == "" {
		s.delta[k] = page.Delta
	}
}

// catchUp follows until there is nothing more.
func (s *stages) catchUp() {
	s.Helper()
	for range 200 {
		s.follow()
	}
	for k := range stagedKinds {
		if diff := cmp.Diff(s.truth[k], s.copies[k]); diff != "" {
			s.Fatalf("the copy of %d (-want +got)\n%s", k, diff)
		}
	}
}

// cloned copies the scope, in rounds, and wants the copy to be as the scope is read.
func (s *stages) cloned(n int) {
	s.Helper()
	copying := records.Copying{From: staging, To: records.Scope(fmt.Sprintf("copy-%d", n))}
	for whole := false; !whole; {
		s.update(func(u *records.Update) (err error) {
			whole, err = copying.Run(u, []*records.Table{leaves.Table(), buds.Table()}, records.NewStep(u))
			return err
		})
	}
	err := s.db.View(s.Context(), func(v *records.View) error {
		for k, c := range stagedKinds {
			got := map[string]string{}
			for l, err := range c.All(v, copying.To, "") {
				if err != nil {
					return err
				}
				got[l.ID] = l.Text
			}
			if diff := cmp.Diff(s.truth[k], got); diff != "" {
				s.Fatalf("the clone (-want +got)\n%s", diff)
			}
		}
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
}

func TestWhatIsStagedIsSeenAtOnceWhateverElseIsWritten(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](60, 4) {
		s := newStages(t, seed)
		for n := range 150 {
			switch s.r.IntN(9) {
			case 0, 1:
				s.write()
			case 2, 3:
				s.stage()
			case 4:
				s.commit()
			case 5, 6:
				s.fold()
			case 7:
				s.cloned(n)
			default:
				s.follow()
			}
			s.read()
		}
		s.commit()
		s.catchUp()
		for !s.fold() {
		}
		s.catchUp()
		left := 0
		err := s.store.View(t.Context(), func(r storage.Reader) error {
			for range r.Scan(string(staging)+"/leaves/s/", "") {
				left++
			}
			rev, err := r.Get(string(staging) + "/0rev")
			if left += len(rev) - 8; err != nil {
				return err
			}
			for _, stored := range r.Scan(string(staging)+"/leaves/r/", "") {
				left += int(stored[0])
			}
			return nil
		})
		if left > 0 || err != nil {
			t.Errorf("seed %d: %d of the stage are left, %v", seed, left, err)
		}
	}
}

func TestStageOfAnotherIsNotCommitted(t *testing.T) {
	t.Parallel()
	s := newStages(t, 0)
	s.update(func(u *records.Update) error {
		_, err := leaves.Put(u, staging, &leaf{ID: "a00", Text: "0"})
		return err
	})
	var first, second uint64
	begin := func(number *uint64) {
		s.update(func(u *records.Update) (err error) {
			*number, err = staging.Stage(u)
			return err
		})
	}
	stage := func(number uint64) error {
		return s.db.Update(t.Context(), func(u *records.Update) error {
			return leaves.Stage(u, staging, number, "a00", func(l *leaf) error {
				l.Text = "1"
				return nil
			})
		})
	}
	commit := func(number uint64) error {
		return s.db.Update(t.Context(), func(u *records.Update) error { return staging.CommitStage(u, number) })
	}
	begin(&first)
	begin(&second)
	for _, got := range []struct {
		what      string
		err, want error
	}{
		{"staged in the first", stage(first), records.ErrUnstaged},
		{"committed the first", commit(first), records.ErrUnstaged},
		{"staged what is not there", s.db.Update(t.Context(), func(u *records.Update) error { return leaves.Stage(u, staging, second, "b", nil) }), records.ErrNotFound},
		{"staged in the second", stage(second), nil},
		{"committed the second", commit(second), nil},
		{"staged in what is being folded", stage(second), records.ErrUnstaged},
		{"began another before that is done", s.db.Update(t.Context(), func(u *records.Update) error {
			_, err := staging.Stage(u)
			return err
		}), records.ErrStaged},
	} {
		if !errors.Is(got.err, got.want) {
			t.Errorf("%s: %v, want %v", got.what, got.err, got.want)
		}
	}
}
