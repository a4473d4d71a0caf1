package rescheduling

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// A network keeps of its tasks and links what scheduling and a look at the plan ask of them, by
// their numbers: the places of their ids in order. Where code wants a Task, it is filled with
// what is kept; all else is read from the store.

// moment is a date in milliseconds since the first that there is, which is 1; zero is none.
type moment int64

// firstMoment is what the first date is in milliseconds since 1970, less one.
var firstMoment = core.FirstDate.UnixMilli() - 1

func momentOf(d twinplatform.DateTime) moment {
	if d.IsZero() {
		return 0
	}
	return moment(d.UnixMilli() - firstMoment)
}

func (m moment) date() twinplatform.DateTime {
	switch m {
	case 0:
		return twinplatform.DateTime{}
	case 1:
		return core.FirstDate
	default:
		return twinplatform.At(time.UnixMilli(int64(m) + firstMoment))
	}
}

// networkTask is what is kept of a task.
type networkTask struct {
	text                        string // its id, its name and its user-defined id, one behind the other
	plannedStart, plannedFinish moment
	rest                        *networkRest // nil for none
	plannedDuration             int32
	parent                      int32  // the number of the task above it, none for one at the top
	calendar, project           int32  // their places among the names
	id, name                    uint16 // the lengths of both in the text
	typ, status, constraint     uint8  // their places among those that there are
	is                          taskFlags
}

// networkRest is what is kept of a task that has begun, or that other dates hold.
type networkRest struct {
	actualStart, actualFinish   moment
	suspend, resume, expected   moment
	early, late, second         moment // of its constraints
	deadline                    moment
	externalEarly, externalLate moment
	splits                      []schedules.TaskSplit
	remainingDuration           int32
	remains                     bool // for as long as that
	secondConstraint            uint8
}

// taskFlags are what is so of a task.
type taskFlags uint8

const (
	lasting taskFlags = 1 << iota // it has a planned duration
	wbs
	inactive
	placeholder
	resourceCalendars
	mandatoryConstraint
)

func flagsOf(flags ...bool) (all taskFlags) {
	for i, is := range flags {
		if is {
			all |= 1 << i
		}
	}
	return all
}

// none is the number of no task.
const none = -1

// placeOf is the place of a value among those that there are, from 1 on; 0 for another one.
func placeOf[V comparable](all []V, v V) uint8 { return uint8(slices.Index(all, v) + 1) }

// valueAt is the value at a place.
func valueAt[V any](all []V, place uint8) (v V) {
	if place > 0 {
		v = all[place-1]
	}
	return v
}

// names are texts by their places, of which the first is empty.
type names struct {
	all    []string
	places map[string]int32
}

func (n *names) place(name twinplatform.NullString) int32 {
	if name == "" {
		return 0
	}
	at, ok := n.places[string(name)]
	if !ok {
		if n.places == nil {
			n.all, n.places = []string{""}, make(map[string]int32)
		}
		at = int32(len(n.all))
		own := strings.Clone(string(name))
		n.all, n.places[own] = append(n.all, own), at
	}
	return at
}

func (n *names) at(place int32) twinplatform.NullString {
	if place == 0 {
		return ""
	}
	return twinplatform.NullString(n.all[place])
}

// texts copies texts out of what was read, which stays as a whole for as long as a part of it
// does. Many are in one piece of memory; nil gives each its own.
type texts struct{ piece strings.Builder }

const (
	firstPiece = 1 << 10
	longPiece  = 1 << 16
)

func (x *texts) join(parts ...string) string {
	if x == nil {
		return strings.Join(parts, "")
	}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if x.piece.Cap()-x.piece.Len() < size {
		next := max(size, min(max(2*x.piece.Cap(), firstPiece), longPiece))
		x.piece = strings.Builder{}
		x.piece.Grow(next)
	}
	from := x.piece.Len()
	for _, p := range parts {
		x.piece.WriteString(p)
	}
	return x.piece.String()[from:]
}

