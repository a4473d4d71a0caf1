package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func (a access) ShownTasks(v *records.View, s records.Scope, baselineID string,
	ids []string,
) (shown model.ShownTasks, err error) {
	work := workingTimeOf(v, s)
	set, err := work.settings()
	if err != nil {
		return shown, err
	}
	clock, err := readClock(v, s)
	if err != nil {
		return shown, err
	}
	shown.Clock, shown.DataDate = clock, clock.Local(set.DataDate)
	rows := ""
	if baselineID != "" {
		if rows, err = rowsBy(baselineID)(v, s); err != nil {
			return shown, err
		}
	}
	for t, err := range tasksWith(v, s, ids) {
		if err != nil {
			return shown, err
		}
		on, err := work.of(t)
		if err != nil {
			return shown, err
		}
		task := t.shown(clock.Local)
		task.Calendar = on.calendar
		if on.set != nil {
			task.DataDate = clock.Local(on.set.DataDate)
		}
		if rows != "" {
			was, err := baselineTasks(rows).Lookup(v, s, records.Join(rows, t.ID))
			if err != nil {
				return shown, err
			}
			if was != nil {
				task.Baseline = fourd.Span{Start: clock.Local(was.StartDate), Finish: clock.Local(was.FinishDate)}
			}
		}
		shown.Tasks = append(shown.Tasks, task)
	}
	return shown, nil
}

// shown is the task with its dates as they are shown. What remains of one that has begun leads to when it
// is computed to end.
func (t *Task) shown(local func(twinplatform.DateTime) worktime.Time) fourd.Task {
	return fourd.Task{
		ID: t.ID, PercentComplete: float64(t.PercentComplete),
		Planned:  fourd.Span{Start: local(t.PlannedStart), Finish: local(t.PlannedFinish)},
		Computed: fourd.Span{Finish: local(t.EstimatedFinish)},
		Actual:   fourd.Span{Start: local(t.ActualStart), Finish: local(t.ActualFinish)},
	}
}
