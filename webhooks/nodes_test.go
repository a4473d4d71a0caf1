package webhooks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// node is one of several processes that deliver over one store.
type node struct {
	store *mortal
	svc   *webhooks.Service
	stop  context.CancelFunc
	ran   chan error
}

func startNode(t *testing.T, store storage.Store, cfg webhooks.Config) *node {
	t.Helper()
	n := &node{store: &mortal{Store: store}, ran: make(chan error, 1)}
	var ctx context.Context
	ctx, n.stop = context.WithCancel(t.Context())
	n.svc = newService(n.store, cfg)
	go func() { n.ran <- n.svc.Run(ctx) }()
	return n
}

// end stops a node that has not died.
func (n *node) end(t *testing.T) {
	t.Helper()
	n.stop()
	if err := <-n.ran; err != nil {
		t.Errorf("Run: %v", err)
	}
}

// visits is a receiver that notes when each message came, and from when to when requests
// to one endpoint were under way. The attempt number of each is higher than of all before it.
type visits struct {
	t        *testing.T
	mu       sync.Mutex
	answer   func(n int, req *http.Request)
	came     map[string][]string // messages by path
	at       map[string][]time.Time
	numbers  map[string]int // the last, by path
	underway map[string]int
	overlaps int
}

func newVisits(t *testing.T, answer func(n int, req *http.Request)) *visits {
	return &visits{
		t: t, answer: answer, came: make(map[string][]string), at: make(map[string][]time.Time),
		numbers: make(map[string]int), underway: make(map[string]int),
	}
}

func (v *visits) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	path := req.URL.Path
	v.mu.Lock()
	v.came[path], v.at[path] = append(v.came[path], req.Header.Get("Webhook-Id")), append(v.at[path], time.Now())
	number, err := strconv.Atoi(req.Header.Get("Webhook-Attempt"))
	if err != nil || number <= v.numbers[path] {
		v.t.Errorf("%s: the attempt number is %q behind %d", path, req.Header.Get("Webhook-Attempt"), v.numbers[path])
	}
	v.numbers[path] = number
	if v.underway[path]++; v.underway[path] > 1 {
		v.overlaps++
	}
	n := len(v.came[path])
	v.mu.Unlock()
	v.answer(n, req)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.underway[path]--
}

// upTo answers after a time, unless the request ends before.
func upTo(d time.Duration, req *http.Request) {
	select {
	case <-time.After(d):
	case <-req.Context().Done():
	}
}

// Whatever becomes of a node in the middle of an attempt, also when it lives on and cannot
// reach the store, another makes it within seconds, and not before the first has given up.
func TestEndpointOfALostNodeIsTakenOverWithinSeconds(t *testing.T) {
	t.Parallel()
	for _, lives := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			v := newVisits(t, func(n int, req *http.Request) {
				if n == 1 {
					upTo(time.Hour, req)
				}
			})
			cfg := webhooks.Config{Transport: impatient{inMemory{v}}, Timeout: time.Minute}
			store := memory.New()
			first := startNode(t, store, cfg)
			subscribe(t, t.Context(), first.svc, webhooks.NewWebhook{})
			publish(t, t.Context(), first.svc, "event")
			first.svc.Wake()
			time.Sleep(17 * time.Second) // its lease has been renewed since
			second := startNode(t, store, cfg)
			time.Sleep(13 * time.Second)
			synctest.Wait()
			if got := len(v.at["/events"]); got != 1 {
				t.Fatalf("lives %v: %d attempts while the first is under way", lives, got)
			}
			first.store.dead.Store(true)
			died := time.Now()
			if !lives {
				first.stop() // its attempt continues until it is cut off
			}
			time.Sleep(30 * time.Second)
			synctest.Wait()
			if at := v.at["/events"]; len(at) != 2 || at[1].Sub(died) > 7*time.Second {
				t.Errorf("lives %v: attempts at %v, the node was lost at %v", lives, at, died)
			}
			if v.overlaps > 0 {
				t.Errorf("lives %v: two attempts at a time", lives)
			}
			second.end(t)
			first.stop()
			<-first.ran
		})
	}
}

// A lease that is shorter than an attempt is renewed meanwhile: no one else attempts it.
func TestSlowReceiverIsVisitedByOneNode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVisits(t, func(_ int, req *http.Request) { upTo(19*time.Second, req) })
		cfg := webhooks.Config{Transport: impatient{inMemory{v}}, Timeout: 20 * time.Second}
		store := memory.New()
		nodes := []*node{startNode(t, store, cfg), startNode(t, store, cfg), startNode(t, store, cfg)}
		subscribe(t, t.Context(), nodes[0].svc, webhooks.NewWebhook{})
		var want []string
		for i := range 10 {
			want = append(want, "event-"+strconv.Itoa(i))
			publish(t, t.Context(), nodes[i%3].svc, want[i])
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if diff := cmp.Diff(want, v.came["/events"]); diff != "" || v.overlaps > 0 {
			t.Errorf("%d overlaps; messages (-want +got):\n%s", v.overlaps, diff)
		}
		for _, n := range nodes {
			n.end(t)
		}
	})
}

