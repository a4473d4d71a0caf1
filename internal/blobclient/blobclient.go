// Package blobclient holds addresses of files to what the block-blob library of npm makes of
// them, over servers that are killed. BLOB_CLIENT names a folder with what is next to this
// file and the packages of its package-lock.json; bash .ci/run contract makes it.
package blobclient

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// Addresses holds the addresses of a container as clients get them.
type Addresses struct {
	Write, Read, Expired string
	// MaxFile is how many bytes a file may have, where the Server has it from MaxFile. Zero: it has
	// the limits that programs have.
	MaxFile int64
}

// Server is a program that serves one container of files, and nothing of it is lost when it is
// killed.
type Server interface {
	// Start starts it, over what was there before.
	Start(t *testing.T) (at Addresses, kill func())
}

// maxFile is how many bytes a file has at most, in a run that is short or not.
func maxFile() int64 { return size() + 1<<20 }

// size is how many bytes the uploaded file has.
func size() int64 {
	if testing.Short() {
		return 20 << 20
	}
	return 200 << 20
}

// Run uploads a file in blocks, kills the server between two of them, continues, reads it back,
// and tries what else the library can do.
func Run(t *testing.T, s Server) {
	t.Helper()
	client := Needs(t)
	at, kill := s.Start(t)
	block, files, page := int64(4<<20), 5_100, 5_000
	if testing.Short() {
		block = 1 << 20
	}
	if testing.Short() || at.MaxFile == 0 { // or there would be more requests than a minute may have
		files, page = 120, 100
	}
	env := func() []string {
		return append(os.Environ(), "WRITE="+at.Write, "READ="+at.Read, "EXPIRED="+at.Expired,
			fmt.Sprint("SIZE=", size()), fmt.Sprint("BLOCK=", block),
			fmt.Sprint("FILES=", files), fmt.Sprint("PAGE=", page), fmt.Sprint("MAXFILE=", at.MaxFile))
	}
	ctx, end := context.WithTimeout(t.Context(), 5*time.Minute)
	defer end()
	acknowledged := stageUntilKilled(ctx, t, client, env(), int(size()/block/2), kill)
	at, kill = s.Start(t)
	defer kill()
	node(ctx, t, client, "finish", append(env(), "ACKNOWLEDGED="+strings.Join(acknowledged, ",")))
	node(ctx, t, client, "protocol", env())
}

// Needs skips a test where there is no library, and returns where it is.
func Needs(t *testing.T) string {
	t.Helper()
	client := os.Getenv("BLOB_CLIENT")
	if client == "" {
		t.Skip("SKIPPED: BLOB_CLIENT names no folder with the block-blob library of npm; bash .ci/run contract makes " +
			"one")
	}
	return client
}

// stageUntilKilled sends blocks until so many are acknowledged, kills the server, and returns
// which were.
func stageUntilKilled(ctx context.Context, t *testing.T, client string, env []string, until int,
	kill func(),
) (acknowledged []string) {
	t.Helper()
	cmd := exec.CommandContext(ctx, "node", filepath.Join(client, "files.mjs"), "stage")
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if which, ok := strings.CutPrefix(lines.Text(), "acknowledged "); ok {
			acknowledged = append(acknowledged, which)
		}
		if len(acknowledged) == until {
			kill()
		}
	}
	if err := cmd.Wait(); err == nil || len(acknowledged) < until {
		t.Fatalf("the client sent %d blocks, and ended with %v", len(acknowledged), err)
	}
	return acknowledged
}

// node runs a step of the client.
func node(ctx context.Context, t *testing.T, client, step string, env []string) {
	t.Helper()
	cmd := exec.CommandContext(ctx, "node", filepath.Join(client, "files.mjs"), step)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Fatalf("%s: %v\n%s", step, err, out)
	}
}

// Environment variables of the process that serves.
const (
	serveEnv = "BLOB_SERVER"
	sizeEnv  = "BLOB_SERVER_MAXFILE"
)

// Own is a Server in a separate process: the test program once more, whose TestMain calls
// Serve. What says over what it serves.
type Own string

// Start implements Server.
func (o Own) Start(t *testing.T) (at Addresses, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveEnv+"="+string(o), fmt.Sprint(sizeEnv, "=", maxFile()))
	cmd.Stderr = os.Stderr
	out, kill := Begin(t, cmd)
	if err := json.NewDecoder(out).Decode(&at); err != nil {
		t.Fatalf("the server of %s prints nothing: %v", o, err)
	}
	return at, kill
}

// Begin starts a process that serves, which is killed at the end of the test at the latest.
func Begin(t *testing.T, cmd *exec.Cmd) (out io.Reader, kill func()) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	return out, kill
}

// Serve serves a container, where the process is one of Own, until it is killed, and never
// returns then.
func Serve(open func(what string, cfg filestore.Config) (*filestore.Store, error)) {
	what := os.Getenv(serveEnv)
	if what == "" {
		return
	}
	if err := serve(what, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(1)
}

const containerID = "data"

func serve(what string, open func(string, filestore.Config) (*filestore.Store, error)) error {
	ctx := context.Background()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	cfg := filestore.Config{
		BaseURL: "http://" + listener.Addr().String() + "/files", Key: []byte("for tests with a library of npm only"),
		Free: func() (int64, error) { return 1 << 50, nil }, Rate: filestore.Unlimited,
	}
	if _, err := fmt.Sscan(os.Getenv(sizeEnv), &cfg.MaxFile); err != nil {
		return err
	}
	files, err := open(what, cfg)
	if err != nil {
		return err
	}
	if err := files.Follow(ctx, records{}); err != nil {
		return err
	}
	cfg.Now = func() time.Time { return time.Now().Add(-2 * filestore.AddressTime) }
	past, err := filestore.New(struct{ filestore.Backend }{}, cfg)
	if err != nil {
		return err
	}
	at := Addresses{MaxFile: cfg.MaxFile}
	for _, one := range []struct {
		to    *string
		of    *filestore.Store
		write bool
	}{{&at.Write, files, true}, {&at.Read, files, false}, {&at.Expired, past, true}} {
		if *one.to, err = one.of.ContainerURL(ctx, containerID, one.write); err != nil {
			return err
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return err
	}
	server := &http.Server{Handler: http.StripPrefix("/files", files), ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}

// records have one container, that each caller may write.
type records struct{}

func (records) ContainerRight(context.Context, string, bool) (string, error) { return "acme", nil }

func (records) ContainerAccount(_ context.Context, id string) (string, bool, error) {
	return "acme", id == containerID, nil
}

func (records) FinishRemovals(context.Context) error { return nil }
