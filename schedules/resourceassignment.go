package schedules

import (
	"context"
	"math"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ResourceAssignment records that a task uses a resource, how much of it, and how it
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
	// PlannedFinish and PlannedStart are when the resource is to end and begin its work, where that
	// is neither when it did nor when its task does. They are kept as they are given, also when the
	// task moves; of an assignment with dates that lie outside of those of its task, an export has
	// those of the task, with a warning.
	PlannedFinish twinplatform.DateTime `json:"plannedFinish,omitzero"`
	PlannedStart  twinplatform.DateTime `json:"plannedStart,omitzero"` // see PlannedFinish
	// PlannedUtilization is what the task is to take from its beginning to its end.
	PlannedUtilization Utilization `json:"plannedUtilization"`
	RemainingCost      float64     `json:"remainingCost,omitzero"` // see ActualCost
	// RemainingUtilization is what the task is still to take: what is planned without
	// what was taken, unless something else was set.
	RemainingUtilization Utilization `json:"remainingUtilization"`
	ResourceID           string      `json:"resourceId"` // what is used; never changes
	TaskID               string      `json:"taskId"`     // what uses it; never changes
}

// divides reports whether anything but whole units are assigned.
func (a *ResourceAssignment) divides() bool {
	return !a.PlannedUtilization.amounts().whole() || !a.ActualUtilization.whole() ||
		!a.RemainingUtilization.amounts().whole()
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
	Records: &assignmentRecords, One: "resourceAssignment", Many: "resourceAssignments", Batches: true,
	Resource: "resource assignment",
	Missing:  assignmentMissing, Bad: &InvalidRequest,
	Members: func(a *ResourceAssignment, n *NewResourceAssignment, p *ResourceAssignmentPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&a.ID, &n.ID, &p.ID),
			entity.Ref("taskId", &a.TaskID, &n.TaskID, &p.TaskID, &taskRecords).Max(MaxText).Required().Owns(),
			entity.Ref("resourceId", &a.ResourceID, &n.ResourceID, &p.ResourceID,
				&resourceRecords).Max(MaxText).Required().
				Keeps("used").For("taskId").Owns(),
			entity.Text("appearanceProfileId", &a.AppearanceProfileID, &n.AppearanceProfileID,
				&p.AppearanceProfileID).Max(MaxText).Required().
				NotRef("it is kept as given: profiles of other programs have names that are no ids here"),
			entity.Value("plannedUtilization", &a.PlannedUtilization, &n.PlannedUtilization,
				&p.PlannedUtilization).Valid(checkUtilization),
			entity.Pointer("remainingUtilization", &a.RemainingUtilization, &n.RemainingUtilization,
				&p.RemainingUtilization).Valid(checkUtilization),
			entity.Value("actualUtilization", &a.ActualUtilization, &n.ActualUtilization,
				&p.ActualUtilization).Valid(checkActual),
			entity.Value("plannedCost", &a.PlannedCost, &n.PlannedCost, &p.PlannedCost).Valid(checkAmount, amount),
			entity.Value("actualCost", &a.ActualCost, &n.ActualCost, &p.ActualCost).Valid(checkAmount, amount),
			entity.Value("remainingCost", &a.RemainingCost, &n.RemainingCost, &p.RemainingCost).Valid(checkAmount,
				amount),
			entity.Text("costAccount", &a.CostAccount, &n.CostAccount, &p.CostAccount).Max(MaxText),
			entity.Text("externalId", &a.ExternalID, &n.ExternalID, &p.ExternalID).Max(MaxText).NotRef(model.ToolsID),
			entity.Value("delay", &a.Delay, &n.Delay, &p.Delay),
			entity.Value("actualStart", &a.ActualStart, &n.ActualStart, &p.ActualStart),
			entity.Value("actualFinish", &a.ActualFinish, &n.ActualFinish, &p.ActualFinish),
			entity.Value("plannedStart", &a.PlannedStart, &n.PlannedStart, &p.PlannedStart),
			entity.Value("plannedFinish", &a.PlannedFinish, &n.PlannedFinish, &p.PlannedFinish),
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
	Needs:    func(s records.Scope, a *ResourceAssignment) []records.Need { return taskRecords.Needs(s, a.TaskID) },
	AfterInsert: func(u *records.Update, s records.Scope, a *ResourceAssignment) error {
		return followWork(u, s, a.TaskID)
	},
	AfterWrite: func(u *records.Update, s records.Scope, a, _ *ResourceAssignment) error {
		return followWork(u, s, a.TaskID)
	},
	AfterRemove: func(u *records.Update, s records.Scope, a *ResourceAssignment) error {
		return followWork(u, s, a.TaskID)
	},
}

