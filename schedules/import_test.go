package schedules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// plannerFile is one of the files of package planner.
func plannerFile(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("planner", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// importPlan imports a file and returns its synchronizer.
func (p *plan) importPlan(content []byte, options exchange.PlannerImportOptions) synchronizers.Synchronizer {
	p.Helper()
	res, err := exchange.In(p.in()).Import(p.ctx, exchange.PlannerImport{
		PlannerFile: exchange.PlannerFile{FileID: p.upload(content), FilePath: "plan", SynchronizerID: "planner"}, Options: options,
	})
	if err != nil {
		p.Fatal(err)
	}
	if res.Status != twinplatform.OperationSucceeded || len(res.Subjects) != 1 {
		p.Fatalf("the import ended as %+v", res.Operation)
	}
	return p.synchronizer(res.Subjects[0])
}

func (p *plan) synchronizer(id string) synchronizers.Synchronizer {
	p.Helper()
	rec, err := synchronizers.In(p.in()).Synchronizer(p.ctx, id)
	if err != nil {
		p.Fatal(err)
	}
	return rec.Value
}

// counted are the counts of a synchronization that are not zero.
func counted(t testing.TB, c synchronizers.SynchronizationCounts) map[string]int {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]int)
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for name, n := range all {
		if n == 0 {
			delete(all, name)
		}
	}
	return all
}

// changes are what a synchronization did.
func changes(t testing.TB, y synchronizers.Synchronizer) map[string]map[string]int {
	t.Helper()
	d := y.SynchronizationDetails
	return map[string]map[string]int{"created": counted(t, d.Created), "updated": counted(t, d.Updated), "deleted": counted(t, d.Deleted)}
}

var noChanges = map[string]map[string]int{"created": {}, "updated": {}, "deleted": {}}

// plannerFiles are the files of package planner.
func plannerFiles(t testing.TB) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.xer", "*.xml"} {
		files, err := filepath.Glob(filepath.Join("planner", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			names = append(names, filepath.Base(file))
		}
	}
	if len(names) < 4 {
		t.Fatalf("package planner has the files %q", names)
	}
	return names
}

// covers: Files and imports: rule a second import of a file changes nothing
// covers: operations plannerImports.create
func TestFileThatIsImportedTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	for _, name := range plannerFiles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			content := plannerFile(t, name)
			first := p.importPlan(content, exchange.PlannerImportOptions{})
			t.Logf("%v", changes(t, first))
			for _, w := range first.SynchronizationDetails.Warnings {
				t.Log(w.Message)
			}
			tasks, since := p.allTasks(twinplatform.ListOptions{})
			if len(tasks) == 0 || counted(t, first.SynchronizationDetails.Created)["tasks"] != len(tasks) {
				t.Fatalf("with %d tasks there are counted %v", len(tasks), changes(t, first))
			}
			for _, mode := range []exchange.SyncMode{"", exchange.ConsolidateMode, exchange.SynchronizeMode} {
				var y synchronizers.Synchronizer
				if mode == "" {
					y = p.importPlan(content, exchange.PlannerImportOptions{})
				} else {
					y = p.synchronize(content, mode)
				}
				if diff := cmp.Diff(noChanges, changes(t, y)); diff != "" {
					t.Errorf("imported once more by %q:\n%s", mode, diff)
				}
			}
			if changed, _ := p.allTasks(twinplatform.ListOptions{Delta: since}); len(changed) != 0 {
				t.Errorf("%d tasks were written once more", len(changed))
			}
		})
	}
}

// synchronize synchronizes with a file, all by one mode.
func (p *plan) synchronize(content []byte, mode exchange.SyncMode) synchronizers.Synchronizer {
	p.Helper()
	return p.synchronizeBy(content, allBy(mode))
}

func (p *plan) synchronizeBy(content []byte, options exchange.PlannerSyncOptions) synchronizers.Synchronizer {
	p.Helper()
	_, err := exchange.In(p.in()).Synchronize(p.ctx, exchange.PlannerSynchronization{
		PlannerFile: exchange.PlannerFile{FileID: p.upload(bytes.Clone(content)), SynchronizerID: "planner"}, Options: options,
	})
	if err != nil {
		p.Fatal(err)
	}
	return p.synchronizer("planner")
}

