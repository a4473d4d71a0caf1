package docpages_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
	"github.com/seed-933f9a09/twinplatform/internal/freeport"
)

// root is the repository.
const root = "../.."

// typed are the pages whose every block of a terminal is run.
var typed = []string{"tutorial", "recipes", "troubleshooting", "comparison", "glossary", "signin"}

// Each page is typed in its own checkout, with the program on the PATH and at its own
// port.
func TestPagesShowWhatATerminalShows(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program and runs it")
	}
	docpages.Needs(t, "bash", "curl")
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", bin, "./cmd/twinplatform")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range typed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			terminal(t, bin).Type(t, runnable(t, docpages.Read(t, filepath.Join(root, "docs", name+".md"))))
		})
	}
}

// A fresh checkout and the README are enough: each of its blocks is pasted once, and leads
// to a first answer, a picture of a plan, an event that a receiver gets and a test that
// passes. So is the command of its first screen.
func TestReadmeAloneLeadsToItsResults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds programs and runs them")
	}
	docpages.Needs(t, "bash", "curl")
	blocks := docpages.Read(t, filepath.Join(root, "README.md"))
	text := ""
	for _, b := range blocks {
		text += b.Text
	}
	for _, part := range []string{"/schedules/mp-j30-a2-nr1\n", "planner demo", "received twins.twinCreated.v1\n", "go -C mine test .\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("no block of the README has %q", part)
		}
	}
	after := func(command, prints string) docpages.Block {
		return docpages.Block{Info: "console", Text: "$ " + command + "\n" + prints + "\n"}
	}
	// The first block passes the tests, of which this is one.
	blocks[0].Text, _, _ = strings.Cut(blocks[0].Text, "go test -short ./...")
	terminal(t, t.TempDir()).Type(t, append(blocks,
		after("go run ./cmd/planner demo", "A house for two families\n…\nC120 Windows ordered and made …\n…"),
		after("go -C mine test .", "ok  \tmine\t…"),
		after("go test -short -run ImportsFollow ./internal/house", "ok  \tgithub.com/seed-933f9a09/twinplatform/internal/house\t…"), // mine is no part of it
		after("grep -c '^  token     demo\\|^  console   http\\|^  try       curl' server.log", "3"),
	))
}

// runnable makes blocks that want more than a shell such of sh, where there is what they
// want. The tests of examples/typescript and of the image in httpapi/server run without it.
func runnable(t *testing.T, blocks []docpages.Block) []docpages.Block {
	t.Helper()
	wants := map[string][]string{
		"sh typescript": {"node", "-e", "process.exit(process.features.typescript ? 0 : 1)"},
		"sh container":  {"docker", "image", "inspect", "golang:1.26"},
	}
	for i, b := range blocks {
		if w := wants[b.Info]; w != nil && exec.CommandContext(t.Context(), w[0], w[1:]...).Run() == nil {
			blocks[i].Info = "sh"
		}
	}
	return blocks
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := freeport.Address(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// terminal is one in a fresh checkout, where go install puts programs before those in bin.
func terminal(t *testing.T, bin string) *docpages.Terminal {
	t.Helper()
	installed, server, receiver := t.TempDir(), freeAddress(t), freeAddress(t)
	path := strings.Join([]string{installed, bin, os.Getenv("PATH")}, string(os.PathListSeparator))
	return &docpages.Terminal{
		Dir: docpages.Checkout(t, root), Addresses: map[string]string{docpages.Address: server, "127.0.0.1:8443": receiver},
		Env: []string{"PATH=" + path, "GOBIN=" + installed, "GOFLAGS=-trimpath", "TWIN_ADDR=" + server},
	}
}

// Options of containers in pages are those of the server, also where no container engine
// runs.
func TestContainersGetOptionsThatTheServerTakes(t *testing.T) {
	t.Parallel()
	options, err := os.ReadFile(filepath.Join(root, "docs/operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range docpages.Texts(t, filepath.Join(root, "docs/recipes.md"), "sh container") {
		for _, text := range regexp.MustCompile(`-e (TWIN_\w+)=`).FindAllStringSubmatch(block, -1) {
			if !strings.Contains(string(options), "`"+text[1]+"`") {
				t.Errorf("a container gets %s, which the server does not take", text[1])
			}
		}
		for _, file := range regexp.MustCompile(`build .*-f (\S+)`).FindAllStringSubmatch(block, -1) {
			if _, err := os.Stat(filepath.Join(root, file[1])); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestPagesAreReadInOneSitting(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"sh": true, "sh serves": true, "console": true, "text": true, "go": true, "sh typescript": true, "sh container": true}
	for _, name := range typed {
		text, err := os.ReadFile(filepath.Join(root, "docs", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		most := 150
		if name == "tutorial" {
			most = 180 // an hour, in parts that end by themselves
		}
		if n := strings.Count(string(text), "\n"); n > most {
			t.Errorf("%s has %d lines, want at most %d", name, n, most)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := len([]rune(line)); n > 140 && !strings.HasPrefix(line, "{") {
				t.Errorf("line %d of %s has %d columns, want at most 140", i+1, name, n)
			}
		}
		for _, b := range docpages.Read(t, filepath.Join(root, "docs", name+".md")) {
			if !known[b.Info] {
				t.Errorf("line %d of %s opens a block of %q, which nothing runs", b.Line, name, b.Info)
			}
		}
	}
}

func TestAPageIsComparedButForWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, shown, printed string
		same                 bool
	}{
		{"the same", "one\ntwo\n", "one\ntwo", true},
		{"another line", "one\ntwo\n", "one\nthree\n", false},
		{"a line more", "one\n", "one\ntwo\n", false},
		{"a part of a line", `{"id":"…","name":"Dig"}`, `{"id":"42","name":"Dig"}`, true},
		{"a part over lines", `{"id":"…"}`, "{\"id\":\"4\n2\"}", false},
		{"lines", "one\n…\nfour\n", "one\ntwo\nthree\nfour\n", true},
		{"no lines", "one\n…\nfour\n", "one\nfour\n", true},
		{"characters with a meaning", "1 + 1 (of 2)\n", "1 + 1 (of 2)\n", true},
	} {
		if docpages.Same(tt.shown, tt.printed) != tt.same {
			t.Errorf("%s: it is the same: %v", tt.name, !tt.same)
		}
	}
}
