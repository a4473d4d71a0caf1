package rescheduling

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Held is by what a trial holds a task in place of its own constraint.
type Held struct {
	TaskID      string
	Type        schedules.ConstraintType
	Early, Late twinplatform.DateTime
}

// Trial is a plan as a rescheduling would leave it, of which nothing is kept.
type Trial struct {
	*Network // with the constraints of the trial

	Found *Solution
	Moves []move
}

// Try finds where a rescheduling of some tasks, or of all, would put them if constraints were others. It changes
// nothing of the network.
func (n *Network) Try(ctx context.Context, taskIDs []string, held []Held) (*Trial, error) {
	t := &Trial{Network: n}
	if len(held) > 0 {
		t.Network = n.with(held)
	}
	var err error
	if t.Found, err = t.FoundFor(ctx, taskIDs); err != nil {
		return nil, err
	}
	var todo rescheduled
	if len(taskIDs) == 0 {
		for number := range t.Tasks {
			t.addMove(&todo, t.Found, number)
		}
	}
	for _, id := range model.Unique(taskIDs) {
		if number, ok := t.Find(id); ok {
			t.addMove(&todo, t.Found, number)
		}
	}
	t.Moves = todo.Moves
	return t, nil
}

// with is the network with tasks that are held otherwise.
func (n *Network) with(held []Held) *Network {
	other := n.copied()
	for _, h := range held {
		number, ok := n.Find(h.TaskID)
		if !ok {
			continue
		}
		var filled Filled
		t := other.Fill(&filled, number)
		t.ConstraintType, t.ConstraintEarlyDate, t.ConstraintLateDate = h.Type, h.Early, h.Late
		other.put(number, t)
	}
	return other
}

// copied is the network without its dates. What callers change of its tasks, the other does not have.
func (n *Network) copied() *Network {
	return &Network{
		Scope: n.Scope, revision: n.revision, Calendars: n.Calendars, uses: n.uses, Settings: n.Settings, loaded: true,
		Tasks: slices.Clone(n.Tasks), Links: n.Links, names: n.names, work: n.work, hammocks: n.hammocks,
	}
}

// put changes a task, which stays below the one that it is below.
func (n *Network) put(number int, t *schedules.Task) {
	was := n.Tasks[number]
	n.Tasks[number] = n.keep(t, &was, nil)
	n.Tasks[number].parent = was.parent
}

// Next is what becomes of a task that moves, and what it was.
func (t *Trial) Next(m *move, was *Filled) (next schedules.Task) {
	next = *t.Fill(was, m.Number)
	m.Apply(&next)
	t.Calendars.Settle(&next)
	return next
}

// Plans are the plan as it is planned now, and as it would be, for those who compare them.
func (t *Trial) Plans() (now, would *dated.Plan) {
	then := t.copied()
	for i := range t.Moves {
		var was Filled
		next := t.Next(&t.Moves[i], &was)
		then.put(t.Moves[i].Number, &next)
	}
	would = then.Shown(t.Found) // first, so that the copy is not kept until both are made
	return t.Shown(nil), would
}

// Shown is the plan for those who compare it, with the dates that were found, or nil where it is as it is planned.
func (n *Network) Shown(f *Solution) *dated.Plan {
	b := n.Builder(nil)
	p := &dated.Plan{PrivateIDs: true, Projects: b.dated(new(model.Schedule))}
	n.place(b, p, f)
	return p
}
