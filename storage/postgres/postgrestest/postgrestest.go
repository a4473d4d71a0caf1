// Package postgrestest starts a PostgreSQL of their own for tests, on a loopback port and
// in a temporary folder.
package postgrestest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
)

// Server is a running PostgreSQL.
type Server struct {
	// Address is where it listens: host and port.
	Address string
	cmd     *exec.Cmd
	dir     string
	done    chan struct{} // closed when it has ended
}

// the server that the tests of a process share.
var shared = struct {
	sync.Once
	server *Server
	reason error // why there is none
}{}

// Main runs the tests of a package and ends the server that they have shared:
//
//	func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }
func Main(m *testing.M) int {
	defer func() {
		if shared.server != nil {
			shared.server.Stop()
		}
	}()
	return m.Run()
}

// Shared returns the server that the tests of this process share, and skips a test where
// none can be started.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Do(func() { shared.server, shared.reason = Start("fsync=off", "full_page_writes=off") })
	if shared.reason != nil {
		t.Skip("no PostgreSQL: ", shared.reason)
	}
	return shared.server
}

// URL is the address of its database by way of host and port, which may be those of a
// proxy; "" means its own.
func (s *Server) URL(address string) string {
	if address == "" {
		address = s.Address
	}
	return "postgres://postgres@" + address + "/postgres?sslmode=disable"
}

// Open opens a store of the server with a schema of its own, which the test drops.
func (s *Server) Open(t testing.TB, options postgres.Options) storage.Store {
	t.Helper()
	options.Schema = s.Schema(t)
	store, err := postgres.Open(t.Context(), s.URL(""), options)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Schema returns a name for a schema that is dropped with the test.
func (s *Server) Schema(t testing.TB) string {
	t.Helper()
	name := "t_" + strings.ToLower(rand.Text())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, s.URL(""))
		if err != nil {
			return // the server is gone, and the schema with it
		}
		_, err = c.Exec(ctx, "drop schema if exists "+name+" cascade")
		if err := errors.Join(err, c.Close(ctx)); err != nil {
			t.Logf("the schema stays: %v", err)
		}
	})
	return name
}

// Start starts a server with settings such as fsync=off. It fails with the reason where
// that cannot be done.
func Start(settings ...string) (s *Server, err error) {
	initdb, err := find("initdb")
	if err != nil {
		return nil, err
	}
	postgres, err := find("postgres")
	if err != nil {
		return nil, err
	}
	as, owner, err := account()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "postgrestest-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if owner != nil {
		if err := os.Chown(dir, owner.uid, owner.gid); err != nil {
			return nil, err
		}
	}
	data := filepath.Join(dir, "data")
	cmd := exec.CommandContext(context.Background(), initdb, "-D", data, "-U", "postgres", "-A", "trust", "-N", "--locale=C", "-E", "UTF8")
	cmd.SysProcAttr, cmd.Dir = as(), dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	arguments := []string{"-D", data, "-k", dir, "-h", "127.0.0.1", "-p", strconv.Itoa(port), "-c", "max_connections=200", "-c", "log_min_messages=fatal"}
	for _, setting := range settings {
		arguments = append(arguments, "-c", setting)
	}
	s = &Server{Address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), dir: dir, done: make(chan struct{})}
	s.cmd = exec.CommandContext(context.Background(), postgres, arguments...)
	s.cmd.SysProcAttr, s.cmd.Dir = as(), dir
	if err := s.launch(); err != nil {
		return nil, err
	}
	if err := s.await(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// launch starts the server from a thread that lives as long as it, since it dies with
// the thread where the system allows that.
func (s *Server) launch() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait() // is killed in the end
		}
		close(s.done)
	}()
	return <-started
}

// await waits until the server takes connections.
func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, s.URL(""))
		if err == nil {
			return c.Close(ctx)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-s.done:
			return fmt.Errorf("the server has ended: %w", err)
		case <-ctx.Done():
			return err
		}
	}
}

// Stop ends the server at once and removes what it has kept.
func (s *Server) Stop() {
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
	}
	_ = os.RemoveAll(s.dir)
}

// find returns the path of a program of PostgreSQL, which Debian keeps out of PATH.
func find(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	paths, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(paths) == 0 {
		return "", fmt.Errorf("there is no %s here", name)
	}
	return slices.Max(paths), nil
}

type ids struct{ uid, gid int }

// account says as whom the server runs: root is refused by it.
func account() (as func() *syscall.SysProcAttr, owner *ids, err error) {
	if os.Geteuid() != 0 {
		return attributes, nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err := errors.Join(err1, err2); err != nil {
			return nil, nil, err
		}
		return func() *syscall.SysProcAttr { return become(uid, gid) }, &ids{uid, gid}, nil
	}
	return nil, nil, errors.New("root must not run it, and there is neither postgres nor nobody")
}

func freePort() (int, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
