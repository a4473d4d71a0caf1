package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// tally counts which events arrived where.
type tally struct {
	endpoints, events int
	seen              []atomic.Uint32 // by endpoint and event
	invented          atomic.Int64
	repeated          atomic.Int64
	left              atomic.Int64
	all               chan struct{} // closed when everything has arrived
}

func (y *tally) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	endpoint, err := strconv.Atoi(strings.TrimPrefix(req.URL.Path, "/"))
	if err != nil || endpoint >= y.endpoints {
		y.invented.Add(1)
		return
	}
	if endpoint%5 == 4 {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	event, err := strconv.Atoi(strings.TrimPrefix(req.Header.Get("Webhook-Id"), "event-"))
	if err != nil || event >= y.events {
		y.invented.Add(1)
		return
	}
	if y.seen[endpoint*y.events+event].Add(1) > 1 {
		y.repeated.Add(1)
	}
	if y.left.Add(-1) == 0 {
		close(y.all)
	}
}

func TestEveryEventReachesEveryHealthyEndpointAmongFailingOnes(t *testing.T) {
	t.Parallel()
	events, endpoints := 2_000, 50
	if testing.Short() || testsize.Raced {
		events = 100
	}
	failing := endpoints / 5
	y := &tally{endpoints: endpoints, events: events, seen: make([]atomic.Uint32, endpoints*events), all: make(chan struct{})}
	y.left.Store(int64((endpoints - failing) * events))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	store := memory.New()
	defer store.Close()
	svc := newService(store, webhooks.Config{Transport: inMemory{y}, KeepDelivered: webhooks.Off, MaxPerTwin: webhooks.Off})
	for i := range endpoints {
		subscribe(t, ctx, svc, webhooks.NewWebhook{CallbackURL: fmt.Sprintf("https://receiver.example.com/%d", i)})
	}
	now := time.Now()
	ran := make(chan error, 1)
	go func() { ran <- svc.Run(ctx) }()
	db := records.New(store)
	for at := 0; at < events; at += 100 {
		err := db.Update(ctx, func(u *records.Update) error {
			for i := at; i < at+100; i++ {
				err := u.Emit(twinplatform.Event{
					ID: fmt.Sprint("event-", i), Type: string(event.TypeRealityConversionJobCompleted), TwinID: twinID,
					AccountID: accountID, Time: now, Content: []byte(`{"jobId":"job"}`),
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		svc.Wake()
	}
	select {
	case <-y.all:
	case err := <-ran:
		t.Fatalf("Run returned %v before %d deliveries arrived", err, y.left.Load())
	}
	cancel()
	if err := <-ran; err != nil {
		t.Fatal(err)
	}
	// What failed waits, all of it.
	if _, err := svc.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b, err := svc.Backlog(t.Context()); err != nil || b.Events != 0 || b.Pending != failing*events || b.Dead != 0 {
		t.Errorf("%+v is left, %v", b, err)
	}
	missing := 0
	for e := range endpoints {
		for i := range events {
			if e%5 != 4 && y.seen[e*events+i].Load() == 0 {
				missing++
			}
		}
	}
	if missing > 0 || y.invented.Load() > 0 || y.repeated.Load() > 0 {
		t.Errorf("%d deliveries missing, %d invented, %d repeated", missing, y.invented.Load(), y.repeated.Load())
	}
	// What waits is in the store, and takes no more of it than it must.
	size := 0
	err := store.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			size += len(key) + len(value)
		}
		return nil
	})
	if perPending := size / (failing * events); err != nil || perPending > 1<<10 {
		t.Errorf("%d bytes are stored per waiting delivery, %v", perPending, err)
	}
}
