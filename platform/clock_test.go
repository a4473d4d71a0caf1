package platform_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// wallClock is a clock that is set while time passes.
type wallClock struct {
	began time.Time
	off   atomic.Int64
}

func (w *wallClock) env(log *slog.Logger) twinplatform.Env {
	return twinplatform.Env{
		Now:     func() time.Time { return time.Now().Round(0).Add(time.Duration(w.off.Load())) },
		Elapsed: func() time.Duration { return time.Since(w.began) },
		Logger:  log, Background: true,
	}
}

// A walk of the clock in both directions under work of all kinds: while it is wrong, and when it
// is right again, all that is accepted comes to its end within seconds. What was to be
// remembered or open for a time is so still when the clock is right again, and no longer than
// that.
func TestAClockThatWalksStopsNothingAndMakesNothingExpireEarly(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](40, 3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { walkTheClock(t, rand.New(rand.NewPCG(seed, 2262))) })
		})
	}
}

// delivered counts deliveries.
type delivered struct{ n atomic.Int64 }

func (d *delivered) RoundTrip(req *http.Request) (*http.Response, error) {
	d.n.Add(1)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

const day = 24 * time.Hour

func walkTheClock(t *testing.T, rnd *rand.Rand) {
	clock := &wallClock{began: time.Now()}
	var log bytes.Buffer
	var came delivered
	p := over(t, memory.New(), platform.Config{
		Env: clock.env(slog.New(slog.NewTextHandler(&log, nil))), Webhooks: webhooks.Config{Transport: &came},
		Twins: twins.Config{InvitationTime: 20 * day},
	})
	done := make(chan error)
	go func() { done <- p.Run(t.Context()) }()
	ann := as(t, "ann", "Account Administrator")
	twin := newTwin(ann, t, p)
	hook := made[webhooks.WebhookResult](t)(p.Webhooks.CreateWebhook(ann, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/events", Scope: webhooks.TwinScope, ScopeID: twin, EventTypes: webhooks.EventTypes(),
	})).Value().ID
	_, err := p.Webhooks.UpdateWebhook(ann, hook, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
	if err != nil {
		t.Fatal(err)
	}
	settle := func(op string, plan string) {
		t.Helper()
		for range 20 {
			if o, err := p.Schedules.In(plan).Operation(ann, op); err != nil || o.Status.Done() {
				if err != nil || o.Status != twinplatform.OperationSucceeded {
					t.Errorf("the clock is off by %v: operation %s: %v, %v", time.Duration(clock.off.Load()), op, o.Status, err)
				}
				return
			}
			time.Sleep(time.Second / 4)
		}
		t.Errorf("the clock is off by %v: operation %s has not ended in five seconds", time.Duration(clock.off.Load()), op)
	}
	res := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(ann, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: twin}))
	plan := "plan"
	if res.ID != "" {
		settle(res.ID, plan)
	}
	task := func(id string) string {
		t.Helper()
		op := made[twinplatform.Result[schedules.Task]](t)(p.Schedules.CreateTask(ann, plan, schedules.NewTask{ID: id, Name: id, Type: schedules.Work})).ID
		settle(op, plan)
		return op
	}
	// What is to be there when the clock is right again.
	task("gone")
	page := made[twinplatform.Page[schedules.Task]](t)(p.Schedules.In(plan).Tasks(ann, schedules.TaskQuery{}))
	deletion := made[twinplatform.Result[schedules.Task]](t)(p.Schedules.In(plan).DeleteTasks(ann, []string{"gone"})).ID
	settle(deletion, plan)
	listed := func() error {
		_, err := p.Schedules.In(plan).Tasks(ann, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}})
		return err
	}
	role := made[twinplatform.Result[twins.Role]](t)(p.Twins.CreateRole(ann, twin, twins.NewRole{DisplayName: "Reader", Permissions: []string{"schedules_read"}})).Value()
	invitation := made[twinplatform.Result[twins.Invitation]](t)(p.Twins.CreateInvitation(ann, twin, twins.NewInvitation{Email: "bob@example.com", RoleIDs: []string{role.ID}})).Value()
	share := made[twinplatform.Result[twins.Share]](t)(p.Twins.CreateShare(ann, twin, twins.NewShare{})).Value()
	time.Sleep(5 * time.Second)

	steps := 0 // of more than a minute
	set := func(off time.Duration) {
		if d := off - time.Duration(clock.off.Load()); d > time.Minute || d < -time.Minute {
			steps++
		}
		clock.off.Store(int64(off))
		time.Sleep(40 * time.Second) // until it is noticed
	}
	for i := range 8 {
		most := []time.Duration{10 * time.Second, 10 * time.Minute, 20 * time.Hour, 60 * day, 200 * 365 * day}[rnd.IntN(5)]
		set(time.Duration((2*rnd.Float64() - 1) * float64(most)))
		task(fmt.Sprint("task-", i))
		before := came.n.Load()
		made[twinplatform.Result[webhooks.Delivery]](t)(p.Webhooks.SendTest(ann, hook, webhooks.TestEvent{}))
		time.Sleep(3 * time.Second)
		if came.n.Load() == before {
			t.Errorf("the clock is off by %v: nothing was delivered in three seconds", time.Duration(clock.off.Load()))
		}
		time.Sleep(time.Duration(rnd.IntN(7200)) * time.Second)
	}
	set(0)
	time.Sleep(time.Hour + time.Minute) // retention has looked since
	if err := listed(); err != nil {
		t.Errorf("the deletion is forgotten early: %v", err)
	}
	if _, err := p.Schedules.In(plan).Operation(ann, deletion); err != nil {
		t.Errorf("the operation is forgotten early: %v", err)
	}
	if i, err := p.Twins.Invitation(ann, twin, invitation.ID); err != nil {
		t.Errorf("the invitation %v: %v", i, err)
	}
	if _, err := p.Twins.Share(ann, twin, share.ID); err != nil {
		t.Errorf("the share: %v", err)
	}
	task("in the end")
	time.Sleep(twinplatform.DefaultRetain + 2*time.Hour)
	if err := listed(); err == nil {
		t.Error("the deletion is remembered for longer than the retention")
	}
	if _, err := p.Schedules.In(plan).Operation(ann, deletion); err == nil {
		t.Error("the operation is remembered for longer than the retention")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "the clock was set"); n != steps {
		t.Errorf("%d lines about %d steps of more than a minute:\n%s", n, steps, log.String())
	}
}

// A clock that stays ahead is believed a day later by what is forgotten for good.
func TestAClockThatStaysAheadIsBelievedByRetentionADayLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := &wallClock{began: time.Now()}
		p := over(t, memory.New(), platform.Config{Env: clock.env(nil)})
		done := make(chan error)
		go func() { done <- p.Run(t.Context()) }()
		ctx := context.Background()
		twin := newTwin(ctx, t, p)
		page := made[twinplatform.Page[twins.Twin]](t)(p.Twins.Twins(ctx, twins.TwinQuery{}))
		if _, err := p.Twins.DeleteTwin(ctx, twin); err != nil {
			t.Fatal(err)
		}
		known := func() bool {
			_, err := p.Twins.Twins(ctx, twins.TwinQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}})
			return err == nil
		}
		time.Sleep(time.Minute)
		clock.off.Store(int64(40 * day))
		time.Sleep(23 * time.Hour)
		if !known() {
			t.Error("the deletion is forgotten before the clock has been ahead for a day")
		}
		time.Sleep(3 * time.Hour)
		if known() {
			t.Error("the deletion is not forgotten, and the clock has been ahead for more than a day")
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
