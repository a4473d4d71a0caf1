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

// Bounds on what one transaction takes up, and on what it takes up of one
// account before the next has its turn. A delivery takes up to three writes, its
// lane up to six.
const (
	deliveriesPerStep = 256
	deliveriesPerTurn = 64
	bytesPerStep      = 1 << 20
)

// intake is how far the taking up of events has come.
type intake struct {
	ID   string `json:"id"`
	Next uint64 `json:"next"` // number of the next message
	// Current and After are what earlier versions kept of the partial event
	// of their one queue.
	Current string `json:"current,omitempty"`
	After   string `json:"after,omitempty"`
	// Indexed is the number of indexes that every webhook is found by.
	Indexed int `json:"indexed,omitempty"`
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

// partial is the first event of a queue, while it was handed out to some of its
// webhooks only.
type partial struct {
	ID      string `json:"id"`      // the queue
	Current string `json:"current"` // message of the event
	After   string `json:"after"`   // the last webhook that has it
}

var partials = records.Collection[partial]{
	Name: "partial", Unlisted: true,
	ID: func(p *partial) string { return p.ID },
}

// takeUp moves recorded events to the queues of the webhooks that hear of them,
// as many as one transaction holds, from the queues of accounts in turn, and
// reports whether there are more.
func (s *Service) takeUp(ctx context.Context) (more bool, err error) {
	var waiting records.Queue
	err = s.db.View(ctx, func(v *records.View) error {
		waiting, err = records.NextQueue(v, "")
		return err
	})
	if err != nil || waiting == "" {
		return false, err
	}
	var h handout
	err = s.db.Update(ctx, func(u *records.Update) error {
		h = handout{
			s: s, ctx: u.Within(ctx), u: u, now: s.now(), budget: deliveriesPerStep, bytes: bytesPerStep,
			heard: make(map[string][]*Webhook), touched: make(map[string]*share),
		}
		if last := s.turn.Load(); last != nil {
			h.queue = *last
		}
		more, err = h.run()
		return err
	})
	if err != nil {
		return false, fmt.Errorf("taking up events: %w", err)
	}
	s.turn.Store(&h.queue)
	s.tell(ctx, h.notices...)
	return more, nil
}

// handout is one transaction of the taking up of events.
type handout struct {
	s      *Service
	ctx    context.Context // within the transaction
	u      *records.Update
	now    time.Time
	queue  records.Queue // the last that had its turn
	budget int           // deliveries
	bytes  int           // of content

	heard   map[string][]*Webhook // by place
	touched map[string]*share     // by webhook
	notices []Notice
}

// share is what one webhook gets of a handout.
type share struct {
	w      *Webhook
	asked  bool // whether the right to hear is held
	barred bool // it is not
	was    bool // barred so far
	gone   bool // its twin
	added  int  // deliveries that wait
	dead   int  // that found the queue full
	room   int  // left in the queue
}

// news reports whether the webhook stands otherwise than before.
func (sh *share) news() bool { return sh.asked && sh.barred != sh.was }

func (h *handout) spent() bool { return h.budget <= 0 || h.bytes <= 0 }

func (h *handout) run() (more bool, err error) {
	at, err := loadIntake(h.u)
	if err != nil {
		return false, err
	}
	former := false
	for !h.spent() {
		if h.queue, former, err = h.next(); err != nil {
			return false, err
		}
		if h.queue == "" {
			break
		}
		if err := h.take(at, former); err != nil {
			return false, err
		}
	}
	if _, err := intakes.Put(h.u, account, at); err != nil {
		return false, err
	}
	return h.queue != "", h.settle()
}

// next returns the queue whose turn it is; none when all are empty.
func (h *handout) next() (q records.Queue, former bool, err error) {
	first, err := records.NextQueue(h.u, "")
	if err != nil || first == "" || h.queue == "" || first.Former() {
		return first, first.Former(), err
	}
	if q, err = records.NextQueue(h.u, h.queue); err == nil && q == "" {
		q = first
	}
	return q, false, err
}

// take gives a queue its turn.
func (h *handout) take(at *intake, former bool) error {
	p, err := partials.Value(h.u, account, string(h.queue))
	if errors.Is(err, records.ErrNotFound) {
		p, err = &partial{ID: string(h.queue)}, nil
		if former {
			p.Current, p.After = at.Current, at.After
		}
	}
	if err != nil {
		return err
	}
	begun := p.Current != ""
	until := h.budget - deliveriesPerTurn
	for q, err := range records.EventsIn(h.u, h.queue) {
		if err != nil {
			return err
		}
		if h.spent() || h.budget <= until {
			break
		}
		whole, err := h.hand(at, p, q.Event, until)
		if err != nil {
			return err
		}
		if !whole {
			break
		}
		p.Current, p.After = "", ""
		if err := h.u.Take(q); err != nil {
			return err
		}
		h.budget-- // an event that nobody hears is work too
	}
	if former {
		at.Current, at.After = "", ""
	}
	if p.Current != "" {
		_, err = partials.Put(h.u, account, p)
		return err
	}
	if begun {
		return partials.Erase(h.u, account, p.ID)
	}
	return nil
}

// hand gives an event to the webhooks that hear of it, and reports whether it
// came to the last.
func (h *handout) hand(at *intake, p *partial, e twinplatform.Event, until int) (whole bool, err error) {
	hearers, err := h.hearers(e)
	if err != nil {
		return false, err
	}
	var rest []*Webhook
	for _, w := range hearers {
		if w.ID <= p.After {
			continue
		}
		hears, err := h.hears(w, e)
		if err != nil {
			return false, err
		}
		if hears {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		return true, nil
	}
	begun := p.Current != ""
	if !begun {
		p.Current = at.number()
	}
	m := newMessage(p.Current, e, h.now)
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
		if h.budget--; h.budget <= until && i < len(rest)-1 {
			p.After = w.ID
			return false, nil
		}
	}
	return true, nil
}

// hears reports whether a webhook gets an event: it subscribes to its type, and
// whoever made it may still hear of what happens there. What happens to rights
// is looked at by all, so that each knows where it stands when its twin is gone.
func (h *handout) hears(w *Webhook, e twinplatform.Event) (bool, error) {
	subscribes := slices.Contains(w.EventTypes, EventType(e.Type))
	if !subscribes && EventType(e.Type).area() != MemberRemoved.area() {
		return false, nil
	}
	sh, err := h.share(w)
	if err != nil {
		return false, err
	}
	// What a twin that is gone said last is in its events.
	sh.barred = sh.barred || sh.gone && takesAway(e, w)
	return subscribes && !sh.barred, nil
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

// share is what a webhook has got so far.
func (h *handout) share(w *Webhook) (*share, error) {
	if sh, ok := h.touched[w.ID]; ok {
		return sh, nil
	}
	l, err := lanes.Value(h.u, w.lane, w.ID)
	if err != nil {
		return nil, err
	}
	r, asked, err := h.s.confirmRight(h.ctx, w, l)
	if err != nil {
		return nil, err
	}
	sh := &share{
		w: w, barred: !r.held, was: l.Barred, gone: r.gone, asked: asked, room: h.s.cfg.MaxPending - l.Pending,
	}
	h.touched[w.ID] = sh
	return sh, nil
}

// add puts a delivery into the queue of its webhook, or among its dead deliveries
// when the queue is full.
func (h *handout) add(w *Webhook, d *Delivery) error {
	sh, err := h.share(w)
	if err != nil {
		return err
	}
	if sh.room <= 0 {
		d.State = Dead
		sh.dead++
	} else {
		if err := enqueue(h.u, w.lane, d, d.Created.Time); err != nil {
			return err
		}
		sh.room--
		sh.added++
	}
	_, err = deliveryRecords.Put(h.u, w.lane, d)
	return err
}

func newDelivery(w *Webhook, m *message, t EventType, now time.Time) *Delivery {
	return &Delivery{
		Attempts: []Attempt{}, Created: twinplatform.At(now), EventType: t, ID: m.ID,
		MessageID: m.MessageID, State: Pending, WebhookID: w.ID,
	}
}

// settle brings the lanes up to date.
func (h *handout) settle() error {
	for _, sh := range h.touched {
		if sh.added+sh.dead == 0 && !sh.news() {
			continue
		}
		err := changeLane(h.u, sh.w, func(l *lane) {
			if sh.news() {
				h.notices = append(h.notices, l.bar(sh.barred, h.now)...)
			}
			l.Pending += sh.added
			l.Dead += sh.dead
			if full := sh.dead > 0; full != l.Full && sh.added+sh.dead > 0 {
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
