package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

const recordingPage = "../../docs/recording.md"

// recordWith records what is sent to the address that it is called with.
func recordWith(t *testing.T, args []string, send func(address string)) (printed string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, Process{Args: args, Stdout: in, Stderr: t.Output()})
		_ = in.Close()
	}()
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("record printed nothing and exits with %d", <-ended)
	}
	address, _, _ := strings.Cut(first, " leads to ")
	send(address)
	stop()
	rest, err := io.ReadAll(lines)
	if code := <-ended; code != 0 || err != nil {
		t.Fatalf("record exits with %d: %v", code, err)
	}
	return first + string(rest)
}

// The lines of docs/recording.md work as they are, except for addresses and folders.
func TestPageOfRecordingTypesWhatWorks(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile)
	dir := t.TempDir()
	text, err := os.ReadFile(recordingPage)
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "\n```\n")
	example, _, _ = strings.Cut(example, "```\n")
	if err := os.WriteFile(filepath.Join(dir, "twin.txtar"), []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	here := strings.NewReplacer("https://api.example.com/v1", s.base, "http://"+defaultAddr, s.base, "world.json", seedFile,
		"twin.txtar", filepath.Join(dir, "twin.txtar"), " recorded", " "+filepath.Join(dir, "recorded"))
	ran := 0
	for _, block := range docpages.Texts(t, recordingPage, "sh") {
		for line := range strings.Lines(block) {
			args := strings.Fields(here.Replace(line))
			if args[0] != "twinplatform" {
				continue
			}
			ran++
			switch args = args[1:]; args[0] {
			case "record":
				printed := recordWith(t, append(args, "-addr", "127.0.0.1:0"), func(address string) {
					for _, path := range []string{"/twins", "/users/me"} {
						if body := (&running{t: t, client: http.DefaultClient, token: s.token}).text(address+path, ""); !strings.HasPrefix(body, "{") {
							t.Errorf("%s answers %s", path, body)
						}
					}
				})
				if want := fmt.Sprintf("%s has 2 steps.\n", filepath.Join(dir, "recorded")); !strings.Contains(printed, want) {
					t.Errorf("record prints\n%s", printed)
				}
			case "compare":
				if code, out, errs := compareWith(t, s, args[3:]...); code != 0 {
					t.Errorf("%s exits with %d:\n%s%s", line, code, out, errs)
				}
			case "serve":
				cfg, err := Parse(Process{Args: args[1:], Stdout: io.Discard, Stderr: io.Discard})
				if err == nil {
					err = cfg.read()
				}
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
			default:
				t.Errorf("the page types %s", line)
			}
		}
	}
	if ran != 4 {
		t.Errorf("the page types %d commands", ran)
	}
}

func TestRecordRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	taken := t.TempDir()
	if err := os.WriteFile(filepath.Join(taken, "kept"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		code int
	}{
		"no flags":            {nil, 2},
		"no folder":           {[]string{"-target", "http://localhost:1"}, 2},
		"no room":             {[]string{"-target", "http://localhost:1", "-out", filepath.Join(taken, "new"), "-max-bytes", "0"}, 2},
		"a folder with files": {[]string{"-target", "http://localhost:1", "-out", taken}, 1},
		"no address":          {[]string{"-target", "here", "-out", filepath.Join(taken, "new")}, 1},
	} {
		var errs strings.Builder
		if code := Main(t.Context(), Process{Args: append([]string{"record"}, tt.args...), Stdout: io.Discard, Stderr: &errs}); code != tt.code {
			t.Errorf("%s: record exits with %d, want %d, and says %s", name, code, tt.code, &errs)
		}
	}
	if help := helpOf(t, "record", "-h"); !strings.HasPrefix(help, "Usage: twinplatform record [flags]\n") || !strings.Contains(help, recordCommand().examples[0].Call) {
		t.Errorf("the help of record is\n%s", help)
	}
}
