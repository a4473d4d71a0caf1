package fourd

import (
	"iter"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Timeline is how the entities of a site change. It is read by many at once.
type Timeline struct {
	site        *Site
	spans       []span // of the tasks
	profiles    []usedProfile
	transforms  []Matrix
	assignments []usedAssignment
	boxes       []Box
	entities    []entity // by id
	bounds      []bound  // by entity, then in order
	// times and choices are the segments of the entities, which begin at entity.first.
	times    []worktime.Time
	choices  []choice
	statuses []resourceStatuses
	warnings []Warning
}

// entity is one with bindings.
type entity struct {
	id    string
	first int32 // of its segments
	shown int32 // place of the statuses of its resource
}

// bound is a binding with the places of what it names.
type bound struct{ binding, task, profile, transform, assignment, box int32 }

// choice says which binding decides about each aspect, and in which phase of its task. It is none
// where no binding does.
type choice [aspects]int32

// decision is what a choice has of an aspect.
func decision(bound int32, phase int) int32 { return bound<<2 | int32(phase) }

// by is the binding that decides about an aspect, nil where none does.
func (t *Timeline) by(decision int32) (b *bound, phase int) {
	if decision == none {
		return nil, 0
	}
	return &t.bounds[decision>>2], int(decision & 3)
}

// New computes the timeline of a site. It takes a time that grows little more than the number of
// bindings does, and keeps some 120 bytes for each.
//
// It fails with ErrID or ErrTooMany. What else is wrong, Warnings say.
func New(s *Site) (*Timeline, error) {
	if len(s.Bindings) > MaxBindings {
		return nil, ErrTooMany
	}
	t := &Timeline{site: s}
	at, err := t.resolve()
	if err != nil {
		return nil, err
	}
	b := builder{Timeline: t, at: at, warned: make([]bool, len(s.Tasks)), undated: make(map[*bool]bool)}
	b.build()
	return t, nil
}

// Len is how many entities have bindings.
func (t *Timeline) Len() int { return len(t.entities) }

// EntityID is the id of an entity. The entities are in the byte order of their ids.
func (t *Timeline) EntityID(i int) string { return t.entities[i].id }

// Find is the place of an entity. Without bindings it has none, and is as the model has it.
func (t *Timeline) Find(entityID string) (i int, found bool) {
	return slices.BinarySearchFunc(t.entities, entityID, func(e entity, id string) int {
		return strings.Compare(e.id, id)
	})
}

// Span is from the first change of all to the last, both zero where nothing changes.
func (t *Timeline) Span() (span Span) {
	for i := range t.entities {
		times, _ := t.segments(i)
		if len(times) == 1 {
			continue
		}
		if first := times[1]; span.Start == 0 || first < span.Start {
			span.Start = first
		}
		span.Finish = max(span.Finish, times[len(times)-1])
	}
	return span
}

// segments are what is decided about an entity, and from when on.
func (t *Timeline) segments(i int) ([]worktime.Time, []choice) {
	from, to := t.entities[i].first, int32(len(t.times))
	if i+1 < len(t.entities) {
		to = t.entities[i+1].first
	}
	return t.times[from:to], t.choices[from:to]
}

// StateAt puts the state of an entity at a time where into points.
func (t *Timeline) StateAt(i int, at worktime.Time, into *State) {
	times, choices := t.segments(i)
	*into = State{}
	t.state(i, &choices[current(times, at)], at, at, into)
}

// At yields the state of each entity at a time. It is valid until the next one.
func (t *Timeline) At(at worktime.Time) iter.Seq2[string, *State] {
	return func(yield func(string, *State) bool) {
		state := new(State)
		for i := range t.entities {
			t.StateAt(i, at, state)
			if !yield(t.entities[i].id, state) {
				return
			}
		}
	}
}

// current is the place of the last of some times that is not behind another one, and 0 where
// all are.
func current(times []worktime.Time, at worktime.Time) int {
	from, to := 0, len(times)
	for to-from > 1 {
		if middle := int(uint(from+to) >> 1); times[middle] <= at {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}
