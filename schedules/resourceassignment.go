package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ResourceAssignment says that a task uses a resource, how much of it, and how it
// looks meanwhile. A task may use a resource in several ways at once.
type ResourceAssignment struct {
	// ActualCost, PlannedCost and RemainingCost are what the resource costs at the task, as planned,
	// so far, and from now on: 0 to MaxAmount, kept as they are given, and left out where they are
	// 0, as the members are that follow here.
	ActualCost   float64               `json:"actualCost,omitzero"`
	ActualFinish twinplatform.DateTime `json:"actualFinish,omitzero"` // when the resource ended its work
	ActualStart  twinplatform.DateTime `json:"actualStart,omitzero"`  // when it began to work
	// ActualUtilization is what the task has taken so far.
	ActualUtilization ActualUtilization `json:"actualUtilization"`
	// AppearanceProfileID is kept as it is given: the schedule need not have it.
	AppearanceProfileID string `json:"appearanceProfileId"`
	// CostAccount is the name of a value of the code for costs, up to MaxText characters. It need not
	// be there.
	CostAccount string `json:"costAccount,omitzero"`
	// Delay is by how much the resource begins behind the task, in seconds of working time; it is
	// kept as it is given.
	Delay   int32 `json:"delay,omitzero"`
	Deleted bool  `json:"deleted"` // true in deltas alone
	// ExternalID is by what a planner knows the assignment, up to MaxText characters.
	ExternalID  twinplatform.NullString `json:"externalId,omitzero"`
	ID          string                  `json:"id"`                   // unique in the schedule; never changes
	PlannedCost float64                 `json:"plannedCost,omitzero"` // see ActualCost
	// PlannedUtilization is what the task is to take from its beginning to its end.
	PlannedUtilization Utilization `json:"plannedUtilization"`
	RemainingCost      float64     `json:"remainingCost,omitzero"` // see ActualCost
	// RemainingUtilization is what the task is still to take: what is planned
	// without what was taken, unless something else was said.
	RemainingUtilization Utilization `json:"remainingUtilization"`
	ResourceID           string      `json:"resourceId"` // what is used; never changes
	TaskID               string      `json:"taskId"`     // what uses it; never changes
}

// UnchangedAppearance is the appearance profile of the resource assignments that came with
// a planner file, which tells no appearance: the name of the action that changes nothing.
const UnchangedAppearance = model.UnchangedAppearance

// divides reports whether anything but whole units are assigned.
func (a *ResourceAssignment) divides() bool {
	return !a.PlannedUtilization.amounts().whole() || !a.ActualUtilization.whole() || !a.RemainingUtilization.amounts().whole()
}

// Names of the indexes of assignments.
const (
	assignedTask     = model.AssignedTask
	assignedResource = model.AssignedResource
	// dividedResource finds the resources of which parts of units are assigned.
	dividedResource = "divided"
)

var assignmentRecords = records.Collection[ResourceAssignment]{
	Name:        model.Assignments.Name,
	ID:          func(a *ResourceAssignment) string { return a.ID },
	MarkDeleted: func(a *ResourceAssignment) { a.Deleted = true },
	Upgrades:    model.AssignmentUpgrades,
	Indexes: []records.Index[ResourceAssignment]{
		{Name: assignedTask, Value: func(a *ResourceAssignment) string { return a.TaskID }},
		{Name: assignedResource, Value: func(a *ResourceAssignment) string { return a.ResourceID }},
		{Name: dividedResource, Value: func(a *ResourceAssignment) string {
			if !a.divides() {
				return ""
			}
			return a.ResourceID
		}},
	},
}

var assignmentMissing = problem.NotFound("ResourceAssignmentNotFound", "resourceAssignmentId", "resource assignment")

