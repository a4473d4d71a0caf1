package worktime

import (
	"errors"
	"fmt"
	"slices"
)

// MaxExceptionDays is how many days of a calendar may be exceptions, those of its bases
// included.
const MaxExceptionDays = 100_000

// Definition is when work is done.
type Definition struct {
	// Base is the calendar whose week and exceptions hold where this one has none.
	Base *Definition
	Week Week
	// Exceptions are days on which the week does not count. Of several for a day the
	// last one holds, and before those of the base.
	Exceptions []Exception
}

// Exception gives days other hours than the week does.
type Exception struct {
	First, Last Time // any time of the first and of the last day
	// Repeat leaves only some of these days; nil is all of them.
	Repeat *Repeat
	Hours  Hours // none for days off
}

var (
	// ErrNoWork is what a calendar fails with whose week has no working time: nothing
	// that is begun would ever end.
	ErrNoWork = errors.New("worktime: a week needs working time")
	// ErrExceptions is what a calendar fails with whose exceptions are too many, or end
	// before they begin.
	ErrExceptions = fmt.Errorf("worktime: exceptions end when they have begun, and are %d days at most",
		MaxExceptionDays)
	// ErrBases is what a calendar fails with that is based on itself, or on more than
	// a hundred others.
	ErrBases = errors.New("worktime: a calendar is based on itself, or on too many others")
)

// maxBases is how many calendars one may be based on, one behind the other.
const maxBases = 100

// bases are the definition and those that it is based on, the nearest last.
func (d *Definition) bases() (all []*Definition, err error) {
	for ; d != nil; d = d.Base {
		if all = append(all, d); len(all) > maxBases {
			return nil, ErrBases
		}
	}
	slices.Reverse(all)
	return all, nil
}

// check fails for an exception that no calendar can have.
func (x *Exception) check() error {
	if err := x.Hours.check(); err != nil {
		return err
	}
	first, last := dayOf(x.First), dayOf(x.Last)
	if last < first || x.First < MinTime || x.Last > MaxTime || last-first >= MaxExceptionDays {
		return fmt.Errorf("%w: %v to %v", ErrExceptions, x.First, x.Last)
	}
	return x.Repeat.check()
}

// dayOf is the number of a day, which is zero for the first of January 1970.
func dayOf(t Time) int64 { return floorDiv(int64(t), Day) }
