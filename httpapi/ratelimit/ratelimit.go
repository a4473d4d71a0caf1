// Package ratelimit limits the requests of principals over several processes: it keeps
// allowances in the store that the processes share.
//
//	limiter, err := ratelimit.New(store, ratelimit.Config{})
//	if err != nil {
//		return err
//	}
//	go limiter.Run(ctx)
//	handler, err := httpapi.New(httpapi.Config{RateLimiter: limiter, Authenticator: tokens, Schedules: svc})
//
// A process takes a hundred requests at a time from the allowance in the store, so that a
// busy principal costs one transaction in a hundred requests. All processes together never
// let more requests through than the allowance holds. Requests that a process has taken and
// not used are lost when its lease ends, so that a principal whose requests go to many
// processes alternately may have somewhat less.
//
// While the store takes no transactions, each process keeps its own allowances.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/allowance"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Limits.
const (
	// DefaultRate is the number of requests a minute, and at once, of a principal.
	DefaultRate = 5_000
	// Lease is how long a process keeps what it has drawn.
	Lease = 10 * time.Second
	// maxShare is how many requests a process draws at once, at most.
	maxShare = 100
)

// Config configures a Limiter. The zero value is ready.
type Config struct {
	// Rate is the number of requests that a principal may make in a minute, and the
	// largest number at once; so may each network from which requests without a valid
	// token come. It is the same in all processes over a store. 0 means DefaultRate.
	Rate int
	// Now is the clock. Nil means the one that the processes have in common through the
	// store (storage.Timed), and time.Now where it has none: those of the processes differ
	// by less than a second then, or an allowance is filled as by the one that is ahead.
	Now func() time.Time
	// Logger receives reports of a store that takes no transactions. Nil discards it.
	Logger *slog.Logger
}

// Limiter is an httpapi.RateLimiter. It is safe for concurrent use.
type Limiter struct {
	store  storage.Store
	rate   float64 // a second
	full   float64
	now    func() time.Time
	log    *slog.Logger
	drawn  *allowance.Recent[*share]
	lonely *allowance.Allowances // while the store takes no transactions
}

// New returns a Limiter over a store. It fails when the rate is negative.
func New(store storage.Store, cfg Config) (*Limiter, error) {
	if cfg.Rate < 0 {
		return nil, errors.New("ratelimit: Config.Rate may not be negative")
	}
	if cfg.Rate == 0 {
		cfg.Rate = DefaultRate
	}
	if cfg.Now == nil {
		cfg.Now = storage.TimeOf(store)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Limiter{
		store: store, rate: float64(cfg.Rate) / 60, full: float64(cfg.Rate), now: cfg.Now, log: cfg.Logger,
		drawn: allowance.NewRecent(newShare), lonely: allowance.New(cfg.Rate, cfg.Now),
	}, nil
}

// share is what this process has drawn for a principal.
type share struct {
	turn  chan struct{} // holds one while no caller uses the rest
	left  int
	until time.Time // when what is left is lost
	over  time.Time // until when nothing is to be drawn
}

func newShare() *share {
	s := &share{turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// Take takes one request from the allowance of a principal, or of a network from which
// requests without a valid token come. It fails with RateLimited, and
// with the error of ctx.
func (l *Limiter) Take(ctx context.Context, principalID string) error {
	s := l.drawn.Of(principalID)
	select {
	case <-s.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { s.turn <- struct{}{} }()
	now := l.now()
	if lasts := s.until.Sub(now); s.left > 0 && 0 < lasts && lasts <= Lease {
		s.left--
		return nil
	}
	if wait := s.over.Sub(now); 0 < wait && wait <= longest {
		return allowance.Over(wait)
	}
	got, wait, err := l.draw(ctx, principalID, now)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		l.log.WarnContext(ctx, "ratelimit: the store is unavailable; this process counts requests by itself", "cause",
			err)
		return l.lonely.Take(ctx, principalID)
	case got == 0:
		// A caller that continues costs no transaction for what trickles in meanwhile.
		wait = max(wait, time.Second)
		s.left, s.over = 0, now.Add(wait)
		return allowance.Over(wait)
	}
	s.left, s.until = got-1, now.Add(Lease)
	return nil
}

// Charge takes so many requests more from the allowance of a principal, for one that
// turned out to be worth several. It may bring the principal into debt, but never by more
// than Rate; until that is paid no process draws from the allowance, and each hands out
// what it has drawn, 100 requests at most. It returns when ctx is done.
func (l *Limiter) Charge(ctx context.Context, principalID string, requests int) {
	s := l.drawn.Of(principalID)
	select {
	case <-s.turn:
	case <-ctx.Done():
		return
	}
	defer func() { s.turn <- struct{}{} }()
	now := l.now()
	if now.Before(s.until) {
		own := min(s.left, requests)
		s.left, requests = s.left-own, requests-own
	}
	if requests <= 0 {
		return
	}
	key := keyOf(principalID)
	err := l.store.Update(storage.WithContention(ctx, key), func(w storage.Writer) error {
		b, err := l.bucket(w, key, now)
		if err != nil {
			return err
		}
		b.tokens = max(b.tokens-float64(requests), -l.full)
		return w.Put(key, b.encode())
	})
	if err != nil && ctx.Err() == nil {
		l.log.WarnContext(ctx, "ratelimit: the store is unavailable; this process counts requests by itself", "cause",
			err)
		l.lonely.Charge(ctx, principalID, requests)
	}
}

// draw takes a share from an allowance in the store, or says when there is one again.
func (l *Limiter) draw(ctx context.Context, principalID string, now time.Time) (got int, wait time.Duration,
	err error,
) {
	key := keyOf(principalID)
	ctx = storage.WithContention(ctx, key)
	err = l.store.Update(ctx, func(w storage.Writer) error {
		b, err := l.bucket(w, key, now)
		if err != nil {
			return err
		}
		got = max(0, int(min(b.tokens, math.Ceil(l.full/50), maxShare)))
		if got == 0 {
			wait = time.Duration((1 - b.tokens) / l.rate * float64(time.Second))
			if !b.back {
				return nil
			}
		}
		b.tokens -= float64(got)
		return w.Put(key, b.encode())
	})
	if err != nil {
		return 0, 0, fmt.Errorf("ratelimit: %w", err)
	}
	return got, wait, nil
}
