package steady

import (
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// The wall clock is believed at once where it is no further than mostOff from what time has
// passed, and after doubted in any case: it is wrong for that long if no one corrects it.
const (
	mostOff = time.Hour
	doubted = 24 * time.Hour
)

// Wall is the wall clock as far as it is believed. What is forgotten for good goes by it: a
// clock that is far ahead or behind for a while makes nothing expire that is missed when it is
// right again, and lets nothing stay for ever; one that stays so does a day later. It is safe for
// concurrent use.
type Wall struct {
	env twinplatform.Env

	mu      sync.Mutex
	elapsed func() time.Duration // nil until Now is called
	shows   time.Time            // while elapsed is at
	at      time.Duration
	doubts  bool
	since   time.Duration // when the doubts began
}

// NewWall returns a clock that believes the first time that it is shown.
func NewWall(env twinplatform.Env) *Wall { return &Wall{env: env} }

// Now is the present.
func (w *Wall) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.elapsed == nil {
		w.elapsed = Elapsed(w.env)
		w.shows, w.at = w.env.Now().Round(0), w.elapsed()
		return w.shows
	}
	at, wall := w.elapsed(), w.env.Now().Round(0)
	w.shows, w.at = w.shows.Add(at-w.at), at
	ahead := wall.Sub(w.shows)
	switch off := ahead > mostOff || ahead < -mostOff; {
	case off && !w.doubts:
		w.doubts, w.since = true, at
	case off && at-w.since < doubted:
	default:
		w.shows, w.doubts = wall, false
	}
	return w.shows
}

// Of is a time of the wall clock's by the clock that is believed.
func (w *Wall) Of(at time.Time) time.Time {
	now := w.Now()
	if ahead := w.env.Now().Sub(now); ahead > mostOff || ahead < -mostOff {
		at = at.Add(-ahead)
	}
	return at
}

// Step is by how much the wall clock was set since Step was called last; it is not for use
// besides Now.
func (w *Wall) Step() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.elapsed == nil {
		w.elapsed = Elapsed(w.env)
		w.shows, w.at = w.env.Now().Round(0), w.elapsed()
		return 0
	}
	at, wall := w.elapsed(), w.env.Now().Round(0)
	step := wall.Sub(w.shows) - (at - w.at)
	w.shows, w.at = wall, at
	return step
}
