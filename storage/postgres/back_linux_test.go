package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

const (
	// standstill is longer than a call waits for its database.
	standstill = 11 * time.Second
	// backWithin is the promise of one second, and one more for a machine that does other things, too.
	backWithin = 2 * time.Second
)

// passage leads to a server while it is open. Connections that it took while it was shut lead nowhere.
type passage struct {
	server   string
	listener net.Listener
	cuts     bool // it closes connections while it is shut; else it says nothing
	taken    atomic.Int64

	mu    sync.Mutex // guards the fields below
	shut  bool
	heard bool // what is said to the server still arrives while it is shut
	conns []net.Conn
}

func newPassage(t *testing.T, server string, cuts bool) *passage {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &passage{server: server, listener: l, cuts: cuts}
	t.Cleanup(func() {
		_ = l.Close()
		p.set(true, true)
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.taken.Add(1)
			p.pass(c)
		}
	}()
	return p
}

// pass takes a connection.
func (p *passage) pass(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, c)
	if p.shut {
		if p.cuts {
			_ = c.Close()
		}
		return
	}
	there, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.server)
	if err != nil {
		_ = c.Close()
		return
	}
	p.conns = append(p.conns, there)
	go p.copy(there, c, true)
	go p.copy(c, there, false)
}

// copy copies what passes while it is open all the time.
func (p *passage) copy(to, from net.Conn, toServer bool) {
	buf := make([]byte, 64<<10)
	lost := false
	for {
		n, err := from.Read(buf)
		if err != nil {
			break
		}
		p.mu.Lock()
		lost = lost || p.shut && !(toServer && p.heard)
		p.mu.Unlock()
		if !lost {
			_, _ = to.Write(buf[:n])
		}
	}
	if !lost {
		_, _ = to.Close(), from.Close()
	}
}

// set shuts or opens it, and closes all connections where they are to be cut.
func (p *passage) set(shut, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = shut
	if cut {
		for _, c := range p.conns {
			_ = c.Close()
		}
		p.conns = nil
	}
}

// fault is what happens to a database.
type fault struct {
	options postgres.Options
	address string       // by which it is reached
	begin   func() error // after which it does not answer
	end     func() error
}

