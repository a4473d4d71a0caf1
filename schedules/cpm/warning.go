package cpm

// Warning is something that a planner is to know of dates that were found all the same.
type Warning struct {
	Code WarningCode
	// Task and Link are the numbers of the task and of the link that the warning is about,
	// each -1 where there is none.
	Task, Link int
}

// WarningCode is what a warning is of.
type WarningCode string

// The codes of warnings.
const (
	// NoPredecessor and NoSuccessor are open ends: nothing drives the task, or it
	// drives nothing.
	NoPredecessor WarningCode = "NoPredecessor"
	NoSuccessor   WarningCode = "NoSuccessor"
	// OutOfSequence is a task that began, or ended, before a link admits it.
	OutOfSequence WarningCode = "OutOfSequence"
	// ActualAfterDataDate is an actual date behind the data date.
	ActualAfterDataDate WarningCode = "ActualAfterDataDate"
	// ConstraintBroken is a constraint that the dates do not keep, since links outrank
	// it.
	ConstraintBroken WarningCode = "ConstraintBroken"
	// LinkBroken is a link that the dates do not keep, since a constraint or a date
	// given by hand outranks it.
	LinkBroken WarningCode = "LinkBroken"
	// DeadlineMissed is a task that ends behind its deadline.
	DeadlineMissed WarningCode = "DeadlineMissed"
	// InvertedHammock is a short hammock that would end before it begins. It has no
	// duration.
	InvertedHammock WarningCode = "InvertedHammock"
	// LinkIgnored is a link to the finish of a summary, which has no effect.
	LinkIgnored WarningCode = "LinkIgnored"
)

// Warnings lists the warnings about tasks, in the order of the tasks, then the warnings
// about links in theirs.
func (r *Result) Warnings() (all []Warning) {
	p := r.p
	warn := func(code WarningCode, task, link int) { all = append(all, Warning{Code: code, Task: task, Link: link}) }
	for i := range p.tasks {
		switch {
		case p.isHammock(i) && p.spans[i].broken:
			warn(InvertedHammock, i, none)
		case p.states[i] >= waiting:
			p.warnOf(i, func(code WarningCode) { warn(code, i, none) })
		}
	}
	for i := range p.links {
		if code := p.fault(i); code != "" {
			warn(code, none, i)
		}
	}
	return all
}

// warnOf reports the warnings of a task.
func (p *pass) warnOf(i int, warn func(WarningCode)) {
	t := &p.tasks[i]
	if p.states[i] == waiting && !p.joined(i, p.in.from) {
		warn(NoPredecessor)
	}
	if p.states[i] != ended && !p.joined(i, p.out.from) {
		warn(NoSuccessor)
	}
	if at := later(t.ActualStart, t.ActualFinish); p.Profile == P6 && at != 0 && at > p.project(i).earliest {
		warn(ActualAfterDataDate)
	}
	if t.Deadline != 0 && p.calendars[i].Between(t.Deadline, p.finishOf(i)) > 0 {
		warn(DeadlineMissed)
	}
	if p.states[i] == waiting && p.breaks(i) {
		warn(ConstraintBroken)
	}
}

// joined reports whether a task, or what it is below, has links in rows that begin there.
func (p *pass) joined(i int, from []int32) bool {
	for ; i != none; i = int(p.parent[i]) {
		if from[i+1] > from[i] {
			return true
		}
	}
	return false
}

// breaks reports whether a task is where a constraint of it does not want it.
func (p *pass) breaks(i int) bool {
	c, start := p.calendars[i], p.early[i]
	finish := start + p.duration[i]
	for _, x := range p.tasks[i].Constraints {
		var broken bool
		switch to := c.Worked(x.Date); x.Type {
		case StartNoEarlier:
			broken = start < to
		case FinishNoEarlier:
			broken = finish < to
		case StartNoLater:
			broken = start > to
		case FinishNoLater:
			broken = finish > to
		case StartOn, MandatoryStart:
			broken = start != to
		case FinishOn, MandatoryFinish:
			broken = finish != to
		case AsLateAsPossible:
		}
		if broken {
			return true
		}
	}
	return false
}

// fault is what there is to know of a link.
func (p *pass) fault(link int) WarningCode {
	l := &p.links[link]
	if p.states[l.Successor] == summary && l.Type.toFinish() && p.states[l.Predecessor] != outside {
		return LinkIgnored
	}
	if !p.counts(l.Predecessor, l.Successor, l.Type) {
		return ""
	}
	switch a := p.arc(link); p.states[l.Successor] {
	case begun, ended:
		if p.outOfSequence(l, &a) {
			return OutOfSequence
		}
	case waiting, fixed:
		if p.push(l.Successor, &a) > p.early[l.Successor] {
			return LinkBroken
		}
	}
	return ""
}

// outOfSequence reports whether the successor of a link has begun or ended when the
// link did not admit it yet.
func (p *pass) outOfSequence(l *Link, a *arc) bool {
	t := &p.tasks[l.Successor]
	at := t.ActualStart
	if l.Type.toFinish() {
		if at = t.ActualFinish; at == 0 {
			return false
		}
	}
	from := p.tasks[l.Predecessor].ActualFinish
	if l.Type.fromStart() {
		from = p.tasks[l.Predecessor].ActualStart
	}
	// A predecessor that is a summary or kept by hand has no actual dates to ask for.
	if from == 0 && p.states[l.Predecessor] != summary && p.states[l.Predecessor] != fixed {
		return true
	}
	return p.calendars[l.Successor].Between(at, p.anchor(a)) > 0
}
