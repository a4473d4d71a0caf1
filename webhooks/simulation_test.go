package webhooks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// mortal is a store as one process sees it: once the process has crashed, none
// of its calls has an effect.
type mortal struct {
	storage.Store
	dead atomic.Bool
}

func (m *mortal) View(ctx context.Context, fn func(storage.Reader) error) error {
	if m.dead.Load() {
		return storage.ErrClosed
	}
	return m.Store.View(ctx, fn)
}

func (m *mortal) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if m.dead.Load() {
		return storage.ErrClosed
	}
	return m.Store.Update(ctx, func(w storage.Writer) error {
		if err := fn(w); err != nil {
			return err
		}
		if m.dead.Load() {
			return storage.ErrClosed
		}
		return nil
	})
}

// exclusive is a transport that counts requests to a path to which another is
// under way. A receiver cannot count them: it learns late that the sender has
// given up.
type exclusive struct {
	http.RoundTripper
	mu       sync.Mutex
	underway map[string]bool
	overlaps int
}

func (e *exclusive) RoundTrip(req *http.Request) (*http.Response, error) {
	e.mu.Lock()
	if e.underway[req.URL.Path] {
		e.overlaps++
	}
	e.underway[req.URL.Path] = true
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.underway[req.URL.Path] = false
	}()
	return e.RoundTripper.RoundTrip(req)
}

// TestRandomHistoriesLoseNothing has processes crash and receivers misbehave at
// random, and then everything heal.
func TestRandomHistoriesLoseNothing(t *testing.T) {
	t.Parallel()
	histories := 150
	if testing.Short() || testsize.Raced {
		histories = 6
	}
	for seed := range histories {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { history(t, uint64(seed)) })
		})
	}
}

func history(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 17))
	var healed atomic.Bool
	in := &inbox{}
	in.answer = func(_ int, _ received, w http.ResponseWriter, req *http.Request) {
		if healed.Load() {
			return
		}
		in.mu.Lock()
		dice := rnd.IntN(100)
		in.mu.Unlock()
		switch {
		case dice < 30:
			w.WriteHeader([]int{301, 400, 404, 429, 500, 503}[dice%6])
		case dice < 40:
			<-req.Context().Done()
		case dice < 50:
			time.Sleep(time.Duration(dice) * 50 * time.Millisecond)
		case dice < 55:
			panic(http.ErrAbortHandler)
		}
	}
	cfg, stop := overPipes(t, in, webhooks.Config{Env: twinplatform.Env{Lease: 50 * time.Minute}, Lease: 5 * time.Second, Poll: 10 * time.Minute, Batch: 1 + rnd.IntN(8), KeepDelivered: webhooks.KeepDeliveries})
	defer stop()
	transport := &http.Transport{DialContext: cfg.Dial, TLSClientConfig: tlsConfig(cfg)}
	defer transport.CloseIdleConnections()
	once := &exclusive{RoundTripper: transport, underway: make(map[string]bool)}
	cfg.Transport = once
	ctx := t.Context()
	store := memory.New()
	owner := newService(store, cfg)
	var hooks []webhooks.Webhook
	for i := range 3 {
		hook, _ := subscribe(t, ctx, owner, webhooks.NewWebhook{CallbackURL: fmt.Sprint(callback, "/", i)})
		hooks = append(hooks, hook)
	}

	// Two processes deliver; now and then one crashes and is started again.
	type process struct {
		store *mortal
		stop  context.CancelFunc
		ran   chan error
	}
	start := func() *process {
		p := &process{store: &mortal{Store: store}, ran: make(chan error, 1)}
		var run context.Context
		run, p.stop = context.WithCancel(ctx)
		svc := newService(p.store, cfg)
		go func() { p.ran <- svc.Run(run) }()
		return p
	}
	processes := []*process{start(), start()}
	events := 5 + rnd.IntN(30)
	db := records.New(store)
	for i := range events {
		err := db.Update(ctx, func(u *records.Update) error {
			return u.Emit(twinplatform.Event{
				ID: fmt.Sprint("event-", i), Type: string(event.TypeTwinDeleted), TwinID: twinID, AccountID: accountID, Time: time.Now(),
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		in.mu.Lock()
		pause, crash, which := time.Duration(rnd.IntN(1<<rnd.IntN(24)))*time.Millisecond, rnd.IntN(4) == 0, rnd.IntN(2)
		in.mu.Unlock()
		time.Sleep(pause)
		if crash {
			p := processes[which]
			p.store.dead.Store(true)
			p.stop()
			<-p.ran
			processes[which] = start()
		}
	}
	healed.Store(true)
	time.Sleep(6 * 24 * time.Hour)
	synctest.Wait()
	for _, p := range processes {
		p.stop()
		if err := <-p.ran; err != nil {
			t.Errorf("Run: %v", err)
		}
	}

	bodies := make(map[string]string)
	for _, r := range in.all() {
		key := r.WebhookID + " " + r.MessageID
		if prev, ok := bodies[key]; ok && prev != string(r.body) {
			t.Errorf("%s has two bodies", key)
		}
		bodies[key] = string(r.body)
	}
	if len(bodies) != len(hooks)*events {
		t.Errorf("%d different deliveries were attempted, want %d", len(bodies), len(hooks)*events)
	}
	for _, hook := range hooks {
		page, err := owner.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{State: webhooks.Delivered})
		if err != nil {
			t.Fatal(err)
		}
		st, err := owner.Status(ctx, hook.ID)
		if err != nil || page.Len() != events || st.Pending != 0 || st.Dead != 0 {
			t.Errorf("%d of %d delivered, %+v, %v", page.Len(), events, st, err)
		}
	}
	if once.overlaps > 0 {
		t.Errorf("%d attempts overlapped", once.overlaps)
	}
}
