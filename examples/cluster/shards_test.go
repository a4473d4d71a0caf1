package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
)

// A node over two databases has the accounts of both; one of them alone is refused.
func TestNodeServesAccountsOfSeveralDatabases(t *testing.T) {
	t.Parallel()
	flags, others := shared(t), shared(t)
	one := flags[1]
	flags[1] += "&shard=" + url.QueryEscape(others[1]) + "&spare=" + url.QueryEscape(shared(t)[1])
	n := start(t, flags)
	tower := n.twin("Tower")
	n.stop()
	if err := n.wait(); err != nil {
		t.Fatal(err)
	}
	again := start(t, flags)
	again.call("GET", "/twins/"+tower, "", http.StatusOK)
	err := run(t.Context(), []string{"backup", "-db", one, t.TempDir() + "/b"}, nil, io.Discard, again.log)
	if err == nil || !strings.Contains(err.Error(), "several") {
		t.Errorf("one of the databases alone: %v", err)
	}
	var output, errs bytes.Buffer
	if code, ours := shardCommand(t.Context(), []string{"places", "-db", flags[1]}, &output, &errs); !ours || code != 0 {
		t.Fatalf("places ends with %d: %s", code, errs.String())
	}
	if n := len(regexp.MustCompile(`(?m)^place \S+  (serving|spare)  shard`).FindAllString(output.String(), -1)); n != 3 {
		t.Errorf("places says %s", output.String())
	}
	if code, _ := shardCommand(t.Context(), []string{"move", "-db", flags[1], "home", "nowhere"}, &output, &errs); code == 0 {
		t.Error("a shard was moved nowhere")
	}
}

// Transactions that race with the moves of their shard at PostgreSQL are each made once, at the
// place where the shard is then.
func TestNothingIsLostWhenAShardMovesBetweenDatabases(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	quiet := slog.New(slog.DiscardHandler)
	schemas := []string{server.Schema(t), server.Schema(t), server.Schema(t)}
	process := func() *shards.Store {
		var stores []storage.Store
		for _, schema := range schemas {
			s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, Logger: quiet, MaxConns: 4})
			if err != nil {
				t.Fatal(err)
			}
			stores = append(stores, s)
		}
		s, err := shards.Open(t.Context(), shards.Options{Settle: 2 * time.Second, Spares: stores[2:]}, stores[0], stores[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	mover := process()
	shard := mover.Shards()[0]
	if err := mover.Assign(t.Context(), "ann", shard); err != nil {
		t.Fatal(err)
	}
	ctx := storage.WithAccount(t.Context(), "ann")
	var mu sync.Mutex
	want := make(map[string]string)
	done := make(chan struct{})
	var group sync.WaitGroup
	for w := range 2 {
		node := process()
		group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				own := map[string]string{fmt.Sprintf("writer %d key %d", w, i%50): fmt.Sprint(i)}
				if err := node.Update(ctx, func(writer storage.Writer) error { return putNext(writer, own) }); err != nil {
					t.Errorf("Update: %v", err)
					return
				}
				mu.Lock()
				maps.Copy(want, own)
				want["count"] += "."
				mu.Unlock()
			}
		})
	}
	for range 2 {
		all, err := mover.Places(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if p.State == shards.Spare || p.State == shards.Gone {
				began := time.Now()
				if err := mover.Move(t.Context(), shard, p.Name); err != nil {
					t.Errorf("Move: %v", err)
				}
				t.Logf("moved in %v", time.Since(began))
			}
		}
	}
	close(done)
	group.Wait()
	got := make(map[string]string)
	err := process().View(ctx, func(r storage.Reader) error {
		clear(got)
		for key, value := range r.Scan("", "") {
			if key != storage.HistoryKey {
				got[key] = string(value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(want, got) {
		t.Errorf("after %d changes there are %d; want %v, got %v", len(want["count"]), len(got["count"]), want, got)
	}
}

// putNext puts values and makes a count one longer.
func putNext(w storage.Writer, values map[string]string) error {
	count, err := w.Get("count")
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	for key, value := range values {
		if err := w.Put(key, []byte(value)); err != nil {
			return err
		}
	}
	return w.Put("count", append(append([]byte{}, count...), '.'))
}
