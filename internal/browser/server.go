package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Server is one that runs as people start it.
type Server struct {
	URL  string // its base address
	stop context.CancelFunc
	cmd  *exec.Cmd
}

// Build compiles the server of a checkout into a file.
func Build(ctx context.Context, root, file string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, "./cmd/twinplatform")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return nil
}

// Serve starts a server that was built, in the folder of the checkout, on a port that is
// free, and returns once it serves.
func Serve(ctx context.Context, root, file string, args ...string) (*Server, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, file, append([]string{"-addr", "127.0.0.1:0", "-banner", "true"}, args...)...)
	var log bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	s := &Server{stop: cancel, cmd: cmd}
	for lines := bufio.NewScanner(out); s.URL == "" && lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "base URL"); ok {
			s.URL = strings.TrimSpace(address)
		}
	}
	if s.URL == "" {
		_ = s.Close()
		return nil, fmt.Errorf("the server has not begun:\n%s", log.String())
	}
	go func() { // or it would wait for someone to read
		for lines := bufio.NewScanner(out); lines.Scan(); {
		}
	}()
	return s, nil
}

// Close ends the server.
func (s *Server) Close() error {
	s.stop()
	_ = s.cmd.Wait() // it was killed
	return nil
}
