// Package codes keeps the codes of a schedule, their values, and which tasks have which.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	phase, err := codes.In(plan).CreateCode(ctx, codes.NewCode{Name: "Phase"})
//
// MaxText and MaxDepth are limits of package schedules.
package codes

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Feature is what the service of schedules knows of codes.
var Feature = model.Feature{
	Kinds: []entity.Stored{
		model.Keeps(&codeKind, codesInWorld),
		model.Keeps(&codeValueKind, valuesInWorld),
		model.Keeps(&codeValueAssignmentKind, assignmentsInWorld),
	},
	Calls:    func(area model.Area) model.Calls { return callsOf(area) },
	Imported: []model.Imported{Imported.Codes, Imported.Values, Imported.Assignments},
	Schemas:  func(b *schema.Book) { schema.Enum(b, codeCategories) },
}

// Imported are the types of records that the imports of the core write.
var Imported = struct{ Codes, Values, Assignments model.Imported }{
	model.ImportsKind(&codeKind), model.ImportsKind(&codeValueKind), model.Imports(&codeValueAssignmentRecords),
}

// All are the codes of a schedule, for the imports of the core.
func All(tx records.Reading, s records.Scope) iter.Seq2[*Code, error] {
	return codeRecords.From(tx, s, "")
}

// AllValues are the values of all codes of a schedule, for the imports of the core.
func AllValues(tx records.Reading, s records.Scope) iter.Seq2[*CodeValue, error] {
	return codeValueRecords.From(tx, s, "")
}

// Plan is the codes of one schedule.
type Plan struct {
	calls *calls
	id    string
}

// In are the codes of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{model.CallsOf[*calls](plan.Area()), plan.ID()} }

// calls are what a service does with codes, their values and the assignments of these.
type calls struct {
	codes       *model.Family[Code, NewCode, CodePatch]
	values      *model.Family[CodeValue, NewCodeValue, CodeValuePatch]
	assignments *model.Family[CodeValueAssignment, NewCodeValueAssignment, entity.None]
	unassign    model.Change[codeValueRemoval, CodeValueAssignment]
}

// Feature implements model.Calls.
func (*calls) Feature() string { return "codes" }

func callsOf(area model.Area) *calls {
	return &calls{
		codes:       model.FamilyOf(area, &codeKind).ChangedIn(model.V10Only).Accepted(),
		values:      model.FamilyOf(area, &codeValueKind).ChangedIn(model.V10Only).Accepted(),
		assignments: model.CreationsOf(area, &codeValueAssignmentKind).ChangedIn(model.V10Only),
		unassign: model.DefineAtOnce(area, "codeValueAssignment.remove", removeCodeValueAssignment,
			"codeValueAssignments.delete").
			Only(model.V10Only),
	}
}
