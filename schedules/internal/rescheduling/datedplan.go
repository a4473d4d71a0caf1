package rescheduling

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"weak"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// datedPlan is a schedule for those who look at it: its tasks where they are, with what
// scheduling finds of them. A schedule that cannot be scheduled is shown without that, and
// with the reason. m is the error where there is none.
func (s *Plans) datedPlan(ctx context.Context, scheduleID string, m *problem.Absent, fn func(look) error) error {
	ctx = s.WithPlan(ctx)
	return s.Read(ctx, scheduleID, m, func(v *records.View, sc *model.Schedule) error {
		if err := model.V10Only(sc); err != nil {
			return err
		}
		l := look{s: s, v: v, sc: sc}
		networks := s.networks()
		err := networks.at(v, sc, func(n *Network) error {
			f, err := n.Dates(ctx)
			if _, known := errors.AsType[*twinplatform.Error](err); err != nil && !known {
				return err
			}
			if l.why = err; err != nil {
				f = nil
			}
			if l.p, l.shown, err = n.dated(v, sc, f); err == nil {
				networks.show(l.shown)
			}
			return err
		})
		if err != nil {
			return err
		}
		return fn(l)
	})
}

// Look runs fn over the plan of a v10 schedule that is visible to the caller, in one
// transaction. missing is the error where there is none.
func (s *Plans) Look(ctx context.Context, scheduleID string, missing *problem.Absent, fn func(model.Look) error) error {
	return s.datedPlan(ctx, scheduleID, missing, func(l look) error { return fn(l) })
}

// look is a schedule for those who look at its plan.
type look struct {
	s  *Plans
	v  *records.View
	sc *model.Schedule
	p  *dated.Plan
	// why it cannot be scheduled, nil where it can
	why   error
	shown *placed // the tasks and links of p
}

func (l look) Plan() *dated.Plan { return l.p }

func (l look) Now() twinplatform.DateTime { return l.s.Now() }

func (l look) Unscheduled() error { return l.why }

func (l look) Resources() error { return assignResources(l.v, l.sc.Scope, l.p) }

// Baseline is a baseline of the plan as one itself. The caller may change it, but not its tasks and links.
func (l look) Baseline(id string) (*dated.Plan, error) {
	networks := l.s.networks()
	if p := networks.baselineOf(l.shown, id); p != nil {
		return p, nil
	}
	p, err := datedBaseline(l.v, l.sc, id, l.p)
	if err == nil {
		networks.keepBaseline(l.shown, id, *p)
	}
	return p, err
}

func (l look) Clock() (model.Clock, error) {
	c, err := core.ReadClock(l.v, l.sc.Scope)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// WithPlan is a context in which what the plan of a schedule is seen by is read with the schedule.
func (s *Plans) WithPlan(ctx context.Context) context.Context {
	return s.DB.WithNeeds(ctx, func(_ records.Reading,
		in records.Scope,
	) []records.Need {
		return s.networks().needs(in)
	})
}

// placed are the tasks and links of a plan as its dates place them, which no one changes.
type placed struct {
	scope    records.Scope
	revision uint64
	by       weak.Pointer[Solution] // of nil where there are no dates
	tasks    []dated.Task
	links    []dated.Link
}

// dated is the plan with its dates, of which f may be nil. The caller may change it, but not
// its tasks and links, which others have too.
func (n *Network) dated(v *records.View, sc *model.Schedule, f *Solution) (*dated.Plan, *placed, error) {
	b := n.Builder(nil)
	p := &dated.Plan{Name: sc.Name, PrivateIDs: true, Projects: b.dated(sc)}
	if f != nil {
		p.Projects[0].Start = f.Begin
		p.Network, p.Options = f.Network(), b.options(f.Begin)
	}
	// A page asks for its chart, its table and its sums one after the other. They are placed once
	// and kept, as networks.show says.
	last := n.placed.Value()
	if last == nil || last.revision != n.revision || last.by != weak.Make(f) {
		n.place(b, p, f)
		if err := countResources(v, sc.Scope, p); err != nil {
			return nil, nil, err
		}
		last = &placed{
			scope: n.Scope, revision: n.revision, by: weak.Make(f), tasks: slices.Clip(p.Tasks),
			links: slices.Clip(p.Links),
		}
		n.placed = weak.Make(last)
	}
	p.Tasks, p.Links = last.tasks, last.links
	return p, last, nil
}

// show keeps what a plan is shown by, and forgets that of others which is too much in addition to
// it. What is too much itself is kept only while the memory is not needed for anything else.
func (k *networks) show(p *placed) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shown = slices.DeleteFunc(k.shown, func(o *placed) bool { return o.scope == p.scope })
	if k.baseline.scope == p.scope && k.baseline.of != weak.Make(p) {
		k.baseline = keptBaseline{}
	}
	room := cmp.Or(k.mostShown, shownTasks) - p.size()
	if room < 0 {
		return
	}
	first := len(k.shown)
	for ; first > 0 && k.shown[first-1].size() <= room; first-- {
		room -= k.shown[first-1].size()
	}
	k.shown = append(slices.Delete(k.shown, 0, first), p)
}

