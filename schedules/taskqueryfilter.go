package schedules

import (
	"context"
	"reflect"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// TaskQueryFilter is a filter of tasks that a client keeps with the schedule. The platform
// stores it; clients apply it. Filters are made in v10 schedules only.
type TaskQueryFilter struct {
	CreatedBy twinplatform.NullString `json:"createdBy"` // the principal that made it; null for the system
	Deleted   bool                    `json:"deleted"`   // true in deltas alone
	ID        string                  `json:"id"`        // unique in the schedule; never changes
	// IsShared reports that others than its maker are to be offered it. Everyone who reads
	// the schedule reads it all the same.
	IsShared bool   `json:"isShared"`
	Name     string `json:"name"` // 1 to MaxText characters
	TaskConditions
	Version      int32 `json:"version"`      // of the form of the filter, as the client counts it; 0 or more
	WithChildren bool  `json:"withChildren"` // what lies below the tasks is shown with them
}

var filterRecords = records.Collection[TaskQueryFilter]{
	Name:        "task-query-filters",
	ID:          func(v *TaskQueryFilter) string { return v.ID },
	MarkDeleted: func(v *TaskQueryFilter) { v.Deleted = true },
}

var filterMissing = problem.NotFound("TaskQueryFilterNotFound", "taskQueryFilterId", "task query filter")

var filterKind = entity.Kind[TaskQueryFilter, NewTaskQueryFilter, NewTaskQueryFilter]{
	Records: &filterRecords, One: "taskQueryFilter", Many: "taskQueryFilters", Resource: "task query filter",
	Missing: filterMissing, Bad: &InvalidRequest,
	Members: func(v *TaskQueryFilter, n, _ *NewTaskQueryFilter) []entity.Member {
		return append(v.members(&n.TaskConditions),
			entity.Fixed("deleted", &n.Deleted, nil, false),
			entity.ID(&v.ID, &n.ID, nil),
			entity.Text("name", &v.Name, &n.Name, nil).Max(MaxText).Required(),
			entity.Value("isShared", &v.IsShared, &n.IsShared, nil),
			entity.Value("version", &v.Version, &n.Version, nil).Valid(checkVersion, schema.AtLeast(0)),
			entity.Value("withChildren", &v.WithChildren, &n.WithChildren, nil),
		)
	},
	AfterCreate: func(v *TaskQueryFilter, n *NewTaskQueryFilter, _ *problem.Checks) {
		v.CreatedBy = twinplatform.NullString(n.CreatedBy.Or(""))
	},
	AfterUpdate: func(v, stored *TaskQueryFilter, n *NewTaskQueryFilter, c *problem.Checks) {
		problem.AsIs(c, "createdBy", n.CreatedBy, string(stored.CreatedBy))
		*v = TaskQueryFilter{
			CreatedBy: stored.CreatedBy, ID: stored.ID, IsShared: n.IsShared, Name: n.Name,
			TaskConditions: n.TaskConditions,
			Version:        n.Version, WithChildren: n.WithChildren,
		}
	},
}

func checkVersion(c *problem.Checks, name string, version int32) {
	if version < 0 {
		c.Bad(name, "A version is 0 or more.")
	}
}

// TaskQueryFilter returns a task query filter. Errors: TaskQueryFilterNotFound, also for a
// schedule that is missing or not for the caller to see.
func (p Plan) TaskQueryFilter(ctx context.Context, filterID string) (twinplatform.Record[TaskQueryFilter], error) {
	return familiesOf(p.s).filters.Get(ctx, p.id, filterID)
}

// TaskQueryFilterQuery selects the task query filters to list.
type TaskQueryFilterQuery struct {
	twinplatform.ListOptions
	// Name lists the filters whose name equals or contains it, in upper or lower case.
	Name string
	// Version lists the filters of one version. Nil lists those of all.
	Version *int32
	// CreatedBy lists what one principal has made.
	CreatedBy string
}

// TaskQueryFilters lists the task query filters of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) TaskQueryFilters(ctx context.Context, q TaskQueryFilterQuery) (twinplatform.Page[TaskQueryFilter],
	error,
) {
	query := records.Query[TaskQueryFilter]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(v *TaskQueryFilter) string { return v.Name })
	if q.Version != nil {
		model.Narrow(&query, "version", strconv.Itoa(int(*q.Version)),
			func(v *TaskQueryFilter) bool { return v.Version == *q.Version })
	}
	if q.CreatedBy != "" {
		model.Narrow(&query, "createdBy", q.CreatedBy,
			func(v *TaskQueryFilter) bool { return string(v.CreatedBy) == q.CreatedBy })
	}
	return familiesOf(p.s).filters.List(ctx, p.id, query)
}

