package delivery

import (
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TakenUp is the time of what is taken up at a time of one process or another, over one store.
func TakenUp(u *records.Update, now time.Time) (at time.Time, err error) {
	return at, moveCursor(u, func(c *cursor) error {
		at = c.at(now)
		return nil
	})
}

// NewDelivery is a delivery of an event, or of a test.
func NewDelivery(id string, test bool) *Delivery {
	return &Delivery{ID: id, State: Pending, run: run{Test: test}}
}

// Order are the ids in a queue.
func (q Queue) Order(tx records.Reading) (ids []string, err error) {
	for _, priority := range []string{testPriority, eventPriority} {
		for p, err := range q.atPriority(tx, priority, "") {
			if err != nil {
				return nil, err
			}
			ids = append(ids, p.delivery)
		}
	}
	return ids, nil
}
