package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// sleeper answers after the time that the path of a request names, and keeps how
// long after its event each message came.
type sleeper struct {
	mu   sync.Mutex
	late map[string][]time.Duration // by path
}

func (s *sleeper) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	sent, _ := time.Parse(time.RFC3339Nano, strings.TrimPrefix(req.Header.Get("Webhook-Id"), "event "))
	s.mu.Lock()
	s.late[req.URL.Path] = append(s.late[req.URL.Path], time.Since(sent))
	s.mu.Unlock()
	d, err := time.ParseDuration(strings.SplitN(req.URL.Path, "/", 3)[1])
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	select {
	case <-time.After(d):
	case <-req.Context().Done():
	}
}

// percentile is the lateness that so many of a hundred messages do not exceed.
func (s *sleeper) percentile(path string, of int) (late time.Duration, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Sorted(slices.Values(s.late[path]))
	if len(all) == 0 {
		return 0, 0
	}
	return all[(len(all)-1)*of/100], len(all)
}

// happen publishes an event in an account at the present time.
func happen(t testing.TB, ctx context.Context, svc *webhooks.Service, account string) {
	t.Helper()
	_, err := svc.Publish(ctx, twinplatform.Event{
		ID: "event " + time.Now().Format(time.RFC3339Nano), Type: string(event.TypeTwinDeleted), TwinID: account, AccountID: account,
	})
	if err != nil {
		t.Fatal(err)
	}
	svc.Wake()
}

func TestFastEndpointIsNotHeldUpByAThousandSlowOnesOfOthers(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]struct {
		answer   string
		accounts int
		webhooks int
	}{
		"answers after 4.5 s":                {"4500ms", 1, 1_000},
		"no answer in time":                  {"1m", 1, 300},
		"answers after 0.9 s":                {"900ms", 1, 300},
		"answers after 4.5 s, four accounts": {"4500ms", 4, 300},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &sleeper{late: make(map[string][]time.Duration)}
				svc := newService(memory.New(), webhooks.Config{
					Transport: impatient{inMemory{s}}, MaxPerAccount: webhooks.Off, Poll: time.Minute,
				})
				ctx, cancel := context.WithCancel(t.Context())
				ran := make(chan error, 1)
				go func() { ran <- svc.Run(ctx) }()
				n := slow.webhooks
				if testsize.Raced || testing.Short() {
					n = min(n, 40)
				}
				for i := range n {
					subscribe(t, ctx, svc, webhooks.NewWebhook{
						CallbackURL: fmt.Sprintf("https://receiver.example.com/%s/%d", slow.answer, i),
						Scope:       webhooks.AccountScope, ScopeID: fmt.Sprint("crowd ", i%slow.accounts),
						EventTypes: []webhooks.EventType{event.TypeTwinDeleted},
					})
				}
				subscribe(t, ctx, svc, webhooks.NewWebhook{
					CallbackURL: "https://receiver.example.com/10ms/fast", Scope: webhooks.AccountScope, ScopeID: "neighbour",
					EventTypes: []webhooks.EventType{event.TypeTwinDeleted},
				})
				for i := range 240 {
					if i%40 == 0 {
						for a := range slow.accounts {
							happen(t, ctx, svc, fmt.Sprint("crowd ", a))
						}
					}
					happen(t, ctx, svc, "neighbour")
					time.Sleep(time.Second)
				}
				cancel()
				if err := <-ran; err != nil {
					t.Error(err)
				}
				late, got := s.percentile("/10ms/fast", 99)
				if late >= 2*time.Second || got < 235 {
					t.Errorf("99 of a hundred of the neighbour's %d of 240 events came within %v", got, late)
				}
				t.Logf("99 of a hundred came within %v", late)
			})
		})
	}
}

// impatient ends a request with its context, as the real transport does.
type impatient struct{ inMemory }

func (i impatient) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := i.inMemory.RoundTrip(req)
	if req.Context().Err() != nil {
		return nil, req.Context().Err()
	}
	return res, err
}

func TestEventsOfAnAccountAreTakenUpDuringAnotherAccountsFlood(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var order []string
	in := inMemory{http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, strings.TrimPrefix(req.URL.Path, "/"))
	})}
	svc := newService(memory.New(), webhooks.Config{Transport: in})
	ctx := t.Context()
	listen := func(account string) {
		subscribe(t, ctx, svc, webhooks.NewWebhook{
			CallbackURL: "https://receiver.example.com/" + account, Scope: webhooks.AccountScope, ScopeID: account,
			EventTypes: []webhooks.EventType{event.TypeTwinDeleted},
		})
	}
	for range 100 {
		listen("flood")
	}
	flood := 100
	if testsize.Raced || testing.Short() {
		flood = 20
	}
	for range flood {
		happen(t, ctx, svc, "flood")
	}
	listen("neighbour")
	happen(t, ctx, svc, "neighbour")
	if _, err := svc.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	if len(order) != 100*flood+1 {
		t.Fatalf("%d requests", len(order))
	}
	if before := slices.Index(order, "neighbour"); before > 1_000 {
		t.Errorf("the neighbour's event came after %d deliveries of the flood", before)
	}
}

func TestWebhooksOfATwinAndOfAnAccountAreCounted(t *testing.T) {
	t.Parallel()
	svc := newService(memory.New(), webhooks.Config{
		Twins: everyTwin{}, MaxPerAccount: 30,
	})
	ctx := t.Context()
	add := func(twin string) string {
		_, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{CallbackURL: callback, Scope: webhooks.TwinScope, ScopeID: twin, EventTypes: webhooks.EventTypes()})
		if err == nil {
			return ""
		}
		return twinplatform.AsError(err).Code
	}
	made := 0
	for _, twin := range []string{"one", "two"} {
		for add(twin) == "" {
			made++
		}
		if code := add(twin); code != "LimitExceeded" {
			t.Errorf("one webhook too many: %q", code)
		}
		want := map[string]int{"one": 20, "two": 30}[twin]
		if made != want {
			t.Errorf("%d webhooks when the twin %s was full, want %d", made, twin, want)
		}
	}
	page, err := svc.Webhooks(ctx, webhooks.WebhookQuery{TwinID: "two"})
	if err != nil || page.Len() != 10 {
		t.Fatalf("%d webhooks of the twin, %v", page.Len(), err)
	}
	gone, _ := page.Values()
	if err := svc.DeleteWebhook(ctx, gone[0].ID); err != nil {
		t.Fatal(err)
	}
	if code := add("two"); code != "" {
		t.Errorf("no room for another after one was deleted: %q", code)
	}
}

// everyTwin is a directory in which every twin belongs to one account.
type everyTwin struct{}

func (everyTwin) TwinAccount(context.Context, string) (string, bool, error) {
	return accountID, true, nil
}
