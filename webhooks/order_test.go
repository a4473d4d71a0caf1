package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// toggle is something that decides whether the webhook of a tower hears what happens in the twin. It is on.
type toggle struct {
	set func(ctx context.Context, on bool) error
	// forgets says that what waits goes with the webhook.
	forgets bool
}

// toggles are all kinds of it.
var toggles = map[string]func(t *testing.T, w *tower) toggle{
	"active": func(_ *testing.T, w *tower) toggle {
		return toggle{set: func(ctx context.Context, on bool) error {
			return w.patch(ctx, webhooks.WebhookPatch{Active: twinplatform.Set(on)})
		}}
	},
	"event types": func(_ *testing.T, w *tower) toggle {
		return toggle{set: func(ctx context.Context, on bool) error {
			types := []webhooks.EventType{event.TypeTwinDeleted}
			if on {
				types = append(types, event.TypeRealityConversionJobCompleted)
			}
			return w.patch(ctx, webhooks.WebhookPatch{EventTypes: twinplatform.Set(types)})
		}}
	},
	"scope": func(t *testing.T, w *tower) toggle {
		// The twin's webhook goes for one of another twin, and the other way round.
		other := w.newTwin(t, "Other")
		elsewhere := create(t, t.Context(), w.hooks, webhooks.NewWebhook{Scope: webhooks.TwinScope, ScopeID: other, CallbackURL: "https://elsewhere.example.com/events"})
		here := w.hook.ID
		return toggle{set: func(ctx context.Context, on bool) error {
			for id, active := range map[string]bool{here: on, elsewhere.Value().ID: !on} {
				if w.hook.ID = id; w.patch(ctx, webhooks.WebhookPatch{Active: twinplatform.Set(active)}) != nil {
					return errors.New("a webhook was not switched")
				}
			}
			return nil
		}}
	},
	"rights of a member": func(_ *testing.T, w *tower) toggle {
		return toggle{set: func(ctx context.Context, on bool) error { return w.member(ctx, w.twin.ID, w.roleID, on) }}
	},
	"rights of a role": func(_ *testing.T, w *tower) toggle {
		return toggle{set: func(ctx context.Context, on bool) error {
			permissions := []string{twins.PermissionRead}
			if on {
				permissions = append(permissions, webhooks.PermissionMaintainer)
			}
			_, err := w.twins.UpdateRole(ctx, w.twin.ID, w.roleID, twins.RolePatch{Permissions: twinplatform.Set(permissions)})
			return err
		}}
	},
	"rights of a group": func(t *testing.T, w *tower) toggle {
		made, err := w.twins.CreateGroup(t.Context(), w.twin.ID, twins.NewGroup{
			Name: "Programs", People: []twins.GroupPerson{{ID: appID, MemberType: twinplatform.Service}},
		})
		if err != nil {
			t.Fatal(err)
		}
		group := made.Value().ID
		set := func(ctx context.Context, on bool) error {
			if !on {
				return w.twins.DeleteGroupMember(ctx, w.twin.ID, group)
			}
			_, err := w.twins.AddGroupMembers(ctx, w.twin.ID, []twins.NewGroupMember{{GroupID: group, RoleIDs: []string{w.roleID}}})
			return err
		}
		if err := set(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		w.leave(t)
		return toggle{set: set}
	},
	"rights of the twin above": func(t *testing.T, w *tower) toggle {
		above, away := w.newTwin(t, "Above"), w.newTwin(t, "Beside")
		role, err := w.twins.CreateRole(t.Context(), above, twins.NewRole{DisplayName: "Listener", Permissions: []string{webhooks.PermissionMaintainer}})
		if err != nil {
			t.Fatal(err)
		}
		set := func(ctx context.Context, on bool) error {
			to := away
			if on {
				to = above
			}
			_, err := w.twins.UpdateTwin(ctx, w.twin.ID, twins.TwinPatch{ParentID: twinplatform.Set(to)})
			return err
		}
		if err := errors.Join(w.member(t.Context(), above, role.Value().ID, true), set(t.Context(), true)); err != nil {
			t.Fatal(err)
		}
		w.leave(t)
		return toggle{set: set}
	},
	"deletion and re-creation": func(_ *testing.T, w *tower) toggle {
		return toggle{forgets: true, set: func(ctx context.Context, on bool) error {
			if !on {
				return w.hooks.DeleteWebhook(ctx, w.hook.ID)
			}
			made, err := w.hooks.CreateWebhook(ctx, webhooks.NewWebhook{
				CallbackURL: callback, Scope: webhooks.TwinScope, ScopeID: w.twin.ID, EventTypes: webhooks.EventTypes(),
			})
			if err != nil {
				return err
			}
			w.hook = made.Value()
			return w.patch(ctx, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
		}}
	},
}

func (w *tower) patch(ctx context.Context, p webhooks.WebhookPatch) error {
	_, err := w.hooks.UpdateWebhook(ctx, w.hook.ID, p)
	return err
}

// member makes the application a member of a twin, or takes it out.
func (w *tower) member(ctx context.Context, twinID, roleID string, is bool) error {
	if !is {
		return w.twins.DeleteMember(ctx, twinID, appID)
	}
	_, err := w.twins.CreateMember(ctx, twinID, twins.NewMember{ID: appID, MemberType: twinplatform.Service, RoleIDs: []string{roleID}})
	return err
}

func (w *tower) newTwin(t *testing.T, name string) string {
	t.Helper()
	n := twins.NewTwin{Class: twins.Endeavor, SubClass: twins.Project, DisplayName: name, AccountID: accountID}
	made, err := w.twins.CreateTwin(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return made.Value().ID
}

// occur makes an event of the twin.
func (w *tower) occur(ctx context.Context, id string) error {
	_, err := w.hooks.Publish(ctx, twinplatform.Event{
		ID: id, Type: string(event.TypeRealityConversionJobCompleted), TwinID: w.twin.ID, Content: []byte(`{"jobId":"job"}`),
	})
	return err
}

// What happened while the webhook heard it is delivered however late it is taken up, and nothing else is.
func TestWhoHearsAnEventFollowsFromWhenItHappened(t *testing.T) {
	t.Parallel()
	for name, made := range toggles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := memory.New()
			w := newTower(t, store)
			ctx, s := t.Context(), made(t, w)
			w.deliver(t)
			before := storetest.Keys(t, store)
			var want []string
			for i := range 10 {
				for _, on := range []bool{true, false} {
					if i > 0 || !on { // it is on
						if err := s.set(ctx, on); err != nil {
							t.Fatal(err)
						}
					}
					id := fmt.Sprintf("%d %v", i, on)
					w.happen(t, id)
					if on && !s.forgets {
						want = append(want, id)
					}
				}
			}
			if err := s.set(ctx, true); err != nil {
				t.Fatal(err)
			}
			w.happen(t, "last")
			w.deliver(t)
			if diff := cmp.Diff(append(want, "last"), w.ids()); diff != "" {
				t.Errorf("received (-want +got):\n%s", diff)
			}
			if left := pastsIn(t, store); left != 0 {
				t.Errorf("%d of %d keys more are pasts of webhooks, whose events are all taken up", left, storetest.Keys(t, store)-before)
			}
		})
	}
}

