package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/ratelimit"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

var _ httpapi.RateLimiter = (*ratelimit.Limiter)(nil)

// clock is a clock that stops until it is moved.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(1_780_000_000, 0).Add(time.Duration(c.at.Load())) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

// counting counts the transactions of a store, and fails them while it is down.
type counting struct {
	storage.Store
	updates atomic.Int64
	down    atomic.Bool
}

func (s *counting) Update(ctx context.Context, fn func(storage.Writer) error) error {
	s.updates.Add(1)
	if s.down.Load() {
		return storage.ErrUnavailable
	}
	return s.Store.Update(ctx, fn)
}

func limiter(t *testing.T, s storage.Store, c *clock, rate int) *ratelimit.Limiter {
	t.Helper()
	l, err := ratelimit.New(s, ratelimit.Config{Rate: rate, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// taken is how many of n requests were let through. Any other refusal than the
// documented one fails the test.
func taken(t *testing.T, l *ratelimit.Limiter, id string, n int) (through int) {
	t.Helper()
	for range n {
		err := l.Take(t.Context(), id)
		if err == nil {
			through++
			continue
		}
		e, ok := errors.AsType[*twinplatform.Error](err)
		if !ok || e.Kind != twinplatform.RateLimited || e.Code != "RateLimitExceeded" || e.RetryAfter < time.Second {
			t.Fatalf("Take = %v", err)
		}
	}
	return through
}

func TestABusyPrincipalCostsOneTransactionInAHundredRequests(t *testing.T) {
	t.Parallel()
	s := &counting{Store: memory.New()}
	var c clock
	l := limiter(t, s, &c, 5_000)
	if got := taken(t, l, "me", 6_000); got != 5_000 {
		t.Errorf("%d requests of 6,000 went through, want 5,000", got)
	}
	if got := s.updates.Load(); got != 51 {
		t.Errorf("%d transactions, want 51", got)
	}
	if got := taken(t, l, "you", 10) + taken(t, l, "", 10); got != 20 {
		t.Errorf("%d requests of others went through, want 20", got)
	}
	c.advance(time.Second)
	if got := taken(t, l, "me", 200); got != 83 {
		t.Errorf("after a second %d went through, want 83", got)
	}
	c.advance(time.Hour)
	if got := taken(t, l, "me", 6_000); got != 5_000 {
		t.Errorf("after an hour %d went through, want 5,000", got)
	}
}

func TestProcessesNeverLetMoreThroughThanTheAllowance(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		rate := 1 + random.IntN(3_000)
		s := storagetest.Reruns(memory.New())
		var c clock
		nodes := make([]*ratelimit.Limiter, 1+random.IntN(4))
		for i := range nodes {
			nodes[i] = limiter(t, s, &c, rate)
		}
		through, began := 0, c.now()
		for range 60 {
			through += taken(t, nodes[random.IntN(len(nodes))], "me", random.IntN(rate))
			if most := float64(rate) * (1 + c.now().Sub(began).Minutes()); float64(through) > most+1e-6 {
				t.Fatalf("seed %d: %d of %d a minute went through %d processes within %v", seed, through, rate, len(nodes), c.now().Sub(began))
			}
			c.advance(time.Duration(random.IntN(5_000)) * time.Millisecond)
		}
		if through < rate {
			t.Errorf("seed %d: only %d of %d went through", seed, through, rate)
		}
	}
}

func TestRequestsAtOnceShareAnAllowance(t *testing.T) {
	t.Parallel()
	s := memory.New()
	var c clock
	nodes := []*ratelimit.Limiter{limiter(t, s, &c, 1_000), limiter(t, s, &c, 1_000)}
	var through atomic.Int64
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 500 {
				if nodes[i%2].Take(t.Context(), "me") == nil {
					through.Add(1)
				}
			}
		})
	}
	group.Wait()
	if through.Load() != 1_000 {
		t.Errorf("%d went through, want 1,000", through.Load())
	}
}

func TestWhatIsDrawnAndNotUsedIsLostWithItsLease(t *testing.T) {
	t.Parallel()
	s := memory.New()
	var c clock
	first, second := limiter(t, s, &c, 60), limiter(t, s, &c, 60)
	if taken(t, first, "me", 1) != 1 {
		t.Fatal("refused")
	}
	// The first has drawn two, of which one is left; meanwhile ten more come in.
	c.advance(ratelimit.Lease)
	if got := taken(t, second, "me", 100); got != 60 {
		t.Errorf("%d went through the second, want 60", got)
	}
	if got := taken(t, first, "me", 1); got != 0 {
		t.Error("the first has handed out what it has lost")
	}
}

