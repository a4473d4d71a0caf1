package planner_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// maker makes plans of what a format can hold.
type maker struct {
	*rand.Rand
	format planner.Format
	*planner.Plan
	next int
}

func (m *maker) p6() bool { return m.format != planner.MSPDI }

func (m *maker) xml() bool { return m.format == planner.P6XML }

func (m *maker) maybe() bool { return m.IntN(2) == 0 }

// id is one that nothing has.
func (m *maker) id() string {
	m.next += 1 + m.IntN(3)
	return fmt.Sprint(m.next)
}

// text is one with what formats escape, sometimes empty.
func (m *maker) text() string {
	words := []string{
		"Pour", `"it"`, "<b>&amp;</b>", "1,5 %", "Задача", "für", "a\nb", "<html>not</html>", "x|y", "(0||a()())",
		"\\t", "%R", "'",
	}
	var all []string
	for range m.IntN(4) {
		all = append(all, words[m.IntN(len(words))])
	}
	return strings.Join(all, " ")
}

// name is a text that is not empty, in one line.
func (m *maker) name() string {
	return strings.ReplaceAll(m.text(), "\n", " ") + "n" + fmt.Sprint(m.IntN(1000))
}

// called is what a resource or a calendar may be called.
func (m *maker) called() string {
	name := m.name()
	if m.p6() {
		return name
	}
	short := []rune(strings.ReplaceAll(name, ",", ""))
	return strings.TrimSpace(string(short[max(0, len(short)-50):]))
}

// time is one to the minute, sometimes none.
func (m *maker) time() worktime.Time {
	if m.IntN(3) == 0 {
		return 0
	}
	return m.always()
}

func (m *maker) always() worktime.Time {
	return worktime.Date(2026, time.January, 1+m.IntN(700), m.IntN(24), m.IntN(60), 0)
}

// span is a span of time that every unit of the format can express.
func (m *maker) span() int64 { return int64(m.IntN(10_000)) * 6 }

func (m *maker) amount() float64 {
	if m.maybe() {
		return 0
	}
	return float64(m.IntN(1_000_000)) / 100
}

// work are hours that are so many seconds.
func (m *maker) work() float64 { return float64(m.IntN(10_000)) / 4 }

func (m *maker) costs() planner.Costs {
	return planner.Costs{Planned: m.amount(), Actual: m.amount(), Remaining: m.amount()}
}

func (m *maker) hours() worktime.Hours {
	h := worktime.Hours{}
	for at := m.IntN(6) * hour; at < 22*hour && m.IntN(4) > 0; {
		to := at + (1+m.IntN(5))*hour/2
		h = append(h, worktime.Period{From: at, To: min(to, worktime.Day)})
		at = to + (1+m.IntN(5))*hour/2
	}
	if len(h) > 0 && m.maybe() {
		h[len(h)-1].To = worktime.Day
	}
	return h
}

func (m *maker) repeat() *worktime.Repeat {
	switch m.IntN(7) {
	case 0:
		return &worktime.Repeat{Every: worktime.Daily, Interval: 2 + m.IntN(5)}
	case 1:
		return &worktime.Repeat{
			Every: worktime.Weekly, Interval: 1 + m.IntN(3), Weekdays: []time.Weekday{time.Monday, time.Friday},
		}
	case 2:
		return &worktime.Repeat{Every: worktime.Monthly, Interval: 1 + m.IntN(3), Day: 1 + m.IntN(31)}
	case 3:
		return &worktime.Repeat{
			Every: worktime.Monthly, Interval: 1 + m.IntN(3), Position: 1 + m.IntN(5),
			Weekdays: []time.Weekday{time.Weekday(m.IntN(7))},
		}
	case 4:
		return &worktime.Repeat{Every: worktime.Yearly, Interval: 1, Day: 1 + m.IntN(31), Month: time.Month(1 + m.IntN(12))}
	case 5:
		return &worktime.Repeat{
			Every: worktime.Yearly, Interval: 1, Position: 1 + m.IntN(5), Month: time.May,
			Weekdays: []time.Weekday{time.Saturday, time.Sunday},
		}
	default:
		return nil
	}
}

// random is a plan of what a format can hold.
func random(seed uint64, f planner.Format) *planner.Plan {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), format: f, Plan: &planner.Plan{Format: f}, next: 100}
	m.calendars()
	m.projects()
	m.codes()
	m.fields()
	m.tasks()
	m.links()
	m.resources()
	return m.Plan
}