// allBy are the options that have one mode for all.
func allBy(mode exchange.SyncMode) exchange.PlannerSyncOptions {
	return exchange.PlannerSyncOptions{
		SyncActivityCodes: mode, SyncActivityCodesAssignment: mode, SyncCalendars: mode, SyncCostAccounts: mode, SyncCosts: mode, SyncLinks: mode,
		SyncNotebooks: mode, SyncResourceAssignments: mode, SyncResourceCodeAssignments: mode, SyncResourceCodes: mode, SyncResources: mode,
		SyncTaskActuals: mode, SyncTaskConstraints: mode, SyncTasks: mode, SyncUserFieldValues: mode, SyncUserField: mode,
	}
}

// startImport imports a file by a service.
func (p *plan) startImport(ctx context.Context, svc *schedules.Service, fileID string) error {
	_, err := exchange.In(svc.In(p.id)).Import(ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: fileID, SynchronizerID: "planner"}})
	return err
}

// covers: Files and imports: rule an import is made whole or not at all
func TestInterruptedImportIsCompletedByTheNextProcess(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	content := xerOf(t, randomXER(7, 400))
	whole := inMemory(t)
	want := changes(t, whole.importPlan(content, exchange.PlannerImportOptions{}))
	interrupted := 0
	for n := 2; ; n += 1 + n/3 {
		p := inPresent(t)
		p.tasks("mine")
		id := p.upload(content)
		if !p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error { return p.startImport(ctx, svc, id) }) {
			break
		}
		interrupted++
		tasks, _ := p.allTasks(twinplatform.ListOptions{})
		_, err := p.in().CreateTasks(p.ctx, []schedules.NewTask{{Name: "another", Type: schedules.Work}})
		if len(tasks) > 1 && err == nil { // which continued with the import first
			t.Logf("interrupted at transaction %d", n)
		}
		p.resume(nil)
		y := p.synchronizer("planner")
		if diff := cmp.Diff(want, changes(t, y)); diff != "" {
			t.Fatalf("interrupted at transaction %d the import did (-want +got):\n%s", n, diff)
		}
		tasks, _ = p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
		if made := want["created"]["tasks"]; len(tasks) < made+1 || len(tasks) > made+2 {
			t.Fatalf("interrupted at transaction %d there are %d tasks, of which %d are of the file", n, len(tasks), made)
		}
		if diff := cmp.Diff(noChanges, changes(t, p.synchronize(content, exchange.ConsolidateMode))); diff != "" {
			t.Fatalf("interrupted at transaction %d, and imported once more:\n%s", n, diff)
		}
	}
	if interrupted < 5 {
		t.Fatalf("the import could be interrupted %d times, want more", interrupted)
	}
}

