package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// PathAlignment is which point of an object moves along a 3D path.
type PathAlignment string

// The path alignments.
const (
	AlignCenter   PathAlignment = "Center"
	AlignOriginal PathAlignment = "Original" // the object keeps its distance from the path
	AlignCustom   PathAlignment = "Custom"   // the point that Center names
	AlignMinX     PathAlignment = "MinX"     // of the box around the object
	AlignMinY     PathAlignment = "MinY"     // of the box around the object
	AlignMinZ     PathAlignment = "MinZ"     // of the box around the object
	AlignMaxX     PathAlignment = "MaxX"     // of the box around the object
	AlignMaxY     PathAlignment = "MaxY"     // of the box around the object
	AlignMaxZ     PathAlignment = "MaxZ"     // of the box around the object
)

var pathAlignments = []PathAlignment{
	AlignCenter, AlignOriginal, AlignCustom, AlignMinX, AlignMinY, AlignMinZ, AlignMaxX, AlignMaxY, AlignMaxZ,
}

// PathAssignment is how an object moves along a 3D path. Animation bindings name it. Path
// assignments are made in v10 schedules only.
type PathAssignment struct {
	// it has moved as far as the task has come
	AdjustForTaskPercentComplete bool          `json:"adjustForTaskPercentComplete"`
	Alignment                    PathAlignment `json:"alignment"` // Center when made without one
	Center                       *Vector       `json:"center"`    // of the object; null when there is none
	Deleted                      bool          `json:"deleted"`   // true in deltas alone
	ID                           string        `json:"id"`        // unique in the schedule; never changes
	// MotionStart and MotionEnd say how far the task has come when the motion begins and
	// ends, and are null by default. They are 0 to 100 and kept as they are given,
	// whether the client counts in shares or in percent.
	MotionStart               *float64 `json:"motionStart"`
	MotionEnd                 *float64 `json:"motionEnd"`                 // 0 to 100, as MotionStart
	PathID                    string   `json:"pathId"`                    // of a 3D path of the schedule
	PauseDuringNonWorkingTime bool     `json:"pauseDuringNonWorkingTime"` // it moves while people work
	ReverseDirection          bool     `json:"reverseDirection"`          // from the end of the path to its beginning
}

var pathAssignmentRecords = records.Collection[PathAssignment]{
	Name:        "animation-3d-path-assignments",
	ID:          func(v *PathAssignment) string { return v.ID },
	MarkDeleted: func(v *PathAssignment) { v.Deleted = true },
	Indexes: []records.Index[PathAssignment]{{
		Name:  pathOf,
		Value: func(v *PathAssignment) string { return v.PathID },
	}},
}

var pathAssignmentMissing = problem.NotFound("Animation3dPathAssignmentNotFound", "animation3dPathAssignmentId",
	"3D path assignment")

var pathAssignmentKind = entity.Kind[PathAssignment, NewPathAssignment, PathAssignmentPatch]{
	Records: &pathAssignmentRecords, One: "animation3dPathAssignment", Many: "animation3dPathAssignments",
	Resource: "3D path assignment",
	Missing:  pathAssignmentMissing, Bad: &model.InvalidRequest,
	Members: func(v *PathAssignment, n *NewPathAssignment, p *PathAssignmentPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Ref("pathId", &v.PathID, &n.PathID, &p.PathID,
				&pathRecords).Max(model.MaxText).Required().Keeps("named").Owns(),
			entity.Enum("alignment", &v.Alignment, &n.Alignment, &p.Alignment, pathAlignments).Default(AlignCenter),
			entity.Part("center", &v.Center, &n.Center, &p.Center, checkVector),
			entity.Part("motionStart", &v.MotionStart, &n.MotionStart, &p.MotionStart, checkMotion,
				schema.Range(0, 100)),
			entity.Part("motionEnd", &v.MotionEnd, &n.MotionEnd, &p.MotionEnd, checkMotion, schema.Range(0, 100)),
			entity.Value("reverseDirection", &v.ReverseDirection, &n.ReverseDirection, &p.ReverseDirection),
			entity.Value("pauseDuringNonWorkingTime", &v.PauseDuringNonWorkingTime, &n.PauseDuringNonWorkingTime,
				&p.PauseDuringNonWorkingTime),
			entity.Value("adjustForTaskPercentComplete", &v.AdjustForTaskPercentComplete,
				&n.AdjustForTaskPercentComplete, &p.AdjustForTaskPercentComplete),
		}
	},
}

