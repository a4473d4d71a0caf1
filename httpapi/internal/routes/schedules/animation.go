package schedules

import (
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func animationRoutes(svc *schedules.Service) cycle.Routes {
	all := append(animationBindingRoutes(svc), animationTransformRoutes(svc)...)
	return append(append(append(all, animationPathRoutes(svc)...), keyframeRoutes(svc)...), animationStatisticsRoute(svc))
}

func animationBindingRoutes(svc *schedules.Service) cycle.Routes {
	type query = schedules.AnimationBindingQuery
	n := &route.Resource{
		Path: route.Schedule + "/animation-bindings", Many: "animationBindings", One: "animationBinding",
		Things: "Animation Bindings", Thing: "an Animation Binding",
	}
	rs := route.Family(n,
		route.Bind(svc.In, schedules.Plan.AnimationBindings),
		route.Bind(svc.In, schedules.Plan.AnimationBinding),
		route.Bind(svc.In, schedules.Plan.CreateAnimationBinding),
		route.BindUpdate(svc.In, schedules.Plan.UpdateAnimationBinding),
		route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteAnimationBindings)),
		route.Instant("startTime", "List the bindings of tasks that are planned to finish then or later; with endTime.", func(q *query) *twinplatform.DateTime { return &q.StartTime }),
		route.Instant("endTime", "List the bindings of tasks that are planned to start then or earlier; with startTime.", func(q *query) *twinplatform.DateTime { return &q.EndTime }),
		route.Texts("taskIds", "List the bindings of these tasks, separated by commas.", func(q *query) *[]string { return &q.TaskIDs }),
		route.Texts("animatedEntityIds", "List the bindings of these entities, separated by commas.", func(q *query) *[]string { return &q.AnimatedEntityIDs }))
	return append(rs,
		route.CreateManyIn(n, route.Bind(svc.In, schedules.Plan.CreateAnimationBindings)),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteAnimationBindings)),
	)
}

func animationTransformRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/animation-3d-transforms", Many: "animation3dTransforms", One: "animation3dTransform",
		Things: "3D Transforms", Thing: "a 3D Transform",
	}
	rs := route.Family(n,
		route.Bind(svc.In, schedules.Plan.Animation3DTransforms),
		route.Bind(svc.In, schedules.Plan.Animation3DTransform),
		route.Bind(svc.In, schedules.Plan.CreateAnimation3DTransform),
		route.BindUpdate(svc.In, schedules.Plan.UpdateAnimation3DTransform),
		route.BindDelete(svc.In, schedules.Plan.DeleteAnimation3DTransform),
	)
	return append(rs, route.CreateManyIn(n, route.Bind(svc.In, schedules.Plan.CreateAnimation3DTransforms)))
}

func animationPathRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/animation-3d-paths", Many: "animation3dPaths", One: "animation3dPath",
		Things: "3D Paths", Thing: "a 3D Path",
	}
	assignments := &route.Resource{
		Path: route.Schedule + "/animation-3d-path-assignments", Many: "animation3dPathAssignments", One: "animation3dPathAssignment",
		Things: "3D Path Assignments", Thing: "a 3D Path Assignment",
	}
	return append(
		route.Family(n,
			route.Bind(svc.In, schedules.Plan.Animation3DPaths),
			route.Bind(svc.In, schedules.Plan.Animation3DPath),
			route.Bind(svc.In, schedules.Plan.CreateAnimation3DPath),
			route.BindUpdate(svc.In, schedules.Plan.UpdateAnimation3DPath),
			route.BindDelete(svc.In, schedules.Plan.DeleteAnimation3DPath),
			route.Text("name", "List the paths whose name equals or contains this.", func(q *schedules.Animation3DPathQuery) *string { return &q.Name })),
		route.Family(assignments,
			route.Bind(svc.In, schedules.Plan.Animation3DPathAssignments),
			route.Bind(svc.In, schedules.Plan.Animation3DPathAssignment),
			route.Bind(svc.In, schedules.Plan.CreateAnimation3DPathAssignment),
			route.BindUpdate(svc.In, schedules.Plan.UpdateAnimation3DPathAssignment),
			route.BindDelete(svc.In, schedules.Plan.DeleteAnimation3DPathAssignment),
			route.Text("pathId", "List the assignments of this path.", func(q *schedules.Animation3DPathAssignmentQuery) *string { return &q.PathID }))...)
}

func keyframeRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/animation-3d-paths/keyframes", Many: "keyframes", One: "keyframe",
		Things: "Keyframes of 3D Paths", Thing: "a Keyframe of a 3D Path",
	}
	ofPath := &route.Resource{Path: route.Schedule + "/animation-3d-paths/{animation3dPathId}/keyframes", Many: n.Many, Things: "Keyframes of a 3D Path"}
	single := cycle.Routes{
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.Keyframe)),
		route.UpdateIn(n, route.BindUpdate(svc.In, schedules.Plan.UpdateKeyframe)),
		route.DeleteIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteKeyframe)),
	}
	for _, r := range single {
		r.Apart = "keyframes"
	}
	return append(single,
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.Keyframes),
			route.Text("pathId", "List the keyframes of this path.", func(q *schedules.KeyframeQuery) *string { return &q.PathID })),
		route.CreateIn(n, route.Bind(svc.In, schedules.Plan.CreateKeyframe)),
		route.CreateManyIn(n, route.Bind(svc.In, schedules.Plan.CreateKeyframes)),
		route.ListBelow(ofPath, cycle.Paging{}, route.BindBelow(svc.In, schedules.Plan.KeyframesOfPath)).Named("keyframes.listOfPath"),
	)
}

func animationStatisticsRoute(svc *schedules.Service) *cycle.Route {
	n := &route.Resource{Path: route.Schedule + "/animation-statistics", Many: "animationStatistics", One: "animationStatistics", Thing: "the Statistics of the Animation"}
	return route.GetRoute(n.Operation("get", http.MethodGet, n.Path, "Get "+n.Thing), n.One, reflect.TypeFor[schedules.AnimationStatistics](),
		route.Reading(svc.In, schedules.Plan.AnimationStatistics))
}
