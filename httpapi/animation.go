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
	rs := family(n,
		bind(svc.In, schedules.Plan.AnimationBindings),
		bind(svc.In, schedules.Plan.AnimationBinding),
		bind(svc.In, schedules.Plan.CreateAnimationBinding),
		bindUpdate(svc.In, schedules.Plan.UpdateAnimationBinding),
		single(n, bindDelete(svc.In, schedules.Plan.DeleteAnimationBindings)),
		instant("startTime", "List the bindings of tasks that are planned to finish then or later; with endTime.", func(q *query) *twinplatform.DateTime { return &q.StartTime }),
		instant("endTime", "List the bindings of tasks that are planned to start then or earlier; with startTime.", func(q *query) *twinplatform.DateTime { return &q.EndTime }),
		texts("taskIds", "List the bindings of these tasks, separated by commas.", func(q *query) *[]string { return &q.TaskIDs }),
		texts("animatedEntityIds", "List the bindings of these entities, separated by commas.", func(q *query) *[]string { return &q.AnimatedEntityIDs }))
	return append(rs,
		createManyIn(n, bind(svc.In, schedules.Plan.CreateAnimationBindings)),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteAnimationBindings)),
	)
}

func animationTransformRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/animation-3d-transforms", many: "animation3dTransforms", one: "animation3dTransform",
		things: "3D Transforms", thing: "a 3D Transform",
	}
	rs := family(n,
		bind(svc.In, schedules.Plan.Animation3DTransforms),
		bind(svc.In, schedules.Plan.Animation3DTransform),
		bind(svc.In, schedules.Plan.CreateAnimation3DTransform),
		bindUpdate(svc.In, schedules.Plan.UpdateAnimation3DTransform),
		bindDelete(svc.In, schedules.Plan.DeleteAnimation3DTransform),
	)
	return append(rs, createManyIn(n, bind(svc.In, schedules.Plan.CreateAnimation3DTransforms)))
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
		family(n,
			bind(svc.In, schedules.Plan.Animation3DPaths),
			bind(svc.In, schedules.Plan.Animation3DPath),
			bind(svc.In, schedules.Plan.CreateAnimation3DPath),
			bindUpdate(svc.In, schedules.Plan.UpdateAnimation3DPath),
			bindDelete(svc.In, schedules.Plan.DeleteAnimation3DPath),
			text("name", "List the paths whose name equals or contains this.", func(q *schedules.Animation3DPathQuery) *string { return &q.Name })),
		family(assignments,
			bind(svc.In, schedules.Plan.Animation3DPathAssignments),
			bind(svc.In, schedules.Plan.Animation3DPathAssignment),
			bind(svc.In, schedules.Plan.CreateAnimation3DPathAssignment),
			bindUpdate(svc.In, schedules.Plan.UpdateAnimation3DPathAssignment),
			bindDelete(svc.In, schedules.Plan.DeleteAnimation3DPathAssignment),
			text("pathId", "List the assignments of this path.", func(q *schedules.Animation3DPathAssignmentQuery) *string { return &q.PathID }))...)
}

func keyframeRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/animation-3d-paths/keyframes", many: "keyframes", one: "keyframe",
		things: "Keyframes of 3D Paths", thing: "a Keyframe of a 3D Path",
	}
	ofPath := &noun{path: inSchedule + "/animation-3d-paths/{animation3dPathId}/keyframes", many: n.many, things: "Keyframes of a 3D Path"}
	single := rows{
		getIn(n, bind(svc.In, schedules.Plan.Keyframe)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateKeyframe)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteKeyframe)),
	}
	for _, r := range single {
		r.apart = "keyframes"
	}
	return append(single,
		listIn(n, paging{}, bind(svc.In, schedules.Plan.Keyframes),
			text("pathId", "List the keyframes of this path.", func(q *schedules.KeyframeQuery) *string { return &q.PathID })),
		createIn(n, bind(svc.In, schedules.Plan.CreateKeyframe)),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateKeyframes)),
		listBelow(ofPath, paging{}, bindBelow(svc.In, schedules.Plan.KeyframesOfPath)).named("keyframes.listOfPath"),
	)
}

func animationStatisticsRow(svc *schedules.Service) *row {
	n := &noun{path: inSchedule + "/animation-statistics", many: "animationStatistics", one: "animationStatistics", thing: "the Statistics of the Animation"}
	return getRow(n.operation("get", http.MethodGet, n.path, "Get "+n.thing), n.one, reflect.TypeFor[schedules.AnimationStatistics](),
		reading(svc.In, schedules.Plan.AnimationStatistics))
}
