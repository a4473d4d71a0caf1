// Package statuses keeps what statuses the resources of a schedule can have, in sets and
// categories, and which they had when.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	page, err := statuses.In(plan).StatusHistoryItems(ctx, statuses.StatusHistoryQuery{LatestOnly: true})
//
// MaxText is a limit of package schedules, and so are the permissions.
package statuses

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Feature is what the service of schedules knows of statuses, except for Places.
var Feature = model.Feature{
	Kinds: []entity.Stored{
		model.Keeps(&statusCategoryKind, categoriesInWorld),
		model.Keeps(&statusSetKind, setsInWorld),
		model.Keeps(&statusItemKind, itemsInWorld),
		// They go before the history of a resource: of what would be left of it none is current.
		entity.Keeps(&currentStatuses, entity.InList("statusHistoryItems")).Below(model.Resources),
		entity.KeepsKind(&historyKind, historyInWorld),
	},
	Calls:  func(area model.Area) model.Calls { return callsOf(area) },
	Expiry: &model.Expiry{First: firstEnd, End: endMarks},
}

// Places are the places of recorded statuses among those of their resource. They are apart
// from the other kinds since clones backfill them last.
var Places = entity.Keeps(&statusPlaces, entity.InList("statusHistoryItems")).BackfilledBy(placeStatuses)

// Plan is the statuses of one schedule.
type Plan struct {
	calls *calls
	id    string
}

// In are the statuses of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{model.CallsOf[*calls](plan.Area()), plan.ID()} }

// calls are what a service does with statuses, and with the history of resources.
type calls struct {
	area       model.Area
	categories *model.Family[ResourceStatusCategory, NewResourceStatusCategory, ResourceStatusCategoryPatch]
	sets       *model.Family[ResourceStatusSet, NewResourceStatusSet, ResourceStatusSetPatch]
	items      *model.Family[ResourceStatusItem, NewResourceStatusItem, ResourceStatusItemPatch]
	history    *model.Family[StatusHistoryItem, NewStatusHistoryItem, StatusHistoryItemPatch]
}

// Feature implements model.Calls.
func (*calls) Feature() string { return "statuses" }

func callsOf(area model.Area) *calls {
	return &calls{
		area:       area,
		categories: model.FamilyOf(area, &statusCategoryKind),
		sets:       model.FamilyOf(area, &statusSetKind),
		items:      model.FamilyOf(area, &statusItemKind),
		history:    historyOf(area),
	}
}

func (c *calls) now() twinplatform.DateTime { return c.area.Now() }
