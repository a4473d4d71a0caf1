package records_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// aside is a scope of other records than those in bin.
const aside records.Scope = "aside-1"

// writers counts the transactions that have the writer, and what they write there.
type writers struct {
	storage.Store
	held, read, written int
}

func (s *writers) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error {
		s.held++
		return fn(&heldWriter{w, s})
	})
}

type heldWriter struct {
	storage.Writer
	s *writers
}

func (w *heldWriter) Get(key string) ([]byte, error) {
	w.s.read++
	return w.Writer.Get(key)
}

func (w *heldWriter) Put(key string, value []byte) error {
	w.s.written++
	return w.Writer.Put(key, value)
}

// long is fn in a transaction of many records.
func long(fn func(*records.Update) error) func(*records.Update) error {
	return func(u *records.Update) error {
		if err := records.Large(u, 1_000); err != nil {
			return err
		}
		return fn(u)
	}
}

func put(u *records.Update, s records.Scope, p part) error {
	_, err := parts.Put(u, s, &p)
	return err
}

func TestLongTransactionReadsBeforeItHasTheWriter(t *testing.T) {
	t.Parallel()
	store := &writers{Store: memory.New()}
	db := records.New(store)
	fill := func(name string) func(u *records.Update) error {
		return func(u *records.Update) error {
			for i := range 500 {
				if err := put(u, bin, part{ID: fmt.Sprint(i), Name: name}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if err := db.Update(t.Context(), fill("before")); err != nil {
		t.Fatal(err)
	}
	for name, fn := range map[string]func(*records.Update) error{
		"that says so": long(fill("after")),
		"that turns out to be": func(u *records.Update) error {
			for p, err := range parts.All(u, bin, "") {
				if err := errors.Join(err, records.Interrupted(u)); err != nil {
					return err
				}
				if _, err := parts.Value(u, bin, p.ID); err != nil {
					return err
				}
			}
			return put(u, bin, part{ID: "last"})
		},
	} {
		store.held, store.read, store.written = 0, 0, 0
		if err := db.Update(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
		if store.held != 2 || store.read > 300 {
			t.Errorf("one %s had the writer %d times and read %d keys there, want twice and few", name, store.held, store.read)
		}
	}
}

func TestShortTransactionHasTheWriterOnce(t *testing.T) {
	t.Parallel()
	store := &writers{Store: memory.New()}
	db := records.New(store)
	write := func(u *records.Update) error {
		return errors.Join(records.Large(u, 64), records.Interrupted(u), put(u, bin, part{ID: "one"}))
	}
	if err := db.Update(t.Context(), write); err != nil {
		t.Fatal(err)
	}
	if store.held = 0; db.Update(t.Context(), write) != nil || store.held != 1 {
		t.Errorf("the writer was held %d times, want once", store.held)
	}
}

// What a transaction has read ahead of its turn may be written meanwhile, in the scope
// in which it writes itself and in others: then it is run again, and in the end within
// the writer.
func TestOvertakenTransactionSeesWhatOvertookIt(t *testing.T) {
	t.Parallel()
	reads := map[string]func(u *records.Update, s records.Scope) (string, error){
		"a record": func(u *records.Update, s records.Scope) (string, error) {
			p, err := parts.Value(u, s, "read")
			if err != nil {
				return "", err
			}
			return p.Name, nil
		},
		"a sequence": func(u *records.Update, s records.Scope) (name string, err error) {
			for p, err := range parts.All(u, s, "") {
				if err != nil {
					return "", err
				}
				if p.ID == "read" {
					name = p.Name
				}
			}
			return name, nil
		},
	}
	for name, read := range reads {
		for _, s := range []records.Scope{bin, aside} {
			for _, overtakes := range []int{0, 1, 3, 50} {
				t.Run(fmt.Sprintf("%s of %s, %d times", name, s, overtakes), func(t *testing.T) {
					t.Parallel()
					store := storetest.Over(memory.New())
					db := records.New(store)
					rename := func(to int) error {
						return records.New(store.Store).Update(t.Context(), func(u *records.Update) error {
							return put(u, s, part{ID: "read", Name: fmt.Sprint(to)})
						})
					}
					if err := rename(0); err != nil {
						t.Fatal(err)
					}
					renamed := 0
					store.Before(func() error {
						if renamed == overtakes {
							return nil
						}
						renamed++
						return rename(renamed)
					})
					if err := db.Update(t.Context(), long(func(u *records.Update) error {
						name, err := read(u, s)
						if err != nil {
							return err
						}
						return put(u, bin, part{ID: "written", Name: name})
					})); err != nil {
						t.Fatal(err)
					}
					store.Rest()
					err := db.View(t.Context(), func(v *records.View) error {
						p, err := parts.Value(v, bin, "written")
						if err == nil && p.Name != fmt.Sprint(renamed) {
							t.Errorf("it read name %s, want %d", p.Name, renamed)
						}
						return err
					})
					if err != nil || overtakes < 5 && renamed != overtakes {
						t.Errorf("renamed %d times: %v", renamed, err)
					}
				})
			}
		}
	}
}

func TestRecordThatIsNewAndOneThatIsGoneOvertake(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(u *records.Update) error{
		"new":  func(u *records.Update) error { return put(u, aside, part{ID: "b"}) },
		"gone": func(u *records.Update) error { return parts.Delete(u, aside, "a") },
	} {
		store := storetest.Over(memory.New())
		db := records.New(store)
		if err := db.Update(t.Context(), func(u *records.Update) error { return put(u, aside, part{ID: "a"}) }); err != nil {
			t.Fatal(err)
		}
		runs := 0
		err := db.Update(t.Context(), long(func(u *records.Update) error {
			if runs++; runs == 1 {
				store.Next(func() {
					if err := records.New(store.Store).Update(t.Context(), change); err != nil {
						t.Error(err)
					}
				})
			}
			a, err := parts.Has(u, aside, "a")
			if err != nil {
				return err
			}
			b, err := parts.Has(u, aside, "b")
			return errors.Join(err, put(u, bin, part{ID: fmt.Sprint(a, b)}))
		}))
		if err != nil || runs != 2 {
			t.Errorf("a record that is %s: %d runs, %v; want 2", name, runs, err)
		}
	}
}

func TestLongTransactionThatFailsWritesNothing(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		refused := errors.New("refused")
		err := s.db.Update(t.Context(), long(func(u *records.Update) error {
			return errors.Join(put(u, bin, part{ID: "x"}), refused)
		}))
		if !errors.Is(err, refused) {
			t.Errorf("got %v, want its own error", err)
		}
		_ = s.db.View(t.Context(), func(v *records.View) error {
			if has, err := parts.Has(v, bin, "x"); has || err != nil {
				t.Errorf("it wrote x: %v, %v", has, err)
			}
			return nil
		})
	})
}

// Long transactions and short ones, in two scopes, take from one part and give to
// another: however they overtake one another, nothing is lost or made.
func TestNothingIsLostBetweenLongAndShortTransactions(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		places := []struct {
			scope records.Scope
			id    string
		}{{bin, "a"}, {bin, "b"}, {aside, "c"}, {aside, "d"}}
		count := func(tx records.Reading, i int) (n int, err error) {
			p, err := parts.Lookup(tx, places[i].scope, places[i].id)
			if p == nil || err != nil {
				return 0, err
			}
			_, err = fmt.Sscan(p.Name, &n)
			return n, err
		}
		var all sync.WaitGroup
		for w := range 8 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(w), 7))
				for range 60 {
					from, to := r.IntN(len(places)), r.IntN(len(places))
					move := func(u *records.Update) error {
						for i, by := range map[int]int{from: -1, to: 1} {
							n, err := count(u, i)
							if err == nil && from != to {
								err = put(u, places[i].scope, part{ID: places[i].id, Name: fmt.Sprint(n + by)})
							}
							if err != nil {
								return err
							}
						}
						return nil
					}
					if r.IntN(2) == 0 {
						move = long(move)
					}
					if err := s.db.Update(t.Context(), move); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		_ = s.db.View(t.Context(), func(v *records.View) error {
			sum := 0
			for i := range places {
				n, err := count(v, i)
				if sum += n; err != nil {
					t.Error(err)
				}
			}
			if sum != 0 {
				t.Errorf("%d more was given than taken", sum)
			}
			return nil
		})
	})
}

// A transaction that is made ahead of its turn keeps the promises of every other.
func TestTransactionsAheadOfTheirTurnKeepThePromises(t *testing.T) {
	t.Parallel()
	engine := storagetest.Engine{New: func(testing.TB) storage.Store { return records.Ahead{Store: memory.New()} }}
	storagetest.RunModel(t, engine)
}
