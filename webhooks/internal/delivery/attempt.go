package delivery

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// userAgent names the sender to receivers.
const userAgent = "twinplatform-webhooks/1"

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 10

// attempt is one request of a delivery that was made.
type attempt struct {
	item
	result
}

// result is what came of an attempt.
type result struct {
	at         time.Time // that people see
	began      time.Time // the same by the clock of the engine
	took       time.Duration
	outcome    string
	status     int           // of HTTP; 0 without an answer
	retryAfter time.Duration // that the receiver asks for
	reason     string        // of a failure, one of the causes; empty for a success
	answer     string        // the beginning of the body of a failure
	cause      error         // for the log; it may name addresses
}

// blocked reports whether the attempt was never made, which is no fault of the
// endpoint.
func (r result) blocked() bool { return r.outcome == Blocked }

// attemptHeader numbers the requests to an endpoint.
const attemptHeader = "Webhook-Attempt"

// post makes the request for one item of a batch.
func (g *Engine) post(ctx context.Context, b *batch, i int) (r result) {
	m := b.items[i].message
	r.at, r.began = g.wall(), g.now()
	defer func() {
		r.took = g.now().Sub(r.began)
		if i := slices.Index(outcomes[:], r.outcome); i >= 0 {
			g.made[i].Add(1)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Timeout)
	defer cancel()
	body := g.bodyOf(m, b.endpoint)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.endpoint.URL, bytes.NewReader(body))
	if err != nil {
		r.outcome, r.reason, r.cause = Blocked, causeAddress, egress.ErrBlocked
		return r
	}
	req.Header["Content-Type"] = []string{"application/json"}
	req.Header["User-Agent"] = []string{userAgent}
	req.Header[attemptHeader] = []string{strconv.FormatInt(b.first+int64(i), 10)}
	b.sign(req.Header, m.MessageID, r.at, body)
	transport := g.cfg.Transport
	if b.endpoint.Inside != nil {
		transport = b.endpoint.Inside
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		r.outcome, r.reason, r.cause = Unanswered, causeOf(err), withoutURL(err)
		if r.reason == causeAddress {
			r.outcome = Blocked
		}
		return r
	}
	defer res.Body.Close()
	r.status = res.StatusCode
	accepted := r.status >= 200 && r.status < 300
	var began []byte
	if !accepted {
		began, err = io.ReadAll(io.LimitReader(res.Body, maxExcerpt))
	}
	if err == nil {
		// What is read to its end lets the connection be used again.
		_, err = io.Copy(io.Discard, io.LimitReader(res.Body, maxAnswer))
	}
	switch {
	case accepted && err != nil && ctx.Err() != nil:
		r.status, r.outcome, r.reason, r.cause = 0, Unanswered, causeOf(err), withoutURL(err)
	case accepted:
		r.outcome = Accepted
	default:
		r.outcome, r.reason = Rejected, causeStatus
		if !g.cfg.DiscardAnswers {
			r.answer = excerpt(began)
		}
		if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
			r.retryAfter = min(retryAfter(res.Header.Get("Retry-After"), r.at), g.cfg.MaxPause)
		}
	}
	return r
}

// withoutURL is an error without the URL, which may carry a receiver's own secrets.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// maxRetryAfter bounds how long a receiver can ask to be left alone.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads what a receiver asks for: a number of seconds, or a date.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		if math.IsNaN(seconds) || seconds <= 0 {
			return 0
		}
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}

// logAttempt logs an attempt that failed, with a cause that only the log may
// know.
func (g *Engine) logAttempt(ctx context.Context, b *batch, a attempt) {
	level := slog.LevelInfo
	if a.blocked() {
		level = slog.LevelWarn
	}
	g.cfg.Env.Logger.LogAttrs(ctx, level, "webhook attempt failed",
		slog.String("webhook", b.endpoint.ID), slog.String("delivery", a.delivery), slog.String("outcome", a.outcome),
		slog.Int("status", a.status), slog.Any("cause", a.cause))
}
