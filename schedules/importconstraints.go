package schedules

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

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

// constraintContent is what the file has of the dates that a task is held to.
func (d *planDiff) constraintContent(t *planner.Task) (any, func(*Task)) {
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
	if *further == (heldFurther{}) { // as in progressContent
		return d.newFacts().text(string(h.constraint)).at(h.early).at(h.late).at(h.expected), h.set
	}
	return []any{
		h.constraint, h.early, h.late, h.expected, further.externalStart, further.externalFinish, further.mandatory, further.second, further.secondDate,
		further.deadline, further.inactive, further.placeholder, further.byResourceCalendars,
	}, h.set
}

// percentTypes are those of the types in files that a task says.
var percentTypes = map[planner.PercentType]PercentCompleteType{planner.OfUnits: PercentOfUnits, planner.OfPhysical: PercentPhysical}

// remainingOf is what a file says that remains of a task which has begun; nil where it follows
// from how much of it is done.
func remainingOf(t *planner.Task, percent int32) *int32 {
	if spans(t) || typeOf(t) != Work {
		return nil
	}
	whole := t.Duration
	if t.Planned > 0 {
		whole = t.Planned
	}
	remaining := int32(min(max(t.Remaining, 0), math.MaxInt32))
	if t.PercentOf == planner.OfDuration && remaining == leftOf(min(max(whole, 0), math.MaxInt32), percent) {
		return nil
	}
	return &remaining
}
