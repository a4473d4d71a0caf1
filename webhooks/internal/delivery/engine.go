// Package delivery is the engine that brings events to endpoints: at least once,
// in order, over crashes, and without anyone waiting for another's receiver.
//
// An event waits in the outbox of its account until the fan-out makes a [Delivery] of it
// in the [Queue] of each subscriber. An endpoint that has something due is in the
// schedule; a dispatcher claims it on a lease and makes its deliveries one after the
// other. What comes of an attempt is recorded in one transaction with all that follows: a
// retry after a backoff, a dead letter, a circuit breaker that opens, a webhook that is
// switched off. Everything is in the store, so any number of processes may run engines
// over it.
package delivery

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Config is how an engine works. Every field is set; what each means, and its unit, is
// documented in webhooks.Config.
type Config struct {
	Env       twinplatform.Env
	Transport http.RoundTripper
	// Envelope, when set, puts bodies into other words.
	Envelope func(body []byte) []byte
	// Epoch names this run of the store; empty when others may be writing to it.
	Epoch string
	// Transactional reports that Subscription.Entitlement may be asked within a
	// transaction.
	Transactional bool
	// Indexes is the number of indexes that every webhook is to be found by.
	Indexes int
	// Prepare is called when Run begins.
	Prepare func(ctx context.Context) error
	// Notify receives what the operator of the platform should know.
	Notify func(ctx context.Context, n Notice)

	Schedule                    []time.Duration
	Jitter                      float64
	Timeout, Lease, Poll        time.Duration
	Pool, Batch, MaxPending     int
	PauseAfter, DisableAttempts int
	Pause, MaxPause             time.Duration
	DisableAfter, GiveUpAfter   time.Duration
	KeepDelivered, Keep         time.Duration
	DiscardAnswers              bool
}

// Engine delivers. It is safe for concurrent use.
type Engine struct {
	db   *records.DB
	reg  Registry
	cfg  Config
	turn turnClock
	wake chan struct{} // holds one token when there may be work
	runs atomic.Int32  // calls of Run that are under way

	adopting sync.Mutex
	adopted  bool                          // what former processes left
	last     atomic.Pointer[records.Queue] // outbox whose events were taken up
	made     [len(outcomes)]atomic.Int64   // attempts, by outcome
}

// New returns an engine, which does nothing until Run or Deliver.
func New(db *records.DB, reg Registry, cfg Config) *Engine {
	if cfg.Epoch != "" {
		cfg.Lease = max(cfg.Lease, 3*cfg.Timeout) // no one is there to whom it could be lost
	}
	return &Engine{db: db, reg: reg, cfg: cfg, turn: newTurnClock(db, cfg), wake: make(chan struct{}, 1)}
}

// workTopic is the topic by which other processes are notified when nothing runs in this
// one.
const workTopic = "deliveries"

// Wake notifies Run that there may be something to do, or the Run of another process when
// there is none here. It never blocks.
func (g *Engine) Wake() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
	if g.runs.Load() == 0 {
		g.db.Notify(workTopic)
	}
}

// Attempts are how many attempts the engine has made, by outcome.
func (g *Engine) Attempts() map[string]int64 {
	n := make(map[string]int64, len(outcomes))
	for i, outcome := range outcomes {
		n[outcome] = g.made[i].Load()
	}
	return n
}

// orMissing is an error, unless it reports that a record is missing: then a deletion of
// the webhook was faster, and there is nothing left to do.
func orMissing(err error) error {
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	return err
}
