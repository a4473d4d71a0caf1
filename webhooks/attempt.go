package webhooks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// userAgent names the sender to receivers.
const userAgent = "twinplatform-webhooks/1"

// result is what came of an attempt.
type result struct {
	at         time.Time
	took       time.Duration
	outcome    Outcome
	status     int
	retryAfter time.Duration // that the receiver asks for
	cause      error         // for the log; it may name addresses
}

// ours reports whether it was no fault of the endpoint.
func (r result) ours() bool { return r.outcome == Blocked }

// attempt makes one request to a webhook's endpoint.
func (s *Service) attempt(ctx context.Context, b *batch, m *message) (r result) {
	r.at = s.now()
	defer func() { r.took = s.now().Sub(r.at) }()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	body := m.envelope(b.webhook.ID)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.webhook.CallbackURL, bytes.NewReader(body))
	if err != nil {
		r.outcome, r.cause = Blocked, errBlocked
		return r
	}
	req.Header["Content-Type"] = []string{"application/json"}
	req.Header["User-Agent"] = []string{userAgent}
	receiver.Sign(req.Header, m.MessageID, r.at, body, b.secrets...)
	res, err := s.send.RoundTrip(req)
	if err != nil {
		r.outcome, r.cause = Unanswered, plain(err)
		if errors.Is(err, errBlocked) {
			r.outcome = Blocked
		}
		return r
	}
	defer res.Body.Close()
	// The answer's content is nobody's business; what is read of it lets the
	// connection be used again.
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, maxAnswerBody))
	r.status = res.StatusCode
	switch {
	case r.status >= 200 && r.status < 300 && err != nil && ctx.Err() != nil:
		r.status, r.outcome, r.cause = 0, Unanswered, plain(err)
	case r.status >= 200 && r.status < 300:
		r.outcome = Accepted
	default:
		r.outcome = Rejected
		if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
			r.retryAfter = min(retryAfter(res.Header.Get("Retry-After"), r.at), s.cfg.MaxPause)
		}
	}
	return r
}

// plain is an error without the URL, which may carry a receiver's own secrets.
func plain(err error) error {
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
	if header == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		if math.IsNaN(seconds) || seconds <= 0 {
			return 0
		}
		if seconds >= maxRetryAfter.Seconds() {
			return maxRetryAfter
		}
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}
