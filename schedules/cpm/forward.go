package cpm

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// forward finds the early dates, and with them the finishes of the projects.
func (p *pass) forward() {
	for _, v := range p.order {
		switch i := int(v); {
		case i >= len(p.tasks):
			p.rollUp(i - len(p.tasks))
		case p.states[i] == summary:
			p.spans[i].floor = p.floorOf(i)
		case p.states[i] != outside:
			p.begin(i)
			p.extend(i)
		}
	}
	p.aim()
	p.delay()
}

// extend lets the project of a task end no earlier than the task. On one calendar only what
// has the most work before its finish can be the last.
func (p *pass) extend(i int) {
	x, worked := p.project(i), p.early[i]+p.duration[i]
	if x.last == p.calendars[i] && worked < x.worked && p.states[i] == waiting {
		return
	}
	if t := p.reached(i); x.finish == 0 || t > x.finish {
		x.finish, x.last, x.worked = t, p.calendars[i], worked
	}
}

// aim finds by when the projects are to end.
func (p *pass) aim() {
	var last worktime.Time
	for i := range p.projects {
		last = later(last, p.projects[i].finish)
	}
	for i := range p.projects {
		x := &p.projects[i]
		if p.Together {
			x.finish = last
		}
		// A project whose tasks are all summaries of others has no finish that could hold these.
		x.target = cmp.Or(x.MustFinish, x.finish, last)
	}
}

// begin finds the early start of a task.
func (p *pass) begin(i int) {
	c := p.calendars[i]
	switch t := &p.tasks[i]; p.states[i] {
	case ended:
		p.placeEnded(i)
		return
	case fixed:
		p.early[i] = c.Worked(t.Start)
		return
	case begun:
		p.early[i] = p.resume(i)
		if p.bound[i] && p.Profile == P6 {
			if t.Resume != 0 {
				p.early[i] = max(p.early[i], c.Worked(t.Resume))
			}
			p.expect(i)
		}
		return
	}
	at := p.opens(i)
	for a := range p.into(i) {
		at = max(at, p.push(i, a))
	}
	if s := p.parent[i]; s != none && p.spans[s].floor != 0 {
		at = max(at, c.Worked(p.spans[s].floor))
	}
	if p.bound[i] {
		at = p.constrain(i, at)
	}
	p.early[i] = at
	if p.bound[i] && p.Profile == P6 {
		p.expect(i)
	}
	p.placeMilestone(i)
}

// opens returns when a task begins that no link holds: when its project begins. In
// Microsoft Project a StartNoEarlier or FinishNoEarlier date may let it begin before the
// project.
func (p *pass) opens(i int) int64 {
	c, t := p.calendars[i], &p.tasks[i]
	at := c.Worked(p.project(i).earliest)
	if p.Profile != MSProject || !p.bound[i] {
		return at
	}
	for _, x := range t.Constraints {
		switch to := c.Worked(x.Date); x.Type {
		case StartNoEarlier:
			at = min(at, to)
		case FinishNoEarlier:
			at = min(at, to-p.duration[i])
		}
	}
	return at
}

// placeEnded puts a task that has ended where it was done, or in P6 where it is with
// nothing left to do: at the data date, or where logic is retained at what it should have
// waited for.
func (p *pass) placeEnded(i int) {
	c, t := p.calendars[i], &p.tasks[i]
	if p.Profile == MSProject {
		p.early[i] = c.Worked(t.ActualStart)
		p.duration[i] = c.Between(t.ActualStart, t.ActualFinish)
		return
	}
	at := p.project(i).earliest
	if p.retains() {
		for a := range p.into(i) {
			at = max(at, p.reach(a))
		}
	}
	p.spans[i].start, p.early[i] = at, c.Worked(at)
}

// reached is when a task ends as the finish of its project sees it.
func (p *pass) reached(i int) worktime.Time {
	if p.states[i] == ended && p.Profile == P6 {
		return p.spans[i].start
	}
	return p.finishOf(i)
}

// expect lets a task end when that is expected, or at once where that has passed. Where what
// holds its finish lets it end later, it takes as long as it would otherwise.
func (p *pass) expect(i int) {
	if !p.tasks[i].expected() {
		return
	}
	if to := p.calendars[i].Worked(p.tasks[i].ExpectedFinish); !p.finishHeld(i, to) {
		p.duration[i] = max(to-p.early[i], 0)
	}
}

// expected reports whether P6 knows when the task is expected to end.
func (t *Task) expected() bool { return t.ExpectedFinish != 0 && t.Kind == Work }