// NewTaskQueryFilter asks for a task query filter, or says what one is to be. Null and left
// out are the same in it.
type NewTaskQueryFilter struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name         string `json:"name"`
	IsShared     bool   `json:"isShared"`     // others than its maker are to be offered it
	Version      int32  `json:"version"`      // as the client counts; 0 or more
	WithChildren bool   `json:"withChildren"` // what lies below the tasks is shown with them
	TaskConditions
	CreatedBy twinplatform.Optional[string] `json:"createdBy,omitzero"` // the caller, or the one who made it
	Deleted   twinplatform.Optional[bool]   `json:"deleted,omitzero"`   // nothing is made deleted
}

// CreateTaskQueryFilter keeps a filter of tasks, in the name of the caller. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (name, and operation and values of a
// condition, such as taskName.operation) or InvalidValue (id, name, version, createdBy, and
// the operation and the values of a condition that do not go with the property);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateTaskQueryFilter(ctx context.Context,
	n NewTaskQueryFilter,
) (res twinplatform.Result[TaskQueryFilter], err error) {
	var c problem.Checks
	caller, _ := twinplatform.PrincipalFrom(ctx)
	problem.AsIs(&c, "createdBy", n.CreatedBy, caller.ID)
	filterKind.CheckNew(&n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	n.CreatedBy = twinplatform.Set(caller.ID)
	id := filterKind.Identify(&n, p.s.env.NewID)
	return familiesOf(p.s).filters.One.Start(ctx, p.id, model.Direct, []string{id}, n)
}

// UpdateTaskQueryFilter makes a task query filter what is asked for (PUT): what is left out
// is asked no more. It needs PermissionModify.
//
// Errors: as CreateTaskQueryFilter without AlreadyExists; TaskQueryFilterNotFound;
// VersionMismatch.
func (p Plan) UpdateTaskQueryFilter(ctx context.Context, filterID string, n NewTaskQueryFilter,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[TaskQueryFilter], error) {
	var c problem.Checks
	if n.ID != "" && n.ID != filterID {
		c.Bad("id", "The id of a task query filter never changes.")
	}
	filterKind.CheckNew(&n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[TaskQueryFilter]{}, err
	}
	return familiesOf(p.s).filters.Update(ctx, p.id, filterID, n, pre)
}

// DeleteTaskQueryFilter deletes a task query filter, as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; TaskQueryFilterNotFound; VersionMismatch.
func (p Plan) DeleteTaskQueryFilter(ctx context.Context, filterID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[TaskQueryFilter], error) {
	return familiesOf(p.s).filters.Remove(ctx, p.id, []string{filterID}, pre)
}

// TextOperation compares a text with a value.
type TextOperation string

// The text operations. Those whose name ends with Fold ignore case.
const (
	TextEquals            TextOperation = "Equals"
	TextNotEquals         TextOperation = "NotEquals"
	TextContains          TextOperation = "Contains"
	TextStartsWith        TextOperation = "StartsWith"
	TextEndsWith          TextOperation = "EndsWith"
	TextNotContains       TextOperation = "NotContains"
	TextNotStartsWith     TextOperation = "NotStartsWith"
	TextNotEndsWith       TextOperation = "NotEndsWith"
	TextEqualsFold        TextOperation = "EqualsCaseInsensitive"
	TextNotEqualsFold     TextOperation = "NotEqualsCaseInsensitive"
	TextContainsFold      TextOperation = "ContainsCaseInsensitive"
	TextStartsWithFold    TextOperation = "StartsWithCaseInsensitive"
	TextEndsWithFold      TextOperation = "EndsWithCaseInsensitive"
	TextNotContainsFold   TextOperation = "NotContainsCaseInsensitive"
	TextNotStartsWithFold TextOperation = "NotStartsWithCaseInsensitive"
	TextNotEndsWithFold   TextOperation = "NotEndsWithCaseInsensitive"
)

var textOperations = []TextOperation{
	TextEquals, TextNotEquals, TextContains, TextStartsWith, TextEndsWith, TextNotContains, TextNotStartsWith,
	TextNotEndsWith,
	TextEqualsFold, TextNotEqualsFold, TextContainsFold, TextStartsWithFold, TextEndsWithFold, TextNotContainsFold,
	TextNotStartsWithFold, TextNotEndsWithFold,
}

// OrderOperation compares a number or a date with a value.
type OrderOperation string

// The order operations.
const (
	OrderEquals      OrderOperation = "Equals"
	OrderNotEquals   OrderOperation = "NotEquals"
	OrderMore        OrderOperation = "More"
	OrderLess        OrderOperation = "Less"
	OrderMoreOrEqual OrderOperation = "MoreOrEqual"
	OrderLessOrEqual OrderOperation = "LessOrEqual"
)

var orderOperations = []OrderOperation{
	OrderEquals, OrderNotEquals, OrderMore, OrderLess, OrderMoreOrEqual,
	OrderLessOrEqual,
}

// WordOperation compares one of several words, or true and false, with a value.
type WordOperation string

// The word operations.
const (
	WordEquals    WordOperation = "Equals"
	WordNotEquals WordOperation = "NotEquals"
)

var wordOperations = []WordOperation{WordEquals, WordNotEquals}

// TextCondition is what a filter asks of a text.
type TextCondition struct {
	Operation TextOperation `json:"operation"` // required
	Values    []string      `json:"values"`    // 1 to MaxBatch texts of up to MaxText characters
}

// NumberCondition is what a filter asks of a number.
type NumberCondition struct {
	Operation OrderOperation `json:"operation"` // required
	Values    []float64      `json:"values"`    // 1 to MaxBatch finite numbers
}

// DateCondition is what a filter asks of a date.
type DateCondition struct {
	Operation OrderOperation          `json:"operation"` // required
	Values    []twinplatform.DateTime `json:"values"`    // 1 to MaxBatch dates
}

// ConstraintCondition is what a filter asks of the constraint type of a task.
type ConstraintCondition struct {
	Operation WordOperation    `json:"operation"` // required
	Values    []ConstraintType `json:"values"`    // 1 to MaxBatch
}

// UnitCondition is what a filter asks of the unit of the physical quantity of a task.
type UnitCondition struct {
	Operation WordOperation            `json:"operation"` // required
	Values    []units.ResourceUnitType `json:"values"`    // 1 to MaxBatch
}

// StatusCondition is what a filter asks of the status of a task.
type StatusCondition struct {
	Operation WordOperation `json:"operation"` // required
	Values    []TaskStatus  `json:"values"`    // 1 to MaxBatch
}

// TypeCondition is what a filter asks of the type of a task.
type TypeCondition struct {
	Operation WordOperation `json:"operation"` // required
	Values    []TaskType    `json:"values"`    // 1 to MaxBatch
}

// FlagCondition is what a filter asks of what is true or false.
type FlagCondition struct {
	Operation WordOperation `json:"operation"` // required
	Values    []bool        `json:"values"`    // 1 to MaxBatch
}

// TaskConditions are what a filter asks of tasks, each of the property of a task that its
// name ends with. What is null is not asked.
type TaskConditions struct {
	TaskActualDuration            *NumberCondition     `json:"taskActualDuration"` // in seconds
	TaskActualFinish              *DateCondition       `json:"taskActualFinish"`
	TaskActualPhysicalQuantity    *NumberCondition     `json:"taskActualPhysicalQuantity"`
	TaskActualStart               *DateCondition       `json:"taskActualStart"`
	TaskComment                   *TextCondition       `json:"taskComment"`
	TaskConstraintEarlyDate       *DateCondition       `json:"taskConstraintEarlyDate"`
	TaskConstraintLateDate        *DateCondition       `json:"taskConstraintLateDate"`
	TaskConstraintType            *ConstraintCondition `json:"taskConstraintType"`
	TaskEstimatedRate             *NumberCondition     `json:"taskEstimatedRate"`
	TaskExpectedFinish            *DateCondition       `json:"taskExpectedFinish"`
	TaskID                        *TextCondition       `json:"taskId"`
	TaskIsWBS                     *FlagCondition       `json:"taskIsWbs"`
	TaskName                      *TextCondition       `json:"taskName"`
	TaskParentID                  *TextCondition       `json:"taskParentId"`
	TaskPercentComplete           *NumberCondition     `json:"taskPercentComplete"` // 0 to 100
	TaskPhysicalQuantity          *NumberCondition     `json:"taskPhysicalQuantity"`
	TaskPhysicalQuantityUnit      *UnitCondition       `json:"taskPhysicalQuantityUnit"`
	TaskPlannedDuration           *NumberCondition     `json:"taskPlannedDuration"` // in seconds
	TaskPlannedFinish             *DateCondition       `json:"taskPlannedFinish"`
	TaskPlannedStart              *DateCondition       `json:"taskPlannedStart"`
	TaskRemainingDuration         *NumberCondition     `json:"taskRemainingDuration"` // in seconds
	TaskRemainingPhysicalQuantity *NumberCondition     `json:"taskRemainingPhysicalQuantity"`
	TaskStatus                    *StatusCondition     `json:"taskStatus"`
	TaskStatusID                  *TextCondition       `json:"taskStatusId"`
	TaskType                      *TypeCondition       `json:"taskType"`
	TaskURL                       *TextCondition       `json:"taskUrl"`
	TaskUserDefinedID             *TextCondition       `json:"taskUserDefinedId"`
}

// condition is why conditions refer to no record.
const condition = "it is a condition on the texts of tasks, and holds for none where none is there"

// members are the conditions of a record and of a request that makes one.
func (t *TaskConditions) members(n *TaskConditions) []entity.Member {
	return []entity.Member{
		entity.Part("taskActualDuration", &t.TaskActualDuration, &n.TaskActualDuration, nil, checkNumberCondition),
		entity.Part("taskActualFinish", &t.TaskActualFinish, &n.TaskActualFinish, nil, checkDateCondition),
		entity.Part("taskActualPhysicalQuantity", &t.TaskActualPhysicalQuantity, &n.TaskActualPhysicalQuantity, nil,
			checkNumberCondition),
		entity.Part("taskActualStart", &t.TaskActualStart, &n.TaskActualStart, nil, checkDateCondition),
		entity.Part("taskComment", &t.TaskComment, &n.TaskComment, nil, checkTextCondition),
		entity.Part("taskConstraintEarlyDate", &t.TaskConstraintEarlyDate, &n.TaskConstraintEarlyDate, nil,
			checkDateCondition),
		entity.Part("taskConstraintLateDate", &t.TaskConstraintLateDate, &n.TaskConstraintLateDate, nil,
			checkDateCondition),
		entity.Part("taskConstraintType", &t.TaskConstraintType, &n.TaskConstraintType, nil, checkConstraintCondition),
		entity.Part("taskEstimatedRate", &t.TaskEstimatedRate, &n.TaskEstimatedRate, nil, checkNumberCondition),
		entity.Part("taskExpectedFinish", &t.TaskExpectedFinish, &n.TaskExpectedFinish, nil, checkDateCondition),
		entity.Part("taskId", &t.TaskID, &n.TaskID, nil, checkTextCondition).NotRef(condition),
		entity.Part("taskIsWbs", &t.TaskIsWBS, &n.TaskIsWBS, nil, checkFlagCondition),
		entity.Part("taskName", &t.TaskName, &n.TaskName, nil, checkTextCondition),
		entity.Part("taskParentId", &t.TaskParentID, &n.TaskParentID, nil, checkTextCondition).NotRef(condition),
		entity.Part("taskPercentComplete", &t.TaskPercentComplete, &n.TaskPercentComplete, nil, checkNumberCondition),
		entity.Part("taskPhysicalQuantity", &t.TaskPhysicalQuantity, &n.TaskPhysicalQuantity, nil,
			checkNumberCondition),
		entity.Part("taskPhysicalQuantityUnit", &t.TaskPhysicalQuantityUnit, &n.TaskPhysicalQuantityUnit, nil,
			checkUnitCondition),
		entity.Part("taskPlannedDuration", &t.TaskPlannedDuration, &n.TaskPlannedDuration, nil, checkNumberCondition),
		entity.Part("taskPlannedFinish", &t.TaskPlannedFinish, &n.TaskPlannedFinish, nil, checkDateCondition),
		entity.Part("taskPlannedStart", &t.TaskPlannedStart, &n.TaskPlannedStart, nil, checkDateCondition),
		entity.Part("taskRemainingDuration", &t.TaskRemainingDuration, &n.TaskRemainingDuration, nil,
			checkNumberCondition),
		entity.Part("taskRemainingPhysicalQuantity", &t.TaskRemainingPhysicalQuantity, &n.TaskRemainingPhysicalQuantity,
			nil, checkNumberCondition),
		entity.Part("taskStatus", &t.TaskStatus, &n.TaskStatus, nil, checkStatusCondition),
		entity.Part("taskStatusId", &t.TaskStatusID, &n.TaskStatusID, nil, checkTextCondition).NotRef(condition),
		entity.Part("taskType", &t.TaskType, &n.TaskType, nil, checkTypeCondition),
		entity.Part("taskUrl", &t.TaskURL, &n.TaskURL, nil, checkTextCondition),
		entity.Part("taskUserDefinedId", &t.TaskUserDefinedID, &n.TaskUserDefinedID, nil,
			checkTextCondition).NotRef(condition),
	}
}

// checkCondition checks an operation and the number of values.
func checkCondition[E ~string](c *problem.Checks, name string, operation E, operations []E, values int) {
	if operation == "" {
		c.Missing(name + ".operation")
	} else {
		problem.OneOf(c, name+".operation", operation, operations)
	}
	switch {
	case values == 0:
		c.Missing(name + ".values")
	case values > MaxBatch:
		c.Bad(name+".values", "A condition has at most %d values.", MaxBatch)
	}
}

func checkTextCondition(c *problem.Checks, name string, t *TextCondition) {
	checkCondition(c, name, t.Operation, textOperations, len(t.Values))
	for _, v := range t.Values {
		c.AtMost(name+".values", v, MaxText)
	}
}

func checkNumberCondition(c *problem.Checks, name string, n *NumberCondition) {
	checkCondition(c, name, n.Operation, orderOperations, len(n.Values))
	for _, v := range n.Values {
		c.Finite(name+".values", v)
	}
}

func checkDateCondition(c *problem.Checks, name string, d *DateCondition) {
	checkCondition(c, name, d.Operation, orderOperations, len(d.Values))
	for _, v := range d.Values {
		if v.IsZero() {
			c.Bad(name+".values", "A date is compared with dates.")
		}
		c.Date(name+".values", v)
	}
}

func checkFlagCondition(c *problem.Checks, name string, f *FlagCondition) {
	checkCondition(c, name, f.Operation, wordOperations, len(f.Values))
}

// checkWords checks a condition whose values are some of several words.
func checkWords[E ~string](c *problem.Checks, name string, operation WordOperation, values, words []E) {
	checkCondition(c, name, operation, wordOperations, len(values))
	for _, v := range values {
		problem.OneOf(c, name+".values", v, words)
	}
}

func checkConstraintCondition(c *problem.Checks, name string, w *ConstraintCondition) {
	checkWords(c, name, w.Operation, w.Values, constraintTypes)
}

func checkUnitCondition(c *problem.Checks, name string, w *UnitCondition) {
	checkWords(c, name, w.Operation, w.Values, units.All())
}

func checkStatusCondition(c *problem.Checks, name string, w *StatusCondition) {
	checkWords(c, name, w.Operation, w.Values, taskStatuses)
}

func checkTypeCondition(c *problem.Checks, name string, w *TypeCondition) {
	checkWords(c, name, w.Operation, w.Values, taskTypes)
}

// describeConditions declares the limits of conditions.
func describeConditions(b *schema.Book) {
	for t, each := range map[reflect.Type]schema.Value{
		reflect.TypeFor[TextCondition]():   schema.AtMost(MaxText),
		reflect.TypeFor[NumberCondition](): {},
		reflect.TypeFor[DateCondition]():   schema.Format("date-time", "2026-01-31T09:00:00Z"),
		reflect.TypeFor[FlagCondition]():   {},

		reflect.TypeFor[ConstraintCondition](): schema.Words(constraintTypes),
		reflect.TypeFor[UnitCondition]():       schema.Words(units.All()),
		reflect.TypeFor[StatusCondition]():     schema.Words(taskStatuses),
		reflect.TypeFor[TypeCondition]():       schema.Words(taskTypes),
	} {
		b.Has(t, schema.Need("operation", schema.Value{}), schema.Need("values", schema.List(1, MaxBatch, each)))
	}
}
