package rescheduling

import (
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// analysis is what was found of a task.
func (n *Network) analysis(f *Solution, number int) schedules.SchedulingAnalysis {
	d, global := f.Dates(number), n.Calendars.Global
	a := schedules.SchedulingAnalysis{
		TaskID: n.Tasks[number].TaskID(), IsCritical: n.Critical(number, &d), IsOnLongestPath: d.Longest,
		EarlyStart: global(d.EarlyStart), EarlyFinish: global(d.EarlyFinish), LateStart: global(d.LateStart),
		LateFinish: global(d.LateFinish),
	}
	if d.HasFloat {
		a.DownstreamTotalFloat, a.DownstreamFreeFloat = &d.TotalFloat, &d.FreeFloat
	}
	return a
}

// Critical reports whether a task is that has such dates.
func (n *Network) Critical(number int, d *cpm.Dates) bool {
	if n.Calendars.SetIn(n.names.at(n.Tasks[number].project)).CriticalPathType == schedules.CriticalLongest {
		return d.Longest
	}
	return d.Critical
}