// covers: Files and imports: rule an import is made whole or not at all
func TestFailedImportLeavesTheScheduleAsItWas(t *testing.T) {
	t.Parallel()
	circle := xer{tasks: []xerTask{{code: "A", hours: 8}, {code: "B", hours: 8}}, links: []xerLink{{"A", "B", "PR_FS", 0}, {"B", "A", "PR_SS", 0}}}
	pair := xer{tasks: circle.tasks, links: circle.links[:1]}
	for name, c := range map[string]struct {
		content []byte
		before  func(p *plan)
		request exchange.PlannerImport
		says    string
	}{
		"no plan":         {content: []byte("to whom it may concern"), says: "XER"},
		"an MPP":          {content: []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on"), says: "save it as XML"},
		"cut off":         {content: plannerFile(t, "BaselineProjects.xml")[:5000], says: "damaged"},
		"a circle":        {content: xerOf(t, circle), says: "cycle: A → B → A"},
		"no such project": {content: xerOf(t, pair), request: exchange.PlannerImport{Projects: []exchange.ImportedProject{{ID: "OTHER"}}}, says: "no project 'OTHER'"},
		"a circle with our links": {content: xerOf(t, pair), says: "cycle", before: func(p *plan) {
			p.importPlan(xerOf(t, xer{tasks: pair.tasks}), exchange.PlannerImportOptions{})
			ids := p.byCode()
			p.links(ids["B"] + " FinishToStart " + ids["A"])
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.tasks("mine")
			if c.before != nil {
				c.before(p)
			}
			c.request.FileID = p.upload(c.content)
			before, keys := contentsOf(t, p.store), storetest.Keys(t, p.store)
			_, err := exchange.In(p.in()).Import(p.ctx, c.request)
			invalid("InvalidValue fileId").saying(c.says).check(t, err)
			if diff := cmp.Diff(before, contentsOf(t, p.store)); diff != "" {
				t.Errorf("the failed import has changed the schedule:\n%s", diff)
			}
			if now := storetest.Keys(t, p.store); now > keys+3 { // the operation, when it ended, and a counter
				t.Errorf("the failed import took the store from %d to %d keys", keys, now)
			}
			p.tasks("mine-too") // the schedule takes changes again
		})
	}
}

// byCode are the ids of tasks by their user-defined ids.
func (p *plan) byCode() map[string]string {
	p.Helper()
	tasks, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
	ids := make(map[string]string)
	for _, task := range tasks {
		ids[task.UserDefinedID] = task.ID
	}
	return ids
}

func TestImportRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.schedule(schedules.NewSchedule{ID: "old", Name: "n", TwinID: "twin", Type: schedules.V65})
	p.schedule(schedules.NewSchedule{ID: "busy", Name: "n", TwinID: "twin", State: schedules.Processing})
	whole, begun := p.upload([]byte("ERMHDR")), p.file(10)
	p.importPlan(plannerFile(t, "MultiprojectWithExternal.xer"), exchange.PlannerImportOptions{})
	before := storetest.Keys(t, p.store)
	file := func(id string) exchange.PlannerFile { return exchange.PlannerFile{FileID: id} }
	for name, c := range map[string]struct {
		run  func() error
		want refusal
	}{
		"no file":            {p.importing(p.id, exchange.PlannerFile{}), invalid("MissingRequiredProperty fileId")},
		"an unknown file":    {p.importing(p.id, file("missing")), invalid("InvalidValue fileId")},
		"half a file":        {p.importing(p.id, file(begun)), invalid("InvalidValue fileId").saying("0 of its 10 bytes")},
		"no schedule":        {p.importing("missing", file(whole)), noSchedule},
		"a v6.5 schedule":    {p.importing("old", file(whole)), invalid("InvalidParameter scheduleId")},
		"a busy schedule":    {p.importing("busy", file(whole)), processing},
		"bad ids":            {p.importing(p.id, exchange.PlannerFile{FileID: whole, SynchronizerID: "a/b", FilePath: strings.Repeat("x", schedules.MaxText+1)}), invalid("InvalidValue filePath", "InvalidValue synchronizerId")},
		"a project of no id": {p.importingBy(exchange.PlannerImport{PlannerFile: file(whole), Projects: []exchange.ImportedProject{{Name: "n"}}}), invalid("MissingRequiredProperty projects[0].id")},
		"no synchronizer":    {p.synchronizing(file(whole), exchange.PlannerSyncOptions{}), invalid("MissingRequiredProperty synchronizerId")},
		"an unknown synchronizer": {
			p.synchronizing(exchange.PlannerFile{FileID: whole, SynchronizerID: "missing"}, exchange.PlannerSyncOptions{}), invalid("InvalidValue synchronizerId"),
		},
		"an unknown mode": {
			p.synchronizing(exchange.PlannerFile{FileID: whole, SynchronizerID: "planner"}, exchange.PlannerSyncOptions{SyncTasks: "Replace"}), invalid("InvalidValue options.syncTasks"),
		},
	} {
		if err := c.run(); err == nil {
			t.Errorf("%s: taken", name)
		} else {
			c.want.check(t, err)
		}
	}
	if after := storetest.Keys(t, p.store); after != before {
		t.Errorf("refused imports took the store from %d to %d keys", before, after)
	}
}

func (p *plan) importing(scheduleID string, f exchange.PlannerFile) func() error {
	return func() error {
		_, err := exchange.In(p.svc.In(scheduleID)).Import(p.ctx, exchange.PlannerImport{PlannerFile: f})
		if _, other := exchange.In(p.svc.In(scheduleID)).ImportMicrosoftProject(p.ctx, exchange.MicrosoftProjectImport{PlannerFile: f}); (other == nil) != (err == nil) || err != nil && other.Error() != err.Error() {
			p.Errorf("imports are refused as %v and %v", err, other)
		}
		return err
	}
}