// assignmentFits checks that a resource of whole units is not divided.
func assignmentFits(tx records.Reading, s records.Scope, a, _ *ResourceAssignment, c *problem.Checks) error {
	r, err := resourceRecords.Lookup(tx, s, a.ResourceID)
	if err == nil && r != nil && r.WholeUnits {
		a.PlannedUtilization.amounts().checkWhole(c, "plannedUtilization")
		a.RemainingUtilization.amounts().checkWhole(c, "remainingUtilization")
		a.ActualUtilization.checkWhole(c, "actualUtilization")
	}
	return err
}

// assignmentFamily are resource assignments with the calls that there are to them.
type assignmentFamily struct {
	*model.Family[ResourceAssignment, NewResourceAssignment, ResourceAssignmentPatch]
	update model.Change[[]ResourceAssignmentChange, ResourceAssignment]
}

func assignmentsOf(s *Service) assignmentFamily {
	return assignmentFamily{
		Family: model.FamilyOf(s.area(), &assignmentKind).Accepted(),
		update: model.DefineChange(s.area(), "resourceAssignments.update", updateAssignments,
			"resourceAssignments.updateMany", "resourceAssignments.update"),
	}
}

// NewResourceAssignment asks for a resource assignment. Null and left out are the
// same in it.
type NewResourceAssignment struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// TaskID and ResourceID are required and name a task and a resource of the
	// schedule.
	TaskID     string `json:"taskId"`
	ResourceID string `json:"resourceId"`
	// AppearanceProfileID is required. It is kept as it is given.
	AppearanceProfileID string `json:"appearanceProfileId"`
	// PlannedUtilization is 0 throughout when left out.
	PlannedUtilization Utilization `json:"plannedUtilization"`
	// RemainingUtilization is, when nil, PlannedUtilization without the units of
	// ActualUtilization.
	RemainingUtilization *Utilization                `json:"remainingUtilization"`
	ActualUtilization    ActualUtilization           `json:"actualUtilization"`      // 0 throughout when left out
	Deleted              twinplatform.Optional[bool] `json:"deleted,omitzero"`       // nothing is made deleted
	PlannedCost          float64                     `json:"plannedCost,omitzero"`   // 0 to MaxAmount
	ActualCost           float64                     `json:"actualCost,omitzero"`    // 0 to MaxAmount
	RemainingCost        float64                     `json:"remainingCost,omitzero"` // 0 to MaxAmount
	CostAccount          string                      `json:"costAccount,omitzero"`   // up to MaxText characters
	ExternalID           string                      `json:"externalId,omitzero"`    // up to MaxText characters
	Delay                int32                       `json:"delay,omitzero"`         // in seconds of working time
	ActualStart          twinplatform.DateTime       `json:"actualStart,omitzero"`   // when it began to work
	ActualFinish         twinplatform.DateTime       `json:"actualFinish,omitzero"`  // when it ended its work
	// when it is to begin, if not with its task
	PlannedStart  twinplatform.DateTime `json:"plannedStart,omitzero"`
	PlannedFinish twinplatform.DateTime `json:"plannedFinish,omitzero"` // when it is to end, if not with its task
}

// CreateResourceAssignment lets a task use a resource (POST
// …/tasks/resource-assignments), as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (taskId, resourceId,
// appearanceProfileId) or InvalidValue (the same, id, and the numbers of a
// utilization, such as plannedUtilization.resourceUnits, which are 0 or more and
// whole for a resource of whole units); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateResourceAssignment(ctx context.Context,
	n NewResourceAssignment,
) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Create(ctx, p.id, n)
}

