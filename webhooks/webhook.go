package webhooks

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// Scope is what a webhook listens to.
type Scope string

// The scopes of webhooks.
const (
	// AccountScope webhooks receive every event of an account.
	AccountScope Scope = "Account"
	// TwinScope webhooks receive what happens directly inside one twin.
	TwinScope Scope = "Twin"
)

var scopes = []Scope{AccountScope, TwinScope}

// Webhook is a subscription. Its secret is no part of it.
type Webhook struct {
	// Active webhooks forward events.
	Active bool `json:"active"`
	// CallbackURL is where deliveries go: an HTTPS address of at most MaxURL bytes.
	CallbackURL string                `json:"callbackUrl"`
	Created     twinplatform.DateTime `json:"created"` // read-only
	// EventTypes are what the webhook subscribes to: at least one, each once.
	EventTypes []EventType `json:"eventTypes"`
	ID         string      `json:"id"` // a GUID
	// Modified is when the webhook or its secret was changed last.
	Modified twinplatform.DateTime `json:"modified"`
	Scope    Scope                 `json:"scope"` // it does not change
	// ScopeID is the id of the account or the twin.
	ScopeID string `json:"scopeId"`

	// AccountID is the account that the webhook belongs to. It is not on the
	// wire.
	AccountID string `json:"-"`
	// CreatedBy is the id of the service application that made the webhook;
	// empty when the system did. It is not on the wire.
	CreatedBy string `json:"-"`

	queue   delivery.Queue
	creator creator
}

func (w *Webhook) target() twinplatform.Target {
	if w.Scope == TwinScope {
		return twinplatform.Target{TwinID: w.ScopeID, AccountID: w.AccountID}
	}
	return twinplatform.Target{AccountID: w.AccountID}
}

// hiddenWebhook is what is stored of a webhook in addition to its wire form.
type hiddenWebhook struct {
	AccountID *string         `json:"accountId"`
	CreatedBy *string         `json:"createdBy"`
	Queue     *delivery.Queue `json:"lane"`
	Creator   *creator        `json:"maker,omitzero"`
}

var webhookRecords = records.Collection[Webhook]{
	Name: "webhooks", Unversioned: true,
	ID:     func(w *Webhook) string { return w.ID },
	Hidden: func(w *Webhook) any { return &hiddenWebhook{&w.AccountID, &w.CreatedBy, &w.queue, &w.creator} },
	Indexes: []records.Index[Webhook]{
		{Name: "creator", Value: func(w *Webhook) string { return w.CreatedBy }},
		{Name: "hears", Value: func(w *Webhook) string {
			if !w.Active {
				return ""
			}
			return placeKey(w.Scope, w.ScopeID)
		}},
		{Name: "account", Value: func(w *Webhook) string { return w.AccountID }},
		{Name: "place", Value: func(w *Webhook) string { return placeKey(w.Scope, w.ScopeID) }},
	},
}

// placeKey names what active webhooks are found by.
func placeKey(s Scope, id string) string { return string(s) + ":" + id }