func (p *plan) importingBy(r exchange.PlannerImport) func() error {
	return func() error {
		_, err := exchange.In(p.in()).Import(p.ctx, r)
		return err
	}
}

func (p *plan) synchronizing(f exchange.PlannerFile, o exchange.PlannerSyncOptions) func() error {
	return func() error {
		_, err := exchange.In(p.in()).Synchronize(p.ctx, exchange.PlannerSynchronization{PlannerFile: f, Options: o})
		return err
	}
}

func TestOthersCannotWriteWhileAnImportDoes(t *testing.T) {
	t.Parallel()
	p := inPresent(t)
	content := xerOf(t, randomXER(3, 300))
	p.tasks("first") // there is nothing to continue with from before
	id := p.upload(content)
	store := storetest.Over(p.store)
	svc := newService(store, schedules.Config{})
	refused, n := 0, 0
	store.Before(func() error {
		if n++; n < 6 || n%3 > 0 {
			return nil
		}
		if sc, err := p.svc.Schedule(p.ctx, p.id); err != nil || sc.Value.State == schedules.Ready {
			return err
		}
		_, err := p.in().CreateResource(p.ctx, schedules.NewResource{Name: "n", Type: schedules.HumanResource})
		if err == nil {
			t.Error("something was written in the middle of an import")
			return nil
		}
		refused++
		return nil
	})
	if err := p.startImport(p.ctx, svc, id); err != nil {
		t.Fatal(err)
	}
	if refused == 0 {
		t.Error("no one tried to write in the middle of the import")
	}
	p.tasks("mine")
}

// inPresent is a plan by the clock on the wall, for services that others make.
func inPresent(t *testing.T) *plan {
	t.Helper()
	return newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: time.Now}})
}

// covers: operations plannerImports.listTasks microsoftProjectImports.listTasks
func TestPlannedTasksAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(plannerFile(t, "mspdi-mp_j30_a2_nr1.xml"), exchange.PlannerImportOptions{})
	all, _ := readAll(p, twinplatform.ListOptions{Top: 10}, func(o twinplatform.ListOptions) (twinplatform.Page[exchange.PlannedTask], error) {
		return exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{ListOptions: o})
	})
	if len(all) != 64 {
		t.Errorf("the file has %d planned tasks, want 64", len(all))
	}
	for _, planned := range all {
		task := p.task(planned.TaskID)
		if len(planned.Differences) > 0 {
			t.Errorf("task %s: %v differ: %+v", task.UserDefinedID, planned.Differences, planned)
		}
		if task.Type == schedules.Work && !task.IsWBS && (!task.PlannedStart.Equal(planned.File.Start.Time) || !task.PlannedFinish.Equal(planned.File.Finish.Time)) {
			t.Errorf("task %s is from %v to %v, and in the file from %v to %v", task.UserDefinedID, task.PlannedStart, task.PlannedFinish, planned.File.Start, planned.File.Finish)
		}
	}
	page, err := exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{Differing: true})
	if err != nil || page.Len() != 0 {
		t.Errorf("%d tasks differ, %v", page.Len(), err)
	}
	late := xerOf(t, xer{tasks: []xerTask{{code: "A", hours: 8, early: "2026-03-02 08:00"}, {code: "B", hours: 8, early: "2026-04-01 08:00"}}, links: []xerLink{{"A", "B", "PR_FS", 0}}})
	p.importPlan(late, exchange.PlannerImportOptions{})
	some, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[exchange.PlannedTask], error) {
		return exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{ListOptions: o, Differing: true})
	})
	if len(some) != 1 || !slices.Contains(some[0].Differences, "earlyStart") || p.task(some[0].TaskID).UserDefinedID != "B" {
		t.Errorf("of a plan with a date that does not follow from its links there differ %+v", some)
	}
	_, err = exchange.In(p.in()).PlannedTasks(p.ctx, "nobody", exchange.PlannedTaskQuery{})
	noPlanner.check(t, err)
}