// faults are all of them, each for a server of its own.
var faults = map[string]func(*testing.T, *postgrestest.Server) fault{
	"the database stood still": func(_ *testing.T, s *postgrestest.Server) fault {
		return fault{
			begin: func() error { return s.Signal(syscall.SIGSTOP) },
			end:   func() error { return s.Signal(syscall.SIGCONT) },
		}
	},
	"it stood still and connections were cut": func(t *testing.T, s *postgrestest.Server) fault {
		p := newPassage(t, s.Address, true)
		return fault{
			address: p.listener.Addr().String(),
			begin:   func() error { return s.Signal(syscall.SIGSTOP) },
			end: func() error {
				err := s.Signal(syscall.SIGCONT)
				for range 20 {
					p.set(false, true)
					<-time.After(200 * time.Millisecond)
				}
				return err
			},
		}
	},
	"connections were cut": func(t *testing.T, s *postgrestest.Server) fault {
		return shuts(newPassage(t, s.Address, true))
	},
	"connections were lost without a word": func(t *testing.T, s *postgrestest.Server) fault {
		return shuts(newPassage(t, s.Address, false))
	},
	"the pooler was restarted": func(t *testing.T, s *postgrestest.Server) fault {
		address, err := s.Pooler(4)
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("no PgBouncer: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		var again func() error
		return fault{
			options: postgres.Options{Pooler: true},
			address: address,
			begin: func() (err error) {
				again, err = s.StopPooler(address)
				return err
			},
			end: func() error { return again() },
		}
	},
	"the walwriter stood still": func(t *testing.T, s *postgrestest.Server) fault {
		return fault{
			begin: func() error { return stopInTheLog(t, s) },
			end:   func() error { return s.SignalChild("walwriter", syscall.SIGCONT) },
		}
	},
}

// stopInTheLog stops the walwriter while it holds the log, so that no commit ends.
func stopInTheLog(t *testing.T, s *postgrestest.Server) error {
	for range 500 {
		if err := s.SignalChild("walwriter", syscall.SIGSTOP); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		c, err := pgx.Connect(ctx, s.URL(""))
		if err == nil {
			_, err = c.Exec(ctx, "select pg_logical_emit_message(true, 'test', '')")
			_ = c.Close(ctx)
		}
		cancel()
		if err != nil {
			return nil
		}
		if err := s.SignalChild("walwriter", syscall.SIGCONT); err != nil {
			return err
		}
	}
	t.Skip("the walwriter never stood still while it held the log")
	return nil
}

func shuts(p *passage) fault {
	return fault{
		address: p.listener.Addr().String(),
		begin: func() error {
			p.set(true, p.cuts)
			return nil
		},
		end: func() error {
			p.set(false, false)
			return nil
		},
	}
}

func TestNoCallIsRefusedOnceTheDatabaseAnswersAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("stops a server for a while, several times")
	}
	postgrestest.Shared(t) // or skips
	for name, of := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := postgrestest.Start("wal_writer_delay=1ms", "wal_writer_flush_after=0")
			if err != nil {
				t.Fatal(err)
			}
			defer server.Stop()
			f := of(t, server)
			f.options.MaxConns, f.options.Logger = 4, quiet
			s, err := postgres.Open(t.Context(), server.URL(f.address), f.options)
			if err != nil {
				t.Fatal(err)
			}
			u := newUsers(s, 12)
			u.settle(t)
			if err := f.begin(); err != nil {
				t.Fatal(err)
			}
			<-time.After(standstill)
			if err := f.end(); err != nil {
				t.Fatal(err)
			}
			answered := answers(t, server.URL(f.address))
			<-time.After(backWithin - time.Since(answered))
			u.settle(t)
			u.stop()
			u.check(t, answered)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// However many calls wait for a database that is lost, it gets few attempts: else those that were given up
