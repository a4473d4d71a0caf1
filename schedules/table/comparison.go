package table

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Comparison is how a plan differs from its baseline, or from any other plan, as tables.
type Comparison struct {
	Tasks, Links *Table
	// Causes is why the finish moved: the remainder and the sum are its last rows.
	Causes *Table
}

// difference is a task that is in one of two plans, or in both.
type difference struct {
	*compare.Task

	day int64 // working time of a day of its calendar
}

var differenceColumns = []column[difference]{
	{"Change", 11, func(d difference) cell { return changeOf(d.Change) }},
	{"Code", 14, func(d difference) cell { return textOf(d.Code) }},
	{"Name", 48, func(d difference) cell { return textOf(d.Name) }},
	{"Summary", 10, func(d difference) cell { return yesOf(d.Kind == cpm.Summary) }},
	{"Type", 16, func(d difference) cell { return wordOf(kinds[d.Kind]) }},
	{"Baseline start", 17, func(d difference) cell { return timeOf(stateOf(d.Baseline).Start) }},
	{"Start", 17, func(d difference) cell { return timeOf(stateOf(d.Plan).Start) }},
	{"Start later (days)", 18, later(func(v *compare.Variance) *int64 { return &v.Start })},
	{"Baseline finish", 17, func(d difference) cell { return timeOf(stateOf(d.Baseline).Finish) }},
	{"Finish", 17, func(d difference) cell { return timeOf(stateOf(d.Plan).Finish) }},
	{"Finish later (days)", 19, later(func(v *compare.Variance) *int64 { return &v.Finish })},
	{"Baseline duration (days)", 24, func(d difference) cell { return d.duration(d.Baseline) }},
	{"Duration (days)", 16, func(d difference) cell { return d.duration(d.Plan) }},
	{"Longer (days)", 14, later(func(v *compare.Variance) *int64 { return &v.Duration })},
	{"Baseline float (days)", 21, func(d difference) cell { return optional(stateOf(d.Baseline).TotalFloat, d.day) }},
	{"Total float (days)", 18, func(d difference) cell { return optional(stateOf(d.Plan).TotalFloat, d.day) }},
	{"More float (days)", 17, later(func(v *compare.Variance) *int64 { return v.TotalFloat })},
	{"Was critical", 12, func(d difference) cell { return critical(d.Baseline) }},
	{"Critical", 9, func(d difference) cell { return critical(d.Plan) }},
	{"ID", 24, func(d difference) cell { return textOf(d.ID) }},
}

// later is a variance in days, empty of a task that is not in both plans.
func later(of func(*compare.Variance) *int64) func(difference) cell {
	return func(d difference) cell {
		if d.Variance == nil {
			return cell{}
		}
		return optional(of(d.Variance), d.day)
	}
}

func (d difference) duration(s *compare.State) cell {
	if s == nil {
		return cell{}
	}
	return daysOf(s.Duration, d.day)
}

func critical(s *compare.State) cell {
	if s == nil {
		return cell{}
	}
	return yesOf(s.Critical)
}

func stateOf(s *compare.State) compare.State {
	if s == nil {
		return compare.State{}
	}
	return *s
}

// changes are words for what became of a task or a link.
var changes = map[compare.Change]string{
	compare.Unchanged: "unchanged", compare.Changed: "changed", compare.Added: "added", compare.Removed: "removed",
}

func changeOf(c compare.Change) cell { return wordOf(changes[c]) }

// linkDifference is a link that is in one of two plans, or in both.
type linkDifference struct {
	*compare.Link

	day int64 // working time of a day of the calendar of its predecessor
}

