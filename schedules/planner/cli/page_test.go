package cli

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

// The calls in docs/planner.md print what stands below them, where … is for lines that
// are left out.
func TestThePageShowsWhatTheCommandsPrint(t *testing.T) {
	t.Parallel()
	calls := 0
	for _, block := range docpages.Read(t, "../../../docs/planner.md") {
		if block.Info != "console" {
			continue
		}
		for _, typed := range block.Commands() {
			call, ok := strings.CutPrefix(typed.Command, "go run ./cmd/planner ")
			if !ok {
				t.Errorf("the page types %s", typed.Command)
				continue
			}
			calls++
			folders := strings.NewReplacer("schedules/planner/testdata/", files, "schedules/planner/cli/", "")
			args := strings.Fields(folders.Replace(call))
			if at := slices.Index(args, "-o"); at >= 0 {
				args[at+1] = filepath.Join(t.TempDir(), args[at+1])
			}
			var out strings.Builder
			c := command{program: "planner", out: &out, errs: io.Discard, bar: bar{now: time.Now}}
			if err := c.run(args); err != nil {
				t.Errorf("%s: %v", call, err)
			}
			printed := strings.TrimPrefix(out.String(), "\uFEFF") // which no terminal shows
			if got := strings.ReplaceAll(printed, files, "schedules/planner/testdata/"); !docpages.Same(typed.Output, got) {
				t.Errorf("%s prints\n%s\nand not\n%s", call, got, typed.Output)
			}
		}
	}
	if calls != len(verbs()) {
		t.Errorf("there are %d calls of %d commands", calls, len(verbs()))
	}
}
