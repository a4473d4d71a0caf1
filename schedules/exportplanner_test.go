package schedules_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// export exports the schedule, and returns the bytes of the file.
func (p *plan) export(r exchange.PlannerExport) []byte {
	p.Helper()
	res, err := exchange.In(p.in()).Export(p.ctx, r)
	if err != nil {
		p.Fatal(err)
	}
	if res.Status != twinplatform.OperationSucceeded || len(res.Subjects) != 1 {
		p.Fatalf("the export ended as %+v", res.Operation)
	}
	return p.exported(res.Subjects[0])
}

// exported are the bytes of the file of an export.
func (p *plan) exported(synchronizerID string) []byte {
	p.Helper()
	f, err := exchange.In(p.in()).OpenExport(p.ctx, synchronizerID)
	if err != nil {
		p.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil || int64(len(content)) != f.Length {
		p.Fatalf("the file has %d bytes of %d: %v", len(content), f.Length, err)
	}
	return content
}

// asStored is what a schedule stores of a plan, without the ids that each file has of its
// own: records are known by their names, tasks by those of all that they are below.
type asStored struct {
	Project                                      string
	Calendars, Tasks, Links, Resources, Assigned []string
}

// storedOf is that of a plan that was read. Nodes that stand for whole projects are left
// out: an import makes none of them. Of dates those count that another plan has too: an
// import gives dates to tasks without.
func storedOf(t testing.TB, p *planner.Plan, dated map[string]planner.Dates) (s asStored) {
	t.Helper()
	calendars, made := map[string]string{"": "none"}, map[string]*worktime.Calendar{}
	definitions := make(map[string]*worktime.Definition)
	for _, c := range p.Calendars {
		definitions[c.ID] = &worktime.Definition{Week: c.Week, Exceptions: c.Exceptions}
	}
	for _, c := range p.Calendars {
		definitions[c.ID].Base = definitions[c.BaseID]
		calendars[c.ID] = c.Name
	}
	from, to := worktime.Date(1999, 1, 1, 0, 0, 0), worktime.Date(2031, 1, 1, 0, 0, 0)
	for _, c := range p.Calendars {
		work, err := worktime.New(*definitions[c.ID])
		if err != nil {
			continue
		}
		made[c.ID] = work
		var hours []string
		for day := from; day < to; day += 30 * worktime.Day {
			hours = append(hours, fmt.Sprint(work.Between(day, day+30*worktime.Day)/60))
		}
		s.Calendars = append(s.Calendars, c.Name+": "+strings.Join(hours, " "))
	}
	for _, project := range p.Projects[:1] {
		s.Project = fmt.Sprint(calendars[project.CalendarID], " ", project.DataDate, " ", project.Lag, " ", project.Progress, " ", project.OpenEndsCritical, project.LongestPath, project.Critical)
	}
	root := make(map[string]bool)
	for _, x := range p.Tasks {
		named := slices.ContainsFunc(p.Projects, func(q planner.Project) bool { return q.ID == x.ProjectID && (q.Name == x.Name || q.Code == x.Code) })
		root[x.ID] = x.ParentID == "" && x.Kind == cpm.Summary && named && p.Format != planner.MSPDI
	}
	paths, durations := make(map[string]string), make(map[string]int64)
	for _, x := range p.Tasks {
		if root[x.ID] {
			continue
		}
		paths[x.ID] = strings.TrimPrefix(paths[x.ParentID]+"/"+x.Name, "/")
		durations[x.ID] = x.Duration
		line := fmt.Sprint(paths[x.ID], " ", x.Kind, " ", calendars[x.CalendarID], " ", x.Status())
		if x.Kind != cpm.Summary {
			line += fmt.Sprint(" ", x.Duration, " ", x.ActualStart, " ", x.ActualFinish, " ", x.Constraints, " ", x.Manual)
			if x.Status() == planner.Planned {
				line += fmt.Sprint(" ", x.Remaining)
			}
			if dated[x.Name].Start != 0 && x.Kind != cpm.FinishMilestone { // which has no start
				line += fmt.Sprint(" ", x.File.Start)
			}
			if dated[x.Name].Finish != 0 && x.Status() == planner.Planned {
				line += fmt.Sprint(" ", x.File.Finish)
			}
		}
		for _, n := range x.Notes {
			line += " " + n.Text
		}
		s.Tasks = append(s.Tasks, line)
	}
	for _, l := range p.Links {
		lag := l.Lag
		if l.Percent {
			lag = durations[l.PredecessorID] * l.Lag / 100
		}
		s.Links = append(s.Links, fmt.Sprint(paths[l.PredecessorID], " ", l.Type, " ", paths[l.SuccessorID], " ", lag, l.Elapsed))
	}
	resources := make(map[string]string)
	for _, r := range p.Resources {
		resources[r.ID] = r.Name
	}
	for _, r := range p.Resources {
		s.Resources = append(s.Resources, fmt.Sprint(r.Name, " ", r.Type, " ", calendars[r.CalendarID], " ", resources[r.ParentID], " ", r.Email))
	}
	for _, a := range p.Assignments {
		s.Assigned = append(s.Assigned, fmt.Sprintf("%s %s %.2f %.2f", paths[a.TaskID], resources[a.ResourceID], a.Units, a.UnitsPerTime))
	}
	for _, list := range [][]string{s.Calendars, s.Tasks, s.Links, s.Resources, s.Assigned} {
		slices.Sort(list)
	}
	return s
}

// exportedPlans are files, and plans made up, by a name.
func exportedPlans(t *testing.T) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for _, pattern := range []string{"*.xer", "*.xml"} {
		names, err := filepath.Glob("planner/testdata/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(name)] = content
		}
	}
	for seed := range uint64(4) {
		content := xerOf(t, randomXER(seed, 60))
		all[fmt.Sprint("random", seed, ".xer")] = content
		read, err := planner.Read(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		var other bytes.Buffer
		if _, err := planner.Write(&other, read, planner.MSPDI); err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprint("random", seed, ".xml")] = other.Bytes()
	}
	return all
}

