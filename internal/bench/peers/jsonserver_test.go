//go:build peers

package peers_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/freeport"
)

// jsonServer is json-server over a file; nil where npm's npx is not there.
func jsonServer(tb testing.TB) *peer {
	tb.Helper()
	npx, err := exec.LookPath("npx")
	if err != nil {
		tb.Log("json-server is left out: npx is not there")
		return nil
	}
	dir := tb.TempDir()
	db, err := json.Marshal(map[string]any{"tasks": records(tb)})
	must(tb, err)
	must(tb, os.WriteFile(filepath.Join(dir, "db.json"), db, 0o600))
	address, err := freeport.Address(tb.Context())
	must(tb, err)
	_, port, err := net.SplitHostPort(address)
	must(tb, err)
	run := exec.CommandContext(tb.Context(), npx, "--yes", "json-server@1.0.0-beta.3", "--port", port, "db.json")
	run.Dir = dir
	must(tb, run.Start())
	tb.Cleanup(func() { _ = run.Wait() })
	tb.Cleanup(func() { _ = run.Process.Signal(os.Interrupt) })
	p := &peer{
		name: "json-server", pid: run.Process.Pid, address: "localhost:" + port, get: "/tasks/" + planned(42).ID, create: "/tasks",
		page: "/tasks?_page=1&_per_page=100", all: fmt.Sprint("/tasks?_page=1&_per_page=", tasks),
	}
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(200 * time.Millisecond) {
		if _, err := p.answers(mixes[0], 1, 1); err == nil {
			return p
		}
	}
	tb.Fatal("json-server does not start")
	return nil
}
