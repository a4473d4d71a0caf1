// Package postgrestest starts a separate PostgreSQL for tests, on a loopback port and in
// a temporary folder.
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

	"github.com/seed-933f9a09/twinplatform/internal/freeport"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
)

// Server is a running PostgreSQL.
type Server struct {
	// Address is where it listens: host and port.
	Address string
	cmd     *exec.Cmd
	as      func() *syscall.SysProcAttr // whom it runs as
	owner   *ids                        // of what it keeps; nil: the user of this process
	dir     string
	done    chan struct{} // closed when it has ended

	mu    sync.Mutex
	extra []*Server // that are of no use without it
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
	shared.Do(func() {
		shared.server, shared.reason = Start("fsync=off", "full_page_writes=off", "max_pred_locks_per_transaction=256")
	})
	if shared.reason != nil {
		t.Skip("no PostgreSQL: ", shared.reason)
	}
	return shared.server
}

// URL returns the address of its database by way of a host and port, such as a proxy's; ""
// means its own.
func (s *Server) URL(address string) string {
	if address == "" {
		address = s.Address
	}
	return "postgres://postgres@" + address + "/postgres?sslmode=disable"
}

// Open opens a store of the server with its own schema, which the test drops.
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
func Start(settings ...string) (*Server, error) {
	return start(settings, func(s *Server) error {
		return s.tool("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-N", "--locale=C", "-E", "UTF8")
	})
}

// Standby starts a server that follows this one, and makes every commit of this one wait
// until the standby has it on its disk.
func (s *Server) Standby(settings ...string) (*Server, error) {
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		return nil, err
	}
	standby, err := start(settings, func(standby *Server) error {
		return standby.tool("pg_basebackup", "-h", host, "-p", port, "-U", "postgres", "-D", standby.data(), "-R", "-X",
			"stream", "-c", "fast", "-N")
	})
	if err != nil {
		return nil, err
	}
	err = s.ask("alter system set synchronous_standby_names = '*'", "select pg_reload_conf()")
	for began := time.Now(); err == nil; time.Sleep(20 * time.Millisecond) {
		err = s.ask("select 1 / count(*) from pg_stat_replication where sync_state = 'sync'")
		if err == nil {
			return standby, nil
		}
		if time.Since(began) < 30*time.Second {
			err = nil // it has not caught up
		}
	}
	standby.Stop()
	return nil, err
}

// Promote makes a standby a server that takes writes, and returns when it does.
func (s *Server) Promote() error { return s.ask("select pg_promote()") }

// Secure makes the server offer TLS with a certificate and its key, both as PEM, and
// take connections over the network by it alone.
func (s *Server) Secure(certificate, key []byte) error {
	for name, content := range map[string][]byte{
		"server.crt": certificate, "server.key": key,
		"pg_hba.conf": []byte("hostssl all all 127.0.0.1/32 trust\n"),
	} {
		if err := s.put(filepath.Join(s.data(), name), content); err != nil {
			return err
		}
	}
	return s.ask("alter system set ssl = on", "select pg_reload_conf()")
}

// put writes a file that belongs to whom the server runs as.
func (s *Server) put(name string, content []byte) error {
	if err := os.WriteFile(name, content, 0o600); err != nil || s.owner == nil {
		return err
	}
	return os.Chown(name, s.owner.uid, s.owner.gid)
}

// Pooler starts a PgBouncer in front of the server, which gives a connection of the
// server to a client for one transaction, and returns its address: host and port. It
// ends with the server. It fails with exec.ErrNotFound where there is none.
func (s *Server) Pooler(connections int) (address string, err error) {
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		return "", err
	}
	program, err := find("pgbouncer")
	if err != nil {
		return "", err
	}
	free, err := freeport.Address(context.Background())
	if err != nil {
		return "", err
	}
	_, listen, err := net.SplitHostPort(free)
	if err != nil {
		return "", err
	}
	settings := filepath.Join(s.dir, "pgbouncer-"+listen+".ini") // one of several
	err = s.put(settings, fmt.Appendf(nil, `[databases]
postgres = host=%s port=%s user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = %d
max_client_conn = 100
`, host, port, listen, connections))
	if err != nil {
		return "", err
	}
	return free, s.startPooler(free, program, "-q", settings)
}

// startPooler starts a pooler that listens at an address.
func (s *Server) startPooler(address, program string, arguments ...string) error {
	pooler := &Server{Address: address, done: make(chan struct{})}
	pooler.cmd = exec.CommandContext(context.Background(), program, arguments...)
	pooler.cmd.SysProcAttr, pooler.cmd.Dir = s.as(), s.dir
	if err := pooler.launch(); err != nil {
		return err
	}
	s.mu.Lock()
	s.extra = append(s.extra, pooler)
	s.mu.Unlock()
	return pooler.await()
}

// StopPooler ends the pooler at an address at once. again starts another one there, as it was.
func (s *Server) StopPooler(address string) (again func() error, err error) {
	s.mu.Lock()
	i := slices.IndexFunc(s.extra, func(e *Server) bool { return e.Address == address })
	if i < 0 {
		s.mu.Unlock()
		return nil, fmt.Errorf("no pooler listens at %s", address)
	}
	pooler := s.extra[i]
	s.extra = slices.Delete(s.extra, i, i+1)
	s.mu.Unlock()
	pooler.Stop()
	return func() error { return s.startPooler(address, pooler.cmd.Path, pooler.cmd.Args[1:]...) }, nil
}

// ask runs statements, one by one.
func (s *Server) ask(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, s.URL(""))
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err = c.Exec(ctx, statement); err != nil {
			break
		}
	}
	return errors.Join(err, c.Close(ctx))
}

// start starts a server whose data fill makes.
func start(settings []string, fill func(*Server) error) (s *Server, err error) {
	postgres, err := find("postgres")
	if err != nil {
		return nil, err
	}
	s = &Server{done: make(chan struct{})}
	if s.as, s.owner, err = account(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "postgrestest-*"); err != nil {
		return nil, err
	}
	dir := s.dir
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if s.owner != nil {
		if err := os.Chown(s.dir, s.owner.uid, s.owner.gid); err != nil {
			return nil, err
		}
	}
	if err := fill(s); err != nil {
		return nil, err
	}
	s.Address, err = freeport.Address(context.Background())
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		return nil, err
	}
	arguments := []string{
		"-D", s.data(), "-k", s.dir, "-h", "127.0.0.1", "-p", port, "-c", "max_connections=200", "-c",
		"log_min_messages=fatal",
	}
	for _, setting := range settings {
		arguments = append(arguments, "-c", setting)
	}
	s.cmd = exec.CommandContext(context.Background(), postgres, arguments...)
	s.cmd.SysProcAttr, s.cmd.Dir = s.as(), s.dir
	if err := s.launch(); err != nil {
		return nil, err
	}
	if err := s.await(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// tool runs a program of PostgreSQL as whom the server runs.
func (s *Server) tool(name string, arguments ...string) error {
	path, err := find(name)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), path, arguments...)
	cmd.SysProcAttr, cmd.Dir = s.as(), s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(out))
	}
	return nil
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
	for _, b := range s.extra {
		b.Stop()
	}
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// find returns the path of a program, which Debian keeps out of PATH.
func find(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	var paths []string
	for _, dir := range []string{"/usr/lib/postgresql/*/bin/", "/usr/sbin/"} {
		found, err := filepath.Glob(dir + name)
		if err != nil {
			return "", err
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
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
	return nil, nil, errors.New("root must not run it, and there is no other user to run it")
}
