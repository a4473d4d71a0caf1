package schedules_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestImportInBackgroundIsDoneByRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := inBackground(t, time.Now)
		res, err := exchange.In(p.in()).Import(p.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: p.upload(plannerFile(t, "mspdi-mp_j30_a2_nr1.xml")), SynchronizerID: "planner"}})
		if err != nil || res.Status != twinplatform.OperationNotStarted || !slices.Equal(res.Subjects, []string{"planner"}) {
			t.Fatalf("accepted as %+v, %v", res.Operation, err)
		}
		bad, err := exchange.In(p.in()).Import(p.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: p.upload([]byte("no plan"))}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(p.ctx)
		done := make(chan error, 1)
		go func() { done <- p.svc.Run(ctx) }()
		if op, err := res.Wait(p.ctx); err != nil || op.Status != twinplatform.OperationSucceeded || op.PercentComplete != 100 {
			t.Errorf("the import ended as %+v, %v", op, err)
		}
		if made := counted(t, p.synchronizer("planner").SynchronizationDetails.Created); made["tasks"] != 64 {
			t.Errorf("the import made %v", made)
		}
		op, err := bad.Wait(p.ctx)
		invalid("InvalidValue fileId").check(t, err)
		if op.Status != twinplatform.OperationFailed || !strings.Contains(string(op.FailureDescription), "the file is no XER") {
			t.Errorf("the import of what is no plan ended as %+v", op)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// BenchmarkImport imports a plan of 24,400 activities into a schedule that is empty.
func BenchmarkImport(b *testing.B) {
	content := xerOf(b, randomXER(1, 24_400))
	for b.Loop() {
		p := &plan{ctx: b.Context(), store: memory.New(), id: "plan"}
		svc := newService(p.store, schedules.Config{})
		if _, err := svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: p.id, Name: "Plan", TwinID: "twin"}); err != nil {
			b.Fatal(err)
		}
		file, err := files.In(svc.In(p.id)).CreateFile(p.ctx, files.NewFile{Length: int64(len(content))})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := files.In(svc.In(p.id)).AppendFile(p.ctx, file.Value.ID, 0, bytes.NewReader(content)); err != nil {
			b.Fatal(err)
		}
		if err := p.startImport(p.ctx, svc, file.Value.ID); err != nil {
			b.Fatal(err)
		}
	}
}

// withMore is a plan of four activities with codes, user fields, notes and costs.
func withMore(t *testing.T, lines ...string) []byte {
	t.Helper()
	content := string(xerOf(t, xer{
		nodes: []xerNode{{"W2", "Node", ""}}, resources: []string{"R1"}, assignments: []xerAssignment{{"A10", "R1", 8}},
		tasks: []xerTask{{code: "A10", node: "W2", hours: 8, bound: "2026-03-04 08:00"}, {code: "A20", hours: 16, begun: "2026-03-02 08:00", left: 8}},
		links: []xerLink{{"A10", "A20", "PR_FS", 0}},
	}))
	more := strings.Join(append([]string{
		"%T\tACTVTYPE", "%F\tactv_code_type_id\tactv_code_type\tactv_code_type_scope", "%R\t1\tPhase\tAS_Global",
		"%T\tACTVCODE", "%F\tactv_code_id\tparent_actv_code_id\tactv_code_type_id\tactv_code_name\tshort_name\tcolor", "%R\t1\t\t1\tShell and core\tSHELL\t", "%R\t2\t1\t1\tGround floor\tGROUND\t",
		"%T\tTASKACTV", "%F\ttask_id\tactv_code_type_id\tactv_code_id", "%R\t100\t1\t1", "%R\t101\t1\t2",
		"%T\tUDFTYPE", "%F\tudf_type_id\ttable_name\tudf_type_label\tlogical_data_type", "%R\t1\tTASK\tForeman\tFT_TEXT", "%R\t2\tRSRC\tBadge\tFT_INT",
		"%T\tUDFVALUE", "%F\tudf_type_id\tfk_id\tudf_text\tudf_number", "%R\t1\t100\tAda\t", "%R\t2\t1\t\t7",
	}, lines...), "\n")
	return []byte(strings.Replace(content, "%E\n", more+"\n%E\n", 1))
}

