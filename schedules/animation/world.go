package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Lists points to the lists of a world that hold the animation of a schedule.
type Lists struct {
	Entities3D         *[]NewEntity3D
	AppearanceProfiles *[]AppearanceProfileSeed
	Bindings           *[]NewBinding
	Transforms         *[]NewTransform
	Paths              *[]NewPath
	Keyframes          *[]NewKeyframe
	PathAssignments    *[]NewPathAssignment
}

// content is what a schedule holds of animation, on its way into a world or out of one.
type content = model.Content[Lists]

func inContent(c *content) Plan { return In(c.Plan) }

type listed[W any] = model.Listed[*content, W]

var entity3DsInWorld = model.Keeps(&entity3DKind, listed[NewEntity3D]{
	Name: "entities3d", Items: func(c *content) *[]NewEntity3D { return c.Lists.Entities3D },
	Read: model.Reading[NewEntity3D](inContent, Plan.Entities3D), Seed: model.Single(inContent, Plan.CreateEntity3D),
	Only: model.V65,
})

// AppearanceProfileSeed is an appearance profile of a world.
type AppearanceProfileSeed struct {
	NewAppearanceProfile
	// the moment of the seeding when left out, none when null
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
}

var profilesInWorld = entity.KeepsKind(&profileKind, listed[AppearanceProfileSeed]{
	Name: "appearanceProfiles", Items: func(c *content) *[]AppearanceProfileSeed { return c.Lists.AppearanceProfiles },
	Read: model.Reading[AppearanceProfileSeed](inContent, Plan.AppearanceProfiles),
	Node: func(n *AppearanceProfileSeed) (id, parent string) { return profileKind.Node(&n.NewAppearanceProfile) },
	Seed: model.Timed(inContent, func(n *AppearanceProfileSeed) model.Date { return n.CreatedOn },
		func(p Plan, ctx context.Context, n *AppearanceProfileSeed) (twinplatform.Result[AppearanceProfile], error) {
			return p.CreateAppearanceProfile(ctx, n.NewAppearanceProfile)
		}),
}.List())

var bindingsInWorld = model.Keeps(&bindingKind, listed[NewBinding]{
	Name: "animationBindings", Items: func(c *content) *[]NewBinding { return c.Lists.Bindings },
	Read: model.Reading[NewBinding](inContent, Plan.Bindings), Seed: model.Batched(inContent, Plan.CreateBindings),
})

var transformsInWorld = model.Keeps(&transformKind, listed[NewTransform]{
	Name: "animation3dTransforms", Items: func(c *content) *[]NewTransform { return c.Lists.Transforms },
	Read: model.Reading[NewTransform](inContent, Plan.Transforms), Seed: model.Batched(inContent,
		Plan.CreateTransforms),
})

var pathsInWorld = model.Keeps(&pathKind, listed[NewPath]{
	Name: "animation3dPaths", Items: func(c *content) *[]NewPath { return c.Lists.Paths },
	Read: model.Reading[NewPath](inContent, Plan.Paths), Seed: model.Single(inContent, Plan.CreatePath),
})

var keyframesInWorld = model.Keeps(&keyframeKind, listed[NewKeyframe]{
	Name: "keyframes", Items: func(c *content) *[]NewKeyframe { return c.Lists.Keyframes },
	Read: model.Reading[NewKeyframe](inContent, Plan.Keyframes), Seed: model.Batched(inContent, Plan.CreateKeyframes),
})

var pathAssignmentsInWorld = model.Keeps(&pathAssignmentKind, listed[NewPathAssignment]{
	Name: "animation3dPathAssignments", Items: func(c *content) *[]NewPathAssignment { return c.Lists.PathAssignments },
	Read: model.Reading[NewPathAssignment](inContent, Plan.PathAssignments), Seed: model.Single(inContent,
		Plan.CreatePathAssignment),
})
