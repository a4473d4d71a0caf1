package webhooks

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// webhookChange is a patch of a webhook with what the platform makes of it.
type webhookChange struct {
	WebhookPatch

	now      twinplatform.DateTime
	replaced bool // the secret was
	caller   twinplatform.Principal
	called   bool // by it; not by the system
}

// webhookKind are the webhooks of a service, whose addresses pass its guard.
func webhookKind(g egress.Guard) *entity.Kind[Webhook, NewWebhook, webhookChange] {
	return &entity.Kind[Webhook, NewWebhook, webhookChange]{
		Records: &webhookRecords, One: "webhook", Many: "webhooks", Resource: "webhook",
		Missing: errNoWebhook, Bad: &InvalidUpdateRequest,
		Members: func(w *Webhook, n *NewWebhook, p *webhookChange) []entity.Member {
			return []entity.Member{
				entity.Value("active", &w.Active, nil, &p.Active),
				entity.Value("callbackUrl", &w.CallbackURL, &n.CallbackURL, &p.CallbackURL).
					Required().Valid(checkCallbackURL(g)),
				entity.Value("eventTypes", &w.EventTypes, &n.EventTypes, &p.EventTypes).
					Required().Valid(checkEventTypes),
				entity.Value("scope", &w.Scope, &n.Scope, nil).Required(),
				entity.Value("scopeId", &w.ScopeID, &n.ScopeID, nil).Refers(entity.Elsewhere("twins")),
			}
		},
		AfterCreate: func(w *Webhook, n *NewWebhook, c *problem.Checks) {
			checkSecret(c, n.Secret)
			isThere(c, "scope", string(n.Scope))
			w.EventTypes = distinct(w.EventTypes)
		},
		AfterUpdate: func(w, stored *Webhook, p *webhookChange, _ *problem.Checks) {
			w.EventTypes = distinct(w.EventTypes)
			changed := w.Active != stored.Active || w.CallbackURL != stored.CallbackURL
			if p.replaced || changed || !slices.Equal(w.EventTypes, stored.EventTypes) {
				w.Modified = p.now
			}
			if p.called && p.caller.ID == stored.CreatedBy {
				w.creator = creatorOf(p.caller, p.now)
			}
		},
	}
}

// check reports what is wrong with a patch, whatever the webhook is.
func (p *webhookChange) check(k *entity.Kind[Webhook, NewWebhook, webhookChange]) error {
	var c problem.Checks
	if p.Active.IsNull() {
		c.Add(badBody("active", "The value of 'active' must be true or false."))
	}
	k.CheckPatch("", p, &c)
	if secret, ok := p.Secret.Get(); ok {
		checkSecret(&c, secret)
	}
	return c.Err(InvalidUpdateRequest)
}

// isThere checks that a text is there, and reports it.
func isThere(c *problem.Checks, target, value string) bool {
	c.Holds(schema.Need(target, schema.Value{}))
	if value == "" {
		c.Add(badBody(target, "The required property '%s' is missing.", target))
	}
	return value != ""
}

func checkCallbackURL(g egress.Guard) func(c *problem.Checks, name, address string) {
	return func(c *problem.Checks, name, address string) {
		c.Holds(schema.Need(name, schema.Format("uri", "https://example.com/hook").And(schema.AtMost(MaxURL))))
		if !isThere(c, name, address) {
			return
		}
		if wrong := g.CheckURL(address); wrong != "" {
			c.Add(badBody(name, "%s", wrong))
		}
	}
}

// checkSecret checks a secret; the zero one asks for a generated one.
func checkSecret(c *problem.Checks, s Secret) {
	c.Holds(schema.May("secret", schema.Length(MinSecret, MaxSecret)))
	if !s.IsZero() && !s.hasValidLength() {
		c.Add(badBody("secret", "A secret has %d to %d characters.", MinSecret, MaxSecret))
	}
}

// checkEventTypes checks a subscription.
func checkEventTypes(c *problem.Checks, name string, types []EventType) {
	c.Holds(schema.Need(name, schema.List(1, 0, schema.Value{})))
	if len(types) == 0 {
		c.Add(badBody(name, "A webhook subscribes to at least one event type."))
	}
	for _, t := range types {
		if _, ok := event.Lookup(string(t)); !ok {
			c.Add(badBody(name, "'%.100s' is not one of the documented event types.", string(t)))
			return
		}
	}
}

// distinct are event types, each once, in the order in which they came first.
func distinct(types []EventType) (out []EventType) {
	for _, t := range types {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
