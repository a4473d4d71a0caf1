package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// A commit that waits for a standby is there at the primary as soon as its session no longer
// waits, for whatever reason. As long as no standby has it a failover loses it, so that it is
// not acknowledged; once one has it, it is.
//
//nolint:paralleltest // the cases change a setting of one server
func TestACommitThatNoStandbyHasIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts two servers")
	}
	postgrestest.Shared(t) // or skips
	primary, err := postgrestest.Start("wal_level=replica")
	if err != nil {
		t.Fatal(err)
	}
	defer primary.Stop()
	standby, err := primary.Standby()
	if err != nil {
		t.Fatal(err)
	}
	defer standby.Stop()
	admin, err := pgx.Connect(t.Context(), primary.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close(t.Context()) }()
	exec := func(sql string) {
		t.Helper()
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	waiting := func() (n int) {
		if err := admin.QueryRow(t.Context(), "select count(*) from pg_stat_activity where wait_event = 'SyncRep'").Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	for name, give := range map[string]func(){
		"the process gives up":         func() {},
		"the session is ended":         func() { exec("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'") },
		"the wait is cancelled":        func() { exec("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'") },
		"the standby has it after all": func() { exec("alter system set synchronous_standby_names = '*'"); exec("select pg_reload_conf()") },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := postgres.Open(t.Context(), primary.URL(""), postgres.Options{Patience: time.Second, Logger: quiet})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				exec("alter system set synchronous_standby_names = '*'")
				exec("select pg_reload_conf()")
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			exec("alter system set synchronous_standby_names = 'absent'")
			exec("select pg_reload_conf()")
			outcome := make(chan error, 1)
			go func() {
				outcome <- s.Update(t.Context(), func(w storage.Writer) error { return w.Put(name, []byte("done")) })
			}()
			for began := time.Now(); waiting() == 0; time.Sleep(10 * time.Millisecond) {
				if time.Since(began) > 20*time.Second {
					t.Fatal("no commit waits for the standby")
				}
			}
			give()
			switch err := <-outcome; {
			case name == "the standby has it after all" && err != nil:
				t.Errorf("a standby has the commit, and it fails with %v", err)
			case name != "the standby has it after all" && !errors.Is(err, storage.ErrUnknown):
				t.Errorf("no standby has the commit, and its outcome is %v", err)
			}
		})
	}
}

// A primary that was suspended and wakes after its standby was promoted takes itself for the
// primary. What is read shows what was written meanwhile, by new connections and by those of
// before.
func TestAPrimaryThatWasReplacedAnswersNoReads(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts two servers")
	}
	postgrestest.Shared(t) // or skips
	old, err := postgrestest.Start("wal_level=replica")
	if err != nil {
		t.Fatal(err)
	}
	defer old.Stop()
	standby, err := old.Standby()
	if err != nil {
		t.Fatal(err)
	}
	defer standby.Stop()
	const patience = 2 * time.Second
	open := func(url string) storage.Store {
		t.Helper()
		s, err := postgres.Open(t.Context(), url, postgres.Options{Patience: patience, MaxConns: 2, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // or what is open ends with its server
		return s
	}
	put := func(s storage.Store, value string) {
		t.Helper()
		if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("key", []byte(value)) }); err != nil {
			t.Fatal(err)
		}
	}
	reads := func(s storage.Store) (value string) {
		t.Helper()
		err := s.View(t.Context(), func(r storage.Reader) error {
			v, err := r.Get("key")
			value = string(v)
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return value
	}
	both := old.URL(old.Address+","+standby.Address) + "&target_session_attrs=read-write&connect_timeout=1"
	before := open(both)
	put(before, "old")
	if err := standby.Promote(); err != nil {
		t.Fatal(err)
	}
	put(open(standby.URL("")), "new")
	if got := reads(open(both)); got != "new" {
		t.Errorf("a new connection shows %q", got)
	}
	<-time.After(patience) // for which a suspended server does not answer
	if got := reads(before); got != "new" {
		t.Errorf("a connection of before shows %q", got)
	}
}
