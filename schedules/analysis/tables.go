package analysis

import (
	"context"
	"errors"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
)

// WorkbookType is the media type of a workbook.
const WorkbookType = table.MediaType

// TasksXLSX is the tasks of a schedule as a workbook for spreadsheets (GET …/tasks.xlsx), as package table writes
// it, next to a baseline: the current one, where there is one, unless another is named. Dates are local to the time
// zone of the schedule.
//
// Errors: as GanttSVG; LimitExceeded also for a text that no cell holds.
func (p Plan) TasksXLSX(ctx context.Context, baselineID string) (book []byte, err error) {
	var tasks *table.Table
	err = p.look(ctx, model.ScheduleMissing, func(l model.Look) (err error) {
		var baseline *dated.Plan
		if baselineID == "" {
			baseline, _, err = l.CurrentBaseline()
		} else {
			baseline, err = l.Baseline(baselineID)
		}
		if err != nil {
			return err
		}
		plan := l.Plan()
		if baseline != nil {
			plan.SetBaseline(baseline)
		}
		tasks = table.Tasks(plan)
		return nil
	})
	if err != nil {
		return nil, err
	}
	book, err = lines(func(w io.Writer) error { return table.XLSX(w, tasks) })
	if errors.Is(err, table.ErrTooLarge) {
		return nil, problem.Conflict("LimitExceeded", "tasks", err.Error()+".")
	}
	return book, err
}
