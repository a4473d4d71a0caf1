package server

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/freeport"
)

// image is what the Dockerfile's last stage holds, laid out in a folder, and run as an
// engine runs it: that folder for a root, no rights, its own process tree.
type image struct {
	t    *testing.T
	root string
	user uint32
	env  []string
}

func newImage(t *testing.T, addr string) *image {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can give a process its own root")
	}
	text := file(t, deployment+"Dockerfile")
	m := &image{t: t, root: t.TempDir(), env: []string{"PATH=/usr/local/bin"}}
	if _, err := fmt.Sscanf(text[strings.Index(text, "\nUSER ")+1:], "USER %d:", &m.user); err != nil {
		t.Fatal(err)
	}
	env, _, _ := strings.Cut(text[strings.Index(text, "\nENV "):], "\nVOLUME")
	for _, set := range regexp.MustCompile(`TWIN_[A-Z]+=\S+`).FindAllString(env, -1) {
		if strings.HasPrefix(set, "TWIN_ADDR=") {
			set = "TWIN_ADDR=" + addr
		}
		m.env = append(m.env, set)
	}
	if len(m.env) != 5 {
		t.Fatalf("the Dockerfile sets %v", m.env)
	}

	program := filepath.Join(m.root, "usr/local/bin/twinplatform")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, programPackage)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	data := filepath.Join(m.root, "data")
	if err := errors.Join(os.Chmod(m.root, 0o755), os.Mkdir(data, 0o700), os.Chown(data, int(m.user), int(m.user))); err != nil {
		t.Fatal(err)
	}
	// The folders above it are the test's own.
	for up := filepath.Dir(m.root); up != os.TempDir() && up != "/"; up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *image) command(args ...string) *exec.Cmd {
	cmd := exec.Command("/usr/local/bin/twinplatform", args...)
	cmd.Env, cmd.Dir = m.env, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot:     m.root,
		Credential: &syscall.Credential{Uid: m.user, Gid: m.user},
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
	}
	return cmd
}

// run starts the server as the image's entry point does.
func (m *image) run() (*running, *exec.Cmd) {
	m.t.Helper()
	cmd := m.command()
	out, err := cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); errors.Is(err, syscall.EPERM) {
		m.t.Skipf("no process may have its own root here: %v", err)
	} else if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	s := &running{t: m.t, client: &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}}
	m.t.Cleanup(s.client.CloseIdleConnections)
	if !s.readBanner(out) {
		_ = cmd.Wait()
		m.t.Fatalf("the image's server did not start:\n%s%s", s.banner, log.Bytes())
	}
	return s, cmd
}

// healthy asks as the image's health check does.
func (m *image) healthy() bool {
	return m.command("health").Run() == nil
}

// What the image holds is all that the server needs: it starts as no one in particular in a
// root that it cannot write to, is healthy, keeps everything through kill -9, and ends well
// when it is the first process and is asked to stop.
func TestImageRunsAndSurvivesBeingKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	free, err := freeport.Address(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free)
	m := newImage(t, ":"+port)

	s, cmd := m.run()
	if !m.healthy() {
		t.Error("the server runs and is not healthy")
	}
	for i := range 10 {
		s.call("POST", "/twins", fmt.Sprintf(`{"class": "Thing", "displayName": "Bridge %d"}`, i), http.StatusCreated)
	}
	before, _ := s.list("/twins", "twins")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if m.healthy() {
		t.Error("the server was killed and is healthy")
	}

	s, cmd = m.run()
	if !m.healthy() {
		t.Error("after kill -9 the server is not healthy")
	}
	after, _ := s.list("/twins", "twins")
	wantSame(t, "twins after kill -9", before, after)
	if len(after) < 10 {
		t.Errorf("%d twins are left of the 10 made", len(after))
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM the server ends with %v", err)
	}
}