func (m *maker) calendars() {
	for range 1 + m.IntN(3) {
		c := planner.Calendar{ID: m.id(), Name: m.called(), Week: worktime.Week{}}
		for day := time.Sunday; day <= time.Saturday; day++ {
			if m.IntN(5) > 0 {
				c.Week[day] = m.hours()
			}
		}
		if n := len(m.Calendars); n > 0 && m.maybe() {
			c.BaseID = m.Calendars[m.IntN(n)].ID
		}
		for range m.IntN(4) {
			day := m.always().Midnight()
			x := planner.Calendar{}.Exceptions
			x = append(x, worktime.Exception{First: day, Last: day, Hours: m.hours()})
			if !m.p6() {
				x[0].Last += worktime.Time(m.IntN(100) * worktime.Day)
				x[0].Repeat = m.repeat()
			}
			c.Exceptions = append(c.Exceptions, x...)
		}
		m.Calendars = append(m.Calendars, c)
	}
}

// calendar is the id of one, sometimes none.
func (m *maker) calendar() string {
	if m.maybe() {
		return ""
	}
	return m.Calendars[m.IntN(len(m.Calendars))].ID
}

func (m *maker) projects() {
	if !m.p6() {
		p := planner.Project{
			ID: "1", Name: m.name(), CalendarID: m.calendar(), Start: m.time(), DataDate: m.time(),
			Lag: cpm.LagOfSuccessor, Critical: int64(m.IntN(5)-2) * 8 * hour,
		}
		m.Projects = append(m.Projects, p)
		return
	}
	for range 1 + m.IntN(2) {
		p := planner.Project{
			ID: m.id(), Code: m.name(), ExternalID: m.name(), CalendarID: m.calendar(), Start: m.time(), DataDate: m.time(),
			MustFinish: m.time(),
			Critical:   m.span() - 10*hour, Lag: cpm.LagOfPredecessor + cpm.LagCalendar(m.IntN(4)), Progress: cpm.Progress(m.IntN(3)),
			Float:            cpm.FloatType(m.IntN(3)),
			Together:         m.maybe(),
			OpenEndsCritical: m.maybe(), LongestPath: m.maybe(), IgnoreExpected: m.maybe(), IgnoreExternal: m.maybe(),
		}
		if p.Name = p.Code; m.xml() {
			p.Name, p.CodeValueIDs = m.name(), nil
		}
		p.Notes = m.notes()
		m.Projects = append(m.Projects, p)
	}
	for i := range m.Calendars {
		if m.IntN(3) == 0 {
			m.Calendars[i].ProjectID = m.Projects[m.IntN(len(m.Projects))].ID
		}
	}
}

func (m *maker) notes() (all []planner.Note) {
	for range m.IntN(3) {
		n := planner.Note{Text: m.name() + "\n" + m.name()}
		if m.p6() && m.maybe() {
			n.Topic = m.name()
		}
		if all = append(all, n); !m.p6() {
			return all
		}
	}
	return all
}

func (m *maker) codes() {
	subjects := []planner.Subject{planner.OfTasks, planner.OfResources, planner.OfProjects}
	if !m.p6() {
		subjects = subjects[:2]
	}
	for _, of := range subjects {
		prefix := map[planner.Subject]string{planner.OfResources: "rsrc-", planner.OfProjects: "proj-"}[of]
		for n := range m.IntN(3) {
			c := planner.Code{ID: prefix + m.id(), Name: m.name(), Of: of}
			if !m.p6() {
				c.ID = fmt.Sprint(map[planner.Subject]int{planner.OfTasks: 188744096, planner.OfResources: 205521174}[of] + 2*n)
				c.Scope, c.ProjectID, c.ExternalID = planner.OneProject, "1", fmt.Sprintf("Outline Code%d", n+1)
			} else if of == planner.OfTasks && m.maybe() {
				c.Scope, c.ProjectID = planner.OneProject, m.Projects[0].ID
			}
			m.Codes = append(m.Codes, c)
			for range m.IntN(4) {
				v := planner.CodeValue{ID: prefix + m.id(), CodeID: c.ID, Name: m.name(), Description: m.text()}
				if !m.p6() {
					v.ID = c.ID + "-" + m.id()
				} else if of == planner.OfTasks && m.maybe() {
					v.Color = "#00FFA0"
				}
				if n := len(m.CodeValues); n > 0 && m.CodeValues[n-1].CodeID == c.ID && m.maybe() {
					v.ParentID = m.CodeValues[n-1].ID
				}
				m.CodeValues = append(m.CodeValues, v)
			}
		}
	}
}

