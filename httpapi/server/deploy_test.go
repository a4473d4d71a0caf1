package server

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
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
		"twinplatform.service": {"DynamicUser=yes", "ExecReload=/bin/kill -HUP $MAINPID", "NoNewPrivileges=yes", "StateDirectory=twinplatform"},
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
