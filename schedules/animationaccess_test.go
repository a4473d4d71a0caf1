package schedules_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

// readsOfAnimation are those of what animated makes.
var readsOfAnimation = []call{
	{"AnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Binding(ctx, "full")
		return err
	}, noBinding},
	{"AnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Bindings(ctx, animation.BindingQuery{})
		return err
	}, noSchedule},
	{"Animation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Transform(ctx, "transform")
		return err
	}, noTransform},
	{"Animation3DTransforms", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Transforms(ctx, animation.TransformQuery{})
		return err
	}, noSchedule},
	{"Animation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Path(ctx, "path")
		return err
	}, noPath},
	{"Animation3DPaths", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Paths(ctx, animation.PathQuery{})
		return err
	}, noSchedule},
	{"Animation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).PathAssignment(ctx, "along")
		return err
	}, noPathAssignment},
	{"Animation3DPathAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).PathAssignments(ctx, animation.PathAssignmentQuery{})
		return err
	}, noSchedule},
	{"Keyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Keyframe(ctx, "keyframe")
		return err
	}, noKeyframe},
	{"Keyframes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Keyframes(ctx, animation.KeyframeQuery{})
		return err
	}, noSchedule},
	{"KeyframesOfPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).KeyframesOfPath(ctx, "path", animation.KeyframeQuery{})
		return err
	}, noPath},
	{"AnimationStatistics", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Statistics(ctx)
		return err
	}, noSchedule},
}

// writesOfAnimation are those to what animated makes.
var writesOfAnimation = []call{
	{"CreateAnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateBinding(ctx, animation.NewBinding{AnimatedEntityID: "0x2f", TaskID: "digging"})
		return err
	}, noSchedule},
	{"CreateAnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateBindings(ctx, []animation.NewBinding{{AnimatedEntityID: "0x2f", TaskID: "digging"}})
		return err
	}, noSchedule},
	{"UpdateAnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdateBinding(ctx, "full", animation.BindingPatch{TransformID: twinplatform.Null[string]()})
		return err
	}, noSchedule},
	{"CreateAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateTransform(ctx, animation.NewTransform{Transform: unmoved})
		return err
	}, noSchedule},
	{"CreateAnimation3DTransforms", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateTransforms(ctx, []animation.NewTransform{{Transform: unmoved}})
		return err
	}, noSchedule},
	{"UpdateAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdateTransform(ctx, "transform", animation.TransformPatch{Transform: twinplatform.Set(unmoved)})
		return err
	}, noSchedule},
	{"CreateAnimation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreatePath(ctx, animation.NewPath{})
		return err
	}, noSchedule},
	{"UpdateAnimation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdatePath(ctx, "path", animation.PathPatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreatePathAssignment(ctx, animation.NewPathAssignment{PathID: "path"})
		return err
	}, noSchedule},
	{"UpdateAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdatePathAssignment(ctx, "along", animation.PathAssignmentPatch{ReverseDirection: twinplatform.Set(true)})
		return err
	}, noSchedule},
	{"CreateKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateKeyframe(ctx, animation.NewKeyframe{PathID: "path"})
		return err
	}, noSchedule},
	{"CreateKeyframes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateKeyframes(ctx, []animation.NewKeyframe{{PathID: "path", Time: 1}})
		return err
	}, noSchedule},
	{"UpdateKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdateKeyframe(ctx, "keyframe", animation.KeyframePatch{Time: twinplatform.Set(0.75)})
		return err
	}, noSchedule},
	{"DeleteAnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).DeleteBindings(ctx, []string{"full"})
		return err
	}, noSchedule},
	{"DeleteAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).DeleteTransform(ctx, "transform")
		return err
	}, noSchedule},
	{"DeleteAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).DeletePathAssignment(ctx, "along")
		return err
	}, noSchedule},
	{"DeleteKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).DeleteKeyframe(ctx, "keyframe")
		return err
	}, noSchedule},
}
