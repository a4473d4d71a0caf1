package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const (
	eachWebhook   = "/webhooks/{webhookId}"
	webhookHolder = webhooks.PermissionMaintainer + " at the twin or the account, for service applications"
)

func webhooksArea(svc *webhooks.Service) area {
	return area{
		name:    "webhooks",
		version: 2,
		served:  svc != nil,
		scopes:  []string{twinplatform.ScopeWebhooksModify},
		read:    webhookHolder,
		modify:  webhookHolder,
		bad:     webhooks.InvalidRequest,
		maxTop:  webhooks.MaxTop,
		rows: func() rows {
			table := append(webhookRows(svc), deliveryRows(svc)...)
			for _, r := range table {
				if r.Method == http.MethodGet {
					r.Scopes = []string{twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
				}
				// Whatever is wrong with a property is an InvalidRequestBody.
				r.detail = func(d *twinplatform.Detail) { d.Code = "InvalidRequestBody" }
			}
			return table
		},
	}
}

// newWebhook is the body of a create. The types of the bodies know the secret as
// a plain text, which package webhooks does not show.
type newWebhook struct {
	CallbackURL string                        `json:"callbackUrl"`
	EventTypes  []webhooks.EventType          `json:"eventTypes"`
	Scope       webhooks.Scope                `json:"scope"`
	ScopeID     string                        `json:"scopeId"`
	Secret      twinplatform.Optional[string] `json:"secret"`
}

// createdWebhook is the answer to a create.
type createdWebhook struct {
	Active      bool                 `json:"active"`
	CallbackURL string               `json:"callbackUrl"`
	EventTypes  []webhooks.EventType `json:"eventTypes"`
	ID          string               `json:"id"`
	Scope       webhooks.Scope       `json:"scope"`
	ScopeID     string               `json:"scopeId"`
	Secret      string               `json:"secret"`
}

// webhookPatch is the body of an update.
type webhookPatch struct {
	Active      twinplatform.Optional[bool]                 `json:"active"`
	CallbackURL twinplatform.Optional[string]               `json:"callbackUrl"`
	EventTypes  twinplatform.Optional[[]webhooks.EventType] `json:"eventTypes"`
	Secret      twinplatform.Optional[string]               `json:"secret"`
}

// updatedWebhook is the answer to an update that generated a secret, shown this
// once.
type updatedWebhook struct {
	webhooks.Webhook
	Secret string `json:"secret,omitempty"` // behind the other members
}

func webhookRows(svc *webhooks.Service) rows {
	n := &noun{path: "/webhooks", many: "webhooks", one: "webhook", things: "the webhooks that the caller has made or administers", thing: "a webhook"}
	lists := n.lists()
	lists.Query = []Parameter{{Name: "twinId", Description: "List all webhooks of this twin that the caller may see."}}
	return rows{
		webhookCreate(n, svc),
		{
			cost:      byRequest,
			Operation: lists,
			serve: func(ctx context.Context, x *exchange) error {
				page, err := svc.Webhooks(ctx, webhooks.WebhookQuery{TwinID: x.query("twinId")})
				if err != nil {
					return err
				}
				return x.sendJoined([]byte(`{"webhooks":[`), page.JSON(), []byte("]}"))
			},
			replies: []reply{{status: http.StatusOK, schema: func(s *document.Schemas) map[string]any {
				return document.Object("webhooks", document.ArrayOf(s.Of(reflect.TypeFor[webhooks.Webhook]())))
			}}},
		},
		getRow(n.gets(), "", reflect.TypeFor[webhooks.Webhook](), getting(svc.Webhook)),
		webhookUpdate(n, svc),
		discard(n, svc.DeleteWebhook),
	}
}

func webhookCreate(n *noun, svc *webhooks.Service) *row {
	r := answer(n.creates(), http.StatusAccepted, func(ctx context.Context, x *exchange, b newWebhook) (out createdWebhook, err error) {
		made := webhooks.NewWebhook{CallbackURL: b.CallbackURL, EventTypes: b.EventTypes, Scope: b.Scope, ScopeID: b.ScopeID}
		if text, ok := b.Secret.Get(); ok {
			made.Secret = webhooks.NewSecret(text)
		}
		res, err := svc.CreateWebhook(ctx, made)
		if err != nil {
			return out, err
		}
		header, w := x.w.Header(), res.Value()
		header.Set("ETag", res.Records[0].ETag)
		header.Set("Location", string(x.member(nil, w.ID)))
		header.Set("Cache-Control", "no-store")
		return createdWebhook{w.Active, w.CallbackURL, w.EventTypes, w.ID, w.Scope, w.ScopeID, res.Secret.Reveal()}, nil
	}).documented().says("Create webhook")
	r.replies[0].headers = []string{"ETag", "Location", "Cache-Control"}
	r.strict, r.bad = true, webhooks.InvalidCreateRequest
	return r
}

func webhookUpdate(n *noun, svc *webhooks.Service) *row {
	r := answer(n.updates(), http.StatusOK, func(ctx context.Context, x *exchange, b webhookPatch) (out updatedWebhook, err error) {
		p := webhooks.WebhookPatch{Active: b.Active, CallbackURL: b.CallbackURL, EventTypes: b.EventTypes}
		if text, ok := b.Secret.Get(); ok {
			p.Secret = twinplatform.Set(webhooks.NewSecret(text))
		} else if b.Secret.IsNull() {
			p.Secret = twinplatform.Null[webhooks.Secret]()
		}
		res, err := svc.UpdateWebhook(ctx, x.path("webhookId"), p, x.preconditions()...)
		if err != nil {
			return out, err
		}
		x.w.Header().Set("ETag", res.Records[0].ETag)
		if !res.Secret.IsZero() {
			x.w.Header().Set("Cache-Control", "no-store")
		}
		return updatedWebhook{res.Value(), res.Secret.Reveal()}, nil
	}).spec("W1")
	r.replies[0].headers, r.replies[0].perhaps = []string{"ETag"}, []string{"Cache-Control"}
	r.replies[0].schema = func(s *document.Schemas) map[string]any {
		secret := map[string]any{"type": "string", "description": "The secret that was generated, shown this once; absent when none was."}
		return map[string]any{"allOf": []any{
			s.Of(reflect.TypeFor[webhooks.Webhook]()), map[string]any{"type": "object", "properties": map[string]any{"secret": secret}},
		}}
	}
	r.strict, r.bad = true, webhooks.InvalidUpdateRequest
	return r
}

// newTrial is the body of a test, which may be left out.
type newTrial struct {
	EventType webhooks.EventType `json:"eventType"`
}

// deliveryRows are what the documentation does not have: a look at what becomes
// of events. What makes a delivery answers before it is made.
func deliveryRows(svc *webhooks.Service) rows {
	n := &noun{path: eachWebhook + "/deliveries", many: "deliveries", one: "delivery", things: "the deliveries of a webhook", thing: "a delivery with its attempts"}
	again := n.operation("redeliver", http.MethodPost, n.each()+"/redeliver", "Make a delivery once more")
	test := Operation{ID: "webhooks.test", Method: http.MethodPost, Path: eachWebhook + "/test", Summary: "Send a test event to a webhook", Origin: Chosen}
	trial := writes(test, announced(http.StatusAccepted, n.one), func(ctx context.Context, x *exchange, b newTrial) (twinplatform.Result[webhooks.Delivery], error) {
		return svc.SendTest(ctx, x.path("webhookId"), webhooks.TestEvent{EventType: b.EventType})
	})
	trial.strict, trial.omissible = true, true
	return rows{
		listIn(n, paging{noDelta: true}, svc.Deliveries,
			text("state", "List deliveries in this state: Pending, Delivered or Dead.", func(q *webhooks.DeliveryQuery) *webhooks.DeliveryState { return &q.State })),
		getIn(n, svc.Delivery),
		writes(again, announced(http.StatusAccepted, n.one), func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Result[webhooks.Delivery], error) {
			return svc.Redeliver(ctx, x.nth(0), x.nth(1), x.preconditions()...)
		}).onRecord(),
		trial,
	}
}
