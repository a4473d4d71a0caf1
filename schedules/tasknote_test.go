package schedules_test

import (
	"bytes"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// notesIn are the notes of the first task and of the project of a file.
func notesIn(t *testing.T, content []byte) (task, project []planner.Note) {
	t.Helper()
	p, err := planner.Read(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tasks {
		if p.Tasks[i].Name == "First" {
			task = p.Tasks[i].Notes
		}
	}
	return task, p.Projects[0].Notes
}

// TestNotesOfAFileAreKeptWhole imports notes that no comment holds: the export has them as the
// file does, and nothing is warned of.
func TestNotesOfAFileAreKeptWhole(t *testing.T) {
	t.Parallel()
	long := strings.TrimSpace(strings.Repeat("Prüfen, ob es hält. ", 700)) // 14,000 characters
	for name, c := range map[string]heldCase{
		"a long one of Microsoft Project": {planner.MSPDI, func(_ *planner.Plan, a, _ *planner.Task) { a.Notes = []planner.Note{{Text: long}} }, ""},
		"several with topics": {planner.XER, func(p *planner.Plan, a, _ *planner.Task) {
			a.Notes = []planner.Note{{Topic: "Scope", Text: "All of it"}, {Topic: "Risk", Text: long}}
			p.Projects[0].Notes = []planner.Note{{Topic: "Purpose", Text: "A bridge"}, {Topic: "Risk", Text: long}}
		}, ""},
		"one with a topic": {planner.P6XML, func(p *planner.Plan, a, _ *planner.Task) {
			a.Notes = []planner.Note{{Topic: "Scope", Text: "All of it"}}
			p.Projects[0].Notes = []planner.Note{{Topic: "Purpose", Text: "A bridge"}}
		}, ""},
		"a short one": {planner.XER, func(_ *planner.Plan, a, _ *planner.Task) { a.Notes = []planner.Note{{Text: "All of it"}} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := c.content(t)
			p := inMemory(t)
			for _, w := range p.importPlan(content, exchange.PlannerImportOptions{}).SynchronizationDetails.Warnings {
				if strings.Contains(strings.ToLower(w.Message), "note") {
					t.Errorf("it is warned: %.200s", w.Message)
				}
			}
			wantTask, wantProject := notesIn(t, content)
			gotTask, gotProject := notesIn(t, p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(c.format)}))
			if diff := gocmp.Diff([][]planner.Note{wantTask, wantProject}, [][]planner.Note{gotTask, gotProject}); diff != "" || len(wantTask) == 0 {
				t.Errorf("(-file +export)\n%s", diff)
			}
		})
	}
}

// TestCommentNextToNotesIsInTheExport changes the comment of a task with notes.
func TestCommentNextToNotesIsInTheExport(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.create(schedules.NewTask{ID: "dig", Name: "First", Type: schedules.Work, PlannedStart: date(t, "2026-03-02T09:00:00Z"), PlannedDuration: new(int32(3_600)), Notes: []schedules.TaskNote{{Topic: "Scope", Text: "All of it"}}})
	p.patch("dig", schedules.TaskPatch{Comment: twinplatform.Set("Seen")})
	got, _ := notesIn(t, p.export(exchange.PlannerExport{Format: exchange.FormatXER}))
	if diff := gocmp.Diff([]planner.Note{{Topic: "Scope", Text: "All of it"}, {Text: "Seen"}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	p.patch("dig", schedules.TaskPatch{Notes: twinplatform.Null[[]schedules.TaskNote]()})
	if x := p.task("dig"); x.Notes != nil || x.Comment != "Seen" {
		t.Errorf("it has the notes %v and the comment %q", x.Notes, x.Comment)
	}
}

// TestImportWarnsOfEachMemberOfTheTablesThatAreLeft imports each readable file: what of its tables
// nothing of a plan is made of, a warning names by the table and the member.
func TestImportWarnsOfEachMemberOfTheTablesThatAreLeft(t *testing.T) {
	t.Parallel()
	for name, content := range exportedPlans(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			said := inMemory(t).importPlan(content, exchange.PlannerImportOptions{}).SynchronizationDetails.Warnings
			for _, table := range file.Tables {
				for at, member := range table.Fields {
					if at == 0 && len(table.Fields) > 1 || !valued(table.Rows, at) {
						continue
					}
					if !named(said, " "+table.Name+" of the file", " "+member+" (") {
						t.Errorf("no warning names %s of %s", member, table.Name)
					}
				}
			}
		})
	}
}

// valued reports whether one of some rows has a value at a place.
func valued(rows []string, at int) bool {
	for _, row := range rows {
		if values := strings.Split(row, "\t"); at < len(values) && values[at] != "" {
			return true
		}
	}
	return false
}

// named reports whether a warning has all of some parts.
func named(said []synchronizers.SynchronizationWarning, parts ...string) bool {
	for _, w := range said {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(w.Message, part)
		}
		if all {
			return true
		}
	}
	return false
}