func TestEachProcessLimitsByItselfWhileTheStoreIsDown(t *testing.T) {
	t.Parallel()
	s := &counting{Store: memory.New()}
	s.down.Store(true)
	var c clock
	l := limiter(t, s, &c, 50)
	if got := taken(t, l, "me", 200); got != 50 {
		t.Errorf("%d went through, want 50", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Take(ctx, "you"); !errors.Is(err, context.Canceled) {
		t.Errorf("Take = %v, want the error of its context", err)
	}
}

func TestFullAllowancesAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.New()
		ctx, cancel := context.WithCancel(t.Context())
		l, err := ratelimit.New(s, ratelimit.Config{Rate: 600})
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		group.Go(func() {
			if err := l.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		for i := range 2_500 {
			if err := l.Take(ctx, fmt.Sprint("principal ", i)); err != nil {
				t.Fatal(err)
			}
		}
		if there := dump(t, s); len(there) != 2_500 {
			t.Errorf("%d allowances are kept, want 2,500", len(there))
		}
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if there := dump(t, s); len(there) != 0 {
			t.Errorf("%d allowances are kept that are full", len(there))
		}
		cancel()
		group.Wait()
	})
}

func dump(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	there, err := storagetest.Dump(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// Two handlers, as of two processes, answer 429 when both together have let through what
// the allowance holds.
func TestHandlersShareAllowancesOverHTTP(t *testing.T) {
	t.Parallel()
	s := memory.New()
	var c clock
	var handlers []http.Handler
	for range 2 {
		h, err := httpapi.New(httpapi.Config{
			Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"secret": {ID: "me", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}}}),
			Schedules:     schedules.New(s, schedules.Config{}, scheduling.Feature, exchange.Feature),
			RateLimiter:   limiter(t, s, &c, 10),
		})
		if err != nil {
			t.Fatal(err)
		}
		handlers = append(handlers, h)
	}
	statuses := make(map[int]int)
	for i := range 16 {
		r := httptest.NewRequest(http.MethodGet, "/schedules/none", http.NoBody)
		r.Header.Set("Authorization", "Bearer secret")
		w := httptest.NewRecorder()
		handlers[i%2].ServeHTTP(w, r)
		statuses[w.Code]++
		if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
			t.Error("a refusal does not say when to come again")
		}
	}
	if statuses[http.StatusTooManyRequests] != 6 {
		t.Errorf("statuses %v, want 6 refusals of 16", statuses)
	}
}

func TestALimiterThatContradictsItselfIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := ratelimit.New(memory.New(), ratelimit.Config{Rate: -1}); err == nil {
		t.Error("a negative rate was taken")
	}
	var c clock
	_, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{}),
		Rate:          100, RateLimiter: limiter(t, memory.New(), &c, 10),
	})
	if err == nil {
		t.Error("a handler with two limits was made")
	}
}

var _ httpapi.RateCharger = (*ratelimit.Limiter)(nil)

// A charge at one process is a debt at all of them, of a minute at most, and the time
// that it is asked to wait is right.
func TestDebtsAreSharedBoundedAndPaid(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]storage.Store{"in memory": memory.New(), "run again": storagetest.Reruns(memory.New())} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c clock
			first, second := limiter(t, store, &c, 60), limiter(t, store, &c, 60)
			if taken(t, first, "me", 1) != 1 {
				t.Fatal("refused")
			}
			for range 3 {
				first.Charge(t.Context(), "me", 100)
			}
			err := second.Take(t.Context(), "me")
			e, ok := errors.AsType[*twinplatform.Error](err)
			if !ok || e.RetryAfter != 61*time.Second {
				t.Fatalf("Take = %v, want a wait of 61 s", err)
			}
			c.advance(60 * time.Second)
			if got := taken(t, first, "me", 5) + taken(t, second, "me", 5); got != 0 {
				t.Errorf("%d went through in debt", got)
			}
			c.advance(time.Second)
			if got := taken(t, second, "me", 5) + taken(t, first, "you", 5); got != 6 {
				t.Errorf("%d went through once it is paid, want 1 and 5 of another", got)
			}
		})
	}
}

func TestAProcessChargesByItselfWhileTheStoreIsDown(t *testing.T) {
	t.Parallel()
	s := &counting{Store: memory.New()}
	s.down.Store(true)
	var c clock
	l := limiter(t, s, &c, 50)
	l.Charge(t.Context(), "me", 60)
	if got := taken(t, l, "me", 10); got != 0 {
		t.Errorf("%d went through, want none", got)
	}
}

// A principal waits no longer than it takes to fill an allowance, whatever the clock did, and by
// what a clock was set back that may be another process's, of less than a minute.
func TestAllowancesFillWithinTwoMinutesWhateverTheClockDoes(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, back := range []time.Duration{time.Second, 59 * time.Second, 10 * time.Minute, 20 * time.Hour, 40 * day} {
		wait := 62 * time.Second
		if back < time.Minute {
			wait += back
		}
		for _, again := range []bool{false, true} {
			c, store := new(clock), memory.New()
			l := limiter(t, store, c, 60)
			if n := taken(t, l, "ann", 100); n != 60 {
				t.Fatalf("%d requests of an allowance of 60", n)
			}
			c.advance(-back)
			if again { // in a process that has drawn nothing
				l = limiter(t, store, c, 60)
			}
			if n := taken(t, l, "ann", 100); n > 60 {
				t.Errorf("%v back: %d requests at once of an allowance of 60", back, n)
			}
			c.advance(wait)
			if n := taken(t, l, "ann", 100); n < 50 || n > 60 {
				t.Errorf("%v back, another process %v: %d requests %v later, of 60", back, again, n, wait)
			}
		}
	}
}