// CreateResourceAssignments makes up to 1,000 resource assignments, all or none
// (POST …/tasks/resource-assignments/batch).
//
// Errors: as CreateResourceAssignment, with targets such as batch[3].taskId.
func (p Plan) CreateResourceAssignments(ctx context.Context,
	batch []NewResourceAssignment,
) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.CreateMany(ctx, p.id, batch)
}

// ResourceAssignment returns a resource assignment. Errors:
// ResourceAssignmentNotFound, also for a schedule that is missing or not for the
// caller to see.
func (p Plan) ResourceAssignment(ctx context.Context, assignmentID string) (twinplatform.Record[ResourceAssignment],
	error,
) {
	return familiesOf(p.s).assignments.Get(ctx, p.id, assignmentID)
}

// ResourceAssignmentQuery selects the resource assignments to list.
type ResourceAssignmentQuery struct {
	twinplatform.ListOptions
	// TaskID lists what one task uses.
	TaskID string
	// ResourceID lists where one resource is used.
	ResourceID string
}

func (q ResourceAssignmentQuery) query(op string) records.Query[ResourceAssignment] {
	query := records.Query[ResourceAssignment]{ListOptions: q.ListOptions, Op: op}
	query.In(assignedTask, q.TaskID)
	query.In(assignedResource, q.ResourceID)
	if q.TaskID != "" && q.ResourceID != "" {
		model.Narrow(&query, "resourceId", q.ResourceID,
			func(a *ResourceAssignment) bool { return a.ResourceID == q.ResourceID })
	}
	return query
}

// ResourceAssignments lists the resource assignments of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceAssignments(ctx context.Context,
	q ResourceAssignmentQuery,
) (twinplatform.Page[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.List(ctx, p.id, q.query("resourceAssignments"))
}

// ResourceAssignmentsOfTask lists what a task uses, by the id of the assignment.
// Of the query it takes the options and ResourceID.
//
// Errors: TaskNotFound, also for a schedule that is missing or not for the caller
// to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) ResourceAssignmentsOfTask(ctx context.Context, taskID string,
	q ResourceAssignmentQuery,
) (twinplatform.Page[ResourceAssignment], error) {
	q.TaskID = taskID
	return familiesOf(p.s).assignments.ListOf(ctx, p.id, taskMissing, model.Exists(&taskRecords, taskID),
		q.query("resourceAssignmentsOfTask"))
}

