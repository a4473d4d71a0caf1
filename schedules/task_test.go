package schedules_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// documentedTaskTypes are the values of the specification.
var documentedTaskTypes = strings.Fields(`Work StartKeyDate FinishKeyDate ShortHammock LongHammock Rfi ChangeOrder Testing
	Delivery Meeting Rework Design Maintenance Manufacture Storage Purchase Receive Delay WeatherDelay Unknown`)

// covers: Operation: rule task.id and tasks[].id name what is made or deleted
// covers: Task types
func TestEveryTaskTypeIsTaken(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		for _, typ := range documentedTaskTypes {
			res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: typ, Name: typ, Type: schedules.TaskType(typ)})
			if err != nil {
				p.Fatal(err)
			}
			if got := p.task(typ); string(got.Type) != typ || res.Value().ID != typ || res.Operation.ID == "" {
				p.Errorf("made %+v", got)
			}
			p.patch(typ, schedules.TaskPatch{Type: twinplatform.Set(schedules.TaskType(documentedTaskTypes[0]))})
			p.patch(typ, schedules.TaskPatch{Type: twinplatform.Set(schedules.TaskType(typ))})
		}
	})
}

// covers: Conventions: rule date-times are ISO 8601 in UTC
// covers: Task as requested (S11)
// covers: operations tasks.create
func TestNewTaskOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(schedules.NewTask{
		ID: "dig", Name: "Dig", Type: schedules.Work, PlannedStart: at(1), PlannedDuration: new(int32(5400)),
		Comment: "Löcher", URL: "https://example.com/?a=1&b=2", UserDefinedID: "A-1",
	})
	rec, err := p.in().Task(p.ctx, "dig")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"actualDuration":null,"actualFinish":null,"actualPhysicalQuantity":0,"actualStart":null,"calendarId":null,` +
		`"comment":"Löcher","constraintEarlyDate":null,"constraintLateDate":null,"constraintType":"NoConstraint","deleted":false,` +
		`"durationType":"Fixed","estimatedFinish":"2026-03-02T10:30:00Z","estimatedRate":0,"expectedFinish":null,"id":"dig","isWbs":false,"name":"Dig","parentId":null,` +
		`"percentComplete":0,"physicalQuantity":0,"physicalQuantityUnit":"Unknown","plannedDuration":5400,` +
		`"plannedFinish":"2026-03-02T10:30:00Z","plannedStart":"2026-03-02T09:00:00Z","progressType":"Automatic",` +
		`"remainingDuration":null,"remainingPhysicalQuantity":0,"status":"Planned",` +
		`"statusId":"5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01","type":"Work","url":"https://example.com/?a=1&b=2","userDefinedId":"A-1"}`
	if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
		t.Errorf("task (-want +got):\n%s", diff)
	}
}

// covers: Task as requested (S11): limit comment: 1000 characters
// covers: Task types: rule StartKeyDate has no finish and no duration
// covers: Task types: rule FinishKeyDate has no start and no duration
// covers: Errors: error InvalidSchedulesRequest
// covers: Errors: error MissingRequiredProperty
// covers: Errors: rule 409 of an id that is taken
// covers: Task as requested (S11)
func TestNewTaskRefusals(t *testing.T) {
	t.Parallel()
	work := func(change func(*schedules.NewTask)) schedules.NewTask {
		n := schedules.NewTask{Name: "n", Type: schedules.Work}
		change(&n)
		return n
	}
	far := twinplatform.At(time.Date(20_000, 1, 1, 0, 0, 0, 0, time.UTC))
	last := twinplatform.At(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC))
	tests := []struct {
		name string
		task schedules.NewTask
		want refusal
	}{
		{"nothing", schedules.NewTask{}, invalid("MissingRequiredProperty name", "MissingRequiredProperty type")},
		{"no name", schedules.NewTask{Type: schedules.Work}, invalid("MissingRequiredProperty name")},
		{"a blank name", schedules.NewTask{Name: " \t", Type: schedules.Work}, invalid("MissingRequiredProperty name")},
		{"no type", schedules.NewTask{Name: "n"}, invalid("MissingRequiredProperty type")},
		{"an unknown type", schedules.NewTask{Name: "n", Type: "work"}, invalid("InvalidValue type").saying("WeatherDelay")},
		{"a long comment", work(func(n *schedules.NewTask) { n.Comment = strings.Repeat("ü", 1001) }), invalid("InvalidValue comment").saying("1000")},
		{"a long name", work(func(n *schedules.NewTask) { n.Name = strings.Repeat("ü", 10_001) }), invalid("InvalidValue name")},
		{"long texts", work(func(n *schedules.NewTask) {
			n.URL, n.UserDefinedID = strings.Repeat("u", 10_001), strings.Repeat("u", 10_001)
		}), invalid("InvalidValue url", "InvalidValue userDefinedId")},
		{"an id with a slash", work(func(n *schedules.NewTask) { n.ID = "../x" }), invalid("InvalidValue id")},
		{"an id with a control character", work(func(n *schedules.NewTask) { n.ID = "a\x00" }), invalid("InvalidValue id")},
		{"an id that is not UTF-8", work(func(n *schedules.NewTask) { n.ID = "a\xff" }), invalid("InvalidValue id")},
		{"an id of two dots", work(func(n *schedules.NewTask) { n.ID = ".." }), invalid("InvalidValue id")},
		{"an id of 129 characters", work(func(n *schedules.NewTask) { n.ID = strings.Repeat("x", 129) }), invalid("InvalidValue id")},
		{"a parent that is missing", work(func(n *schedules.NewTask) { n.ParentID = "missing" }), invalid("InvalidValue parentId")},
		{"itself as parent", work(func(n *schedules.NewTask) { n.ID, n.ParentID = "x", "x" }), invalid("InvalidValue parentId").saying("ancestor")},
		{"a negative duration", work(func(n *schedules.NewTask) { n.PlannedDuration = new(int32(-1)) }), invalid("InvalidValue plannedDuration")},
		{"a finish", work(func(n *schedules.NewTask) { n.PlannedFinish = at(1) }), invalid("InvalidValue plannedFinish")},
		{"a year that cannot be written", work(func(n *schedules.NewTask) { n.PlannedStart = far }), invalid("InvalidValue plannedStart")},
		{"a finish that cannot be written", work(func(n *schedules.NewTask) { n.PlannedStart, n.PlannedDuration = last, new(int32(1)) }), invalid("InvalidValue plannedDuration")},
		{"a start milestone with a finish", schedules.NewTask{Name: "n", Type: schedules.StartKeyDate, PlannedFinish: at(1)}, invalid("InvalidValue plannedFinish")},
		{"a start milestone with a duration", schedules.NewTask{Name: "n", Type: schedules.StartKeyDate, PlannedDuration: new(int32(1))}, invalid("InvalidValue plannedDuration")},
		{"a finish milestone with a start", schedules.NewTask{Name: "n", Type: schedules.FinishKeyDate, PlannedStart: at(1)}, invalid("InvalidValue plannedStart")},
		{"a finish milestone with a duration", schedules.NewTask{Name: "n", Type: schedules.FinishKeyDate, PlannedDuration: new(int32(1))}, invalid("InvalidValue plannedDuration")},
		{"several faults at once", schedules.NewTask{ID: "/", Type: "?", Comment: strings.Repeat("c", 1001)}, invalid("InvalidValue id", "MissingRequiredProperty name", "InvalidValue type", "InvalidValue comment")},
		{"an id that is taken", work(func(n *schedules.NewTask) { n.ID = "there" }), idTaken},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.tasks("there")
			_, err := p.svc.CreateTask(p.ctx, p.id, test.task)
			test.want.check(t, err)
			// Within a batch the same details name the item.
			batch := test.want
			batch.details = nil
			for _, d := range test.want.details {
				batch.details = append(batch.details, strings.Replace(d, " ", " batch[1].", 1))
			}
			_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{{ID: "first", Name: "first", Type: schedules.Work}, test.task})
			batch.check(t, err)
			if all, _ := p.allTasks(twinplatform.ListOptions{}); len(all) != 1 {
				t.Errorf("the refused requests left %d tasks, want the one that was there", len(all))
			}
		})
	}
}

// covers: Task as requested (S11): limit comment: 1000 characters
func TestNewTaskAtItsLimits(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		for _, id := range []string{"*", "%00", "a b", "ü", "." + "a", strings.Repeat("長", 128), "-", "a\\b", "a?b#c"} {
			n := schedules.NewTask{ID: id, Name: strings.Repeat("名", 10_000), Type: schedules.Work, Comment: strings.Repeat("ü", 1000)}
			if _, err := p.svc.CreateTask(p.ctx, p.id, n); err != nil {
				p.Fatal(err)
			}
			if got := p.task(id); got.ID != id || got.Comment != n.Comment || got.Name != n.Name {
				p.Errorf("the task %q came back otherwise", id)
			}
		}
		p.create(schedules.NewTask{ID: "long", Name: "n", Type: schedules.Work, PlannedStart: date(p, "9931-12-13T20:45:52Z"), PlannedDuration: new(int32(math.MaxInt32))})
		all, _ := p.allTasks(twinplatform.ListOptions{})
		if len(all) != 10 {
			p.Errorf("listed %d tasks, want 10", len(all))
		}
	})
}

// covers: Filters: rule S13: taskIds is required
func TestBatchLimits(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	_, err := p.in().CreateTasks(p.ctx, nil)
	invalid("MissingRequiredProperty batch").check(t, err)
	_, err = p.in().CreateTasks(p.ctx, many(schedules.MaxBatch+1))
	invalid("InvalidValue batch").check(t, err)
	p.create(many(schedules.MaxBatch)...)
	_, err = p.in().DeleteTasks(p.ctx, nil)
	invalid("MissingRequiredProperty taskIds").check(t, err)
	_, err = p.in().DeleteTasks(p.ctx, make([]string, schedules.MaxBatch+1))
	invalid("InvalidValue taskIds").check(t, err)
}

func TestBatchMayNameItsOwnTasksAsParents(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("root")
	res, err := p.in().CreateTasks(p.ctx, []schedules.NewTask{
		{ID: "leaf", Name: "leaf", Type: schedules.Work, ParentID: "node"},
		{ID: "node", Name: "node", Type: schedules.Work, ParentID: "top"},
		{ID: "top", Name: "top", Type: schedules.Work, ParentID: "root"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		id, parent string
		isWBS      bool
	}{{"leaf", "node", false}, {"node", "top", true}, {"top", "root", true}} {
		got := res.Values()[i]
		if got.ID != want.id || string(got.ParentID) != want.parent || got.IsWBS != want.isWBS {
			t.Errorf("item %d is %s under %s, isWbs %v", i, got.ID, got.ParentID, got.IsWBS)
		}
		if diff := cmp.Diff(p.task(want.id), got); diff != "" {
			t.Errorf("item %d is not what is stored:\n%s", i, diff)
		}
	}
	if !p.task("root").IsWBS {
		t.Error("the parent outside the batch does not know of its child")
	}
	_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{
		{ID: "x", Name: "x", Type: schedules.Work, ParentID: "y"},
		{ID: "y", Name: "y", Type: schedules.Work, ParentID: "x"},
	})
	invalid("InvalidValue batch[1].parentId").check(t, err)
	_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{{ID: "x", Name: "x", Type: schedules.Work}, {ID: "x", Name: "y", Type: schedules.Work}})
	idTaken.check(t, err)
}

func TestTaskMovesInTheTree(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(
		schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work},
		schedules.NewTask{ID: "a1", Name: "a1", Type: schedules.Work, ParentID: "a"},
		schedules.NewTask{ID: "a11", Name: "a11", Type: schedules.Work, ParentID: "a1"},
		schedules.NewTask{ID: "b", Name: "b", Type: schedules.Work},
	)
	p.links("b FinishToStart a11")
	move := func(id, parent string) error {
		_, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{ParentID: twinplatform.Set(parent)})
		return err
	}
	invalid("InvalidValue parentId").saying("ancestor").check(t, move("a", "a"))
	invalid("InvalidValue parentId").saying("ancestor").check(t, move("a", "a11"))
	invalid("InvalidValue parentId").check(t, move("a", "missing"))
	invalid("InvalidValue parentId").saying("b-a11").check(t, move("a", "b"))
	invalid("InvalidValue parentId").saying("b-a11").check(t, move("b", "a11"))
	if err := move("a11", ""); err != nil {
		t.Fatal(err)
	}
	if p.task("a1").IsWBS || !p.task("a").IsWBS || p.task("a11").ParentID != "" {
		t.Error("the move to the top is not shown at the parents")
	}
	p.patch("a1", schedules.TaskPatch{ParentID: twinplatform.Set("b")})
	if p.task("a").IsWBS || !p.task("b").IsWBS {
		t.Error("the move to another parent is not shown at the parents")
	}
	p.patch("a1", schedules.TaskPatch{ParentID: twinplatform.Null[string]()})
	if p.task("b").IsWBS {
		t.Error("null did not clear the parent")
	}
}

func TestPatchLeavesWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(schedules.NewTask{
		ID: "t", Name: "n", Type: schedules.Work, PlannedStart: at(1), PlannedDuration: new(int32(60)), Comment: "c", URL: "u", UserDefinedID: "d",
	})
	before := p.task("t")
	rec, _ := p.in().Task(p.ctx, "t")
	if diff := cmp.Diff(before, p.patch("t", schedules.TaskPatch{})); diff != "" {
		t.Errorf("the empty patch changed the task:\n%s", diff)
	}
	if again, _ := p.in().Task(p.ctx, "t"); again.ETag != rec.ETag {
		t.Error("the empty patch made a new version")
	}
	want := before
	want.Comment, want.Name = "", "new"
	got := p.patch("t", schedules.TaskPatch{Name: twinplatform.Set("new"), Comment: twinplatform.Null[string]()})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("patched otherwise (-want +got):\n%s", diff)
	}
	got = p.patch("t", schedules.TaskPatch{PlannedStart: twinplatform.Null[twinplatform.DateTime](), PlannedDuration: twinplatform.Null[int32]()})
	if !got.PlannedStart.IsZero() || !got.PlannedFinish.IsZero() || got.PlannedDuration != nil || got.RemainingDuration != nil {
		t.Errorf("null left dates: %+v", got)
	}
	got = p.patch("t", schedules.TaskPatch{
		ConstraintType: twinplatform.Set(schedules.StartBetween), ConstraintEarlyDate: twinplatform.Set(at(1)), ConstraintLateDate: twinplatform.Set(at(2)),
		ExpectedFinish: twinplatform.Set(at(3)), PhysicalQuantity: twinplatform.Set(10.5), ActualPhysicalQuantity: twinplatform.Set(4.5),
		PhysicalQuantityUnit: twinplatform.Set(units.CubicMeter), EstimatedRate: twinplatform.Set(2.5),
	})
	if got.RemainingPhysicalQuantity != 6 || got.ConstraintType != schedules.StartBetween || got.PhysicalQuantityUnit != units.CubicMeter {
		t.Errorf("patched to %+v", got)
	}
	for c := range strings.FieldsSeq("NoConstraint CannotReschedule StartAsap StartAlap StartOn StartAfter StartBefore StartBetween FinishOn FinishAfter FinishBefore FinishBetween") {
		p.patch("t", schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.ConstraintType(c))})
	}
	got = p.patch("t", schedules.TaskPatch{ConstraintType: twinplatform.Null[schedules.ConstraintType](), PhysicalQuantityUnit: twinplatform.Null[units.ResourceUnitType]()})
	if got.ConstraintType != schedules.NoConstraint || got.PhysicalQuantityUnit != units.Unknown {
		t.Errorf("null cleared to %s, %s", got.ConstraintType, got.PhysicalQuantityUnit)
	}
}

func TestPatchRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("t 2026-03-02T09:00:00Z 3600")
	before := p.task("t")
	tests := []struct {
		name  string
		patch schedules.TaskPatch
		want  refusal
	}{
		{"no name", schedules.TaskPatch{Name: twinplatform.Null[string]()}, invalid("MissingRequiredProperty name")},
		{"no type", schedules.TaskPatch{Type: twinplatform.Null[schedules.TaskType]()}, invalid("InvalidValue type")},
		{"an unknown type", schedules.TaskPatch{Type: twinplatform.Set(schedules.TaskType("x"))}, invalid("InvalidValue type")},
		{"no status", schedules.TaskPatch{Status: twinplatform.Null[schedules.TaskStatus]()}, invalid("InvalidValue status")},
		{"an unknown status", schedules.TaskPatch{Status: twinplatform.Set(schedules.TaskStatus("Done"))}, invalid("InvalidValue status").saying("Finished")},
		{"an unknown constraint", schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.ConstraintType("x"))}, invalid("InvalidValue constraintType")},
		{"an unknown unit", schedules.TaskPatch{PhysicalQuantityUnit: twinplatform.Set(units.ResourceUnitType("x"))}, invalid("InvalidValue physicalQuantityUnit")},
		{"a percentage of 101", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(101))}, invalid("InvalidValue percentComplete")},
		{"a percentage below 0", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(-1))}, invalid("InvalidValue percentComplete")},
		{"progress while Planned", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(1))}, invalid("InvalidValue percentComplete")},
		{"quantities below 0 or none at all", schedules.TaskPatch{PhysicalQuantity: twinplatform.Set(-1.0), ActualPhysicalQuantity: twinplatform.Set(math.NaN()), EstimatedRate: twinplatform.Set(math.Inf(1))}, invalid("InvalidValue physicalQuantity", "InvalidValue actualPhysicalQuantity", "InvalidValue estimatedRate")},
		{"a long comment", schedules.TaskPatch{Comment: twinplatform.Set(strings.Repeat("c", 1001))}, invalid("InvalidValue comment")},
		{"an actual start while Planned", schedules.TaskPatch{ActualStart: twinplatform.Set(at(1))}, invalid("InvalidValue actualStart")},
		{"an actual finish while Planned", schedules.TaskPatch{ActualFinish: twinplatform.Set(at(1))}, invalid("InvalidValue actualFinish")},
		{"an actual finish while Started", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualFinish: twinplatform.Set(at(1))}, invalid("InvalidValue actualFinish")},
		{"a finish before the start", schedules.TaskPatch{Status: twinplatform.Set(schedules.Finished), ActualStart: twinplatform.Set(at(2)), ActualFinish: twinplatform.Set(at(1))}, invalid("InvalidValue actualFinish")},
		{"a planned finish", schedules.TaskPatch{PlannedFinish: twinplatform.Set(at(9))}, invalid("InvalidValue plannedFinish")},
		{"a negative duration", schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(-1))}, invalid("InvalidValue plannedDuration")},
		{"another duration while Started", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), PlannedDuration: twinplatform.Set(int32(1))}, invalid("InvalidValue plannedDuration").saying("Planned")},
		{"a year that cannot be written", schedules.TaskPatch{ExpectedFinish: twinplatform.Set(twinplatform.At(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)))}, invalid("InvalidValue expectedFinish")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := p.in().UpdateTask(p.ctx, "t", test.patch)
			test.want.check(t, err)
			if diff := cmp.Diff(before, p.task("t")); diff != "" {
				t.Errorf("the refused patch changed the task:\n%s", diff)
			}
		})
	}
	_, err := p.in().UpdateTask(p.ctx, "t", schedules.TaskPatch{Name: twinplatform.Set("x")}, twinplatform.IfMatch(`"old"`))
	otherVersion.check(t, err)
	_, err = p.in().UpdateTask(p.ctx, "missing", schedules.TaskPatch{Name: twinplatform.Set("x")})
	noTask.check(t, err)
	_, err = p.svc.In("missing").UpdateTask(p.ctx, "t", schedules.TaskPatch{Name: twinplatform.Set("x")})
	noSchedule.check(t, err)
}

func TestIfMatchGuardsTheVersion(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("t")
	rec, err := p.in().Task(p.ctx, "t")
	if err != nil {
		t.Fatal(err)
	}
	p.patch("t", schedules.TaskPatch{Name: twinplatform.Set("one")}, twinplatform.IfMatch(rec.ETag))
	_, err = p.in().UpdateTask(p.ctx, "t", schedules.TaskPatch{Name: twinplatform.Set("two")}, twinplatform.IfMatch(rec.ETag))
	otherVersion.check(t, err)
	p.patch("t", schedules.TaskPatch{Name: twinplatform.Set("three")}, twinplatform.IfMatch("*"))
}

func TestStatusSetsActualDates(t *testing.T) {
	t.Parallel()
	type dates struct {
		status        schedules.TaskStatus
		start, finish twinplatform.DateTime
		percent       int32
		duration      *int32
	}
	status := func(s schedules.TaskStatus) schedules.TaskPatch {
		return schedules.TaskPatch{Status: twinplatform.Set(s)}
	}
	none := twinplatform.DateTime{}
	tests := []struct {
		name    string
		typ     schedules.TaskType
		patches []schedules.TaskPatch
		want    dates
	}{
		{"started now", schedules.Work, []schedules.TaskPatch{status(schedules.Started)}, dates{schedules.Started, at(0), none, 0, nil}},
		{"finished now", schedules.Work, []schedules.TaskPatch{status(schedules.Finished)}, dates{schedules.Finished, at(0), at(0), 100, new(int32(0))}},
		{"started at a time", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(at(-2))}}, dates{schedules.Started, at(-2), none, 0, nil}},
		{"started, then finished", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(at(-2))}, status(schedules.Finished)}, dates{schedules.Finished, at(-2), at(0), 100, new(int32(7200))}},
		{"finished before now without a start", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Finished), ActualFinish: twinplatform.Set(at(-1))}}, dates{schedules.Finished, at(-1), at(-1), 100, new(int32(0))}},
		{"start to come, finished", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(at(3))}, status(schedules.Finished)}, dates{schedules.Finished, at(3), at(3), 100, new(int32(0))}},
		{"half done", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Started), PercentComplete: twinplatform.Set(int32(50))}}, dates{schedules.Started, at(0), none, 50, nil}},
		{"half done, then finished with 100", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Started), PercentComplete: twinplatform.Set(int32(50))}, {Status: twinplatform.Set(schedules.Finished), PercentComplete: twinplatform.Set(int32(100))}}, dates{schedules.Finished, at(0), at(0), 100, new(int32(0))}},
		{"half done, then cleared", schedules.Work, []schedules.TaskPatch{{Status: twinplatform.Set(schedules.Started), PercentComplete: twinplatform.Set(int32(50))}, {PercentComplete: twinplatform.Null[int32]()}}, dates{schedules.Started, at(0), none, 0, nil}},
		{"finished, then started again", schedules.Work, []schedules.TaskPatch{status(schedules.Finished), status(schedules.Started)}, dates{schedules.Started, at(0), none, 100, nil}},
		{"finished, then planned again", schedules.Work, []schedules.TaskPatch{status(schedules.Finished), status(schedules.Planned)}, dates{schedules.Planned, none, none, 0, nil}},
		{"a label behaves as Work", schedules.MeetingTask, []schedules.TaskPatch{status(schedules.Finished)}, dates{schedules.Finished, at(0), at(0), 100, new(int32(0))}},
		{"a start milestone has no finish", schedules.StartKeyDate, []schedules.TaskPatch{status(schedules.Finished)}, dates{schedules.Finished, at(0), none, 100, nil}},
		{"a finish milestone has no start", schedules.FinishKeyDate, []schedules.TaskPatch{status(schedules.Finished)}, dates{schedules.Finished, none, at(0), 100, nil}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.create(schedules.NewTask{ID: "t", Name: "t", Type: test.typ})
			var got schedules.Task
			for _, patch := range test.patches {
				got = p.patch("t", patch)
			}
			if diff := cmp.Diff(test.want, dates{got.Status, got.ActualStart, got.ActualFinish, got.PercentComplete, got.ActualDuration}, cmp.AllowUnexported(dates{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, typ := range []schedules.TaskType{schedules.StartKeyDate, schedules.FinishKeyDate} {
		p := inMemory(t)
		p.create(schedules.NewTask{ID: "t", Name: "t", Type: typ})
		_, err := p.in().UpdateTask(p.ctx, "t", status(schedules.Started))
		invalid("InvalidValue status").check(t, err)
		_, err = p.in().UpdateTask(p.ctx, "t", schedules.TaskPatch{
			Status: twinplatform.Set(schedules.Finished), ActualStart: twinplatform.Set(at(0)), ActualFinish: twinplatform.Set(at(0)),
		})
		if typ == schedules.StartKeyDate {
			invalid("InvalidValue actualFinish").check(t, err)
		} else {
			invalid("InvalidValue actualStart").check(t, err)
		}
	}
}

// covers: Task as requested (S11): rule plannedDuration changes only while the task is Planned
func TestPlannedDurationChangesOnlyWhilePlanned(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("t 2026-03-02T09:00:00Z 3600")
	p.patch("t", schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(7200))})
	for _, status := range []schedules.TaskStatus{schedules.Started, schedules.Finished} {
		p.patch("t", schedules.TaskPatch{Status: twinplatform.Set(status)})
		p.patch("t", schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(7200)), PlannedStart: twinplatform.Set(at(3))})
		for _, patch := range []schedules.TaskPatch{
			{PlannedDuration: twinplatform.Set(int32(7201))}, {PlannedDuration: twinplatform.Null[int32]()},
		} {
			_, err := p.in().UpdateTask(p.ctx, "t", patch)
			invalid("InvalidValue plannedDuration").check(t, err)
		}
	}
	_, err := p.in().UpdateTask(p.ctx, "t", schedules.TaskPatch{Type: twinplatform.Set(schedules.StartKeyDate)})
	invalid("InvalidValue type").check(t, err)
	got := p.patch("t", schedules.TaskPatch{Status: twinplatform.Set(schedules.Planned), PlannedDuration: twinplatform.Set(int32(60))})
	if *got.PlannedDuration != 60 || !got.PlannedFinish.Equal(at(3).Add(time.Minute)) {
		t.Errorf("planned again as %+v", got)
	}
}
