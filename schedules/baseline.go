package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Baseline is a snapshot of the tasks and task links of a schedule, kept for
// later comparison.
type Baseline struct {
	// Code is by what planners know the baseline besides its name, up to MaxText characters; left
	// out where it has none.
	Code string `json:"code,omitzero"`
	// CreatedOn is the moment that the snapshot shows.
	CreatedOn twinplatform.DateTime `json:"createdOn"`
	Deleted   bool                  `json:"deleted"` // true in deltas alone
	ID        string                `json:"id"`      // unique in the schedule; never changes
	// IsCurrent reports that planners compare the plan with it. Of several baselines of a project
	// that are, the one of the last moment is in an export.
	IsCurrent bool   `json:"isCurrent,omitzero"`
	Name      string `json:"name"` // 1 to MaxText characters
	// ProjectID is the project of the ProjectScheduling whose baseline it is in its planner; left out
	// where it is of all.
	ProjectID twinplatform.NullString `json:"projectId,omitzero"`

	// rows distinguishes the snapshot's records from those of every other one, also of an
	// earlier one with the same id.
	rows string
}

// Equal reports whether two baselines are the same.
func (b Baseline) Equal(other Baseline) bool { return b == other }

// BaselineTask is a task as it was when the baseline was made.
type BaselineTask struct {
	BaselineID string `json:"baselineId"` // the baseline it is a row of
	Deleted    bool   `json:"deleted"`    // false: rows go with their baseline
	// Duration is in seconds of working time: the actual one of a task that had one, else the
	// planned one, and 0 where there was none.
	Duration int32 `json:"duration"`
	// ExternalID is by what a planner knows the task in the baseline, up to MaxText characters; left
	// out where there is none.
	ExternalID string `json:"externalId,omitzero"`
	// FinishDate and StartDate are the actual ones where there were any, else
	// the planned ones. A Started task finishes when the duration that remains is
	// worked from its actual start on. Where a task had none but other tasks below it,
	// they are the earliest start and the latest finish of those. No task finishes
	// before it starts.
	FinishDate twinplatform.DateTime `json:"finishDate"`
	Name       string                `json:"name"` // when added
	// PlannedCost and PlannedWork, in hours, are what a planner has of the task in the baseline, and
	// TotalFloat is in seconds of working time: kept as its file has them, and left out where
	// it has none. The float of a baseline that was made here is in its analyses.
	PlannedCost   float64               `json:"plannedCost,omitzero"`
	PlannedWork   float64               `json:"plannedWork,omitzero"`
	StartDate     twinplatform.DateTime `json:"startDate"`
	TaskID        string                `json:"taskId"`               // the task it was made of, also when that is gone
	TotalFloat    *int64                `json:"totalFloat,omitempty"` // see PlannedCost
	UserDefinedID string                `json:"userDefinedId"`        // when added

	// parent is the task that it was below; empty where there was none. wbs and inactive are what it was, too,
	// and lacks is which dates are not its own.
	parent        string
	wbs, inactive bool
	lacks         int8 // of its own dates: 1 the finish, 2 both
}

// Equal reports whether two rows are equal.
func (t BaselineTask) Equal(other BaselineTask) bool {
	if !t.dates().equal(other.dates()) || !model.EqualDuration(t.TotalFloat, other.TotalFloat) {
		return false
	}
	t.TotalFloat, other.TotalFloat = nil, nil
	t, other = *t.withDates(span{}), *other.withDates(span{})
	for _, x := range []*BaselineTask{&t, &other} {
		x.parent, x.wbs, x.inactive, x.lacks = "", false, false, 0
	}
	return t == other
}

type hiddenRow struct {
	Parent   records.OmitZero[string] `json:"parent,omitzero"`
	WBS      records.OmitZero[bool]   `json:"wbs,omitzero"`
	Inactive records.OmitZero[bool]   `json:"inactive,omitzero"`
	Lacks    records.OmitZero[int8]   `json:"lacks,omitzero"`
}

// BaselineTaskLink is a task link as it was when the baseline was made.
type BaselineTaskLink struct {
	BaselineID string `json:"baselineId"` // the baseline it is a row of
	Deleted    bool   `json:"deleted"`    // false: rows go with their baseline
	// Lag is in seconds; a lead is negative.
	Lag           int32        `json:"lag"`
	PredecessorID string       `json:"predecessorId"` // a task as it was linked then
	SuccessorID   string       `json:"successorId"`   // a task as it was linked then
	TaskLinkID    string       `json:"taskLinkId"`    // the task link it was made of, also when that is gone
	Type          TaskLinkType `json:"type"`          // when added
}