// ResourceAssignmentsOfResource lists where a resource is used, by the id of the
// assignment. Of the query it takes the options and TaskID.
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidValue (top, continuation,
// delta).
func (p Plan) ResourceAssignmentsOfResource(ctx context.Context, resourceID string,
	q ResourceAssignmentQuery,
) (twinplatform.Page[ResourceAssignment], error) {
	q.ResourceID = resourceID
	return familiesOf(p.s).assignments.ListOf(ctx, p.id, resourceMissing, model.Exists(&resourceRecords, resourceID),
		q.query("resourceAssignmentsOfResource"))
}

// DeleteResourceAssignments deletes up to 1,000 resource assignments as a
// long-running operation, with the animation bindings that name them; tasks and
// resources stay. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceAssignmentIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceAssignmentNotFound, and then nothing is deleted;
// VersionMismatch.
func (p Plan) DeleteResourceAssignments(ctx context.Context, assignmentIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Remove(ctx, p.id, assignmentIDs, pre)
}

// ResourceAssignmentPatch changes a resource assignment: what is left out stays.
type ResourceAssignmentPatch struct {
	AsRead
	ResourceAssignmentFields
}

// ResourceAssignmentChange is the patch of one of several resource assignments.
type ResourceAssignmentChange struct {
	// ID is required.
	ID      string                      `json:"id"`
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // false
	ResourceAssignmentFields
}

func (n *ResourceAssignmentChange) patch() ResourceAssignmentPatch {
	return ResourceAssignmentPatch{
		AsRead:                   AsRead{Deleted: n.Deleted},
		ResourceAssignmentFields: n.ResourceAssignmentFields,
	}
}

// ResourceAssignmentFields are the members of a resource assignment that can be
// changed, and those that may be given as they are.
type ResourceAssignmentFields struct {
	// not empty, up to MaxText characters
	AppearanceProfileID twinplatform.Optional[string] `json:"appearanceProfileId,omitzero"`
	// A utilization is given whole; null makes it 0 throughout.
	PlannedUtilization twinplatform.Optional[Utilization] `json:"plannedUtilization,omitzero"`
	// RemainingUtilization, when it is null, or left out while one of the others is
	// given, is PlannedUtilization without the units of ActualUtilization.
	RemainingUtilization twinplatform.Optional[Utilization] `json:"remainingUtilization,omitzero"`
	// null makes it 0 throughout
	ActualUtilization twinplatform.Optional[ActualUtilization] `json:"actualUtilization,omitzero"`
	// Costs are from 0 to MaxAmount; null makes them 0.
	PlannedCost   twinplatform.Optional[float64] `json:"plannedCost,omitzero"`
	ActualCost    twinplatform.Optional[float64] `json:"actualCost,omitzero"`
	RemainingCost twinplatform.Optional[float64] `json:"remainingCost,omitzero"`
	// up to MaxText characters; null clears it
	CostAccount twinplatform.Optional[string] `json:"costAccount,omitzero"`
	// up to MaxText characters; null clears it
	ExternalID twinplatform.Optional[string] `json:"externalId,omitzero"`
	// in seconds of working time; null makes it 0
	Delay        twinplatform.Optional[int32]                 `json:"delay,omitzero"`
	ActualStart  twinplatform.Optional[twinplatform.DateTime] `json:"actualStart,omitzero"`  // null clears it
	ActualFinish twinplatform.Optional[twinplatform.DateTime] `json:"actualFinish,omitzero"` // null clears it
	// null makes it that of the task
	PlannedStart twinplatform.Optional[twinplatform.DateTime] `json:"plannedStart,omitzero"`
	// null makes it that of the task
	PlannedFinish twinplatform.Optional[twinplatform.DateTime] `json:"plannedFinish,omitzero"`
	ResourceID    twinplatform.Optional[string]                `json:"resourceId,omitzero"` // may be given as it is
	TaskID        twinplatform.Optional[string]                `json:"taskId,omitzero"`     // may be given as it is
}

// UpdateResourceAssignment changes a resource assignment (PATCH). It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty
// (appearanceProfileId) or InvalidValue (appearanceProfileId, taskId, resourceId
// and the numbers of a utilization); ScheduleNotFound; ResourceAssignmentNotFound;
// InsufficientPermissions; ScheduleNotInitialized; VersionMismatch.
func (p Plan) UpdateResourceAssignment(ctx context.Context, assignmentID string, patch ResourceAssignmentPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Family.Update(ctx, p.id, assignmentID, patch, pre)
}

// UpdateResourceAssignments changes up to 1,000 resource assignments, all or none
// (PATCH …/tasks/resource-assignments). It needs PermissionModify.
//
// Errors: as UpdateResourceAssignment, with targets such as resourceAssignments[3].id,
// which is required.
func (p Plan) UpdateResourceAssignments(ctx context.Context, changes []ResourceAssignmentChange,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceAssignment], error) {
	if err := model.CheckBatch("resourceAssignments", len(changes)); err != nil {
		return twinplatform.Result[ResourceAssignment]{}, err
	}
	var c problem.Checks
	ids := make([]string, len(changes))
	for i, n := range changes {
		c.At("resourceAssignments", i)
		c.Need("id", n.ID, MaxText)
		patch := n.patch()
		assignmentKind.CheckPatch(n.ID, &patch, &c)
		ids[i] = n.ID
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[ResourceAssignment]{}, err
	}
	return familiesOf(p.s).assignments.update.Start(ctx, p.id, model.Direct, ids, changes, pre...)
}

