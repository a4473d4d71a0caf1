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

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// notices collects the notices of a service.
type notices struct {
	mu  sync.Mutex
	all []webhooks.Notice
}

func (n *notices) add(_ context.Context, one webhooks.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, one)
}

func (n *notices) kinds() (out []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, one := range n.all {
		kind := string(one.Kind)
		if one.Percent > 0 {
			kind += fmt.Sprint(" ", one.Percent)
		}
		out = append(out, kind)
	}
	return out
}

func answering(status int, header ...string) func(int, received, http.ResponseWriter, *http.Request) {
	return func(_ int, _ received, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

func TestGoneSwitchesTheWebhookOff(t *testing.T) {
	t.Parallel()
	in, notices := &inbox{answer: answering(http.StatusGone)}, &notices{}
	bubble(t, in, webhooks.Config{Notify: notices.add}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "event-1")
		time.Sleep(time.Hour)
		synctest.Wait()
		rec, err := svc.Webhook(ctx, hook.ID)
		if err != nil || rec.Value.Active || len(in.all()) != 1 {
			t.Errorf("active %v after %d requests, %v", rec.Value.Active, len(in.all()), err)
		}
		if diff := cmp.Diff([]string{"WebhookDisabled 100"}, notices.kinds()); diff != "" {
			t.Errorf("notices (-want +got):\n%s", diff)
		}
		// Nothing was lost: what waited goes out when the webhook is back.
		in.answer = nil
		if _, err := svc.UpdateWebhook(ctx, hook.ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := outcomes(t, ctx, svc, hook.ID); got[0] != "Delivered: Rejected 410 Accepted 200" {
			t.Error(got)
		}
	})
}

func TestFailingEndpointIsPausedTwiceAsLongEachTimeUpToAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	in, notices := &inbox{answer: answering(http.StatusNotFound)}, &notices{}
	bubble(t, in, webhooks.Config{Notify: notices.add, Jitter: webhooks.Off}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		subscribe(t, ctx, svc, webhooks.NewWebhook{})
		for i := range 100 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		time.Sleep(66 * time.Hour)
		synctest.Wait()
		var gaps []time.Duration
		all := in.all()
		for i := 4; i < len(all); i++ {
			if gap := all[i].at.Sub(all[i-1].at).Round(time.Minute); gap > 0 {
				gaps = append(gaps, gap)
			}
		}
		want := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute}
		for len(want) < len(gaps) {
			want = append(want, 15*time.Minute)
		}
		if diff := cmp.Diff(want, gaps); diff != "" {
			t.Errorf("pauses (-want +got):\n%s", diff)
		}
		wantNotices := []string{"EndpointPaused", "EndpointPaused", "EndpointPaused", "EndpointPaused", "EndpointPaused", "EndpointFailing 50"}
		if diff := cmp.Diff(wantNotices, notices.kinds()); diff != "" {
			t.Errorf("notices (-want +got):\n%s", diff)
		}
	})
}

