package schedules

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

// animationOf opens the animation of a schedule.
func animationOf(svc *schedules.Service) func(id string) animation.Plan {
	return func(id string) animation.Plan { return animation.In(svc.In(id)) }
}

func animationRoutes(svc *schedules.Service) cycle.Routes {
	all := append(animationBindingRoutes(svc), animationTransformRoutes(svc)...)
	return slices.Concat(all, animationPathRoutes(svc), keyframeRoutes(svc), animationSiteRoutes(svc),
		cycle.Routes{animationFilmRoute(svc), animationStatisticsRoute(svc)})
}

// animationSiteRoutes are those of what the animation looks like at a time, and from when to when.
func animationSiteRoutes(svc *schedules.Service) cycle.Routes {
	states := &route.Resource{
		Path: route.Schedule + "/animation-state", Many: "animationStates",
		Plural: "the States of the Entities of the 3D Model at a Time",
	}
	timelines := &route.Resource{
		Path: route.Schedule + "/animation-timeline", Many: "animationTimelines",
		Plural: "the Changes of the Entities of the 3D Model",
	}
	return cycle.Routes{
		route.ListIn(states, cycle.Paging{NoDelta: true}, route.Bind(animationOf(svc), animation.Plan.At),
			append(siteFilters(func(q *animation.StateQuery) *animation.SiteQuery { return &q.SiteQuery }, boxesOf),
				route.Instant("time", "The time at which the states are listed.",
					func(q *animation.StateQuery) *twinplatform.DateTime { return &q.Time }).Must())...),
		route.ListIn(timelines, cycle.Paging{NoDelta: true}, route.Bind(animationOf(svc), animation.Plan.Timeline),
			append(siteFilters(func(q *animation.TimelineQuery) *animation.SiteQuery { return &q.SiteQuery },
				boxesOf),
				route.Instant("from", "Leave out what is over by then.",
					func(q *animation.TimelineQuery) *twinplatform.DateTime { return &q.From }),
				route.Instant("to", "Leave out what begins later.",
					func(q *animation.TimelineQuery) *twinplatform.DateTime { return &q.To }))...),
	}
}

// boxesOf says what lists do with a model.
const boxesOf = ", for the boxes around them."

// siteFilters are those of all operations that show the site. model says what they do with one.
func siteFilters[Q any](of func(*Q) *animation.SiteQuery, model string) []route.Filter {
	return []route.Filter{
		route.Texts("entityIds", "List these entities, separated by commas; unless it is given, all that show tasks.",
			func(q *Q) *[]string { return &of(q).EntityIDs }),
		route.Text("baselineId", "Show the schedule by the dates of this baseline.",
			func(q *Q) *string { return &of(q).BaselineID }),
		route.Text("dates", "By which dates of its tasks the schedule is shown: Current, Planned, Actual or Baseline. "+
			"Current unless it is given.", func(q *Q) *animation.SiteDates { return &of(q).Dates }),
		route.Text("modelId", "The model whose elements the entities are"+model,
			func(q *Q) *string { return &of(q).ModelID }),
	}
}

// animationFilmRoute answers with the plan as an animated 3D model.
func animationFilmRoute(svc *schedules.Service) *cycle.Route {
	type query = animation.FilmQuery
	filters := append(siteFilters(func(q *query) *animation.SiteQuery { return &q.SiteQuery },
		": that of the schedule unless it is given."),
		route.Instant("from", "Play what comes then and later: from the first change on unless it is given.",
			func(q *query) *twinplatform.DateTime { return &q.From }),
		route.Instant("to", "Play what comes until then: to the last change unless it is given.",
			func(q *query) *twinplatform.DateTime { return &q.To }),
		route.AtLeastOne("speed", "How many days of the plan pass in a second: 10 unless it is given, 1,000 at most.",
			func(q *query) *int { return &q.Speed }))
	n := &route.Resource{Many: "animation"}
	return &cycle.Route{
		PaidBy: cycle.ByWork, Computes: true,
		Literal: true, // a parameter that is passed over gives another film than was asked for
		Operation: route.Filtered(n.Operation("glb", http.MethodGet, route.Schedule+"/animation.glb",
			"Get the Animation of a Schedule as an animated 3D model"), filters),
		Replies: append(cycle.Bytes([]string{animation.FilmType}, "Content-Disposition", "ETag", "Left-Out-Entities"),
			route.NotModified),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			q := query{SiteQuery: animation.SiteQuery{
				ListOptions: twinplatform.ListOptions{IfNoneMatch: x.Header("If-None-Match")},
			}}
			if err := route.Fill(x, &q, filters); err != nil {
				return err
			}
			film, err := animationOf(svc)(x.Nth(0)).Film(ctx, q)
			if err != nil {
				return err
			}
			x.Set("Etag", film.ETag)
			if film.NotModified {
				return x.SendNothing(http.StatusNotModified)
			}
			x.Set("Left-Out-Entities", strconv.Itoa(film.LeftOut))
			return x.Give(cycle.Download{
				Reader: bytes.NewReader(film.GLB), Name: "animation.glb", MediaType: animation.FilmType,
				Size: int64(len(film.GLB)),
			})
		},
	}
}