// keptBaseline is a baseline of a plan as it is shown, next to which its tasks have their kinds and calendars.
type keptBaseline struct {
	scope records.Scope
	of    weak.Pointer[placed]
	id    string
	plan  dated.Plan // no one changes its tasks and links
}

// baselineOf is a baseline of a plan as it is shown, where that is the one that was looked at last: pages ask
// for its comparison, its finish and its chart one after the other.
func (k *networks) baselineOf(p *placed, id string) *dated.Plan {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.baseline.id != id || k.baseline.of != weak.Make(p) {
		return nil
	}
	kept := k.baseline.plan
	return &kept
}

// keepBaseline keeps a baseline of a plan as it is shown, unless it is too large, in place of the one before.
func (k *networks) keepBaseline(p *placed, id string, b dated.Plan) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(b.Tasks)+len(b.Links) <= cmp.Or(k.mostShown, shownTasks) {
		b.Tasks, b.Links = slices.Clip(b.Tasks), slices.Clip(b.Links)
		k.baseline = keptBaseline{p.scope, weak.Make(p), id, b}
	}
}

// size is how many tasks and links there are.
func (p *placed) size() int { return len(p.tasks) + len(p.links) }

// place puts the tasks and links into the plan, by dates that may be nil.
func (n *Network) place(b *Builder, p *dated.Plan, f *Solution) {
	place := make([]int, len(n.Tasks))
	p.Tasks, p.Links = make([]dated.Task, 0, len(n.Tasks)), make([]dated.Link, 0, len(n.Links))
	for _, number := range n.Downwards() {
		t := n.Fill(&b.filled, number)
		task := dated.Task{
			ID: t.ID, Code: t.UserDefinedID, Name: t.Name, Parent: dated.None, Kind: core.KindOf(t.Type),
			Calendar: n.Calendars.OwnOf(t), Unplaced: !numbered(t.ID),
		}
		task.Project = b.Projects[string(t.ProjectID)]
		if above := n.Tasks[number].parent; above != none {
			task.Parent = place[above]
		}
		if f != nil {
			task.Node = number
			task.Dates = f.Dates(number)
			task.Critical = n.Critical(number, &task.Dates)
		}
		work := n.placeTask(&task, t)
		task.Constraints = b.Constraints(t)
		place[number] = len(p.Tasks)
		p.Tasks = append(p.Tasks, task)
		p.Measure(place[number], work)
	}
	p.SpanSummaries()
	for number := range n.Links {
		l := &n.Links[number]
		link := dated.Link{
			ID: l.ID, Predecessor: place[l.Predecessor], Successor: place[l.Successor],
			Type: LinkTypeIn(l.LinkType()), Lag: int64(l.Lag),
		}
		if f != nil {
			link.LinkDates = f.Link(number)
		}
		p.Links = append(p.Links, link)
	}
}

// placeTask puts a task where it is: where it was done or continues, and else where it is
// planned. It returns how long it takes by its plan.
func (n *Network) placeTask(task *dated.Task, t *schedules.Task) (w dated.Work) {
	local := n.Calendars.Local
	task.ActualStart, task.ActualFinish = local(t.ActualStart), local(t.ActualFinish)
	task.Suspend, task.Resume, task.Deadline, task.Inactive = local(t.SuspendDate), local(t.ResumeDate),
		local(t.Deadline), t.IsInactive
	if t.IsWBS {
		task.Kind = cpm.Summary
	}
	task.Splits = core.Pauses(t)
	if t.PlannedDuration != nil {
		w.Duration, w.Remaining = int64(*t.PlannedDuration), int64(*t.PlannedDuration)
	}
	if t.RemainingDuration != nil {
		w.Remaining = int64(*t.RemainingDuration)
	}
	start, finish := local(t.PlannedStart), local(t.PlannedFinish)
	switch {
	case t.Status == schedules.Started && task.Finish != 0:
		start, finish = task.ActualStart, task.Finish // which what remains leads to
	case t.Status != schedules.Planned:
		start, finish = cmp.Or(task.ActualStart, task.ActualFinish), cmp.Or(task.ActualFinish, finish)
	}
	task.Start, task.Finish = cmp.Or(start, finish), cmp.Or(finish, start)
	w.Spans = task.Start != 0 && (t.IsWBS || task.Hammock())
	return w
}

