// Package plantest makes random plans as planning tools write them, and compares whole plans,
// whatever the ids of what is in them. Tests use it.
package plantest

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const day = 8 * worktime.Hour

// start is when random plans begin, on a Monday.
var start = worktime.Date(2026, time.January, 5, 8, 0, 0)

// maker makes one plan.
type maker struct {
	*planner.Plan
	*rand.Rand
}

// Random is the file of a small plan that its planner has scheduled, the same for every
// seed.
func Random(seed uint64, format planner.Format) ([]byte, error) {
	m := maker{&planner.Plan{Format: format}, rand.New(rand.NewPCG(seed, 28))}
	m.frame(seed)
	m.coded()
	m.tasks()
	m.resources()
	m.sumUp()
	if format == planner.MSPDI { // as it is read: which end of a milestone counts follows from its links
		if err := m.reread(); err != nil {
			return nil, err
		}
	}
	for i := range m.Tasks {
		if x := &m.Tasks[i]; m.p6() && x.Kind != cpm.Summary && x.ActualStart != 0 {
			x.File.PlannedFinish = m.calendar(x.CalendarID).Add(x.ActualStart, x.Planned)
		}
	}
	if err := Compute(m.Plan); err != nil {
		return nil, err
	}
	for i := range m.Tasks {
		if x := &m.Tasks[i]; x.Kind == cpm.Summary && !m.p6() {
			x.Duration = m.calendar("1").Between(x.File.Start, x.File.Finish)
			x.Remaining, x.Planned = x.Duration, x.Duration
		}
	}
	m.dateAssignments()
	m.baselines()
	var out bytes.Buffer
	_, err := planner.Write(&out, m.Plan, format)
	return out.Bytes(), err
}

// Compute gives tasks and assignments the dates, floats and marks that a scheduling of the plan finds, where
// they have none, as the planner of its format keeps them.
func Compute(p *planner.Plan) error {
	s, err := p.Schedule()
	if err != nil {
		return err
	}
	p6, files := p.Format != planner.MSPDI, make(map[string]*planner.Dates)
	for i := range p.Tasks {
		x, d := &p.Tasks[i], s.Dates(i)
		f := &x.File
		files[x.ID] = f
		if d.EarlyStart == 0 || p6 && x.Kind == cpm.Summary {
			continue
		}
		f.Start, f.Finish = cmp.Or(f.Start, d.Start), cmp.Or(f.Finish, d.Finish)
		f.EarlyStart, f.EarlyFinish = cmp.Or(f.EarlyStart, d.EarlyStart), cmp.Or(f.EarlyFinish, d.EarlyFinish)
		f.LateStart, f.LateFinish = cmp.Or(f.LateStart, d.LateStart), cmp.Or(f.LateFinish, d.LateFinish)
		if p6 {
			f.PlannedStart, f.PlannedFinish = cmp.Or(f.PlannedStart, d.Start), cmp.Or(f.PlannedFinish, d.Finish)
			f.DrivingPath = cmp.Or(f.DrivingPath, &d.Longest)
		}
		if p.Format != planner.XER {
			critical := d.Critical
			if p.Projects[0].LongestPath {
				critical = d.Longest
			}
			f.Critical = cmp.Or(f.Critical, &critical)
		}
		if d.HasFloat {
			f.TotalFloat, f.FreeFloat = cmp.Or(f.TotalFloat, &d.TotalFloat), cmp.Or(f.FreeFloat, &d.FreeFloat)
		}
	}
	for i := range p.Assignments {
		a := &p.Assignments[i]
		if f := files[a.TaskID]; f != nil {
			a.Start, a.Finish = cmp.Or(a.Start, a.ActualStart, f.Start), cmp.Or(a.Finish, a.ActualFinish, f.Finish)
		}
	}
	return nil
}

// dateAssignments lets resources work as long as their task, or within that time.
func (m *maker) dateAssignments() {
	tasks := make(map[string]*planner.Task)
	for i := range m.Tasks {
		tasks[m.Tasks[i].ID] = &m.Tasks[i]
	}
	for i := range m.Assignments {
		a := &m.Assignments[i]
		t := tasks[a.TaskID]
		if a.Start, a.Finish = t.File.Start, t.File.Finish; t.ActualStart != 0 && m.one(2) {
			a.ActualStart = t.ActualStart
		}
		half := int(a.Finish-a.Start) / worktime.Minute / 2
		if a.ActualStart == 0 && half > 0 && m.one(3) {
			a.Start += worktime.Time(m.IntN(half) * worktime.Minute)
		}
		if half > 0 && m.one(3) {
			a.Finish -= worktime.Time(m.IntN(half) * worktime.Minute)
		}
	}
}

