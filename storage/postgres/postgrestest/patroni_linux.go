package postgrestest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/internal/freeport"
)

// Cluster is a database of several servers that Patroni keeps: one is the primary, and an etcd
// decides which. The etcd has one member, since it is not what is tested.
type Cluster struct {
	// Members are the servers.
	Members []*Member
	dir     string
	etcd    *Server
	hosts   string    // the variable that tells Patroni where the etcd is
	ends    io.Closer // what removes processes waits for its end
}

// Member is one server of a cluster, and the Patroni that keeps it.
type Member struct {
	// Name is what Patroni calls it, and Address where its PostgreSQL listens.
	Name, Address string

	api     string // of its Patroni: host and port
	cluster *Cluster
	patroni *Server // nil: none runs
	program string
	env     []string
}

// StartCluster starts a cluster by the settings of a file for Patroni, and returns when all
// members are in it. It fails with exec.ErrNotFound where a program is missing.
func StartCluster(settings string, members int) (c *Cluster, err error) {
	programs := make(map[string]string)
	for _, name := range []string{"etcd", "patroni", "pg_controldata"} {
		if programs[name], err = find(name); err != nil {
			return nil, err
		}
	}
	common, err := os.ReadFile(settings) //nolint:gosec // of the test
	if err != nil {
		return nil, err
	}
	s := &Server{done: make(chan struct{})}
	if s.as, s.owner, err = account(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "postgrestest-*"); err != nil {
		return nil, err
	}
	c = &Cluster{dir: s.dir, etcd: s}
	if c.hosts, err = etcdHosts(programs["patroni"]); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.dir))
	}
	if err := errors.Join(s.give(c.dir), c.guard()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.dir))
	}
	if err := c.startEtcd(programs["etcd"]); err != nil {
		c.Stop()
		return nil, err
	}
	for i := range members {
		m, err := c.newMember(fmt.Sprintf("db%d", i+1), filepath.Dir(programs["pg_controldata"]), common)
		if err == nil {
			m.program = programs["patroni"]
			c.Members = append(c.Members, m)
			err = m.Start()
		}
		if err != nil {
			c.Stop()
			return nil, err
		}
	}
	primary, err := c.Whole(2 * time.Minute)
	if err == nil {
		err = c.makeRole(primary)
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, c.Log())
		c.Stop()
		return nil, err
	}
	return c, nil
}

// The variables by which Patroni speaks either protocol of etcd.
const (
	etcdV2 = "PATRONI_ETCD_HOSTS"
	etcdV3 = "PATRONI_ETCD3_HOSTS"
)

// etcdHosts is the variable for a Patroni: one before 3.0.3 that wakes after another member
// took its place takes it back over the third version of the protocol, and what was written
// meanwhile is lost.
func etcdHosts(patroni string) (string, error) {
	out, err := exec.CommandContext(context.Background(), patroni, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", patroni, err)
	}
	var v [3]int
	if _, err := fmt.Sscanf(string(out), "patroni %d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
		return "", fmt.Errorf("%s says %q: %w", patroni, out, err)
	}
	if slices.Compare(v[:], []int{3, 0, 3}) < 0 {
		return etcdV2, nil
	}
	return etcdV3, nil
}

// give makes what is at a path belong to whom the server runs as.
func (s *Server) give(path string) error {
	if s.owner == nil {
		return nil
	}
	return os.Chown(path, s.owner.uid, s.owner.gid)
}

// guard starts a process that ends all others of the cluster and removes what they keep once
// this one is gone, however that ends: a PostgreSQL is no child of its Patroni.
func (c *Cluster) guard() error {
	cmd := exec.CommandContext(context.Background(), "sh", "-c", `read -r _
while pids=$(for p in /proc/[0-9]*; do
	case $(readlink "$p/cwd") in "$0"/*) echo "${p#/proc/}";; esac
done 2>/dev/null) && [ -n "$pids" ]; do
	kill -9 $pids 2>/dev/null
	sleep 0.1
done
rm -rf "$0"/* "$0"`, c.dir)
	cmd.SysProcAttr = c.etcd.as()
	cmd.SysProcAttr.Pdeathsig, cmd.SysProcAttr.Setpgid = 0, true
	cmd.Dir = "/"
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.ends = closing(func() error { return errors.Join(in.Close(), cmd.Wait()) })
	return nil
}