// Downwards are the numbers of the tasks, each behind what it is below.
func (n *Network) Downwards() (all []int) {
	// the first below a task, and the next one behind it
	first, next := make([]int32, len(n.Tasks)), make([]int32, len(n.Tasks))
	top := int32(none)
	for i := range first {
		first[i] = none
	}
	for i := range slices.Backward(n.Tasks) {
		at := &top
		if above := n.Tasks[i].parent; above != none {
			at = &first[above]
		}
		next[i], *at = *at, int32(i)
	}
	for stack := []int32{top}; len(stack) > 0; {
		at := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; at == none {
			continue
		}
		all = append(all, int(at))
		stack = append(stack, next[at], first[at])
	}
	return all
}

// numbered reports whether the platform chose an id: these sort in the order in which their
// tasks were made, which for those of a file is that of the file.
func numbered(id string) bool { return twinplatform.IsGeneratedID(id) }

// countResources counts the resources that are assigned to each task.
func countResources(v *records.View, s records.Scope, p *dated.Plan) error {
	count := make(map[string]int)
	for a, err := range core.Assignments.From(v, s, "") {
		if err != nil {
			return err
		}
		count[a.TaskID]++
	}
	for i := range p.Tasks {
		p.Tasks[i].Resources = count[p.Tasks[i].ID]
	}
	return nil
}

// assignResources sets which tasks use how much of which resources.
func assignResources(v *records.View, s records.Scope, p *dated.Plan) error {
	resources, places := make(map[string]int), make(map[string]int, len(p.Tasks))
	for r, err := range core.Resources.From(v, s, "") {
		if err != nil {
			return err
		}
		resources[r.ID] = len(p.Resources)
		x := dated.Resource{
			ID: r.ID, Code: string(r.UserDefinedID), Name: r.Name, Renewable: r.Renewable,
			Limit: r.Quantity,
		}
		x.Unit = core.UnitOf(r)
		p.Resources = append(p.Resources, x)
	}
	for i := range p.Tasks {
		places[p.Tasks[i].ID] = i
	}
	for a, err := range core.Assignments.From(v, s, "") {
		if err != nil {
			return err
		}
		task, ok := places[a.TaskID]
		if !ok {
			continue
		}
		if resource, ok := resources[a.ResourceID]; ok {
			p.Assignments = append(p.Assignments, dated.Assignment{
				Task: task, Resource: resource, AtOnce: a.PlannedUtilization.ResourceCount,
				Units: a.PlannedUtilization.ResourceUnits, Actual: a.ActualUtilization.ResourceUnits,
				Remaining: a.RemainingUtilization.ResourceUnits,
			})
		}
	}
	return nil
}

// CurrentBaseline is what planners compare a plan with, as one itself: each of its projects is
// as in its current baseline. It is nil where there is none; any reports whether there are
// other baselines.
func (l look) CurrentBaseline() (p *dated.Plan, any bool, err error) {
	of := l.p
	all, err := BaselinesOf(l.v, l.sc.Scope)
	if err != nil {
		return nil, false, err
	}
	places := make(map[string]int, len(of.Projects))
	for i := range of.Projects {
		places[of.Projects[i].ID] = i
	}
	current := CurrentBaselines(all, len(of.Projects), places)
	projects := make(map[string]int, len(of.Tasks))
	for i := range of.Tasks {
		projects[of.Tasks[i].ID] = of.Tasks[i].Project
	}
	for _, b := range all {
		if !slices.Contains(current, b) {
			continue
		}
		part, err := l.Baseline(b.ID)
		if err != nil {
			return nil, false, err
		}
		if p == nil {
			p = &dated.Plan{Name: part.Name, PrivateIDs: true, Projects: part.Projects}
		}
		for i := range part.Tasks {
			if t := &part.Tasks[i]; current[projects[t.ID]] == b {
				p.Tasks = append(p.Tasks, *t)
			}
		}
	}
	return p, len(all) > 0, nil
}