// baselines makes some, in P6 with a task that is no longer there, and links.
func (m *maker) baselines() {
	for n := range m.IntN(4) {
		b := planner.Baseline{
			ID: fmt.Sprint(n + 2), Code: fmt.Sprint("B-", 9-n),
			Name: fmt.Sprintf("Ausgangsplan <%d>", n), ProjectID: "1", Current: n == 1, DataDate: m.at(n),
		}
		if !m.p6() {
			b.ID = fmt.Sprint(3 * n)
			b.Code, b.Name, b.Current, b.DataDate = "", "Baseline "+b.ID, n == 0, 0
		}
		for _, x := range m.Tasks {
			t := planner.BaselineTask{
				ID: x.ID, TaskID: x.ID, Start: x.File.Start +
					worktime.Time(m.IntN(3)*worktime.Day), Finish: x.File.Finish +
					worktime.Time((3+m.IntN(9))*worktime.Day),
				Duration: x.Duration + int64(m.IntN(8))*worktime.Hour, Work: float64(m.IntN(3) * 12),
				Cost: float64(m.IntN(2)) * m.amount(),
			}
			if m.p6() {
				t.ID, t.TaskID = fmt.Sprint(100*(n+1)+len(b.Tasks)), ""
				t.ExternalID, t.Code, t.Name = "{"+t.ID+"}", x.Code, "Then "+x.Name
				if m.one(2) {
					t.TotalFloat = new(int64(m.IntN(5)-1) * day)
				}
			}
			if !m.one(4) && (x.Kind != cpm.Summary || !m.p6()) {
				b.Tasks = append(b.Tasks, t)
			}
		}
		if m.p6() {
			b.Tasks = append(b.Tasks, planner.BaselineTask{
				ID: fmt.Sprint(100*(n+1) + 99), Code: "GONE",
				Name: "Scaffold", Start: m.at(1), Finish: m.at(2) + day, Duration: 2 * day,
			})
			for i := 1; i < len(b.Tasks); i++ {
				b.Links = append(b.Links, planner.Link{
					ID: fmt.Sprint(1000*(n+1) + i), PredecessorID: b.Tasks[i-1].ID, SuccessorID: b.Tasks[i].ID,
					Type: cpm.LinkType(m.IntN(3)), Lag: int64(m.IntN(5)-2) * worktime.Hour,
				})
			}
		}
		m.Baselines = append(m.Baselines, b)
	}
}

// reread makes the plan what its file says.
func (m *maker) reread() error {
	var out bytes.Buffer
	if _, err := planner.Write(&out, m.Plan, m.Format); err != nil {
		return err
	}
	p, err := planner.Read(&out)
	m.Plan = p
	return err
}

// calendar is one of the plan.
func (m *maker) calendar(id string) *worktime.Calendar {
	c := m.Calendars[0]
	if id == "2" {
		c = m.Calendars[1]
	}
	made, err := worktime.New(worktime.Definition{Week: c.Week, Exceptions: c.Exceptions})
	if err != nil {
		panic(err) // they are the same in all plans
	}
	return made
}

func (m *maker) p6() bool { return m.Format != planner.MSPDI }

// one reports whether something is, once in so many times.
func (m *maker) one(in int) bool { return m.IntN(in) == 0 }

// amount is a sum of money.
func (m *maker) amount() float64 { return float64(m.IntN(100_000)) / 100 }

func (m *maker) at(days int) worktime.Time {
	return start.Midnight() + worktime.Time(days*worktime.Day+8*worktime.Hour)
}

// frame makes the project, its calendars and nodes.
func (m *maker) frame(seed uint64) {
	p := planner.Project{
		ID: "1", Code: fmt.Sprint("P-", seed), Name: fmt.Sprintf("Brücke %d", seed), CalendarID: "1",
		Start: start, DataDate: start,
	}
	if m.p6() {
		p.Lag, p.Progress = cpm.LagOfPredecessor+cpm.LagCalendar(m.IntN(4)), cpm.Progress(m.IntN(3))
		p.OpenEndsCritical, p.LongestPath = m.one(4), m.one(4)
		p.Critical = int64(m.IntN(3)) * day
		if m.one(6) {
			p.MustFinish = m.at(11) + day
		}
	} else {
		p.Code, p.Lag = "", cpm.LagOfSuccessor
	}
	m.Projects = []planner.Project{p}
	shift := worktime.Hours{
		{From: 7 * worktime.Hour, To: 12 * worktime.Hour},
		{From: 13 * worktime.Hour, To: 17 * worktime.Hour},
	}
	holiday := worktime.Exception{First: m.at(8).Midnight(), Last: m.at(8).Midnight()}
	m.Calendars = []planner.Calendar{
		{ID: "1", Name: "Five days", Week: worktime.EachWeekday(worktime.Hours{{
			From: 8 * worktime.Hour,
			To:   16 * worktime.Hour,
		}})},
		{ID: "2", Name: "Site", Week: worktime.EveryDay(shift), Exceptions: []worktime.Exception{holiday}},
	}
	m.Tasks = []planner.Task{{ID: "10", Code: "W1", Name: "Node 1", ProjectID: "1", Kind: cpm.Summary}}
	if !m.one(3) {
		m.Tasks = append(m.Tasks, planner.Task{
			ID: "11", Code: "W2", Name: "Node 2", ProjectID: "1", ParentID: "10",
			Kind: cpm.Summary,
		})
	}
}

