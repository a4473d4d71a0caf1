package schedules_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// FuzzImport imports whatever comes, twice: it is refused in words for people, or is whole,
// and the second time changes nothing.
func FuzzImport(f *testing.F) {
	for _, name := range plannerFiles(f) {
		f.Add(plannerFile(f, name))
	}
	f.Add(xerOf(f, randomXER(5, 12)))
	f.Add([]byte("<APIBusinessObjects><" + strings.Repeat("é", 300_000) + "\xff>")) // which an error quotes
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) == 0 || len(content) > 1<<20 {
			return
		}
		p := newPlan(t, memory.New(), schedules.Config{})
		file, err := files.In(p.in()).CreateFile(p.ctx, files.NewFile{Length: int64(len(content))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := files.In(p.in()).AppendFile(p.ctx, file.Value.ID, 0, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		if err := p.startImport(p.ctx, p.svc, file.Value.ID); err != nil {
			if !errors.Is(err, twinplatform.Invalid) {
				t.Fatalf("refused with %v (%v)", err, twinplatform.Cause(err))
			}
			if tasks, _ := p.allTasks(twinplatform.ListOptions{}); len(tasks) > 0 {
				t.Fatalf("a refused import has made %d tasks", len(tasks))
			}
			p.tasks("mine") // the schedule takes changes
			return
		}
		if err := p.startImport(p.ctx, p.svc, file.Value.ID); err != nil {
			t.Fatalf("the second import failed with %v", err)
		}
		if diff := cmp.Diff(noChanges, changes(t, p.synchronizer("planner"))); diff != "" {
			t.Fatalf("the second import did:\n%s", diff)
		}
		p.tasks("mine")
	})
}
