package schedules

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas returns what the checks of this area declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	entity.Describe(b, kinds)
	for _, f := range features {
		if f.Schemas != nil {
			f.Schemas(b)
		}
	}
	schema.Enum(b, scheduleTypes)
	schema.Enum(b, taskTypes)
	schema.Enum(b, taskStatuses)
	schema.Enum(b, constraintTypes)
	schema.Enum(b, taskLinkTypes)
	schema.Enum(b, resourceTypes)
	schema.Enum(b, resourceUnitTypes)
	schema.Enum(b, synchronizationTypes)
	schema.Enum(b, syncModes)
	schema.Enum(b, textOperations)
	schema.Enum(b, orderOperations)
	schema.Enum(b, wordOperations)
	schema.Enum(b, dataDateTypes)
	schema.Enum(b, dayTypeKinds)
	schema.Enum(b, recurrenceFrequencies)
	schema.Enum(b, weekdays)
	schema.Enum(b, weekdayPositions)
	describeConditions(b)
	describeCosts(b)
	describeNotes(b)
	describeSplits(b)
	describeProjectNotes(b)
	describeImports(b)
	describeExports(b)
	describeCalendars(b)
	describeProjects(b)
	for _, t := range []reflect.Type{reflect.TypeFor[NewTask](), reflect.TypeFor[TaskPatch](), reflect.TypeFor[Task]()} {
		second := schema.May("secondConstraintType", schema.Words(secondConstraintTypes))
		b.Has(t, schema.May("plannedDuration", schema.AtLeast(0)), second)
	}
	b.Has(reflect.TypeFor[ResourceAssignmentChange](), schema.NeedText("id", MaxText))
	b.Has(reflect.TypeFor[TaskLinkPatch](), schema.NeedText("id", MaxText))
	b.Has(reflect.TypeFor[NewSchedule](), problem.RulesOf(new(NewSchedule).check)...)
	b.Has(reflect.TypeFor[NewClone](), problem.RulesOf(new(NewClone).check)...)
	b.Has(reflect.TypeFor[NewBaseline](), problem.RulesOf(new(NewBaseline).check)...)
}
