package postgres_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestOpenNamesTheFaultAndNoPassword(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if _, err := c.Exec(t.Context(), "update "+schema+".version set n = 99"); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ url, want string }{
		"no address":       {"postgres://twin:secret@[", "parse"},
		"no server":        {"postgres://twin:secret@127.0.0.1:1/twin?sslmode=disable", "connect"},
		"no database":      {strings.Replace(server.URL(""), "/postgres?", "/missing?", 1), "missing"},
		"of a later time":  {server.URL(""), "version 99"},
		"no such security": {strings.Replace(server.URL(""), "sslmode=disable", "sslmode=require", 1), "TLS"},
	} {
		_, err := postgres.Open(t.Context(), test.url, postgres.Options{Schema: schema})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want one that names %q", name, err, test.want)
		}
	}
}

func TestADatabaseThatIsGoneIsUnavailableAfterPatience(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t) // or skips
	server, err := postgrestest.Start("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Patience: 100 * time.Millisecond, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	server.Stop()
	err = s.View(t.Context(), func(r storage.Reader) error { _, err := r.Get("a"); return err })
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("View = %v, want ErrUnavailable", err)
	}
	err = s.Update(t.Context(), func(w storage.Writer) error { return w.Put("a", nil) })
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Update = %v, want ErrUnavailable", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = s.Update(ctx, func(w storage.Writer) error { cancel(); return w.Put("a", nil) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update = %v, want the error of its context", err)
	}
}

func TestTransactionsThatWaitForOneAnotherEnd(t *testing.T) {
	t.Parallel()
	s := postgrestest.Shared(t).Open(t, postgres.Options{MaxConns: 2, Patience: time.Second, Logger: quiet})
	defer s.Close()
	// Each holds a connection and makes another View within: four fit, outside the pool
	// too.
	var nested func(depth int) error
	nested = func(depth int) error {
		return s.View(t.Context(), func(r storage.Reader) error {
			if _, err := r.Get(strconv.Itoa(depth)); !errors.Is(err, storage.ErrNotFound) {
				return err
			}
			if depth == 0 {
				return nil
			}
			return nested(depth - 1)
		})
	}
	if err := nested(3); err != nil {
		t.Errorf("four Views within one another: %v", err)
	}
	if err := nested(5); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("six Views within one another: %v, want ErrUnavailable", err)
	}
	if err := nested(0); err != nil {
		t.Errorf("a View afterwards: %v", err)
	}
}

// Transactions that are merely slow hold every connection for a while: others wait for them, and do
// not fail before their patience ends.
func TestACallWaitsForSlowTransactionsThatHoldEveryConnection(t *testing.T) {
	t.Parallel()
	s := postgrestest.Shared(t).Open(t, postgres.Options{MaxConns: 1, Patience: time.Minute, Logger: quiet})
	defer s.Close()
	look := func(then func()) error {
		return s.View(t.Context(), func(r storage.Reader) error {
			if _, err := r.Get("a"); !errors.Is(err, storage.ErrNotFound) {
				return err
			}
			then()
			return nil
		})
	}
	release, ended := make(chan struct{}), make(chan error, 4)
	for range 2 { // one by the pool, and one outside it
		holds := make(chan struct{})
		once := sync.OnceFunc(func() { close(holds) })
		go func() { ended <- look(func() { once(); <-release }) }()
		<-holds
	}
	for range 2 {
		go func() { ended <- look(func() {}) }()
	}
	select {
	case err := <-ended:
		t.Errorf("a View while every connection was held: %v", err)
		ended <- nil
	case <-time.After(time.Second):
	}
	close(release)
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestRowsOfCommitsAreForgotten(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("a", nil) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	var rows int
	if err := c.QueryRow(t.Context(), "select count(*) from "+schema+".commits").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows of commits are left, %v", rows, err)
	}
}
