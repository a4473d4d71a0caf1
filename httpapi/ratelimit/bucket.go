package ratelimit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// longest is how long an allowance takes to hold a request again, at most: it is in debt by a
// minute's requests then.
const longest = time.Minute + time.Second

// prefix begins the keys of allowances, which no scope of records begins with.
const prefix = "ratelimit/"

// keyOf is the key of an allowance. A principal's id may be longer than a key.
func keyOf(principalID string) string {
	sum := sha256.Sum256([]byte(principalID))
	return prefix + hex.EncodeToString(sum[:16])
}

// bucket is an allowance in the store: the requests that it held at a moment. One that
// is not there is full.
type bucket struct {
	tokens float64
	at     time.Time
	back   bool // the clock was set back since it was written, so that it is to be written again
}

// encode returns the tokens and the nanoseconds since 1970, of 8 bytes each.
func (b bucket) encode() []byte {
	v := binary.BigEndian.AppendUint64(nil, math.Float64bits(b.tokens))
	return binary.BigEndian.AppendUint64(v, uint64(b.at.UnixNano())) //nolint:gosec // comes back as it was
}

// bucket reads an allowance as it is now.
func (l *Limiter) bucket(r storage.Reader, key string, now time.Time) (bucket, error) {
	value, err := r.Get(key)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return bucket{tokens: l.full, at: now}, nil
	case err != nil:
		return bucket{}, err
	}
	return l.decode(value, now), nil
}

// decode reads an allowance as it is now. One that no caller can read is full.
func (l *Limiter) decode(value []byte, now time.Time) bucket {
	if len(value) != 16 {
		return bucket{tokens: l.full, at: now}
	}
	tokens := math.Float64frombits(binary.BigEndian.Uint64(value))
	if math.IsNaN(tokens) {
		return bucket{tokens: l.full, at: now}
	}
	at := time.Unix(0, int64(binary.BigEndian.Uint64(value[8:]))) //nolint:gosec // as above
	// A clock that is behind fills nothing, and nothing twice. One that was set back continues
	// from where it is.
	past := now.Sub(at)
	back := past < -time.Minute
	switch {
	case past > 0:
		tokens, at = tokens+past.Seconds()*l.rate, now
	case back:
		at = now
	}
	return bucket{tokens: min(tokens, l.full), at: at, back: back}
}

// sweepEvery is how often full allowances are forgotten, and sweepPage how many are
// looked at in one transaction.
const (
	sweepEvery = time.Minute
	sweepPage  = 1_000
)

// Run forgets allowances that are full again, once a minute until ctx is done. It returns
// nil then. Any number of processes may run it.
func (l *Limiter) Run(ctx context.Context) error {
	timer := time.NewTicker(sweepEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if err := l.sweep(ctx); err != nil && ctx.Err() == nil {
			l.log.WarnContext(ctx, "ratelimit: full allowances could not be removed", "cause", err)
		}
	}
}

// sweep forgets the allowances that are full.
func (l *Limiter) sweep(ctx context.Context) error {
	for after := ""; ; {
		var full []string
		last, n := "", 0
		now := l.now()
		err := l.store.View(ctx, func(r storage.Reader) error {
			full, last, n = nil, "", 0
			for key, value := range r.Scan(prefix, after) {
				if l.decode(value, now).tokens >= l.full {
					full = append(full, key)
				}
				last = key
				if n++; n == sweepPage {
					break
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := l.forget(ctx, full); err != nil || n < sweepPage {
			return err
		}
		after = last
	}
}

// forget removes those of the allowances that are full still.
func (l *Limiter) forget(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	now := l.now()
	return l.store.Update(ctx, func(w storage.Writer) error {
		for _, key := range keys {
			b, err := l.bucket(w, key, now)
			if err != nil {
				return err
			}
			if b.tokens < l.full {
				continue
			}
			if err := w.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}
