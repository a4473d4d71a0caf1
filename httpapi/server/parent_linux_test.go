package server

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// goRun serves by go run in its own process group, as a terminal has it.
func goRun(t *testing.T) (cmd *exec.Cmd, addr string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "addr")
	cmd = exec.Command("go", "run", programPackage, "-addr", "127.0.0.1:0", "-addr-file", file, "-log-level", "error")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	within(t, 5*time.Minute, "the program serves", func() bool {
		text, err := os.ReadFile(file)
		addr = string(text)
		return err == nil
	})
	return cmd, addr
}

// within waits until something holds.
func within(t *testing.T, d time.Duration, what string, holds func() bool) {
	t.Helper()
	looks, end := time.NewTicker(10*time.Millisecond), time.After(d)
	defer looks.Stop()
	for !holds() {
		select {
		case <-looks.C:
		case <-end:
			t.Fatalf("after %v it does not hold that %s", d, what)
		}
	}
}

// What go run has started ends with it: at Ctrl-C, which reaches both, and when the go
// command is killed, of which it is not notified.
func TestWhatGoRunStartsEndsWithIt(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	for name, end := range map[string]func(pid int) error{
		"interrupt":  func(pid int) error { return syscall.Kill(-pid, syscall.SIGINT) },
		"terminated": func(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) },
		"killed":     func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, addr := goRun(t)
			if err := end(cmd.Process.Pid); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // with 1, whatever the program's exit code is
			within(t, time.Minute, "no server answers", func() bool {
				conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
				if err == nil {
					_ = conn.Close()
				}
				return errors.Is(err, syscall.ECONNREFUSED)
			})
		})
	}
}

func TestOnlyAProgramOfGoRunLooksAfterItsParent(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]bool{
		"/tmp/go-build3141/b001/exe/twinplatform": true, "/root/.cache/go-build/ab/ab12-d/twinplatform": true,
		"/usr/local/bin/twinplatform": false, "/home/me/go-build": false, "/home/me/go/bin/twinplatform": false,
	} {
		if got := builtToRun(program, nil); got != want {
			t.Errorf("%s: %v", program, got)
		}
	}
}
