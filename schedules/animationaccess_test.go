package schedules_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// readsOfAnimation are those of what animated makes.
var readsOfAnimation = []call{
	{"AnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).AnimationBinding(ctx, "full")
		return err
	}, noBinding},
	{"AnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).AnimationBindings(ctx, schedules.AnimationBindingQuery{})
		return err
	}, noSchedule},
	{"Animation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Animation3DTransform(ctx, "transform")
		return err
	}, noTransform},
	{"Animation3DTransforms", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Animation3DTransforms(ctx, schedules.Animation3DTransformQuery{})
		return err
	}, noSchedule},
	{"Animation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Animation3DPath(ctx, "path")
		return err
	}, noPath},
	{"Animation3DPaths", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Animation3DPaths(ctx, schedules.Animation3DPathQuery{})
		return err
	}, noSchedule},
	{"Animation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Animation3DPathAssignment(ctx, "along")
		return err
	}, noPathAssignment},
	{"Animation3DPathAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Animation3DPathAssignments(ctx, schedules.Animation3DPathAssignmentQuery{})
		return err
	}, noSchedule},
	{"Keyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Keyframe(ctx, "keyframe")
		return err
	}, noKeyframe},
	{"Keyframes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Keyframes(ctx, schedules.KeyframeQuery{})
		return err
	}, noSchedule},
	{"KeyframesOfPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).KeyframesOfPath(ctx, "path", schedules.KeyframeQuery{})
		return err
	}, noPath},
	{"AnimationStatistics", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).AnimationStatistics(ctx)
		return err
	}, noSchedule},
}

// writesOfAnimation are those to what animated makes.
var writesOfAnimation = []call{
	{"CreateAnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateAnimationBinding(ctx, schedules.NewAnimationBinding{AnimatedEntityID: "0x2f", TaskID: "digging"})
		return err
	}, noSchedule},
	{"CreateAnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateAnimationBindings(ctx, []schedules.NewAnimationBinding{{AnimatedEntityID: "0x2f", TaskID: "digging"}})
		return err
	}, noSchedule},
	{"UpdateAnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateAnimationBinding(ctx, "full", schedules.AnimationBindingPatch{TransformID: twinplatform.Null[string]()})
		return err
	}, noSchedule},
	{"CreateAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateAnimation3DTransform(ctx, schedules.NewAnimation3DTransform{Transform: unmoved})
		return err
	}, noSchedule},
	{"CreateAnimation3DTransforms", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateAnimation3DTransforms(ctx, []schedules.NewAnimation3DTransform{{Transform: unmoved}})
		return err
	}, noSchedule},
	{"UpdateAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateAnimation3DTransform(ctx, "transform", schedules.Animation3DTransformPatch{Transform: twinplatform.Set(unmoved)})
		return err
	}, noSchedule},
	{"CreateAnimation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateAnimation3DPath(ctx, schedules.NewAnimation3DPath{})
		return err
	}, noSchedule},
	{"UpdateAnimation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateAnimation3DPath(ctx, "path", schedules.Animation3DPathPatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateAnimation3DPathAssignment(ctx, schedules.NewAnimation3DPathAssignment{PathID: "path"})
		return err
	}, noSchedule},
	{"UpdateAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateAnimation3DPathAssignment(ctx, "along", schedules.Animation3DPathAssignmentPatch{ReverseDirection: twinplatform.Set(true)})
		return err
	}, noSchedule},
	{"CreateKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateKeyframe(ctx, schedules.NewKeyframe{PathID: "path"})
		return err
	}, noSchedule},
	{"CreateKeyframes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateKeyframes(ctx, []schedules.NewKeyframe{{PathID: "path", Time: 1}})
		return err
	}, noSchedule},
	{"UpdateKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateKeyframe(ctx, "keyframe", schedules.KeyframePatch{Time: twinplatform.Set(0.75)})
		return err
	}, noSchedule},
	{"DeleteAnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteAnimationBindings(ctx, []string{"full"})
		return err
	}, noSchedule},
	{"DeleteAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteAnimation3DTransform(ctx, "transform")
		return err
	}, noSchedule},
	{"DeleteAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteAnimation3DPathAssignment(ctx, "along")
		return err
	}, noSchedule},
	{"DeleteKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteKeyframe(ctx, "keyframe")
		return err
	}, noSchedule},
}
