package schedules_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var noFilter = refusal{kind: twinplatform.NotFound, code: "TaskQueryFilterNotFound", target: "taskQueryFilterId"}

// filtered makes a filter with a condition of each sort, and sets the data date.
func (p *plan) filtered() {
	p.Helper()
	_, err := p.in().CreateTaskQueryFilter(p.ctx, schedules.NewTaskQueryFilter{
		ID: "filter", Name: "Filter", IsShared: true, Version: 2, WithChildren: true,
		TaskConditions: schedules.TaskConditions{
			TaskIsWBS:           &schedules.FlagCondition{Operation: schedules.WordEquals, Values: []bool{false}},
			TaskName:            &schedules.TextCondition{Operation: schedules.TextContainsFold, Values: []string{"dig", "pour"}},
			TaskPercentComplete: &schedules.NumberCondition{Operation: schedules.OrderLess, Values: []float64{99.5}},
			TaskPlannedStart:    &schedules.DateCondition{Operation: schedules.OrderMore, Values: []twinplatform.DateTime{at(1)}},
			TaskType:            &schedules.TypeCondition{Operation: schedules.WordNotEquals, Values: []schedules.TaskType{schedules.MeetingTask}},
		},
	})
	if err != nil {
		p.Fatal(err)
	}
	if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(at(2))}); err != nil {
		p.Fatal(err)
	}
}

func filterListed(v schedules.TaskQueryFilter) (string, bool) { return v.ID, v.Deleted }

func (p *plan) filters(q schedules.TaskQueryFilterQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.TaskQueryFilter], error) {
		q.ListOptions = o
		return p.in().TaskQueryFilters(p.ctx, q)
	})
	return idList(all, filterListed), delta
}

// covers: Task query filters and the data date
// covers: operations taskQueryFilters.get
func TestTaskQueryFilterOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.filtered()
		rec, err := p.in().TaskQueryFilter(p.ctx, "filter")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "wire form", string(rec.JSON), `{"createdBy":null,"deleted":false,"id":"filter","isShared":true,"name":"Filter",`+
			`"taskActualDuration":null,"taskActualFinish":null,"taskActualPhysicalQuantity":null,"taskActualStart":null,"taskComment":null,`+
			`"taskConstraintEarlyDate":null,"taskConstraintLateDate":null,"taskConstraintType":null,"taskEstimatedRate":null,"taskExpectedFinish":null,"taskId":null,`+
			`"taskIsWbs":{"operation":"Equals","values":[false]},"taskName":{"operation":"ContainsCaseInsensitive","values":["dig","pour"]},"taskParentId":null,`+
			`"taskPercentComplete":{"operation":"Less","values":[99.5]},"taskPhysicalQuantity":null,"taskPhysicalQuantityUnit":null,"taskPlannedDuration":null,`+
			`"taskPlannedFinish":null,"taskPlannedStart":{"operation":"More","values":["`+at(1).String()+`"]},"taskRemainingDuration":null,"taskRemainingPhysicalQuantity":null,`+
			`"taskStatus":null,"taskStatusId":null,"taskType":{"operation":"NotEquals","values":["Meeting"]},"taskUrl":null,"taskUserDefinedId":null,"version":2,"withChildren":true}`)
	})
}