// BaselinesOf are all baselines of a schedule.
func BaselinesOf(v *records.View, in records.Scope) (all []*schedules.Baseline, err error) {
	for b, err := range core.Baselines.From(v, in, "") {
		if err != nil {
			return nil, err
		}
		kept := *b
		all = append(all, &kept)
	}
	return all, nil
}

// CurrentBaselines are those with which planners compare, by the places of so many projects: nil
// of one without. projects are the places by ids; a baseline of no project is of all.
func CurrentBaselines(all []*schedules.Baseline, n int, projects map[string]int) []*schedules.Baseline {
	current := make([]*schedules.Baseline, n)
	for _, b := range all {
		for at, was := range current {
			if b.IsCurrent && (b.ProjectID == "" || projects[string(b.ProjectID)] == at) &&
				(was == nil || !b.CreatedOn.Before(was.CreatedOn.Time)) {
				current[at] = b
			}
		}
	}
	return current
}

// BaselineRows are the rows of some tasks in a baseline, by the ids of the tasks; those that it does not have are left out.
func BaselineRows(v *records.View, in records.Scope, baselineID string,
	taskIDs []string,
) (map[string]*schedules.BaselineTask, error) {
	b, err := core.Baselines.Value(v, in, baselineID)
	if err != nil {
		return nil, model.BaselineMissing.Or(err)
	}
	rows := core.RowsOf(b)
	of := core.BaselineTasks(rows)
	if records.Remote(v) { // which is asked once
		needs := make([]records.Need, len(taskIDs))
		for i, id := range taskIDs {
			needs[i] = of.Table().Need(in, records.Join(rows, id))
		}
		if err := records.Prefetch(v, needs...); err != nil {
			return nil, err
		}
	}
	found := make(map[string]*schedules.BaselineTask)
	for _, id := range taskIDs {
		row, err := of.Lookup(v, in, records.Join(rows, id))
		if err != nil {
			return nil, err
		}
		if row != nil {
			found[id] = row
		}
	}
	return found, nil
}

// datedBaseline is a baseline of a plan as one itself.
func datedBaseline(v *records.View, sc *model.Schedule, baselineID string, of *dated.Plan) (*dated.Plan, error) {
	b, err := core.Baselines.Value(v, sc.Scope, baselineID)
	if err != nil {
		return nil, model.BaselineMissing.Or(err)
	}
	c, err := core.ReadClock(v, sc.Scope)
	if err != nil {
		return nil, err
	}
	project := of.Projects[0]
	p := &dated.Plan{
		Name: b.Name, PrivateIDs: true,
		Projects: []dated.Project{{ID: project.ID, Name: b.Name, Calendar: project.Calendar}},
	}
	now := make(map[string]*dated.Task, len(of.Tasks))
	for i := range of.Tasks {
		now[of.Tasks[i].ID] = &of.Tasks[i]
	}
	found, err := AnalysesOfBaseline(v, sc.Scope, core.RowsOf(b))
	if err != nil {
		return nil, err
	}
	place, above, grouping := make(map[string]int), []string(nil), make(map[int]bool)
	for t, err := range core.BaselineTasks(core.RowsOf(b)).All(v, sc.Scope, records.Join(core.RowsOf(b), "")) {
		if err != nil {
			return nil, err
		}
		task := dated.Task{
			ID: t.TaskID, Code: t.UserDefinedID, Name: t.Name, Parent: dated.None,
			Duration: int64(t.Duration), Remaining: int64(t.Duration),
		}
		own, ownFinish := core.OwnDatesOfRow(t) // what was below it spanRows finds
		task.Start, task.Finish = c.Local(own), c.Local(ownFinish)
		task.Start, task.Finish = cmp.Or(task.Start, task.Finish), cmp.Or(task.Finish, task.Start)
		if is := now[t.TaskID]; is != nil {
			task.Kind, task.Calendar = is.Kind, is.Calendar
		}
		wbs, inactive := core.RowWas(t)
		if task.Inactive = inactive; wbs {
			task.Kind, grouping[len(p.Tasks)] = cpm.Summary, true
		}
		analyzed(t, &task, found[t.TaskID])
		place[t.TaskID], above = len(p.Tasks), append(above, core.ParentOfRow(t))
		p.Tasks = append(p.Tasks, task)
	}
	spanRows(p, place, above, grouping)
	for l, err := range core.BaselineTaskLinks(core.RowsOf(b)).All(v, sc.Scope, records.Join(core.RowsOf(b), "")) {
		if err != nil {
			return nil, err
		}
		from, ok := place[l.PredecessorID]
		to, both := place[l.SuccessorID]
		if ok && both {
			p.Links = append(p.Links, dated.Link{
				ID: l.TaskLinkID, Predecessor: from, Successor: to,
				Type: LinkTypeIn(l.Type), Lag: int64(l.Lag),
			})
		}
	}
	return p, nil
}