func animationBindingRoutes(svc *schedules.Service) cycle.Routes {
	type query = animation.BindingQuery
	n := &route.Resource{
		Path: route.Schedule + "/animation-bindings", Many: "animationBindings", One: "animationBinding",
		Plural: "Animation Bindings", Singular: "an Animation Binding",
	}
	rs := route.Family(n,
		route.Bind(animationOf(svc), animation.Plan.Bindings),
		route.Bind(animationOf(svc), animation.Plan.Binding),
		route.On(animationOf(svc), animation.Plan.CreateBinding),
		route.On(animationOf(svc), animation.Plan.UpdateBinding),
		route.Single(n, route.BindDelete(animationOf(svc), animation.Plan.DeleteBindings)),
		route.Instant("startTime", "List the bindings of tasks that are planned to finish then or later; with endTime.",
			func(q *query) *twinplatform.DateTime { return &q.StartTime }),
		route.Instant("endTime",
			"List the bindings of tasks that are planned to start then or earlier; with startTime.",
			func(q *query) *twinplatform.DateTime {
				return &q.EndTime
			}),
		route.Texts("taskIds", "List the bindings of these tasks, separated by commas.",
			func(q *query) *[]string { return &q.TaskIDs }),
		route.Texts("animatedEntityIds", "List the bindings of these entities, separated by commas.",
			func(q *query) *[]string { return &q.AnimatedEntityIDs }))
	return append(rs, animationMatchRoute(svc, n),
		route.CreateManyIn(n, route.On(animationOf(svc), animation.Plan.CreateBindings)),
		route.DeleteManyIn(n, route.BindDelete(animationOf(svc), animation.Plan.DeleteBindings)),
	)
}

// animationMatchRoute binds the elements of a model to tasks by a rule, or says what it would bind.
func animationMatchRoute(svc *schedules.Service, n *route.Resource) *cycle.Route {
	dryRun := route.Flag("dryRun", "True says what would be bound, and binds nothing.",
		func(dry *bool) *bool { return dry })
	o := n.Operation("match", http.MethodPost, n.Path+"/match", "Bind the Elements of a Model to Tasks by a Rule")
	r := route.Writes(route.Filtered(o, []route.Filter{dryRun}), route.BatchMade("batch", route.Many(n.Many)),
		func(ctx context.Context, x *cycle.Exchange, m animation.BindingMatch) (twinplatform.Result[animation.Binding],
			error,
		) {
			return animationOf(svc)(x.Nth(0)).MatchBindings(ctx, m)
		})
	r.Replies = append(r.Replies, route.RecordReply(reflect.TypeFor[animation.MatchPreview](), http.StatusOK, ""))
	apply := r.Serve
	r.Serve = func(ctx context.Context, x *cycle.Exchange) error {
		var dry bool
		if err := dryRun.Set(x, &dry); err != nil {
			return err
		}
		if !dry {
			return apply(ctx, x)
		}
		b, err := x.Body()
		if err != nil {
			return err
		}
		found, err := animationOf(svc)(x.Nth(0)).PreviewMatch(ctx, *b.(*animation.BindingMatch))
		if err != nil {
			return err
		}
		text, err := wire.Marshal(found)
		if err != nil {
			return err
		}
		return x.Send(http.StatusOK, text)
	}
	return r
}

func animationTransformRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/animation-3d-transforms", Many: "animation3dTransforms", One: "animation3dTransform",
		Plural: "3D Transforms", Singular: "a 3D Transform",
	}
	rs := route.Family(n,
		route.Bind(animationOf(svc), animation.Plan.Transforms),
		route.Bind(animationOf(svc), animation.Plan.Transform),
		route.On(animationOf(svc), animation.Plan.CreateTransform),
		route.On(animationOf(svc), animation.Plan.UpdateTransform),
		route.BindDelete(animationOf(svc), animation.Plan.DeleteTransform),
	)
	return append(rs, route.CreateManyIn(n, route.On(animationOf(svc), animation.Plan.CreateTransforms)))
}

func animationPathRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/animation-3d-paths", Many: "animation3dPaths", One: "animation3dPath",
		Plural: "3D Paths", Singular: "a 3D Path",
	}
	assignments := &route.Resource{
		Path: route.Schedule + "/animation-3d-path-assignments", Many: "animation3dPathAssignments",
		One:    "animation3dPathAssignment",
		Plural: "3D Path Assignments", Singular: "a 3D Path Assignment",
	}
	return append(
		route.Family(n,
			route.Bind(animationOf(svc), animation.Plan.Paths),
			route.Bind(animationOf(svc), animation.Plan.Path),
			route.On(animationOf(svc), animation.Plan.CreatePath),
			route.On(animationOf(svc), animation.Plan.UpdatePath),
			route.BindDelete(animationOf(svc), animation.Plan.DeletePath),
			route.Text("name", "List the paths whose name equals or contains this.",
				func(q *animation.PathQuery) *string { return &q.Name })),
		route.Family(assignments,
			route.Bind(animationOf(svc), animation.Plan.PathAssignments),
			route.Bind(animationOf(svc), animation.Plan.PathAssignment),
			route.On(animationOf(svc), animation.Plan.CreatePathAssignment),
			route.On(animationOf(svc), animation.Plan.UpdatePathAssignment),
			route.BindDelete(animationOf(svc), animation.Plan.DeletePathAssignment),
			route.Text("pathId", "List the assignments of this path.",
				func(q *animation.PathAssignmentQuery) *string { return &q.PathID }))...)
}

func keyframeRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/animation-3d-paths/keyframes", Many: "keyframes", One: "keyframe",
		Plural: "Keyframes of 3D Paths", Singular: "a Keyframe of a 3D Path",
	}
	ofPath := &route.Resource{
		Path: route.Schedule + "/animation-3d-paths/{animation3dPathId}/keyframes", Many: n.Many,
		Plural: "Keyframes of a 3D Path",
	}
	single := cycle.Routes{
		route.GetIn(n, route.Bind(animationOf(svc), animation.Plan.Keyframe)),
		route.UpdateIn(n, route.On(animationOf(svc), animation.Plan.UpdateKeyframe)),
		route.DeleteIn(n, route.BindDelete(animationOf(svc), animation.Plan.DeleteKeyframe)),
	}
	for _, r := range single {
		r.Apart = "keyframes"
	}
	return append(single,
		route.ListIn(n, cycle.Paging{}, route.Bind(animationOf(svc), animation.Plan.Keyframes),
			route.Text("pathId", "List the keyframes of this path.",
				func(q *animation.KeyframeQuery) *string { return &q.PathID })),
		route.CreateIn(n, route.On(animationOf(svc), animation.Plan.CreateKeyframe)),
		route.CreateManyIn(n, route.On(animationOf(svc), animation.Plan.CreateKeyframes)),
		route.ListBelow(ofPath, cycle.Paging{},
			route.BindBelow(animationOf(svc), animation.Plan.KeyframesOfPath)).Named("keyframes.listOfPath"),
	)
}

func animationStatisticsRoute(svc *schedules.Service) *cycle.Route {
	n := &route.Resource{
		Path: route.Schedule + "/animation-statistics", Many: "animationStatistics",
		One: "animationStatistics", Singular: "the Statistics of the Animation",
	}
	return route.GetRoute(n.Operation("get", http.MethodGet, n.Path, "Get "+n.Singular), n.One,
		reflect.TypeFor[animation.Statistics](),
		route.Reading(animationOf(svc), animation.Plan.Statistics))
}