// coded are values of codes for an item, one of a code at most.
func (m *maker) coded(of planner.Subject) (all []string) {
	for _, c := range m.Codes {
		for _, v := range m.CodeValues {
			if c.Of == of && v.CodeID == c.ID && m.maybe() {
				all = append(all, v.ID)
				break
			}
		}
	}
	return all
}

func (m *maker) fields() {
	if m.p6() {
		for _, of := range []planner.Subject{planner.OfTasks, planner.OfResources, planner.OfProjects} {
			for _, family := range []planner.FieldFamily{
				planner.TextField, planner.IndicatorField, planner.IntegerField, planner.NumberField, planner.CostField,
				planner.StartField, planner.FinishField,
			} {
				m.UserFields = append(
					m.UserFields,
					planner.UserField{
						ID: m.id(), Name: m.name(), ExternalID: m.name(), Of: of, Family: family,
						Nodes: of == planner.OfTasks && m.maybe(),
					},
				)
				if m.xml() {
					m.UserFields[len(m.UserFields)-1].ExternalID = ""
				}
			}
		}
		return
	}
	for i, family := range []planner.FieldFamily{
		planner.TextField, planner.NumberField, planner.CostField, planner.FlagField, planner.DateField, planner.StartField,
		planner.FinishField, planner.DurationField,
	} {
		m.UserFields = append(m.UserFields, planner.UserField{
			ID: fmt.Sprint(188743731 + i), Name: m.name(), ExternalID: string(family) + "1", Of: planner.OfTasks, Family: family,
		})
	}
}

func (m *maker) valued(of planner.Subject, node bool) (all []planner.Value) {
	for _, f := range m.UserFields {
		if f.Of != of || m.p6() && f.Nodes != node || m.maybe() {
			continue
		}
		v := planner.Value{FieldID: f.ID}
		switch f.Family {
		case planner.IntegerField:
			v.Number = float64(m.IntN(1000))
		case planner.NumberField, planner.CostField:
			v.Number = m.amount()
		case planner.DurationField:
			v.Number = float64(m.span())
		case planner.StartField, planner.FinishField, planner.DateField:
			v.Time = m.always()
		case planner.FlagField:
			v.Flag = m.maybe()
		default:
			v.Text = m.name()
		}
		all = append(all, v)
	}
	return all
}

func (m *maker) tasks() {
	for _, p := range m.Projects {
		var nodes []string
		for range 3 {
			n := planner.Task{
				ID: m.id(), ExternalID: m.text(), Code: m.name(), Name: m.name(), ProjectID: p.ID, Kind: cpm.Summary,
			}
			if m.p6() {
				n.ID = "wbs-" + n.ID
				n.Values, n.Notes = m.valued(planner.OfTasks, true), m.notes()
			}
			if len(nodes) > 0 {
				n.ParentID = nodes[m.IntN(len(nodes))]
			} else if m.p6() {
				n.Name = p.Name
			}
			nodes = append(nodes, n.ID)
			m.Tasks = append(m.Tasks, n)
		}
		for range 2 + m.IntN(8) {
			m.Tasks = append(m.Tasks, m.task(p.ID, nodes[m.IntN(len(nodes))]))
		}
	}
}

func (m *maker) task(project, parent string) planner.Task {
	t := planner.Task{
		ID: m.id(), ExternalID: m.text(), Code: m.name(), Name: m.text(), ProjectID: project, ParentID: parent,
		CalendarID: m.calendar(), Planned: m.span(),
		Suspend: m.time(), Resume: m.time(), CodeValueIDs: m.coded(planner.OfTasks),
		Values: m.valued(planner.OfTasks, false), Notes: m.notes(),
		ResourceCalendars: m.maybe(), Priority: m.priority(),
	}
	d := &t.File
	*d = planner.Dates{
		EarlyStart: m.time(), EarlyFinish: m.time(), LateStart: m.time(), LateFinish: m.always(),
		TotalFloat: m.float(), FreeFloat: m.float(),
	}
	if m.p6() {
		m.task6(&t)
		return t
	}
	if t.Duration, t.Remaining = t.Planned, t.Planned; m.maybe() {
		t.ActualStart, t.Remaining, t.Percent = m.always(), t.Duration/2, 50
	}
	t.Elapsed, t.Manual, t.Inactive, t.Deadline, t.Physical, t.Costs = m.maybe(), m.maybe(), m.maybe(), m.time(), float64(m.IntN(100)), m.costs()
	t.Placeholder = t.Manual && m.maybe()
	t.Splits = m.splits(t.Duration, t.Duration-t.Remaining)
	d.Start, d.Finish = m.time(), m.time()
	if m.maybe() {
		critical := m.maybe()
		d.Critical = &critical
	}
	if m.maybe() {
		t.Constraints = []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: m.always()}}
	}
	return t
}

