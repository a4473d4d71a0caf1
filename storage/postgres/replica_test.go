package postgres_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// follow starts a server and as many that follow it, whose commits do not wait for these.
func follow(t *testing.T, standbys int) (primary *postgrestest.Server, all []*postgrestest.Server) {
	t.Helper()
	postgrestest.Shared(t) // or skips
	primary, err := postgrestest.Start("fsync=off", "full_page_writes=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(primary.Stop)
	for range standbys {
		standby, err := primary.Standby("fsync=off")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(standby.Stop)
		all = append(all, standby)
	}
	runSQL(t, primary, "alter system set synchronous_standby_names = ''", "select pg_reload_conf()")
	return primary, all
}

// runSQL runs statements at a server.
func runSQL(t *testing.T, server *postgrestest.Server, statements ...string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.WithoutCancel(t.Context()))
	for _, statement := range statements {
		if _, err := c.Exec(t.Context(), statement); err != nil {
			t.Fatal(statement, ": ", err)
		}
	}
}

// over opens a store of a server with a replica.
func over(t testing.TB, primary, replica *postgrestest.Server, schema string) storage.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), primary.URL(""), postgres.Options{
		Schema: schema, MaxConns: 4, Replica: replica.URL(""), Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// replicaViews are the Views that the replica has answered, and left.
func replicaViews(s storage.Store) (answered, passed int64) {
	stats, _ := storage.StatsOf(s)
	return stats.Remote.ReplicaViews, stats.Remote.ReplicaPassed
}

// readUntil reads a key, which has one value all the time, until a condition holds.
func readUntil(t *testing.T, s storage.Store, key, value string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); {
		if time.Since(began) > 20*time.Second {
			answered, passed := replicaViews(s)
			t.Fatalf("the replica has answered %d Views, and left %d", answered, passed)
		}
		wantText(t, s, key, value)
	}
}

func wantText(t *testing.T, s storage.Store, key, want string) {
	t.Helper()
	var value []byte
	err := s.View(t.Context(), func(r storage.Reader) (err error) { value, err = r.Get(key); return err })
	if err != nil || string(value) != want {
		t.Errorf("%s is %q, %v, want %q", key, value, err, want)
	}
}

func putText(t *testing.T, s storage.Store, key, value string) {
	t.Helper()
	if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key, []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func TestPromisesHoldWithReplica(t *testing.T) {
	t.Parallel()
	primary, standbys := follow(t, 1)
	var mu sync.Mutex
	var answered, passed int64
	opened := func(t testing.TB, schema string) storage.Store {
		s := over(t, primary, standbys[0], schema)
		t.Cleanup(func() {
			yes, no := replicaViews(s)
			mu.Lock()
			answered, passed = answered+yes, passed+no
			mu.Unlock()
		})
		return s
	}
	t.Run("suites", func(t *testing.T) {
		t.Run("promises", func(t *testing.T) {
			t.Parallel()
			storagetest.Run(t, storagetest.Engine{New: func(t testing.TB) storage.Store { return opened(t, primary.Schema(t)) }})
		})
		t.Run("handles", func(t *testing.T) {
			t.Parallel()
			storagetest.RunHandles(t, func(t testing.TB) func() storage.Store {
				schema := primary.Schema(t)
				return func() storage.Store { return opened(t, schema) }
			})
		})
	})
	if t.Logf("the replica answered %d Views, and left %d", answered, passed); answered == 0 {
		t.Error("the replica has answered no View")
	}
}

// Both stores write and read at once, each what the other has just written.
func TestReplicaShowsAllThatWasAcknowledgedByOthers(t *testing.T) {
	t.Parallel()
	primary, standbys := follow(t, 1)
	a, b := over(t, primary, standbys[0], "twin"), over(t, primary, standbys[0], "twin")
	defer a.Close()
	defer b.Close()
	putText(t, a, "n", "0")
	readUntil(t, b, "n", "0", func() bool { answered, _ := replicaViews(b); return answered > 0 })
	var writers sync.WaitGroup
	stop := make(chan struct{})
	writers.Go(func() { // so that the replica is always a bit behind
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
				putText(t, a, "other", fmt.Sprint(n))
			}
		}
	})
	for n := range 300 {
		putText(t, a, "n", strconv.Itoa(n))
		wantText(t, b, "n", strconv.Itoa(n))
	}
	close(stop)
	writers.Wait()
	answered, passed := replicaViews(b)
	t.Logf("the replica answered %d Views, and left %d", answered, passed)
}

