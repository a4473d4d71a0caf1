package server

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// launch starts the built program.
func launch(t *testing.T, program string, args ...string) (*running, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"-addr", "127.0.0.1:0", "-banner", "true"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	s := &running{t: t, client: &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}}
	t.Cleanup(s.client.CloseIdleConnections)
	if !s.readBanner(out) {
		t.Fatalf("%s did not start", cmd)
	}
	return s, cmd
}

// programPackage is the program that people install.
const programPackage = "../../cmd/twinplatform"

// build makes the program.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "server")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, programPackage).CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return program
}

// A process that is killed loses nothing that it had answered, and one that is
// asked to stop ends well.
func TestProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	program := build(t)
	db := filepath.Join(t.TempDir(), "twin.db")

	s, cmd := launch(t, program, "-db", db, "-seed", seedFile)
	s.call("POST", plan+"/baselines", `{"id": "b1", "name": "As planned"}`, http.StatusCreated)
	s.call("DELETE", plan+"/tasks?taskIds=task-2", "", http.StatusAccepted)
	for i := range 20 {
		s.call("POST", plan+"/tasks", fmt.Sprintf(`{"id": "extra-%d", "name": "Extra", "type": "Work"}`, i), http.StatusAccepted)
	}
	before := s.everything()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()

	s, cmd = launch(t, program, "-db", db, "-seed", seedFile)
	wantSame(t, "after kill -9", before, s.everything())
	wantSame(t, "tasks", 64-1+20, len(before["tasks"]))
	baseline, _ := s.list(plan+"/baselines/b1/baseline-tasks", "baselineTasks")
	wantSame(t, "tasks of the baseline", 64, len(baseline))

	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM the program ends with %v", err)
	}
}
