package schedules

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

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
