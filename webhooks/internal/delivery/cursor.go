package delivery

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// engineScope is where the engine keeps what concerns no single endpoint, for the
// work of all accounts. It is that of the webhooks themselves.
const engineScope records.Scope = "webhooks"

// cursor is how far the fan-out has come.
type cursor struct {
	ID   string `json:"id"`
	Next uint64 `json:"next"` // number of the next message
	// Indexed is the number of indexes that every webhook is found by.
	Indexed int `json:"indexed,omitempty"`
	// Latest is when events were last taken up, by the clock of the engine that did, or how far
	// that had come since.
	Latest twinplatform.DateTime `json:"latest,omitzero"`
}

// mostApart is how far apart the clocks of processes may be, generously. What one says that
// is further ahead holds up no one.
const mostApart = 5 * time.Second

// at is the time of what is taken up at a time: no earlier than what was taken up before it,
// by another process perhaps, since queues are in the order of these times. It is in milliseconds as what is
// noted is: the clock of another process may be a part of one behind.
func (c *cursor) at(now time.Time) time.Time {
	now = twinplatform.At(now).Time
	if ahead := c.Latest.Sub(now); 0 < ahead && ahead <= mostApart {
		now = c.Latest.Time
	}
	c.Latest = twinplatform.At(now)
	return now
}

// number takes the id of the next message.
func (c *cursor) number() string {
	id := fmt.Sprintf("%016x", c.Next)
	c.Next++
	return id
}

var cursors = records.Collection[cursor]{
	Name: "intake", Unversioned: true,
	ID: func(c *cursor) string { return c.ID },
}

const cursorID = "intake"

func loadCursor(tx records.Reading) (*cursor, error) {
	c, err := cursors.Value(tx, engineScope, cursorID)
	if errors.Is(err, records.ErrNotFound) {
		return &cursor{ID: cursorID}, nil
	}
	return c, err
}

// moveCursor changes how far the fan-out has come.
func moveCursor(u *records.Update, fn func(*cursor) error) error {
	c, err := loadCursor(u)
	if err != nil {
		return err
	}
	if err := fn(c); err != nil {
		return err
	}
	_, err = cursors.Put(u, engineScope, c)
	return err
}

// partial is the first event of an outbox, while it was handed to some of its
// subscribers only.
type partial struct {
	ID      string `json:"id"`      // the outbox
	Current string `json:"current"` // message of the event
	After   string `json:"after"`   // the last webhook that has it
}

var partials = records.Collection[partial]{
	Name: "partial", Unversioned: true,
	ID: func(p *partial) string { return p.ID },
}
