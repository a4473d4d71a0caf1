package delivery

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Endpoint is a webhook as the engine sees it.
type Endpoint struct {
	ID  string
	URL string
	// Active endpoints are sent events; any is sent tests.
	Active bool
	// Tenant is whom the work for the endpoint is counted for: its account, or
	// its twin when that belongs to none.
	Tenant string
	// Queue is where the deliveries and all that concerns them is kept.
	Queue Queue
	// Inside sends the requests to an endpoint of this process, over no connection; nil for
	// all others, which have the transport of the engine.
	Inside http.RoundTripper
	Subscription
}

// Subscription is what the engine asks of a webhook.
type Subscription interface {
	// Concerns reports whether the webhook subscribes to a type of event, and
	// whether events of the type say who may do what.
	Concerns(eventType string) (wants, rights bool)
	// Subscribed are the types of events that the webhook subscribes to.
	Subscribed() []string
	// RevokedBy reports whether an event is that the right to receive was taken from the
	// application that made the webhook.
	RevokedBy(e twinplatform.Event) bool
	// Entitlement reports whether the application that made the webhook may receive the
	// events of its place. barred is whether it could not so far.
	Entitlement(ctx context.Context, barred bool) (Entitlement, error)
	// Gone reports whether what the webhook listens to is there no more.
	Gone(ctx context.Context) (bool, error)
}

// Entitlement is what is known of the right to receive events.
type Entitlement struct {
	Held bool
	Gone bool // with its twin; Held is as it last was
}

// Sign sets the headers of a delivery.
type Sign func(header http.Header, messageID string, at time.Time, body []byte)

// ErrSealed reports that nothing can be signed for an endpoint, since its secret cannot
// be opened.
var ErrSealed = errors.New("webhooks: the secret was sealed with another key")

// Registry keeps the webhooks. What takes a transaction reads or writes through
// it.
type Registry interface {
	// Endpoint returns an endpoint, or records.ErrNotFound.
	Endpoint(tx records.Reading, id string) (*Endpoint, error)
	Endpoints(tx records.Reading) iter.Seq2[*Endpoint, error]
	// Listeners returns what finds, as long as the transaction, the active
	// endpoints that listen to where an event happened, by id, behind one, and those
	// among others with the ids of changed, active or not, that are still there. There
	// may be many: no active one is read before it is its turn.
	Listeners(tx records.Reading) func(e twinplatform.Event, after string, changed []string) iter.Seq2[*Endpoint, error]
	// Signer returns what signs for an endpoint at a time, or ErrSealed.
	Signer(tx records.Reading, e *Endpoint, now time.Time) (Sign, error)
	// Deactivate sets a webhook inactive, and reports whether it was active.
	Deactivate(u *records.Update, id string, now time.Time) (was bool, err error)
	// Remove deletes a webhook, if it is still there.
	Remove(ctx context.Context, id string) error
	// Reindex has a webhook found by all indexes, or returns records.ErrNotFound.
	Reindex(u *records.Update, id string) error
}