// TestExportedFileHoldsWhatWasImported imports a file, exports it again, and compares what
// is read of both, as far as a schedule stores it.
//
// covers: operations plannerExports.create
func TestExportedFileHoldsWhatWasImported(t *testing.T) {
	t.Parallel()
	for name, content := range exportedPlans(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			want, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			p.importPlan(content, exchange.PlannerImportOptions{})
			dated := make(map[string]planner.Dates)
			for _, x := range want.Tasks {
				dated[x.Name] = x.File
			}
			formats := []exchange.PlannerFormat{exchange.FormatXER, exchange.FormatP6XML}
			if want.Format == planner.MSPDI {
				formats = []exchange.PlannerFormat{exchange.FormatMSPDI}
			}
			for _, format := range formats {
				got, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: format})))
				if err != nil {
					t.Fatal(err)
				}
				if len(got.Tasks) == 0 || len(got.Calendars) == 0 || string(got.Format) != string(format) {
					t.Errorf("the file is %s and has %d tasks and %d calendars", got.Format, len(got.Tasks), len(got.Calendars))
				}
				if diff := gocmp.Diff(storedOf(t, want, dated), storedOf(t, got, dated)); diff != "" {
					t.Errorf("the %s has other records (-imported +exported):\n%s", format, diff)
				}
			}
		})
	}
}

// An import or an export of an existing synchronizer is followed by the export.
func TestSynchronizerShowsItsExport(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(plannerFile(t, "mspdi-mp_j30_a2_nr1.xml"), exchange.PlannerImportOptions{})
	before := p.synchronizer("planner")
	p.export(exchange.PlannerExport{Format: exchange.FormatMSPDI, SynchronizerID: "planner"})
	y := p.synchronizer("planner")
	if y.SynchronizationType != synchronizers.SynchronizationExport || y.OriginalSynchronizationType != synchronizers.SynchronizationImport || y.SynchronizerName != before.SynchronizerName {
		t.Errorf("the synchronizer is %+v", y)
	}
	created := counted(t, y.SynchronizationDetails.Created)
	if created["tasks"] != counted(t, before.SynchronizationDetails.Created)["tasks"] || created["links"] == 0 {
		t.Errorf("it has %v", created)
	}
	// A second one takes the place of the first.
	p.tasks("one-more")
	if content := p.export(exchange.PlannerExport{Format: exchange.FormatXER, SynchronizerID: "planner"}); !bytes.Contains(content, []byte("one-more")) {
		t.Errorf("the last file is %.100s", content)
	}
	if got := counted(t, p.synchronizer("planner").SynchronizationDetails.Created)["tasks"]; got != created["tasks"]+1 {
		t.Errorf("the last file has %d tasks", got)
	}
}