// Nodes die and are started again while events come: each event comes at least once, for
// the first time in the order of its endpoint, and never two at a time.
func TestNodesThatDieDeliverEveryEventInOrder(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](30, 3) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 29))
			v := newVisits(t, func(n int, req *http.Request) { upTo(time.Duration(n%7)*300*time.Millisecond, req) })
			cfg := webhooks.Config{Transport: impatient{inMemory{v}}, Batch: 1 + r.IntN(8)}
			store := memory.New()
			owner := newService(store, cfg)
			for i := range 3 {
				subscribe(t, t.Context(), owner, webhooks.NewWebhook{CallbackURL: "https://receiver.example.com/" + strconv.Itoa(i)})
			}
			nodes := []*node{startNode(t, store, cfg), startNode(t, store, cfg), startNode(t, store, cfg)}
			var want []string
			for i := range 40 {
				want = append(want, "event-"+strconv.Itoa(i))
				publish(t, t.Context(), nodes[r.IntN(3)].svc, want[i])
				time.Sleep(time.Duration(r.IntN(1500)) * time.Millisecond)
				if r.IntN(6) == 0 {
					at := r.IntN(3)
					nodes[at].store.dead.Store(true)
					nodes[at].stop()
					nodes[at] = startNode(t, store, cfg)
				}
			}
			time.Sleep(3 * time.Minute)
			synctest.Wait()
			for path, came := range v.came {
				var first []string
				for _, m := range came {
					if !slices.Contains(first, m) {
						first = append(first, m)
					}
				}
				if diff := cmp.Diff(want, first); diff != "" {
					t.Errorf("seed %d, %s: (-want +got):\n%s", seed, path, diff)
				}
			}
			if len(v.came) != 3 || v.overlaps > 0 {
				t.Errorf("seed %d: %d endpoints, %d overlaps", seed, len(v.came), v.overlaps)
			}
			for _, n := range nodes {
				n.end(t)
			}
		})
	}
}

// An account whose receivers are all slow fills its part of each node, and another's events
// come in time.
func TestSlowReceiversOfAnAccountDelayNoOtherOnAnyNode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &sleeper{late: make(map[string][]time.Duration)}
		cfg := webhooks.Config{Transport: impatient{inMemory{s}}, MaxPerAccount: webhooks.Off}
		store := memory.New()
		nodes := []*node{startNode(t, store, cfg), startNode(t, store, cfg)}
		listen := func(account, path string) {
			subscribe(t, t.Context(), nodes[0].svc, webhooks.NewWebhook{
				CallbackURL: "https://receiver.example.com/" + path, Scope: webhooks.AccountScope, ScopeID: account, EventTypes: []webhooks.EventType{event.TypeTwinDeleted},
			})
		}
		for i := range 150 {
			listen("crowd", fmt.Sprint("4500ms/", i))
		}
		listen("neighbour", "10ms/fast")
		for i := range 120 {
			if i%10 == 0 {
				happen(t, t.Context(), nodes[i/10%2].svc, "crowd")
			}
			happen(t, t.Context(), nodes[i%2].svc, "neighbour")
			time.Sleep(time.Second)
		}
		for _, n := range nodes {
			n.end(t)
		}
		if late, got := s.percentile("/10ms/fast", 99); late >= 2*time.Second || got < 118 {
			t.Errorf("99 of a hundred of the neighbour's %d of 120 events came within %v", got, late)
		}
		crowd := 0
		for path := range s.late {
			if strings.HasPrefix(path, "/4500ms/") {
				crowd++
			}
		}
		if crowd != 150 {
			t.Errorf("%d of the crowd's 150 endpoints had a turn", crowd)
		}
	})
}

// Events of nodes whose clocks differ come in the order in which they happened.
func TestEventsComeInOrderWhateverTheClocksOfNodesShow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVisits(t, func(n int, req *http.Request) {
			if n == 1 {
				upTo(2*time.Second, req) // while the others are taken up
			}
		})
		store := memory.New()
		cfg := webhooks.Config{Transport: inMemory{v}, Timeout: time.Minute}
		behind := startNode(t, store, cfg)
		cfg.Env.Now = func() time.Time { return time.Now().Add(800 * time.Millisecond) }
		ahead := startNode(t, store, cfg)
		subscribe(t, t.Context(), behind.svc, webhooks.NewWebhook{})
		var want []string
		for i, n := range []*node{behind, ahead, behind, ahead, behind} {
			want = append(want, publish(t, t.Context(), n.svc, strconv.Itoa(i)).ID)
			n.svc.Wake()
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		behind.end(t)
		ahead.end(t)
		if diff := cmp.Diff(want, v.came["/events"]); diff != "" {
			t.Error(diff)
		}
	})
}