var baselineRecords = records.Collection[Baseline]{
	Name:        "baselines",
	ID:          func(b *Baseline) string { return b.ID },
	Hidden:      func(b *Baseline) any { return &b.rows },
	MarkDeleted: func(b *Baseline) { b.Deleted = true },
}

// baselineTasks are the tasks of one snapshot.
func baselineTasks(rows string) *records.Collection[BaselineTask] {
	return &records.Collection[BaselineTask]{
		Name: "baseline-tasks",
		ID:   func(t *BaselineTask) string { return records.Join(rows, t.TaskID) },
		Hidden: func(t *BaselineTask) any {
			return &hiddenRow{
				records.OmitZero[string]{Of: &t.parent},
				records.OmitZero[bool]{Of: &t.wbs},
				records.OmitZero[bool]{Of: &t.inactive},
				records.OmitZero[int8]{Of: &t.lacks},
			}
		},
		MarkDeleted: func(t *BaselineTask) { t.Deleted = true },
	}
}

// baselineTaskLinks are the task links of one snapshot.
func baselineTaskLinks(rows string) *records.Collection[BaselineTaskLink] {
	return &records.Collection[BaselineTaskLink]{
		Name:        "baseline-task-links",
		ID:          func(l *BaselineTaskLink) string { return records.Join(rows, l.TaskLinkID) },
		MarkDeleted: func(l *BaselineTaskLink) { l.Deleted = true },
	}
}

var baselineMissing = model.BaselineMissing

// baselineKinds are the kinds of change to baselines.
type baselineKinds struct {
	create model.Change[snapshot, Baseline]
	remove model.Change[baselineRemoval, Baseline]
}

func defineBaselineKinds(s *Service) baselineKinds {
	return baselineKinds{
		create: model.DefineInSteps(s.area(), "baseline.create",
			func(u *records.Update, e *model.Edit[snapshot, Baseline]) (progress, error) {
				return takeSnapshot(u, e, s.now())
			}, "baselines.create"),
		remove: model.DefineInSteps(s.area(), "baselines.delete", removeBaselines, "baselines.deleteMany",
			"baselines.delete"),
	}
}

// NewBaseline asks for a baseline.
type NewBaseline struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// Code is up to MaxText characters.
	Code string `json:"code,omitzero"`
	// IsCurrent makes it the one with which planners compare.
	IsCurrent bool `json:"isCurrent,omitzero"`
	// CreatedOn is the platform's to say: only null is taken.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"` // nothing is made deleted
}

func (n *NewBaseline) check(c *problem.Checks) {
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	c.AtMost("code", n.Code, MaxText)
	problem.AsIs(c, "createdOn", n.CreatedOn)
	problem.AsIs(c, "deleted", n.Deleted, false)
}

// CreateBaseline makes a baseline (POST …/baselines): all tasks and task links
// of the schedule as they are at one moment between the call and its end, also
// while others write. That of a large schedule is made in steps and is there
// once it is complete. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name, code); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateBaseline(ctx context.Context, n NewBaseline) (twinplatform.Result[Baseline], error) {
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Baseline]{}, err
	}
	if n.ID == "" {
		n.ID = p.s.env.NewID()
	}
	return familiesOf(p.s).baselines.create.Start(ctx, p.id, model.Direct, []string{n.ID}, snapshot{
		ID: n.ID, Name: n.Name, Code: n.Code, Current: n.IsCurrent, Rows: p.s.env.NewID(),
	})
}

// Baseline returns a baseline. Errors: BaselineNotFound, also for a schedule
// that is missing or not for the caller to see.
func (p Plan) Baseline(ctx context.Context, baselineID string) (twinplatform.Record[Baseline], error) {
	return model.Get(ctx, p.s.db, p.s.area().Read, p.id, baselineMissing, &baselineRecords, baselineID)
}

// BaselineQuery selects the baselines to list.
type BaselineQuery struct {
	twinplatform.ListOptions
}

// Baselines lists the baselines of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Baselines(ctx context.Context, q BaselineQuery) (twinplatform.Page[Baseline], error) {
	return model.List(ctx, p.s.db, p.s.area().Read, p.id, scheduleMissing, &baselineRecords,
		records.Query[Baseline]{ListOptions: q.ListOptions, Op: "baselines"}, nil)
}

// BaselineTaskQuery selects the tasks of a baseline to list.
type BaselineTaskQuery struct {
	twinplatform.ListOptions
}

// BaselineTasks lists the tasks of a baseline by task id (S5).
//
// Errors: BaselineNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) BaselineTasks(ctx context.Context, baselineID string,
	q BaselineTaskQuery,
) (twinplatform.Page[BaselineTask], error) {
	return model.ListRows(ctx, p.s.area().Read, p.id, rowsBy(baselineID), baselineTasks,
		records.Query[BaselineTask]{ListOptions: q.ListOptions, Op: "baselineTasks"})
}

