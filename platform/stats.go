package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Stats is what a platform holds, and what waits to be done, in one state of its store.
type Stats struct {
	// Records are how many there are of each collection, deleted ones left out.
	Records map[Collection]int
	// Operations counts, by status, the operations that can still be asked for.
	Operations map[twinplatform.OperationStatus]int
	// OldestOperation is when the oldest operation was accepted that has not come to
	// its end; the zero time when all have.
	OldestOperation time.Time
	// Deliveries counts the deliveries that are kept, by state: Pending, Delivered, Dead.
	Deliveries map[string]int
	// Events are recorded and not yet taken up by the delivery.
	Events int
	// OldestDelivery is the time of the oldest event that is still to be delivered to
	// someone; the zero time when all have been.
	OldestDelivery time.Time
}

// Collection is a type of records.
type Collection struct {
	Area string // schedules, twins, forms, webhooks, realitydata, transformations or other
	Name string // as in the paths of the REST API where it has one: tasks, task-links
}

// Stats counts what the store holds. It reads all of it once, without making anybody
// wait: half a second for a million records in memory or in a file.
func (p *Platform) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	err := p.store.View(ctx, func(r storage.Reader) error {
		s = Stats{
			Records: make(map[Collection]int), Operations: make(map[twinplatform.OperationStatus]int),
			Deliveries: make(map[string]int),
		}
		c := counter{Stats: &s}
		seen := 0
		for key, value := range r.Scan("", "") {
			if seen++; seen%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			c.count(key, value)
		}
		return nil
	})
	return s, err
}

// counter counts the records of a store in the order of their keys.
type counter struct {
	*Stats

	account string // of the last event
}

// outboxPrefix is what the keys of recorded events begin with.
const outboxPrefix = "outbox/a/"

func (c *counter) count(key string, value []byte) {
	if place, ok := strings.CutPrefix(key, outboxPrefix); ok {
		c.event(place, value)
		return
	}
	collection, scope, ok := records.Live(key)
	if !ok || strings.HasPrefix(string(scope), "jobs-") {
		return
	}
	switch collection {
	case records.Operations:
		c.operation(value)
	case "deliveries":
		c.delivery(value)
	}
	c.Records[Collection{areaOf(scope), collection}]++
}

// event counts a recorded event; the first of an account is its oldest.
func (c *counter) event(place string, value []byte) {
	c.Events++
	account, _, _ := strings.Cut(place, "/")
	if account == c.account {
		return
	}
	c.account = account
	var e twinplatform.Event
	if json.Unmarshal(value, &e) == nil {
		older(&c.OldestDelivery, e.Time)
	}
}

func (c *counter) operation(value []byte) {
	status := twinplatform.OperationStatus(member(value, `"status":"`))
	c.Operations[status]++
	if !status.Done() {
		older(&c.OldestOperation, moment(value, `"createdAt":"`))
	}
}

func (c *counter) delivery(value []byte) {
	state := member(value, `,"state":"`)
	c.Deliveries[state]++
	if state == "Pending" {
		older(&c.OldestDelivery, moment(value, `"created":"`))
	}
}

// older sets to to a time that is before it.
func older(to *time.Time, at time.Time) {
	if !at.IsZero() && (to.IsZero() || at.Before(*to)) {
		*to = at
	}
}

// member is the text behind the last place of a name in stored JSON. A quotation mark in
// a text is escaped there, so that no text can pass for a name.
func member(value []byte, name string) string {
	at := bytes.LastIndex(value, []byte(name))
	if at < 0 {
		return ""
	}
	text, _, _ := bytes.Cut(value[at+len(name):], []byte{'"'})
	return string(text)
}

func moment(value []byte, name string) time.Time {
	at, _ := time.Parse(time.RFC3339, member(value, name))
	return at
}

// areaPrefixes map to the area what the name of a scope begins with.
var areaPrefixes = []struct{ prefix, area string }{
	{"schedule", "schedules"},
	{"plannerfile", "schedules"},
	{"twin", "twins"},
	{"form", "forms"},
	{"webhook", "webhooks"},
	{"realitydata", "realitydata"},
	{"detector", "realitydata"},
	{"transform", "transformations"},
	{"model", "transformations"},
	{"view", "transformations"},
}

func areaOf(s records.Scope) string {
	for _, p := range areaPrefixes {
		if strings.HasPrefix(string(s), p.prefix) {
			return p.area
		}
	}
	return "other"
}
