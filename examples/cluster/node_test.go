package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/server"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) {
	os.Exit(postgrestest.Main(m))
}

// running is a node in this process.
type running struct {
	*testing.T
	address string
	stop    context.CancelFunc
	ended   chan error
	log     *transcript
	banner  *transcript
}

// transcript is what a node writes.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *transcript) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *transcript) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// shared are the flags of nodes over one new database.
func shared(t *testing.T) []string {
	t.Helper()
	server := postgrestest.Shared(t)
	key := filepath.Join(t.TempDir(), "file.key")
	if err := os.WriteFile(key, []byte(strings.Repeat("k", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"-db", server.URL("") + "&schema=" + server.Schema(t), "-log", "json", "-files", filepath.Join(t.TempDir(), "files"), "-file-key", key, "-addr", "127.0.0.1:0"}
}

// run runs the program, and returns what it says where it fails.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) error {
	var output bytes.Buffer
	code := server.Main(ctx, server.Process{
		Args: args, Env: env, Stdout: stdout, Stderr: io.MultiWriter(stderr, &output), Engines: engines(),
	})
	if code != 0 {
		return errors.New(output.String())
	}
	return nil
}

// start starts a node and returns once it is ready.
func start(t *testing.T, flags []string) *running {
	t.Helper()
	n := &running{T: t, ended: make(chan error, 1), log: new(transcript), banner: new(transcript)}
	addressFile := filepath.Join(t.TempDir(), "address")
	var ctx context.Context
	ctx, n.stop = context.WithCancel(context.Background())
	go func() {
		n.ended <- run(ctx, slices.Concat(flags, []string{"-addr-file", addressFile}), nil, n.banner, n.log)
	}()
	t.Cleanup(func() {
		n.stop()
		if err := n.wait(); err != nil {
			t.Errorf("a node ended with %v\n%s", err, n.log)
		}
	})
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if address, err := os.ReadFile(addressFile); err == nil {
			n.address = "http://" + string(address)
			n.call("GET", "/readyz", "", http.StatusOK)
			return n
		}
		select {
		case err := <-n.ended:
			n.ended <- err
			t.Fatalf("the node ended with %v\n%s", err, n.log)
		default:
		}
	}
	t.Fatal("the node does not serve")
	return nil
}

// wait returns what the node ended with.
func (n *running) wait() error {
	err := <-n.ended
	n.ended <- nil
	return err
}

// call sends a request, and returns the body of the answer.
func (n *running) call(method, path, body string, want int) []byte {
	n.Helper()
	if strings.HasPrefix(path, "/") {
		path = n.address + path
	}
	req, err := http.NewRequestWithContext(n.Context(), method, path, strings.NewReader(body))
	if err != nil {
		n.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer demo")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		n.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != want {
		n.Fatalf("%s %s: %s, %s, %v; want %d", method, path, resp.Status, got, err, want)
	}
	return got
}

// twin makes a twin and returns its path.
func (n *running) twin(name string) (id string) {
	n.Helper()
	var made struct{ Twin struct{ ID string } }
	if err := json.Unmarshal(n.call("POST", "/twins/", `{"class": "Thing", "displayName": "`+name+`"}`, http.StatusCreated), &made); err != nil {
		n.Fatal(err)
	}
	return made.Twin.ID
}

func TestWhatOneNodeAnsweredTheOtherShows(t *testing.T) {
	t.Parallel()
	flags := shared(t)
	one, other := start(t, flags), start(t, flags)
	tower := one.twin("Tower")
	other.call("GET", "/twins/"+tower, "", http.StatusOK)
	other.call("DELETE", "/twins/"+tower, "", http.StatusNoContent)
	one.call("GET", "/twins/"+tower, "", http.StatusNotFound)
}

// Until it takes no more, a node that is stopping reports it and still answers; then the
// other continues with everything.
func TestOneNodeStopsAndTheOtherContinues(t *testing.T) {
	t.Parallel()
	flags := shared(t)
	one, other := start(t, append(flags, "-drain", "2s")), start(t, flags)
	tower := one.twin("Tower")
	one.stop()
	for !bytes.Contains(one.asked("/readyz"), []byte(`"staying":"failed"`)) {
		time.Sleep(20 * time.Millisecond)
	}
	one.call("GET", "/twins/"+tower, "", http.StatusOK)
	if err := one.wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	other.call("GET", "/twins/"+tower, "", http.StatusOK)
	other.twin("Bridge")
}