var linkDifferenceColumns = []column[linkDifference]{
	{"Change", 11, func(d linkDifference) cell { return changeOf(d.Change) }},
	{"Predecessor", 14, func(d linkDifference) cell { return textOf(d.Predecessor) }},
	{"Successor", 14, func(d linkDifference) cell { return textOf(d.Successor) }},
	{"Baseline type", 13, func(d linkDifference) cell { return typeOf(d.Baseline) }},
	{"Type", 6, func(d linkDifference) cell { return typeOf(d.Plan) }},
	{"Baseline lag", 13, func(d linkDifference) cell { return d.lag(d.Baseline) }},
	{"Baseline lag in", 24, func(d linkDifference) cell { return lagUnitOf(d.Baseline) }},
	{"Lag", 8, func(d linkDifference) cell { return d.lag(d.Plan) }},
	{"Lag in", 24, func(d linkDifference) cell { return lagUnitOf(d.Plan) }},
	{"ID", 24, func(d linkDifference) cell { return textOf(d.ID) }},
}

func typeOf(s *compare.LinkState) cell {
	if s == nil {
		return cell{}
	}
	return wordOf(compare.TypeName(s.Type))
}

func (d linkDifference) lag(s *compare.LinkState) cell {
	if s == nil {
		return cell{}
	}
	return lagOf(s.Lag, s.Percent, s.Elapsed, d.day)
}

func lagUnitOf(s *compare.LinkState) cell {
	if s == nil {
		return cell{}
	}
	return lagUnit(s.Lag, s.Percent, s.Elapsed)
}

// cause is a change that moves the finish, or what all of them do.
type cause struct {
	compare.Cause

	what string
	day  int64
}

var causeColumns = []column[cause]{
	{"What changed", 30, func(c cause) cell { return wordOf(c.what) }},
	{"Predecessor", 14, func(c cause) cell { return textOf(c.PredecessorCode) }},
	{"Predecessor name", 40, func(c cause) cell { return textOf(c.PredecessorName) }},
	{"Task", 14, func(c cause) cell { return textOf(c.Code) }},
	{"Task name", 40, func(c cause) cell { return textOf(c.Name) }},
	{"Finish later (days)", 19, func(c cause) cell { return daysOf(c.By, c.day) }},
	{"Sum", 6, func(c cause) cell { return yesOf(c.Reason == "") }},
}

// Compare compares a plan with a baseline, as compare.Plans and compare.Finish do. It leaves what is unchanged out
// unless all is wanted.
func Compare(baseline, plan *dated.Plan, all bool) *Comparison {
	x, move := compare.Plans(baseline, plan), compare.Finish(baseline, plan)
	days, before := dayOf(plan), dayOf(baseline)
	day := func(change compare.Change, task string) int64 { // ids of the two plans need not name the same
		if change == compare.Removed {
			return before[task]
		}
		return days[task]
	}
	return &Comparison{
		Tasks: build("Tasks", differenceColumns, func(yield func(difference) bool) {
			for i := range x.Tasks {
				t := &x.Tasks[i]
				if (all || t.Change != compare.Unchanged) && !yield(difference{t, day(t.Change, t.ID)}) {
					return
				}
			}
		}),
		Links: build("Links", linkDifferenceColumns, func(yield func(linkDifference) bool) {
			for i := range x.Links {
				l := &x.Links[i]
				if (all || l.Change != compare.Unchanged) && !yield(linkDifference{l, day(l.Change, l.PredecessorID)}) {
					return
				}
			}
		}),
		Causes: causesOf(move),
	}
}

// dayOf is the length of a working day of each task, by its id.
func dayOf(p *dated.Plan) map[string]int64 {
	days := make(map[string]int64, len(p.Tasks))
	for i := range p.Tasks {
		days[p.Tasks[i].ID] = p.CalendarOf(i).Day()
	}
	return days
}

// causesOf is why the finish moved, with what adds up to the move.
func causesOf(move *compare.FinishMove) *Table {
	var all []cause
	for _, m := range move.Causes {
		all = append(all, cause{m, m.Reason.Words(), move.Day})
	}
	if move.Remainder != 0 {
		rest := compare.Cause{Reason: "Remainder", By: move.Remainder}
		all = append(all, cause{rest, "another path held the finish", move.Day})
	}
	all = append(all, cause{compare.Cause{By: move.Move}, "in all", move.Day})
	return build("Causes", causeColumns, slices.Values(all))
}
