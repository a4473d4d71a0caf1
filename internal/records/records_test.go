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
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// part is the record of these tests: it has an index and a hidden field.
type part struct {
	Deleted bool   `json:"deleted"`
	Group   string `json:"group"`
	ID      string `json:"id"`
	Name    string `json:"name"`

	Hidden partHidden `json:"-"`
}

type partHidden struct {
	Note string `json:"note,omitempty"`
}

var parts = newParts()

func newParts() *records.Collection[part] {
	return &records.Collection[part]{
		Name:        "parts",
		ID:          func(p *part) string { return p.ID },
		Hidden:      func(p *part) any { return &p.Hidden },
		MarkDeleted: func(p *part) { p.Deleted = true },
		Indexes:     []records.Index[part]{{Name: "group", Value: func(p *part) string { return p.Group }}},
	}
}

const bin records.Scope = "bin-1"

// onEngines runs a test on every engine.
func onEngines(t *testing.T, test func(t *testing.T, db *shelf)) {
	t.Helper()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) {
		test(t, &shelf{t: t, db: records.New(store), store: store})
	})
}

// shelf is a collection of parts that fails its test on errors.
type shelf struct {
	t     testing.TB
	db    *records.DB
	store storage.Store
	scope records.Scope // bin when empty
}

func (s *shelf) in() records.Scope {
	if s.scope == "" {
		return bin
	}
	return s.scope
}

func (s *shelf) update(fn func(u *records.Update) error) error {
	return s.db.Update(context.Background(), fn)
}

func (s *shelf) put(p part) twinplatform.Record[part] {
	s.t.Helper()
	var rec twinplatform.Record[part]
	err := s.update(func(u *records.Update) (err error) {
		rec, err = parts.Put(u, s.in(), &p)
		return err
	})
	if err != nil {
		s.t.Fatalf("put %+v: %v", p, err)
	}
	return rec
}

func (s *shelf) insert(p part) error {
	return s.update(func(u *records.Update) error {
		_, err := parts.Insert(u, s.in(), &p)
		return err
	})
}

func (s *shelf) delete(id string) error {
	return s.update(func(u *records.Update) error { return parts.Delete(u, s.in(), id) })
}

func (s *shelf) get(id string) (rec twinplatform.Record[part], err error) {
	err = s.db.View(context.Background(), func(v *records.View) error {
		rec, err = parts.Get(v, s.in(), id)
		return err
	})
	return rec, err
}

func (s *shelf) list(q records.Query[part]) (page twinplatform.Page[part], err error) {
	err = s.db.View(context.Background(), func(v *records.View) error {
		page, err = parts.List(v, s.in(), q)
		return err
	})
	return page, err
}

func (s *shelf) mustList(q records.Query[part]) twinplatform.Page[part] {
	s.t.Helper()
	page, err := s.list(q)
	if err != nil {
		s.t.Fatalf("list %+v: %v", q, err)
	}
	return page
}

func ids(t testing.TB, page twinplatform.Page[part]) []string {
	t.Helper()
	out := []string{}
	for p, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		id := p.ID
		if p.Deleted {
			id += " deleted"
		}
		out = append(out, id)
	}
	return out
}

func top(n int) twinplatform.ListOptions { return twinplatform.ListOptions{Top: n} }

func TestRecordIsReadBackWithItsHiddenPart(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		want := part{ID: "a", Name: "<bolt> & nut", Group: "g", Hidden: partHidden{Note: "secret"}}
		s.put(want)
		rec, err := s.get("a")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, rec.Value); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(`{"deleted":false,"group":"g","id":"a","name":"<bolt> & nut"}`, string(rec.JSON)); diff != "" {
			t.Error(diff)
		}
		page := s.mustList(records.Query[part]{Op: "list"})
		values, err := page.Values()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]part{want}, values); diff != "" {
			t.Error(diff)
		}
	})
}

func TestEveryWriteTakesAnotherVersionAndAnIdleOneNone(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		first := s.put(part{ID: "a", Name: "1"})
		again := s.put(part{ID: "a", Name: "1"})
		second := s.put(part{ID: "a", Name: "2"})
		hidden := s.put(part{ID: "a", Name: "2", Hidden: partHidden{Note: "n"}})
		if first.ETag != again.ETag {
			t.Errorf("writing the same again changed the version from %s to %s", first.ETag, again.ETag)
		}
		if first.ETag == second.ETag || second.ETag == hidden.ETag {
			t.Errorf("versions %s, %s, %s of different records are not different", first.ETag, second.ETag, hidden.ETag)
		}
		got, err := s.get("a")
		if err != nil || got.ETag != hidden.ETag {
			t.Errorf("got version %s, %v; wrote %s", got.ETag, err, hidden.ETag)
		}
	})
}

