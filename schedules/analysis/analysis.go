// Package analysis looks at the plan of a schedule: it draws the plan, compares it with a
// baseline and judges how sound it is. It stores nothing.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	chart, err := analysis.In(plan).GanttSVG(ctx, analysis.ChartQuery{})
//
// What the pictures, the comparisons and the points are, say packages gantt, compare and
// quality, which do the same for files.
package analysis

import (
	"cmp"
	"context"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
)

// Pages and lists.
const (
	DefaultTop = 100
	MaxTop     = 10_000
)

// Plan is the plan of one schedule, for those who look at it.
type Plan struct {
	area model.Area
	id   string
}

// In is the plan of a schedule.
func In(plan schedules.Plan) Plan { return Plan{plan.Area(), plan.ID()} }

// look runs fn over the plan. missing is the error where there is none.
func (p Plan) look(ctx context.Context, missing *problem.Absent, fn func(model.Look) error) error {
	return rescheduling.Of(p.area).Look(ctx, p.id, missing, fn)
}

// window is the size of a page that is paged by number. skipped names what is left out.
func window(top, skip int, skipped string) (int, error) {
	var c problem.Checks
	if top = cmp.Or(top, DefaultTop); top < 1 || top > MaxTop {
		c.Bad(twinplatform.TargetTop, "The page size is a number from 1 to %d.", MaxTop)
	}
	c.Skip(skip, skipped)
	return top, c.Err(model.InvalidRequest)
}

// numbered is a page of all that there is. Its Next is the number that the page behind it skips to.
func numbered[T any](all []T, top, skip int) (page twinplatform.Page[T], err error) {
	from := min(skip, len(all))
	to := min(from+top, len(all))
	recs := make([]twinplatform.Record[T], to-from)
	for i := range recs {
		recs[i].Value = all[from+i]
		if recs[i].JSON, err = wire.Marshal(recs[i].Value); err != nil {
			return page, err
		}
	}
	page = twinplatform.PageOf(recs)
	if page.Top = top; to < len(all) {
		page.Next = strconv.Itoa(to)
	}
	return page, nil
}
