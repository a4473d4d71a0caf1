package schedules

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// A recorded status is marked critical until a time that may be given. The mark is ended as
// any other change is made, by Run in time, and by whatever else is written to the schedule
// if that comes first.

// criticalUntil is the index of recorded statuses by the end of their mark.
const criticalUntil = "criticalUntil"

// markEnd says that marks of a schedule end, the first of them then or later.
type markEnd struct {
	At    twinplatform.DateTime `json:"at"`
	Place model.Place           `json:"place"`
}

func (e *markEnd) over(now twinplatform.DateTime) bool { return !e.At.After(now.Time) }

// inMarkEnds is where those of all schedules are, so that they are found in the order of
// their times.
const inMarkEnds records.Scope = "markends"

const markEndAt = "at"

var markEndRecords = records.Collection[markEnd]{
	Name: "mark-ends", Unversioned: true,
	ID:      func(e *markEnd) string { return string(e.Place.Scope) },
	Indexes: []records.Index[markEnd]{{Name: markEndAt, Value: func(e *markEnd) string { return sortable(e.At) }}},
}

// sortable is a date-time as an index has it, which sorts as the times do; empty for none.
func sortable(d twinplatform.DateTime) string {
	if d.IsZero() {
		return ""
	}
	return d.UTC().Format("2006-01-02T15:04:05.000Z")
}

// inFuture checks the end of a mark that is given.
func inFuture(c *problem.Checks, until, now twinplatform.DateTime) {
	if until = twinplatform.At(until.Time); !until.IsZero() && !until.After(now.Time) {
		c.Bad(criticalUntil, "A status is marked critical until a time in the future.")
	}
}

// endsAlone checks that what ends is there.
func (h *StatusHistoryItem) endsAlone(c *problem.Checks) {
	if !h.IsCritical && !h.CriticalUntil.IsZero() {
		c.Bad(criticalUntil, "Only a status that is critical has a time until which it is.")
	}
}

// noteEnd takes care that a mark in a schedule ends.
func (s *Service) noteEnd(u *records.Update, in model.Place, until twinplatform.DateTime) error {
	if until.IsZero() {
		return nil
	}
	sc, err := s.ready(u, in, true)
	if err != nil {
		return err
	}
	if !sc.marked {
		_, err = scheduleRecords.Modify(u, inAccount(sc.AccountID), scheduleKey(sc), "", func(sc *Schedule) error {
			sc.marked = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	first, err := markEndRecords.Lookup(u, inMarkEnds, string(in.Scope))
	if err != nil || first != nil && first.over(until) {
		return err
	}
	return s.putEnd(u, in, until)
}

// putEnd notes that marks of a schedule end then or later.
func (s *Service) putEnd(u *records.Update, in model.Place, first twinplatform.DateTime) error {
	s.earlierEnd()
	_, err := markEndRecords.Put(u, inMarkEnds, &markEnd{At: first, Place: in})
	return err
}

// noteEnds takes care that all marks of a schedule that is not written yet end.
func (s *Service) noteEnds(u *records.Update, sc *Schedule) error {
	for first := range historyRecords.ValuesFrom(u, sc.scope(), criticalUntil, "") {
		until, err := twinplatform.ParseDateTime(first)
		if err != nil {
			return err
		}
		sc.marked = true
		return s.putEnd(u, sc.place(), until)
	}
	return nil
}

// forgetEnds takes back what takes care of the marks of a schedule that is deleted.
func forgetEnds(u *records.Update, sc *Schedule) error {
	if !sc.marked {
		return nil
	}
	return markEndRecords.Erase(u, inMarkEnds, string(sc.scope()))
}

// endMarks ends the marks of a schedule that are over, as many as a step does, and reports
// whether that is all.
func (s *Service) endMarks(u *records.Update, sc *Schedule) (whole bool, err error) {
	if !sc.marked {
		return true, nil
	}
	in := sc.scope()
	now := s.now()
	noted, err := markEndRecords.Lookup(u, inMarkEnds, string(in))
	if err != nil || noted == nil || !noted.over(now) {
		return err == nil, err
	}
	step := records.NewStep(u)
	for until := range historyRecords.ValuesFrom(u, in, criticalUntil, "") {
		if until > sortable(now) {
			at, err := twinplatform.ParseDateTime(until)
			if err == nil {
				err = s.putEnd(u, noted.Place, at)
			}
			return err == nil, err
		}
		for id := range historyRecords.IDs(u, in, criticalUntil, until) {
			if more, err := step.Next(rowBytes); !more || err != nil {
				return false, err
			}
			rec, err := historyKind.Modify(u, in, id, "", &StatusHistoryItemPatch{IsCritical: twinplatform.Set(false)})
			if err != nil {
				return false, err
			}
			step.Spend(len(rec.Value.Note))
		}
	}
	return true, markEndRecords.Erase(u, inMarkEnds, string(in))
}

// endDue does a step of ending the marks that are over in any schedule, and reports whether
// there are more, or else when there will be.
func (s *Service) endDue(ctx context.Context) (next time.Time, more bool, err error) {
	var first *markEnd
	err = s.db.View(ctx, func(v *records.View) (err error) {
		first = nil
		for at := range markEndRecords.ValuesFrom(v, inMarkEnds, markEndAt, "") {
			for id := range markEndRecords.IDs(v, inMarkEnds, markEndAt, at) {
				first, err = markEndRecords.Lookup(v, inMarkEnds, id)
				return err
			}
		}
		return nil
	})
	if err != nil || first == nil || !first.over(s.now()) {
		if first != nil {
			next = first.At.Time
		}
		return next, false, err
	}
	at := first.Place
	return next, true, s.db.Update(model.Contended(ctx, at.ScheduleID), func(u *records.Update) error {
		sc, err := s.ready(u, at, true)
		if errors.Is(err, twinplatform.NotFound) {
			return markEndRecords.Erase(u, inMarkEnds, string(at.Scope))
		}
		if err == nil {
			_, err = s.endMarks(u, sc)
		}
		return err
	})
}

// EndDue ends at once what Run ends in its own time: the marks that statuses of resources
// are critical, where they have an end that is past. It is for programs whose clock is
// moved, such as tests, and for those that call no Run. It is for the system alone.
//
// Errors: InsufficientPermissions.
func (s *Service) EndDue(ctx context.Context) error {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return problem.SystemOnly
	}
	for {
		if _, more, err := s.endDue(ctx); !more || err != nil {
			return err
		}
	}
}
