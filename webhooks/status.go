package webhooks

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// Status is how the delivery to a webhook goes.
type Status struct {
	// Barred reports that the creator of the webhook lacks the rights to the events of
	// its scope at present, so that nothing is delivered.
	Barred bool `json:"barred"`
	// Dead is the number of deliveries that are not attempted any more.
	Dead int `json:"dead"`
	// Failures is the number of attempts in a row that failed, FailingSince the time of
	// the first of them; null without any.
	FailingSince twinplatform.DateTime `json:"failingSince"`
	Failures     int                   `json:"failures"`
	// Full reports that the last events found the queue full, and are kept as dead
	// deliveries.
	Full bool `json:"full"`
	// LastAttempt is the last attempt of any delivery, without its answer; null when
	// none was made yet.
	LastAttempt *Attempt `json:"lastAttempt"`
	// MayMaintain reports that the caller may change the webhook, test it and redeliver,
	// besides switching it off and deleting it.
	MayMaintain bool `json:"mayMaintain"`
	// PausedUntil is when an endpoint that is left alone is tried again; null, or in the
	// past, when it is not.
	PausedUntil twinplatform.DateTime `json:"pausedUntil"`
	// Pending is the number of deliveries that wait for an attempt.
	Pending int `json:"pending"`
}

// Status returns how deliveries to a webhook fare (GET /webhooks/{webhookId}/status, an
// addition). It needs what Webhook needs.
//
// Errors: WebhookNotFound, InsufficientPermissions.
func (s *Service) Status(ctx context.Context, webhookID string) (st Status, err error) {
	if err := admitReader(ctx); err != nil {
		return st, err
	}
	err = s.bench.View(ctx, func(v *records.View, j *judge.Judge) error {
		w, err := permitted(v, j, webhookID, administers)
		if err != nil {
			return err
		}
		may, err := accessTo(j, &w.Value)
		if err != nil {
			return err
		}
		l, err := delivery.StateOf(v, s.endpoint(&w.Value))
		if err != nil {
			return errNoWebhook.Or(err)
		}
		st = Status{
			Pending: l.Pending, Dead: l.Dead, Failures: l.Failures,
			FailingSince: twinplatform.At(s.engine.Shown(l.FailingSince)),
			PausedUntil:  twinplatform.At(s.engine.Shown(l.PausedUntil)), Full: l.Full, Barred: l.Barred,
			MayMaintain: may == maintains && admitWriter(ctx) == nil,
		}
		if last := l.Last; last != nil {
			st.LastAttempt = &Attempt{
				At: last.At, Cause: Cause(last.Cause), DurationMS: last.DurationMS, Outcome: Outcome(last.Outcome),
				Status: last.Status,
			}
		}
		return nil
	})
	return st, err
}

// Attempts counts the attempts that this service has made since it was made itself, by
// outcome. The REST API has no operation for it, and it asks no one.
func (s *Service) Attempts() map[Outcome]int64 {
	out := make(map[Outcome]int64)
	for outcome, n := range s.engine.Attempts() {
		out[Outcome(outcome)] = n
	}
	return out
}

// Backlog is how much waits on the whole platform.
type Backlog struct {
	Pending, Dead int  // deliveries
	Events        int  // recorded and not yet taken up, counted up to 10,000
	MoreEvents    bool // there are more than were counted
}

// maxCounted bounds the counting of events.
const maxCounted = 10_000

// Backlog counts what waits on the whole platform, for the program that runs it.
// The REST API has no operation for it.
//
// Errors: InsufficientPermissions for any caller but the system.
func (s *Service) Backlog(ctx context.Context) (b Backlog, err error) {
	if !isSystem(ctx) {
		return b, problem.SystemOnly
	}
	err = s.db.View(ctx, func(v *records.View) (err error) {
		b = Backlog{}
		for _, err := range records.Events(v) {
			if err != nil {
				return err
			}
			if b.MoreEvents = b.Events == maxCounted; b.MoreEvents {
				break
			}
			b.Events++
		}
		b.Pending, b.Dead, err = s.engine.Totals(v)
		return err
	})
	return b, err
}
