package twins_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Whatever the hierarchy, the memberships and the roles are, a caller is listed just the
// twins that it gets one by one, on pages of any size, also after changes.
func TestListsHoldWhatIsSeenOneByOne(t *testing.T) {
	t.Parallel()
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 3))
			w := newWorld(t, twins.Config{})
			accounts := []string{acme, "Zoé & Söhne/1", other}
			ids := make([][]string, len(accounts))
			for i, account := range accounts {
				ids[i] = append(ids[i], w.twin(t, t.Context(), twins.NewTwin{DisplayName: account, ID: account, Class: twins.Account}).ID)
			}
			p := user("somebody", accounts[r.IntN(3)])
			permissions := [][]string{nil, {twins.PermissionRead}, {twinplatform.PermissionSchedulesRead}}
			change := func(n int) {
				of := r.IntN(len(accounts))
				at := ids[of][r.IntN(len(ids[of]))]
				status := []twins.Status{twins.Active, twins.Inactive}[r.IntN(2)]
				switch r.IntN(4) {
				case 0:
					role, err := w.CreateRole(t.Context(), at, twins.NewRole{DisplayName: fmt.Sprint(n), Permissions: permissions[r.IntN(3)]})
					if err != nil {
						t.Fatal(err)
					}
					_, _ = w.CreateMember(t.Context(), at, twins.NewMember{ID: p.ID, RoleIDs: []string{role.Value().ID}}) // which it may be
				case 1:
					_ = w.DeleteMember(t.Context(), at, p.ID) // which it may not be
				default:
					ids[of] = append(ids[of], w.twin(t, t.Context(), twins.NewTwin{DisplayName: fmt.Sprint(n), ParentID: at, Status: status}).ID)
				}
			}
			for n := range 60 {
				if change(n); n%10 < 8 {
					continue
				}
				for _, q := range []twins.TwinQuery{{}, {IncludeInactive: true}, {Status: twins.Inactive}, {DisplayName: fmt.Sprint(n)}, {TwinAccountID: acme}} {
					q.Top = 1 + r.IntN(7)
					want := seenOneByOne(t, w, as(t, p), slices.Concat(ids...), q)
					var got []string
					for twin, err := range twinplatform.All(as(t, p), w.Twins, q) {
						if err != nil {
							t.Fatal(err)
						}
						got = append(got, twin.ID)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%d changes, %+v, one by one against pages (-want +got):\n%s", n, q, diff)
					}
				}
			}
		})
	}
}

// seenOneByOne are the ids of the twins of a query that a caller gets.
func seenOneByOne(t *testing.T, w *world, ctx context.Context, ids []string, q twins.TwinQuery) (seen []string) {
	t.Helper()
	for _, id := range slices.Sorted(slices.Values(ids)) {
		rec, err := w.Twin(ctx, id)
		twin := rec.Value
		switch {
		case err != nil,
			q.Status != "" && twin.Status != q.Status,
			q.Status == "" && !q.IncludeInactive && twin.Status == twins.Inactive,
			q.DisplayName != "" && twin.DisplayName != q.DisplayName,
			q.TwinAccountID != "" && string(twin.TwinAccountID) != q.TwinAccountID:
		default:
			seen = append(seen, id)
		}
	}
	return seen
}

// readCounter counts the values that the views of a store read.
type readCounter struct {
	storage.Store
	reads atomic.Int64
}

func (s *readCounter) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.Store.View(ctx, func(r storage.Reader) error { return fn(countedReader{r, s}) })
}

type countedReader struct {
	storage.Reader
	s *readCounter
}

func (r countedReader) Get(key string) ([]byte, error) {
	r.s.reads.Add(1)
	return r.Reader.Get(key)
}

func (r countedReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, value := range r.Reader.Scan(prefix, after) {
			if r.s.reads.Add(1); !yield(key, value) {
				return
			}
		}
	}
}

// Who made many twins is a member of all of them.
func TestAPageReadsFewRecordsOfAMakerOfManyTwins(t *testing.T) {
	t.Parallel()
	const made = 600
	store := &readCounter{Store: memory.New()}
	svc := twins.New(store, twins.Config{})
	boss := user("maker", acme, "Account Administrator")
	for i := range made {
		if _, err := svc.CreateTwin(as(t, boss), twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	store.reads.Store(0)
	ctx, q, pages := as(t, user("maker", acme)), twins.TwinQuery{}, int64(0)
	for q.Top = 20; ; q.Skip += q.Top {
		page, err := svc.Twins(ctx, q)
		if err != nil || page.Len() != q.Top {
			t.Fatalf("page of %d at %d: %v", page.Len(), q.Skip, err)
		}
		if pages++; page.Next == "" {
			break
		}
	}
	// A twin, its account, its member and its role are read once, after the epoch of what is cached, and the keys of all memberships.
	if reads := store.reads.Load(); pages != made/20 || reads > 7*made {
		t.Errorf("%d pages of %d twins read %d values", pages, made, reads)
	}
}
