package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Animation3DTransform is where animation puts an object, and how it turns and scales
// it. Transforms are made in v10 schedules only.
type Animation3DTransform struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// Transform are the 16 numbers of a 4×4 matrix, kept in the order in which they are
	// given. They are finite.
	Transform []float64 `json:"transform"`
}

// transformSize is how many numbers a transform has.
const transformSize = 16

var transformRecords = records.Collection[Animation3DTransform]{
	Name:        "animation-3d-transforms",
	ID:          func(v *Animation3DTransform) string { return v.ID },
	MarkDeleted: func(v *Animation3DTransform) { v.Deleted = true },
}

var transformMissing = problem.NotFound("Animation3dTransformNotFound", "animation3dTransformId", "3D transform")

var transformKind = entity.Kind[Animation3DTransform, NewAnimation3DTransform, Animation3DTransformPatch]{
	Records: &transformRecords, One: "animation3dTransform", Many: "animation3dTransforms", Noun: "3D transform",
	Missing: transformMissing, Bad: &InvalidRequest,
	Members: func(v *Animation3DTransform, n *NewAnimation3DTransform, p *Animation3DTransformPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Value("transform", &v.Transform, &n.Transform, &p.Transform).
				Blank(func(t []float64) bool { return len(t) == 0 }).Required().
				Valid(checkTransform, schema.List(transformSize, transformSize, schema.Value{})),
		}
	},
	Used: notBound(boundTransform, "Animation3dTransformInUse", "animation3dTransformId", "3D transform"),
}

func checkTransform(c *problem.Checks, name string, transform []float64) {
	if len(transform) != transformSize {
		c.Bad(name, "A transform has %d numbers.", transformSize)
	}
	for _, v := range transform {
		c.Finite(name, v)
	}
}

// Animation3DTransform returns a 3D transform. Errors: Animation3dTransformNotFound,
// also for a schedule that is missing or not for the caller to see.
func (p Plan) Animation3DTransform(ctx context.Context, transformID string) (twinplatform.Record[Animation3DTransform], error) {
	return callsOf(p.s).transforms.Get(ctx, p.id, transformID)
}

// Animation3DTransformQuery says which 3D transforms to list.
type Animation3DTransformQuery struct {
	twinplatform.ListOptions
}

// Animation3DTransforms lists the 3D transforms of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Animation3DTransforms(ctx context.Context, q Animation3DTransformQuery) (twinplatform.Page[Animation3DTransform], error) {
	return callsOf(p.s).transforms.List(ctx, p.id, records.Query[Animation3DTransform]{ListOptions: q.ListOptions})
}

// NewAnimation3DTransform asks for a 3D transform.
type NewAnimation3DTransform struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Transform is required: 16 finite numbers.
	Transform []float64                   `json:"transform"`
	Deleted   twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateAnimation3DTransform makes a 3D transform. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (transform) or InvalidValue (id,
// transform); ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// AlreadyExists.
func (p Plan) CreateAnimation3DTransform(ctx context.Context, n NewAnimation3DTransform) (twinplatform.Result[Animation3DTransform], error) {
	return callsOf(p.s).transforms.Create(ctx, p.id, n)
}

// CreateAnimation3DTransforms makes up to 1,000 3D transforms, all or none (POST
// …/animation-3d-transforms/batch).
//
// Errors: as CreateAnimation3DTransform, with targets such as batch[3].transform.
func (p Plan) CreateAnimation3DTransforms(ctx context.Context, batch []NewAnimation3DTransform) (twinplatform.Result[Animation3DTransform], error) {
	return callsOf(p.s).transforms.CreateMany(ctx, p.id, batch)
}

// Animation3DTransformPatch changes a 3D transform: what is left out stays.
type Animation3DTransformPatch struct {
	AsRead

	// Transform is given whole.
	Transform twinplatform.Optional[[]float64] `json:"transform,omitzero"`
}

// UpdateAnimation3DTransform changes a 3D transform (PATCH). It needs PermissionModify.
//
// Errors: as CreateAnimation3DTransform without AlreadyExists;
// Animation3dTransformNotFound; VersionMismatch.
func (p Plan) UpdateAnimation3DTransform(ctx context.Context, transformID string, patch Animation3DTransformPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DTransform], error) {
	return callsOf(p.s).transforms.Update(ctx, p.id, transformID, patch, pre)
}

// DeleteAnimation3DTransform deletes a 3D transform, as a long-running operation. It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; Animation3dTransformNotFound; Animation3dTransformInUse for
// one that an animation binding names; VersionMismatch.
func (p Plan) DeleteAnimation3DTransform(ctx context.Context, transformID string, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DTransform], error) {
	return callsOf(p.s).transforms.Remove(ctx, p.id, []string{transformID}, pre)
}
