package delivery

import (
	"context"
	"log/slog"
	"time"
)

// The kinds of notices, which webhooks.NoticeKind explains.
const (
	EndpointPaused  = "EndpointPaused"
	EndpointFailing = "EndpointFailing"
	WebhookDisabled = "WebhookDisabled"
	WebhookBarred   = "WebhookBarred"
	QueueFull       = "QueueFull"
)

// Notice is webhooks.Notice.
type Notice struct {
	Kind         string
	WebhookID    string
	At           time.Time
	Until        time.Time
	Failures     int
	FailingSince time.Time
	Percent      int
}

func (x *effects) notice(l *State, kind string, percent int) {
	n := Notice{
		Kind: kind, WebhookID: l.WebhookID, At: x.g.wall(), Failures: l.Failures,
		FailingSince: x.g.Shown(l.FailingSince),
		Percent:      percent,
	}
	if kind == EndpointPaused {
		n.Until = x.g.Shown(l.PausedUntil)
	}
	x.notices = append(x.notices, n)
}

// notify logs notices and hands them to the program.
func (g *Engine) notify(ctx context.Context, notices ...Notice) {
	for _, n := range notices {
		g.cfg.Env.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook "+n.Kind,
			slog.String("webhook", n.WebhookID), slog.Int("failures", n.Failures),
			slog.Time("failingSince", n.FailingSince), slog.Time("until", n.Until), slog.Int("percent", n.Percent))
		g.cfg.Notify(ctx, n)
	}
}
