package delivery

import (
	"net/http"
	"slices"
	"time"
)

// Each endpoint has a circuit breaker. Config.PauseAfter failures in a row open
// it: the endpoint is left alone, for twice as long each time, and after each
// pause probed with one event. The first that it takes closes the circuit.

// updateEndpoint updates the state of the endpoint from an attempt.
func (x *effects) updateEndpoint(l *State, a attempt) error {
	if !a.blocked() {
		l.noteLatency(a.took)
	}
	switch {
	case a.blocked() || a.test:
		return nil
	case a.outcome == Accepted:
		l.Reset()
		l.LastSuccess = a.began
		return nil
	case a.status == http.StatusGone:
		return x.disable(l)
	case a.second && l.Open:
		return nil
	}
	if l.Failures == 0 {
		l.FailingSince = a.began
	}
	l.Failures++
	if err := x.pause(l, a); err != nil {
		return err
	}
	return x.escalate(l)
}

// pause leaves an endpoint alone that asked for it, or has failed often enough.
func (x *effects) pause(l *State, a attempt) error {
	cfg := &x.g.cfg
	if a.retryAfter > 0 {
		l.PausedUntil = x.now.Add(a.retryAfter)
	}
	over := l.Failures - cfg.PauseAfter
	if over < 0 {
		if len(l.Failed) < maxFailed {
			l.Failed = append(slices.Clone(l.Failed), a.delivery)
		}
		return nil
	}
	if !l.Open {
		if err := x.open(l); err != nil {
			return err
		}
	}
	pause := cfg.backoff(over)
	if until := x.now.Add(pause); until.After(l.PausedUntil) {
		l.PausedUntil = until
	}
	if over == 0 || pause > cfg.backoff(over-1) {
		x.notice(l, EndpointPaused, 0)
	}
	return nil
}

// maxFailed bounds how many deliveries an endpoint remembers as failed in a row.
const maxFailed = 64

// open opens the circuit. What failed with the endpoint goes back to its place
// among the events, so that the oldest is the first to be tried.
func (x *effects) open(l *State) error {
	for _, id := range l.Failed {
		err := x.modify(id, func(d *Delivery) error { return x.g.push(x.u, x.b.endpoint.Queue, d, d.made()) })
		if err != nil {
			return err
		}
	}
	l.Open, l.Failed = true, nil
	return nil
}

// backoff is how long an endpoint is left alone that failed over times more than
// is let pass: twice as long each time, up to MaxPause.
func (c *Config) backoff(over int) time.Duration {
	if over >= 30 || c.Pause > c.MaxPause>>over {
		return c.MaxPause
	}
	return c.Pause << over
}

// Slow endpoints are recognized by how long they take to answer, and stay slow until
// several answers in a row were quick.
const (
	slowAfter    = time.Second
	quickAnswers = 8
)

// noteLatency notes how long an endpoint took.
func (l *State) noteLatency(took time.Duration) {
	switch {
	case took >= slowAfter:
		l.Slow = quickAnswers
	case l.Slow > 0:
		l.Slow--
	}
}

// escalate warns of an endpoint that does nothing but fail, and switches it off.
func (x *effects) escalate(l *State) error {
	cfg := &x.g.cfg
	if cfg.DisableAfter < 0 || cfg.DisableAttempts < 0 {
		return nil
	}
	way := min(
		float64(x.now.Sub(l.FailingSince))/float64(cfg.DisableAfter),
		float64(l.Failures)/float64(cfg.DisableAttempts),
	)
	for _, mark := range []int{50, 90} {
		if l.Warned < mark && way*100 >= float64(mark) {
			l.Warned = mark
			x.notice(l, EndpointFailing, mark)
		}
	}
	if way >= 1 {
		return x.disable(l)
	}
	return nil
}

// disable sets the webhook inactive. What waits for it waits on, for the case
// that it is set active again.
func (x *effects) disable(l *State) error {
	x.off = true
	was, err := x.g.reg.Deactivate(x.u, x.b.endpoint.ID, x.g.wall())
	if was {
		x.notice(l, WebhookDisabled, 100)
	}
	return err
}