// coded makes codes, user fields and cost accounts.
func (m *maker) coded() {
	code := planner.Code{ID: "1", Name: "Phase", Of: planner.OfTasks}
	values := []string{"1", "2"}
	text, number := planner.UserField{ID: "1", Name: "Remark", Of: planner.OfTasks, Family: planner.TextField},
		planner.UserField{ID: "2", Name: "Ratio", Of: planner.OfTasks, Family: planner.NumberField}
	if !m.p6() {
		code.ID, code.ExternalID, code.Scope, code.ProjectID = "188744096", "Outline Code1", planner.OneProject, "1"
		values = []string{code.ID + "-1", code.ID + "-2"}
		text.ID, text.ExternalID, number.ID, number.ExternalID = "188743731", "Text1", "188743767", "Number1"
	} else {
		m.Accounts = []planner.Account{
			{ID: "1", Code: "A", Name: "All"},
			{ID: "2", ParentID: "1", Code: "A.1", Name: "Site"},
		}
	}
	m.Codes = []planner.Code{code}
	m.CodeValues = []planner.CodeValue{
		{ID: values[0], CodeID: code.ID, Name: "Shell", Description: "Rohbau"}, {
			ID: values[1], CodeID: code.ID,
			ParentID: values[0], Name: "Roof",
		},
	}
	m.UserFields = []planner.UserField{text, number}
}

func (m *maker) tasks() {
	dataDate := m.one(3)
	if dataDate {
		m.Projects[0].DataDate = m.at(2)
	}
	nodes := len(m.Tasks)
	for i := range 4 + m.IntN(8) {
		x := planner.Task{
			ID: fmt.Sprint(20 + i), Code: fmt.Sprintf("A%d0", i+1), Name: fmt.Sprintf("Täsk %d", i+1), ProjectID: "1",
			ParentID:   m.Tasks[m.IntN(nodes)].ID,
			CalendarID: fmt.Sprint(1 + m.IntN(2)), Duration: int64(1+m.IntN(6)) * 4 * worktime.Hour,
		}
		m.details(&x)
		before := m.linked(x.ID, i)
		switch {
		case m.one(8) && before:
			x.Kind, x.Duration = cpm.FinishMilestone, 0
		case dataDate && !before:
			x.ActualStart = m.at(0)
			x.Percent = 50
		}
		x.Remaining, x.Planned = x.Duration, x.Duration
		if x.ActualStart != 0 {
			x.Remaining = x.Duration / 2
		}
		m.split(&x)
		m.Tasks = append(m.Tasks, x)
	}
}

// split lets work on a task of Microsoft Project pause, sometimes: behind a third of it, and behind
// all but an hour.
func (m *maker) split(x *planner.Task) {
	if m.p6() || x.Kind != cpm.Work || x.Duration < day || !m.one(4) {
		return
	}
	x.Splits = []cpm.Split{{After: x.Duration / 3, Pause: int64(1+m.IntN(40)) * worktime.Hour}}
	if last := x.Duration - worktime.Hour; m.one(2) {
		x.Splits = append(x.Splits, cpm.Split{After: last, Pause: int64(1+m.IntN(20)) * 1800})
	}
}

// linked joins a task to some before it.
func (m *maker) linked(id string, place int) (any bool) {
	for range m.IntN(3) {
		l := planner.Link{
			ID: fmt.Sprint(len(m.Links) + 1), SuccessorID: id, Type: cpm.LinkType(m.IntN(3)),
			Lag: int64(m.IntN(3)) * 4 * worktime.Hour,
		}
		if place > 0 {
			l.PredecessorID = fmt.Sprint(20 + m.IntN(place))
		}
		for _, known := range m.Links {
			if known.PredecessorID == l.PredecessorID && known.SuccessorID == id {
				l.PredecessorID = ""
			}
		}
		if l.PredecessorID != "" {
			m.Links, any = append(m.Links, l), true
		}
	}
	return any
}