// covers: Task query filters and the data date: rule every operation goes with the type of the property
// covers: operations taskQueryFilters.create
func TestConditionsAreHeldToTheTypeOfTheirProperty(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	if _, err := p.in().CreateTaskQueryFilter(p.ctx, schedules.NewTaskQueryFilter{ID: "there", Name: "n"}); err != nil {
		t.Fatal(err)
	}
	condition := func(c schedules.TaskConditions) schedules.NewTaskQueryFilter {
		return schedules.NewTaskQueryFilter{Name: "n", TaskConditions: c}
	}
	for name, test := range map[string]struct {
		n    schedules.NewTaskQueryFilter
		want refusal
	}{
		"no name":            {schedules.NewTaskQueryFilter{}, invalid("MissingRequiredProperty name")},
		"a version below 0":  {schedules.NewTaskQueryFilter{Name: "n", Version: -1}, invalid("InvalidValue version")},
		"another maker":      {schedules.NewTaskQueryFilter{Name: "n", CreatedBy: twinplatform.Set("somebody")}, invalid("InvalidValue createdBy")},
		"an id that is used": {schedules.NewTaskQueryFilter{ID: "there", Name: "n"}, idTaken},
		"nothing asked": {
			condition(schedules.TaskConditions{TaskName: &schedules.TextCondition{}}), invalid("MissingRequiredProperty taskName.operation", "MissingRequiredProperty taskName.values"),
		},
		"more than a text": {
			condition(schedules.TaskConditions{TaskName: &schedules.TextCondition{Operation: "More", Values: []string{"a"}}}), invalid("InvalidValue taskName.operation"),
		},
		"within a number": {
			condition(schedules.TaskConditions{TaskPercentComplete: &schedules.NumberCondition{Operation: "Contains", Values: []float64{math.NaN()}}}),
			invalid("InvalidValue taskPercentComplete.operation", "InvalidValue taskPercentComplete.values"),
		},
		"no date": {
			condition(schedules.TaskConditions{TaskActualStart: &schedules.DateCondition{Operation: "Less", Values: make([]twinplatform.DateTime, 1)}}), invalid("InvalidValue taskActualStart.values"),
		},
		"no such type": {
			condition(schedules.TaskConditions{TaskType: &schedules.TypeCondition{Operation: "Less", Values: []schedules.TaskType{"Play"}}}),
			invalid("InvalidValue taskType.operation", "InvalidValue taskType.values"),
		},
		"more than true": {
			condition(schedules.TaskConditions{TaskIsWBS: &schedules.FlagCondition{Operation: "More", Values: []bool{true}}}), invalid("InvalidValue taskIsWbs.operation"),
		},
		"too many values": {
			condition(schedules.TaskConditions{TaskID: &schedules.TextCondition{Operation: "Equals", Values: make([]string, schedules.MaxBatch+1)}}), invalid("InvalidValue taskId.values"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := p.in().CreateTaskQueryFilter(p.ctx, test.n)
			test.want.check(t, err)
		})
	}
}

// covers: operations taskQueryFilters.list
func TestTaskQueryFiltersAreListedByNameVersionAndMaker(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Twins: oneTwin{}})
	p.filtered()
	ann := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "ann", AccountID: "account", AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.CoAdministrator}})
	own, err := p.in().CreateTaskQueryFilter(ann, schedules.NewTaskQueryFilter{ID: "own", Name: "Own"})
	if err != nil {
		t.Fatal(err)
	}
	if own.Value().CreatedBy != "ann" {
		t.Errorf("made by %q", own.Value().CreatedBy)
	}
	two := int32(2)
	for want, q := range map[string]schedules.TaskQueryFilterQuery{
		"filter own": {}, "filter": {Name: "FIL"}, "own": {CreatedBy: "ann"}, "": {Version: &two, CreatedBy: "ann"},
	} {
		if got, _ := p.filters(q); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, _ := p.filters(schedules.TaskQueryFilterQuery{Version: &two}); got != "filter" {
		t.Errorf("of version 2: %q", got)
	}
}

// covers: Task query filters and the data date: error TaskQueryFilterNotFound
// covers: operations taskQueryFilters.update taskQueryFilters.delete
func TestTaskQueryFilterIsWhatItsMakerPuts(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.filtered()
		rec, err := p.in().TaskQueryFilter(p.ctx, "filter")
		if err != nil {
			p.Fatal(err)
		}
		_, delta := p.filters(schedules.TaskQueryFilterQuery{})
		status := schedules.TaskConditions{TaskStatus: &schedules.StatusCondition{Operation: "Equals", Values: []schedules.TaskStatus{schedules.Started}}}
		res, err := p.in().UpdateTaskQueryFilter(p.ctx, "filter", schedules.NewTaskQueryFilter{Name: "Other", TaskConditions: status}, twinplatform.IfMatch(rec.ETag))
		if err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff(schedules.TaskQueryFilter{ID: "filter", Name: "Other", TaskConditions: status}, res.Value()); diff != "" {
			p.Errorf("became (-want +got):\n%s", diff)
		}
		_, err = p.in().UpdateTaskQueryFilter(p.ctx, "filter", schedules.NewTaskQueryFilter{Name: "Late"}, twinplatform.IfMatch(rec.ETag))
		refusal{kind: twinplatform.Conflict, code: "VersionMismatch", target: twinplatform.TargetIfMatch}.check(p, err)
		_, err = p.in().UpdateTaskQueryFilter(p.ctx, "filter", schedules.NewTaskQueryFilter{ID: "other", Name: "n"})
		invalid("InvalidValue id").check(p, err)
		_, err = p.in().UpdateTaskQueryFilter(p.ctx, "filter", schedules.NewTaskQueryFilter{Name: "n", CreatedBy: twinplatform.Set("somebody")})
		invalid("InvalidValue createdBy").check(p, err)
		_, err = p.in().UpdateTaskQueryFilter(p.ctx, "nothing", schedules.NewTaskQueryFilter{Name: "n"})
		noFilter.check(p, err)
		if got, _ := p.filters(schedules.TaskQueryFilterQuery{ListOptions: twinplatform.ListOptions{Delta: delta}}); got != "filter" {
			p.Errorf("the delta lists %q", got)
		}
		if _, err := p.in().DeleteTaskQueryFilter(p.ctx, "filter"); err != nil {
			p.Fatal(err)
		}
		if got, _ := p.filters(schedules.TaskQueryFilterQuery{ListOptions: twinplatform.ListOptions{Delta: delta}}); got != "-filter" {
			p.Errorf("the delta lists %q", got)
		}
		_, err = p.in().TaskQueryFilter(p.ctx, "filter")
		noFilter.check(p, err)
	})
}

