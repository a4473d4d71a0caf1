package postgrestest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Signal sends a signal to all processes of the server: SIGSTOP lets it stand still as a suspended
// machine does, and SIGCONT continue.
func (s *Server) Signal(signal syscall.Signal) error { return signalTree(s.cmd.Process.Pid, signal) }

// SignalChild sends a signal to the process of the server whose title contains a name, such as
// walwriter.
func (s *Server) SignalChild(name string, signal syscall.Signal) error {
	children, err := childrenOf(s.cmd.Process.Pid)
	if err != nil {
		return err
	}
	for _, process := range children {
		title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", process))
		if err == nil && bytes.Contains(title, []byte(name)) {
			return syscall.Kill(process, signal)
		}
	}
	return fmt.Errorf("the server has no process %q", name)
}

// signalTree sends a signal to a PostgreSQL and its processes.
func signalTree(postmaster int, s syscall.Signal) error {
	if err := syscall.Kill(postmaster, syscall.SIGSTOP); err != nil { // so that it has no other children
		return err
	}
	children, err := childrenOf(postmaster)
	for _, process := range append(children, postmaster) {
		_ = syscall.Kill(process, s) // it may have ended by itself
	}
	return err
}

// childrenOf are the processes whose parent is another one.
func childrenOf(parent int) (children []int, err error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[1] != strconv.Itoa(parent) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			children = append(children, pid)
		}
	}
	return children, nil
}