// spanRows gives the summaries of a baseline the dates of what was below them when it was made, as Plan.SpanSummaries
// gives those of a plan. place is by ids, above what each was below, and grouping says which are known to have been above
// others: one that is not may have been a task of its own.
func spanRows(p *dated.Plan, place map[string]int, above []string, grouping map[int]bool) {
	order, depth := make([]int, len(above)), make([]int, len(above))
	for i := range above {
		order[i] = i
		for at, ok := place[above[i]]; ok && depth[i] < len(above); at, ok = place[above[at]] {
			depth[i]++
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(depth[b]-depth[a], a-b) })
	below := make([]dated.Span, len(above))
	for _, i := range order { // those below before those above
		t, span := &p.Tasks[i], &below[i]
		if t.Kind == cpm.Summary && span.Start != 0 {
			t.Start, t.Finish = span.Start, span.Finish
			p.Measure(i, dated.Work{Remaining: t.Remaining, Spans: true})
		} else if !grouping[i] {
			*span = dated.Span{Start: t.Start, Finish: t.Finish}
		}
		if at, ok := place[above[i]]; ok && !t.Inactive {
			below[at].Widen(span.Start, span.Finish)
		}
	}
}

// analyzed gives a task of a baseline what its planner found of it, or a rescheduling did.
func analyzed(t *schedules.BaselineTask, task *dated.Task, a *schedules.BaselineSchedulingAnalysis) {
	float := t.TotalFloat
	if a != nil {
		task.Critical, task.Longest = a.IsCritical, a.IsOnLongestPath
		float = cmp.Or(a.DownstreamTotalFloat, float)
	}
	if float != nil {
		task.HasFloat, task.TotalFloat = true, *float
	}
}

// AnalysesOfBaseline are the analyses that a baseline has kept, by task.
func AnalysesOfBaseline(v *records.View, in records.Scope,
	rows string) (map[string]*schedules.BaselineSchedulingAnalysis,
	error,
) {
	found := make(map[string]*schedules.BaselineSchedulingAnalysis)
	for a, err := range core.BaselineAnalyses(rows).All(v, in, records.Join(rows, "")) {
		if err != nil {
			return nil, err
		}
		kept := *a
		found[a.TaskID] = &kept
	}
	return found, nil
}

// LinkTypeIn is what a link of a type is in a network. An Unknown one is the usual one.
func LinkTypeIn(t schedules.TaskLinkType) cpm.LinkType {
	switch t {
	case schedules.StartToStart:
		return cpm.StartToStart
	case schedules.FinishToFinish:
		return cpm.FinishToFinish
	case schedules.StartToFinish:
		return cpm.StartToFinish
	default:
		return cpm.FinishToStart
	}
}

// dated are the projects for those who look at the plan.
func (b *Builder) dated(sc *model.Schedule) []dated.Project {
	project := func(set *schedules.ProjectScheduling) dated.Project {
		x := b.project(set, 0)
		return dated.Project{Calendar: x.Calendar, Start: x.Start, DataDate: x.DataDate, MustFinish: x.MustFinish}
	}
	all := []dated.Project{project(&b.Settings)}
	all[0].ID, all[0].Name, all[0].Start = sc.ScheduleID, sc.Name, 0
	for i := range b.Settings.Projects {
		x := &b.Settings.Projects[i]
		if i > 0 {
			all = append(all, project(b.Calendars.Projects[x.ID]))
		}
		all[i].ID, all[i].Code, all[i].Name = x.ID, x.Code, cmp.Or(x.Name, x.Code, x.ID)
	}
	return all
}

// End is when the last task of all projects ends.
func (f *Solution) End() (last worktime.Time) {
	for project := range f.projects {
		last = max(last, f.Finish(project))
	}
	return last
}