func TestOptionsOfImportsSelectWhatIsImported(t *testing.T) {
	t.Parallel()
	no := twinplatform.Set(false)
	all := map[string]int{
		"tasks": 3, "links": 1, "calendars": 1, "resources": 1, "resourceAssignments": 1, "activityCodes": 1, "activityCodeValues": 2,
		"activityCodeValuesAssignments": 2, "userFields": 2, "userFieldValues": 2,
	}
	for name, c := range map[string]struct {
		options exchange.PlannerImportOptions
		without []string
	}{
		"all":               {},
		"no links":          {exchange.PlannerImportOptions{ImportLinks: no}, []string{"links"}},
		"no calendars":      {exchange.PlannerImportOptions{ImportCalendars: no}, []string{"calendars"}},
		"no resources":      {exchange.PlannerImportOptions{ImportResources: no}, []string{"resources", "resourceAssignments", "one userFieldValues"}},
		"no assignments":    {exchange.PlannerImportOptions{ImportResourceAssignments: no}, []string{"resourceAssignments"}},
		"no codes":          {exchange.PlannerImportOptions{ImportActivityCodes: no}, []string{"activityCodes", "activityCodeValues", "activityCodeValuesAssignments"}},
		"no coded tasks":    {exchange.PlannerImportOptions{ImportActivityCodeAssignments: no}, []string{"activityCodeValuesAssignments"}},
		"no user fields":    {exchange.PlannerImportOptions{ImportUserFields: no}, []string{"userFields", "userFieldValues"}},
		"no values of them": {exchange.PlannerImportOptions{ImportUserFieldValues: no}, []string{"userFieldValues"}},
		"no tasks": {
			exchange.PlannerImportOptions{ImportTasks: no},
			[]string{"tasks", "links", "resourceAssignments", "activityCodeValuesAssignments", "one userFieldValues"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			y := p.importPlan(withMore(t), c.options)
			want := maps.Clone(all)
			for _, w := range c.without {
				if w == "one userFieldValues" {
					want["userFieldValues"]--
				}
				delete(want, w)
			}
			if diff := cmp.Diff(want, counted(t, y.SynchronizationDetails.Created)); diff != "" {
				t.Errorf("created (-want +got):\n%s\n%v", diff, y.SynchronizationDetails.Warnings)
			}
		})
	}
}

func TestImportedPlanMatchesTheFile(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	yes := twinplatform.Set(true)
	p.importPlan(withMore(t), exchange.PlannerImportOptions{CreateProjectNodes: yes, UseWBSCodes: yes})
	ids := p.byCode()
	root, node, first, second := p.task(ids["PRJ/PRJ"]), p.task(ids["PRJ/PRJ/W2"]), p.task(ids["A10"]), p.task(ids["A20"])
	if !root.IsWBS || root.Name != "Project" || string(node.ParentID) != root.ID || string(first.ParentID) != node.ID || string(second.ParentID) != root.ID {
		t.Errorf("the tree is %+v\n%+v\n%+v\n%+v", root, node, first, second)
	}
	if first.ConstraintType != schedules.StartAfter || first.ConstraintEarlyDate.String() != "2026-03-04T08:00:00Z" || *first.PlannedDuration != 8*3600 {
		t.Errorf("the first task is %+v", first)
	}
	if second.Status != schedules.Started || second.PercentComplete != 50 || second.ActualStart.String() != "2026-03-02T08:00:00Z" {
		t.Errorf("the second task is %+v", second)
	}
	var values []string
	for v, err := range twinplatform.All(p.ctx, func(ctx context.Context, q userfields.UserFieldValueQuery) (twinplatform.Page[userfields.UserFieldValue], error) {
		return userfields.In(p.in()).UserFieldValues(ctx, userfields.TaskField, q)
	}, userfields.UserFieldValueQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v.Value)
	}
	if !slices.Equal(values, []string{"Ada"}) {
		t.Errorf("tasks have the values %q", values)
	}
	set, err := p.in().ProjectScheduling(p.ctx)
	if err != nil || set.Value.DataDate.String() != "2026-03-02T08:00:00Z" || set.Value.CalendarID == schedules.StandardCalendar {
		t.Errorf("the plan is scheduled by %+v, %v", set.Value, err)
	}
	// A value that is no longer in the file goes, with what has it; one that was made here stays.
	if _, err := codes.In(p.in()).CreateCode(p.ctx, codes.NewCode{ID: "mine", Name: "Mine", Category: codes.ActivityCode}); err != nil {
		t.Fatal(err)
	}
	less := strings.Replace(strings.Replace(string(withMore(t)), "%R\t2\t1\t1\tGround floor\tGROUND\t\n", "", 1), "%R\t101\t1\t2\n", "", 1)
	y := p.synchronizeBy([]byte(less), exchange.PlannerSyncOptions{CreateProjectNodes: yes, UseWBSCodes: yes})
	want := map[string]map[string]int{"created": {}, "updated": {}, "deleted": {"activityCodeValues": 1, "activityCodeValuesAssignments": 1}}
	if diff := cmp.Diff(want, changes(t, y)); diff != "" {
		t.Errorf("without a code value (-want +got):\n%s\n%v", diff, y.SynchronizationDetails.Warnings)
	}
	if _, err := codes.In(p.in()).Code(p.ctx, "mine"); err != nil {
		t.Error(err)
	}
}

