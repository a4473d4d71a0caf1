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

// Keyframe is where an object on a 3D path is at a time, and how it is turned. Between
// two keyframes at one time the object jumps. Keyframes are made in v10 schedules only.
type Keyframe struct {
	Deleted  bool      `json:"deleted"`  // true in deltas alone
	ID       string    `json:"id"`       // unique in the schedule; never changes
	PathID   string    `json:"pathId"`   // the path that it is on; never changes
	Position *Vector   `json:"position"` // null when there is none
	Rotation *Rotation `json:"rotation"` // null when there is none
	// Time is 0 at the beginning of the motion and 1 at its end.
	Time float64 `json:"time"`
}

// Rotation turns an object by an angle about an axis. Its numbers are finite.
type Rotation struct {
	Angle float64 `json:"angle"` // finite; kept as it is given
	X     float64 `json:"x"`     // of the axis; finite
	Y     float64 `json:"y"`     // of the axis; finite
	Z     float64 `json:"z"`     // of the axis; finite
}

func checkRotation(c *problem.Checks, name string, r *Rotation) {
	c.Finite(name+".angle", r.Angle)
	(&Vector{r.X, r.Y, r.Z}).check(c, name)
}

func checkVector(c *problem.Checks, name string, v *Vector) { v.check(c, name) }

var keyframeRecords = records.Collection[Keyframe]{
	Name:        "animation-3d-keyframes",
	ID:          func(k *Keyframe) string { return k.ID },
	MarkDeleted: func(k *Keyframe) { k.Deleted = true },
	Indexes: []records.Index[Keyframe]{
		{Name: pathOf, Value: func(k *Keyframe) string { return k.PathID }},
	},
}

var keyframeMissing = problem.NotFound("KeyframeNotFound", "keyframeId", "keyframe")

var keyframeKind = entity.Kind[Keyframe, NewKeyframe, KeyframePatch]{
	Records: &keyframeRecords, One: "keyframe", Many: "keyframes", Resource: "keyframe",
	Missing: keyframeMissing, Bad: &model.InvalidRequest,
	Members: func(k *Keyframe, n *NewKeyframe, p *KeyframePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&k.ID, &n.ID, &p.ID),
			entity.Ref("pathId", &k.PathID, &n.PathID, &p.PathID, &pathRecords).Max(model.MaxText).Required().Owns(),
			entity.Value("time", &k.Time, &n.Time, &p.Time).Valid(checkShare, schema.Range(0, 1)),
			entity.Part("position", &k.Position, &n.Position, &p.Position, checkVector),
			entity.Part("rotation", &k.Rotation, &n.Rotation, &p.Rotation, checkRotation),
		}
	},
	AfterUpdate: func(k, stored *Keyframe, p *KeyframePatch, c *problem.Checks) {
		problem.AsIs(c, "pathId", p.PathID, stored.PathID)
		k.PathID = stored.PathID
	},
}

func checkShare(c *problem.Checks, name string, share float64) { c.Within(name, share, 0, 1) }

// Keyframe returns a keyframe of a 3D path. Errors: KeyframeNotFound, also for a schedule
// that is missing or not for the caller to see.
func (p Plan) Keyframe(ctx context.Context, keyframeID string) (twinplatform.Record[Keyframe], error) {
	return callsOf(p).keyframes.Get(ctx, p.id, keyframeID)
}

// KeyframeQuery selects the keyframes to list.
type KeyframeQuery struct {
	twinplatform.ListOptions
	// PathID lists the keyframes of one path.
	PathID string
}

func (q KeyframeQuery) query(op string) records.Query[Keyframe] {
	query := records.Query[Keyframe]{ListOptions: q.ListOptions, Op: op}
	if q.PathID != "" {
		query.Index, query.Equals = pathOf, q.PathID
	}
	return query
}

// Keyframes lists the keyframes of all 3D paths of a schedule by id (GET
// …/animation-3d-paths/keyframes).
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Keyframes(ctx context.Context, q KeyframeQuery) (twinplatform.Page[Keyframe], error) {
	return callsOf(p).keyframes.List(ctx, p.id, q.query("keyframes"))
}

// KeyframesOfPath lists the keyframes of a 3D path by id (GET
// …/animation-3d-paths/{animation3dPathId}/keyframes). Of the query it takes the options
// alone.
//
// Errors: Animation3dPathNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) KeyframesOfPath(ctx context.Context, pathID string, q KeyframeQuery) (twinplatform.Page[Keyframe],
	error,
) {
	q.PathID = pathID
	return callsOf(p).keyframes.ListOf(ctx, p.id, pathMissing, model.Exists(&pathRecords, pathID),
		q.query("keyframesOfPath"))
}

// NewKeyframe asks for a keyframe. Null and left out are the same in it.
type NewKeyframe struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// PathID is required and names a path of the schedule.
	PathID string `json:"pathId"`
	// Time is 0 to 1, and 0 when left out.
	Time     float64                     `json:"time"`
	Position *Vector                     `json:"position"`         // finite
	Rotation *Rotation                   `json:"rotation"`         // finite
	Deleted  twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateKeyframe makes a keyframe of a 3D path (POST …/animation-3d-paths/keyframes). It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (pathId) or InvalidValue (id, pathId,
// time, and numbers such as position.x and rotation.angle); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateKeyframe(ctx context.Context, n NewKeyframe) (twinplatform.Result[Keyframe], error) {
	return callsOf(p).keyframes.Create(ctx, p.id, n)
}

// CreateKeyframes makes up to 1,000 keyframes, all or none (POST
// …/animation-3d-paths/keyframes/batch).
//
// Errors: as CreateKeyframe, with targets such as batch[3].time.
func (p Plan) CreateKeyframes(ctx context.Context, batch []NewKeyframe) (twinplatform.Result[Keyframe], error) {
	return callsOf(p).keyframes.CreateMany(ctx, p.id, batch)
}

// KeyframePatch changes a keyframe: what is left out stays.
type KeyframePatch struct {
	model.AsRead

	Time     twinplatform.Optional[float64]  `json:"time,omitzero"`     // 0 to 1; null makes it 0
	Position twinplatform.Optional[Vector]   `json:"position,omitzero"` // given whole; null clears it
	Rotation twinplatform.Optional[Rotation] `json:"rotation,omitzero"` // given whole; null clears it
	PathID   twinplatform.Optional[string]   `json:"pathId,omitzero"`   // may be given as it is
}

// UpdateKeyframe changes a keyframe (PATCH). It needs PermissionModify.
//
// Errors: as CreateKeyframe without AlreadyExists; KeyframeNotFound; VersionMismatch.
func (p Plan) UpdateKeyframe(ctx context.Context, keyframeID string, patch KeyframePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Keyframe], error) {
	return callsOf(p).keyframes.Update(ctx, p.id, keyframeID, patch, pre)
}

// DeleteKeyframe deletes a keyframe, as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; KeyframeNotFound; VersionMismatch.
func (p Plan) DeleteKeyframe(ctx context.Context, keyframeID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Keyframe], error) {
	return callsOf(p).keyframes.Remove(ctx, p.id, []string{keyframeID}, pre)
}
