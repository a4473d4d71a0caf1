// Package schedules has the routes of the schedules area.
package schedules

import (
	"context"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// Area is the schedules area, served by svc; by nothing where that is nil.
func Area(svc *schedules.Service) cycle.Area {
	return cycle.Area{
		Name:       "schedules",
		Served:     svc != nil,
		Scopes:     []string{twinplatform.ScopePlatform},
		Read:       schedules.PermissionRead,
		Modify:     schedules.PermissionModify,
		Bad:        schedules.InvalidRequest,
		Operations: route.Schedule + "/operations/{operationId}",
		MaxTop:     schedules.MaxTop,
		MaxBatch:   schedules.MaxBatch,
		Schemas:    operationSchemas,
		NullLinks:  true,
		Routes: func() cycle.Routes {
			return slices.Concat(scheduleRoutes(svc), fileRoutes(svc), importRoutes(svc), plannerExportRoutes(svc),
				slices.Concat(
					taskRoutes(svc), taskLinkRoutes(svc), schedulingRoutes(svc), resourceRoutes(svc),
					resourceGroupRoutes(svc), statusCategoryRoutes(svc),
					statusSetRoutes(svc), statusItemRoutes(svc), statusHistoryRoutes(svc),
					resourceAssignmentRoutes(svc), userFieldRoutes(svc), userFieldValueRoutes(svc), baselineRoutes(svc),
					entity3DRoutes(svc),
					synchronizerRoutes(svc), appearanceProfileRoutes(svc), animationRoutes(svc), codeRoutes(svc),
					codeValueRoutes(svc), codeValueAssignmentRoutes(svc), ruleRoutes(svc), calendarRoutes(svc),
					projectSchedulingRoutes(svc), taskQueryFilterRoutes(svc),
				).AsStored()).Share()
		},
	}
}

func scheduleRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: "/schedules", Many: "schedules", One: "schedule", Plural: "Schedules",
		Singular: "a Schedule",
	}
	clone := &route.Resource{Path: route.Schedule + "/clone", One: n.One, Name: n.Many, Singular: n.Singular}
	operations := &route.Resource{
		Path: route.Schedule + "/operations", Many: "operations", One: "operation",
		Plural: "Operations", Singular: "an Operation",
	}
	poll := route.GetIn(operations, route.Bind(svc.In, schedules.Plan.Operation)).Documented()
	poll.Polled = true
	return cycle.Routes{
		route.Create(n, svc.CreateSchedule),
		route.List(n, cycle.Paging{}, svc.Schedules,
			route.Text("twinId", "The GUID of the twin whose schedules are listed.",
				func(q *schedules.ScheduleQuery) *string { return &q.TwinID }).Must(),
		).Summarized("List Schedules of a twin"),
		route.Get(n, svc.Schedule).Documented(),
		route.Discard(n, svc.DeleteSchedule),
		route.AcceptIn(clone, route.Makes(svc.CloneSchedule)).Named("schedules.clone").Summarized("Clone a Schedule"),
		poll,
		route.ListOf(operations, cycle.Paging{NoDelta: true}, reflect.TypeFor[listedOperation](),
			func(ctx context.Context, x *cycle.Exchange, q schedules.OperationQuery) (cycle.Page, error) {
				found, err := svc.In(x.Nth(0)).Operations(ctx, q)
				if err != nil {
					return cycle.Page{}, err
				}
				return route.MapPage(x, found, inList)
			},
			route.Text("operationId", "List this operation alone.",
				func(q *schedules.OperationQuery) *string { return &q.OperationID }),
			route.Texts("status", "List the operations that have come so far, separated by commas.",
				func(q *schedules.OperationQuery) *[]twinplatform.OperationStatus { return &q.Statuses })),
	}
}

func baselineRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/baselines", Many: "baselines", One: "baseline", Plural: "Baselines",
		Singular: "a Baseline",
	}
	tasks := &route.Resource{Path: n.Each() + "/baseline-tasks", Many: "baselineTasks", Plural: "Baseline Tasks"}
	links := &route.Resource{
		Path: n.Each() + "/baseline-task-links", Many: "baselineTaskLinks",
		Plural: "Baseline Task Links",
	}
	type query = schedules.TaskLinksOfBaselinesQuery
	linksOfAll := &route.Resource{
		Path: n.Path + "/baseline-task-links", Many: links.Many,
		Plural: "Task Links of all Baselines",
	}
	return cycle.Routes{
		route.ListIn(linksOfAll, cycle.Paging{NoDelta: true}, route.Bind(svc.In, schedules.Plan.TaskLinksOfBaselines),
			route.Text("baselineId", "List the links of this baseline.",
				func(q *query) *string { return &q.BaselineID }),
			route.Text("taskLinkId", "List what this task link was in the baselines.",
				func(q *query) *string { return &q.TaskLinkID }),
			route.Text("predecessorId", "List the links from this task downstream.",
				func(q *query) *string { return &q.PredecessorID }),
			route.Text("successorId", "List the links to this task from upstream.",
				func(q *query) *string { return &q.SuccessorID })).Named("baselineTaskLinks.listOfAll"),
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.Baselines)),
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.Baseline)),
		route.CreateIn(n, route.On(svc.In, schedules.Plan.CreateBaseline)),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteBaselines)),
		route.DeleteIn(n, route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteBaselines))),
		route.ListBelow(tasks, cycle.Paging{}, route.BindBelow(svc.In, schedules.Plan.BaselineTasks)).AsSpecified("S5"),
		route.ListBelow(links, cycle.Paging{},
			route.BindBelow(svc.In, schedules.Plan.BaselineTaskLinks)).AsSpecified("S2"),
	}
}

func entity3DRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/entities-3d", Many: "entities3d", One: "entity3d",
		Plural: "3D Entities", Singular: "an Entity 3D",
	}
	ofResource := &route.Resource{
		Path: route.Schedule + "/resources/{resourceId}/entities-3d", Many: n.Many,
		Plural: "3D Entities of a Resource",
	}
	ofTask := &route.Resource{
		Path: route.Schedule + "/tasks/{taskId}/entities-3d", Many: n.Many,
		Plural: "3D Entities of a Task",
	}
	rs := route.Family(n,
		route.Bind(animationOf(svc), animation.Plan.Entities3D),
		route.Bind(animationOf(svc), animation.Plan.Entity3D),
		route.On(animationOf(svc), animation.Plan.CreateEntity3D),
		route.On(animationOf(svc), animation.Plan.UpdateEntity3D),
		route.Single(n, route.BindDelete(animationOf(svc), animation.Plan.DeleteEntities3D)),
		route.Text("resourceId", "List the 3D Entities that show this resource.",
			func(q *animation.Entity3DQuery) *string { return &q.ResourceID }))
	rs.Of("entities3d.get").AsSpecified("S8").AsPreview()
	return append(rs,
		route.DeleteManyIn(n, route.BindDelete(animationOf(svc), animation.Plan.DeleteEntities3D)),
		route.ListBelow(ofResource, cycle.Paging{},
			route.BindBelow(animationOf(svc), animation.Plan.Entities3DOfResource)).Named("entities3d.listOfResource"),
		route.ListBelow(ofTask, cycle.Paging{NoDelta: true},
			route.BindBelow(animationOf(svc), animation.Plan.Entities3DOfTask)).Named("entities3d.listOfTask"),
	)
}

// synchronizersOf opens the synchronizers of a schedule.
func synchronizersOf(svc *schedules.Service) func(id string) synchronizers.Plan {
	return func(id string) synchronizers.Plan { return synchronizers.In(svc.In(id)) }
}

func synchronizerRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/imports/planner/synchronizers", One: "synchronizer",
		Singular: "a Synchronizer of an external planner import", Name: "plannerSynchronizers",
	}
	one := route.GetIn(n, route.Bind(synchronizersOf(svc), synchronizers.Plan.Synchronizer))
	return cycle.Routes{one.AsSpecified("S14").AsPreview()}
}

func operationSchemas(b *schema.Book) {
	analysis.Schemas(b)
	b.Has(reflect.TypeFor[listedOperation](), schema.May("percentComplete", schema.Range(0, 100)),
		schema.NotRef("subjectIds", "the operation says of what type they are"))
}
