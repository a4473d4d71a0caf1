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

func (w *wallClock) set(off time.Duration) { w.off.Store(int64(off)) }

// by is how far it is off.
func (w *wallClock) by() time.Duration { return time.Duration(w.off.Load()) }

func (w *wallClock) env(log *slog.Logger) twinplatform.Env {
	return twinplatform.Env{
		Now:     func() time.Time { return time.Now().Round(0).Add(w.by()) },
		Elapsed: func() time.Duration { return time.Since(w.began) },
		Logger:  log, Background: true,
	}
}

// delivered counts deliveries.
type delivered struct{ n atomic.Int64 }

func (d *delivered) RoundTrip(req *http.Request) (*http.Response, error) {
	d.n.Add(1)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

// clockedPlan is a schedule of a platform whose wall clock is wrong.
type clockedPlan struct {
	t     *testing.T
	ctx   context.Context
	p     *platform.Platform
	clock *wallClock
	twin  string
	id    string

	delta    string // of the list in which the task was that is deleted
	deletion string // its operation
}

func newClockedPlan(ctx context.Context, t *testing.T, p *platform.Platform, clock *wallClock) *clockedPlan {
	t.Helper()
	s := &clockedPlan{t: t, ctx: ctx, p: p, clock: clock, twin: newTwin(ctx, t, p), id: "plan"}
	_, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: s.id, Name: "Plan", TwinID: s.twin})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// settle waits until an operation has succeeded, which takes less than five seconds.
func (s *clockedPlan) settle(op string) {
	s.t.Helper()
	for range 20 {
		o, err := s.p.Schedules.In(s.id).Operation(s.ctx, op)
		if err != nil || o.Value.Status.Done() {
			if err != nil || o.Value.Status != twinplatform.OperationSucceeded {
				s.t.Errorf("the clock is off by %v: operation %s: %v, %v", s.clock.by(), op, o.Value.Status, err)
			}
			return
		}
		time.Sleep(time.Second / 4)
	}
	s.t.Errorf("the clock is off by %v: operation %s has not ended in five seconds", s.clock.by(), op)
}

func (s *clockedPlan) create(id string) {
	s.t.Helper()
	res, err := s.p.Schedules.CreateTask(s.ctx, s.id, schedules.NewTask{ID: id, Name: id, Type: schedules.Work})
	s.settle(made[twinplatform.Result[schedules.Task]](s.t)(res, err).ID)
}

// remove creates a task and deletes it, for knows to ask for.
func (s *clockedPlan) remove() {
	s.t.Helper()
	s.create("gone")
	page, err := s.p.Schedules.In(s.id).Tasks(s.ctx, schedules.TaskQuery{})
	s.delta = made[twinplatform.Page[schedules.Task]](s.t)(page, err).Delta
	res, err := s.p.Schedules.In(s.id).DeleteTasks(s.ctx, []string{"gone"})
	s.deletion = made[twinplatform.Result[schedules.Task]](s.t)(res, err).ID
	s.settle(s.deletion)
}

// knows fails the test unless the deletion, and its operation, are remembered, or forgotten.
func (s *clockedPlan) knows(want bool, when string) {
	s.t.Helper()
	since := schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: s.delta}}
	if _, err := s.p.Schedules.In(s.id).Tasks(s.ctx, since); (err == nil) != want {
		s.t.Errorf("%s: the deletion is remembered: %v, want %v: %v", when, err == nil, want, err)
	}
	if _, err := s.p.Schedules.In(s.id).Operation(s.ctx, s.deletion); (err == nil) != want {
		s.t.Errorf("%s: the operation is remembered: %v, want %v: %v", when, err == nil, want, err)
	}
}

// A walk of the clock in both directions under work of all kinds: while it is wrong, and when it
// is right again, all that is accepted comes to its end within seconds. What was to be
// remembered or open for a time is so still when the clock is right again, and no longer than
// that.
func TestAClockThatWalksStopsNothingAndMakesNothingExpireEarly(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Seeds(12, 3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { walkTheClock(t, rand.New(rand.NewPCG(seed, 2262))) })
		})
	}
}

// farthest is how far the clock may be off, of which each step chooses one.
var farthest = []time.Duration{10 * time.Second, 10 * time.Minute, 20 * time.Hour, 60 * day, 200 * 365 * day}

