package codes

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// CodeValue is a value of a code. The values of a code lie below one another. They are
// made in v10 schedules only.
type CodeValue struct {
	CodeID string `json:"codeId"` // the code it is a value of; never changes
	// Color has the form #rrggbb, and is null when none was given.
	Color       twinplatform.NullString `json:"color"`
	Deleted     bool                    `json:"deleted"`     // true in deltas alone
	Description string                  `json:"description"` // up to MaxText characters
	ID          string                  `json:"id"`          // unique in the schedule; never changes
	Name        string                  `json:"name"`        // 1 to MaxText characters
	ParentID    twinplatform.NullString `json:"parentId"`    // the value of the code above it; null at the top
}

// codeOf finds the values of a code.
const codeOf = model.ValuesOfCode

var codeValueRecords = records.Collection[CodeValue]{
	Name:        model.CodeValues.Name,
	ID:          func(v *CodeValue) string { return v.ID },
	MarkDeleted: func(v *CodeValue) { v.Deleted = true },
	Indexes: []records.Index[CodeValue]{
		{Name: codeOf, Value: func(v *CodeValue) string { return v.CodeID }},
		{Name: "parent", Value: (*CodeValue).parent},
	},
}

var codeValueMissing = problem.NotFound("CodeValueNotFound", "codeValueId", "code value")

var codeValueKind = entity.Kind[CodeValue, NewCodeValue, CodeValuePatch]{
	Records: &codeValueRecords, One: "codeValue", Many: "codeValues", Resource: "code value",
	Missing: codeValueMissing, Bad: &model.InvalidRequest,
	Members: func(v *CodeValue, n *NewCodeValue, p *CodeValuePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Ref("codeId", &v.CodeID, &n.CodeID, &p.CodeID, &codeRecords).Max(model.MaxText).Required().Owns(),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
			entity.Text("description", &v.Description, &n.Description, &p.Description).Max(model.MaxText),
			entity.Text("color", &v.Color, &n.Color, &p.Color).Valid(model.CheckColor, model.Color),
			entity.Ref("parentId", &v.ParentID, &n.ParentID, &p.ParentID,
				&codeValueRecords).Deep(model.MaxDepth).Owns(),
		}
	},
	AfterUpdate: func(v, stored *CodeValue, p *CodeValuePatch, c *problem.Checks) {
		problem.AsIs(c, "codeId", p.CodeID, stored.CodeID)
		v.CodeID = stored.CodeID
	},
	Validate: codeValueFits,
}

func (v *CodeValue) parent() string { return string(v.ParentID) }

// codeValueFits checks that the value above is one of the same code.
func codeValueFits(tx records.Reading, s records.Scope, v, _ *CodeValue, c *problem.Checks) error {
	if v.ParentID == "" {
		return nil
	}
	above, err := codeValueRecords.Lookup(tx, s, v.parent())
	if err == nil && above != nil && above.CodeID != v.CodeID {
		c.Bad("parentId", "The code value '%s' is one of the code '%s'.", above.ID, above.CodeID)
	}
	return err
}

// CodeValue returns a value of a code. Errors: CodeValueNotFound, also for a schedule that
// is missing or not for the caller to see.
func (p Plan) CodeValue(ctx context.Context, codeValueID string) (twinplatform.Record[CodeValue], error) {
	return p.calls.values.Get(ctx, p.id, codeValueID)
}

// CodeValueQuery selects the code values to list.
type CodeValueQuery struct {
	twinplatform.ListOptions
	// CodeID lists the values of one code.
	CodeID string
}

func (q CodeValueQuery) query(op string) records.Query[CodeValue] {
	query := records.Query[CodeValue]{ListOptions: q.ListOptions, Op: op}
	if q.CodeID != "" {
		query.Index, query.Equals = codeOf, q.CodeID
	}
	return query
}

// CodeValues lists the values of all codes of a schedule by id (GET …/codes/code-values).
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) CodeValues(ctx context.Context, q CodeValueQuery) (twinplatform.Page[CodeValue], error) {
	return p.calls.values.List(ctx, p.id, q.query("codeValues"))
}

// CodeValuesOfCode lists the values of a code by id (GET …/codes/{codeId}/code-values). Of
// the query it takes the options alone.
//
// Errors: CodeNotFound, also for a schedule that is missing or not for the caller to see;
// InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) CodeValuesOfCode(ctx context.Context, codeID string, q CodeValueQuery) (twinplatform.Page[CodeValue],
	error,
) {
	q.CodeID = codeID
	return p.calls.values.ListOf(ctx, p.id, codeMissing, model.Exists(&codeRecords, codeID),
		q.query("codeValuesOfCode"))
}
