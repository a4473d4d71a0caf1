// Package webhooks tells subscribers what happens on the platform.
//
// A [Service] keeps the subscriptions, takes up the events that every domain
// records in the transaction of its change, and delivers them by HTTP POST:
//
//	hooks := webhooks.New(store, webhooks.Config{})
//	go hooks.Run(ctx)
//	made, err := hooks.CreateWebhook(ctx, webhooks.NewWebhook{
//		CallbackURL: "https://receiver.example.com/events",
//		Scope:       webhooks.TwinScope, ScopeID: twinID,
//		EventTypes:  []webhooks.EventType{event.TypeTwinCreated},
//	})
//	keep(made.Secret.Reveal()) // it is shown this once
//	_, err = hooks.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
//
// # What receivers can rely on
//
// Every event that is recorded while a matching webhook is active is delivered at least
// once, over restarts and crashes. Its MessageID is the same in every attempt, so a
// receiver that remembers the ids it has handled handles each event once. One attempt is
// under way per webhook at a time, and an endpoint that answers well gets its events in
// the order in which they happened. Package receiver has what an endpoint needs, such as
// a Verify that reports whether a request is genuine. An endpoint that was down gets what
// it missed, the oldest event first, within Config.MaxPause of being back.
//
// An event is delivered to a webhook only if the maker of the webhook held
// [PermissionMaintainer] at what it listens to when the event happened, and while it
// does. Whether a webhook is active, and its event types, count as they were at that time, too.
//
// # What accounts can rely on
//
// No account waits for another's receivers or events: workers and the taking up of events
// are shared fairly, see Config.Pool, and the number of webhooks is bounded, see
// Config.MaxPerTwin.
//
// # What the network can rely on
//
// Deliveries go to public HTTPS endpoints only: every address is judged when it
// is dialled, after its name was resolved. Redirects are not followed and
// proxies of the environment are not used.
package webhooks

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// PermissionMaintainer lets a service application read and change the webhooks
// of a twin, or of the account. Organization administrators hold it.
const PermissionMaintainer = twinplatform.PermissionWebhooks

// Limits of the webhooks area.
const (
	// MinSecret and MaxSecret bound a secret, in characters.
	MinSecret = 32
	MaxSecret = 512
	// MaxURL is the length of a callback URL, in bytes.
	MaxURL = egress.MaxURL
	// MaxContent is the length of the content of a published event, in bytes.
	MaxContent = 64 << 10
	// MaxOverlap is how long a replaced secret can continue signing.
	MaxOverlap = 7 * 24 * time.Hour
	// MaxOldSecrets is the number of replaced secrets that sign at one time.
	MaxOldSecrets = 10
	// MaxReplay is the number of deliveries that one Replay takes up.
	MaxReplay = 10_000
	// KeepDeliveries is how long a delivery and its content are kept from the
	// time of the event, whatever became of it.
	KeepDeliveries = 30 * 24 * time.Hour
)

// Service is the webhooks area. It is safe for concurrent use.
type Service struct {
	db    *records.DB
	bench judge.Bench
	cfg   Config
	env   twinplatform.Env
	guard egress.Guard
	jobs  *jobs.Runner

	engine *delivery.Engine

	// calls is a *calls. Behind an interface, what imports this package does not compile
	// every generic type that it is made of once more.
	calls any
}

// calls are what a Service does with webhooks.
type calls struct {
	kind          *entity.Kind[Webhook, NewWebhook, webhookChange]
	deleteWebhook jobs.Kind[removal, Webhook]
	// known spares decoding the webhook that deliveries go to.
	known records.Cache[Webhook]
}

func callsOf(s *Service) *calls { return s.calls.(*calls) }

// New returns the webhooks area over a store. It starts nothing: events wait in
// the store until Run or Deliver.
func New(store storage.Store, cfg Config) *Service {
	cfg = cfg.withDefaults()
	s := &Service{
		db: records.New(store), cfg: cfg, env: cfg.Env,
		guard: egress.NewGuard(cfg.AllowPrivate, cfg.Ports),
	}
	s.bench = judge.Bench{DB: s.db, Env: s.env, Twins: cfg.Twins}
	s.jobs = jobs.NewRunner(s.db, s.env, "webhooks")
	s.calls = &calls{
		kind: webhookKind(s.guard), deleteWebhook: jobs.Define(s.jobs, "webhook.delete", s.removeWebhook,
			"webhooks.delete"),
	}
	engine := cfg.engine(s.guard)
	engine.Epoch, engine.Prepare = storage.Epoch(store), s.sealAll
	s.engine = delivery.New(s.db, registry{s}, engine)
	s.db.OnEvents(s.Wake)
	return s
}

// Run takes up events and delivers them until ctx is done. Several processes
// over one store may run it: each endpoint is served by one at a time.
//
// It returns nil when ctx is done and the attempts under way have ended, at
// most Config.Timeout later, and an error only when the store fails. A store
// that takes no writes for a while is waited for.
func (s *Service) Run(ctx context.Context) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	removals := make(chan error, 1)
	go func() {
		defer stop()
		removals <- s.jobs.Run(working)
	}()
	err := s.engine.Run(working)
	stop()
	return errors.Join(err, <-removals)
}

// Deliver takes up all recorded events, makes every delivery that is due by the
// service's clock, and returns how many attempts it made. It is Run for
// programs, and tests, that choose the time themselves.
func (s *Service) Deliver(ctx context.Context) (attempts int, err error) {
	return s.engine.Deliver(ctx)
}

// Wake notifies Run that there may be something to do: a domain has recorded an event, or
// the clock was moved. It never blocks.
func (s *Service) Wake() { s.engine.Wake() }

func (s *Service) now() time.Time { return s.env.Now().UTC() }
