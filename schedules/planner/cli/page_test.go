package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The calls in docs/planner.md print what stands below them, where … is for lines that
// are left out.
func TestThePageShowsWhatTheCommandsPrint(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/planner.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```console\n\\$ go run ./examples/planner ([^\n]*)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != len(verbs()) {
		t.Errorf("there are %d calls of %d commands", len(blocks), len(verbs()))
	}
	for _, b := range blocks {
		args := strings.Fields(strings.ReplaceAll(b[1], "schedules/planner/testdata/", files))
		if at := slices.Index(args, "-o"); at >= 0 {
			args[at+1] = filepath.Join(t.TempDir(), args[at+1])
		}
		var out strings.Builder
		c := command{program: "planner", out: &out, errs: io.Discard, bar: bar{now: time.Now}}
		if err := c.run(args); err != nil {
			t.Errorf("%s: %v", b[1], err)
		}
		got := strings.ReplaceAll(out.String(), files, "schedules/planner/testdata/")
		pattern := strings.ReplaceAll(regexp.QuoteMeta(b[2]), "…\n", `(?s:.*)`)
		if !regexp.MustCompile(`\A` + pattern + `\z`).MatchString(got) {
			t.Errorf("%s prints\n%s\nand not\n%s", b[1], got, b[2])
		}
	}
}
