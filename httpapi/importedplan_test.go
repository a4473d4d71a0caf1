package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
)

// everyPage reads a list with all its pages.
func (x *talk) everyPage(path string) (many string, all []map[string]any) {
	x.Helper()
	for path != "" {
		status, answer := x.ask(http.MethodGet, path, "")
		if status != http.StatusOK {
			x.Fatalf("GET %s answers %d %v", path, status, answer)
		}
		path = ""
		for name, value := range answer {
			switch v := value.(type) {
			case []any:
				many = name
				for _, record := range v {
					all = append(all, record.(map[string]any))
				}
			case map[string]any:
				if next, ok := v["next"].(map[string]any); ok && name == "_links" {
					path = strings.TrimPrefix(next["href"].(string), "https://api.test")
				}
			}
		}
	}
	return many, all
}

// TestRecordsOfPlannerFilesAreSentBackAsTheyWereRead imports each planner file and patches
// every record of the schedule with itself.
func TestRecordsOfPlannerFilesAreSentBackAsTheyWereRead(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../schedules/planner/testdata/*.x[em][rl]")
	if err != nil || len(names) < 5 {
		t.Fatalf("there are the planner files %q: %v", names, err)
	}
	lists := make(map[string]string) // paths of lists, by the group of their operation
	for _, o := range httpapi.Operations() {
		group, verb, _ := strings.Cut(o.ID, ".")
		if verb == "list" && strings.Count(o.Path, "{") == 1 && strings.HasPrefix(o.Path, "/schedules/{scheduleId}/") {
			lists[group] = o.Path
		}
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			x := newTalk(t)
			x.importPlan(name)
			sent := make(map[string]int)
			for _, o := range httpapi.Operations() {
				group, _, _ := strings.Cut(o.ID, ".")
				// 3D entities are of v6.5 schedules, which no planner file is imported into.
				if o.Method != http.MethodPatch || lists[group] == "" || group == "entities3d" ||
					!strings.HasPrefix(o.Path, "/schedules/{scheduleId}/") {
					continue
				}
				at := func(path string) string { return strings.Replace(path, "{scheduleId}", "imported", 1) }
				many, before := x.everyPage(at(lists[group]))
				for _, record := range before {
					path, body := at(o.Path), inJSON(t, record)
					if head, _, single := strings.Cut(path, "{"); single {
						path = head + record["id"].(string)
					} else {
						body = fmt.Sprintf(`{%q: [%s]}`, many, body)
					}
					if status, answer := x.ask(http.MethodPatch, path, body); status != http.StatusOK {
						t.Fatalf("PATCH %s with %s answers %d %s", path, body, status, textOf(answer))
					}
					sent[group]++
				}
				if _, after := x.everyPage(at(lists[group])); !cmp.Equal(before, after) {
					t.Errorf("%s sent back are others (-was +is):\n%s", group, cmp.Diff(before, after))
				}
			}
			if sent["tasks"] == 0 || sent["calendars"] == 0 {
				t.Errorf("sent back were %v of %v", sent, slices.Sorted(maps.Keys(lists)))
			}
			t.Log(sent)
		})
	}
}

// importPlan imports a planner file into its own schedule, imported.
func (x *talk) importPlan(name string) {
	x.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		x.Fatal(err)
	}
	ctx, svc := x.Context(), x.w.schedules
	n := schedules.NewSchedule{ID: "imported", Name: "Imported", TwinID: "tower"}
	must[schedules.Schedule](x)(svc.CreateSchedule(ctx, n))
	plan := svc.In("imported")
	file, err := files.In(plan).CreateFile(ctx, files.NewFile{Length: int64(len(content))})
	if err != nil {
		x.Fatal(err)
	}
	if _, err := files.In(plan).AppendFile(ctx, file.Value.ID, 0, strings.NewReader(string(content))); err != nil {
		x.Fatal(err)
	}
	from := planfiles.PlannerFile{FileID: file.Value.ID, FilePath: filepath.Base(name), SynchronizerID: "planner"}
	if strings.Contains(string(content), "schemas.microsoft.com/project") {
		_, err = planfiles.In(plan).ImportMicrosoftProject(ctx, planfiles.MicrosoftProjectImport{PlannerFile: from})
	} else {
		_, err = planfiles.In(plan).Import(ctx, planfiles.PlannerImport{PlannerFile: from})
	}
	if err != nil {
		x.Fatal(err)
	}
}
