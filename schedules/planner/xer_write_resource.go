package planner

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// resourceRows writes the resources. Their notes are one text in P6.
func (x *xerWriter) resourceRows() {
	t := x.table("RSRC", "curr_id")
	for i := range x.Resources {
		r := &x.Resources[i]
		if r.Type == Cost {
			x.lose("resource", r.ID, "It is material: P6 has no resources that are costs.")
		}
		var notes []string
		for _, n := range r.Notes {
			notes = append(notes, n.Text)
		}
		t.row(values{
			"rsrc_id": x.resources.of(r.ID), "parent_rsrc_id": x.resources.of(r.ParentID),
			"clndr_id":        x.calendars.of(r.CalendarID),
			"rsrc_short_name": r.Code, "rsrc_name": r.Name,
			"rsrc_type": cmp.Or(xerResourceNames[r.Type], map[ResourceType]string{Cost: "RT_Mat"}[r.Type]),
			"unit_id":   x.units[r.Unit],
			"guid":      r.ExternalID, "email_addr": r.Email, "rsrc_notes": marked(strings.Join(notes, "\n\n")),
		}, values{"curr_id": x.money.id})
	}
}

// unitRows writes in what material is counted.
func (x *xerWriter) unitRows() {
	t := x.table("UMEASURE")
	for _, unit := range x.numberUnits() {
		t.row(values{"unit_id": x.units[unit], "seq_num": x.units[unit], "unit_abbrev": unit, "unit_name": unit})
	}
}

// rateRows writes what resources cost. Rates of one day in several tables are one row of
// several prices.
func (x *xerWriter) rateRows() {
	t, number := x.table("RSRCRATE"), 0
	for i := range x.Resources {
		r := &x.Resources[i]
		rows, order := make(map[worktime.Time]values), []worktime.Time(nil)
		for _, rate := range r.Rates {
			v := rows[rate.From]
			if v == nil {
				number++
				v = values{
					"rsrc_rate_id": strconv.Itoa(number), "rsrc_id": x.resources.of(r.ID),
					"start_date":     x.time("resource", r.ID, rate.From),
					"max_qty_per_hr": x.decimal(rate.MaxUnits),
				}
				rows[rate.From], order = v, append(order, rate.From)
			}
			if rate.Overtime != 0 || rate.PerUse != 0 || rate.To != 0 {
				x.lose("resource", r.ID, "What it costs overtime and for each use, and until when, is left out.")
			}
			v[[]string{
				// The five rate tables of a resource are the five prices of P6.
				"cost_per_qty", "cost_per_qty2", "cost_per_qty3", "cost_per_qty4", "cost_per_qty5",
			}[min(max(rate.Table, 0), 4)]] = x.decimal(rate.Price)
		}
		for _, from := range order {
			t.row(rows[from])
		}
	}
}

// assignmentRows writes the assignments. A date that is over is written as an actual one; a
// date to come as restart_date or reend_date, the start and the finish of the remaining
// work.
func (x *xerWriter) assignmentRows() {
	t := x.table("TASKRSRC")
	for i := range x.Assignments {
		a := &x.Assignments[i]
		task := x.tasks.of(a.TaskID)
		if task == "" {
			x.lose("assignment", a.ID, "It is left out: a node of the WBS has no assignments.")
			continue
		}
		at := func(time worktime.Time) string { return x.time("assignment", a.ID, time) }
		v := values{
			"taskrsrc_id": x.assignments.of(a.ID), "task_id": task, "proj_id": x.projects.of(x.projectOf[a.TaskID]),
			"rsrc_id": x.resources.of(a.ResourceID),
			"acct_id": x.accounts.of(a.AccountID), "guid": a.ExternalID, "target_qty": x.decimal(a.Units),
			"act_reg_qty": x.decimal(a.ActualUnits),
			"remain_qty":  x.decimal(a.RemainingUnits), "target_qty_per_hr": x.decimal(a.UnitsPerTime),
			"target_lag_drtn_hr_cnt": x.hours(a.Delay),
			"target_cost":            x.decimal(a.Costs.Planned), "act_reg_cost": x.decimal(a.Costs.Actual),
			"remain_cost":    x.decimal(a.Costs.Remaining),
			"act_start_date": at(a.ActualStart), "act_end_date": at(a.ActualFinish),
		}
		if a.ActualStart == 0 {
			v["restart_date"] = at(a.Start)
		}
		if a.ActualFinish == 0 {
			v["reend_date"] = at(a.Finish)
		}
		if a.ActualStart != 0 && a.Start != a.ActualStart || a.ActualFinish != 0 && a.Finish != a.ActualFinish {
			x.lose("assignment", a.ID, "It begins and ends when it did.")
		}
		t.row(v)
	}
}
