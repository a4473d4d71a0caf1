package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Path is a way through the 3D model, which its keyframes lead along. Paths
// are made in v10 schedules only.
type Path struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	Name    string `json:"name"`    // up to MaxText characters; empty when there is none
}

var pathRecords = records.Collection[Path]{
	Name:        "animation-3d-paths",
	ID:          func(v *Path) string { return v.ID },
	MarkDeleted: func(v *Path) { v.Deleted = true },
}

var pathMissing = problem.NotFound("Animation3dPathNotFound", "animation3dPathId", "3D path")

var pathKind = entity.Kind[Path, NewPath, PathPatch]{
	Records: &pathRecords, One: "animation3dPath", Many: "animation3dPaths", Resource: "3D path",
	Missing: pathMissing, Bad: &model.InvalidRequest,
	Members: func(v *Path, n *NewPath, p *PathPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText),
		}
	},
}

// pathOf finds what is of a path.
const pathOf = "path"

// Path returns a 3D path, without its keyframes. Errors:
// Animation3dPathNotFound, also for a schedule that is missing or not for the caller to
// see.
func (p Plan) Path(ctx context.Context, pathID string) (twinplatform.Record[Path], error) {
	return callsOf(p).paths.Get(ctx, p.id, pathID)
}

// PathQuery selects the 3D paths to list.
type PathQuery struct {
	twinplatform.ListOptions
	// Name lists the paths whose name equals or contains it, in upper or lower case.
	Name string
}

// Paths lists the 3D paths of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Paths(ctx context.Context, q PathQuery) (twinplatform.Page[Path], error) {
	query := records.Query[Path]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(v *Path) string { return v.Name })
	return callsOf(p).paths.List(ctx, p.id, query)
}

// NewPath asks for a 3D path.
type NewPath struct {
	// ID is chosen by the platform when empty.
	ID      string                      `json:"id"`
	Name    string                      `json:"name"`             // up to MaxText characters
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreatePath makes a 3D path, which has no keyframes yet. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10 or InvalidValue (id, name); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreatePath(ctx context.Context, n NewPath) (twinplatform.Result[Path], error) {
	return callsOf(p).paths.Create(ctx, p.id, n)
}

// PathPatch changes a 3D path: what is left out stays.
type PathPatch struct {
	model.AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // up to MaxText characters; null clears it
}

// UpdatePath changes a 3D path (PATCH). It needs PermissionModify.
//
// Errors: as CreatePath without AlreadyExists; Animation3dPathNotFound;
// VersionMismatch.
func (p Plan) UpdatePath(ctx context.Context, pathID string, patch PathPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Path], error) {
	return callsOf(p).paths.Update(ctx, p.id, pathID, patch, pre)
}

// DeletePath deletes a 3D path with its keyframes, as a long-running
// operation that goes in steps when they are many. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; Animation3dPathNotFound; Animation3dPathInUse for one that a
// 3D path assignment names; VersionMismatch.
func (p Plan) DeletePath(ctx context.Context, pathID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Path], error) {
	return callsOf(p).paths.Remove(ctx, p.id, []string{pathID}, pre)
}