func (m *maker) float() *int64 {
	n := m.span() - 30_000
	return &n
}

// priority is one that all tools have, or one of Microsoft Project; none is the usual one.
func (m *maker) priority() *int32 {
	all := []int32{100, 400, 600, 900}
	if !m.p6() {
		all = append(all, 0, 1000, 437)
	}
	if m.maybe() {
		return nil
	}
	return &all[m.IntN(len(all))]
}

// steps are those of a task of P6.
func (m *maker) steps() (all []planner.Step) {
	for range m.IntN(3) {
		all = append(all, planner.Step{Name: m.name(), Description: m.text(), Weight: m.amount(), Percent: float64(m.IntN(101)), Done: m.maybe()})
	}
	return all
}

// splits are those of a task, none of them where it stands.
func (m *maker) splits(duration, done int64) (all []cpm.Split) {
	for at := int64(0); m.maybe(); {
		if at += 1 + int64(m.IntN(20_000)); at == done {
			at++
		}
		if at >= duration {
			break
		}
		all = append(all, cpm.Split{After: at, Pause: 1 + int64(m.IntN(200_000))})
	}
	return all
}

// task6 is what a task of P6 has.
func (m *maker) task6(t *planner.Task) {
	d := &t.File
	t.Duration, t.Remaining = t.Planned, t.Planned
	switch m.IntN(4) {
	case 0:
		t.Kind, t.Planned, t.Duration, t.Remaining, t.ResourceCalendars = cpm.StartMilestone, 0, 0, 0, false
	case 1:
		t.Kind, t.WBSSummary, t.ResourceCalendars = cpm.LongHammock, m.maybe(), false
	case 2:
		t.ActualStart, t.Remaining = m.always(), t.Planned/2
		if t.Planned > 0 {
			t.Percent = 100 * float64(t.Planned-t.Remaining) / float64(t.Planned)
		}
	}
	t.Steps = m.steps()
	t.Physical, t.ExpectedFinish, t.ExternalStart, t.ExternalFinish = float64(m.IntN(100)), m.time(), m.time(), m.time()
	d.PlannedStart, d.PlannedFinish = m.time(), m.time()
	or := func(all ...worktime.Time) worktime.Time {
		for _, t := range all {
			if t != 0 {
				return t
			}
		}
		return 0
	}
	d.Start, d.Finish = or(t.ActualStart, d.EarlyStart, d.PlannedStart), or(t.ActualFinish, d.EarlyFinish, d.PlannedFinish)
	if t.ActualStart != 0 { // what was planned of it does not count any more
		d.Finish = or(t.ActualFinish, d.EarlyFinish)
	}
	driving := m.maybe()
	d.DrivingPath = &driving
	if m.xml() { // which says more of what it has computed
		critical := m.maybe()
		d.Critical, t.Percent = &critical, float64(m.IntN(1000))/10
		d.Start, d.Finish = or(t.ActualStart, m.time()), or(t.ActualFinish, m.time())
	}
	for _, x := range []cpm.ConstraintType{cpm.StartNoEarlier, cpm.FinishOn}[:m.IntN(3)] {
		t.Constraints = append(t.Constraints, cpm.Constraint{Type: x, Date: m.always()})
	}
}

