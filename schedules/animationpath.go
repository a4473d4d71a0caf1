package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Animation3DPath is a way through the 3D model, which its keyframes lead along. Paths
// are made in v10 schedules only.
type Animation3DPath struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	Name    string `json:"name"`    // up to MaxText characters; empty when there is none
}

var pathRecords = records.Collection[Animation3DPath]{
	Name:        "animation-3d-paths",
	ID:          func(v *Animation3DPath) string { return v.ID },
	MarkDeleted: func(v *Animation3DPath) { v.Deleted = true },
}

var pathMissing = problem.NotFound("Animation3dPathNotFound", "animation3dPathId", "3D path")

var pathKind = entity.Kind[Animation3DPath, NewAnimation3DPath, Animation3DPathPatch]{
	Records: &pathRecords, One: "animation3dPath", Many: "animation3dPaths", Noun: "3D path",
	Missing: pathMissing, Bad: &InvalidRequest,
	Members: func(v *Animation3DPath, n *NewAnimation3DPath, p *Animation3DPathPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(MaxText),
		}
	},
	Used: pathUsed,
	Cascade: func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
		if whole, err := pathAssignmentKind.RemoveFound(u, s, pathOf, id, step); !whole || err != nil {
			return false, err
		}
		return keyframeKind.RemoveFound(u, s, pathOf, id, step)
	},
}

// pathOf finds what is of a path.
const pathOf = "path"

// pathUsed refuses to delete a path that an assignment names.
func pathUsed(tx records.Reading, s records.Scope, id string) error {
	for assignment := range pathAssignmentRecords.IDs(tx, s, pathOf, id) {
		return problem.Conflict("Animation3dPathInUse", pathMissing.Target, "The 3D path '"+id+"' is named by the 3D path assignment '"+assignment+"'.")
	}
	return nil
}

// Animation3DPath returns a 3D path, without its keyframes. Errors:
// Animation3dPathNotFound, also for a schedule that is missing or not for the caller to
// see.
func (p Plan) Animation3DPath(ctx context.Context, pathID string) (twinplatform.Record[Animation3DPath], error) {
	return callsOf(p.s).paths.Get(ctx, p.id, pathID)
}

// Animation3DPathQuery says which 3D paths to list.
type Animation3DPathQuery struct {
	twinplatform.ListOptions
	// Name lists the paths whose name equals or contains it, in upper or lower case.
	Name string
}

// Animation3DPaths lists the 3D paths of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Animation3DPaths(ctx context.Context, q Animation3DPathQuery) (twinplatform.Page[Animation3DPath], error) {
	query := records.Query[Animation3DPath]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(v *Animation3DPath) string { return v.Name })
	return callsOf(p.s).paths.List(ctx, p.id, query)
}

// NewAnimation3DPath asks for a 3D path.
type NewAnimation3DPath struct {
	// ID is chosen by the platform when empty.
	ID      string                      `json:"id"`
	Name    string                      `json:"name"`             // up to MaxText characters
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateAnimation3DPath makes a 3D path, which has no keyframes yet. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10 or InvalidValue (id, name); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateAnimation3DPath(ctx context.Context, n NewAnimation3DPath) (twinplatform.Result[Animation3DPath], error) {
	return callsOf(p.s).paths.Create(ctx, p.id, n)
}

// Animation3DPathPatch changes a 3D path: what is left out stays.
type Animation3DPathPatch struct {
	AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // up to MaxText characters; null clears it
}

// UpdateAnimation3DPath changes a 3D path (PATCH). It needs PermissionModify.
//
// Errors: as CreateAnimation3DPath without AlreadyExists; Animation3dPathNotFound;
// VersionMismatch.
func (p Plan) UpdateAnimation3DPath(ctx context.Context, pathID string, patch Animation3DPathPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DPath], error) {
	return callsOf(p.s).paths.Update(ctx, p.id, pathID, patch, pre)
}

// DeleteAnimation3DPath deletes a 3D path with its keyframes, as a long-running
// operation that goes in steps when they are many. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; Animation3dPathNotFound; Animation3dPathInUse for one that a
// 3D path assignment names; VersionMismatch.
func (p Plan) DeleteAnimation3DPath(ctx context.Context, pathID string, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DPath], error) {
	return callsOf(p.s).paths.Remove(ctx, p.id, []string{pathID}, pre)
}
