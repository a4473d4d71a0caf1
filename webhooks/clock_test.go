package webhooks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// wall is a clock that is set while time passes.
type wall struct {
	began time.Time
	off   atomic.Int64 // by so many nanoseconds
}

func newWall() *wall { return &wall{began: time.Now()} }

func (w *wall) set(off time.Duration) { w.off.Store(int64(off)) }

func (w *wall) env() twinplatform.Env {
	return twinplatform.Env{
		Now:     func() time.Time { return time.Now().Round(0).Add(time.Duration(w.off.Load())) },
		Elapsed: func() time.Duration { return time.Since(w.began) },
	}
}

// alone is a store that one process has to itself.
type alone struct {
	storage.Store
	epoch string
}

func (a alone) Epoch() string { return a.epoch }

const year = 365 * 24 * time.Hour

// steps are what a clock shows one after the other, besides the time.
var steps = map[string][]time.Duration{
	"ten minutes back":                   {0, -10 * time.Minute},
	"five days back":                     {0, -5 * 24 * time.Hour},
	"60 years back":                      {0, -60 * year},
	"20 hours ahead for a while":         {0, 20 * time.Hour, 0},
	"40 days ahead for a while":          {0, 40 * 24 * time.Hour, 0},
	"280 years ahead":                    {0, 280 * year},
	"280 years ahead for a while":        {0, 280 * year, 0},
	"back, right, ahead, right and back": {0, -time.Hour, 0, time.Hour, 0, -time.Minute},
	"ahead from the beginning":           {40 * 24 * time.Hour, 0},
	"far ahead from the beginning":       {280 * year, 0},
	"behind from the beginning":          {-50 * year, 0},
}

// Whatever the wall clock does, and whether the process is started again meanwhile: events come
// at once, and what has failed is tried again after its pause, neither earlier nor later.
func TestDeliveriesKeepTheirPausesWhateverTheClockDoes(t *testing.T) {
	t.Parallel()
	for name, offs := range steps {
		for i := range 4 {
			restarts, breaks := i&1 > 0, i&2 > 0
			t.Run(fmt.Sprint(name, ", restarts ", restarts, ", breaks ", breaks), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					walk(t, offs, restarts, breaks, func() time.Duration { return 2 * time.Second })
				})
			})
		}
	}
}

// TestDeliveriesKeepTheirPausesInRandomWalksOfTheClock is the same for walks in both directions.
func TestDeliveriesKeepTheirPausesInRandomWalksOfTheClock(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Seeds(60, 4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 48))
			offs := make([]time.Duration, 12)
			for i := range offs[:len(offs)-1] {
				offs[i] = []time.Duration{time.Second, time.Minute, time.Hour, 24 * time.Hour, 90 * 24 * time.Hour, 30 * year}[rnd.IntN(6)]
				offs[i] = time.Duration((2*rnd.Float64() - 1) * float64(offs[i]))
			}
			synctest.Test(t, func(t *testing.T) {
				walk(t, offs, rnd.IntN(2) == 0, rnd.IntN(2) == 0, func() time.Duration { return time.Duration(rnd.IntN(100)) * time.Second })
			})
		})
	}
}