func updateAssignments(u *records.Update, e *model.Edit[[]ResourceAssignmentChange, ResourceAssignment]) error {
	if err := records.Large(u, len(e.Request)); err != nil {
		return err
	}
	for _, n := range e.Request { // before the first is written: an assignment may be named twice
		if err := assignmentRecords.Check(u, e.Scope, n.ID, e.Condition); err != nil {
			return assignmentMissing.Named(assignmentKind.Resource, n.ID).Or(err)
		}
	}
	for i, n := range e.Request {
		var c problem.Checks
		c.At("resourceAssignments", i)
		patch := n.patch()
		rec, err := assignmentKind.ModifyEach(u, e.Scope, n.ID, &patch, &c)
		if err != nil {
			return err
		}
		e.Wrote(rec)
	}
	return nil
}

// Utilization is how much of a resource a task takes. Every number is 0 or more,
// and kept as it is given: none follows from the others.
type Utilization struct {
	// PercentOfOneResourceUnitPerDay is in percent of what a single resource does
	// in a day: 50 is half of its day.
	PercentOfOneResourceUnitPerDay float64 `json:"percentOfOneResourceUnitPerDay"`
	// PercentOfTotalResourceUnitsPerDay is in percent of what all ResourceCount of
	// them do in a day.
	PercentOfTotalResourceUnitsPerDay float64 `json:"percentOfTotalResourceUnitsPerDay"`
	// ResourceCount is how many such resources the task takes at once. It is a
	// whole number for a resource of whole units.
	ResourceCount float64 `json:"resourceCount"`
	// ResourceUnits is what the whole task takes, in the unit type of the resource
	// where that has one. It is a whole number for a resource of whole units.
	ResourceUnits float64 `json:"resourceUnits"`
	// ResourceUnitsPerDay is what the task takes in a day, in the unit of
	// ResourceUnits.
	ResourceUnitsPerDay float64 `json:"resourceUnitsPerDay"`
}

// ActualUtilization is how much of a resource a task has taken so far.
type ActualUtilization struct {
	// ResourceCount is how many such resources the task has taken at once, 0 or
	// more; a whole number for a resource of whole units.
	ResourceCount float64 `json:"resourceCount"`
	// ResourceUnits is what the task has taken, 0 or more, in the unit type of the
	// resource where that has one; a whole number for a resource of whole units.
	ResourceUnits float64 `json:"resourceUnits"`
}

// checkUtilization checks what does not need the resource of a utilization.
func checkUtilization(c *problem.Checks, name string, u Utilization) {
	c.Quantity(name+".percentOfOneResourceUnitPerDay", u.PercentOfOneResourceUnitPerDay)
	c.Quantity(name+".percentOfTotalResourceUnitsPerDay", u.PercentOfTotalResourceUnitsPerDay)
	c.Quantity(name+".resourceUnitsPerDay", u.ResourceUnitsPerDay)
	checkActual(c, name, u.amounts())
}

func checkActual(c *problem.Checks, name string, u ActualUtilization) {
	c.Quantity(name+".resourceCount", u.ResourceCount)
	c.Quantity(name+".resourceUnits", u.ResourceUnits)
}

// amounts are the numbers that a resource of whole units does not divide.
func (u Utilization) amounts() ActualUtilization {
	return ActualUtilization{ResourceCount: u.ResourceCount, ResourceUnits: u.ResourceUnits}
}

// after is what is left of a planned utilization once so much of it was taken.
func (u Utilization) after(taken ActualUtilization) Utilization {
	u.ResourceUnits = max(u.ResourceUnits-taken.ResourceUnits, 0)
	return u
}

// checkWhole refuses to divide what is not to be divided.
func (u ActualUtilization) checkWhole(c *problem.Checks, name string) {
	if u.ResourceCount != math.Trunc(u.ResourceCount) {
		c.Bad(name+".resourceCount", "The resource is not divided: its count is a whole number.")
	}
	if u.ResourceUnits != math.Trunc(u.ResourceUnits) {
		c.Bad(name+".resourceUnits", "The resource is not divided: its units are a whole number.")
	}
}

func (u ActualUtilization) whole() bool {
	return u.ResourceCount == math.Trunc(u.ResourceCount) && u.ResourceUnits == math.Trunc(u.ResourceUnits)
}