// finishHeld reports whether a link or a date lets a task end later than then.
func (p *pass) finishHeld(i int, then int64) bool {
	for a := range p.into(i) {
		if a.typ.toFinish() && p.push(i, a)+p.duration[i] > then {
			return true
		}
	}
	if p.states[i] != waiting {
		return false
	}
	for _, x := range p.tasks[i].Constraints {
		switch x.Type {
		case FinishNoEarlier, FinishOn, MandatoryFinish:
			if p.calendars[i].Worked(x.Date) > then {
				return true
			}
		}
	}
	return false
}

// resume is when what remains of a task begins.
func (p *pass) resume(i int) int64 {
	c, actual := p.calendars[i], p.tasks[i].ActualStart
	if p.Profile == MSProject {
		return c.Worked(actual)
	}
	at := max(c.Worked(p.project(i).earliest), c.Worked(actual))
	if p.Progress != RetainedLogic {
		return at
	}
	for a := range p.into(i) {
		at = max(at, p.push(i, a))
	}
	return at
}

// constrain is the early start of a task that its links would let begin then.
func (p *pass) constrain(i int, at int64) int64 {
	c, d, logic := p.calendars[i], p.duration[i], at
	for _, x := range p.tasks[i].Constraints {
		to := c.Worked(x.Date)
		switch x.Type {
		case StartNoEarlier, StartOn:
			at = max(at, to)
		case FinishNoEarlier, FinishOn:
			at = max(at, to-d)
		}
	}
	for _, x := range p.tasks[i].Constraints {
		to := c.Worked(x.Date)
		switch {
		case x.Type == MandatoryStart, x.Type == StartNoLater && p.Profile == MSProject && logic > to:
			at = to
		case x.Type == MandatoryFinish, x.Type == FinishNoLater && p.Profile == MSProject && logic > to-d:
			at = to - d
		}
	}
	return at
}

// placeMilestone finds out whether a finish milestone is at the end of a piece of work, or
// has to wait for the next since what puts it there is in the pause between, or behind it:
// its project, what it is below, a link or a date.
func (p *pass) placeMilestone(i int) {
	if p.duration[i] != 0 || p.tasks[i].Kind != FinishMilestone {
		return
	}
	c := p.calendars[i]
	var latest worktime.Time
	hold := func(t worktime.Time) {
		if t != 0 && c.Worked(t) == p.early[i] {
			latest = later(latest, t)
		}
	}
	hold(p.project(i).earliest)
	if s := p.parent[i]; s != none {
		hold(p.spans[s].floor)
	}
	for a := range p.into(i) {
		if p.push(i, a) == p.early[i] {
			latest = later(latest, p.reach(a))
		}
	}
	for _, x := range p.tasks[i].Constraints {
		hold(x.Date)
	}
	p.onwards[i] = latest != 0 && latest > c.FinishAt(p.early[i])
}

// floorOf is before when nothing below a summary begins; zero is nothing.
func (p *pass) floorOf(i int) (t worktime.Time) {
	if s := p.parent[i]; s != none {
		t = p.spans[s].floor
	}
	for a := range p.into(i) {
		t = later(t, p.reach(a))
	}
	for _, x := range p.tasks[i].Constraints {
		if x.Type == StartNoEarlier {
			t = later(t, x.Date)
		}
	}
	return t
}

// rollUp gives a summary the dates of what is below it.
func (p *pass) rollUp(i int) {
	s := &p.spans[i]
	for _, child := range p.below.of(i) {
		c := int(child)
		if p.states[c] == outside {
			continue
		}
		if t := p.startOf(c); s.start == 0 || t != 0 && t < s.start {
			s.start = t
		}
		s.finish = later(s.finish, p.finishOf(c))
	}
}

// delay lets tasks that are to be as late as possible use up their free float, the last
// ones first.
func (p *pass) delay() {
	if p.Profile == MSProject {
		return
	}
	moved := false
	for _, v := range slices.Backward(p.order) {
		i := int(v)
		if i >= len(p.tasks) || p.states[i] != waiting || !p.bound[i] || !p.tasks[i].as(AsLateAsPossible) {
			continue
		}
		if free := p.freeFloat(i); free > 0 {
			p.early[i] += free
			p.placeMilestone(i)
			moved = true
		}
	}
	if !moved {
		return
	}
	for _, v := range p.order {
		if i := int(v) - len(p.tasks); i >= 0 {
			p.spans[i].start, p.spans[i].finish = 0, 0
			p.rollUp(i)
		}
	}
}

// as reports whether a task has a constraint.
func (t *Task) as(c ConstraintType) bool {
	for _, x := range t.Constraints {
		if x.Type == c {
			return true
		}
	}
	return false
}
