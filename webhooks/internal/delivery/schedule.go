package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The schedule is one of fair queueing: within an account the endpoint goes first that
// has waited longest, and among accounts the account. So however much one account has
// waiting, it delays another by one turn.
//
// Slow endpoints are in their own flows, since they may use only a part of the workers.

// flow is the endpoints of one account that are quick, or those that are slow.
type flow struct {
	class  class
	tenant string // the account, as part of an id
}

// class separates quick endpoints from slow ones.
type class string

const (
	quick class = "q"
	slow  class = "s"
)

var classes = []class{quick, slow}

// flowOf is the flow in which an endpoint stands.
func flowOf(e *Endpoint, l *State) flow {
	f := flow{quick, e.Tenant}
	if l.Slow > 0 {
		f.class = slow
	}
	if len(f.tenant) > 64 || strings.Contains(f.tenant, "/") {
		sum := sha256.Sum256([]byte(f.tenant))
		f.tenant = "#" + hex.EncodeToString(sum[:16])
	}
	return f
}

// scheduleScope is where the schedule is kept, in which all accounts have their turn.
const scheduleScope records.Scope = "webhookturns"

// slot is a place in an order. Its id ends in a time and the id of what is there.
type slot struct {
	ID string `json:"id"`
}

func slotID(s *slot) string { return s.ID }

var (
	// endpointSlots are the endpoints of each flow: class, account, time, webhook.
	endpointSlots = records.Collection[slot]{Name: "lane", Unversioned: true, ID: slotID}
	// flowSlots are the flows of each class: class, time, account.
	flowSlots = records.Collection[slot]{Name: "row", Unversioned: true, ID: slotID}
)

// flowState is where a flow stands among those of its class.
type flowState struct {
	ID     string    `json:"id"`
	Slot   string    `json:"turn"`
	Served time.Time `json:"served,omitzero"` // when it last had its turn
}

var flowStates = records.Collection[flowState]{
	Name: "rows", Unversioned: true,
	ID: func(f *flowState) string { return f.ID },
}

func (f flow) id() string { return records.Join(string(f.class), f.tenant) }

// slot is the id of the slot of an endpoint in the flow.
func (f flow) slot(at time.Time, webhookID string) string {
	return records.Join(f.id(), timeKey(at, webhookID))
}

// parseSlot takes the id of an endpoint's slot apart.
func parseSlot(id string) (f flow, at time.Time, webhookID string, err error) {
	c, rest, _ := strings.Cut(id, "/")
	tenant, rest, _ := strings.Cut(rest, "/")
	at, webhookID, err = parseTimeKey(rest)
	return flow{class(c), tenant}, at, webhookID, err
}

// firstEndpoint returns the endpoint of the flow that goes first, and when it is due; none
// when the flow is empty.
func (f flow) firstEndpoint(tx records.Reading) (at time.Time, webhookID string, err error) {
	for s, err := range endpointSlots.All(tx, scheduleScope, f.id()+"/") {
		if err == nil {
			_, at, webhookID, err = parseSlot(s.ID)
		}
		return at, webhookID, err
	}
	return at, "", nil
}

// reschedule brings the flow to its place among those of its class. served is when it
// had a turn, or zero.
func (f flow) reschedule(u *records.Update, served time.Time) error {
	at, webhookID, err := f.firstEndpoint(u)
	if err != nil {
		return err
	}
	state, err := flowStates.Value(u, scheduleScope, f.id())
	if errors.Is(err, records.ErrNotFound) {
		if webhookID == "" {
			return nil
		}
		state, err = &flowState{ID: f.id()}, nil
	}
	if err != nil {
		return err
	}
	if served.After(state.Served) {
		state.Served = served
	}
	if at.Before(state.Served) {
		at = state.Served
	}
	id := ""
	if webhookID != "" {
		id = records.Join(string(f.class), timeKey(at, f.tenant))
	}
	if state.Slot == id {
		return nil
	}
	if err := replaceSlot(u, &flowSlots, &state.Slot, id); err != nil {
		return err
	}
	if id == "" {
		return flowStates.Erase(u, scheduleScope, f.id())
	}
	_, err = flowStates.Put(u, scheduleScope, state)
	return err
}

// settle takes back that the flow had its turn later than now, and reports whether it had.
func (f flow) settle(u *records.Update, now time.Time) (early bool, err error) {
	state, err := flowStates.Value(u, scheduleScope, f.id())
	if err != nil || !state.Served.After(now) {
		return false, orMissing(err)
	}
	state.Served = now
	if _, err := flowStates.Put(u, scheduleScope, state); err != nil {
		return false, err
	}
	return true, f.reschedule(u, time.Time{})
}

// replaceSlot gives what is in a slot another one; an empty id is none.
func replaceSlot(u *records.Update, in *records.Collection[slot], at *string, id string) error {
	before := *at
	*at = id
	if before != "" {
		if err := in.Erase(u, scheduleScope, before); err != nil {
			return err
		}
	}
	if id == "" {
		return nil
	}
	_, err := in.Put(u, scheduleScope, &slot{id})
	return err
}

// flowsInOrder yields the flows of a class as they are due, until yield says no.
func flowsInOrder(tx records.Reading, c class, yield func(at time.Time, f flow) bool) error {
	prefix := string(c) + "/"
	for s, err := range flowSlots.All(tx, scheduleScope, prefix) {
		if err != nil {
			return err
		}
		at, tenant, err := parseTimeKey(s.ID[len(prefix):])
		if err != nil {
			return err
		}
		if !yield(at, flow{c, tenant}) {
			return nil
		}
	}
	return nil
}

// schedule brings an endpoint's slot up to date, and its flow's.
func schedule(u *records.Update, e *Endpoint, l *State) error {
	at, err := l.due(u, e)
	if err != nil {
		return err
	}
	id := ""
	if !at.IsZero() {
		id = flowOf(e, l).slot(at, e.ID)
	}
	return l.moveSlot(u, id)
}

// due is when an endpoint is to be looked at; the zero time when nothing waits. One
// that had its turn goes behind those that were due meanwhile. One whose circuit
// is open is looked at when its pause is over, with whatever waits.
func (l *State) due(u *records.Update, e *Endpoint) (at time.Time, err error) {
	if l.Owner != "" {
		return l.Until, nil
	}
	if at, err = e.Queue.due(u, testPriority); err != nil {
		return at, err
	}
	if e.Active {
		events, err := e.Queue.due(u, eventPriority)
		if err != nil {
			return at, err
		}
		if !events.IsZero() && !l.PausedUntil.IsZero() && (l.Open || l.PausedUntil.After(events)) {
			events = l.PausedUntil
		}
		if at.IsZero() || !events.IsZero() && events.Before(at) {
			at = events
		}
	}
	if !at.IsZero() && at.Before(l.Served) {
		at = l.Served
	}
	return at, nil
}

// moveSlot gives an endpoint another slot, or none.
func (l *State) moveSlot(u *records.Update, id string) error {
	before := l.Slot
	if id == before {
		return nil
	}
	if err := replaceSlot(u, &endpointSlots, &l.Slot, id); err != nil {
		return err
	}
	was, _, _, _ := parseSlot(before)
	is, _, _, _ := parseSlot(id)
	if before != "" && was != is {
		if err := was.reschedule(u, time.Time{}); err != nil {
			return err
		}
	}
	if id == "" {
		return nil
	}
	return is.reschedule(u, time.Time{})
}
