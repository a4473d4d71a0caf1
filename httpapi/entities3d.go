package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func entity3DRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/entities-3d"
		each = all + "/{entity3dId}"
	)
	return []*row{
		listIn(Operation{ID: "entities3d.list", Path: all, Summary: "List 3D Entities", Addition: true}, paging{}, "entities3d",
			func(ctx context.Context, scheduleID string, _ *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Entity3D], error) {
				return svc.Entities3D(ctx, scheduleID, schedules.Entity3DQuery{ListOptions: o})
			}),
		getIn(Operation{ID: "S8", Path: each, Summary: "Get an Entity 3D", Preview: true}, "entity3d", svc.Entity3D),
		createIn(Operation{ID: "entities3d.create", Path: all, Summary: "Create an Entity 3D", Addition: true}, "entity3d",
			func(e schedules.Entity3D) string { return e.ID }, svc.CreateEntity3D),
		deleteManyIn(Operation{ID: "entities3d.deleteMany", Path: all, Summary: "Delete 3D Entities", Addition: true}, "entities3d", "entity3dIds", svc.DeleteEntities3D),
		deleteOneOf(Operation{ID: "entities3d.delete", Path: each, Summary: "Delete an Entity 3D"}, "entity3d", "entity3dIds", svc.DeleteEntities3D),
	}
}