func TestVersionsOfTwoStoresDiffer(t *testing.T) {
	t.Parallel()
	a := &shelf{t: t, db: records.New(memory.New())}
	b := &shelf{t: t, db: records.New(memory.New())}
	if x, y := a.put(part{ID: "a"}).ETag, b.put(part{ID: "a"}).ETag; x == y {
		t.Errorf("two stores call different records %s", x)
	}
	pa, pb := a.mustList(records.Query[part]{Op: "list"}), b.mustList(records.Query[part]{Op: "list"})
	if pa.ETag == pb.ETag {
		t.Errorf("two stores call different lists %s", pa.ETag)
	}
}

func TestInsertRefusesAUsedID(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		if err := s.insert(part{ID: "a", Name: "1"}); err != nil {
			t.Fatal(err)
		}
		if err := s.insert(part{ID: "a", Name: "2"}); !errors.Is(err, records.ErrExists) {
			t.Errorf("second insert: %v", err)
		}
		if rec, _ := s.get("a"); rec.Value.Name != "1" {
			t.Errorf("the refused insert wrote %q", rec.Value.Name)
		}
	})
}

func TestModifyHoldsToIfMatch(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		old := s.put(part{ID: "a", Name: "1"}).ETag
		now := s.put(part{ID: "a", Name: "2"}).ETag
		modify := func(ifMatch string) error {
			return s.update(func(u *records.Update) error {
				_, err := parts.Modify(u, bin, "a", twinplatform.Condition(ifMatch), func(p *part) error { p.Name += "!"; return nil })
				return err
			})
		}
		if err := modify(old); !errors.Is(err, records.ErrPrecondition) {
			t.Errorf("with the old version: %v", err)
		}
		for _, ifMatch := range []string{now, "*"} {
			if err := modify(ifMatch); err != nil {
				t.Errorf("with %s: %v", ifMatch, err)
			}
		}
		if err := modify(`"x", W/` + now); !errors.Is(err, records.ErrPrecondition) {
			t.Errorf("with a list of old versions: %v", err)
		}
		if rec, _ := s.get("a"); rec.Value.Name != "2!!" {
			t.Errorf("got %q", rec.Value.Name)
		}
	})
}

func TestFailedUpdateChangesNothing(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		before := s.put(part{ID: "a", Name: "1"})
		oops := errors.New("oops")
		err := s.update(func(u *records.Update) error {
			if _, err := parts.Put(u, bin, &part{ID: "a", Name: "2"}); err != nil {
				return err
			}
			if err := u.Emit(twinplatform.Event{ID: "e"}); err != nil {
				return err
			}
			return oops
		})
		if !errors.Is(err, oops) {
			t.Fatal(err)
		}
		after, _ := s.get("a")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	})
}

func TestIDsOfAnySpellingStayApart(t *testing.T) {
	t.Parallel()
	long := func(r rune, last string) string {
		s := ""
		for range 127 {
			s += string(r)
		}
		return s + last
	}
	names := []string{
		"a", "a ", "A", "*", "a*", "?", "..", "r", "c/", "é", "日本", long('x', "1"), long('x', "2"),
		long('日', "1"), long('日', "2"), long('𝕏', "1"), long('𝕏', "2"),
		records.Join("a", "b"), records.Join("a", "b", "c"), records.Join(long('𝕏', "1"), long('𝕏', "2")),
		records.Join(long('𝕏', "2"), long('𝕏', "1")),
	}
	onEngines(t, func(t *testing.T, s *shelf) {
		for i, id := range names {
			if err := s.insert(part{ID: id, Name: fmt.Sprint(i), Group: id}); err != nil {
				t.Fatalf("%q: %v", id, err)
			}
		}
		for i, id := range names {
			rec, err := s.get(id)
			if err != nil || rec.Value.Name != fmt.Sprint(i) {
				t.Errorf("%q: got record %s, %v", id, rec.Value.Name, err)
			}
			page := s.mustList(records.Query[part]{Op: "list", Index: "group", Equals: id})
			if diff := cmp.Diff([]string{id}, ids(t, page)); diff != "" {
				t.Errorf("index %q: %s", id, diff)
			}
		}
		if page := s.mustList(records.Query[part]{Op: "list", Prefix: records.Join(long('𝕏', "1"), "")}); page.Len() != 1 {
			t.Errorf("prefix found %d records", page.Len())
		}
		for _, id := range names {
			if err := s.delete(id); err != nil {
				t.Errorf("%q: %v", id, err)
			}
		}
		if page := s.mustList(records.Query[part]{Op: "list"}); page.Len() != 0 {
			t.Errorf("%d records are left", page.Len())
		}
	})
}