// pastsIn is the number of keys in a store of what webhooks were.
func pastsIn(t *testing.T, store storage.Store) (n int) {
	t.Helper()
	err := store.View(t.Context(), func(r storage.Reader) error {
		n = 0
		for range r.Scan("webhookpast", "") {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A webhook that changes while nothing waits leaves no past.
func TestWebhookThatChangesWhileNothingWaitsCostsNothing(t *testing.T) {
	t.Parallel()
	store := memory.New()
	w := newTower(t, store)
	w.deliver(t)
	for _, on := range []bool{false, true} {
		if err := w.patch(t.Context(), webhooks.WebhookPatch{Active: twinplatform.Set(on)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := pastsIn(t, store); n != 0 {
		t.Errorf("%d keys", n)
	}
}

// A webhook that is switched off by its receiver's answer hears what happened before that.
func TestWebhookSwitchedOffByItsReceiverHearsWhatHappenedBefore(t *testing.T) {
	t.Parallel()
	w := newTower(t, memory.New())
	w.in.answer = answering(410)
	gone := w.in.answer
	first := true
	w.in.answer = func(n int, r received, rw http.ResponseWriter, req *http.Request) {
		if first {
			first = false
			if err := w.occur(t.Context(), "during the attempt"); err != nil {
				t.Error(err)
			}
			gone(n, r, rw, req)
		}
	}
	w.happen(t, "refused")
	w.deliver(t)
	w.happen(t, "while off")
	w.deliver(t)
	if err := w.patch(t.Context(), webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
		t.Fatal(err)
	}
	w.deliver(t)
	got := w.ids()
	slices.Sort(got)
	if diff := cmp.Diff([]string{"during the attempt", "refused"}, slices.Compact(got)); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

// Who held the right until the twin was deleted hears of the deletion, and who did not hears nothing.
func TestDeletionOfATwinIsHeardByTheRightUntilThen(t *testing.T) {
	t.Parallel()
	for _, held := range []bool{true, false} {
		w := newTower(t, memory.New())
		w.deliver(t)
		if err := toggles["rights of a role"](t, w).set(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		w.happen(t, "before")
		if err := w.twins.DeleteTwin(t.Context(), w.twin.ID); err != nil {
			t.Fatal(err)
		}
		before := len(w.in.all())
		w.deliver(t)
		got := receivedBy(w.in)[before:]
		if heard := slices.Contains(got, event.TypeTwinDeleted) && slices.Contains(got, event.TypeRealityConversionJobCompleted); heard != held {
			t.Errorf("held %v: received %v", held, got)
		}
	}
}

// A webhook of no account, where there is no directory, hears of every account by when it was switched.
func TestWebhookOfNoAccountHasItsPlaceAmongTheEventsOfEach(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}})
	ctx := t.Context()
	hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
	happen := func(when string) {
		for _, account := range []string{"one", "two", ""} {
			_, err := svc.Publish(ctx, twinplatform.Event{
				ID: when + " " + account, Type: string(event.TypeRealityConversionJobCompleted), TwinID: twinID, AccountID: account, Content: []byte(`{"jobId":"job"}`),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, on := range []bool{true, false, true} {
		if _, err := svc.UpdateWebhook(ctx, hook.ID, webhooks.WebhookPatch{Active: twinplatform.Set(on)}); err != nil {
			t.Fatal(err)
		}
		happen(fmt.Sprint(on))
	}
	if _, err := svc.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]int)
	for _, r := range in.all() {
		got[r.MessageID]++
	}
	if diff := cmp.Diff(map[string]int{"true one": 2, "true two": 2, "true ": 2}, got); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

// span is when something was asked for and when it was answered, by a clock that counts.
type span struct{ asked, answered int64 }

// TestSwitchesUnderWritersLoseNothing has a webhook switched on and off, in every way there is, while others make
// events and while two nodes deliver, or none until the end. What was answered before it was asked to be off is
// delivered, and what was asked for after it was answered to be off is not.
func TestSwitchesUnderWritersLoseNothing(t *testing.T) {
	t.Parallel()
	for _, e := range storetest.Engines {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			for name, made := range toggles {
				for _, nodes := range []int{0, 2} {
					t.Run(fmt.Sprintf("%s, %d nodes", name, nodes), func(t *testing.T) {
						t.Parallel()
						store := e.Open(t)
						t.Cleanup(func() {
							if err := store.Close(); err != nil {
								t.Error(err)
							}
						})
						w := newTower(t, store)
						w.under(t, made(t, w), nodes, testsize.Of(300, 20))
					})
				}
			}
		})
	}
}

// under switches the webhook of a tower under writers.
func (w *tower) under(t *testing.T, s toggle, nodes, switches int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var ran sync.WaitGroup
	for range nodes {
		node := w.another(nil)
		ran.Go(func() {
			if err := node.Run(ctx); err != nil {
				t.Errorf("Run: %v", err)
			}
		})
	}
	var (
		clock    atomic.Int64
		mu       sync.Mutex
		happened = make(map[string]span)
	)
	occur := func(id string) {
		at := span{asked: clock.Add(1)}
		if err := w.occur(t.Context(), id); err != nil {
			t.Errorf("an event: %v", err)
		}
		at.answered = clock.Add(1)
		mu.Lock()
		defer mu.Unlock()
		happened[id] = at
	}
	turns := make(chan string)
	var writers sync.WaitGroup
	for range 3 {
		writers.Go(func() {
			for id := range turns {
				occur(id)
			}
		})
	}
	var on, off []span // from the end of one to the beginning of the other
	since, is := span{asked: clock.Add(1)}, true
	for i := range switches {
		for j := range 3 {
			turns <- fmt.Sprintf("%d of others, %d", i, j)
		}
		since.answered = clock.Add(1)
		if is {
			on = append(on, since)
		} else {
			off = append(off, since)
		}
		is = !is
		if err := s.set(t.Context(), is); err != nil {
			t.Fatalf("switch %d: %v", i, err)
		}
		since = span{asked: clock.Add(1)}
		occur(fmt.Sprintf("%d, %v", i, is))
	}
	close(turns)
	writers.Wait()
	if !is {
		if err := s.set(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		since = span{asked: clock.Add(1)}
	}
	occur("last")
	since.answered = clock.Add(1)
	on = append(on, since)
	stop()
	ran.Wait()
	// A node that was stopped may have left its leases, which are over by then.
	w.hooks = w.another(func() time.Time { return time.Now().Add(time.Hour) })
	w.deliver(t)

	got := make(map[string]int)
	for _, id := range w.ids() {
		got[id]++
	}
	within := func(spans []span, e span) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return s.asked < e.asked && e.answered < s.answered })
	}
	var lost, extra []string
	for id, at := range happened {
		switch {
		case within(off, at) && got[id] > 0:
			extra = append(extra, id)
		case within(on, at) && got[id] == 0 && (!s.forgets || id == "last"):
			lost = append(lost, id)
		}
	}
	if len(lost)+len(extra) > 0 {
		t.Errorf("of %d events %d were lost and %d delivered that were not to be heard\n%s\n%s",
			len(happened), len(lost), len(extra), strings.Join(lost, "; "), strings.Join(extra, "; "))
	}
}
