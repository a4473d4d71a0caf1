package planner

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// addPeriod adds a period of work as the tools write it: until midnight ends at 00:00,
// from midnight to midnight is the whole day, and from a time to itself is nothing.
func addPeriod(h worktime.Hours, from, to int) worktime.Hours {
	if to == 0 {
		to = worktime.Day
	}
	if to <= from {
		return h
	}
	return append(h, worktime.Period{From: from, To: to})
}

// cleanHours puts periods in order, and those together that touch or overlap.
func cleanHours(h worktime.Hours) worktime.Hours {
	slices.SortFunc(h, func(a, b worktime.Period) int { return cmp.Compare(a.From, b.From) })
	out := h[:0]
	for _, p := range h {
		if n := len(out); n > 0 && p.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, p.To)
		} else {
			out = append(out, p)
		}
	}
	return out
}
