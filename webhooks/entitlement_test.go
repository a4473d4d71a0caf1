package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// receivedBy returns the types of the events that an inbox got.
func receivedBy(in *inbox) (out []string) {
	for _, r := range in.all() {
		out = append(out, r.EventType)
	}
	return out
}

// tower is a platform with a twin, of which the application "app" is a member
// that maintains webhooks.
type tower struct {
	store  storage.Store
	twins  *twins.Service
	hooks  *webhooks.Service
	in     *inbox
	twin   twins.Twin
	roleID string
	hook   webhooks.Webhook
}

func newTower(t *testing.T, store storage.Store) *tower {
	t.Helper()
	ctx := t.Context()
	w := &tower{in: &inbox{}}
	w.twins = twins.New(store, twins.Config{})
	w.store = store
	w.hooks = w.another(nil)
	w.twins.AddHolder(w.hooks)
	made, err := w.twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, SubClass: twins.Project, DisplayName: "Tower", AccountID: accountID})
	if err != nil {
		t.Fatal(err)
	}
	w.twin = made.Value()
	role, err := w.twins.CreateRole(ctx, w.twin.ID, twins.NewRole{DisplayName: "Listener", Permissions: []string{webhooks.PermissionMaintainer}})
	if err != nil {
		t.Fatal(err)
	}
	w.roleID = role.Value().ID
	w.join(t)
	w.hook, _ = subscribe(t, as(t, appID, nil), w.hooks, webhooks.NewWebhook{ScopeID: w.twin.ID, Scope: webhooks.TwinScope})
	return w
}

// another is one more service over the store, by a clock, which may be nil.
func (w *tower) another(clock func() time.Time) *webhooks.Service {
	env := twinplatform.Env{Authorizer: w.twins, Now: clock}
	if clock != nil { // also where the store has a clock of its own
		began := clock()
		env.Elapsed = func() time.Duration { return clock().Sub(began) }
	}
	return newService(w.store, webhooks.Config{Env: env, Twins: w.twins, Transport: inMemory{w.in}, Jitter: webhooks.Off})
}

const appID = "b5b0d8a1-1111-4222-8333-444455556666"

func (w *tower) join(t *testing.T) {
	t.Helper()
	_, err := w.twins.CreateMember(t.Context(), w.twin.ID, twins.NewMember{ID: appID, MemberType: twinplatform.Service, RoleIDs: []string{w.roleID}})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *tower) leave(t *testing.T) {
	t.Helper()
	if err := w.twins.DeleteMember(t.Context(), w.twin.ID, appID); err != nil {
		t.Fatal(err)
	}
}

