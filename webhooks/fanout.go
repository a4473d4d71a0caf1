package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Bounds on what one transaction takes up. A delivery takes two writes, its
// lane up to four.
const (
	deliveriesPerStep = 1_200
	bytesPerStep      = 4 << 20
)

// intake is how far the taking up of events has come.
type intake struct {
	ID   string `json:"id"`
	Next uint64 `json:"next"` // number of the next message
	// Current and After are the message of the first event of the outbox and
	// the webhook up to which it was handed out; empty when it was not begun.
	Current string `json:"current,omitempty"`
	After   string `json:"after,omitempty"`
}

// number takes the id of the next message.
func (i *intake) number() string {
	id := fmt.Sprintf("%016x", i.Next)
	i.Next++
	return id
}

var intakes = records.Collection[intake]{
	Name: "intake", Unlisted: true,
	ID: func(i *intake) string { return i.ID },
}

const intakeID = "intake"

func loadIntake(tx records.Reading) (*intake, error) {
	at, err := intakes.Value(tx, account, intakeID)
	if errors.Is(err, records.ErrNotFound) {
		return &intake{ID: intakeID}, nil
	}
	return at, err
}

// takeUp moves recorded events to the queues of the webhooks that hear of them,
// as many as one transaction holds, and reports whether there are more.
func (s *Service) takeUp(ctx context.Context) (more bool, err error) {
	waiting := false
	err = s.db.View(ctx, func(v *records.View) error {
		waiting = false
		for _, err := range records.Events(v) {
			waiting = err == nil
			return err
		}
		return nil
	})
	if err != nil || !waiting {
		return false, err
	}
	var full []Notice
	err = s.db.Update(ctx, func(u *records.Update) error {
		h := handout{s: s, u: u, now: s.now(), budget: deliveriesPerStep, bytes: bytesPerStep, heard: make(map[string][]*Webhook), touched: make(map[string]*share)}
		if more, err = h.run(); err != nil {
			return err
		}
		full = h.notices
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("taking up events: %w", err)
	}
	s.tell(ctx, full...)
	return more, nil
}

// handout is one transaction of the taking up of events.
type handout struct {
	s      *Service
	u      *records.Update
	now    time.Time
	budget int // deliveries
	bytes  int // of content

	heard   map[string][]*Webhook // by place
	touched map[string]*share     // by webhook
	notices []Notice
}

// share is what one webhook gets of a handout.
type share struct {
	w     *Webhook
	added int // deliveries that wait
	dead  int // that found the queue full
	room  int // left in the queue
}

func (h *handout) run() (more bool, err error) {
	at, err := loadIntake(h.u)
	if err != nil {
		return false, err
	}
	for q, err := range records.Events(h.u) {
		if err != nil {
			return false, err
		}
		if more = h.budget <= 0 || h.bytes <= 0; more {
			break
		}
		whole, err := h.hand(at, q.Event)
		if err != nil {
			return false, err
		}
		if more = !whole; more {
			break
		}
		at.Current, at.After = "", ""
		if err := h.u.Take(q); err != nil {
			return false, err
		}
		h.budget-- // an event that nobody hears is work too
	}
	if _, err := intakes.Put(h.u, account, at); err != nil {
		return false, err
	}
	return more, h.settle()
}

// hand gives an event to the webhooks that hear of it, and reports whether it
// came to the last.
func (h *handout) hand(at *intake, e twinplatform.Event) (whole bool, err error) {
	hearers, err := h.hearers(e)
	if err != nil {
		return false, err
	}
	rest := hearers[:0:0]
	for _, w := range hearers {
		if w.ID > at.After && slices.Contains(w.EventTypes, EventType(e.Type)) {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		return true, nil
	}
	begun := at.Current != ""
	if !begun {
		at.Current = at.number()
	}
	m := newMessage(at.Current, e, h.now)
	if !begun {
		if _, err := messageRecords.Put(h.u, messages, m); err != nil {
			return false, err
		}
		h.bytes -= len(e.Content)
	}
	for i, w := range rest {
		if err := h.add(w, newDelivery(w, m, EventType(e.Type), h.now)); err != nil {
			return false, err
		}
		if h.budget--; h.budget <= 0 && i < len(rest)-1 {
			at.After = w.ID
			return false, nil
		}
	}
	return true, nil
}

// hearers are the active webhooks within whose scope an event happened, by id.
func (h *handout) hearers(e twinplatform.Event) ([]*Webhook, error) {
	places := []string{place(AccountScope, e.AccountID)}
	if e.TwinID != "" {
		places = append(places, place(TwinScope, e.TwinID))
	}
	if parent := parentOf(e); parent != "" && parent != e.TwinID {
		places = append(places, place(TwinScope, parent))
	}
	var out []*Webhook
	for _, p := range places {
		if _, ok := h.heard[p]; !ok {
			h.heard[p] = nil
			for w, err := range webhookRecords.Find(h.u, account, "hears", p) {
				if err != nil {
					return nil, err
				}
				h.heard[p] = append(h.heard[p], w)
			}
		}
		out = append(out, h.heard[p]...)
	}
	slices.SortFunc(out, func(a, b *Webhook) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// parentOf is the twin that contains the twin which an event is about: what is
// created inside a twin is told to the webhooks of that twin.
func parentOf(e twinplatform.Event) string {
	if EventType(e.Type).area() != TwinCreated.area() {
		return ""
	}
	var content struct {
		ParentID string `json:"parentId"`
	}
	if json.Unmarshal(e.Content, &content) != nil {
		return ""
	}
	return content.ParentID
}

// add puts a delivery into the queue of its webhook, or among its dead deliveries
// when the queue is full.
func (h *handout) add(w *Webhook, d *Delivery) error {
	sh, ok := h.touched[w.ID]
	if !ok {
		l, err := lanes.Value(h.u, w.lane, w.ID)
		if err != nil {
			return err
		}
		sh = &share{w: w, room: h.s.cfg.MaxPending - l.Pending}
		h.touched[w.ID] = sh
	}
	if sh.room <= 0 {
		d.State = Dead
		sh.dead++
	} else {
		if err := enqueue(h.u, w.lane, d, h.now); err != nil {
			return err
		}
		sh.room--
		sh.added++
	}
	_, err := deliveryRecords.Put(h.u, w.lane, d)
	return err
}

func newDelivery(w *Webhook, m *message, t EventType, now time.Time) *Delivery {
	return &Delivery{
		Attempts: []Attempt{}, Created: instant(now), EventType: t, ID: m.ID,
		MessageID: m.MessageID, State: Pending, WebhookID: w.ID,
	}
}

// settle brings the lanes up to date.
func (h *handout) settle() error {
	for _, sh := range h.touched {
		err := changeLane(h.u, sh.w, func(l *lane) {
			l.Pending += sh.added
			l.Dead += sh.dead
			if full := sh.dead > 0; full != l.Full {
				l.Full = full
				if full {
					h.notices = append(h.notices, Notice{Kind: QueueFull, WebhookID: sh.w.ID, At: h.now})
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