// covers: operations plannerExports.read
func TestExportInBackgroundIsThereOnceItsOperationIsDone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: time.Now}})
		p.tasks("dig", "pour")
		p.links("dig FinishToStart pour 3600")
		p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
		res, err := exchange.In(p.in()).Export(p.ctx, exchange.PlannerExport{Format: exchange.FormatXER, SynchronizerID: "export"})
		if err != nil || res.Status != twinplatform.OperationNotStarted {
			t.Fatal(res.Operation, err)
		}
		_, err = exchange.In(p.in()).OpenExport(p.ctx, "export")
		noSynchronizer.check(t, err)
		ctx, stop := context.WithCancel(p.ctx)
		ran := make(chan error, 1)
		go func() { ran <- p.svc.Run(ctx) }()
		if op, err := p.in().Wait(p.ctx, res.Operation.ID); err != nil || op.Status != twinplatform.OperationSucceeded {
			t.Error(op, err)
		}
		if !bytes.Contains(p.exported("export"), []byte("pour")) {
			t.Error("the file has not all tasks")
		}
		time.Sleep(files.FileTime)
		_, err = exchange.In(p.in()).OpenExport(p.ctx, "export")
		noExport.check(t, err)
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
}

var (
	noSynchronizer = refusal{kind: twinplatform.NotFound, code: "SynchronizerNotFound", target: "synchronizerId"}
	noExport       = refusal{kind: twinplatform.NotFound, code: "FileNotFound", target: "synchronizerId"}
)

func TestExportThatCannotBeMadeIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	export := func(r exchange.PlannerExport) error {
		_, err := exchange.In(p.in()).Export(p.ctx, r)
		return err
	}
	invalid("MissingRequiredProperty format").check(t, export(exchange.PlannerExport{}))
	invalid("InvalidValue format", "InvalidValue synchronizerId").check(t, export(exchange.PlannerExport{Format: "MPP", SynchronizerID: "a/b"}))
	for range files.MaxFiles {
		p.file(1)
	}
	refusal{kind: twinplatform.Conflict, code: "FileQuotaExceeded"}.check(t, export(exchange.PlannerExport{Format: exchange.FormatXER, SynchronizerID: "export"}))
	_, err := exchange.In(p.in()).OpenExport(p.ctx, "export")
	noSynchronizer.check(t, err)
	_, err = synchronizers.In(p.in()).CreateSynchronizer(p.ctx, synchronizers.Synchronizer{ID: "import", SynchronizerName: "Import"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = exchange.In(p.in()).OpenExport(p.ctx, "import")
	noExport.check(t, err)
	p.v65()
	invalid("InvalidParameter scheduleId").check(t, export(exchange.PlannerExport{Format: exchange.FormatXER}))
	p.id = "nothing"
	noSchedule.check(t, export(exchange.PlannerExport{Format: exchange.FormatXER}))
}

// A schedule without a calendar, and one without anything, are plans as well.
func TestExportOfAScheduleInElapsedTimeIsRead(t *testing.T) {
	t.Parallel()
	for _, format := range []exchange.PlannerFormat{exchange.FormatXER, exchange.FormatP6XML, exchange.FormatMSPDI} {
		p := inMemory(t)
		for _, tasks := range [][]string{nil, {"dig 2026-03-02T09:00:00Z 172800"}} {
			if tasks != nil {
				p.tasks(tasks...)
			}
			read, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: format})))
			if err != nil || len(read.Tasks) < len(tasks) || len(read.Projects) != 1 {
				t.Fatalf("%s: the file has %+v, %v", format, read, err)
			}
			for _, x := range read.Tasks {
				if x.Name == "dig" && (x.Duration != 172800 || x.File.Finish.String() != "2026-03-04T09:00:00") {
					t.Errorf("%s: the task is %+v", format, x)
				}
			}
		}
	}
}

// A node of the WBS that is called like the project is one like any other.
func TestATaskThatIsCalledLikeItsScheduleIsInTheXMLOfP6(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(
		schedules.NewTask{ID: "all", Name: "Plan", Type: schedules.Work},
		schedules.NewTask{ID: "dig", Name: "dig", Type: schedules.Work, ParentID: "all"},
	)
	read, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: exchange.FormatP6XML})))
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Tasks) != 2 || read.Tasks[0].Name != "Plan" || read.Tasks[1].ParentID != read.Tasks[0].ID {
		t.Errorf("the file has %+v", read.Tasks)
	}
}
