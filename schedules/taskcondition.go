package schedules

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

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
	TextEquals, TextNotEquals, TextContains, TextStartsWith, TextEndsWith, TextNotContains, TextNotStartsWith, TextNotEndsWith,
	TextEqualsFold, TextNotEqualsFold, TextContainsFold, TextStartsWithFold, TextEndsWithFold, TextNotContainsFold, TextNotStartsWithFold, TextNotEndsWithFold,
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

var orderOperations = []OrderOperation{OrderEquals, OrderNotEquals, OrderMore, OrderLess, OrderMoreOrEqual, OrderLessOrEqual}

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
	Operation WordOperation      `json:"operation"` // required
	Values    []ResourceUnitType `json:"values"`    // 1 to MaxBatch
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

// members are the conditions of a record and of a request that makes one.
func (t *TaskConditions) members(n *TaskConditions) []entity.Member {
	return []entity.Member{
		entity.Part("taskActualDuration", &t.TaskActualDuration, &n.TaskActualDuration, nil, checkNumberCondition),
		entity.Part("taskActualFinish", &t.TaskActualFinish, &n.TaskActualFinish, nil, checkDateCondition),
		entity.Part("taskActualPhysicalQuantity", &t.TaskActualPhysicalQuantity, &n.TaskActualPhysicalQuantity, nil, checkNumberCondition),
		entity.Part("taskActualStart", &t.TaskActualStart, &n.TaskActualStart, nil, checkDateCondition),
		entity.Part("taskComment", &t.TaskComment, &n.TaskComment, nil, checkTextCondition),
		entity.Part("taskConstraintEarlyDate", &t.TaskConstraintEarlyDate, &n.TaskConstraintEarlyDate, nil, checkDateCondition),
		entity.Part("taskConstraintLateDate", &t.TaskConstraintLateDate, &n.TaskConstraintLateDate, nil, checkDateCondition),
		entity.Part("taskConstraintType", &t.TaskConstraintType, &n.TaskConstraintType, nil, checkConstraintCondition),
		entity.Part("taskEstimatedRate", &t.TaskEstimatedRate, &n.TaskEstimatedRate, nil, checkNumberCondition),
		entity.Part("taskExpectedFinish", &t.TaskExpectedFinish, &n.TaskExpectedFinish, nil, checkDateCondition),
		entity.Part("taskId", &t.TaskID, &n.TaskID, nil, checkTextCondition),
		entity.Part("taskIsWbs", &t.TaskIsWBS, &n.TaskIsWBS, nil, checkFlagCondition),
		entity.Part("taskName", &t.TaskName, &n.TaskName, nil, checkTextCondition),
		entity.Part("taskParentId", &t.TaskParentID, &n.TaskParentID, nil, checkTextCondition),
		entity.Part("taskPercentComplete", &t.TaskPercentComplete, &n.TaskPercentComplete, nil, checkNumberCondition),
		entity.Part("taskPhysicalQuantity", &t.TaskPhysicalQuantity, &n.TaskPhysicalQuantity, nil, checkNumberCondition),
		entity.Part("taskPhysicalQuantityUnit", &t.TaskPhysicalQuantityUnit, &n.TaskPhysicalQuantityUnit, nil, checkUnitCondition),
		entity.Part("taskPlannedDuration", &t.TaskPlannedDuration, &n.TaskPlannedDuration, nil, checkNumberCondition),
		entity.Part("taskPlannedFinish", &t.TaskPlannedFinish, &n.TaskPlannedFinish, nil, checkDateCondition),
		entity.Part("taskPlannedStart", &t.TaskPlannedStart, &n.TaskPlannedStart, nil, checkDateCondition),
		entity.Part("taskRemainingDuration", &t.TaskRemainingDuration, &n.TaskRemainingDuration, nil, checkNumberCondition),
		entity.Part("taskRemainingPhysicalQuantity", &t.TaskRemainingPhysicalQuantity, &n.TaskRemainingPhysicalQuantity, nil, checkNumberCondition),
		entity.Part("taskStatus", &t.TaskStatus, &n.TaskStatus, nil, checkStatusCondition),
		entity.Part("taskStatusId", &t.TaskStatusID, &n.TaskStatusID, nil, checkTextCondition),
		entity.Part("taskType", &t.TaskType, &n.TaskType, nil, checkTypeCondition),
		entity.Part("taskUrl", &t.TaskURL, &n.TaskURL, nil, checkTextCondition),
		entity.Part("taskUserDefinedId", &t.TaskUserDefinedID, &n.TaskUserDefinedID, nil, checkTextCondition),
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
	checkWords(c, name, w.Operation, w.Values, resourceUnitTypes)
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
		reflect.TypeFor[UnitCondition]():       schema.Words(resourceUnitTypes),
		reflect.TypeFor[StatusCondition]():     schema.Words(taskStatuses),
		reflect.TypeFor[TypeCondition]():       schema.Words(taskTypes),
	} {
		b.Has(t, schema.Need("operation", schema.Value{}), schema.Need("values", schema.List(1, MaxBatch, each)))
	}
}
