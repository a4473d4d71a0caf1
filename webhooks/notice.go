package webhooks

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// NoticeKind is what a [Notice] is about.
type NoticeKind string

// The kinds of notices.
const (
	// EndpointPaused: an endpoint failed several times in a row and is left
	// alone until Notice.Until.
	EndpointPaused NoticeKind = "EndpointPaused"
	// EndpointFailing: an endpoint has come half, and again nine tenths, of the
	// way to being switched off.
	EndpointFailing NoticeKind = "EndpointFailing"
	// WebhookDisabled: an endpoint did nothing but fail for too long, or
	// answered that it is gone, and its webhook was set inactive.
	WebhookDisabled NoticeKind = "WebhookDisabled"
	// WebhookBarred: the application that made a webhook lost the right to receive its
	// events, and gets nothing until it has it again.
	WebhookBarred NoticeKind = "WebhookBarred"
	// QueueFull: so many deliveries wait for an endpoint that further ones are
	// kept as dead.
	QueueFull NoticeKind = "QueueFull"
)

// Notice informs the operator of the platform about an endpoint.
type Notice struct {
	Kind      NoticeKind // what has happened
	WebhookID string     // to which webhook
	At        time.Time  // and when
	// Until is when a paused endpoint is tried again.
	Until time.Time
	// Failures counts the failures in a row so far, and FailingSince is the time of the
	// first of them.
	Failures     int
	FailingSince time.Time
	// Percent is how far the endpoint has come on the way to being switched
	// off.
	Percent int
}

// notify hands notices of the engine to the program.
func (c *Config) notify(ctx context.Context, n delivery.Notice) {
	if c.Notify != nil {
		c.Notify(ctx, Notice{NoticeKind(n.Kind), n.WebhookID, n.At, n.Until, n.Failures, n.FailingSince, n.Percent})
	}
}
