package statuses

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Lists are the lists of a world that have the statuses of a schedule.
type Lists struct {
	Categories *[]NewResourceStatusCategory
	Sets       *[]NewResourceStatusSet
	Items      *[]NewResourceStatusItem
	History    *[]StatusHistoryItemSeed
}

type content = model.Content[Lists]

func in(c *content) Plan { return In(c.Plan) }

var categoriesInWorld = model.Listed[*content, NewResourceStatusCategory]{
	Name:  "resourceStatusCategories",
	Items: func(c *content) *[]NewResourceStatusCategory { return c.Lists.Categories },
	Read:  model.Reading[NewResourceStatusCategory](in, Plan.ResourceStatusCategories),
	Seed:  model.Single(in, Plan.CreateResourceStatusCategory),
}

var setsInWorld = model.Listed[*content, NewResourceStatusSet]{
	Name:  "resourceStatusSets",
	Items: func(c *content) *[]NewResourceStatusSet { return c.Lists.Sets },
	Read:  model.Reading[NewResourceStatusSet](in, Plan.ResourceStatusSets),
	Seed:  model.Single(in, Plan.CreateResourceStatusSet),
}

var itemsInWorld = model.Listed[*content, NewResourceStatusItem]{
	Name:  "resourceStatusItems",
	Items: func(c *content) *[]NewResourceStatusItem { return c.Lists.Items },
	Read:  model.Reading[NewResourceStatusItem](in, Plan.ResourceStatusItems),
	Seed:  model.Single(in, Plan.CreateResourceStatusItem),
}

// StatusHistoryItemSeed is a recorded status of a resource of a world.
type StatusHistoryItemSeed struct {
	NewStatusHistoryItem
	// the moment of the seeding when left out, none when null
	RecordDate twinplatform.Optional[twinplatform.DateTime] `json:"recordDate,omitzero"`
}

var historyInWorld = model.Listed[*content, StatusHistoryItemSeed]{
	Name:  "statusHistoryItems",
	Items: func(c *content) *[]StatusHistoryItemSeed { return c.Lists.History },
	Read:  model.Reading[StatusHistoryItemSeed](in, Plan.StatusHistoryItems),
	Seed: func(ctx context.Context, c *content, list string, items []StatusHistoryItemSeed) error {
		return seedHistory(ctx, c, list, withMarksEnded(items, in(c).calls.now()))
	},
}.List()

var seedHistory = model.Timed(in, func(h *StatusHistoryItemSeed) model.Date { return h.RecordDate },
	func(p Plan, ctx context.Context, h *StatusHistoryItemSeed) (twinplatform.Result[StatusHistoryItem], error) {
		return p.CreateStatusHistoryItem(ctx, h.NewStatusHistoryItem)
	})

// withMarksEnded are statuses of a world by now: it may be older than the ends of its marks.
func withMarksEnded(items []StatusHistoryItemSeed, now twinplatform.DateTime) []StatusHistoryItemSeed {
	items = slices.Clone(items)
	for i := range items {
		if h := &items[i]; h.IsCritical && !h.CriticalUntil.IsZero() && !h.CriticalUntil.After(now.Time) {
			h.IsCritical, h.CriticalUntil = false, twinplatform.DateTime{}
		}
	}
	return items
}
