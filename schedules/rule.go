package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// Rule is a production rate: with a physical quantity it says how long work takes. Clients
// compute with it; the platform keeps it. Rules are made in v10 schedules only.
type Rule struct {
	Deleted     bool                    `json:"deleted"`     // true in deltas alone
	Description string                  `json:"description"` // up to MaxText characters
	ID          string                  `json:"id"`          // unique in the schedule; never changes
	ParentID    twinplatform.NullString `json:"parentId"`    // the rule above it; null at the top
	// Rate is how much of Unit is done in a day of work. It is finite, and 0 or more.
	Rate float64                `json:"rate"`
	Unit units.ResourceUnitType `json:"unit"` // Unknown when made without one
	// UserDefinedID is unique among the rules of the schedule, unless it is empty.
	UserDefinedID string `json:"userDefinedId"`
}

var ruleRecords = records.Collection[Rule]{
	Name:        "rules",
	ID:          func(v *Rule) string { return v.ID },
	MarkDeleted: func(v *Rule) { v.Deleted = true },
	Indexes: []records.Index[Rule]{
		{Name: "parent", Value: (*Rule).parent},
		{Name: model.UserDefinedID, Value: func(v *Rule) string { return v.UserDefinedID }},
	},
}

var ruleMissing = problem.NotFound("RuleNotFound", "ruleId", "rule")

var ruleKind = entity.Kind[Rule, NewRule, RulePatch]{
	Records: &ruleRecords, One: "rule", Many: "rules", Resource: "rule",
	Missing: ruleMissing, Bad: &InvalidRequest,
	Members: func(v *Rule, n *NewRule, p *RulePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("description", &v.Description, &n.Description, &p.Description).Max(MaxText),
			entity.Ref("parentId", &v.ParentID, &n.ParentID, &p.ParentID, &ruleRecords).Deep(MaxDepth).Owns(),
			entity.Value("rate", &v.Rate, &n.Rate, &p.Rate).Valid(checkRate, schema.AtLeast(0)),
			entity.Enum("unit", &v.Unit, &n.Unit, &p.Unit, units.All()).Default(units.Unknown),
			entity.Text("userDefinedId", &v.UserDefinedID, &n.UserDefinedID,
				&p.UserDefinedID).Max(MaxText).NotRef(model.OwnID),
		}
	},
	Validate: func(tx records.Reading, s records.Scope, v, _ *Rule, c *problem.Checks) error {
		return model.UnusedUserID(tx, s, &ruleRecords, c, "rule", v.UserDefinedID, v.ID)
	},
	Needs: func(s records.Scope, v *Rule) []records.Need {
		return ruleRecords.NeedsIndexed(s, model.UserDefinedID, v.UserDefinedID)
	},
}

func (v *Rule) parent() string { return string(v.ParentID) }

func checkRate(c *problem.Checks, name string, rate float64) {
	c.Finite(name, rate)
	if rate < 0 {
		c.Bad(name, "A rate is 0 or more.")
	}
}

// Rule returns a rule. Errors: RuleNotFound, also for a schedule that is missing or not
// for the caller to see.
func (p Plan) Rule(ctx context.Context, ruleID string) (twinplatform.Record[Rule], error) {
	return familyOf(p.s, &ruleKind).Get(ctx, p.id, ruleID)
}

// RuleQuery selects the rules to list.
type RuleQuery struct {
	twinplatform.ListOptions
}

// Rules lists the rules of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Rules(ctx context.Context, q RuleQuery) (twinplatform.Page[Rule], error) {
	return familyOf(p.s, &ruleKind).List(ctx, p.id, records.Query[Rule]{ListOptions: q.ListOptions})
}

// NewRule asks for a rule. Null and left out are the same in it.
type NewRule struct {
	// ID is chosen by the platform when empty.
	ID          string `json:"id"`
	Description string `json:"description"` // up to MaxText characters
	// ParentID names a rule of the same schedule.
	ParentID      string                      `json:"parentId"`
	Rate          float64                     `json:"rate"`             // finite, 0 or more
	Unit          units.ResourceUnitType      `json:"unit"`             // Unknown when empty
	UserDefinedID string                      `json:"userDefinedId"`    // unique among the rules of the schedule
	Deleted       twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateRule makes a rule. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10 or InvalidValue (id, description, parentId, also for a rule more
// than MaxDepth deep, rate, unit, userDefinedId); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists, also for a
// user-defined id that another rule has.
func (p Plan) CreateRule(ctx context.Context, n NewRule) (twinplatform.Result[Rule], error) {
	return familyOf(p.s, &ruleKind).Create(ctx, p.id, n)
}

// RulePatch changes a rule: what is left out stays.
type RulePatch struct {
	AsRead

	// up to MaxText characters; null clears it
	Description twinplatform.Optional[string] `json:"description,omitzero"`
	// null puts it at the top
	ParentID twinplatform.Optional[string] `json:"parentId,omitzero"`
	// finite, 0 or more; null makes it 0
	Rate twinplatform.Optional[float64]                `json:"rate,omitzero"`
	Unit twinplatform.Optional[units.ResourceUnitType] `json:"unit,omitzero"` // null makes it Unknown
	// up to MaxText characters; null clears it
	UserDefinedID twinplatform.Optional[string] `json:"userDefinedId,omitzero"`
}

// UpdateRule changes a rule (PATCH). It needs PermissionModify.
//
// Errors: as CreateRule, and InvalidValue (parentId) for a rule that would come below
// itself; RuleNotFound; VersionMismatch.
func (p Plan) UpdateRule(ctx context.Context, ruleID string, patch RulePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Rule], error) {
	return familyOf(p.s, &ruleKind).Update(ctx, p.id, ruleID, patch, pre)
}

// DeleteRule deletes a rule with all rules below it, as a long-running operation that goes
// in steps when they are many. Resources keep the ruleId that they were given. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; RuleNotFound; VersionMismatch.
func (p Plan) DeleteRule(ctx context.Context, ruleID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Rule], error) {
	return familyOf(p.s, &ruleKind).Remove(ctx, p.id, []string{ruleID}, pre)
}
