package proof_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/freeport"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

const (
	personToken = "person"
	robotToken  = "robot"
)

// tokens are a person and a service application, who administer one account.
const tokens = `[
	{"token": "person", "principal": {"id": "person", "displayName": "Person", "accountId": "acme", "kind": "User",
		"scopes": ["twin-platform", "webhooks:read", "webhooks:modify"], "organizationAdmin": true}},
	{"token": "robot", "principal": {"id": "robot", "displayName": "Robot", "accountId": "acme", "kind": "Service",
		"scopes": ["twin-platform", "webhooks:read", "webhooks:modify"], "organizationAdmin": true}}
]`

// program is that of the nodes, once someone has asked for it.
var program struct {
	sync.Once
	path string
	err  error
}

// build makes the program of the nodes, once for all tests.
func build(t *testing.T) string {
	t.Helper()
	program.Do(func() {
		dir, err := os.MkdirTemp("", "cluster-proof-*")
		if err != nil {
			program.err = err
			return
		}
		program.path = filepath.Join(dir, "cluster")
		if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", program.path, "..").CombinedOutput(); err != nil {
			program.err = fmt.Errorf("building: %w\n%s", err, out)
		}
	})
	if program.err != nil {
		t.Fatal(program.err)
	}
	return program.path
}

// node is a process that serves, again and again.
type node struct {
	t       *testing.T
	program string
	address string // host and port
	wire    *wire  // to the database; nil: there is none in between
	flags   []string
	cmd     *exec.Cmd
	output  *transcript
}

// base is where clients find it.
func (n *node) base() string { return "http://" + n.address }

// start starts the process, and waits until it serves.
func (n *node) start() {
	n.t.Helper()
	n.cmd = exec.Command(n.program, append([]string{"-banner", "true"}, n.flags...)...)
	n.cmd.Stderr = n.output
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	if err := n.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "twin platform\n" {
		n.t.Fatalf("the node says %q, %v\n%s", line, err, n.output)
	}
}

// kill ends the process as kill -9 does.
func (n *node) kill() {
	if n.cmd == nil || n.cmd.ProcessState != nil {
		return
	}
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait() // which reports that it was killed
}

// pause stops the process as a debugger does, or a machine that is being moved.
func (n *node) pause() { n.signal(syscall.SIGSTOP) }

// wake lets a process continue that was stopped.
func (n *node) wake() { n.signal(syscall.SIGCONT) }

func (n *node) signal(s syscall.Signal) {
	if err := n.cmd.Process.Signal(s); err != nil {
		n.t.Error(err)
	}
}

// stop asks the process to end, and wants it to end well.
func (n *node) stop() {
	n.t.Helper()
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		n.t.Fatal(err)
	}
	if err := n.cmd.Wait(); err != nil {
		n.t.Errorf("after SIGTERM a node ends with %v\n%s", err, n.output)
	}
}

// transcript is what processes write of what is not as it should be, the last of it.
type transcript struct {
	mu   sync.Mutex
	text []byte
}

func (w *transcript) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for line := range bytes.Lines(p) { // a record of the log is written at once
		if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
			w.text = append(w.text, line...)
		}
	}
	w.text = w.text[max(0, len(w.text)-64<<10):]
	return len(p), nil
}

func (w *transcript) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}

// pair is two nodes over one database and one folder, and a receiver of their webhooks.
type pair struct {
	t     *testing.T
	nodes [2]*node
	inbox *inbox
}

// startPair starts two nodes over an empty store; in the background the second one leaves
// operations to Run, which the first one does before it answers.
func startPair(t *testing.T, background bool) *pair {
	t.Helper()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	return startPairOver(t, background, func(_ int, n *node) string {
		n.wire = newWire(t, server.Address)
		return server.URL(n.wire.address) + "&schema=" + schema
	})
}

// startPairOver is startPair over the database at an address, as each node gets it.
func startPairOver(t *testing.T, background bool, address func(i int, n *node) string) *pair {
	t.Helper()
	p := &pair{t: t, inbox: openInbox(t)}
	dir, built := t.TempDir(), build(t)
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	common := []string{
		"-log", "json", "-tokens", file("tokens.json", []byte(tokens)), "-rate", "0",
		"-files", filepath.Join(dir, "files"), "-file-key", file("file.key", bytes.Repeat([]byte("k"), 32)),
		"-webhook-ca", file("ca.pem", p.inbox.ca), "-webhook-allow", "127.0.0.0/8",
	}
	for i := range p.nodes {
		at, err := freeport.Address(t.Context()) // for it to come back to
		if err != nil {
			t.Fatal(err)
		}
		n := &node{t: t, output: new(transcript), program: built, address: at}
		n.flags = append([]string{"-db", address(i, n), "-addr", n.address, fmt.Sprintf("-background=%t", background && i == 1)}, common...)
		t.Cleanup(n.kill)
		p.nodes[i] = n
	}
	var starting sync.WaitGroup
	for _, n := range p.nodes {
		starting.Go(n.start) // both at once make the schema, and claim it
	}
	starting.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return p
}

// inbox is a receiver that takes whatever comes, and remembers it.
type inbox struct {
	url string
	ca  []byte

	mu     sync.Mutex
	events []event
}

// event is one delivery.
type event struct {
	MessageID string `json:"messageId"`
	EventType string `json:"eventType"`
	TwinID    string `json:"twinId"`
	WebhookID string `json:"webhookId"`
	Content   map[string]any
}

func openInbox(t *testing.T) *inbox {
	t.Helper()
	in := new(inbox)
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var e event
		if err == nil {
			err = json.Unmarshal(body, &e)
		}
		if err != nil {
			w.WriteHeader(http.StatusBadRequest) // a node that died while it was sending
			return
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		in.events = append(in.events, e)
	}))
	t.Cleanup(srv.Close)
	in.url = srv.URL
	in.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})
	return in
}

// received is everything so far.
func (in *inbox) received() []event {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]event(nil), in.events...)
}
