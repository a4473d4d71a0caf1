package webhooks

import (
	"context"
	"log/slog"
	"time"
)

// NoticeKind says what a [Notice] is about.
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
	// WebhookBarred: the application that made a webhook lost the right to hear
	// of what happens there, and gets nothing until it has it again.
	WebhookBarred NoticeKind = "WebhookBarred"
	// QueueFull: so many deliveries wait for an endpoint that further ones are
	// kept as dead.
	QueueFull NoticeKind = "QueueFull"
)

// Notice tells whoever runs the platform about an endpoint.
type Notice struct {
	Kind      NoticeKind
	WebhookID string
	At        time.Time
	// Until is when a paused endpoint is tried again.
	Until time.Time
	// Failures are those in a row so far, and FailingSince is the time of the
	// first of them.
	Failures     int
	FailingSince time.Time
	// Percent is how far the endpoint has come on the way to being switched
	// off.
	Percent int
}

// tell logs notices and hands them to the program.
func (s *Service) tell(ctx context.Context, notices ...Notice) {
	for _, n := range notices {
		s.env.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook "+string(n.Kind),
			slog.String("webhook", n.WebhookID), slog.Int("failures", n.Failures),
			slog.Time("failingSince", n.FailingSince), slog.Time("until", n.Until), slog.Int("percent", n.Percent))
		if s.cfg.Notify != nil {
			s.cfg.Notify(ctx, n)
		}
	}
}
