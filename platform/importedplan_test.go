package platform_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// What came from a planner file is exported, and seeding the export makes the same world.
func TestExportOfEveryImportedPlannerFileIsSeeded(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "schedules", "planner", "testdata")
	names := made[[]string](t)(filepath.Glob(filepath.Join(folder, "*.x[em][rl]")))
	if len(names) < 5 {
		t.Fatalf("there are the planner files %q", names)
	}
	for _, version := range []schedules.ScheduleType{schedules.V10} {
		for _, name := range names {
			t.Run(string(version)+" "+filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				store := memory.New()
				first := over(t, store, platform.Config{})
				w := towerWorld(platform.Schedule{})
				w.Schedules[0].Type = version
				seed(t, first, w)
				content, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				plan, ctx := first.Schedules.In("s"), t.Context()
				in := files.In(plan)
				file := made[twinplatform.Record[files.File]](t)(in.CreateFile(ctx, files.NewFile{Length: int64(len(content))}))
				if _, err := in.AppendFile(ctx, file.Value.ID, 0, bytes.NewReader(content)); err != nil {
					t.Fatal(err)
				}
				from := exchange.PlannerFile{FileID: file.Value.ID, FilePath: name, SynchronizerID: "planner"}
				if strings.HasPrefix(filepath.Base(name), "mspdi") {
					_, err = exchange.In(plan).ImportMicrosoftProject(t.Context(), exchange.MicrosoftProjectImport{PlannerFile: from})
				} else {
					_, err = exchange.In(plan).Import(t.Context(), exchange.PlannerImport{PlannerFile: from})
				}
				if err != nil {
					t.Fatal(err)
				}
				sameAfterSeeding(t, name, store, first)
			})
		}
	}
}
