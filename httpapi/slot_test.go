package httpapi_test

import (
	"context"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// slotsEach is how many large requests of one account are worked on at a time while others
// send requests too.
func slotsEach() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// workshop is a service whose writes take until they are let go.
type workshop struct {
	t       *testing.T
	h       *httpapi.Handler
	working chan string   // the names of what is begun
	ended   chan struct{} // lets one write end
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	w := &workshop{t: t, working: make(chan string, 1_000), ended: make(chan struct{})}
	svc := thing()
	write := svc.Write
	svc.Write = func(ctx context.Context, b httpapi.ThingBody) (twinplatform.Result[httpapi.Thing], error) {
		w.working <- b.Name[:1]
		<-w.ended
		return write(ctx, b)
	}
	of := func(id, account string) twinplatform.Principal {
		return twinplatform.Principal{ID: id, AccountID: account, Scopes: me.Scopes}
	}
	w.h = things(t, httpapi.Config{Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
		"a": of("a", "acme"), "b": of("b", "acme"), "c": of("c", "other"),
	})}, svc)
	return w
}

const (
	small = 10
	large = 40 << 10
)

// send sends a request of a principal, and returns where its answer comes.
func (w *workshop) send(ctx context.Context, who string, bytes int) <-chan *httptest.ResponseRecorder {
	answer := make(chan *httptest.ResponseRecorder, 1)
	go func() {
		body := strings.NewReader(`{"name":"` + strings.Repeat(who, bytes) + `"}`)
		r := httptest.NewRequestWithContext(ctx, "POST", "/things", body)
		r.Header.Set("Authorization", "Bearer "+who)
		rec := httptest.NewRecorder()
		w.h.ServeHTTP(rec, r)
		answer <- rec
	}()
	synctest.Wait()
	return answer
}

// begun are the first letters of what has begun since.
func (w *workshop) begun() (names string) {
	synctest.Wait()
	for {
		select {
		case n := <-w.working:
			names += n
		default:
			return names
		}
	}
}

// end lets so many writes end.
func (w *workshop) end(n int) {
	for range n {
		w.ended <- struct{}{}
	}
}

// meet has two accounts send requests.
func (w *workshop) meet() {
	for _, who := range []string{"a", "c"} {
		w.send(w.t.Context(), who, small)
	}
	w.begun()
	w.end(2)
}

// fill has large requests of an account take all of its slots.
func (w *workshop) fill() {
	for range slotsEach() {
		w.send(w.t.Context(), "a", large)
	}
}

func TestLargeRequestsOfOneAccountTakeHalfOfTheCores(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(t)
		w.meet()
		w.fill()
		waits := w.send(t.Context(), "b", large)
		if got, want := w.begun(), strings.Repeat("a", slotsEach()); got != want {
			t.Errorf("of %s and another one of the account %s are worked on", want, got)
		}
		w.send(t.Context(), "b", small)
		w.send(t.Context(), "c", large)
		if got := w.begun(); got != "bc" {
			t.Errorf("of a small one and a large one of another account %q are worked on", got)
		}
		w.end(1)
		for range slotsEach() + 1 {
			w.end(1)
		}
		if got := w.begun(); got != "b" {
			t.Errorf("once there is a slot %q is worked on", got)
		}
		w.end(1)
		if rec := <-waits; rec.Code >= 300 {
			t.Errorf("who has waited is answered %d", rec.Code)
		}
	})
}

func TestLargeRequestsOfTheOnlyAccountTakeAllCores(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(t)
		w.meet()
		time.Sleep(2 * time.Second) // of the bubble: the other account has gone
		n := slotsEach() + 3
		for range n {
			w.send(t.Context(), "a", large)
		}
		if got := w.begun(); len(got) != n {
			t.Errorf("of %d %q are worked on", n, got)
		}
		w.end(n)
	})
}

func TestWhoGivesUpWaitingTakesNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(t)
		w.meet()
		w.fill()
		ctx, stop := context.WithCancel(t.Context())
		gone, late := w.send(ctx, "b", large), w.send(t.Context(), "b", large)
		w.begun()
		stop()
		if rec := <-gone; rec.Code < 400 {
			t.Errorf("who gave up is answered %d", rec.Code)
		}
		w.end(1)
		if got := w.begun(); got != "b" {
			t.Errorf("once there is a slot %q is worked on", got)
		}
		w.end(slotsEach())
		if rec := <-late; rec.Code >= 300 {
			t.Errorf("who has waited is answered %d", rec.Code)
		}
	})
}

func TestTheLineForSlotsIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(t)
		w.meet()
		const most = 100
		for range slotsEach() + most {
			w.send(t.Context(), "a", large)
		}
		rec := <-w.send(t.Context(), "a", large)
		same(t, shown(rec), "429"+json+"Retry-After: 1\n"+exceeded)
		w.end(slotsEach() + most)
	})
}

// What computes over a whole plan is large whatever its body.
func TestAnalysesAreLargeRequests(t *testing.T) {
	t.Parallel()
	words := []string{"critical-path", "driving-path", "gantt", "comparison", "scheduling-analyses", "quality", "reschedule"}
	for _, o := range httpapi.Operations() {
		for _, word := range words {
			if strings.Contains(o.Path, word) && !httpapi.Computes(o.ID) {
				t.Errorf("%s takes no slot", o.ID)
			}
		}
	}
}