// covers: Task query filters and the data date
// covers: operations projectScheduling.get projectScheduling.update
func TestDataDateIsManualAndKept(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		first, err := p.in().ProjectScheduling(p.ctx)
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "before it is set", string(first.JSON), `{"calendarId":null,"criticalFloat":0,"criticalPathType":"TotalFloat","dataDate":null,"dataDateType":"Manual","isAutomatic":false,"lagCalendar":"Profile",`+
			`"mustFinishBy":null,"openEndsCritical":false,"profile":"P6","progressMode":"RetainedLogic","startDate":null,"timeZone":"UTC"}`)
		res, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(at(2))}, twinplatform.IfMatch(first.ETag))
		if err != nil || res.ID == "" {
			p.Fatalf("operation %q, %v", res.ID, err)
		}
		_, err = p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{}, twinplatform.IfMatch(first.ETag))
		refusal{kind: twinplatform.Conflict, code: "VersionMismatch", target: twinplatform.TargetIfMatch}.check(p, err)
		if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Type: twinplatform.Set(schedules.ManualDataDate)}); err != nil {
			p.Error(err)
		}
		rec, err := p.in().ProjectScheduling(p.ctx)
		want := first.Value
		want.DataDate = at(2)
		if err != nil || !cmp.Equal(rec.Value, want) {
			p.Errorf("%+v, %v", rec.Value, err)
		}
		_, err = p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Type: twinplatform.Set(schedules.DataDateType("Automatic"))})
		invalid("InvalidValue type").check(p, err)
	})
}

// covers: Task query filters and the data date: rule filters and data dates are set in v10 schedules
func TestFiltersAndDataDatesAreOfV10Schedules(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.id = "old"
	p.schedule(schedules.NewSchedule{ID: "old", Name: "Old", TwinID: "twin", Type: schedules.V65})
	_, err := p.in().CreateTaskQueryFilter(p.ctx, schedules.NewTaskQueryFilter{Name: "n"})
	notOfV65.check(t, err)
	_, err = p.in().UpdateTaskQueryFilter(p.ctx, "filter", schedules.NewTaskQueryFilter{Name: "n"})
	notOfV65.check(t, err)
	_, err = p.in().DeleteTaskQueryFilter(p.ctx, "filter")
	notOfV65.check(t, err)
	rec, err := p.in().ProjectScheduling(p.ctx)
	if err != nil || rec.Value.DataDateType != schedules.ManualDataDate {
		t.Errorf("%+v, %v", rec.Value, err)
	}
	asRead := schedules.ProjectSchedulingPatch{DataDateType: twinplatform.Set(rec.Value.DataDateType), TimeZone: twinplatform.Set(rec.Value.TimeZone)}
	if _, err := p.in().UpdateProjectScheduling(p.ctx, asRead); err != nil {
		t.Errorf("sent back as it was read: %v", err)
	}
	if after, err := p.in().ProjectScheduling(p.ctx); err != nil || after.ETag != rec.ETag {
		t.Errorf("sent back it has the version %s, not %s: %v", after.ETag, rec.ETag, err)
	}
	_, err = p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{TimeZone: twinplatform.Set("Europe/Berlin")})
	notOfV65.check(t, err)
}
