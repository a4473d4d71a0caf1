package postgres_test

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func wantToken(t testing.TB, tokens <-chan struct{}) {
	t.Helper()
	select {
	case <-tokens:
	case <-time.After(10 * time.Second):
		t.Fatal("no one was woken")
	}
}

// Notices sent while no connection listened are lost, so all watchers look then.
func TestALostListenerCountsAsANotice(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	a, b := two(t, server.URL(""), postgres.Options{Schema: schema, MaxConns: 2})
	tokens := storage.Watch(t.Context(), b, "topic")
	wantToken(t, tokens) // it listens now
	storage.Notify(a, "topic")
	wantToken(t, tokens)

	admin, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.WithoutCancel(t.Context()))
	// All sessions of other tests that listen are lost too, as they may be at any time.
	var ended int
	err = admin.QueryRow(t.Context(), "select count(pg_terminate_backend(pid)) from pg_stat_activity where query like 'listen twinplatform_%' or query like 'select pg_notify(%'").Scan(&ended)
	if err != nil || ended < 2 {
		t.Fatalf("%d sessions were ended: %v", ended, err)
	}
	wantToken(t, tokens)
	for range 5 {
		storage.Notify(a, "topic")
		wantToken(t, tokens)
	}
}

func TestNoticesGoPastAPoolerOrNowhere(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	address, err := server.Pooler(3)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no PgBouncer: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b := two(t, server.URL(address), postgres.Options{MaxConns: 2, Pooler: true})
	near, far := storage.Watch(t.Context(), a, "topic"), storage.Watch(t.Context(), b, "topic")
	storage.Notify(a, "topic")
	wantToken(t, near)
	if _, err := addOne(t.Context(), b, "n"); err != nil {
		t.Error(err)
	}
	select {
	case <-far:
		t.Error("a pooler has brought a notice; its sessions are not to be listened to")
	default:
	}

	a, b = two(t, server.URL(address), postgres.Options{MaxConns: 2, Pooler: true, Listen: server.URL("") + "&pool_max_conns=9"})
	far = storage.Watch(t.Context(), b, "topic")
	wantToken(t, far) // it listens, past the pooler
	storage.Notify(a, "topic")
	wantToken(t, far)
}

// BenchmarkNotice measures how long it takes to wake a watcher on another handle.
func BenchmarkNotice(b *testing.B) {
	server := postgrestest.Shared(b)
	schema := server.Schema(b)
	open := func() storage.Store {
		s, err := postgres.Open(b.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 2, Logger: quiet})
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	from, to := open(), open()
	defer from.Close()
	defer to.Close()
	tokens := storage.Watch(b.Context(), to, "topic")
	wantToken(b, tokens)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		storage.Notify(from, "topic")
		wantToken(b, tokens)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
