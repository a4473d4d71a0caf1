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

// Transform is where animation puts an object, and how it turns and scales
// it. Transforms are made in v10 schedules only.
type Transform struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// Transform are the 16 numbers of a 4×4 matrix, kept in the order in which they are
	// given. They are finite.
	Transform []float64 `json:"transform"`
}

// transformSize is how many numbers a transform has.
const transformSize = 16

var transformRecords = records.Collection[Transform]{
	Name:        "animation-3d-transforms",
	ID:          func(v *Transform) string { return v.ID },
	MarkDeleted: func(v *Transform) { v.Deleted = true },
}

var transformMissing = problem.NotFound("Animation3dTransformNotFound", "animation3dTransformId", "3D transform")

var transformKind = entity.Kind[Transform, NewTransform, TransformPatch]{
	Records: &transformRecords, One: "animation3dTransform", Many: "animation3dTransforms", Resource: "3D transform",
	Missing: transformMissing, Bad: &model.InvalidRequest,
	Members: func(v *Transform, n *NewTransform, p *TransformPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Value("transform", &v.Transform, &n.Transform, &p.Transform).
				Blank(func(t []float64) bool { return len(t) == 0 }).Required().
				Valid(checkTransform, schema.List(transformSize, transformSize, schema.Value{})),
		}
	},
}

func checkTransform(c *problem.Checks, name string, transform []float64) {
	if len(transform) != transformSize {
		c.Bad(name, "A transform has %d numbers.", transformSize)
	}
	for _, v := range transform {
		c.Finite(name, v)
	}
}

// Transform returns a 3D transform. Errors: Animation3dTransformNotFound,
// also for a schedule that is missing or not for the caller to see.
func (p Plan) Transform(ctx context.Context, transformID string) (twinplatform.Record[Transform], error) {
	return callsOf(p).transforms.Get(ctx, p.id, transformID)
}

// TransformQuery selects the 3D transforms to list.
type TransformQuery struct {
	twinplatform.ListOptions
}

// Transforms lists the 3D transforms of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Transforms(ctx context.Context, q TransformQuery) (twinplatform.Page[Transform], error) {
	return callsOf(p).transforms.List(ctx, p.id, records.Query[Transform]{ListOptions: q.ListOptions})
}

// NewTransform asks for a 3D transform.
type NewTransform struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Transform is required: 16 finite numbers.
	Transform []float64                   `json:"transform"`
	Deleted   twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateTransform makes a 3D transform. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (transform) or InvalidValue (id,
// transform); ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// AlreadyExists.
func (p Plan) CreateTransform(ctx context.Context, n NewTransform) (twinplatform.Result[Transform], error) {
	return callsOf(p).transforms.Create(ctx, p.id, n)
}

// CreateTransforms makes up to 1,000 3D transforms, all or none (POST
// …/animation-3d-transforms/batch).
//
// Errors: as CreateTransform, with targets such as batch[3].transform.
func (p Plan) CreateTransforms(ctx context.Context, batch []NewTransform) (twinplatform.Result[Transform], error) {
	return callsOf(p).transforms.CreateMany(ctx, p.id, batch)
}

// TransformPatch changes a 3D transform: what is left out stays.
type TransformPatch struct {
	model.AsRead

	// Transform is given whole.
	Transform twinplatform.Optional[[]float64] `json:"transform,omitzero"`
}

// UpdateTransform changes a 3D transform (PATCH). It needs PermissionModify.
//
// Errors: as CreateTransform without AlreadyExists;
// Animation3dTransformNotFound; VersionMismatch.
func (p Plan) UpdateTransform(ctx context.Context, transformID string, patch TransformPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Transform], error) {
	return callsOf(p).transforms.Update(ctx, p.id, transformID, patch, pre)
}

// DeleteTransform deletes a 3D transform, as a long-running operation. It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; Animation3dTransformNotFound; Animation3dTransformInUse for
// one that an animation binding names; VersionMismatch.
func (p Plan) DeleteTransform(ctx context.Context, transformID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Transform], error) {
	return callsOf(p).transforms.Remove(ctx, p.id, []string{transformID}, pre)
}
