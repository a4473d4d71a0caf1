package httpapi

import (
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func animationRows(svc *schedules.Service) rows {
	all := append(animationBindingRows(svc), animationTransformRows(svc)...)
	return append(append(append(all, animationPathRows(svc)...), keyframeRows(svc)...), animationStatisticsRow(svc))
}

func animationBindingRows(svc *schedules.Service) rows {
	type query = schedules.AnimationBindingQuery
	n := &noun{
		path: inSchedule + "/animation-bindings", many: "animationBindings", one: "animationBinding",
		things: "Animation Bindings", thing: "an Animation Binding",
	}
	rs := family(n, svc.AnimationBindings, svc.AnimationBinding, svc.CreateAnimationBinding, svc.UpdateAnimationBinding, single(n, svc.DeleteAnimationBindings),
		instant("startTime", "List the bindings of tasks that are planned to finish then or later; with endTime.", func(q *query) *twinplatform.DateTime { return &q.StartTime }),
		instant("endTime", "List the bindings of tasks that are planned to start then or earlier; with startTime.", func(q *query) *twinplatform.DateTime { return &q.EndTime }),
		texts("taskIds", "List the bindings of these tasks, separated by commas.", func(q *query) *[]string { return &q.TaskIDs }),
		texts("animatedEntityIds", "List the bindings of these entities, separated by commas.", func(q *query) *[]string { return &q.AnimatedEntityIDs }))
	return append(rs, createManyIn(n, svc.CreateAnimationBindings), deleteManyIn(n, svc.DeleteAnimationBindings))
}

func animationTransformRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/animation-3d-transforms", many: "animation3dTransforms", one: "animation3dTransform",
		things: "3D Transforms", thing: "a 3D Transform",
	}
	rs := family(n, svc.Animation3DTransforms, svc.Animation3DTransform, svc.CreateAnimation3DTransform, svc.UpdateAnimation3DTransform, svc.DeleteAnimation3DTransform)
	return append(rs, createManyIn(n, svc.CreateAnimation3DTransforms))
}

func animationPathRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/animation-3d-paths", many: "animation3dPaths", one: "animation3dPath",
		things: "3D Paths", thing: "a 3D Path",
	}
	assignments := &noun{
		path: inSchedule + "/animation-3d-path-assignments", many: "animation3dPathAssignments", one: "animation3dPathAssignment",
		things: "3D Path Assignments", thing: "a 3D Path Assignment",
	}
	return append(
		family(n, svc.Animation3DPaths, svc.Animation3DPath, svc.CreateAnimation3DPath, svc.UpdateAnimation3DPath, svc.DeleteAnimation3DPath,
			text("name", "List the paths whose name equals or contains this.", func(q *schedules.Animation3DPathQuery) *string { return &q.Name })),
		family(assignments, svc.Animation3DPathAssignments, svc.Animation3DPathAssignment, svc.CreateAnimation3DPathAssignment,
			svc.UpdateAnimation3DPathAssignment, svc.DeleteAnimation3DPathAssignment,
			text("pathId", "List the assignments of this path.", func(q *schedules.Animation3DPathAssignmentQuery) *string { return &q.PathID }))...)
}

func keyframeRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/animation-3d-paths/keyframes", many: "keyframes", one: "keyframe",
		things: "Keyframes of 3D Paths", thing: "a Keyframe of a 3D Path",
	}
	ofPath := &noun{path: inSchedule + "/animation-3d-paths/{animation3dPathId}/keyframes", many: n.many, things: "Keyframes of a 3D Path"}
	single := rows{getIn(n, svc.Keyframe), updateIn(n, svc.UpdateKeyframe), deleteIn(n, svc.DeleteKeyframe)}
	for _, r := range single {
		r.apart = "keyframes"
	}
	return append(single,
		listIn(n, paging{}, svc.Keyframes, text("pathId", "List the keyframes of this path.", func(q *schedules.KeyframeQuery) *string { return &q.PathID })),
		createIn(n, svc.CreateKeyframe),
		createManyIn(n, svc.CreateKeyframes),
		listBelow(ofPath, paging{}, svc.KeyframesOfPath).named("keyframes.listOfPath"),
	)
}

func animationStatisticsRow(svc *schedules.Service) *row {
	n := &noun{path: inSchedule + "/animation-statistics", many: "animationStatistics", one: "animationStatistics", thing: "the Statistics of the Animation"}
	return getRow(n.operation("get", http.MethodGet, n.path, "Get "+n.thing), n.one, reflect.TypeFor[schedules.AnimationStatistics](), getting(svc.AnimationStatistics))
}