func checkMotion(c *problem.Checks, name string, motion *float64) { c.Within(name, *motion, 0, 100) }

// PathAssignment returns a 3D path assignment. Errors:
// Animation3dPathAssignmentNotFound, also for a schedule that is missing or not for the
// caller to see.
func (p Plan) PathAssignment(ctx context.Context, assignmentID string) (twinplatform.Record[PathAssignment], error) {
	return callsOf(p).pathAssignments.Get(ctx, p.id, assignmentID)
}

// PathAssignmentQuery selects the 3D path assignments to list.
type PathAssignmentQuery struct {
	twinplatform.ListOptions
	// PathID lists the assignments of one path.
	PathID string
}

// PathAssignments lists the 3D path assignments of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) PathAssignments(ctx context.Context, q PathAssignmentQuery) (twinplatform.Page[PathAssignment], error) {
	query := records.Query[PathAssignment]{ListOptions: q.ListOptions}
	if q.PathID != "" {
		query.Index, query.Equals = pathOf, q.PathID
	}
	return callsOf(p).pathAssignments.List(ctx, p.id, query)
}

// NewPathAssignment asks for a 3D path assignment. Null and left out are the
// same in it.
type NewPathAssignment struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// PathID is required and names a path of the schedule.
	PathID      string        `json:"pathId"`
	Alignment   PathAlignment `json:"alignment"`   // Center when empty
	Center      *Vector       `json:"center"`      // finite
	MotionStart *float64      `json:"motionStart"` // 0 to 100
	MotionEnd   *float64      `json:"motionEnd"`   // 0 to 100
	// from the end of the path to its beginning
	ReverseDirection bool `json:"reverseDirection"`
	// it moves while people work
	PauseDuringNonWorkingTime bool `json:"pauseDuringNonWorkingTime"`
	// it has moved as far as the task has come
	AdjustForTaskPercentComplete bool                        `json:"adjustForTaskPercentComplete"`
	Deleted                      twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreatePathAssignment makes a 3D path assignment. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (pathId) or InvalidValue (id, pathId,
// alignment, center.x and the like, motionStart, motionEnd); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreatePathAssignment(ctx context.Context, n NewPathAssignment) (twinplatform.Result[PathAssignment],
	error,
) {
	return callsOf(p).pathAssignments.Create(ctx, p.id, n)
}

// PathAssignmentPatch changes a 3D path assignment: what is left out stays.
type PathAssignmentPatch struct {
	model.AsRead

	// of a 3D path of the schedule
	PathID twinplatform.Optional[string] `json:"pathId,omitzero"`
	// null makes it Center
	Alignment twinplatform.Optional[PathAlignment] `json:"alignment,omitzero"`
	// given whole; null clears it
	Center twinplatform.Optional[Vector] `json:"center,omitzero"`
	// 0 to 100; null clears it
	MotionStart twinplatform.Optional[float64] `json:"motionStart,omitzero"`
	// 0 to 100; null clears it
	MotionEnd twinplatform.Optional[float64] `json:"motionEnd,omitzero"`
	// null makes it false
	ReverseDirection twinplatform.Optional[bool] `json:"reverseDirection,omitzero"`
	// null makes it false
	PauseDuringNonWorkingTime twinplatform.Optional[bool] `json:"pauseDuringNonWorkingTime,omitzero"`
	// null makes it false
	AdjustForTaskPercentComplete twinplatform.Optional[bool] `json:"adjustForTaskPercentComplete,omitzero"`
}

// UpdatePathAssignment changes a 3D path assignment (PATCH). It needs
// PermissionModify.
//
// Errors: as CreatePathAssignment without AlreadyExists;
// Animation3dPathAssignmentNotFound; VersionMismatch.
func (p Plan) UpdatePathAssignment(ctx context.Context, assignmentID string, patch PathAssignmentPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[PathAssignment], error) {
	return callsOf(p).pathAssignments.Update(ctx, p.id, assignmentID, patch, pre)
}

// DeletePathAssignment deletes a 3D path assignment, as a long-running
// operation; its path stays. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; Animation3dPathAssignmentNotFound;
// Animation3dPathAssignmentInUse for one that an animation binding names; VersionMismatch.
func (p Plan) DeletePathAssignment(ctx context.Context, assignmentID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[PathAssignment], error) {
	return callsOf(p).pathAssignments.Remove(ctx, p.id, []string{assignmentID}, pre)
}