// covers: operations microsoftProjectImports.create microsoftProjectImports.synchronize
// covers: operations microsoftProjectImports.getSynchronizer
func TestMicrosoftProjectIsImported(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := plannerFile(t, "mspdi-mp_j30_a2_nr1.xml")
	res, err := exchange.In(p.in()).ImportMicrosoftProject(p.ctx, exchange.MicrosoftProjectImport{
		PlannerFile: exchange.PlannerFile{FileID: p.upload(content), FilePath: "a.xml", SynchronizerID: "weekly"},
		Options:     exchange.MicrosoftProjectImportOptions{ImportResourceAssignments: twinplatform.Set(false)},
	})
	if err != nil || res.Subjects[0] != "weekly" {
		t.Fatal(res.Operation, err)
	}
	rec, err := synchronizers.In(p.in()).MicrosoftProjectSynchronizer(p.ctx, "weekly")
	if err != nil {
		t.Fatal(err)
	}
	created := rec.Value.SynchronizationDetails.Created
	if *created.Tasks != 64 || *created.Links != 96 || created.ResourceAssignments != nil || rec.Value.ProjectPath != "a.xml" || rec.ETag == "" {
		t.Errorf("created %s", rec.JSON)
	}
	if strings.Contains(string(rec.JSON), "null") || strings.Contains(string(rec.JSON), `"projects"`) {
		t.Errorf("the synchronizer of Microsoft Project is %s", rec.JSON)
	}
	edited := bytes.Replace(content, []byte("<LinkLag>0</LinkLag>"), []byte("<LinkLag>4800</LinkLag>"), 1)
	if bytes.Equal(edited, content) {
		t.Fatal("there is no link without lag")
	}
	if _, err = exchange.In(p.in()).SynchronizeMicrosoftProject(p.ctx, exchange.MicrosoftProjectSynchronization{
		PlannerFile: exchange.PlannerFile{FileID: p.upload(edited), SynchronizerID: "weekly"},
		Options:     exchange.MicrosoftProjectSyncOptions{SyncResourceAssignments: exchange.SkipMode},
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]int{"created": {}, "updated": {"links": 1}, "deleted": {}}
	if diff := cmp.Diff(want, changes(t, p.synchronizer("weekly"))); diff != "" {
		t.Errorf("one lag was changed (-want +got):\n%s", diff)
	}
	_, err = synchronizers.In(p.in()).MicrosoftProjectSynchronizer(p.ctx, "nobody")
	noPlanner.check(t, err)
}

func TestImportedPlanIsAnalyzedAndKeepsTheDatesOfItsPlanner(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(plannerFile(t, "mspdi-mp_j30_a2_nr1.xml"), exchange.PlannerImportOptions{})
	page, err := scheduling.In(p.in()).SchedulingAnalyses(p.ctx, scheduling.SchedulingAnalysisQuery{ListOptions: twinplatform.ListOptions{Top: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	critical := 0
	for a, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		if a.IsCritical {
			critical++
		}
	}
	if page.Len() != 64 || critical != 20 {
		t.Errorf("%d analyses, %d of them of critical tasks; Microsoft Project has 64 tasks, 20 of them critical", page.Len(), critical)
	}
	if _, err := scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{}); err != nil {
		t.Fatal(err)
	}
	again, err := scheduling.In(p.in()).SchedulingAnalyses(p.ctx, scheduling.SchedulingAnalysisQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}})
	if err != nil || again.Len() != 0 {
		t.Errorf("rescheduling at once finds %d analyses otherwise, %v", again.Len(), err)
	}
}

// TestModesOfSynchronization changes each of three tasks of a file and one made here, in
// the schedule and in the file, and looks what stays.
//
// covers: Files and imports: value Skip
// covers: Files and imports: value Synchronize
// covers: Files and imports: value Integrate
// covers: Files and imports: value Consolidate
func TestModesOfSynchronization(t *testing.T) {
	t.Parallel()
	before := xer{tasks: []xerTask{{code: "A", hours: 8}, {code: "B", hours: 8}, {code: "C", hours: 8}, {code: "D", hours: 8}}}
	after := xer{tasks: []xerTask{{code: "A", hours: 8}, {code: "B", name: "by the file", hours: 8}, {n: 4, code: "D", hours: 8}, {code: "E", n: 5, hours: 8}}}
	for mode, want := range map[exchange.SyncMode]string{
		exchange.SkipMode:        "A:by us B:by us C:C mine:mine",
		exchange.ConsolidateMode: "A:by us B:by the file C:C E:E mine:mine",
		exchange.IntegrateMode:   "A:by us B:by the file E:E mine:mine",
		exchange.SynchronizeMode: "A:A B:by the file D:D E:E",
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.importPlan(xerOf(t, before), exchange.PlannerImportOptions{})
			ids := p.byCode()
			p.create(schedules.NewTask{Name: "mine", UserDefinedID: "mine", Type: schedules.Work})
			for _, code := range []string{"A", "B"} {
				p.patch(ids[code], schedules.TaskPatch{Name: twinplatform.Set("by us")})
			}
			p.delete(ids["D"])
			p.synchronize(xerOf(t, after), mode)
			tasks, _ := p.allTasks(twinplatform.ListOptions{})
			var got []string
			for _, task := range tasks {
				got = append(got, task.UserDefinedID+":"+task.Name)
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Errorf("tasks (-want +got):\n%s", diff)
			}
		})
	}
}