// asked is what a node answers, whatever the status.
func (n *running) asked(path string) []byte {
	n.Helper()
	resp, err := http.Get(n.address + path)
	if err != nil {
		n.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		n.Fatal(err)
	}
	return got
}

// An address of bytes is good at every node, and behind a restart of all of them.
func TestAddressesOfFilesAreGoodAtEveryNode(t *testing.T) {
	t.Parallel()
	flags := shared(t)
	one, other := start(t, flags), start(t, flags)
	var made struct{ RealityData struct{ ID string } }
	body := `{"twinId": "` + one.twin("Tower") + `", "displayName": "Survey", "type": "LAS", "authoring": true}`
	if err := json.Unmarshal(one.call("POST", "/reality-management/reality-data/", body, http.StatusCreated), &made); err != nil {
		t.Fatal(err)
	}
	var access struct {
		Links struct {
			ContainerURL struct{ Href string }
		} `json:"_links"`
	}
	if err := json.Unmarshal(one.call("GET", "/reality-management/reality-data/"+made.RealityData.ID+"/writeaccess", "", http.StatusOK), &access); err != nil {
		t.Fatal(err)
	}
	file := strings.Replace(strings.TrimPrefix(access.Links.ContainerURL.Href, one.address), "?", "/points.las?", 1)
	one.call("PUT", file, "LASF", http.StatusCreated)
	for _, n := range []*running{other, start(t, flags)} {
		if got := n.call("GET", file, "", http.StatusOK); string(got) != "LASF" {
			t.Errorf("got %q", got)
		}
	}
}

func TestNodesReportWhatIsMissing(t *testing.T) {
	t.Parallel()
	const db = "postgres://twin@127.0.0.1:1/twin"
	for want, args := range map[string][]string{
		"no engine for mysql://":    {"-db", "mysql://twin@127.0.0.1/twin"},
		"belong together":           {"-db", db, "-files", t.TempDir()},
		"-tokens is missing":        {"-db", db, "-addr", ":0"},
		"unexpected argument":       {"-db", db, "more"},
		"opening the store":         {"-db", "postgres://%", "-addr", "127.0.0.1:0"},
		"the replica":               {"-db", db + "?replica=postgres://%25", "-addr", "127.0.0.1:0"},
		"pooler is true or false":   {"-db", db + "?pooler=maybe", "-addr", "127.0.0.1:0"},
		"-tokens: open":             {"-db", db, "-addr", "127.0.0.1:0", "-tokens", "missing.json"},
		"want a duration such as":   {"-db", db, "-lease", "0s"},
		"connection refused":        {"health", "-addr", ":1"},
		"value \"x\" for TWIN_RATE": {"-db", db},
	} {
		var env []string
		if strings.Contains(want, "TWIN_RATE") {
			env = []string{"TWIN_RATE=x"}
		}
		if err := run(t.Context(), args, env, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v; want %q", args, err, want)
		}
	}
}

// All nodes of a new database may be started with one command.
func TestNodesSeedAnEmptyDatabaseTogether(t *testing.T) {
	t.Parallel()
	flags := append(shared(t), "-seed", "../server/testdata/world-j30.json")
	nodes := make([]*running, 3)
	var started sync.WaitGroup
	for i := range nodes {
		started.Go(func() { nodes[i] = start(t, flags) })
	}
	started.Wait()
	for i, n := range nodes {
		if n == nil {
			t.Fatal("not all have started")
		}
		var plan struct{ Tasks []struct{ ID string } }
		if err := json.Unmarshal(n.call("GET", "/schedules/mp-j30-a2-nr1/tasks?$top=1000", "", http.StatusOK), &plan); err != nil || len(plan.Tasks) != 64 {
			t.Errorf("node %d shows %d tasks, %v; want 64", i, len(plan.Tasks), err)
		}
	}
}