func TestDatabaseAnswersWhileReplicaStandsStill(t *testing.T) {
	t.Parallel()
	primary, standbys := follow(t, 1)
	s := over(t, primary, standbys[0], "twin")
	defer s.Close()
	putText(t, s, "a", "before")
	readUntil(t, s, "a", "before", func() bool { answered, _ := replicaViews(s); return answered > 0 })
	runSQL(t, standbys[0], "select pg_wal_replay_pause()")
	putText(t, s, "a", "behind")
	_, left := replicaViews(s)
	readUntil(t, s, "a", "behind", func() bool { _, passed := replicaViews(s); return passed > left })
	still, _ := replicaViews(s)
	for range 20 {
		wantText(t, s, "a", "behind")
	}
	if answered, _ := replicaViews(s); answered != still {
		t.Errorf("a replica that stands still answered %d Views", answered-still)
	}
	runSQL(t, standbys[0], "select pg_wal_replay_resume()")
	readUntil(t, s, "a", "behind", func() bool { answered, _ := replicaViews(s); return answered > still })
	standbys[0].Stop()
	putText(t, s, "a", "gone")
	for range 20 {
		wantText(t, s, "a", "gone")
	}
}

// A standby that was promoted has a history of its own from then on.
func TestPromotedReplicaAnswersNothing(t *testing.T) {
	t.Parallel()
	primary, standbys := follow(t, 1)
	s := over(t, primary, standbys[0], "twin")
	defer s.Close()
	putText(t, s, "a", "ours")
	readUntil(t, s, "a", "ours", func() bool { answered, _ := replicaViews(s); return answered > 0 })
	if err := standbys[0].Promote(); err != nil {
		t.Fatal(err)
	}
	stray, err := postgres.Open(t.Context(), standbys[0].URL(""), postgres.Options{Schema: "twin", Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer stray.Close()
	for n := range 50 {
		putText(t, stray, "a", fmt.Sprint("theirs ", n))
		wantText(t, s, "a", "ours")
	}
}

// A standby may have more of a database that is lost than the one that was promoted in its
// place: what is only there never was.
func TestReplicaOfLostTimelineAnswersNothing(t *testing.T) {
	t.Parallel()
	primary, standbys := follow(t, 2)
	heir, ahead := standbys[0], standbys[1]
	s := over(t, primary, ahead, "twin")
	putText(t, s, "a", "kept")
	readUntil(t, s, "a", "kept", func() bool { answered, _ := replicaViews(s); return answered > 0 })
	awaitText(t, heir, "kept")
	runSQL(t, heir, "alter system set primary_conninfo = ''", "select pg_reload_conf()")
	awaitNoReceiver(t, heir)
	for n := range 200 { // more than the promotion will write
		putText(t, s, "filler", fmt.Sprint(n))
	}
	putText(t, s, "a", "lost")
	awaitText(t, ahead, "lost")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	primary.Stop()
	if err := heir.Promote(); err != nil {
		t.Fatal(err)
	}
	s = over(t, heir, ahead, "twin")
	defer s.Close()
	for range 50 {
		wantText(t, s, "a", "kept")
	}
	if answered, _ := replicaViews(s); answered != 0 {
		t.Errorf("the replica of the lost timeline answered %d Views", answered)
	}
}

// awaitText waits until a standby shows a value of a.
func awaitText(t *testing.T, server *postgrestest.Server, want string) {
	t.Helper()
	await(t, server, "select count(*) from twin.entries where scope = 'a' and v = '"+want+"'")
}

// awaitNoReceiver waits until a standby receives nothing more.
func awaitNoReceiver(t *testing.T, server *postgrestest.Server) {
	t.Helper()
	await(t, server, "select 1 - count(*) from pg_stat_wal_receiver")
}

// await waits until a query has the answer 1.
func await(t *testing.T, server *postgrestest.Server, query string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.WithoutCancel(t.Context()))
	for began := time.Now(); ; {
		n := 0
		if err := c.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			return
		}
		if time.Since(began) > 30*time.Second {
			t.Fatal("the answer is never 1: ", query)
		}
	}
}
