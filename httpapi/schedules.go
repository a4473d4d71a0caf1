package httpapi

import (
	"context"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// inSchedule is the path of a schedule, below which all else of it lies.
const inSchedule = "/schedules/{scheduleId}"

func schedulesArea(svc *schedules.Service) area {
	return area{
		name:       "schedules",
		served:     svc != nil,
		scopes:     []string{twinplatform.ScopePlatform},
		read:       schedules.PermissionRead,
		modify:     schedules.PermissionModify,
		bad:        schedules.InvalidRequest,
		operations: inSchedule + "/operations/{operationId}",
		maxTop:     schedules.MaxTop,
		maxBatch:   schedules.MaxBatch,
		nullLinks:  true,
		rows: func() rows {
			return slices.Concat(scheduleRows(svc), fileRows(svc), importRows(svc), plannerExportRows(svc), slices.Concat(
				taskRows(svc), taskLinkRows(svc), schedulingRows(svc), resourceRows(svc), resourceGroupRows(svc), statusCategoryRows(svc),
				statusSetRows(svc), statusItemRows(svc), statusHistoryRows(svc), resourceAssignmentRows(svc), userFieldRows(svc), userFieldValueRows(svc), baselineRows(svc), entity3DRows(svc),
				synchronizerRows(svc), appearanceProfileRows(svc), animationRows(svc), codeRows(svc), codeValueRows(svc), codeValueAssignmentRows(svc), ruleRows(svc), calendarRows(svc), projectSchedulingRows(svc), taskQueryFilterRows(svc),
			).asStored())
		},
	}
}

func scheduleRows(svc *schedules.Service) rows {
	n := &noun{path: "/schedules", many: "schedules", one: "schedule", things: "Schedules", thing: "a Schedule"}
	clone := &noun{path: inSchedule + "/clone", one: n.one, name: n.many, thing: n.thing}
	operations := &noun{path: inSchedule + "/operations", many: "operations", one: "operation", things: "Operations", thing: "an Operation"}
	return rows{
		create(n, svc.CreateSchedule),
		list(n, paging{}, svc.Schedules,
			text("twinId", "The twin whose schedules are listed.", func(q *schedules.ScheduleQuery) *string { return &q.TwinID }).required(),
		).says("List Schedules of a twin"),
		get(n, svc.Schedule).documented(),
		discard(n, svc.DeleteSchedule),
		acceptIn(clone, svc.CloneSchedule).named("schedules.clone").says("Clone a Schedule"),
		getIn(operations, bind(svc.In, schedules.Plan.Operation)).documented(),
		listOf(operations, paging{noDelta: true}, reflect.TypeFor[listedOperation](),
			func(ctx context.Context, x *exchange, q schedules.OperationQuery) (page, error) {
				found, err := svc.In(x.nth(0)).Operations(ctx, q)
				if err != nil {
					return page{}, err
				}
				return remade(x, found, inList)
			},
			text("operationId", "List this operation alone.", func(q *schedules.OperationQuery) *string { return &q.OperationID }),
			texts("status", "List the operations that have come so far, separated by commas.", func(q *schedules.OperationQuery) *[]twinplatform.OperationStatus { return &q.Statuses })),
	}
}

func baselineRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/baselines", many: "baselines", one: "baseline", things: "Baselines", thing: "a Baseline"}
	tasks := &noun{path: n.each() + "/baseline-tasks", many: "baselineTasks", things: "Baseline Tasks"}
	links := &noun{path: n.each() + "/baseline-task-links", many: "baselineTaskLinks", things: "Baseline Task Links"}
	type query = schedules.TaskLinksOfBaselinesQuery
	linksOfAll := &noun{path: n.path + "/baseline-task-links", many: links.many, things: "Task Links of all Baselines"}
	return rows{
		listIn(linksOfAll, paging{noDelta: true}, bind(svc.In, schedules.Plan.TaskLinksOfBaselines),
			text("baselineId", "List the links of this baseline.", func(q *query) *string { return &q.BaselineID }),
			text("taskLinkId", "List what this task link was in the baselines.", func(q *query) *string { return &q.TaskLinkID }),
			text("predecessorId", "List the links from this task downstream.", func(q *query) *string { return &q.PredecessorID }),
			text("successorId", "List the links to this task from upstream.", func(q *query) *string { return &q.SuccessorID })).named("baselineTaskLinks.listOfAll"),
		listIn(n, paging{}, bind(svc.In, schedules.Plan.Baselines)),
		getIn(n, bind(svc.In, schedules.Plan.Baseline)),
		createIn(n, bind(svc.In, schedules.Plan.CreateBaseline)),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteBaselines)),
		deleteIn(n, single(n, bindDelete(svc.In, schedules.Plan.DeleteBaselines))),
		listBelow(tasks, paging{}, bindBelow(svc.In, schedules.Plan.BaselineTasks)).spec("S5"),
		listBelow(links, paging{}, bindBelow(svc.In, schedules.Plan.BaselineTaskLinks)).spec("S2"),
	}
}

func entity3DRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/entities-3d", many: "entities3d", one: "entity3d", things: "3D Entities", thing: "an Entity 3D"}
	ofResource := &noun{path: inSchedule + "/resources/{resourceId}/entities-3d", many: n.many, things: "3D Entities of a Resource"}
	ofTask := &noun{path: inSchedule + "/tasks/{taskId}/entities-3d", many: n.many, things: "3D Entities of a Task"}
	rs := family(n,
		bind(svc.In, schedules.Plan.Entities3D),
		bind(svc.In, schedules.Plan.Entity3D),
		bind(svc.In, schedules.Plan.CreateEntity3D),
		bindUpdate(svc.In, schedules.Plan.UpdateEntity3D),
		single(n, bindDelete(svc.In, schedules.Plan.DeleteEntities3D)),
		text("resourceId", "List the 3D Entities that show this resource.", func(q *schedules.Entity3DQuery) *string { return &q.ResourceID }))
	rs.of("entities3d.get").spec("S8").preview()
	return append(rs,
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteEntities3D)),
		listBelow(ofResource, paging{}, bindBelow(svc.In, schedules.Plan.Entities3DOfResource)).named("entities3d.listOfResource"),
		listBelow(ofTask, paging{noDelta: true}, bindBelow(svc.In, schedules.Plan.Entities3DOfTask)).named("entities3d.listOfTask"),
	)
}

func synchronizerRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/imports/planner/synchronizers", one: "synchronizer", thing: "a Synchronizer of an external planner import", name: "plannerSynchronizers"}
	return rows{getIn(n, bind(svc.In, schedules.Plan.Synchronizer)).spec("S14").preview()}
}
