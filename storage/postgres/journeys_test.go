package postgres_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// toll counts the journeys to a server by what is sent to it: each ends with a Sync. No
// one waits for the end of a transaction that is given up, and it is not counted.
type toll struct {
	mu       sync.Mutex
	journeys int
}

func (c *toll) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.journeys
	c.journeys = 0
	return n
}

// listen passes connections on to a server, and returns its own address.
func (c *toll) listen(t *testing.T, server string) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.pass(client, server)
		}
	}()
	return l.Addr().String()
}

func (c *toll) pass(client net.Conn, server string) {
	defer client.Close()
	up, err := new(net.Dialer).DialContext(context.Background(), "tcp", server)
	if err != nil {
		return
	}
	defer up.Close()
	go func() {
		_, _ = io.Copy(client, up)
		client.Close()
	}()
	_ = c.forward(client, up)
}

// forward passes on what a client sends: its start, which has no type, and then messages.
// A message is counted before it is sent, so that a caller that has an answer finds it
// counted.
func (c *toll) forward(r io.Reader, w io.Writer) error {
	ends := false
	for head := 4; ; head = 5 {
		message := make([]byte, head)
		if _, err := io.ReadFull(r, message); err != nil {
			return err
		}
		length := binary.BigEndian.Uint32(message[head-4:]) // with its own four bytes
		message = append(message, make([]byte, length-4)...)
		if _, err := io.ReadFull(r, message[head:]); err != nil {
			return err
		}
		switch {
		case head == 4: // says who it is
		case message[0] == 'B':
			ends = ends || bytes.Contains(message, []byte("\x00twinplatform_rollback\x00"))
		case message[0] == 'S':
			c.mu.Lock()
			if !ends {
				c.journeys++
			}
			c.mu.Unlock()
			ends = false
		}
		if _, err := w.Write(message); err != nil {
			return err
		}
	}
}

func TestJourneysAreThoseThatTestsCount(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	var c toll
	schema := server.Schema(t)
	real, err := postgres.Open(t.Context(), server.URL(c.listen(t, server.Address)), postgres.Options{Schema: schema, MaxConns: 1, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer real.Close()
	model := distant.Over(memory.New())
	defer model.Close()
	write := func(s storage.Store, n int) error {
		return s.Update(t.Context(), func(w storage.Writer) error {
			for i := range n {
				if err := w.Put(key(i), []byte("value")); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, s := range []storage.Store{real, model} {
		if err := write(s, 3000); err != nil {
			t.Fatal(err)
		}
	}
	all := func(r storage.Reader, prefix string) error {
		for range r.Scan(prefix, "") { // it is the reading that counts
		}
		return nil
	}
	for _, tt := range []struct {
		name string
		want int
		do   func(s storage.Store) error
	}{
		{"nothing", 0, func(s storage.Store) error {
			return s.View(t.Context(), func(storage.Reader) error { return nil })
		}},
		{"the history alone", 1, func(s storage.Store) error {
			return s.View(t.Context(), func(r storage.Reader) error { _, err := storage.History(s, r); return err })
		}},
		{"two gets", 2, func(s storage.Store) error {
			return s.View(t.Context(), func(r storage.Reader) error {
				_, one := r.Get(key(1))
				_, other := r.Get(key(2))
				return errors.Join(one, other)
			})
		}},
		{"two gets that are read ahead", 1, func(s storage.Store) error {
			return s.View(t.Context(), func(r storage.Reader) error {
				ahead := storage.Prefetch(r, []string{key(1), key(2)}, storage.Range{Prefix: "none"})
				_, one := r.Get(key(1))
				_, other := r.Get(key(2))
				return errors.Join(ahead, one, other, all(r, "none"))
			})
		}},
		{"a read that is followed by a write", 2, func(s storage.Store) error {
			return s.Update(t.Context(), func(w storage.Writer) error {
				if _, err := w.Get(key(1)); err != nil {
					return err
				}
				return w.Put(key(1), []byte("other"))
			})
		}},
		{"an update that only reads", 2, func(s storage.Store) error {
			return s.Update(t.Context(), func(w storage.Writer) error { _, err := w.Get(key(1)); return err })
		}},
		{"an update that fails", 1, func(s storage.Store) error {
			err := s.Update(t.Context(), func(w storage.Writer) error {
				_, err := w.Get("missing")
				return err
			})
			if !errors.Is(err, storage.ErrNotFound) {
				return fmt.Errorf("a missing key: %w", err)
			}
			return nil
		}},
		{"writes alone", 2, func(s storage.Store) error { return write(s, 2000) }},
		{"a long scan", 4, func(s storage.Store) error {
			return s.View(t.Context(), func(r storage.Reader) error { return all(r, "key ") })
		}},
		{"a scan of so many", 1, func(s storage.Store) error {
			return s.View(t.Context(), func(r storage.Reader) error {
				for range storage.ScanLimit(r, "key ", "", 500) { // it is the reading that counts
				}
				return nil
			})
		}},
		{"1,000 short scans that are read ahead", 1, func(s storage.Store) error {
			return s.View(t.Context(), func(r storage.Reader) error {
				var ranges []storage.Range
				for i := range 1000 {
					ranges = append(ranges, storage.Range{Prefix: key(i), Limit: 16})
				}
				if err := storage.Prefetch(r, nil, ranges...); err != nil {
					return err
				}
				for i := range 1000 {
					if err := all(r, key(i)); err != nil {
						return err
					}
				}
				return nil
			})
		}},
	} {
		model.Journeys()
		if err := tt.do(model); err != nil {
			t.Errorf("%s: the model: %v", tt.name, err)
		}
		c.take()
		if err := tt.do(real); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if counted, took := model.Journeys(), c.take(); counted != tt.want || took != tt.want {
			t.Errorf("%s: the model counts %d journeys, %d are made, want %d", tt.name, counted, took, tt.want)
		}
	}
}