func (w *tower) happen(t *testing.T, id string) {
	t.Helper()
	_, err := w.hooks.Publish(t.Context(), twinplatform.Event{
		ID: id, Type: string(event.TypeRealityConversionJobCompleted), TwinID: w.twin.ID, Content: []byte(`{"jobId":"job"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *tower) deliver(t *testing.T) {
	t.Helper()
	if _, err := w.hooks.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (w *tower) ids() (out []string) {
	for _, r := range w.in.all() {
		if r.EventType == string(event.TypeRealityConversionJobCompleted) {
			out = append(out, r.MessageID)
		}
	}
	return out
}

// covers: Permissions and errors of webhooks: rule who lost the right hears no more
func TestApplicationThatLostItsPermissionReceivesNothing(t *testing.T) {
	t.Parallel()
	w := newTower(t, memory.New())
	w.happen(t, "before")
	w.deliver(t)
	w.happen(t, "recorded before, not handed out")
	w.leave(t)
	w.happen(t, "after")
	w.deliver(t)
	if diff := cmp.Diff([]string{"before"}, w.ids()); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
	st, err := w.hooks.Status(t.Context(), w.hook.ID)
	if err != nil || !st.Barred || st.Pending != 1 { // what happened before waits
		t.Errorf("status %+v, %v", st, err)
	}
	w.join(t)
	w.happen(t, "again")
	w.deliver(t)
	if diff := cmp.Diff([]string{"before", "recorded before, not handed out", "again"}, w.ids()); diff != "" {
		t.Errorf("received once it was a member again (-want +got):\n%s", diff)
	}
}

func TestWhatWaitsIsWithheldFromAnApplicationThatLostItsPermission(t *testing.T) {
	t.Parallel()
	w := newTower(t, memory.New())
	w.in.answer = answering(503)
	w.happen(t, "waits")
	w.deliver(t)
	tries := len(w.in.all())
	w.leave(t)
	w.in.answer = nil
	if _, err := w.hooks.Replay(t.Context(), w.hook.ID, webhooks.ReplayQuery{State: webhooks.Dead}); err != nil {
		t.Fatal(err)
	}
	page, err := w.hooks.Deliveries(t.Context(), w.hook.ID, webhooks.DeliveryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for d := range page.OnPage() {
		if _, err := w.hooks.Redeliver(t.Context(), w.hook.ID, d.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.deliver(t)
	if n := len(w.in.all()); n != tries {
		t.Errorf("%d requests to an application without the permission", n-tries)
	}
	w.join(t)
	w.deliver(t)
	if got := receivedBy(w.in)[tries:]; len(got) == 0 {
		t.Error("what waited never came, once the application was a member again")
	}
}

func TestDeletionOfATwinIsDeliveredToWebhooksEntitledUntilThen(t *testing.T) {
	t.Parallel()
	for _, member := range []bool{true, false} {
		w := newTower(t, memory.New())
		if !member {
			w.leave(t)
		}
		if err := w.twins.DeleteTwin(t.Context(), w.twin.ID); err != nil {
			t.Fatal(err)
		}
		w.deliver(t)
		got := strings.Contains(strings.Join(receivedBy(w.in), " "), string(event.TypeTwinDeleted))
		if got != member {
			t.Errorf("member %t: received the deletion: %t", member, got)
		}
	}
}

// remote is an authorizer that answers from elsewhere.
type remote struct {
	allow, fail atomic.Bool
}

func (r *remote) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	if r.fail.Load() {
		return false, errors.New("no answer")
	}
	return r.allow.Load(), nil
}

func TestRightThatCannotBeJudgedWithinATransactionIsJudgedBeforeEachAttempt(t *testing.T) {
	t.Parallel()
	in, who := &inbox{}, &remote{}
	who.allow.Store(true)
	cfg := webhooks.Config{Env: twinplatform.Env{Authorizer: who}}
	bubble(t, in, cfg, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, as(t, appID, nil), svc, webhooks.NewWebhook{})
		step := func(id string, allow, fail bool, want int) {
			t.Helper()
			who.allow.Store(allow)
			who.fail.Store(fail)
			publish(t, ctx, svc, id)
			time.Sleep(20 * time.Minute)
			synctest.Wait()
			if n := len(in.all()); n != want {
				t.Errorf("%s: %d requests, want %d", id, n, want)
			}
		}
		step("allowed", true, false, 1)
		step("refused", false, false, 1)
		if st, err := svc.Status(ctx, hook.ID); err != nil || !st.Barred || st.Pending != 1 {
			t.Errorf("status %+v, %v", st, err)
		}
		step("unknown", true, true, 1)
		step("allowed again", true, false, 4)
		if st, err := svc.Status(ctx, hook.ID); err != nil || st.Barred || st.Pending != 0 {
			t.Errorf("status %+v, %v", st, err)
		}
	})
}

// staff are service applications as they are now.
type staff map[string]twinplatform.Principal

func (s staff) Application(_ context.Context, id string) (twinplatform.Principal, bool, error) {
	p, ok := s[id]
	return p, ok, nil
}

// Transactional implements twinplatform.Transactional: it asks no one.
func (staff) Transactional() {}

func TestFormerAdministratorReceivesNothing(t *testing.T) {
	t.Parallel()
	in, now := &inbox{}, staff{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}, Applications: now})
	ctx := as(t, appID, administrator)
	now[appID], _ = twinplatform.PrincipalFrom(ctx)
	subscribe(t, ctx, svc, webhooks.NewWebhook{Scope: webhooks.AccountScope})
	for i, change := range []func(*twinplatform.Principal){
		func(*twinplatform.Principal) {},
		func(p *twinplatform.Principal) { p.AdministratorRoles = nil },
		administrator,
		func(p *twinplatform.Principal) { administrator(p); p.AccountID = "another account" },
	} {
		p := now[appID]
		change(&p)
		now[appID] = p
		publish(t, t.Context(), svc, fmt.Sprint("event-", i))
		if _, err := svc.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range in.all() {
		got = append(got, r.MessageID)
	}
	if diff := cmp.Diff([]string{"event-0", "event-2"}, got); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

// covers: Permissions and errors of webhooks: rule administrators see, switch off and delete the webhooks of others
func TestAdministratorsSwitchOffTheWebhooksOfOthers(t *testing.T) {
	t.Parallel()
	person := func(p *twinplatform.Principal) { p.Kind = twinplatform.User }
	for name, edit := range map[string]func(*twinplatform.Principal){
		"a person that administers the account":       func(p *twinplatform.Principal) { person(p); administrator(p) },
		"an application that administers the account": administrator,
		"a person that manages the twin's members":    person,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTower(t, memory.New())
			const boss = "c5b0d8a1-1111-4222-8333-444455556666"
			role, err := w.twins.CreateRole(t.Context(), w.twin.ID, twins.NewRole{DisplayName: "Manager", Permissions: []string{twins.PermissionManageMembers}})
			if err == nil && !strings.Contains(name, "account") {
				_, err = w.twins.CreateMember(t.Context(), w.twin.ID, twins.NewMember{ID: boss, MemberType: twinplatform.User, RoleIDs: []string{role.Value().ID}})
			}
			if err != nil {
				t.Fatal(err)
			}
			ctx := as(t, boss, edit)
			for _, sel := range []webhooks.WebhookQuery{{}, {TwinID: w.twin.ID}} {
				page, err := w.hooks.Webhooks(ctx, sel)
				if err != nil || page.Len() != 1 {
					t.Fatalf("list %+v: %d webhooks, %v", sel, page.Len(), err)
				}
			}
			if _, err := w.hooks.Webhook(ctx, w.hook.ID); err != nil {
				t.Error(err)
			}
			off, err := w.hooks.UpdateWebhook(ctx, w.hook.ID, webhooks.WebhookPatch{Active: twinplatform.Set(false)})
			if err != nil || off.Value().Active {
				t.Errorf("switched off: %v", err)
			}
			_, err = w.hooks.UpdateWebhook(ctx, w.hook.ID, webhooks.WebhookPatch{CallbackURL: twinplatform.Set(callback + "/mine")})
			if wantCode := "InsufficientPermissions"; strings.Contains(name, "person") && twinplatform.AsError(err).Code != wantCode {
				t.Errorf("changed the address: %v", err)
			}
			if err := w.hooks.DeleteWebhook(ctx, w.hook.ID); err != nil {
				t.Error(err)
			}
			if _, err := w.hooks.Webhook(t.Context(), w.hook.ID); twinplatform.AsError(err).Code != "WebhookNotFound" {
				t.Errorf("after the deletion: %v", err)
			}
		})
	}
}

func TestWebhookOfATwinThatIsGoneIsRemovedInTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTower(t, memory.New())
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- w.hooks.Run(ctx) }()
		if err := w.twins.DeleteTwin(ctx, w.twin.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(23 * time.Hour)
		if _, err := w.hooks.Webhook(ctx, w.hook.ID); err != nil {
			t.Errorf("on the first day: %v", err)
		}
		time.Sleep(3 * time.Hour)
		if _, err := w.hooks.Webhook(ctx, w.hook.ID); twinplatform.AsError(err).Code != "WebhookNotFound" {
			t.Errorf("on the second day: %v", err)
		}
		if got := receivedBy(w.in); len(got) == 0 || got[len(got)-1] != string(event.TypeTwinDeleted) {
			t.Errorf("received %v", got)
		}
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
}

func TestRightThatIsTakenAtTheLastMomentChangesNothing(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context, *tower) error{
		"create": func(ctx context.Context, w *tower) error {
			_, err := w.hooks.CreateWebhook(ctx, webhooks.NewWebhook{CallbackURL: callback, Scope: webhooks.TwinScope, ScopeID: w.twin.ID, EventTypes: webhooks.EventTypes()})
			return err
		},
		"update": func(ctx context.Context, w *tower) error {
			_, err := w.hooks.UpdateWebhook(ctx, w.hook.ID, webhooks.WebhookPatch{CallbackURL: twinplatform.Set(callback + "/elsewhere")})
			return err
		},
		"delete": func(ctx context.Context, w *tower) error { return w.hooks.DeleteWebhook(ctx, w.hook.ID) },
		"test": func(ctx context.Context, w *tower) error {
			_, err := w.hooks.SendTest(ctx, w.hook.ID, webhooks.TestEvent{})
			return err
		},
		"redeliver": func(ctx context.Context, w *tower) error {
			_, err := w.hooks.Redeliver(ctx, w.hook.ID, "0000000000000000")
			return err
		},
		"replay": func(ctx context.Context, w *tower) error {
			_, err := w.hooks.Replay(ctx, w.hook.ID, webhooks.ReplayQuery{From: time.Now().Add(-time.Hour)})
			return err
		},
	} {
		for how, take := range map[string]func(*testing.T, *tower){
			"member removed": func(t *testing.T, w *tower) { w.leave(t) },
			"twin deleted": func(t *testing.T, w *tower) {
				if err := w.twins.DeleteTwin(t.Context(), w.twin.ID); err != nil {
					t.Error(err)
				}
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				store := storetest.Over(memory.New())
				w := newTower(t, store)
				w.happen(t, "event")
				w.deliver(t)
				before, err := w.hooks.Webhook(t.Context(), w.hook.ID)
				if err != nil {
					t.Fatal(err)
				}
				store.Next(func() { take(t, w) })
				err = call(as(t, appID, nil), w)
				if code := twinplatform.AsError(err).Code; err == nil || code != "WebhookNotFound" && code != "InvalidCreateWebhookRequest" {
					t.Errorf("got %v", err)
				}
				page, err := w.hooks.Webhooks(t.Context(), webhooks.WebhookQuery{})
				if err != nil || page.Len() != 1 || string(page.JSON()[0]) != string(before.JSON) {
					t.Errorf("webhooks %s, %v; want %s", page.JSON(), err, before.JSON)
				}
			})
		}
	}
}
