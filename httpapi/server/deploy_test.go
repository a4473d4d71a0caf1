package server

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

// deployment is the folder of the image and the units.
const deployment = "../../examples/server/"

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The files that start the server use only options that exist, and the server runs as an
// unprivileged user.
func TestDeploymentFilesUseOptionsOfTheServer(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, o := range new(Config).options() {
		known[variable(o.name)], known["-"+o.name] = true, true
	}
	names := make([]string, 0)
	for _, c := range commands() {
		names = append(names, c.name)
	}
	for name, wants := range map[string][]string{
		"Dockerfile": {
			"CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/twinplatform ./cmd/twinplatform", "USER 65532:65532", "VOLUME /data",
			`CMD ["twinplatform", "health"]`, "STOPSIGNAL SIGTERM", "distroless/static",
		},
		"compose.yaml":         {"dockerfile: examples/server/Dockerfile", "twin:/data", "read_only: true", "cap_drop: [ALL]"},
		"twinplatform.service": {"User=twinplatform", "ExecReload=/bin/kill -HUP $MAINPID", "NoNewPrivileges=yes", "StateDirectory=twinplatform"},
		"twinplatform.socket":  {"ListenStream=" + defaultAddr},
	} {
		text := file(t, deployment+name)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %s", name, want)
			}
		}
		for _, variable := range regexp.MustCompile(`TWIN_[A-Z_]+`).FindAllString(text, -1) {
			if !known[variable] {
				t.Errorf("%s has %s, which does not exist", name, variable)
			}
		}
		for _, m := range regexp.MustCompile(`twinplatform (\w+) (-[a-z-]+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) || !known[m[2]] {
				t.Errorf("%s calls %s, which there is not", name, m[0])
			}
		}
	}
	if needs := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(file(t, "../../go.mod")); !strings.Contains(file(t, deployment+"Dockerfile"), "FROM golang:"+needs[1]+" ") {
		t.Errorf("the Dockerfile builds with another Go than %s", needs[1])
	}
}

// The unit lets the program do little beyond serving: systemd rates it 1.5 or better.
func TestTheUnitIsConfined(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze: what the unit lets the program do was not rated")
	}
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=15", deployment+"twinplatform.service").CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// Who prepares the unit as docs/operating.md does it has files that the unit's user can read
// and cannot change, and of which the server warns no one.
func TestTheUnitsUserReadsWhatTheDocumentedCommandsMake(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if _, err := exec.LookPath("setpriv"); err != nil || os.Getuid() != 0 {
		t.Skip("no setpriv, or not root: the server was not run as the unit's user")
	}
	const user = "65533"
	dir := t.TempDir()
	for _, open := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	etc, state, program := filepath.Join(dir, "etc"), filepath.Join(dir, "state"), filepath.Join(dir, "twinplatform")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, programPackage).CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	commands := ""
	for _, block := range docpages.Texts(t, operatingPage, "") {
		if strings.Contains(block, "install -d -o root -g twinplatform") {
			commands = regexp.MustCompile(`(?m)^useradd .*\n`).ReplaceAllString(block, "")
		}
	}
	commands = strings.NewReplacer("-g twinplatform", "-g "+user, "/etc/twinplatform", etc, "\ntwinplatform ", "\n"+program+" ").Replace(commands)
	prepare := exec.CommandContext(t.Context(), "sh", "-ec", "umask 022\n"+commands)
	token, err := prepare.Output()
	if err != nil || len(token) == 0 {
		t.Fatalf("%s\nprints %s: %v", commands, token, err)
	}
	if err := errors.Join(os.Mkdir(state, 0o700), os.Chown(state, 65533, 65533)); err != nil {
		t.Fatal(err)
	}
	for _, e := range filesIn(t, etc) {
		if e.Mode().Perm()&0o027 != 0 {
			t.Errorf("%s can be changed by the unit's user, or is open to all: %v", e.Name(), e.Mode())
		}
	}
	asUser := filepath.Join(dir, "as-user")
	script := "#!/bin/sh\nexec setpriv --reuid=" + user + " --regid=" + user + " --clear-groups " + program + " serve \"$@\" 2>" + filepath.Join(state, "log") + "\n"
	if err := errors.Join(os.WriteFile(filepath.Join(state, "log"), nil, 0o666), os.WriteFile(asUser, []byte(script), 0o755)); err != nil {
		t.Fatal(err)
	}
	s, cmd := launch(t, asUser, "-config", filepath.Join(etc, "server.conf"), "-db", filepath.Join(state, "twin.db"), "-token-uses", filepath.Join(state, "token-uses.json"))
	s.callAs(strings.TrimSpace(string(token)), "GET", "/twins", "", http.StatusOK)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	if log := file(t, filepath.Join(state, "log")); strings.Contains(log, "level=WARN") || strings.Contains(log, "level=ERROR") {
		t.Errorf("the server logs\n%s", log)
	}
	if _, err := os.Stat(filepath.Join(state, "token-uses.json")); err != nil {
		t.Errorf("last uses were not kept: %v", err)
	}
}

// filesIn are those in a folder.
func filesIn(t *testing.T, folder string) (all []fs.FileInfo) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, info)
	}
	return all
}

func TestImageIsBuilt(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds an image")
	}
	if err := exec.CommandContext(t.Context(), "docker", "info").Run(); err != nil {
		t.Skip("no builder of images: the Dockerfile was read and not built")
	}
	out, err := exec.CommandContext(t.Context(), "docker", "build", "-q", "-f", deployment+"Dockerfile", "../..").CombinedOutput()
	if err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
}