// covers: Files and imports
func TestPlannedTaskOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(xerOf(t, xer{
		tasks: []xerTask{{code: "A", hours: 8, early: "2026-03-02 08:00"}, {code: "B", hours: 8, early: "2026-03-04 08:00"}}, links: []xerLink{{"A", "B", "PR_FS", 0}},
	}), exchange.PlannerImportOptions{})
	page, err := exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{Differing: true})
	if err != nil || page.Len() != 1 {
		t.Fatal(page.Len(), err)
	}
	planned, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Replace(string(page.JSON()[0]), planned[0].TaskID, "b", 1)
	want := `{"code":"B","computed":{"critical":true,"drivingPath":true,"earlyFinish":"2026-03-03T17:00:00Z","earlyStart":"2026-03-03T08:00:00Z",` +
		`"finish":"2026-03-03T17:00:00Z","freeFloat":0,"lateFinish":"2026-03-03T17:00:00Z","lateStart":"2026-03-03T08:00:00Z","start":"2026-03-03T08:00:00Z","totalFloat":0},` +
		`"deleted":false,"differences":["earlyStart","start"],"externalId":"g1-2",` +
		`"file":{"critical":null,"drivingPath":null,"earlyFinish":null,"earlyStart":"2026-03-04T08:00:00Z","finish":null,"freeFloat":null,"lateFinish":null,"lateStart":null,` +
		`"start":"2026-03-04T08:00:00Z","totalFloat":null},"synchronizerId":"planner","taskId":"b"}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("planned task (-want +got):\n%s", diff)
	}
}

// What a planner's file says is compared with the schedule, however it came to be as it is.
func TestPlannedTasksDifferWhereTheScheduleWasChanged(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(xerOf(t, xer{
		tasks: []xerTask{{code: "A", hours: 8, early: "2026-03-02 08:00"}, {code: "B", hours: 8, early: "2026-03-03 08:00"}}, links: []xerLink{{"A", "B", "PR_FS", 0}},
	}), exchange.PlannerImportOptions{})
	differing := func() map[string][]string {
		t.Helper()
		all, _ := readAll(p, twinplatform.ListOptions{Top: 1}, func(o twinplatform.ListOptions) (twinplatform.Page[exchange.PlannedTask], error) {
			return exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{ListOptions: o, Differing: true})
		})
		names := make(map[string][]string)
		for _, x := range all {
			names[p.task(x.TaskID).Name] = x.Differences
		}
		return names
	}
	if got := differing(); len(got) > 0 {
		t.Errorf("behind the import there differ %v", got)
	}
	tasks, _ := p.allTasks(twinplatform.ListOptions{})
	a, b := tasks[0], tasks[1]
	if a.Name == "B" {
		a, b = b, a
	}
	p.patch(a.ID, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(16 * 3600))})
	if diff := cmp.Diff(map[string][]string{"B": {"earlyStart", "start"}}, differing()); diff != "" {
		t.Errorf("with a longer A (-want +got):\n%s", diff)
	}
	if _, err := p.in().DeleteTasks(p.ctx, []string{b.ID}); err != nil {
		t.Fatal(err)
	}
	page, err := exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{})
	all, err2 := page.Values()
	if err != nil || err2 != nil || len(all) != 2 {
		t.Fatal(all, err, err2)
	}
	for _, x := range all {
		if gone := x.TaskID == b.ID; gone != x.Computed.Start.IsZero() || len(x.Differences) > 0 {
			t.Errorf("of a task (gone: %t) there is computed %+v, and %v differ", gone, x.Computed, x.Differences)
		}
	}
}
