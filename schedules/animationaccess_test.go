package schedules_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// readsOfAnimation are those of what animated makes.
var readsOfAnimation = []call{
	{"AnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.AnimationBinding(ctx, id, "full")
		return err
	}, noBinding},
	{"AnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.AnimationBindings(ctx, id, schedules.AnimationBindingQuery{})
		return err
	}, noSchedule},
	{"Animation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Animation3DTransform(ctx, id, "transform")
		return err
	}, noTransform},
	{"Animation3DTransforms", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Animation3DTransforms(ctx, id, schedules.Animation3DTransformQuery{})
		return err
	}, noSchedule},
	{"Animation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Animation3DPath(ctx, id, "path")
		return err
	}, noPath},
	{"Animation3DPaths", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Animation3DPaths(ctx, id, schedules.Animation3DPathQuery{})
		return err
	}, noSchedule},
	{"Animation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Animation3DPathAssignment(ctx, id, "along")
		return err
	}, noPathAssignment},
	{"Animation3DPathAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Animation3DPathAssignments(ctx, id, schedules.Animation3DPathAssignmentQuery{})
		return err
	}, noSchedule},
	{"Keyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Keyframe(ctx, id, "keyframe")
		return err
	}, noKeyframe},
	{"Keyframes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Keyframes(ctx, id, schedules.KeyframeQuery{})
		return err
	}, noSchedule},
	{"KeyframesOfPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.KeyframesOfPath(ctx, id, "path", schedules.KeyframeQuery{})
		return err
	}, noPath},
	{"AnimationStatistics", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.AnimationStatistics(ctx, id)
		return err
	}, noSchedule},
}

// writesOfAnimation are those to what animated makes.
var writesOfAnimation = []call{
	{"CreateAnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateAnimationBinding(ctx, id, schedules.NewAnimationBinding{AnimatedEntityID: "0x2f", TaskID: "digging"})
		return err
	}, noSchedule},
	{"CreateAnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateAnimationBindings(ctx, id, []schedules.NewAnimationBinding{{AnimatedEntityID: "0x2f", TaskID: "digging"}})
		return err
	}, noSchedule},
	{"UpdateAnimationBinding", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateAnimationBinding(ctx, id, "full", schedules.AnimationBindingPatch{TransformID: twinplatform.Null[string]()})
		return err
	}, noSchedule},
	{"CreateAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateAnimation3DTransform(ctx, id, schedules.NewAnimation3DTransform{Transform: unmoved})
		return err
	}, noSchedule},
	{"CreateAnimation3DTransforms", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateAnimation3DTransforms(ctx, id, []schedules.NewAnimation3DTransform{{Transform: unmoved}})
		return err
	}, noSchedule},
	{"UpdateAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateAnimation3DTransform(ctx, id, "transform", schedules.Animation3DTransformPatch{Transform: twinplatform.Set(unmoved)})
		return err
	}, noSchedule},
	{"CreateAnimation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateAnimation3DPath(ctx, id, schedules.NewAnimation3DPath{})
		return err
	}, noSchedule},
	{"UpdateAnimation3DPath", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateAnimation3DPath(ctx, id, "path", schedules.Animation3DPathPatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateAnimation3DPathAssignment(ctx, id, schedules.NewAnimation3DPathAssignment{PathID: "path"})
		return err
	}, noSchedule},
	{"UpdateAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateAnimation3DPathAssignment(ctx, id, "along", schedules.Animation3DPathAssignmentPatch{ReverseDirection: twinplatform.Set(true)})
		return err
	}, noSchedule},
	{"CreateKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateKeyframe(ctx, id, schedules.NewKeyframe{PathID: "path"})
		return err
	}, noSchedule},
	{"CreateKeyframes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateKeyframes(ctx, id, []schedules.NewKeyframe{{PathID: "path", Time: 1}})
		return err
	}, noSchedule},
	{"UpdateKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateKeyframe(ctx, id, "keyframe", schedules.KeyframePatch{Time: twinplatform.Set(0.75)})
		return err
	}, noSchedule},
	{"DeleteAnimationBindings", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteAnimationBindings(ctx, id, []string{"full"})
		return err
	}, noSchedule},
	{"DeleteAnimation3DTransform", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteAnimation3DTransform(ctx, id, "transform")
		return err
	}, noSchedule},
	{"DeleteAnimation3DPathAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteAnimation3DPathAssignment(ctx, id, "along")
		return err
	}, noSchedule},
	{"DeleteKeyframe", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteKeyframe(ctx, id, "keyframe")
		return err
	}, noSchedule},
}