// BaselineTaskLinkQuery selects the task links of a baseline to list.
type BaselineTaskLinkQuery struct {
	twinplatform.ListOptions
}

// BaselineTaskLinks lists the task links of a baseline by task link id (S2).
//
// Errors: as BaselineTasks.
func (p Plan) BaselineTaskLinks(ctx context.Context, baselineID string,
	q BaselineTaskLinkQuery,
) (twinplatform.Page[BaselineTaskLink], error) {
	return model.ListRows(ctx, p.s.area().Read, p.id, rowsBy(baselineID), baselineTaskLinks,
		records.Query[BaselineTaskLink]{ListOptions: q.ListOptions, Op: "baselineTaskLinks"})
}

// rowsBy reads under what the rows of the baseline with an id are kept.
func rowsBy(baselineID string) func(v *records.View, s records.Scope) (rows string, err error) {
	return func(v *records.View, s records.Scope) (string, error) {
		b, err := baselineRecords.Value(v, s, baselineID)
		if err != nil {
			return "", baselineMissing.Or(err)
		}
		return b.rows, nil
	}
}

// DeleteBaselines deletes up to 1,000 baselines as a long-running operation. They
// are gone at once; what they held is cleared away in steps. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (baselineIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; BaselineNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteBaselines(ctx context.Context, baselineIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Baseline], error) {
	if err := model.CheckBatch("baselineIds", len(baselineIDs)); err != nil {
		return twinplatform.Result[Baseline]{}, err
	}
	return familiesOf(p.s).baselines.remove.Start(ctx, p.id, model.Tracked, baselineIDs,
		baselineRemoval{IDs: baselineIDs}, pre...)
}

// baselineRemoval is what is left to delete: baselines, and then what they held.
type baselineRemoval struct {
	IDs  []string `json:"ids"`
	Rows []string `json:"rows"`
}

func removeBaselines(u *records.Update, e *model.Edit[baselineRemoval, Baseline]) (progress, error) {
	rows := e.Request.Rows
	for _, id := range model.Unique(e.Request.IDs) {
		b, err := baselineRecords.Value(u, e.Scope, id)
		if err == nil {
			err = baselineRecords.Check(u, e.Scope, id, e.Condition)
		}
		if err != nil {
			return progress{}, noneOf("BaselineNotFound", "baselineIds", "baseline", id).Or(err)
		}
		if err := baselineRecords.Delete(u, e.Scope, id); err != nil {
			return progress{}, err
		}
		rows = append(rows, b.rows)
	}
	step := records.NewStep(u)
	for len(rows) > 0 {
		whole, err := eraseRows(u, e.Scope, rows[0], step)
		if err != nil {
			return progress{}, err
		}
		if !whole {
			e.Request = baselineRemoval{Rows: rows}
			return progress{Percent: 50}, nil
		}
		rows = rows[1:]
	}
	return done, nil
}

// TaskLinksOfBaselinesQuery selects the task links of baselines to list.
type TaskLinksOfBaselinesQuery struct {
	twinplatform.ListOptions

	BaselineID    string // lists the links of one baseline
	TaskLinkID    string // lists what one task link was in the baselines
	PredecessorID string // lists the links from this task downstream
	SuccessorID   string // lists the links to this task from upstream
}

func (q *TaskLinksOfBaselinesQuery) query() records.Query[BaselineTaskLink] {
	query := records.Query[BaselineTaskLink]{
		ListOptions: q.ListOptions, Op: "taskLinksOfBaselines", Among: q.rows,
		View: q.BaselineID,
	}
	for _, of := range []struct {
		property, value string
		member          func(*BaselineTaskLink) string
	}{
		{"taskLinkId", q.TaskLinkID, func(l *BaselineTaskLink) string { return l.TaskLinkID }},
		{"predecessorId", q.PredecessorID, func(l *BaselineTaskLink) string { return l.PredecessorID }},
		{"successorId", q.SuccessorID, func(l *BaselineTaskLink) string { return l.SuccessorID }},
	} {
		if of.value != "" {
			model.Narrow(&query, of.property, of.value,
				func(l *BaselineTaskLink) bool { return of.member(l) == of.value })
		}
	}
	return query
}