type closing func() error

func (c closing) Close() error { return c() }

func (c *Cluster) startEtcd(program string) error {
	client, peer, err := twoAddresses()
	if err != nil {
		return err
	}
	dir := filepath.Join(c.dir, "etcd")
	if err := errors.Join(os.Mkdir(dir, 0o700), c.etcd.give(dir)); err != nil {
		return err
	}
	c.etcd.Address = client
	c.etcd.cmd = exec.CommandContext(context.Background(), program, "--name", "etcd", "--data-dir", dir,
		"--unsafe-no-fsync",
		"--listen-client-urls", "http://"+client, "--advertise-client-urls", "http://"+client,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+
			peer, "--initial-cluster", "etcd=http://"+peer)
	if c.hosts == etcdV2 {
		c.etcd.cmd.Args = append(c.etcd.cmd.Args, "--enable-v2")
	}
	return c.launch(c.etcd, dir)
}

// launch starts a program in a folder, with its output in a file next to that.
func (c *Cluster) launch(s *Server, dir string) error {
	log, err := os.OpenFile(dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.cmd.SysProcAttr, s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = c.etcd.as(), dir, log, log
	return s.launch()
}

func (c *Cluster) newMember(name, programs string, settings []byte) (*Member, error) {
	address, api, err := twoAddresses()
	if err != nil {
		return nil, err
	}
	m := &Member{Name: name, Address: address, api: api, cluster: c}
	m.env = append(os.Environ(),
		"PATRONI_NAME="+name, c.hosts+"="+c.etcd.Address,
		"PATRONI_RESTAPI_LISTEN="+api, "PATRONI_RESTAPI_CONNECT_ADDRESS="+api,
		"PATRONI_POSTGRESQL_LISTEN="+address, "PATRONI_POSTGRESQL_CONNECT_ADDRESS="+address,
		"PATRONI_POSTGRESQL_DATA_DIR="+m.data(), "PATRONI_POSTGRESQL_BIN_DIR="+programs,
		"PATRONI_POSTGRESQL_PGPASS="+filepath.Join(m.dir(), "pgpass"),
		"PATRONI_SUPERUSER_USERNAME=postgres", "PATRONI_SUPERUSER_PASSWORD=postgres",
		"PATRONI_REPLICATION_USERNAME=replicator", "PATRONI_REPLICATION_PASSWORD=replicator",
	)
	// No machine is to be reset by its watchdog, and what ends is processes and not machines.
	here := fmt.Appendf(nil, "watchdog: {mode: 'off'}\npostgresql: {parameters: {fsync: 'off', "+
		"unix_socket_directories: '%s'}}\n", m.dir())
	for _, dir := range []string{m.dir(), m.settings()} {
		if err := errors.Join(os.Mkdir(dir, 0o700), c.etcd.give(dir)); err != nil {
			return nil, err
		}
	}
	return m, errors.Join(c.etcd.put(filepath.Join(m.settings(), "1.yml"), settings),
		c.etcd.put(filepath.Join(m.settings(), "2.yml"), here))
}

func (m *Member) dir() string      { return filepath.Join(m.cluster.dir, m.Name) }
func (m *Member) data() string     { return filepath.Join(m.dir(), "data") }
func (m *Member) settings() string { return filepath.Join(m.dir(), "settings") }

// Start starts the Patroni of a member, which starts PostgreSQL.
func (m *Member) Start() error {
	m.patroni = &Server{done: make(chan struct{})}
	m.patroni.cmd = exec.CommandContext(context.Background(), m.program, m.settings())
	m.patroni.cmd.Env = m.env
	return m.cluster.launch(m.patroni, m.dir())
}

// Kill ends the PostgreSQL of a member as kill -9 does.
func (m *Member) Kill() error { return m.Signal(syscall.SIGKILL) }

// KillPatroni ends its Patroni in that way. Start starts another one.
func (m *Member) KillPatroni() error {
	err := m.SignalPatroni(syscall.SIGKILL)
	<-m.patroni.done
	return err
}

// SignalPatroni sends a signal to the Patroni of a member.
func (m *Member) SignalPatroni(s syscall.Signal) error { return m.patroni.cmd.Process.Signal(s) }

// Signal sends a signal to all processes of the PostgreSQL of a member.
func (m *Member) Signal(s syscall.Signal) error {
	pidfile, err := os.ReadFile(filepath.Join(m.data(), "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(pidfile), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	return signalTree(postmaster, s)
}

// URL is the address of the database: all members, in this order, of which the one that takes
// writes is used.
func (c *Cluster) URL(members ...*Member) string {
	var addresses []string
	for _, m := range members {
		addresses = append(addresses, m.Address)
	}
	return "postgres://twin:twin@" + strings.Join(addresses, ",") +
		"/twin?sslmode=disable&target_session_attrs=read-write&connect_timeout=2"
}

// makeRole makes what nodes need: a role and a database of its own.
func (c *Cluster) makeRole(primary *Member) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword("postgres", "postgres"), Host: primary.Address,
		Path: "postgres", RawQuery: "sslmode=disable",
	}
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		return err
	}
	for _, statement := range []string{"create role twin login password 'twin'", "create database twin owner twin"} {
		if _, err = conn.Exec(ctx, statement); err != nil {
			break
		}
	}
	// lost races are logged before PostgreSQL 15
	_, _ = conn.Exec(ctx, "grant set on parameter log_min_messages to twin")
	return errors.Join(err, conn.Close(ctx))
}