// walk sets the clock one way and the other under three webhooks, one of which fails, so that its
// circuit opens where it breaks.
func walk(t *testing.T, offs []time.Duration, restarts, breaks bool, rest func() time.Duration) {
	const pause = 10 * time.Second
	clock := newWall()
	var failing atomic.Bool
	v := newVisits(t, func(int, *http.Request) {})
	attempts := make(map[string][]time.Time) // of /b while it fails, by message
	transport := roundTripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Path == "/events/b" && failing.Load() {
			id := req.Header.Get("Webhook-Id")
			v.mu.Lock()
			attempts[id] = append(attempts[id], time.Now())
			v.mu.Unlock()
			return &http.Response{StatusCode: http.StatusInternalServerError, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
		}
		return inMemory{v}.RoundTrip(req)
	})
	store := memory.New()
	pauseAfter := 1_000_000
	if breaks {
		pauseAfter = 1
	}
	epoch := 0
	start := func() *node {
		epoch++
		n := &node{ran: make(chan error, 1)}
		var ctx context.Context
		ctx, n.stop = context.WithCancel(t.Context())
		n.svc = newService(alone{store, strconv.Itoa(epoch)}, webhooks.Config{
			Env: clock.env(), Transport: transport, Schedule: slices.Repeat([]time.Duration{pause}, 100), Jitter: -1, DisableAfter: -1,
			PauseAfter: pauseAfter, Pause: pause, MaxPause: pause,
			KeepDelivered: webhooks.KeepDeliveries,
		})
		go func() { n.ran <- n.svc.Run(ctx) }()
		return n
	}
	clock.set(offs[0])
	n := start()
	for _, path := range []string{"/a", "/b", "/c"} {
		subscribe(t, t.Context(), n.svc, webhooks.NewWebhook{CallbackURL: callback + path})
	}
	made := 0
	want := func(at string) {
		t.Helper()
		for _, path := range []string{"/events/a", "/events/c"} {
			if got := len(v.got(path)); got != made {
				t.Fatalf("%s: %d of %d events came to %s", at, got, made, path)
			}
		}
	}
	for i, off := range offs {
		for _, fails := range []bool{true, false} {
			failing.Store(fails)
			clock.set(off)
			if restarts {
				n.end(t)
				n = start()
			}
			publish(t, t.Context(), n.svc, fmt.Sprint("event-", made))
			made++
			n.svc.Wake()
			time.Sleep(2 * time.Second)
			want(fmt.Sprint("step ", i, ", off by ", off))
			time.Sleep(rest())
		}
	}
	failing.Store(false)
	time.Sleep(pause + 2*time.Second)
	want("in the end")
	if got := len(v.got("/events/b")); got != made {
		t.Errorf("%d of %d events came to the one that failed, a pause after it was well", got, made)
	}
	n.end(t)
	for id, at := range attempts {
		for i := range at[1:] {
			// How long no process ran is not known where the clock was set meanwhile.
			if d := at[i+1].Sub(at[i]); d < pause && !restarts {
				t.Errorf("%s was tried again after %v", id, d)
			}
		}
	}
}

// got are the messages that came to a path.
func (v *visits) got(path string) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.came[path]
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// common is a store of several processes that has a clock for all of them; once the process has
// died, it is out of its reach.
type common struct{ mortal }

func (c *common) Clock() func() time.Time { return time.Now }

// Nodes whose clocks differ deliver each event once, and take over from one that dies as soon as
// those whose clocks agree: by the clock of the store.
func TestNodesWhoseClocksDifferTakeOverInTime(t *testing.T) {
	t.Parallel()
	for _, off := range []time.Duration{-10 * time.Minute, 10 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			v := newVisits(t, func(n int, req *http.Request) {
				if n == 1 {
					upTo(time.Hour, req)
				}
			})
			store := memory.New()
			start := func(off time.Duration) (*node, *common) {
				mine := &common{}
				mine.Store = store
				ctx, stop := context.WithCancel(t.Context())
				n := &node{stop: stop, ran: make(chan error, 1)}
				n.svc = newService(mine, webhooks.Config{
					Transport: impatient{inMemory{v}}, Timeout: time.Minute,
					Env: twinplatform.Env{Now: func() time.Time { return time.Now().Add(off) }},
				})
				go func() { n.ran <- n.svc.Run(ctx) }()
				return n, mine
			}
			first, mine := start(off)
			subscribe(t, t.Context(), first.svc, webhooks.NewWebhook{})
			publish(t, t.Context(), first.svc, "event")
			first.svc.Wake()
			time.Sleep(17 * time.Second)
			second, _ := start(0)
			time.Sleep(13 * time.Second)
			if got := len(v.got("/events")); got != 1 {
				t.Fatalf("off by %v: %d attempts while the first is under way", off, got)
			}
			mine.dead.Store(true)
			first.stop()
			died := time.Now()
			time.Sleep(30 * time.Second)
			v.mu.Lock()
			at, overlaps := slices.Clone(v.at["/events"]), v.overlaps
			v.mu.Unlock()
			if len(at) != 2 || at[1].Sub(died) > 7*time.Second || overlaps > 0 {
				t.Errorf("off by %v: attempts at %v, the node was lost at %v; %d at a time", off, at, died, overlaps)
			}
			second.end(t)
			<-first.ran
		})
	}
}