// rows are the beginnings of the ids of the rows that are asked for. Those of a baseline
// that is being made, or of one that is being cleared away, have others.
func (q *TaskLinksOfBaselinesQuery) rows(tx records.Reading, s records.Scope) (all []string, err error) {
	if q.BaselineID != "" {
		b, err := baselineRecords.Lookup(tx, s, q.BaselineID)
		if b == nil {
			return nil, err
		}
		return []string{records.Join(b.rows, "")}, nil
	}
	for b, err := range baselineRecords.All(tx, s, "") {
		if err != nil {
			return nil, err
		}
		all = append(all, records.Join(b.rows, ""))
	}
	return all, nil
}

// TaskLinksOfBaselines lists the task links of all baselines of a schedule, one baseline
// after the other (GET …/baselines/baseline-task-links). The list has no delta: rows come
// and go with their baseline, and to follow them, follow the baselines.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top, continuation,
// and delta for every delta token).
func (p Plan) TaskLinksOfBaselines(ctx context.Context,
	q TaskLinksOfBaselinesQuery,
) (twinplatform.Page[BaselineTaskLink], error) {
	return model.List(ctx, p.s.db, p.s.area().Read, p.id, scheduleMissing, baselineTaskLinks(""), q.query(), nil)
}

// SchedulingAnalysis is what the last rescheduling of the schedule, or the last import
// into it, has found of a task.
// Floats are in seconds of working time on the calendar of the task.
type SchedulingAnalysis struct {
	Deleted bool `json:"deleted"` // true in deltas alone
	// DownstreamFreeFloat is by how much the task can slip before it moves another one;
	// null where it has none, as a hammock.
	DownstreamFreeFloat *int64 `json:"downstreamFreeFloat"`
	// DownstreamTotalFloat is by how much it can slip before the schedule ends later. It
	// is negative where the task is late already, and null where it has none.
	DownstreamTotalFloat *int64                `json:"downstreamTotalFloat"`
	EarlyFinish          twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart           twinplatform.DateTime `json:"earlyStart"`
	// IsCritical is as CriticalPathType of the ProjectScheduling says.
	IsCritical bool `json:"isCritical"`
	// IsOnLongestPath reports that links that drive lead from the task to the finish of
	// the schedule.
	IsOnLongestPath bool                  `json:"isOnLongestPath"`
	LateFinish      twinplatform.DateTime `json:"lateFinish"` // null for a hammock
	LateStart       twinplatform.DateTime `json:"lateStart"`  // null for a hammock
	TaskID          string                `json:"taskId"`     // the task that it is of
}

var analysisRecords = records.Collection[SchedulingAnalysis]{
	Name:        "scheduling-analyses",
	ID:          func(a *SchedulingAnalysis) string { return a.TaskID },
	MarkDeleted: func(a *SchedulingAnalysis) { a.Deleted = true },
}

// BaselineSchedulingAnalysis is a SchedulingAnalysis as it was when a baseline was made.
type BaselineSchedulingAnalysis struct {
	BaselineID           string                `json:"baselineId"`           // the baseline it is a row of
	Deleted              bool                  `json:"deleted"`              // false: rows go with their baseline
	DownstreamFreeFloat  *int64                `json:"downstreamFreeFloat"`  // in seconds of working time
	DownstreamTotalFloat *int64                `json:"downstreamTotalFloat"` // in seconds of working time
	EarlyFinish          twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart           twinplatform.DateTime `json:"earlyStart"`
	IsCritical           bool                  `json:"isCritical"`      // when added
	IsOnLongestPath      bool                  `json:"isOnLongestPath"` // when added
	LateFinish           twinplatform.DateTime `json:"lateFinish"`
	LateStart            twinplatform.DateTime `json:"lateStart"`
	TaskID               string                `json:"taskId"` // the task it was made of, also when that is gone
}

// baseline is the analysis as a baseline keeps it.
func (a *SchedulingAnalysis) baseline(baselineID string) *BaselineSchedulingAnalysis {
	return &BaselineSchedulingAnalysis{
		BaselineID: baselineID, TaskID: a.TaskID, IsCritical: a.IsCritical, IsOnLongestPath: a.IsOnLongestPath,
		DownstreamTotalFloat: a.DownstreamTotalFloat, DownstreamFreeFloat: a.DownstreamFreeFloat,
		EarlyStart: a.EarlyStart, EarlyFinish: a.EarlyFinish, LateStart: a.LateStart, LateFinish: a.LateFinish,
	}
}

// baselineAnalyses are the analyses of one snapshot.
func baselineAnalyses(rows string) *records.Collection[BaselineSchedulingAnalysis] {
	return &records.Collection[BaselineSchedulingAnalysis]{
		Name:        "baseline-scheduling-analyses",
		ID:          func(a *BaselineSchedulingAnalysis) string { return records.Join(rows, a.TaskID) },
		MarkDeleted: func(a *BaselineSchedulingAnalysis) { a.Deleted = true },
	}
}