// state is what Patroni says of a cluster.
type state struct {
	Members []struct{ Name, Role, State string }
}

// Primary reports whether a member is the primary by what its Patroni says.
func (m *Member) Primary() bool {
	_, ok := m.ask("/primary")
	return ok
}

// primary is the member that is the primary; nil where there is none.
func (c *Cluster) primary() *Member {
	if i := slices.IndexFunc(c.Members, (*Member).Primary); i >= 0 {
		return c.Members[i]
	}
	return nil
}

// Whole waits until there are a primary, a synchronous standby, and all others.
func (c *Cluster) Whole(atMost time.Duration) (primary *Member, err error) {
	for began := time.Now(); time.Since(began) < atMost; time.Sleep(50 * time.Millisecond) {
		if primary = c.primary(); primary == nil {
			continue
		}
		var now state
		if text, ok := primary.ask("/cluster"); !ok || json.Unmarshal(text, &now) != nil {
			continue
		}
		running, synchronous := 0, 0
		for _, m := range now.Members {
			if m.State == "running" || m.State == "streaming" {
				running++
			}
			if m.Role == "sync_standby" {
				synchronous++
			}
		}
		if running == len(c.Members) && synchronous > 0 {
			return primary, nil
		}
	}
	return nil, fmt.Errorf("the cluster is not whole within %v", atMost)
}

// ask asks a Patroni, and reports whether it said yes.
func (m *Member) ask(path string) (answer []byte, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+m.api+path, http.NoBody)
	if err != nil {
		return nil, false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, false
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err = io.ReadAll(resp.Body)
	return answer, err == nil && resp.StatusCode == http.StatusOK
}

// Log is the end of what the programs wrote.
func (c *Cluster) Log() string {
	var b strings.Builder
	names, _ := filepath.Glob(filepath.Join(c.dir, "*.log")) // the pattern is right
	for _, name := range names {
		text, _ := os.ReadFile(name) //nolint:gosec // of the test
		fmt.Fprintf(&b, "%s:\n%s\n", filepath.Base(name), text[max(0, len(text)-16<<10):])
	}
	return b.String()
}

// Stop ends all processes at once and removes what they have kept.
func (c *Cluster) Stop() { _ = c.ends.Close() }

func twoAddresses() (one, other string, err error) {
	one, err1 := freeport.Address(context.Background())
	other, err2 := freeport.Address(context.Background())
	return one, other, errors.Join(err1, err2)
}
