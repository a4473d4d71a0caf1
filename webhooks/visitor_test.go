package webhooks_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const issuer = "https://login.example.com/realms/twins"

// visitors are applications of the issuer, as they were last seen by this process.
type visitors struct {
	trusted bool
	seen    map[string]visit
}

type visit struct {
	who twinplatform.Principal
	at  time.Time
}

func (v *visitors) Trusts(of string) bool { return v.trusted && of == issuer }

func (v *visitors) LastSeen(_ context.Context, of, accountID, id string) (twinplatform.Principal, time.Time, bool, error) {
	s, ok := v.seen[id]
	return s.who, s.at, ok && v.Trusts(of) && s.who.AccountID == accountID, nil
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (*visitors) Transactional() {}

func visitor(p *twinplatform.Principal) { administrator(p); p.Issuer = issuer }

// outside is a service whose caller is an application of an issuer.
type outside struct {
	t     *testing.T
	now   time.Time
	known *visitors
	in    *inbox
	svc   *webhooks.Service
	n     int
}

func newOutside(t *testing.T, cfg webhooks.Config) *outside {
	o := &outside{t: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), known: &visitors{trusted: true, seen: make(map[string]visit)}, in: &inbox{}}
	cfg.Env.Now = func() time.Time { return o.now }
	cfg.Transport, cfg.Visitors, cfg.Jitter = inMemory{o.in}, o.known, webhooks.Off
	o.svc = newService(memory.New(), cfg)
	return o
}

// receives reports whether the next event is delivered.
func (o *outside) receives() bool {
	o.t.Helper()
	before := len(o.in.all())
	o.n++
	publish(o.t, o.t.Context(), o.svc, fmt.Sprint("event-", o.n))
	if _, err := o.svc.Deliver(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
	return len(o.in.all()) > before
}

// covers: Permissions and errors of webhooks: rule who lost the right hears no more
func TestAnApplicationOfAnIssuerReceivesWhileItWasSeenLately(t *testing.T) {
	t.Parallel()
	const week = webhooks.DefaultVisitorTime
	o := newOutside(t, webhooks.Config{Applications: staff{}}) // in which it is not
	ctx := as(t, appID, visitor)
	hook, _ := subscribe(t, ctx, o.svc, webhooks.NewWebhook{Scope: webhooks.AccountScope})
	var got []string
	step := func(name string, after time.Duration, change func()) {
		t.Helper()
		o.now = o.now.Add(after)
		change()
		got = append(got, fmt.Sprint(name, ": ", o.receives()))
	}
	nothing := func() {}
	step("made", 0, nothing)
	step("its token has expired long ago", week-time.Second, nothing)
	step("not seen for a week", time.Second, nothing)
	step("it calls for its webhooks", time.Hour, func() {
		if _, err := o.svc.Webhook(ctx, hook.ID); err != nil {
			t.Fatal(err)
		}
	})
	step("six days later, in another process", week-time.Hour, nothing)
	step("it called for something else", 0, func() {
		p, _ := twinplatform.PrincipalFrom(ctx)
		o.known.seen[appID] = visit{p, o.now}
	})
	step("eleven days after its webhooks", week-2*time.Hour, nothing)
	step("it is no administrator any more", 0, func() {
		p, _ := twinplatform.PrincipalFrom(as(t, appID, func(p *twinplatform.Principal) { p.Issuer = issuer }))
		o.known.seen[appID] = visit{p, o.now}
	})
	step("it is one again", 0, func() {
		p, _ := twinplatform.PrincipalFrom(ctx)
		o.known.seen[appID] = visit{p, o.now}
	})
	step("it is a person now", 0, func() {
		p, _ := twinplatform.PrincipalFrom(ctx)
		p.Kind = twinplatform.User
		o.known.seen[appID] = visit{p, o.now}
	})
	step("the issuer is not trusted any more", 0, func() {
		p, _ := twinplatform.PrincipalFrom(ctx)
		o.known.seen[appID] = visit{p, o.now}
		o.known.trusted = false
	})
	want := []string{
		"made: true", "its token has expired long ago: true", "not seen for a week: false", "it calls for its webhooks: true",
		"six days later, in another process: true", "it called for something else: true", "eleven days after its webhooks: true",
		"it is no administrator any more: false", "it is one again: true", "it is a person now: false", "the issuer is not trusted any more: false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnApplicationOfAnIssuerRemovedFromItsTwinReceivesNothing(t *testing.T) {
	t.Parallel()
	w := newTower(t, memory.New())
	hooks := newService(memory.New(), webhooks.Config{
		Env: twinplatform.Env{Authorizer: w.twins}, Twins: w.twins, Transport: inMemory{w.in}, Jitter: webhooks.Off, Visitors: &visitors{trusted: true},
	})
	ctx := as(t, appID, func(p *twinplatform.Principal) { p.Issuer = issuer })
	subscribe(t, ctx, hooks, webhooks.NewWebhook{ScopeID: w.twin.ID, Scope: webhooks.TwinScope})
	w.hooks = hooks
	w.happen(t, "before")
	w.deliver(t)
	w.leave(t)
	w.happen(t, "after")
	w.deliver(t)
	if diff := cmp.Diff([]string{"before"}, w.ids()); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

func TestWebhooksOfAnIssuersApplicationsDeliverNothingWithoutADirectory(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	for name, cfg := range map[string]webhooks.Config{
		"no directory": {},
		"off":          {Visitors: &visitors{trusted: true}, VisitorTime: webhooks.Off},
		"not trusted":  {Visitors: &visitors{}},
	} {
		cfg.Transport, cfg.Jitter = inMemory{in}, webhooks.Off
		svc := newService(memory.New(), cfg)
		subscribe(t, as(t, appID, visitor), svc, webhooks.NewWebhook{Scope: webhooks.AccountScope})
		publish(t, t.Context(), svc, "event")
		if _, err := svc.Deliver(t.Context()); err != nil || len(in.all()) > 0 {
			t.Errorf("%s: %d deliveries, %v", name, len(in.all()), err)
		}
	}
}
