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
