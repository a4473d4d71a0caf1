package codes

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// CodeCategory is what the values of a code are given to.
type CodeCategory string

// The code categories.
const (
	ActivityCode      CodeCategory = "Activity" // to tasks
	ResourceCode      CodeCategory = "Resource"
	ResourceGroupCode CodeCategory = "ResourceGroup"
	CostCode          CodeCategory = "Cost" // to what tasks cost; a schedule has one such code
)

var codeCategories = []CodeCategory{ActivityCode, ResourceCode, ResourceGroupCode, CostCode}

// Code is a way to sort what a plan holds, such as the phase of a task: its values are the
// pigeonholes. Codes are made in v10 schedules only.
type Code struct {
	Category CodeCategory `json:"category"` // never changes
	Deleted  bool         `json:"deleted"`  // true in deltas alone
	ID       string       `json:"id"`       // unique in the schedule; never changes
	Name     string       `json:"name"`     // 1 to MaxText characters
}

// ofCategory finds the codes of a category.
const ofCategory = "category"

var codeRecords = records.Collection[Code]{
	Name:        model.Codes.Name,
	ID:          func(v *Code) string { return v.ID },
	MarkDeleted: func(v *Code) { v.Deleted = true },
	Indexes:     []records.Index[Code]{{Name: ofCategory, Value: func(v *Code) string { return string(v.Category) }}},
}

var codeMissing = problem.NotFound("CodeNotFound", "codeId", "code")

var codeKind = entity.Kind[Code, NewCode, CodePatch]{
	Records: &codeRecords, One: "code", Many: "codes", Resource: "code",
	Missing: codeMissing, Bad: &model.InvalidRequest,
	Members: func(v *Code, n *NewCode, p *CodePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
			entity.Enum("category", &v.Category, &n.Category, &p.Category, codeCategories).Required(),
		}
	},
	AfterUpdate: func(v, stored *Code, p *CodePatch, c *problem.Checks) {
		problem.AsIs(c, "category", p.Category, stored.Category)
		v.Category = stored.Category
	},
	Validate: codeFits,
	Needs: func(s records.Scope, v *Code) []records.Need {
		if v.Category != CostCode {
			return nil
		}
		return codeRecords.NeedsIndexed(s, ofCategory, string(CostCode))
	},
}

// codeFits refuses a second cost code.
func codeFits(tx records.Reading, s records.Scope, v, stored *Code, _ *problem.Checks) error {
	if stored != nil || v.Category != CostCode {
		return nil
	}
	for other := range codeRecords.IDs(tx, s, ofCategory, string(CostCode)) {
		if other != v.ID {
			return problem.Conflict("CostCodeExists", "category",
				"The schedule has the cost code '"+other+"', and has one at most.")
		}
	}
	return nil
}

// Code returns a code, without its values. Errors: CodeNotFound, also for a schedule that
// is missing or not for the caller to see.
func (p Plan) Code(ctx context.Context, codeID string) (twinplatform.Record[Code], error) {
	return p.calls.codes.Get(ctx, p.id, codeID)
}

// CodeQuery selects the codes to list.
type CodeQuery struct {
	twinplatform.ListOptions
	// Name lists the codes whose name equals or contains it, in upper or lower case.
	Name string
}

// Codes lists the codes of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Codes(ctx context.Context, q CodeQuery) (twinplatform.Page[Code], error) {
	query := records.Query[Code]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(v *Code) string { return v.Name })
	return p.calls.codes.List(ctx, p.id, query)
}

// NewCode asks for a code. Null and left out are the same in it.
type NewCode struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name and Category are required.
	Name     string                      `json:"name"`
	Category CodeCategory                `json:"category"`
	Deleted  twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateCode makes a code, which has no values yet, as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (name, category) or InvalidValue (id,
// name, category); ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// AlreadyExists; CostCodeExists for a second code of category CostCode.
func (p Plan) CreateCode(ctx context.Context, n NewCode) (twinplatform.Result[Code], error) {
	return p.calls.codes.Create(ctx, p.id, n)
}

// CodePatch changes a code: what is left out stays.
type CodePatch struct {
	model.AsRead

	Name     twinplatform.Optional[string]       `json:"name,omitzero"`     // not empty, up to MaxText characters
	Category twinplatform.Optional[CodeCategory] `json:"category,omitzero"` // may be given as it is
}

// UpdateCode changes a code (PATCH). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (name) or InvalidValue (id, name,
// category); ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// CodeNotFound; VersionMismatch.
func (p Plan) UpdateCode(ctx context.Context, codeID string, patch CodePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Code], error) {
	return p.calls.codes.Update(ctx, p.id, codeID, patch, pre)
}

// DeleteCode deletes a code with its values, which all that had them loses, as a
// long-running operation that goes in steps when they are many. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; CodeNotFound; VersionMismatch.
func (p Plan) DeleteCode(ctx context.Context, codeID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Code], error) {
	return p.calls.codes.Remove(ctx, p.id, []string{codeID}, pre)
}
