package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// starts is a database that refuses so many sessions as one does that is starting, with a
// code, and then passes them on to a server. It returns its address.
func starts(t *testing.T, server *postgrestest.Server, refuses int64, code string) (address string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var sessions atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if sessions.Add(1) <= refuses {
				refuse(c, code)
				continue
			}
			there, err := new(net.Dialer).DialContext(context.Background(), "tcp", server.Address)
			if err != nil {
				_ = c.Close()
				continue
			}
			go func() { _, _ = io.Copy(there, c); _ = there.Close() }()
			go func() { _, _ = io.Copy(c, there); _ = c.Close() }()
		}
	}()
	return l.Addr().String()
}

// refuse answers the first message of a session with a fatal error.
func refuse(c net.Conn, code string) {
	defer func() { _ = c.Close() }()
	_, _ = c.Read(make([]byte, 1024))
	fields := "SFATAL\x00VFATAL\x00C" + code + "\x00Mthe database system is starting up\x00\x00"
	_, _ = c.Write(append(binary.BigEndian.AppendUint32([]byte{'E'}, uint32(4+len(fields))), fields...))
}

func TestOpenWaitsForADatabaseThatIsStarting(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for name, code := range map[string]string{"starting": "57P03", "ending": "57P01", "crashed": "57P02"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logs strings.Builder
			s, err := postgres.Open(t.Context(), server.URL(starts(t, server, 3, code)), postgres.Options{
				Schema: server.Schema(t), MaxConns: 1, Logger: slog.New(slog.NewTextHandler(&logs, nil)),
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if n := strings.Count(logs.String(), "waiting for the database"); n != 1 {
				t.Errorf("it is logged %d times that Open waits:\n%s", n, &logs)
			}
		})
	}
}

func TestOpenWaitsNoLongerThanItsOption(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for name, startup := range map[string]time.Duration{"for a moment": 300 * time.Millisecond, "not at all": -1} {
		s, err := postgres.Open(t.Context(), server.URL(starts(t, server, 1_000_000, "57P03")), postgres.Options{Startup: startup, Logger: quiet})
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "starting up") {
			t.Errorf("%s: %v, want what the database says", name, err)
		}
	}
}

// A standby takes the schema once it is promoted.
func TestOpenWaitsForAStandbyToBePromoted(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t) // or skips
	primary, err := postgrestest.Start("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	defer primary.Stop()
	standby, err := primary.Standby("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	defer standby.Stop()
	promote := promoting(t, standby)
	s, err := postgres.Open(t.Context(), standby.URL(""), postgres.Options{Logger: slog.New(promote)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("a", nil) }); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// promotes is a handler of logs that promotes a standby when Open says that it waits for it.
type promotes struct {
	slog.Handler

	t       *testing.T
	standby *postgrestest.Server
}

func promoting(t *testing.T, standby *postgrestest.Server) promotes {
	return promotes{slog.DiscardHandler, t, standby}
}

func (p promotes) Enabled(context.Context, slog.Level) bool { return true }

func (p promotes) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "waiting for the database") {
		if err := p.standby.Promote(); err != nil {
			p.t.Error(err)
		}
	}
	return nil
}

// What runs again is no error at the database, and other errors of others are.
func TestLostRacesAreNoErrorsInTheLogOfTheDatabase(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t) // or skips
	server, err := postgrestest.Start("fsync=off", "log_min_messages=warning", "logging_collector=on")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	a, b := two(t, server.URL(""), postgres.Options{Schema: "races", MaxConns: 8})
	race(t, a, b)
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.WithoutCancel(t.Context()))
	if _, err := c.Exec(t.Context(), "select 1 from not_there"); err == nil {
		t.Error("a table is there that was never made")
	}
	var log string
	for began := time.Now(); !strings.Contains(log, "not_there"); { // it is written by another process
		if err := c.QueryRow(t.Context(), "select pg_read_file(pg_current_logfile())").Scan(&log); err != nil {
			t.Fatal(err)
		}
		if time.Since(began) > 20*time.Second {
			t.Fatalf("the log of the database is not the one that was read:\n%s", log)
		}
	}
	if strings.Contains(log, "could not serialize") {
		t.Errorf("lost races are errors in the log of the database:\n%s", log)
	}
}

// race lets an Update lose to another.
func race(t *testing.T, a, b storage.Store) {
	t.Helper()
	runs := 0
	err := a.Update(t.Context(), func(w storage.Writer) error {
		if runs++; runs == 1 {
			if _, err := w.Get("n"); !errors.Is(err, storage.ErrNotFound) {
				return err
			}
			if _, err := addOne(context.WithoutCancel(t.Context()), b, "n"); err != nil {
				return err
			}
		}
		return w.Put("n", []byte("7"))
	})
	if stats, _ := storage.StatsOf(a); err != nil || stats.Remote.Retries == 0 {
		t.Fatalf("no race was lost: %v", err)
	}
}
