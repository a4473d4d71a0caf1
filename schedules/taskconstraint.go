package schedules

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// secondConstraintTypes are those of which one date at most says all.
var secondConstraintTypes = []ConstraintType{StartAlap, StartOn, StartAfter, StartBefore, FinishOn, FinishAfter, FinishBefore}

// constraints hold a task to its dates. One without the date that it needs holds nothing.
func (b *networkBuilder) constraints(t *Task) []cpm.Constraint {
	local := b.calendars.local
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

// mandatory reports whether a constraint outranks links.
func mandatory(typ cpm.ConstraintType) bool {
	return typ == cpm.MandatoryStart || typ == cpm.MandatoryFinish
}

// constraintsOf are those of the engine that one of the schedule stands for.
func constraintsOf(typ ConstraintType, early, late worktime.Time) (all []cpm.Constraint) {
	add := func(c cpm.ConstraintType, date worktime.Time) {
		if date != 0 {
			all = append(all, cpm.Constraint{Type: c, Date: date})
		}
	}
	switch typ {
	case StartAlap:
		all = append(all, cpm.Constraint{Type: cpm.AsLateAsPossible})
	case StartOn:
		add(cpm.StartOn, cmp.Or(early, late))
	case StartAfter:
		add(cpm.StartNoEarlier, cmp.Or(early, late))
	case StartBefore:
		add(cpm.StartNoLater, cmp.Or(late, early))
	case StartBetween:
		add(cpm.StartNoEarlier, early)
		add(cpm.StartNoLater, late)
	case FinishOn:
		add(cpm.FinishOn, cmp.Or(late, early))
	case FinishAfter:
		add(cpm.FinishNoEarlier, cmp.Or(early, late))
	case FinishBefore:
		add(cpm.FinishNoLater, cmp.Or(late, early))
	case FinishBetween:
		add(cpm.FinishNoEarlier, early)
		add(cpm.FinishNoLater, late)
	case NoConstraint, StartAsap, CannotReschedule:
	}
	return all
}

// external is what other plans want of the dates of a task.
func (b *networkBuilder) external(t *Task) (all []cpm.Constraint) {
	if set := b.calendars.setOf(t); set.Profile != ProfileP6 || set.IgnoreExternalDates {
		return nil
	}
	if date := b.calendars.local(t.ExternalEarlyStart); date != 0 {
		all = append(all, cpm.Constraint{Type: cpm.StartNoEarlier, Date: date})
	}
	if date := b.calendars.local(t.ExternalLateFinish); date != 0 {
		all = append(all, cpm.Constraint{Type: cpm.FinishNoLater, Date: date})
	}
	return all
}

// heldTask is to what dates a file holds a task.
type heldTask struct {
	constraint            ConstraintType
	early, late, expected twinplatform.DateTime
	further               heldFurther
}

// heldFurther is what few tasks have.
type heldFurther struct {
	externalStart, externalFinish              twinplatform.DateTime
	mandatory                                  bool
	second                                     ConstraintType
	secondDate, deadline                       twinplatform.DateTime
	inactive, placeholder, byResourceCalendars bool
}

func (h *heldTask) set(v *Task) {
	v.ConstraintType, v.ConstraintEarlyDate, v.ConstraintLateDate, v.ExpectedFinish = h.constraint, h.early, h.late, h.expected
	f := &h.further
	v.ExternalEarlyStart, v.ExternalLateFinish, v.IsMandatory = f.externalStart, f.externalFinish, f.mandatory
	v.SecondConstraintType, v.SecondConstraintDate = f.second, f.secondDate
	v.Deadline, v.IsInactive, v.IsPlaceholder, v.UsesResourceCalendars = f.deadline, f.inactive, f.placeholder, f.byResourceCalendars
}

// sayConstraints is what the file says of the dates that a task is held to.
func (d *planDiff) sayConstraints(t *planner.Task) (any, func(*Task)) {
	h := &heldTask{expected: d.at(t.ExpectedFinish), further: heldFurther{
		deadline: d.at(t.Deadline), inactive: t.Inactive, placeholder: t.Placeholder,
		byResourceCalendars: t.ResourceCalendars && !t.Elapsed && t.Kind == cpm.Work,
	}}
	further := &h.further
	constraints := slices.Clip(t.Constraints)
	if d.w.Modes.ConstrainExternalDates {
		if t.ExternalStart != 0 {
			constraints = append(constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: t.ExternalStart})
		}
		if t.ExternalFinish != 0 {
			constraints = append(constraints, cpm.Constraint{Type: cpm.FinishNoLater, Date: t.ExternalFinish})
		}
	} else {
		further.externalStart, further.externalFinish = d.at(t.ExternalStart), d.at(t.ExternalFinish)
	}
	used := 0
	h.constraint, h.early, h.late, used = d.constraint(constraints)
	further.mandatory = used > 0 && mandatory(constraints[0].Type)
	if used < len(constraints) {
		c := constraints[used]
		if second := constraintTypesOf[c.Type]; slices.Contains(secondConstraintTypes, second) && !mandatory(c.Type) {
			further.second, further.secondDate = second, d.at(c.Date)
			used++
		}
	}
	for _, c := range constraints[used:] {
		d.warn("Warning: Task (ID=%s) has a further constraint (%s), which was ignored.", cmp.Or(t.Code, t.ID), constraintTypesOf[c.Type])
	}
	if t.Manual && h.constraint == NoConstraint {
		h.constraint = CannotReschedule
	}
	if *further == (heldFurther{}) { // as in sayActuals
		return d.says().text(string(h.constraint)).at(h.early).at(h.late).at(h.expected), h.set
	}
	return []any{
		h.constraint, h.early, h.late, h.expected, further.externalStart, further.externalFinish, further.mandatory, further.second, further.secondDate,
		further.deadline, further.inactive, further.placeholder, further.byResourceCalendars,
	}, h.set
}