func walkTheClock(t *testing.T, rnd *rand.Rand) {
	t.Helper()
	const retain = 2 * day
	clock := &wallClock{began: time.Now()}
	var log bytes.Buffer
	var came delivered
	env := clock.env(slog.New(slog.NewTextHandler(&log, nil)))
	env.Retain = retain
	p := over(t, memory.New(), platform.Config{
		Env: env, Webhooks: webhooks.Config{Transport: &came}, Twins: twins.Config{InvitationTime: 20 * day},
	})
	done := make(chan error, 1)
	go func() { done <- p.Run(t.Context()) }()
	ann := as(t, "ann", "Account Administrator")
	plan := newClockedPlan(ann, t, p, clock)
	res, err := p.Webhooks.CreateWebhook(t.Context(), webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/events",
		Scope:       webhooks.TwinScope, ScopeID: plan.twin, EventTypes: webhooks.EventTypes(),
	})
	hook := made[webhooks.WebhookResult](t)(res, err).Value().ID
	_, err = p.Webhooks.UpdateWebhook(t.Context(), hook, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
	if err != nil {
		t.Fatal(err)
	}

	// What is to be there when the clock is right again.
	plan.remove()
	reader := twins.NewRole{DisplayName: "Reader", Permissions: []string{"schedules_read"}}
	role := made[twinplatform.Result[twins.Role]](t)(p.Twins.CreateRole(ann, plan.twin, reader)).Value()
	bob := twins.NewInvitation{Email: "bob@example.com", RoleIDs: []string{role.ID}}
	invitation := made[twinplatform.Result[twins.Invitation]](t)(p.Twins.CreateInvitation(ann, plan.twin, bob)).Value()
	share := made[twinplatform.Result[twins.Share]](t)(p.Twins.CreateShare(ann, plan.twin, twins.NewShare{})).Value()
	time.Sleep(5 * time.Second)

	steps := 0 // of more than a minute
	set := func(off time.Duration) {
		if d := off - clock.by(); d > time.Minute || d < -time.Minute {
			steps++
		}
		clock.set(off)
		time.Sleep(40 * time.Second) // until it is noticed
	}
	for i := range 8 {
		most := farthest[rnd.IntN(len(farthest))]
		set(time.Duration((2*rnd.Float64() - 1) * float64(most)))
		plan.create(fmt.Sprint("task-", i))
		before := came.n.Load()
		made[twinplatform.Result[webhooks.Delivery]](t)(p.Webhooks.SendTest(t.Context(), hook, webhooks.TestEvent{}))
		time.Sleep(3 * time.Second)
		if came.n.Load() == before {
			t.Errorf("the clock is off by %v: nothing was delivered in three seconds", clock.by())
		}
		time.Sleep(time.Duration(rnd.IntN(7200)) * time.Second)
	}
	set(0)
	time.Sleep(time.Hour + time.Minute) // retention has looked since
	plan.knows(true, "when the clock is right again")
	if _, err := p.Twins.Invitation(ann, plan.twin, invitation.ID); err != nil {
		t.Errorf("the invitation: %v", err)
	}
	if _, err := p.Twins.Share(ann, plan.twin, share.ID); err != nil {
		t.Errorf("the share: %v", err)
	}
	plan.create("in the end")
	time.Sleep(retain + 2*time.Hour)
	plan.knows(false, "when retention is over")
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
		done := make(chan error, 1)
		go func() { done <- p.Run(t.Context()) }()
		plan := newClockedPlan(as(t, "ann", "Account Administrator"), t, p, clock)
		plan.remove()
		time.Sleep(time.Minute)
		clock.set(40 * day)
		time.Sleep(23 * time.Hour)
		plan.knows(true, "before the clock has been ahead for a day")
		time.Sleep(3 * time.Hour)
		plan.knows(false, "when the clock has been ahead for more than a day")
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A running platform says once that its clock was set by more than a minute, by how much, and
// nothing of smaller corrections.
func TestARunningPlatformWarnsOnceOfEachStepOfTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := &wallClock{began: time.Now()}
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		p := over(t, memory.New(), platform.Config{Env: clock.env(logger)})
		done := make(chan error, 1)
		go func() { done <- p.Run(t.Context()) }()
		time.Sleep(time.Minute)
		for _, by := range []time.Duration{
			time.Minute, -time.Minute, 61 * time.Second, -61 * time.Second, -time.Second, 20 * time.Hour, -400 * day, 59 * time.Second,
		} {
			log.Reset()
			clock.set(clock.by() + by)
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			want := 0
			if by.Abs() > time.Minute {
				want = 1
			}
			got := strings.Count(log.String(), fmt.Sprintf("level=WARN msg=\"the clock was set\" by=%v ", by))
			if all := strings.Count(log.String(), "the clock was set"); got != want || all != want {
				t.Errorf("set by %v: %d of %d lines say so, want %d:\n%s", by, got, all, want, log.String())
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