func (m *maker) links() {
	var tasks []*planner.Task
	for i := range m.Tasks {
		if t := &m.Tasks[i]; t.Kind != cpm.Summary {
			tasks = append(tasks, t)
		}
	}
	seen := make(map[string]bool)
	for range len(tasks) {
		a, b := m.IntN(len(tasks)), m.IntN(len(tasks))
		if a >= b {
			continue
		}
		l := planner.Link{
			ID: m.id(), PredecessorID: tasks[a].ID, SuccessorID: tasks[b].ID, Type: cpm.LinkType(m.IntN(4)),
			Lag: m.span() - 30_000,
		}
		if !m.p6() {
			if l.ID = l.PredecessorID + "-" + l.SuccessorID; seen[l.ID] {
				continue
			}
			if l.Elapsed = m.maybe(); m.maybe() {
				l.Percent, l.Lag = true, int64(m.IntN(100))
			}
		}
		seen[l.ID] = true
		m.Links = append(m.Links, l)
	}
}

func (m *maker) resources() {
	for range m.IntN(4) {
		r := planner.Resource{
			ID: m.id(), ExternalID: m.text(), Code: m.name(), Name: m.called(), Type: planner.Human, CalendarID: m.calendar(),
			Email:        m.text(),
			CodeValueIDs: m.coded(planner.OfResources), Values: m.valued(planner.OfResources, false),
		}
		if notes := m.notes(); len(notes) > 0 {
			r.Notes = []planner.Note{{Text: notes[0].Text}}
		}
		if m.maybe() {
			r.Type = planner.Material
			r.Unit = m.name()
		}
		for table := range m.IntN(3) {
			r.Rates = append(r.Rates, planner.Rate{Table: table, From: m.always(), Price: m.amount(), MaxUnits: 2})
			if last := &r.Rates[len(r.Rates)-1]; !m.p6() {
				last.PerUse, last.Overtime, last.To = m.amount(), m.amount(), m.time()
			}
		}
		if n := len(m.Resources); m.p6() && n > 0 && m.maybe() {
			r.ParentID = m.Resources[n-1].ID
		}
		m.Resources = append(m.Resources, r)
	}
	if m.p6() {
		for range 2 {
			m.Accounts = append(m.Accounts, planner.Account{ID: m.id(), Code: m.name(), Name: m.name(), Description: m.text()})
		}
	}
	costs := make(map[string]planner.Costs)
	for i := range m.Tasks {
		t := &m.Tasks[i]
		if t.Kind == cpm.Summary || len(m.Resources) == 0 || m.maybe() {
			continue
		}
		a := planner.Assignment{
			ID: m.id(), TaskID: t.ID, ResourceID: m.Resources[m.IntN(len(m.Resources))].ID, ExternalID: m.text(),
			Units: m.work(), ActualUnits: m.work(),
			RemainingUnits: m.work(), UnitsPerTime: m.work(), Delay: m.span(), Start: m.time(), Finish: m.time(),
			Costs: m.costs(),
		}
		if m.p6() {
			a.AccountID = m.Accounts[0].ID
		}
		m.Assignments = append(m.Assignments, a)
		costs[t.ID] = a.Costs
	}
	if !m.p6() {
		m.fixedCosts(costs)
		return
	}
	for i := range m.Tasks {
		t := &m.Tasks[i]
		if sum := costs[t.ID]; t.Kind != cpm.Summary {
			e := planner.Expense{
				ID: m.id(), TaskID: t.ID, AccountID: m.Accounts[1].ID, Name: m.name(), Description: m.text(),
				Vendor: m.text(), Costs: m.costs(),
			}
			m.Expenses = append(m.Expenses, e)
			t.Costs = planner.Costs{
				Planned: sum.Planned + e.Costs.Planned, Actual: sum.Actual + e.Costs.Actual,
				Remaining: sum.Remaining + e.Costs.Remaining,
			}
		}
	}
}

// fixedCosts are those of tasks of Microsoft Project whose assignments cost so much.
func (m *maker) fixedCosts(assigned map[string]planner.Costs) {
	for i := range m.Tasks {
		t := &m.Tasks[i]
		if t.Kind == cpm.Summary || m.maybe() {
			continue
		}
		spent, left := float64(m.IntN(1000)), float64(1+m.IntN(1000))
		e := planner.Expense{ID: t.ID, TaskID: t.ID, Name: planner.FixedCost, Costs: planner.Costs{Planned: spent + left, Actual: spent, Remaining: left}}
		sum := assigned[t.ID]
		t.Costs = planner.Costs{Planned: cents(sum.Planned + spent + left), Actual: cents(sum.Actual + spent), Remaining: cents(sum.Remaining + left)}
		m.Expenses = append(m.Expenses, e)
	}
}

// cents is an amount as files have it.
func cents(amount float64) float64 { return math.Round(amount*100) / 100 }
