package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// two opens two stores over one schema, as two processes do.
func two(t *testing.T, url string, options postgres.Options) (a, b storage.Store) {
	t.Helper()
	if options.Schema == "" {
		options.Schema = postgrestest.Shared(t).Schema(t)
	}
	options.Logger = quiet
	stores := make([]storage.Store, 2)
	for i := range stores {
		s, err := postgres.Open(t.Context(), url, options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		stores[i] = s
	}
	return stores[0], stores[1]
}

// addOne adds one to the number of a key, and returns how often that was run.
func addOne(ctx context.Context, s storage.Store, key string) (runs int, err error) {
	err = s.Update(ctx, func(w storage.Writer) error {
		runs++
		value, err := w.Get(key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		n, _ := strconv.Atoi(string(value))
		return w.Put(key, []byte(strconv.Itoa(n+1)))
	})
	return runs, err
}

// together lets writers of both stores add to the key of their hint, and returns how often
// their functions ran for each write.
func together(t *testing.T, a, b storage.Store, writers, writes int, key string) float64 {
	t.Helper()
	var runs atomic.Int64
	var group sync.WaitGroup
	for _, s := range []storage.Store{a, b} {
		for range writers {
			group.Go(func() {
				ctx := storage.WithContention(t.Context(), key)
				for range writes {
					n, err := addOne(ctx, s, key)
					if err != nil {
						t.Error(err)
					}
					runs.Add(int64(n))
				}
			})
		}
	}
	group.Wait()
	return float64(runs.Load()) / float64(2*writers*writes)
}

func TestHintedWritersOfTwoProcessesQueue(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	near := func(*testing.T) string { return server.Address }
	pooler := func(t *testing.T) string {
		address, err := server.Pooler(3)
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("no PgBouncer: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return address
	}
	for name, c := range map[string]struct {
		address func(t *testing.T) string
		options postgres.Options
	}{
		"over a pool each":         {near, postgres.Options{MaxConns: 4}},
		"over a connection each":   {near, postgres.Options{MaxConns: 1}},
		"over three of a pooler's": {pooler, postgres.Options{MaxConns: 4, Pooler: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := two(t, server.URL(delayed(t, c.address(t), time.Millisecond)), c.options)
			together(t, a, b, 6, 10, "n") // until both know of it
			made, lost := 2*6*10, int64(0)
			for range 5 { // a busy machine may keep one of them from what it needs to queue
				before := retries(a, b)
				together(t, a, b, 6, 20, "n")
				made += 2 * 6 * 20
				if lost = retries(a, b) - before; lost <= 5 {
					break
				}
			}
			if lost > 5 {
				t.Errorf("of the last 240 writes %d lost a race", lost)
			}
			wantNumber(t, a, "n", made)
		})
	}
}

// retries is how often transactions of stores have run again.
func retries(stores ...storage.Store) (n int64) {
	for _, s := range stores {
		stats, _ := storage.StatsOf(s)
		n += stats.Remote.Retries
	}
	return n
}

// Hints are chosen without regard to what is written, as badly as can be: no one waits
// forever, and nothing is lost.
func TestHintsNeitherDeadlockNorChangeAnything(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for _, conns := range []int32{1, 3} {
		t.Run(fmt.Sprint(conns, " connections"), func(t *testing.T) {
			t.Parallel()
			a, b := two(t, server.URL(""), postgres.Options{MaxConns: conns})
			const keys, writers, writes = 3, 6, 25
			var added [keys]atomic.Int64
			var group sync.WaitGroup
			for _, s := range []storage.Store{a, b} {
				for range writers {
					group.Go(func() {
						for range writes {
							ctx := storage.WithContention(t.Context(), []string{"", "0", "1", "2"}[rand.IntN(4)])
							ctx, cancel := context.WithCancel(ctx)
							if rand.IntN(10) == 0 {
								time.AfterFunc(rand.N(2*time.Millisecond), cancel)
							}
							key := rand.IntN(keys)
							switch _, err := addOne(ctx, s, strconv.Itoa(key)); {
							case err == nil:
								added[key].Add(1)
							case !errors.Is(err, context.Canceled):
								t.Error(err)
							}
							cancel()
						}
					})
				}
			}
			group.Wait()
			for key := range added {
				wantNumber(t, b, strconv.Itoa(key), int(added[key].Load()))
			}
		})
	}
}

// holdsClass lets an Update of a hot key hold its lock class, until release is closed,
// and returns when it does.
func holdsClass(t *testing.T, s storage.Store, key string, release chan struct{}) (done chan error) {
	t.Helper()
	holds, once := make(chan struct{}), sync.Once{}
	done = make(chan error, 1)
	go func() {
		done <- s.Update(storage.WithContention(t.Context(), key), func(w storage.Writer) error {
			if _, err := w.Get(key); err != nil {
				return err
			}
			once.Do(func() { close(holds) })
			<-release
			return w.Put(key+" held", nil)
		})
	}()
	select {
	case <-holds:
	case err := <-done:
		t.Fatal("the Update has ended: ", err)
	}
	return done
}

func TestASuspendedHolderOfALockClassIsOvertaken(t *testing.T) {
	t.Parallel()
	a, b := two(t, postgrestest.Shared(t).URL(""), postgres.Options{MaxConns: 4})
	together(t, a, b, 4, 10, "n")
	release := make(chan struct{})
	done := holdsClass(t, a, "n", release)
	ctx, cancel := context.WithTimeout(storage.WithContention(t.Context(), "n"), 20*time.Second)
	defer cancel()
	for range 20 { // of which the first has waited for all
		if _, err := addOne(ctx, b, "n"); err != nil {
			t.Fatal(err)
		}
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	wantNumber(t, b, "n", 2*4*10+20)
}

// A process that was suspended loses every race against those that were not: they take turns
// with it as soon as it continues.
func TestProcessesTakeTurnsAgainOnceASuspendedHolderContinues(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	a, b := two(t, server.URL(""), postgres.Options{Schema: schema, MaxConns: 4})
	together(t, a, b, 4, 10, "n")
	suspended := make(chan struct{})
	done := holdsClass(t, a, "n", suspended)
	if _, err := addOne(storage.WithContention(t.Context(), "n"), b, "n"); err != nil {
		t.Fatal(err)
	}
	if n := lockedClasses(t, server, schema); n != 1 {
		t.Errorf("%d lock classes are held, want that of the suspended process alone", n)
	}
	close(suspended)
	if err := <-done; err != nil {
		t.Error(err)
	}
	for began := time.Now(); ; {
		release := make(chan struct{})
		done := holdsClass(t, b, "n", release)
		n := lockedClasses(t, server, schema)
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n == 1 {
			return
		}
		if time.Since(began) > 5*time.Second { // half of the time that the key is hot
			t.Fatal("the other process races 5 s later")
		}
	}
}

// lockedClasses is how many lock classes of a schema are held.
func lockedClasses(t *testing.T, server *postgrestest.Server, schema string) (n int) {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.WithoutCancel(t.Context()))
	err = admin.QueryRow(t.Context(), "select count(distinct l.relation) from pg_locks l join pg_class c on c.oid = l.relation"+
		" join pg_namespace n on n.oid = c.relnamespace where l.granted and c.relname like 'lane%' and n.nspname = $1", schema).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestADeadHolderOfALockClassReleasesIt(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	a, b := two(t, server.URL(""), postgres.Options{Schema: schema, MaxConns: 4})
	together(t, a, b, 4, 10, "n")
	release := make(chan struct{})
	done := holdsClass(t, a, "n", release)
	waiting := make(chan error, 1)
	go func() {
		_, err := addOne(storage.WithContention(t.Context(), "n"), b, "n")
		waiting <- err
	}()
	admin, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.WithoutCancel(t.Context()))
	ended := 0
	err = admin.QueryRow(t.Context(), "select count(pg_terminate_backend(l.pid)) from pg_locks l join pg_class c on c.oid = l.relation"+
		" join pg_namespace n on n.oid = c.relnamespace where l.granted and c.relname like 'lane%' and n.nspname = $1", schema).Scan(&ended)
	if err != nil || ended == 0 {
		t.Errorf("%d sessions were ended: %v", ended, err)
	}
	if err := <-waiting; err != nil {
		t.Error(err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	wantNumber(t, b, "n held", 0)
}

// Transactions that wait at a hot key leave connections to those that do not.
func TestWaitersAtHotKeysLeaveConnections(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	var logs strings.Builder
	options := postgres.Options{Schema: server.Schema(t), MaxConns: 4}
	a, _ := two(t, server.URL(""), options)
	options.Logger = slog.New(slog.NewTextHandler(&logs, nil))
	b, err := postgres.Open(t.Context(), server.URL(""), options)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	keys := []string{"0", "1", "2", "3"}
	release := make(chan struct{})
	var held []chan error
	for _, key := range keys {
		together(t, a, b, 3, 5, key)
	}
	for _, key := range keys {
		held = append(held, holdsClass(t, a, key, release))
	}
	var waiting sync.WaitGroup
	for _, key := range slices.Concat(keys, keys) {
		waiting.Go(func() {
			if _, err := addOne(storage.WithContention(t.Context(), key), b, key); err != nil {
				t.Error(err)
			}
		})
	}
	for range 1000 { // while they wait
		if err := b.View(t.Context(), func(r storage.Reader) error { _, err := r.Get("0"); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if logs.Len() > 0 {
		t.Errorf("a View had to have a connection made for it:\n%s", &logs)
	}
	close(release)
	waiting.Wait()
	for _, done := range held {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Keys whose classes are the same by the 64 whose tables are made first have tables of their own
// once they are hot.
func TestHotKeysTakeTurnsByAThousandClasses(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	a, b := two(t, server.URL(""), postgres.Options{Schema: schema, MaxConns: 4})
	keys := []string{"key 0", "key 26"} // of the classes 508 and 636, which are both 60 by 64
	for _, key := range keys {
		together(t, a, b, 4, 10, key)
	}
	for began := time.Now(); ; {
		release := make(chan struct{})
		first, second := holdsClass(t, a, keys[0], release), holdsClass(t, b, keys[1], release)
		n := lockedClasses(t, server, schema)
		close(release)
		if err := errors.Join(<-first, <-second); err != nil {
			t.Fatal(err)
		}
		if n == 2 {
			return
		}
		if time.Since(began) > 5*time.Second {
			t.Fatalf("%d classes are held by Updates of two keys", n)
		}
	}
}

// guest is the address of a role that may read and write what there is in a schema. A statement
// may grant it more: %[1]s is the role, and %[2]s the schema.
func guest(t *testing.T, server *postgrestest.Server, schema, more string) string {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	role := "r" + schema
	if _, err := admin.Exec(t.Context(), fmt.Sprintf(`create role %[1]s login; grant usage on schema %[2]s to %[1]s;
		grant select, insert, update, delete on %[2]s.entries, %[2]s.common, %[2]s.commits to %[1]s; grant select on %[2]s.version to %[1]s; `+more, role, schema)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		_, _ = admin.Exec(ctx, "drop owned by "+role+"; drop role "+role)
		_ = admin.Close(ctx)
	})
	return strings.Replace(server.URL(""), "postgres@", role+"@", 1)
}

// Who may not lock the tables of an owner, and who finds none, races.
func TestHintsWorkWithoutLockClasses(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	options := postgres.Options{Schema: schema, MaxConns: 4, Logger: quiet}
	owner, err := postgres.Open(t.Context(), server.URL(""), options)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	other, err := postgres.Open(t.Context(), guest(t, server, schema, ""), options)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	together(t, owner, other, 4, 20, "n")
	wantNumber(t, owner, "n", 2*4*20)
}

// A role that may create no tables uses those that their owner has made.
func TestARoleThatMayCreateNothingTakesTurnsByTheFirstClasses(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	options := postgres.Options{Schema: schema, MaxConns: 4, Logger: quiet}
	owner, err := postgres.Open(t.Context(), server.URL(""), options)
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	a, b := two(t, guest(t, server, schema, "grant all on all tables in schema %[2]s to %[1]s"), options)
	const key = "key 0" // of a class beyond the first
	together(t, a, b, 4, 10, key)
	release := make(chan struct{})
	done := holdsClass(t, a, key, release)
	if n := lockedClasses(t, server, schema); n != 1 {
		t.Errorf("%d classes are held", n)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	wantNumber(t, b, key, 2*4*10)
}

func wantNumber(t *testing.T, s storage.Store, key string, want int) {
	t.Helper()
	n := 0
	err := s.View(t.Context(), func(r storage.Reader) error {
		value, err := r.Get(key)
		n, _ = strconv.Atoi(string(value))
		return err
	})
	if err != nil || n != want {
		t.Errorf("%s is %d, %v, want %d", key, n, err, want)
	}
}
