package control

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Faults are what is to go wrong. The first fault that is for a call is the one that
// happens to it. It is safe for concurrent use.
type Faults struct {
	operations func() []httpapi.Operation
	now        func() time.Time
	refuse     func(error) // called with what is wrong with a fault

	mu    sync.Mutex
	armed []*armedFault
}

// armedFault is a fault that has not happened often enough yet.
type armedFault struct {
	Fault
	answer httpapi.OperationError
	skip   int       // calls that still go well
	left   int       // calls that it still happens to; of one without Times all until then
	until  time.Time // of one that holds for a time, once it has begun
}

// Add has a fault happen from now on. A test that asks for an operation that there is
// not, or for an error that the operation is not documented to answer with, fails at
// once, with a list of those that there are.
func (f *Faults) Add(fault Fault) {
	if err := f.add(fault); err != nil {
		f.refuse(err)
	}
}

// Check reports why Add would refuse a fault; nil where it would not.
func (f *Faults) Check(fault Fault) error {
	_, err := fault.resolve(f.operations())
	return err
}

func (f *Faults) add(fault Fault) error {
	answer, err := fault.resolve(f.operations())
	if err != nil {
		return fmt.Errorf("a fault that cannot be: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = append(f.armed, &armedFault{Fault: fault, answer: answer, skip: fault.Skip, left: max(fault.Times, 1)})
	return nil
}

// Pending are the faults that have still to happen, with the number of Times and Skip
// that are left of each.
func (f *Faults) Pending() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.expire()
	out := make([]Fault, len(f.armed))
	for i, a := range f.armed {
		out[i] = a.Fault
		out[i].Skip = a.skip
		if !a.lasts() {
			out[i].Times = a.left
		}
	}
	return out
}

// Clear has nothing go wrong any more.
func (f *Faults) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = nil
}

// happening is what happens to one call.
type happening struct {
	Fault
	answer httpapi.OperationError
}

// take returns what happens to a call of an operation; nil where nothing does.
func (f *Faults) take(op string) *happening {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.expire()
	for i, a := range f.armed {
		switch {
		case a.Op != op:
			continue
		case a.skip > 0:
			a.skip--
			continue
		}
		h := &happening{a.Fault, a.answer}
		if a.lasts() {
			if a.until.IsZero() {
				a.until = f.now().Add(a.RetryAfter)
			}
			h.RetryAfter = a.until.Sub(f.now())
			return h
		}
		if a.left--; a.left == 0 {
			f.armed = slices.Delete(f.armed, i, i+1)
		}
		return h
	}
	return nil
}

// lasts reports whether the fault happens to every call for a time.
func (a *armedFault) lasts() bool { return a.Times == 0 && a.RetryAfter > 0 }

// expire drops the faults whose time is over.
func (f *Faults) expire() {
	now := f.now()
	f.armed = slices.DeleteFunc(f.armed, func(a *armedFault) bool { return !a.until.IsZero() && !now.Before(a.until) })
}
