package delivery

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Queue is the durable queue of the deliveries that one endpoint still gets.
//
//   - A delivery has at most one place in it: Push moves one that has a place
//     already. Only Pending deliveries have one.
//   - The order is: tests, then by the time at which a delivery is due, then by
//     its id, which is the order of events.
//   - Nothing leaves a queue by being looked at. Settling a delivery takes
//     it out with Drop, in the transaction in which it writes its new state.
//   - Push and Drop change the delivery and leave it to the caller to store it,
//     and to bring the schedule up to date with [Change].
//
// A queue is named by the scope in which it is kept, next to the deliveries and the state
// of its endpoint.
type Queue records.Scope

// Scope is where the queue is kept.
func (q Queue) Scope() records.Scope { return records.Scope(q) }

// entry is a place in a queue: its priority, the time at which the delivery is due, and
// the delivery's id.
type entry struct {
	ID string `json:"id"`
}

var entries = records.Collection[entry]{
	Name: "queue", Untracked: true,
	ID: func(e *entry) string { return e.ID },
}

// The two priorities of a queue. Tests go first, and also to an endpoint that is inactive
// or whose circuit is open.
const (
	testPriority  = "0"
	eventPriority = "1"
)

// Push makes a delivery due at a time.
func (q Queue) Push(u *records.Update, d *Delivery, due time.Time) error {
	if err := q.Drop(u, d); err != nil {
		return err
	}
	priority := eventPriority
	if d.run.Test {
		priority = testPriority
	}
	d.State, d.NextAttempt, d.run.Entry = Pending, twinplatform.At(due), priority+timeKey(due, d.ID)
	_, err := entries.Put(u, q.Scope(), &entry{d.run.Entry})
	return err
}

// Drop takes a delivery out of the queue.
func (q Queue) Drop(u *records.Update, d *Delivery) error {
	if d.run.Entry == "" {
		return nil
	}
	id := d.run.Entry
	d.run.Entry, d.NextAttempt = "", twinplatform.DateTime{}
	return entries.Erase(u, q.Scope(), id)
}

// position is where a delivery is in a queue.
type position struct {
	entry    string
	due      time.Time
	delivery string
}

// atPriority yields what is queued at a priority behind an entry, in order.
func (q Queue) atPriority(tx records.Reading, priority, after string) iter.Seq2[position, error] {
	return func(yield func(position, error) bool) {
		for e, err := range entries.From(tx, q.Scope(), max(priority, after)) {
			if err == nil && !strings.HasPrefix(e.ID, priority) {
				return
			}
			var p position
			if err == nil {
				p.entry = e.ID
				p.due, p.delivery, err = parseTimeKey(e.ID[len(priority):])
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// due is when the first delivery of a priority is; the zero time when there is none.
func (q Queue) due(tx records.Reading, priority string) (time.Time, error) {
	for p, err := range q.atPriority(tx, priority, "") {
		return p.due, err
	}
	return time.Time{}, nil
}

// timeSize is the length of a time in an id, in hexadecimal digits.
const timeSize = 16

// lastKey is the last time that a key can hold, which is in 2262.
var lastKey = time.Unix(0, math.MaxInt64).UTC()

// timeKey is an id behind a time from 1970 to lastKey, which stand for what is before and
// after: such ids sort as the times do.
func timeKey(t time.Time, id string) string {
	var since uint64
	switch {
	case t.After(lastKey):
		since = math.MaxInt64
	case t.Unix() >= 0:
		since = uint64(t.UnixNano()) //nolint:gosec // it is not negative
	}
	return records.Join(hex.EncodeToString(binary.BigEndian.AppendUint64(nil, since)), id)
}

// parseTimeKey takes an id with a time apart.
func parseTimeKey(s string) (at time.Time, id string, err error) {
	if len(s) < timeSize+1 {
		return at, "", errTimeKey
	}
	n, err := strconv.ParseUint(s[:timeSize], 16, 63)
	if err != nil {
		return at, "", errTimeKey
	}
	return time.Unix(0, int64(n)).UTC(), s[timeSize+1:], nil
}

var errTimeKey = errors.New("webhooks: a stored time is malformed")
