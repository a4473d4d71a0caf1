package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/server"
	"github.com/seed-933f9a09/twinplatform/platform"
)

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The files that start nodes use only options that exist, and options that have to be the
// same on all nodes are set on all.
func TestDeploymentFilesUseOptionsOfNodes(t *testing.T) {
	t.Parallel()
	var help bytes.Buffer
	if code := server.Main(t.Context(), server.Process{Args: []string{"help", "serve"}, Stdout: &help}); code != 0 {
		t.Fatalf("the help ends with %d", code)
	}
	known := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^  (-[a-z-]+)`).FindAllStringSubmatch(help.String(), -1) {
		known[m[1]] = true
		known["TWIN_"+strings.ToUpper(strings.ReplaceAll(m[1][1:], "-", "_"))] = true
	}
	for name, wants := range map[string][]string{
		"Dockerfile": {
			"CGO_ENABLED=0 go -C examples/cluster build -trimpath", "USER 65532:65532", `CMD ["cluster", "health"]`, "STOPSIGNAL SIGTERM", "distroless/static", "ENV TWIN_ADDR=:4790 TWIN_LOG=json",
		},
		"compose.yaml": {
			"dockerfile: examples/cluster/Dockerfile", "node1: *node", "node2: *node", "read_only: true", "cap_drop: [ALL]", "files:/files",
			"TWIN_DB", "TWIN_TOKENS", "TWIN_FILES", "TWIN_FILE_KEY", "TWIN_WEBHOOK_KEY", "TWIN_DRAIN: 3s", "./haproxy.cfg:",
		},
		"haproxy.cfg":           {"option httpchk GET /readyz", "server node1 node1:4790", "server node2 node2:4790", "retry-on conn-failure\n", "inter 1s", "TWIN_DRAIN"},
		"main.go":               {"compose.yaml", "docs/cluster.md"},
		"patroni.yml":           {"synchronous_mode_strict: true", "target_session_attrs=read-write&connect_timeout=2"},
		"../../docs/cluster.md": {"compose.yaml", "patroni.yml", "target_session_attrs=read-write&connect_timeout=2"},
	} {
		text := file(t, name)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %s", name, want)
			}
		}
		for _, option := range regexp.MustCompile(`TWIN_[A-Z_]+`).FindAllString(text, -1) {
			if !known[option] {
				t.Errorf("%s says %s, which there is not", name, option)
			}
		}
		for _, m := range regexp.MustCompile(`(?m)(?:cluster|go run \.) -.*$`).FindAllString(text, -1) {
			for _, option := range regexp.MustCompile(` (-[a-z][a-z-]*)`).FindAllStringSubmatch(m, -1) {
				if !known[option[1]] && option[1] != "-h" {
					t.Errorf("%s says %s, which there is not", name, option[1])
				}
			}
		}
	}
	if needs := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(file(t, "go.mod")); !strings.Contains(file(t, "Dockerfile"), "FROM golang:"+needs[1]+" ") {
		t.Errorf("the Dockerfile builds with another Go than %s", needs[1])
	}
	if callers, err := platform.ReadCallers(strings.NewReader(file(t, "tokens.example.json"))); err != nil || len(callers) != 2 {
		t.Errorf("the tokens of the example: %v", err)
	}
}

// The proxy says itself whether it understands its file, where there is one.
func TestProxyTakesItsFile(t *testing.T) {
	t.Parallel()
	proxy, err := exec.LookPath("haproxy")
	if err != nil {
		t.Skip("there is no haproxy here")
	}
	// The names of the nodes are known within the composition alone.
	here := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(here, []byte(strings.NewReplacer("node1:", "127.0.0.1:", "node2:", "127.0.0.1:").Replace(file(t, "haproxy.cfg"))), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), proxy, "-c", "-f", here).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
