package postgres_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestStatsCountCommitsRetriesAndConnections(t *testing.T) {
	t.Parallel()
	s := postgrestest.Shared(t).Open(t, postgres.Options{MaxConns: 2, Logger: quiet})
	for i := range 3 {
		if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("k", []byte(strconv.Itoa(i))) }); err != nil {
			t.Fatal(err)
		}
	}
	// Another writes what the first run has read.
	runs := 0
	err := s.Update(t.Context(), func(w storage.Writer) error {
		if _, err := w.Get("k"); err != nil {
			return err
		}
		if runs++; runs == 1 {
			if err := s.Update(context.WithoutCancel(t.Context()), func(w storage.Writer) error { return w.Put("k", []byte("theirs")) }); err != nil {
				return err
			}
		}
		return w.Put("k", []byte("ours"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), func(storage.Writer) error { return errors.New("its own") }); err == nil {
		t.Error("an Update that failed succeeded")
	}
	stats, ok := storage.StatsOf(s)
	if !ok || stats.Remote == nil {
		t.Fatalf("no stats: %+v", stats)
	}
	r := stats.Remote
	if stats.Commits != 5 || r.Retries != 1 || r.Broken != 0 || r.Unknown != 0 || r.Connections < 1 || r.InUse > r.Connections || r.MostConnections != 4 {
		t.Errorf("%d commits, %+v", stats.Commits, *r)
	}
}

func TestStatsCountWhoWaitsAtAHotKey(t *testing.T) {
	t.Parallel()
	a, b := two(t, postgrestest.Shared(t).URL(""), postgres.Options{MaxConns: 4})
	together(t, a, b, 4, 20, "n")
	var waits int64
	for _, s := range []storage.Store{a, b} {
		stats, _ := storage.StatsOf(s)
		waits += stats.Remote.Waits
		if (stats.Remote.Waits > 0) != (stats.Remote.Waited > 0) {
			t.Errorf("%d Updates waited for %v", stats.Remote.Waits, stats.Remote.Waited)
		}
	}
	if waits == 0 {
		t.Error("of eight writers of one key none has waited")
	}
}
