//go:build peers

package peers_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// serves names in the environment of a process of this binary the server that it is.
const serves = "TWINPLATFORM_PEERS_SERVES"

// servers are those that are processes of this binary.
var servers = map[string]func(testing.TB) http.Handler{"here": hereServes, "PocketBase": pocketBaseServes}

// TestMain also runs the servers, each in another process of this binary.
func TestMain(m *testing.M) {
	serve := servers[os.Getenv(serves)]
	if serve == nil {
		os.Exit(m.Run())
	}
	testing.Benchmark(func(b *testing.B) {
		if b.N > 1 {
			return
		}
		s := httptest.NewServer(serve(b))
		defer s.Close()
		fmt.Println(s.Listener.Addr())
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent ends
	})
}

// started is a server in a process of its own, which ends with the benchmark.
func started(tb testing.TB, name string) *peer {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), os.Args[0], "-test.run", "^$")
	cmd.Env, cmd.Stderr = append(os.Environ(), serves+"="+name), os.Stderr
	in, err := cmd.StdinPipe()
	must(tb, err)
	out, err := cmd.StdoutPipe()
	must(tb, err)
	must(tb, cmd.Start())
	tb.Cleanup(func() { _ = errors.Join(in.Close(), cmd.Wait()) })
	address, err := bufio.NewReader(out).ReadString('\n')
	must(tb, err)
	return &peer{name: name, pid: cmd.Process.Pid, address: strings.TrimSpace(address)}
}

// tick is in what Linux counts the processor time of processes.
const tick = 10 * time.Millisecond

// processorTime is how long the processors were at a process and at those below it that still run.
func processorTime(pid int) (time.Duration, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	used, parents := make(map[int]time.Duration), make(map[int]int)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		of, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		// Behind the name of the program, which may have anything in it.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		parents[of], _ = strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		used[of] = time.Duration(user+system) * tick
	}
	if _, there := used[pid]; !there {
		return 0, fmt.Errorf("process %d has ended, or the system has no /proc", pid)
	}
	below, all := []int{pid}, time.Duration(0)
	for len(below) > 0 {
		of := below[0]
		below, all = below[1:], all+used[of]
		for child, parent := range parents {
			if parent == of && !slices.Contains(below, child) {
				below = append(below, child)
			}
		}
	}
	return all, nil
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
