package gantt

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// projectRow is the number in the network of what stands for a project, behind the tasks
// of a plan.
const projectRow = -2

// isProject reports whether a task stands for a project that has none in the plan.
func isProject(p *dated.Plan, task int) bool {
	return task >= 0 && p.Tasks[task].Node == projectRow && p.Tasks[task].Kind == cpm.Summary
}

// withProjects is a plan of several projects in which each has a task that all others of it
// are below: files of P6 in XML have none. They are behind the tasks of the plan, which
// keep their places. A project whose tasks are below one already keeps that.
func withProjects(p *dated.Plan) *dated.Plan {
	tops := make(map[int][]int)
	var order []int
	for i := range p.Tasks {
		if at := p.Tasks[i].Parent; at >= 0 && at < i {
			continue
		}
		of := p.Tasks[i].Project
		if of < 0 || of >= len(p.Projects) {
			return p
		}
		if tops[of] == nil {
			order = append(order, of)
		}
		tops[of] = append(tops[of], i)
	}
	if len(order) < 2 {
		return p
	}
	with := *p
	with.Tasks = append(make([]dated.Task, 0, len(p.Tasks)+len(order)), p.Tasks...)
	for _, of := range order {
		if top := tops[of]; len(top) > 1 || p.Tasks[top[0]].Kind != cpm.Summary {
			addProject(&with, of, top)
		}
	}
	return &with
}

// addProject adds the task of a project, and puts its tasks at the top below it.
func addProject(p *dated.Plan, of int, top []int) {
	x := &p.Projects[of]
	row := dated.Task{
		ID: x.ID, Code: x.Code, Name: cmp.Or(x.Name, x.Code, x.ID), Parent: dated.None, Project: of, Node: projectRow,
		Kind: cpm.Summary, Calendar: x.Calendar,
	}
	for _, i := range top {
		t := &p.Tasks[i]
		t.Parent = len(p.Tasks)
		if t.Start != 0 && (row.Start == 0 || t.Start < row.Start) {
			row.Start = t.Start
		}
		row.Finish = max(row.Finish, t.Finish)
	}
	p.Tasks = append(p.Tasks, row)
	p.Measure(len(p.Tasks)-1, dated.Work{Spans: true})
}
