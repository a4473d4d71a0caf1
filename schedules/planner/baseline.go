package planner

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// splitBaselines moves projects that only keep a baseline of another project from Projects
// to Baselines. Keys of all three maps are ids of the file: of gives the project that a
// baseline belongs to, current marks the baselines with which the tool compares, and
// planned gives the hours of work of a task where the file states them. Where it states
// none, the work is the sum over the assignments of the task.
func (p *Plan) splitBaselines(of map[string]string, current map[string]bool, planned map[string]float64) {
	at := make(map[string]int) // of a baseline, by the project that it was
	known := ids(p.Projects, func(x *Project) string { return x.ID })
	p.Projects = keep(p.Projects, func(x *Project) bool {
		owner := of[x.ID]
		if owner == "" || !known[owner] || of[owner] != "" {
			return true
		}
		at[x.ID] = len(p.Baselines)
		p.Baselines = append(
			p.Baselines,
			Baseline{
				ID: x.ID, Code: x.Code, Name: x.Name, ProjectID: owner, Current: current[x.ID],
				DataDate: x.DataDate,
			},
		)
		return false
	})
	if len(at) == 0 {
		return
	}
	cost, work := p.costs()
	in := make(map[string]int) // the baseline of a task
	p.Tasks = keep(p.Tasks, func(t *Task) bool {
		b, ok := at[t.ProjectID]
		if ok && t.Kind != cpm.Summary {
			in[t.ID] = b
			p.Baselines[b].Tasks = append(p.Baselines[b].Tasks, BaselineTask{
				ID: t.ID, ExternalID: t.ExternalID, Code: t.Code, Name: t.Name, Start: t.File.Start,
				Finish:   t.File.Finish,
				Duration: t.Planned, TotalFloat: t.File.TotalFloat, Work: cmp.Or(planned[t.ID], work[t.ID]),
				Cost: cost[t.ID].Planned,
			})
		}
		return !ok
	})
	p.Links = keep(p.Links, func(l *Link) bool {
		a, from := in[l.PredecessorID]
		b, to := in[l.SuccessorID]
		switch {
		case !from && !to:
			return true
		case from && to && a == b:
			p.Baselines[a].Links = append(p.Baselines[a].Links, *l)
		default:
			p.warn("link "+l.ID, "It is left out: it leads out of a baseline.")
		}
		return false
	})
	p.Assignments = keep(p.Assignments, func(a *Assignment) bool { _, ok := in[a.TaskID]; return !ok })
	p.Expenses = keep(p.Expenses, func(e *Expense) bool { _, ok := in[e.TaskID]; return !ok })
}

// matchBaselines finds the tasks of the plan that those of its baselines were, by their
// codes.
func (p *Plan) matchBaselines() {
	type key struct{ project, code string }
	tasks := make(map[key]string)
	for i := range p.Tasks {
		if t := &p.Tasks[i]; t.Kind != cpm.Summary {
			tasks[key{t.ProjectID, t.Code}] = t.ID
		}
	}
	for i := range p.Baselines {
		b := &p.Baselines[i]
		for at := range b.Tasks {
			if t := &b.Tasks[at]; t.TaskID == "" && t.Code != "" {
				t.TaskID = tasks[key{b.ProjectID, t.Code}]
			}
		}
	}
}

// costs adds up, by the id of the task, what its assignments and expenses cost, and how
// many hours people and equipment work on it. Units of material and of cost resources are
// no hours, so work leaves them out.
func (p *Plan) costs() (costs map[string]Costs, work map[string]float64) {
	costs, work = make(map[string]Costs), make(map[string]float64)
	material := make(map[string]bool)
	for _, r := range p.Resources {
		material[r.ID] = r.Type == Material || r.Type == Cost
	}
	for _, a := range p.Assignments {
		costs[a.TaskID] = costs[a.TaskID].plus(a.Costs)
		if !material[a.ResourceID] {
			work[a.TaskID] += a.Units
		}
	}
	for _, e := range p.Expenses {
		costs[e.TaskID] = costs[e.TaskID].plus(e.Costs)
	}
	return costs, work
}

// plus adds costs, each to its like.
func (c Costs) plus(d Costs) Costs {
	return Costs{c.Planned + d.Planned, c.Actual + d.Actual, c.Remaining + d.Remaining}
}

// sumUp finds what P6 derives of tasks: their costs, and how much of them is done.
func (p *Plan) sumUp() {
	costs, _ := p.costs()
	done, all := make(map[string]float64), make(map[string]float64)
	for _, a := range p.Assignments {
		done[a.TaskID] += a.ActualUnits
		all[a.TaskID] += a.ActualUnits + a.RemainingUnits
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		t.Costs = costs[t.ID]
		t.Percent = t.percent(done[t.ID], all[t.ID])
	}
	p.matchBaselines()
}

// percent is how much of a task is done by the rules of P6.
func (t *Task) percent(done, all float64) float64 {
	switch {
	case t.Kind == cpm.Summary:
		return 0
	case t.Status() == Finished && t.PercentOf != OfPhysical:
		return 100
	case t.PercentOf == OfPhysical:
		return t.Physical
	case t.PercentOf == OfUnits:
		if all <= 0 {
			return 0
		}
		return 100 * min(max(done/all, 0), 1)
	case t.Status() == Planned || t.Planned <= 0:
		return 0
	default:
		return 100 * min(max(float64(t.Planned-t.Remaining)/float64(t.Planned), 0), 1)
	}
}

// value reads the value of a user field of P6 that stands alone.
func (f *fields) value(field *UserField) Value {
	const name = "value"
	v := Value{FieldID: field.ID}
	switch field.Family {
	case IntegerField, NumberField, CostField:
		f.number(&v.Number, name)
	case DateField, StartField, FinishField:
		f.time(&v.Time, name)
	case DurationField:
		f.number(&v.Number, name)
		v.Number *= worktime.Hour
	case FlagField:
		f.flag(&v.Flag, name)
	default:
		v.Text, _ = f.text(name)
	}
	return v
}

// index are the places of records by their ids.
func index[T any](all []T, id func(*T) string) map[string]int {
	places := make(map[string]int, len(all))
	for i := range all {
		if k := id(&all[i]); k != "" {
			places[k] = i
		}
	}
	return places
}
