package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The command of the README serves, and ends well when it is asked to.
func TestServes(t *testing.T) {
	t.Parallel()
	if testing.Short() || runtime.GOOS == "windows" { // where no process is asked to end
		t.Skip("builds and runs the program")
	}
	program := filepath.Join(t.TempDir(), "server")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), program, "-addr", "127.0.0.1:0", "-banner", "true", "-seed", "testdata/world-j30.json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	banner := ""
	for lines := bufio.NewScanner(out); !strings.Contains(banner, "  try ") && lines.Scan(); {
		banner += lines.Text() + "\n"
	}
	if !strings.Contains(banner, "/schedules/mp-j30-a2-nr1/tasks?") {
		t.Errorf("the banner is\n%s", banner)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
}