func TestNewScopeIsNeverUsedTwice(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		seen := make(map[records.Scope]bool)
		for range 50 {
			err := s.update(func(u *records.Update) error {
				for range 2 {
					scope, err := u.NewScope("bin", "bins")
					if err != nil {
						return err
					}
					if seen[scope] {
						t.Errorf("%s was made twice", scope)
					}
					seen[scope] = true
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestErasedScopeHoldsNothingAndItsNeighbourAll(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		const neighbour records.Scope = "bin-10"
		for i := range 20 {
			s.put(part{ID: fmt.Sprint(i), Group: "g"})
			err := s.update(func(u *records.Update) error {
				_, err := parts.Put(u, neighbour, &part{ID: fmt.Sprint(i)})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		now := time.Now()
		s.db.Clock(twinplatform.Env{Now: func() time.Time { // each look at it takes long
			now = now.Add(time.Second)
			return now
		}})
		rounds := 0
		for more := true; more; rounds++ {
			err := s.update(func(u *records.Update) (err error) {
				more, err = bin.Erase(u)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if rounds < 2 {
			t.Errorf("it took %d rounds, of which each had time for a few keys", rounds)
		}
		_ = s.store.View(context.Background(), func(r storage.Reader) error {
			for key := range r.Scan("bin-1/", "") {
				t.Errorf("%s is left", key)
			}
			return nil
		})
		err := s.db.View(context.Background(), func(v *records.View) error {
			page, err := parts.List(v, neighbour, records.Query[part]{Op: "list"})
			if page.Len() != 20 {
				t.Errorf("the neighbour has %d records", page.Len())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestCommittedEventsAreAnnouncedOnce(t *testing.T) {
	t.Parallel()
	db := records.New(memory.New())
	announced := 0
	db.OnEvents(func() { announced++ })
	if err := db.Update(t.Context(), func(u *records.Update) error { return u.Listen() }); err != nil {
		t.Fatal(err)
	}
	oops := errors.New("oops")
	for _, step := range []struct {
		name   string
		events int
		err    error
		want   int
	}{
		{"nothing is recorded", 0, nil, 0},
		{"two events in one transaction", 2, nil, 1},
		{"the transaction fails", 1, oops, 1},
		{"another event", 1, nil, 2},
	} {
		err := db.Update(t.Context(), func(u *records.Update) error {
			for i := range step.events {
				if err := u.Emit(twinplatform.Event{ID: fmt.Sprint(i)}); err != nil {
					return err
				}
			}
			return step.err
		})
		if !errors.Is(err, step.err) {
			t.Fatal(err)
		}
		if announced != step.want {
			t.Errorf("%s: announced %d times in all, want %d", step.name, announced, step.want)
		}
	}
}

func TestEventsAreRecordedForAListenerInOrderUntilTaken(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		err := s.update(func(u *records.Update) error {
			if err := u.Emit(twinplatform.Event{ID: "heard by nobody"}); err != nil {
				return err
			}
			return u.Listen()
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			err := s.update(func(u *records.Update) error {
				if err := u.Listen(); err != nil {
					return err
				}
				return u.Emit(twinplatform.Event{ID: fmt.Sprint(i), Type: "t", Content: []byte(`{"n":1}`)})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for round := range 2 {
			err := s.update(func(u *records.Update) error {
				got = got[:0]
				for q, err := range records.Events(u) {
					if err != nil {
						return err
					}
					got = append(got, q.Event.ID)
					if len(got) <= 10 {
						if err := u.Take(q); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}
			if round == 1 {
				want = []string{"10", "11"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func TestStoreOfAnotherFormatIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"1": "commit 36fbb526 (twinplatform export FILE)", "2": "commit b9a6ac0c", "4": `has format "4"`, "": `has format ""`} {
		store := memory.New()
		err := store.Update(t.Context(), func(w storage.Writer) error {
			return errors.Join(w.Put("platform/secret", make([]byte, 32)), w.Put("platform/format", []byte(format)))
		})
		if err != nil {
			t.Fatal(err)
		}
		before := keys(t, store, "")
		err = (&shelf{t: t, db: records.New(store)}).insert(part{ID: "a"})
		if _, ok := errors.AsType[*records.FormatError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("of a store of the format %q: %v, want %s", format, err, want)
		}
		if diff := cmp.Diff(before, keys(t, store, "")); diff != "" {
			t.Errorf("the store of the format %q was changed (-before +after):\n%s", format, diff)
		}
	}
}

func TestAnOutcomeThatIsNotKnownIsReportedAsSuch(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	db := records.New(store)
	if err := db.Update(t.Context(), func(u *records.Update) error { return put(u, bin, part{ID: "a"}) }); err != nil {
		t.Fatal(err)
	}
	for name, work := range map[string]func(func(*records.Update) error) func(*records.Update) error{
		"short": func(fn func(*records.Update) error) func(*records.Update) error { return fn },
		"long":  long,
	} {
		store.LoseAfter(0, fmt.Errorf("the line is dead: %w", storage.ErrUnknown))
		err := db.Update(t.Context(), work(func(u *records.Update) error { return put(u, bin, part{ID: name}) }))
		e, ok := errors.AsType[*twinplatform.Error](err)
		if !ok || e.Kind != twinplatform.Unavailable || e.Code != "OutcomeUnknown" || e.RetryAfter != 0 || strings.Contains(e.Error(), "line") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