var assignmentKind = entity.Kind[ResourceAssignment, NewResourceAssignment, ResourceAssignmentPatch]{
	Records: &assignmentRecords, One: "resourceAssignment", Many: "resourceAssignments", Batches: true, Noun: "resource assignment",
	Missing: assignmentMissing, Bad: &InvalidRequest,
	Members: func(a *ResourceAssignment, n *NewResourceAssignment, p *ResourceAssignmentPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&a.ID, &n.ID, &p.ID),
			entity.Text("taskId", &a.TaskID, &n.TaskID, &p.TaskID).Max(MaxText).Required(),
			entity.Text("resourceId", &a.ResourceID, &n.ResourceID, &p.ResourceID).Max(MaxText).Required(),
			entity.Text("appearanceProfileId", &a.AppearanceProfileID, &n.AppearanceProfileID, &p.AppearanceProfileID).Max(MaxText).Required(),
			entity.Value("plannedUtilization", &a.PlannedUtilization, &n.PlannedUtilization, &p.PlannedUtilization).Valid(checkUtilization),
			entity.Pointer("remainingUtilization", &a.RemainingUtilization, &n.RemainingUtilization, &p.RemainingUtilization).Valid(checkUtilization),
			entity.Value("actualUtilization", &a.ActualUtilization, &n.ActualUtilization, &p.ActualUtilization).Valid(checkActual),
			entity.Value("plannedCost", &a.PlannedCost, &n.PlannedCost, &p.PlannedCost).Valid(checkAmount, amount),
			entity.Value("actualCost", &a.ActualCost, &n.ActualCost, &p.ActualCost).Valid(checkAmount, amount),
			entity.Value("remainingCost", &a.RemainingCost, &n.RemainingCost, &p.RemainingCost).Valid(checkAmount, amount),
			entity.Text("costAccount", &a.CostAccount, &n.CostAccount, &p.CostAccount).Max(MaxText),
			entity.Text("externalId", &a.ExternalID, &n.ExternalID, &p.ExternalID).Max(MaxText),
			entity.Value("delay", &a.Delay, &n.Delay, &p.Delay),
			entity.Value("actualStart", &a.ActualStart, &n.ActualStart, &p.ActualStart).Valid((*problem.Checks).Date),
			entity.Value("actualFinish", &a.ActualFinish, &n.ActualFinish, &p.ActualFinish).Valid((*problem.Checks).Date),
		}
	},
	AfterCreate: func(a *ResourceAssignment, n *NewResourceAssignment, _ *problem.Checks) {
		if n.RemainingUtilization == nil {
			a.RemainingUtilization = a.PlannedUtilization.after(a.ActualUtilization)
		}
	},
	AfterUpdate: func(a, stored *ResourceAssignment, p *ResourceAssignmentPatch, c *problem.Checks) {
		problem.AsIs(c, "taskId", p.TaskID, stored.TaskID)
		problem.AsIs(c, "resourceId", p.ResourceID, stored.ResourceID)
		a.TaskID, a.ResourceID = stored.TaskID, stored.ResourceID
		_, said := p.RemainingUtilization.Get()
		follows := p.PlannedUtilization.Present() || p.ActualUtilization.Present() || p.RemainingUtilization.Present()
		if !said && follows {
			a.RemainingUtilization = a.PlannedUtilization.after(a.ActualUtilization)
		}
	},
	Validate: assignmentFits,
	AfterInsert: func(u *records.Update, s records.Scope, a *ResourceAssignment) error {
		return followWork(u, s, a.TaskID)
	},
	AfterWrite: func(u *records.Update, s records.Scope, a, _ *ResourceAssignment) error {
		return followWork(u, s, a.TaskID)
	},
	AfterRemove: func(u *records.Update, s records.Scope, a *ResourceAssignment) error {
		return followWork(u, s, a.TaskID)
	},
	Cascade: func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
		return cascade(model.ResourceAssignments, u, s, id, step)
	},
}

// assignmentFits checks that task and resource exist, and that a resource of whole
// units is not divided.
func assignmentFits(tx records.Reading, s records.Scope, a, stored *ResourceAssignment, c *problem.Checks) error {
	if stored == nil {
		if err := model.Names(tx, s, taskRecords.Table(), c, "taskId", "task", a.TaskID); err != nil {
			return err
		}
	}
	r, err := resourceRecords.Lookup(tx, s, a.ResourceID)
	switch {
	case err != nil:
		return err
	case r == nil:
		c.Bad("resourceId", "The schedule has no resource with the id '%s'.", a.ResourceID)
	case r.WholeUnits:
		a.PlannedUtilization.amounts().checkWhole(c, "plannedUtilization")
		a.RemainingUtilization.amounts().checkWhole(c, "remainingUtilization")
		a.ActualUtilization.checkWhole(c, "actualUtilization")
	}
	return nil
}

// assignmentFamily are resource assignments with the calls that there are to them.
type assignmentFamily struct {
	*model.Family[ResourceAssignment, NewResourceAssignment, ResourceAssignmentPatch]
	update model.Change[[]ResourceAssignmentChange, ResourceAssignment]
}

func assignmentsOf(s *Service) assignmentFamily {
	return assignmentFamily{
		Family: model.FamilyOf(s.area(), &assignmentKind).Accepted(),
		update: model.DefineChange(s.area(), "resourceAssignments.update", updateAssignments, "resourceAssignments.updateMany", "resourceAssignments.update"),
	}
}

// removeAssignments deletes the assignments of a task or a resource, as the index
// says, and reports false when the step ended before that.
func removeAssignments(u *records.Update, s records.Scope, index, id string, step *records.Step) (whole bool, err error) {
	return assignmentKind.RemoveFound(u, s, index, id, step)
}

// resourceUsed refuses to delete a resource that a task uses, or that a feature needs.
func resourceUsed(tx records.Reading, s records.Scope, id string) error {
	for assignment := range assignmentRecords.IDs(tx, s, assignedResource, id) {
		a, err := assignmentRecords.Value(tx, s, assignment)
		if err != nil {
			return err
		}
		return problem.Conflict("ResourceInUse", "resourceIds", "The resource '"+id+"' is used by the task '"+a.TaskID+"'.")
	}
	_, err := used(model.Resources, tx, s, id)
	return err
}
