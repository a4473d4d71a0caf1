// Package animation says what the tasks of a schedule look like in the 3D model: appearance
// profiles, the entities that show a task, where they are put and along what they move; and
// the 3D entities of v6.5 schedules.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	b, err := animation.In(plan).CreateBinding(ctx, animation.NewBinding{TaskID: "dig", AnimatedEntityID: "0x1f"})
//
// MaxText, MaxID, MaxBatch and MaxDepth are limits of package schedules, and so are the
// permissions.
package animation

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Feature is what the service of schedules knows of animation.
var Feature = model.Feature{
	Kinds: []entity.Stored{
		entity3DsInWorld, profilesInWorld, bindingsInWorld, transformsInWorld, pathsInWorld, keyframesInWorld,
		pathAssignmentsInWorld,
	},
	Calls:   func(area model.Area) model.Calls { return define(area) },
	Schemas: schemas,
}

// Plan is the animation of one schedule.
type Plan struct {
	area model.Area
	id   string
}

// In is the animation of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{plan.Area(), plan.ID()} }

// calls are what is done with each type of record in one service.
type calls struct {
	entities3D      *model.Family[Entity3D, NewEntity3D, Entity3DPatch]
	profiles        *model.Family[AppearanceProfile, NewAppearanceProfile, AppearanceProfilePatch]
	bindings        *model.Family[Binding, NewBinding, BindingPatch]
	transforms      *model.Family[Transform, NewTransform, TransformPatch]
	paths           *model.Family[Path, NewPath, PathPatch]
	keyframes       *model.Family[Keyframe, NewKeyframe, KeyframePatch]
	pathAssignments *model.Family[PathAssignment, NewPathAssignment, PathAssignmentPatch]
}

func (*calls) Feature() string { return "animation" }

func define(area model.Area) *calls {
	return &calls{
		entities3D: model.FamilyOf(area, &entity3DKind).Only(model.V65Only),
		profiles:   profilesOf(area),
		bindings: model.FamilyOf(area, &bindingKind, "animationBindings.match").
			ChangedIn(model.V10Only).Seeded(),
		transforms:      model.FamilyOf(area, &transformKind).ChangedIn(model.V10Only).Seeded(),
		paths:           model.FamilyOf(area, &pathKind).ChangedIn(model.V10Only).Seeded(),
		keyframes:       model.FamilyOf(area, &keyframeKind).ChangedIn(model.V10Only).Seeded(),
		pathAssignments: model.FamilyOf(area, &pathAssignmentKind).ChangedIn(model.V10Only).Seeded(),
	}
}

func callsOf(p Plan) *calls { return model.CallsOf[*calls](p.area) }

// schemas returns what the checks declare of the types of bodies.
func schemas(b *schema.Book) {
	schema.Enum(b, growthModes)
	schema.Enum(b, pathAlignments)
	transparency := schema.Range(0, 100)
	b.Has(reflect.TypeFor[StillAppearance](), schema.May("color", model.Color),
		schema.May("transparency", transparency))
	b.Has(reflect.TypeFor[ActiveAppearance](), schema.May("color", model.Color),
		schema.May("startTransparency", transparency),
		schema.May("finishTransparency", transparency))
	// In the document the names are among those of the whole area.
	schema.Call[Binding](b, "AnimationBinding")
	schema.Call[NewBinding](b, "NewAnimationBinding")
	schema.Call[BindingPatch](b, "AnimationBindingPatch")
	schema.Call[Path](b, "Animation3DPath")
	schema.Call[NewPath](b, "NewAnimation3DPath")
	schema.Call[PathPatch](b, "Animation3DPathPatch")
	schema.Call[PathAssignment](b, "Animation3DPathAssignment")
	schema.Call[NewPathAssignment](b, "NewAnimation3DPathAssignment")
	schema.Call[PathAssignmentPatch](b, "Animation3DPathAssignmentPatch")
	schema.Call[Transform](b, "Animation3DTransform")
	schema.Call[NewTransform](b, "NewAnimation3DTransform")
	schema.Call[TransformPatch](b, "Animation3DTransformPatch")
	schema.Call[Statistics](b, "AnimationStatistics")
	siteSchemas(b)
	matchSchemas(b)
}
