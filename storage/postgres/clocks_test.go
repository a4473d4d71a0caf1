package postgres_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// listener is a receiver that notes what came, and how many requests were under way at once. The
// first request is kept until its sender gives it up.
type listener struct {
	mu       sync.Mutex
	came     map[string]int // by message
	under    int
	overlaps int
	first    chan struct{} // closed when it has come
	second   time.Time
}

func (l *listener) RoundTrip(req *http.Request) (*http.Response, error) {
	id := req.Header.Get("Webhook-Id")
	l.mu.Lock()
	l.came[id]++
	if l.under++; l.under > 1 {
		l.overlaps++
	}
	held := l.first != nil
	first := l.first
	l.first = nil
	if !held && l.second.IsZero() {
		l.second = time.Now()
	}
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.under--
	}()
	if held {
		close(first)
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

// Two nodes whose clocks differ by up to ten minutes do everything once, and one takes over what
// the other left within a lease, whichever is ahead.
func TestNodesWhoseClocksDifferDoEverythingOnceAndTakeOverInTime(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out by -short: it waits for a lease")
	}
	for _, apart := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
		t.Run(fmt.Sprint("the one that dies is off by ", apart), func(t *testing.T) {
			t.Parallel()
			server := postgrestest.Shared(t)
			schema := server.Schema(t)
			l := &listener{came: make(map[string]int), first: make(chan struct{})}
			first := l.first
			node := func(off time.Duration) (p *platform.Platform, kill func()) {
				options := postgres.Options{Schema: schema, MaxConns: 8, Logger: quiet}
				store, err := postgres.Open(t.Context(), server.URL(""), options)
				if err != nil {
					t.Fatal(err)
				}
				p, err = platform.New(store, platform.Config{
					Env: twinplatform.Env{
						Logger: quiet, Background: true,
						Now: func() time.Time { return time.Now().Add(off) },
					},
					Webhooks: webhooks.Config{Transport: l, Timeout: time.Minute},
				})
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				ran := make(chan error, 1)
				go func() { ran <- p.Run(ctx) }()
				t.Cleanup(func() {
					stop()
					_ = p.Close()
					<-ran
				})
				return p, func() { _ = store.Close() } // as if it had died: nothing reaches the store
			}
			dying, kill := node(apart)
			ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
				ID: "ann", AccountID: twinplatform.NewGUID(), Kind: twinplatform.User,
				AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
			})
			twin, err := dying.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
			if err != nil {
				t.Fatal(err)
			}
			id := twin.Value().ID
			hook, err := dying.Webhooks.CreateWebhook(t.Context(), webhooks.NewWebhook{
				CallbackURL: "https://receiver.example.com/events",
				Scope:       webhooks.TwinScope, ScopeID: id, EventTypes: webhooks.EventTypes(),
			})
			if err != nil {
				t.Fatal(err)
			}
			on := webhooks.WebhookPatch{Active: twinplatform.Set(true)}
			if _, err := dying.Webhooks.UpdateWebhook(t.Context(), hook.Value().ID, on); err != nil {
				t.Fatal(err)
			}
			if _, err := dying.Webhooks.SendTest(t.Context(), hook.Value().ID, webhooks.TestEvent{}); err != nil {
				t.Fatal(err)
			}
			<-first
			node(0)
			time.Sleep(6 * time.Second)
			l.mu.Lock()
			if l.overlaps > 0 || !l.second.IsZero() {
				t.Errorf("the other node delivers what the first is at")
			}
			l.mu.Unlock()
			died := time.Now()
			kill()
			for time.Since(died) < 20*time.Second {
				l.mu.Lock()
				at := l.second
				l.mu.Unlock()
				if !at.IsZero() {
					if took := at.Sub(died); took > 10*time.Second {
						t.Errorf("the delivery was taken over after %v", took)
					}
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.second.IsZero() || l.overlaps > 0 {
				t.Errorf("taken over at %v, %d requests at once", l.second, l.overlaps)
			}
			for id, n := range l.came {
				if n != 2 || len(l.came) != 1 {
					t.Errorf("%d requests for message %s of %d, want 2 for the only one", n, id, len(l.came))
				}
			}
		})
	}
}