// details are what nothing is computed of, and what holds a task.
func (m *maker) details(x *planner.Task) {
	if m.one(3) {
		x.Priority = new([]int32{100, 400, 600, 900}[m.IntN(4)])
	}
	if m.one(3) {
		x.Notes = []planner.Note{{Text: "Seen on " + x.Name}}
		if m.one(3) {
			x.Notes[0].Text += strings.Repeat(", and again", 200)
		}
		if m.p6() && m.one(3) {
			x.Notes = append(x.Notes, planner.Note{Topic: "Scope", Text: "All of it"})
		}
	}
	if m.one(2) {
		x.CodeValueIDs = []string{m.CodeValues[m.IntN(2)].ID}
	}
	if m.one(3) {
		x.Values = append(x.Values, planner.Value{FieldID: m.UserFields[0].ID, Text: "ß & <b>"})
	}
	if m.one(3) {
		x.Values = append(x.Values, planner.Value{FieldID: m.UserFields[1].ID, Number: m.amount()})
	}
	if m.one(5) {
		x.Constraints = []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: m.at(7 + m.IntN(3))}}
	}
	if !m.p6() {
		if m.one(4) {
			x.Deadline = m.at(9) + day
		}
		return
	}
	if m.one(4) {
		x.Steps = []planner.Step{
			{Name: "Mark", Weight: 1, Percent: 100, Done: true},
			{Name: "Check", Description: "Twice", Weight: 2.5},
		}
	}
}

// units are some in which material is counted, of the API and not.
var units = []string{"", "Meter", "CUBIC METER", "m3", "cy", "Säcke à 25 kg", "Unknown", "t", "each", "Fuhre \"gross\""}

// resources makes resources, what they do and what that costs.
func (m *maker) resources() {
	m.Resources = []planner.Resource{
		{ID: "1", Code: "R1", Name: "Crew", Type: planner.Human, Email: "crew@example.com"}, {
			ID: "2", Code: "R2",
			Name: "Sand", Type: planner.Material,
		},
	}
	m.Resources[1].Unit = units[m.IntN(len(units))]
	for i := range m.Resources {
		for n := range m.IntN(3) {
			m.Resources[i].Rates = append(m.Resources[i].Rates,
				planner.Rate{From: m.at(7 * n), Price: m.amount(), MaxUnits: 2})
		}
	}
	for _, x := range m.Tasks {
		if x.Kind != cpm.Work {
			continue
		}
		if m.one(2) {
			n := m.IntN(len(m.Resources))
			a := planner.Assignment{
				ID: fmt.Sprint(len(m.Assignments) + 1), TaskID: x.ID, ResourceID: m.Resources[n].ID, Units: 8,
				RemainingUnits: 8, UnitsPerTime: 1,
				Costs: planner.Costs{Planned: m.amount(), Remaining: m.amount()},
			}
			if m.p6() && m.one(2) {
				a.AccountID = m.Accounts[m.IntN(2)].ID
			}
			m.Assignments = append(m.Assignments, a)
		}
		if m.one(4) {
			e := planner.Expense{
				ID: fmt.Sprint(len(m.Expenses) + 1), TaskID: x.ID, Name: "Permit",
				Description: "From the town", Vendor: "Town", Costs: planner.Costs{
					Planned: 10, Actual: 4,
					Remaining: 6,
				},
			}
			if m.p6() {
				e.AccountID = m.Accounts[0].ID
			} else {
				e.ID, e.Name, e.Description, e.Vendor = x.ID, planner.FixedCost, "", ""
			}
			m.Expenses = append(m.Expenses, e)
		}
	}
}

// sumUp gives tasks their costs.
func (m *maker) sumUp() {
	costs := make(map[string]planner.Costs)
	add := func(id string, c planner.Costs) {
		was := costs[id]
		costs[id] = planner.Costs{
			Planned: was.Planned + c.Planned, Actual: was.Actual + c.Actual,
			Remaining: was.Remaining + c.Remaining,
		}
	}
	for _, a := range m.Assignments {
		add(a.TaskID, a.Costs)
	}
	for _, e := range m.Expenses {
		add(e.TaskID, e.Costs)
	}
	for i := len(m.Tasks) - 1; i >= 0; i-- {
		x := &m.Tasks[i]
		if x.Costs = costs[x.ID]; m.Format == planner.MSPDI {
			add(x.ParentID, x.Costs)
		}
	}
}