// are before the good ones once it is back.
func TestALostDatabaseGetsFewAttempts(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for name, cuts := range map[string]bool{"cut": true, "without a word": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPassage(t, server.Address, cuts)
			s, err := postgres.Open(t.Context(), server.URL(p.listener.Addr().String()), postgres.Options{
				Schema: server.Schema(t), MaxConns: 4, Patience: time.Second, Logger: quiet,
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := addOne(t.Context(), s, "n"); err != nil {
				t.Fatal(err)
			}
			p.set(true, cuts)
			p.taken.Store(0)
			began := time.Now()
			var calls sync.WaitGroup
			for range 32 {
				calls.Go(func() {
					err := s.View(context.Background(), func(r storage.Reader) error {
						_, err := r.Get("n")
						return err
					})
					if !errors.Is(err, storage.ErrUnavailable) {
						t.Errorf("a call without a database: %v", err)
					}
				})
			}
			calls.Wait()
			// Those of the pool, as many outside it, a request to cancel for each; and then one at a time.
			most := 16 + 10*int64(1+time.Since(began)/time.Second)
			if n := p.taken.Load(); n > most {
				t.Errorf("32 calls made %d attempts in %v, want %d at most", n, time.Since(began), most)
			}
			p.set(false, true)
			if _, err := addOne(t.Context(), s, "n"); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The answer to a commit is lost, and the database is out of reach for longer than a call waits for it.
// Once it is back, the row that the commit wrote tells what came of it.
func TestWhatCameOfACommitIsLookedUpOnceTheDatabaseIsBack(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for name, committed := range map[string]bool{"committed": true, "lost": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPassage(t, server.Address, false)
			p.mu.Lock()
			p.heard = committed
			p.mu.Unlock()
			const patience = time.Second / 2
			s, err := postgres.Open(t.Context(), server.URL(p.listener.Addr().String()), postgres.Options{
				Schema: server.Schema(t), MaxConns: 2, Patience: patience, Logger: quiet,
			})
			if err != nil {
				t.Fatal(err)
			}
			runs := 0
			err = s.Update(t.Context(), func(w storage.Writer) error {
				if _, err := w.Get("n"); !errors.Is(err, storage.ErrNotFound) {
					return err
				}
				if runs++; runs == 1 {
					p.set(true, false)
					time.AfterFunc(5*patience/2, func() { p.set(false, false) })
				}
				return w.Put("n", []byte("made"))
			})
			if err != nil {
				t.Errorf("the outcome: %v", err)
			}
			if want := map[bool]int{true: 1, false: 2}[committed]; runs != want {
				t.Errorf("the function ran %d times, want %d", runs, want)
			}
			p.set(false, true) // what was lost holds nothing any more
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// answers waits until a database answers someone who has not waited for it before.
func answers(t *testing.T, url string) time.Time {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		c, err := pgx.Connect(ctx, url)
		if err == nil {
			_ = c.Close(ctx)
			cancel()
			return time.Now()
		}
		cancel()
	}
}

// users read and write all the time.
type users struct {
	store  storage.Store
	ended  chan struct{}
	served []chan struct{} // get something for each call that is answered, if the last was taken
	group  sync.WaitGroup

	mu    sync.Mutex // guards calls
	calls []userCall
}

// userCall is a call that has failed or taken long.
type userCall struct {
	began, ended time.Time
	err          error
}

func newUsers(s storage.Store, n int) *users {
	u := &users{store: s, ended: make(chan struct{}), served: make([]chan struct{}, n)}
	for i := range n {
		u.served[i] = make(chan struct{}, 1)
		u.group.Go(func() { u.use(i) })
	}
	return u
}

// use reads by a user with an even number, and writes by one with an odd one.
func (u *users) use(i int) {
	key := fmt.Sprintf("user-%d/n", i)
	for {
		select {
		case <-u.ended:
			return
		default:
		}
		c := userCall{began: time.Now()}
		if i%2 == 0 {
			c.err = u.store.View(context.Background(), func(r storage.Reader) error {
				if _, err := r.Get(key); !errors.Is(err, storage.ErrNotFound) {
					return err
				}
				return nil
			})
		} else {
			c.err = u.store.Update(context.Background(), func(w storage.Writer) error { return w.Put(key, []byte("n")) })
		}
		if c.ended = time.Now(); c.err == nil {
			select {
			case u.served[i] <- struct{}{}:
			default:
			}
		}
		if c.err != nil || c.ended.Sub(c.began) > backWithin/4 {
			u.mu.Lock()
			u.calls = append(u.calls, c)
			u.mu.Unlock()
		}
	}
}

// settle waits until each has had two answers from now on.
func (u *users) settle(t *testing.T) {
	t.Helper()
	for range 2 {
		for i, served := range u.served {
			select {
			case <-served:
			case <-time.After(30 * time.Second):
				t.Fatalf("user %d is not answered", i)
			}
		}
	}
}

func (u *users) stop() {
	close(u.ended)
	u.group.Wait()
}

// check makes sure that no call has waited or was refused for too long after a moment.
func (u *users) check(t *testing.T, answered time.Time) {
	t.Helper()
	refused := 0
	var last time.Duration
	for _, c := range u.calls {
		after := c.ended.Sub(answered)
		last = max(last, after)
		if c.err != nil {
			refused++
		}
		if after > backWithin {
			t.Errorf("a call that began %v after the database had answered ended %v after it, with %v",
				c.began.Sub(answered).Round(time.Millisecond), after.Round(time.Millisecond), c.err)
		}
	}
	t.Logf("%d calls were refused; the last one that was refused or slow ended %v after the database had answered",
		refused, last.Round(time.Millisecond))
	if len(u.calls) == 0 {
		t.Error("no call has noticed the fault")
	}
}