func TestCodesOfTheSameNameAreMerged(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	if _, err := codes.In(p.in()).CreateCode(p.ctx, codes.NewCode{ID: "phase", Name: "Phase", Category: codes.ActivityCode}); err != nil {
		t.Fatal(err)
	}
	if _, err := codes.In(p.in()).CreateCodeValue(p.ctx, codes.NewCodeValue{ID: "shell", CodeID: "phase", Name: "SHELL"}); err != nil {
		t.Fatal(err)
	}
	y := p.importPlan(withMore(t), exchange.PlannerImportOptions{MergeActivityCodes: twinplatform.Set(true)})
	if made := counted(t, y.SynchronizationDetails.Created); made["activityCodes"] != 0 || made["activityCodeValues"] != 1 {
		t.Errorf("created %v", made)
	}
	page, err := codes.In(p.in()).CodeValueAssignments(p.ctx, codes.CodeValueAssignmentQuery{CodeValueID: "shell"})
	if err != nil || page.Len() != 1 {
		t.Errorf("%d tasks have the value that was there, %v", page.Len(), err)
	}
}

func TestImportedPlanIsScheduledByTheRulesOfItsPlanner(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	rules := func() schedules.ProjectScheduling {
		set, err := p.in().ProjectScheduling(p.ctx)
		if err != nil {
			t.Fatal(err)
		}
		return set.Value
	}
	p.importPlan(withMore(t, "%T\tSCHEDOPTIONS", "%F\tproj_id\tsched_retained_logic\tsched_progress_override\tsched_calendar_on_relationship_lag\tsched_open_critical_flag", "%R\t1\tN\tY\trcal_Successor\tY"), exchange.PlannerImportOptions{})
	if got := rules(); got.Profile != schedules.ProfileP6 || got.LagCalendar != schedules.LagOfSuccessor || got.ProgressMode != schedules.ProgressOverride || !got.OpenEndsCritical || got.StartDate.String() != "2026-03-02T08:00:00Z" {
		t.Errorf("a plan of P6 is scheduled by %+v", got)
	}
	p.importPlan(plannerFile(t, "mspdi-mp_j30_a2_nr1.xml"), exchange.PlannerImportOptions{})
	if got := rules(); got.Profile != schedules.ProfileMicrosoftProject || got.ProgressMode != schedules.RetainedLogic || got.OpenEndsCritical {
		t.Errorf("a plan of Microsoft Project is scheduled by %+v", got)
	}
}

func TestImportedPlanStaysWhereItsPlannerHasItWhenItIsRescheduled(t *testing.T) {
	t.Parallel()
	for _, name := range plannerFiles(t) {
		p := inMemory(t)
		p.importPlan(plannerFile(t, name), exchange.PlannerImportOptions{})
		sim, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
		if err != nil || sim.TaskChangeCount != 0 {
			t.Errorf("%s: rescheduling moves %d tasks: %+v, %v", name, sim.TaskChangeCount, sim.TaskChanges, err)
		}
	}
}