// keep is what is kept of a task, but for what it is below. was is what was kept of it, whose
// text is kept on where it is the same.
func (n *Network) keep(t *schedules.Task, was *networkTask, x *texts) networkTask {
	k := networkTask{
		plannedStart: momentOf(t.PlannedStart), plannedFinish: momentOf(t.PlannedFinish), parent: none,
		calendar: n.names.place(t.CalendarID), project: n.names.place(t.ProjectID), id: uint16(len(t.ID)),
		name: uint16(len(t.Name)),
		typ:  placeOf(core.TaskTypes, t.Type), status: placeOf(core.TaskStatuses, t.Status),
		constraint: placeOf(core.ConstraintTypes,
			t.ConstraintType),
		is: flagsOf(t.PlannedDuration != nil, t.IsWBS, t.IsInactive, t.IsPlaceholder, t.UsesResourceCalendars,
			t.IsMandatory),
	}
	if t.PlannedDuration != nil {
		k.plannedDuration = *t.PlannedDuration
	}
	if was != nil && was.TaskID() == t.ID && was.TaskName() == t.Name && was.userDefinedID() == t.UserDefinedID {
		k.text = was.text
	} else {
		k.text = x.join(t.ID, t.Name, t.UserDefinedID)
	}
	rest := networkRest{
		actualStart: momentOf(t.ActualStart), actualFinish: momentOf(t.ActualFinish), suspend: momentOf(t.SuspendDate),
		resume:   momentOf(t.ResumeDate),
		expected: momentOf(t.ExpectedFinish), early: momentOf(t.ConstraintEarlyDate),
		late: momentOf(t.ConstraintLateDate), second: momentOf(t.SecondConstraintDate),
		deadline: momentOf(t.Deadline), externalEarly: momentOf(t.ExternalEarlyStart),
		externalLate: momentOf(t.ExternalLateFinish),
		remains:      t.RemainingDuration != nil, secondConstraint: placeOf(core.ConstraintTypes,
			t.SecondConstraintType),
		splits: slices.Clone(t.Splits),
	}
	if rest.remains {
		rest.remainingDuration = *t.RemainingDuration
	}
	if !rest.empty() {
		k.rest = &rest
	}
	return k
}

func (r *networkRest) empty() bool {
	return r.actualStart|r.actualFinish|r.suspend|r.resume|r.expected|r.early|r.late|r.second|r.deadline|
		r.externalEarly|r.externalLate == 0 &&
		!r.remains && r.secondConstraint == 0 && len(r.splits) == 0
}

func (k *networkTask) TaskID() string               { return k.text[:k.id] }
func (k *networkTask) TaskName() string             { return k.text[k.id : int(k.id)+int(k.name)] }
func (k *networkTask) userDefinedID() string        { return k.text[int(k.id)+int(k.name):] }
func (k *networkTask) taskType() schedules.TaskType { return valueAt(core.TaskTypes, k.typ) }
func (k *networkTask) taskStatus() schedules.TaskStatus {
	return valueAt(core.TaskStatuses, k.status)
}
func (k *networkTask) IsWBS() bool { return k.is&wbs != 0 }

// byResources reports whether the task is done when its resources work.
func (k *networkTask) byResources() bool {
	return k.is&resourceCalendars != 0 && core.KindOf(k.taskType()) == cpm.Work && !k.IsWBS()
}

// Filled is a Task with what a network keeps of it.
type Filled struct {
	schedules.Task
	planned, remaining int32 // to which the task points
}

// Fill fills a task with what is kept of the one with a number: all that scheduling and a look
// at the plan ask of it.
func (n *Network) Fill(f *Filled, number int) *schedules.Task {
	k := &n.Tasks[number]
	f.Task = schedules.Task{
		ID: k.TaskID(), Name: k.TaskName(), UserDefinedID: k.userDefinedID(), CalendarID: n.names.at(k.calendar),
		ProjectID: n.names.at(k.project),
		Type:      k.taskType(), Status: k.taskStatus(), ConstraintType: valueAt(core.ConstraintTypes, k.constraint),
		PlannedStart: k.plannedStart.date(), PlannedFinish: k.plannedFinish.date(), IsWBS: k.IsWBS(),
		IsInactive:    k.is&inactive != 0,
		IsPlaceholder: k.is&placeholder != 0, UsesResourceCalendars: k.is&resourceCalendars != 0,
		IsMandatory: k.is&mandatoryConstraint != 0,
	}
	t := &f.Task
	if k.parent != none {
		t.ParentID = twinplatform.NullString(n.Tasks[k.parent].TaskID())
	}
	if k.is&lasting != 0 {
		f.planned, t.PlannedDuration = k.plannedDuration, &f.planned
	}
	r := k.rest
	if r == nil {
		return t
	}
	t.ActualStart, t.ActualFinish, t.SuspendDate, t.ResumeDate = r.actualStart.date(), r.actualFinish.date(),
		r.suspend.date(), r.resume.date()
	t.ExpectedFinish, t.ConstraintEarlyDate, t.ConstraintLateDate = r.expected.date(), r.early.date(), r.late.date()
	t.SecondConstraintDate, t.Deadline, t.ExternalEarlyStart, t.ExternalLateFinish = r.second.date(), r.deadline.date(),
		r.externalEarly.date(), r.externalLate.date()
	t.SecondConstraintType, t.Splits = valueAt(core.ConstraintTypes, r.secondConstraint), r.splits
	if r.remains {
		f.remaining, t.RemainingDuration = r.remainingDuration, &f.remaining
	}
	return t
}

// networkLink is what is kept of a link.
type networkLink struct {
	ID                     string
	Predecessor, Successor int32 // the numbers of its tasks
	Lag, calendar          int32
	typ                    uint8
}

func (l *networkLink) LinkType() schedules.TaskLinkType { return valueAt(core.TaskLinkTypes, l.typ) }