func TestEndpointThatOnlyFailsForDaysIsSwitchedOff(t *testing.T) {
	t.Parallel()
	in, notices := &inbox{answer: answering(http.StatusInternalServerError)}, &notices{}
	cfg := webhooks.Config{Notify: notices.add, MaxPause: 2 * time.Hour}
	bubble(t, in, cfg, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		began := time.Now()
		for i := range 50 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		time.Sleep(119 * time.Hour)
		synctest.Wait()
		if rec, _ := svc.Webhook(ctx, hook.ID); !rec.Value.Active {
			t.Error("switched off before five days were over")
		}
		time.Sleep(10 * time.Hour)
		synctest.Wait()
		rec, err := svc.Webhook(ctx, hook.ID)
		if err != nil || rec.Value.Active {
			t.Errorf("not switched off after five days: %v", err)
		}
		if n := len(in.all()); n < 40 {
			t.Errorf("switched off after %d attempts", n)
		}
		kinds := slices.DeleteFunc(notices.kinds(), func(k string) bool { return k == "EndpointPaused" })
		if diff := cmp.Diff([]string{"EndpointFailing 50", "EndpointFailing 90", "WebhookDisabled 100"}, kinds); diff != "" {
			t.Errorf("notices (-want +got):\n%s", diff)
		}
		if last := notices.all[len(notices.all)-1]; last.At.Sub(began) < 120*time.Hour || last.WebhookID != hook.ID {
			t.Errorf("last notice %+v", last)
		}
		if st, _ := svc.Status(ctx, hook.ID); st.Pending != 50 {
			t.Errorf("%d deliveries wait, want all 50", st.Pending)
		}
	})
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header string
		status int
		want   time.Duration
	}{
		"seconds":               {"120", 429, 2 * time.Minute},
		"seconds of a 503":      {"90", 503, 90 * time.Second},
		"fraction":              {"7.5", 429, 7500 * time.Millisecond},
		"date":                  {"Sat, 01 Jan 2000 01:00:00 GMT", 503, 15 * time.Minute},
		"less than scheduled":   {"1", 429, 5 * time.Second},
		"of another status":     {"120", 500, 5 * time.Second},
		"nonsense":              {"soon", 429, 5 * time.Second},
		"more than a pause":     {"9999999", 429, 15 * time.Minute},
		"negative":              {"-5", 429, 5 * time.Second},
		"what is not a number":  {"NaN", 429, 5 * time.Second},
		"what is not countable": {"Inf", 429, 15 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := &inbox{}
			in.answer = func(n int, r received, w http.ResponseWriter, req *http.Request) {
				if n == 1 {
					answering(c.status, "Retry-After", c.header)(n, r, w, req)
				}
			}
			bubble(t, in, webhooks.Config{Jitter: webhooks.Off}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
				subscribe(t, ctx, svc, webhooks.NewWebhook{})
				publish(t, ctx, svc, "event-1")
				time.Sleep(25 * time.Hour)
				synctest.Wait()
				all := in.all()
				if len(all) != 2 {
					t.Fatalf("%d requests", len(all))
				}
				if got := all[1].at.Sub(all[0].at); got.Round(100*time.Millisecond) != c.want {
					t.Errorf("tried again after %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestDeliveryThatAlwaysFailsDiesWhileOthersAreTaken(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	in.answer = func(_ int, r received, w http.ResponseWriter, _ *http.Request) {
		if r.MessageID == "poison" {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
	}
	bubble(t, in, webhooks.Config{KeepDelivered: webhooks.KeepDeliveries}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "poison")
		for i := range 100 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
			time.Sleep(time.Hour)
		}
		synctest.Wait()
		page, err := svc.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{State: webhooks.Dead})
		if err != nil || page.Len() != 1 {
			t.Fatalf("%d dead deliveries, %v", page.Len(), err)
		}
		dead, _ := page.Values()
		if dead[0].MessageID != "poison" || len(dead[0].Attempts) != 10 || !dead[0].NextAttempt.IsZero() {
			t.Errorf("dead delivery %+v", dead[0])
		}
		if st, _ := svc.Status(ctx, hook.ID); st.Dead != 1 || st.Pending != 0 {
			t.Errorf("status %+v", st)
		}

		// A dead letter keeps its content: it can be delivered still.
		in.answer = nil
		res, err := svc.Redeliver(ctx, hook.ID, dead[0].ID)
		if err != nil || res.Value().State != webhooks.Pending {
			t.Fatal(res, err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		all := in.all()
		if last := all[len(all)-1]; last.MessageID != "poison" || string(last.body) != string(all[0].body) {
			t.Errorf("redelivered %s", last.body)
		}
		rec, err := svc.Delivery(ctx, hook.ID, dead[0].ID)
		if st, _ := svc.Status(ctx, hook.ID); err != nil || rec.Value.State != webhooks.Delivered || st.Dead != 0 || st.Pending != 0 {
			t.Errorf("%v, %+v, %+v", err, rec.Value, st)
		}
	})
}

// covers: operations deliveries.redeliver
func TestReplayTakesAWindowWithinItsCap(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	bubble(t, in, webhooks.Config{}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		var times []time.Time
		for i := range 6 {
			times = append(times, time.Now())
			publish(t, ctx, svc, fmt.Sprint("event-", i))
			time.Sleep(time.Hour)
		}
		before := len(in.all())
		win := webhooks.ReplayQuery{From: times[1], To: times[4], Max: 2}
		if n, err := svc.Replay(ctx, hook.ID, win); n != 0 || twinplatform.AsError(err).Code != "InvalidWebhooksRequest" {
			t.Errorf("over the cap: %d, %v", n, err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(in.all()) != before {
			t.Error("something was replayed")
		}
		win.Max = 0
		if n, err := svc.Replay(ctx, hook.ID, win); n != 3 || err != nil {
			t.Errorf("replayed %d, %v", n, err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		var got []string
		for _, r := range in.all()[before:] {
			got = append(got, r.MessageID)
		}
		if diff := cmp.Diff([]string{"event-1", "event-2", "event-3"}, got); diff != "" {
			t.Errorf("replayed (-want +got):\n%s", diff)
		}
		for _, bad := range []webhooks.ReplayQuery{{From: times[2], To: times[1]}, {Max: -1}, {Max: webhooks.MaxReplay + 1}, {State: "Lost"}, {State: webhooks.Pending}} {
			if _, err := svc.Replay(ctx, hook.ID, bad); twinplatform.AsError(err).Code != "InvalidWebhooksRequest" {
				t.Errorf("window %+v: %v", bad, err)
			}
		}
	})
}

// covers: operations webhooks.test
func TestTestEventReachesAnInactiveWebhookInOneAttempt(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	bubble(t, in, webhooks.Config{}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		made := create(t, ctx, svc, webhooks.NewWebhook{})
		in.secret = made.Secret.Reveal()
		for i, want := range []string{"Delivered: Accepted 200", "Dead: Rejected 500"} {
			res, err := svc.SendTest(ctx, made.Value().ID, webhooks.TestEvent{})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			if got := outcomes(t, ctx, svc, made.Value().ID)[i]; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := in.all()[i]; got.EventType != string(webhooks.TestSent) || got.MessageID != res.Value().MessageID {
				t.Errorf("received %+v", got.Message)
			}
			in.answer = answering(http.StatusInternalServerError)
		}
		if st, _ := svc.Status(ctx, made.Value().ID); st.Failures != 0 || st.Pending != 0 || len(in.all()) != 2 {
			t.Errorf("status %+v after %d requests", st, len(in.all()))
		}
	})
}

// covers: Create webhook: state active: false stops
func TestPendingDeliveriesFollowTheWebhook(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	var paths []string
	in.answer = func(_ int, r received, w http.ResponseWriter, req *http.Request) {
		in.mu.Lock()
		paths = append(paths, req.URL.Path+" "+r.MessageID)
		in.mu.Unlock()
		if req.URL.Path == "/events" {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
	bubble(t, in, webhooks.Config{}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "event-1")
		time.Sleep(time.Second)
		patch := webhooks.WebhookPatch{CallbackURL: twinplatform.Set("https://receiver.example.com/moved"), Active: twinplatform.Set(false)}
		if _, err := svc.UpdateWebhook(ctx, hook.ID, patch); err != nil {
			t.Fatal(err)
		}
		publish(t, ctx, svc, "unsubscribed")
		time.Sleep(time.Hour)
		if _, err := svc.UpdateWebhook(ctx, hook.ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if diff := cmp.Diff([]string{"/events event-1", "/moved event-1"}, paths); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
}

func TestFullQueueKeepsFurtherEventsAsDeadDeliveries(t *testing.T) {
	t.Parallel()
	in, notices := &inbox{answer: answering(http.StatusInternalServerError)}, &notices{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}, MaxPending: 10, Notify: notices.add})
	ctx := t.Context()
	hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
	for i := range 15 {
		publish(t, ctx, svc, fmt.Sprint("event-", 10+i))
	}
	if _, err := svc.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	st, err := svc.Status(ctx, hook.ID)
	if err != nil || st.Pending != 10 || st.Dead != 5 || !st.Full {
		t.Errorf("status %+v, %v", st, err)
	}
	if kinds := notices.kinds(); kinds[0] != "QueueFull" {
		t.Errorf("notices %v", kinds)
	}
	if n, err := svc.Replay(ctx, hook.ID, webhooks.ReplayQuery{State: webhooks.Dead}); n != 5 || err != nil {
		t.Errorf("replayed %d, %v", n, err)
	}
}

func TestOldDeliveriesAreRemoved(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	store := memory.New()
	bubbleOn(t, in, webhooks.Config{DisableAfter: webhooks.Off}, store, func(t *testing.T, ctx context.Context, svc *webhooks.Service) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		size := func() (n int) {
			err := store.View(ctx, func(r storage.Reader) error {
				n = 0
				for key := range r.Scan("webhook", "") {
					if !strings.HasSuffix(key, "/rev") && !strings.Contains(key, "/intake/") {
						n++
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		empty := size()
		in.answer = func(_ int, r received, w http.ResponseWriter, _ *http.Request) {
			if r.MessageID == "refused" {
				w.WriteHeader(http.StatusBadRequest)
			}
		}
		for i := range 5 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		publish(t, ctx, svc, "refused")
		time.Sleep(71 * time.Hour)
		synctest.Wait()
		if page, _ := svc.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{}); page.Len() != 6 {
			t.Errorf("%d deliveries after 71 hours", page.Len())
		}
		time.Sleep(5 * time.Hour)
		synctest.Wait()
		if page, _ := svc.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{}); page.Len() != 1 {
			t.Errorf("%d deliveries after 76 hours, want the refused one", page.Len())
		}
		// The refused one, its content, its place in the queue, that of its class in the
		// schedule, and that of the schedule.
		if got := size(); got != empty+6 {
			t.Errorf("%d keys are left, want %d", got, empty+6)
		}
		time.Sleep(31 * 24 * time.Hour)
		synctest.Wait()
		if got := size(); got != empty {
			t.Errorf("%d keys are left, want the %d of the webhook itself", got, empty)
		}
	})
}

func TestDispatchersShareAStoreWithoutOverlap(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	in.answer = func(int, received, http.ResponseWriter, *http.Request) { time.Sleep(100 * time.Millisecond) }
	synctest.Test(t, func(t *testing.T) {
		cfg, stop := overPipes(t, in, webhooks.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		store := memory.New()
		ran := make(chan error, 3)
		var svc *webhooks.Service
		for range 3 {
			svc = newService(store, cfg)
			go func(s *webhooks.Service) { ran <- s.Run(ctx) }(svc)
		}
		for i := range 5 {
			subscribe(t, ctx, svc, webhooks.NewWebhook{CallbackURL: fmt.Sprint(callback, "/", i)})
		}
		for i := range 200 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		cancel()
		for range 3 {
			if err := <-ran; err != nil {
				t.Error(err)
			}
		}
		stop()
		if len(in.all()) != 1000 || in.overlaps > 0 {
			t.Errorf("%d requests, %d overlaps", len(in.all()), in.overlaps)
		}
		last := make(map[string]string)
		for _, r := range in.all() {
			if prev := last[r.WebhookID]; len(prev) > len(r.MessageID) || len(prev) == len(r.MessageID) && prev >= r.MessageID {
				t.Errorf("%s came after %s", r.MessageID, prev)
			}
			last[r.WebhookID] = r.MessageID
		}
	})
}

func TestEventOfManyWebhooksIsHandedOutInSteps(t *testing.T) {
	t.Parallel()
	y := &inbox{}
	store := memory.New()
	svc := newService(store, webhooks.Config{Transport: inMemory{y}, MaxPerTwin: webhooks.Off})
	ctx := t.Context()
	n := 3_000
	if testing.Short() {
		n = 600
	}
	for range n {
		subscribe(t, ctx, svc, webhooks.NewWebhook{})
	}
	err := records.New(store).Update(ctx, func(u *records.Update) error {
		for i := range 2 {
			err := u.Emit(twinplatform.Event{ID: fmt.Sprint("event-", i), Type: string(event.TypeTwinDeleted), TwinID: twinID, AccountID: accountID})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if attempts, err := svc.Deliver(ctx); attempts != 2*n || err != nil {
		t.Errorf("%d attempts, %v", attempts, err)
	}
	seen := make(map[string]int)
	for _, r := range y.all() {
		seen[r.WebhookID+r.MessageID]++
	}
	if len(seen) != 2*n {
		t.Errorf("%d different deliveries, want %d", len(seen), 2*n)
	}
}
