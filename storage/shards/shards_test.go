package shards_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// alone says that engines make one Update at a time.
var alone = shards.Options{Settle: -1, Choose: byName}

// byName puts an account whose name is a number into the shard of that number.
func byName(account string, all []string) string {
	n := 0
	for _, r := range account {
		n += int(r - '0')
	}
	return all[n%len(all)]
}

// open opens a set of stores.
func open(t testing.TB, o shards.Options, stores ...storage.Store) *shards.Store {
	t.Helper()
	s, err := shards.Open(t.Context(), o, stores[0], stores[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// kept outlives the sets that it is part of.
type kept struct{ storage.Store }

func (kept) Close() error { return nil }

// three are new stores in memory.
func three() []storage.Store {
	return []storage.Store{kept{memory.New()}, kept{memory.New()}, kept{memory.New()}}
}

// account is a set of stores as one account has it.
type account struct {
	*shards.Store
	name string
}

func (a *account) ctx(ctx context.Context) context.Context {
	return storage.WithAccount(ctx, a.name)
}

func (a *account) View(ctx context.Context, fn func(storage.Reader) error) error {
	return a.Store.View(a.ctx(ctx), fn)
}

func (a *account) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return a.Store.Update(a.ctx(ctx), fn)
}

// plain hides that a set cannot be backed up as a whole: what an account sees of it can.
type plain struct {
	storage.Store
	set *shards.Store
}

func (p plain) History(r storage.Reader) (string, error) { return p.set.History(r) }

// in returns an engine of which each store is what the account of a shard sees. The home is the
// first.
func in(shard func(s *shards.Store) string, stores func(t testing.TB) []storage.Store) storagetest.Engine {
	return storagetest.Engine{New: func(t testing.TB) storage.Store {
		s := open(t, alone, stores(t)...)
		if err := s.Assign(t.Context(), "ann", shard(s)); err != nil {
			t.Fatal(err)
		}
		return plain{&account{s, "ann"}, s}
	}}
}

func homeOf(*shards.Store) string { return "home" }

// another is a shard that is not the home.
func another(s *shards.Store) string {
	all := s.Shards()
	return all[(slices.Index(all, "home")+1)%len(all)]
}

func inMemory(testing.TB) []storage.Store { return three() }

func inFiles(t testing.TB) (all []storage.Store) {
	for i := range 2 {
		s, err := buntdb.Open(fmt.Sprintf("%s/%d.db", t.TempDir(), i), buntdb.Options{Durability: buntdb.SyncNever})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// What one account does keeps every promise of package storage.
func TestConformanceOfAnAccount(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, in(homeOf, inMemory))
}

func TestModelOfAnAccount(t *testing.T) {
	t.Parallel()
	storagetest.RunModel(t, in(homeOf, inFiles))
	storagetest.RunModel(t, in(another, inMemory))
}

func TestRerunsOfAnAccount(t *testing.T) {
	t.Parallel()
	e := in(another, func(testing.TB) []storage.Store {
		return []storage.Store{storagetest.Reruns(memory.New()), storagetest.Reruns(memory.New())}
	})
	storagetest.RunModel(t, e)
}

func put(t testing.TB, s storage.Store, account string, pairs ...string) {
	t.Helper()
	err := s.Update(storage.WithAccount(t.Context(), account), func(w storage.Writer) error {
		for i := 0; i < len(pairs); i += 2 {
			if err := w.Put(pairs[i], []byte(pairs[i+1])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dump is what an account sees.
func dump(t testing.TB, s storage.Store, account string) map[string]string {
	t.Helper()
	all, err := storagetest.Dump(storage.WithAccount(t.Context(), account), s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEachAccountHasTheRecordsOfItsShard(t *testing.T) {
	t.Parallel()
	stores := three()
	s := open(t, alone, stores...)
	for _, a := range []string{"0", "1", "2", "3"} { // 0 and 3 share a shard
		put(t, s, a, "of "+a, a, "last", a)
	}
	want := map[string]map[string]string{
		"0": {"of 0": "0", "of 3": "3", "last": "3"},
		"1": {"of 1": "1", "last": "1"},
		"2": {"of 2": "2", "last": "2"},
		"3": {"of 0": "0", "of 3": "3", "last": "3"},
	}
	again := open(t, alone, stores[2], stores[0], stores[1]) // in another order
	for a, all := range want {
		if diff := cmp.Diff(all, dump(t, s, a)); diff != "" {
			t.Errorf("account %s (-want +got):\n%s", a, diff)
		}
		if diff := cmp.Diff(all, dump(t, again, a)); diff != "" {
			t.Errorf("account %s at another process (-want +got):\n%s", a, diff)
		}
	}
}

func TestViewWithoutAccountMergesAllShards(t *testing.T) {
	t.Parallel()
	s := open(t, alone, three()...)
	put(t, s, "", "both", "of the home")
	var want []string
	for i := range 300 {
		key := fmt.Sprintf("k%03d", i*7%300)
		want = append(want, key)
		put(t, s, fmt.Sprint(i%3), key, key)
	}
	for i := range 3 {
		if a := fmt.Sprint(i); dump(t, s, a)["both"] == "" {
			put(t, s, a, "both", "of another")
		}
	}
	slices.Sort(want)
	want = append([]string{"both"}, want...)
	var got []string
	for more := true; more; { // page by page, each behind the last key
		err := s.View(t.Context(), func(r storage.Reader) error {
			after := ""
			if len(got) > 0 {
				after = got[len(got)-1]
			}
			more = false
			for key := range storage.ScanLimit(r, "", after, 17) {
				got, more = append(got, key), true
			}
			value, err := r.Get("both")
			if string(value) != "of the home" {
				t.Errorf("Get = %q, want that of the home", value)
			}
			if _, err := r.Get("none"); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("Get of what is not there = %v", err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all pages (-want +got):\n%s", diff)
	}
}

func TestEachPartIsOneShard(t *testing.T) {
	t.Parallel()
	s := open(t, alone, three()...)
	for _, a := range []string{"0", "1", "2"} {
		put(t, s, a, "of", a)
	}
	parts := storage.Parts(s)
	seen := make(map[string]bool)
	for _, p := range parts {
		all, err := storagetest.Dump(storage.WithAccount(t.Context(), "0"), p)
		if err != nil {
			t.Fatal(err)
		}
		seen[all["of"]] = true
		if storage.Epoch(p) != "" {
			t.Error("a part takes itself for the only one at its store")
		}
	}
	if want := map[string]bool{"0": true, "1": true, "2": true}; !cmp.Equal(want, seen) {
		t.Errorf("the parts have %v", seen)
	}
}

func TestAccountsOfTheHomeStayThere(t *testing.T) {
	t.Parallel()
	stores := three()
	put(t, stores[0], "", "account/old", "")
	o := shards.Options{Settle: -1, Known: func(r storage.Reader, account string) (bool, error) {
		_, err := r.Get("account/" + account)
		if errors.Is(err, storage.ErrNotFound) {
			return false, nil
		}
		return true, err
	}, Choose: func(_ string, all []string) string {
		return all[slices.IndexFunc(all, func(s string) bool { return s != "home" })]
	}}
	s := open(t, o, stores...)
	put(t, s, "old", "a", "1")
	put(t, s, "new", "b", "2")
	if diff := cmp.Diff(map[string]string{"account/old": "", "a": "1"}, dump(t, s, "old")); diff != "" {
		t.Errorf("the account that was there (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"b": "2"}, dump(t, s, "new")); diff != "" {
		t.Errorf("the account that was not (-want +got):\n%s", diff)
	}
	if err := s.Assign(t.Context(), "new", "home"); !errors.Is(err, shards.ErrAssigned) {
		t.Errorf("Assign of an account that has a shard = %v", err)
	}
	if err := s.Assign(t.Context(), "other", "none"); !errors.Is(err, shards.ErrMissing) {
		t.Errorf("Assign to a shard that is none = %v", err)
	}
}

// Accounts are spread evenly, and a shard more takes its part of the new ones alone.
func TestNewAccountsAreSpread(t *testing.T) {
	t.Parallel()
	stores := three()
	s := open(t, shards.Options{Settle: -1}, stores...)
	for i := range 600 {
		put(t, s, fmt.Sprint("account ", i), fmt.Sprint("of ", i), "")
	}
	for i, store := range stores {
		all, err := storagetest.Dump(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for key := range all {
			if strings.HasPrefix(key, "of ") {
				n++
			}
		}
		if n < 140 || n > 260 {
			t.Errorf("store %d has %d of 600 accounts", i, n)
		}
	}
	more := open(t, shards.Options{Settle: -1}, append(stores, kept{memory.New()})...)
	for i := range 600 {
		if n := len(dump(t, more, fmt.Sprint("account ", i))); n < 140 {
			t.Errorf("account %d sees %d records", i, n)
		}
	}
}

func TestOpenRefusesStoresThatDoNotBelongTogether(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	full := memory.New()
	put(t, full, "", "a", "1")
	if _, err := shards.Open(ctx, alone, memory.New(), full); !errors.Is(err, shards.ErrForeign) {
		t.Errorf("with a store that has records: %v", err)
	}
	stores := three()
	put(t, open(t, alone, stores...), "1", "a", "1")
	if _, err := shards.Open(ctx, alone, stores[0], stores[1]); !errors.Is(err, shards.ErrMissing) {
		t.Errorf("without a shard: %v", err)
	}
	if _, err := shards.Open(ctx, alone, stores[1], stores[2]); !errors.Is(err, shards.ErrMissing) {
		t.Errorf("without the home: %v", err)
	}
	if _, err := shards.Open(ctx, alone, stores[0], stores[1], stores[2], stores[2]); !errors.Is(err, shards.ErrForeign) {
		t.Errorf("with a store twice: %v", err)
	}
	others := three()
	open(t, alone, others...)
	if _, err := shards.Open(ctx, alone, stores[0], stores[1], stores[2], others[1]); !errors.Is(err, shards.ErrForeign) {
		t.Errorf("with a store of others: %v", err)
	}
	if divided, err := shards.Divided(ctx, stores[1]); err != nil || !divided {
		t.Errorf("Divided = %t, %v", divided, err)
	}
	if divided, err := shards.Divided(ctx, memory.New()); err != nil || divided {
		t.Errorf("Divided of a store by itself = %t, %v", divided, err)
	}
}

func TestRecordsOfTheSetAreOutOfReach(t *testing.T) {
	t.Parallel()
	s := open(t, alone, three()...)
	const key = "\x00shards/place"
	for name, write := range map[string]func(storage.Writer) error{
		"put":    func(w storage.Writer) error { return w.Put(key, nil) },
		"delete": func(w storage.Writer) error { return w.Delete(key) },
	} {
		err := s.Update(t.Context(), func(w storage.Writer) error {
			_ = write(w) // which fails the transaction
			return w.Put("a", nil)
		})
		if !errors.Is(err, shards.ErrReserved) {
			t.Errorf("%s = %v", name, err)
		}
	}
	if all := dump(t, s, ""); len(all) > 0 {
		t.Errorf("a new set has %v", all)
	}
	err := s.View(t.Context(), func(r storage.Reader) error {
		_, err := r.Get(key)
		return err
	})
	if !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("Get = %v", err)
	}
}

func TestSetsAreNotBackedUpAsOne(t *testing.T) {
	t.Parallel()
	s := open(t, alone, three()...)
	if err := storage.Backup(t.Context(), s, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Backup = %v", err)
	}
	if err := storage.Restore(t.Context(), s, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Restore = %v", err)
	}
}

func TestHistoriesBeginInEachShard(t *testing.T) {
	t.Parallel()
	s := open(t, alone, three()...)
	histories := func() (names []string) {
		for _, part := range s.Parts() {
			err := part.View(t.Context(), func(r storage.Reader) error {
				name, err := storage.History(part, r)
				names = append(names, name)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return names
	}
	before := histories()
	if err := storage.BeginHistory(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for i, name := range histories() {
		if name == before[i] {
			t.Errorf("shard %d is in the history %q still", i, name)
		}
	}
}

func TestShardOfAccountIsShown(t *testing.T) {
	t.Parallel()
	s := open(t, alone, three()...)
	if shard, err := s.ShardOf(t.Context(), "ann"); err != nil || shard != "" {
		t.Errorf("of an account that has none yet: %q, %v", shard, err)
	}
	want := another(s)
	if err := s.Assign(t.Context(), "ann", want); err != nil {
		t.Fatal(err)
	}
	if shard, err := s.ShardOf(t.Context(), "ann"); err != nil || shard != want {
		t.Errorf("the shard of an account is %q, %v; want %q", shard, err, want)
	}
}