// keepLink is what is kept of a link, and whether both of its tasks are there.
func (n *Network) keepLink(l *schedules.TaskLink, x *texts) (k networkLink, ok bool) {
	from, found := n.Find(l.PredecessorID)
	to, both := n.Find(l.SuccessorID)
	if !found || !both {
		return k, false
	}
	return networkLink{
		ID: x.join(l.ID), Predecessor: int32(from), Successor: int32(to), Lag: l.Lag,
		calendar: n.names.place(l.CalendarID),
		typ:      placeOf(core.TaskLinkTypes, l.Type),
	}, true
}

// networkAnalysis is what is kept of the analysis of a task.
type networkAnalysis struct {
	earlyStart, earlyFinish, lateStart, lateFinish moment
	total, free                                    int64
	known                                          bool // there is one
	critical, longest, totals, frees               bool // the last two report that there are such floats
}

func keepAnalysis(a *schedules.SchedulingAnalysis) networkAnalysis {
	k := networkAnalysis{
		earlyStart: momentOf(a.EarlyStart), earlyFinish: momentOf(a.EarlyFinish), lateStart: momentOf(a.LateStart),
		lateFinish: momentOf(a.LateFinish),
		known:      true, critical: a.IsCritical, longest: a.IsOnLongestPath, totals: a.DownstreamTotalFloat != nil,
		frees: a.DownstreamFreeFloat != nil,
	}
	if k.totals {
		k.total = *a.DownstreamTotalFloat
	}
	if k.frees {
		k.free = *a.DownstreamFreeFloat
	}
	return k
}

func compareTask(k networkTask, id string) int { return cmp.Compare(k.TaskID(), id) }
func compareLink(k networkLink, id string) int { return cmp.Compare(k.ID, id) }

// Find is the number of a task.
func (n *Network) Find(taskID string) (number int, ok bool) {
	return slices.BinarySearchFunc(n.Tasks, taskID, compareTask)
}

// Constraints hold a task to its dates. One without the date that it needs holds nothing.
func (b *Builder) Constraints(t *schedules.Task) []cpm.Constraint {
	local := b.Calendars.Local
	all := constraintsOf(t.ConstraintType, local(t.ConstraintEarlyDate), local(t.ConstraintLateDate))
	if t.IsMandatory {
		for i := range all {
			all[i].Type = mandatoryOf(all[i].Type)
		}
	}
	second := local(t.SecondConstraintDate)
	return append(all, constraintsOf(t.SecondConstraintType, second, second)...)
}

// mandatoryOf is the constraint that outranks links.
func mandatoryOf(typ cpm.ConstraintType) cpm.ConstraintType {
	switch typ {
	case cpm.StartOn:
		return cpm.MandatoryStart
	case cpm.FinishOn:
		return cpm.MandatoryFinish
	default:
		return typ
	}
}

// Mandatory reports whether a constraint outranks links.
func Mandatory(typ cpm.ConstraintType) bool {
	return typ == cpm.MandatoryStart || typ == cpm.MandatoryFinish
}

// constraintsOf are those of the engine that one of the schedule stands for.
func constraintsOf(typ schedules.ConstraintType, early, late worktime.Time) (all []cpm.Constraint) {
	add := func(c cpm.ConstraintType, date worktime.Time) {
		if date != 0 {
			all = append(all, cpm.Constraint{Type: c, Date: date})
		}
	}
	switch typ {
	case schedules.StartAlap:
		all = append(all, cpm.Constraint{Type: cpm.AsLateAsPossible})
	case schedules.StartOn:
		add(cpm.StartOn, cmp.Or(early, late))
	case schedules.StartAfter:
		add(cpm.StartNoEarlier, cmp.Or(early, late))
	case schedules.StartBefore:
		add(cpm.StartNoLater, cmp.Or(late, early))
	case schedules.StartBetween:
		add(cpm.StartNoEarlier, early)
		add(cpm.StartNoLater, late)
	case schedules.FinishOn:
		add(cpm.FinishOn, cmp.Or(late, early))
	case schedules.FinishAfter:
		add(cpm.FinishNoEarlier, cmp.Or(early, late))
	case schedules.FinishBefore:
		add(cpm.FinishNoLater, cmp.Or(late, early))
	case schedules.FinishBetween:
		add(cpm.FinishNoEarlier, early)
		add(cpm.FinishNoLater, late)
	case schedules.NoConstraint, schedules.StartAsap, schedules.CannotReschedule:
	}
	return all
}

// external is what other plans want of the dates of a task.
func (b *Builder) external(t *schedules.Task) (all []cpm.Constraint) {
	if set := b.Calendars.SetOf(t); set.Profile != schedules.ProfileP6 || set.IgnoreExternalDates {
		return nil
	}
	if date := b.Calendars.Local(t.ExternalEarlyStart); date != 0 {
		all = append(all, cpm.Constraint{Type: cpm.StartNoEarlier, Date: date})
	}
	if date := b.Calendars.Local(t.ExternalLateFinish); date != 0 {
		all = append(all, cpm.Constraint{Type: cpm.FinishNoLater, Date: date})
	}
	return all
}
