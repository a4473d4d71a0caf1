package httpapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// updatedWebhook is the answer to an update that generated a secret.
type updatedWebhook struct {
	webhooks.Webhook
	Secret string `json:"secret"` // behind the other members
}

const (
	allWebhooks   = "/webhooks"
	eachWebhook   = allWebhooks + "/{webhookId}"
	allDeliveries = eachWebhook + "/deliveries"
	eachDelivery  = allDeliveries + "/{deliveryId}"
	webhookHolder = webhooks.PermissionMaintainer + " at the twin or the account, for service applications"
)

func webhooksArea(svc *webhooks.Service) area {
	a := area{
		name:    "webhooks",
		version: 2,
		served:  svc != nil,
		scopes:  []string{twinplatform.ScopeWebhooksModify},
		read:    webhookHolder,
		modify:  webhookHolder,
		bad:     webhooks.InvalidRequest,
		rows:    slices.Concat(webhookRows(svc), deliveryRows(svc)),
	}
	for _, r := range a.rows {
		if r.Method == http.MethodGet {
			r.Scopes = []string{twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
		}
	}
	return a
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

func webhookRows(svc *webhooks.Service) []*row {
	flat := func(status int) reply {
		return reply{status: status, headers: []string{"ETag"}, schema: func(s *schemas) map[string]any {
			return s.of(reflect.TypeFor[webhooks.Webhook]())
		}}
	}
	shown := reply{status: http.StatusOK, headers: []string{"ETag"}, schema: func(s *schemas) map[string]any {
		secret := map[string]any{"type": "string", "description": "The secret that was generated, shown this once; absent when none was."}
		return map[string]any{"allOf": []any{
			s.of(reflect.TypeFor[webhooks.Webhook]()), map[string]any{"type": "object", "properties": map[string]any{"secret": secret}},
		}}
	}}
	create := op(Operation{ID: "webhooks.create", Method: http.MethodPost, Path: allWebhooks, Summary: "Create webhook"},
		webhookBody[newWebhook],
		func(ctx context.Context, _ *exchange, b newWebhook) (webhooks.WebhookResult, error) {
			n := webhooks.NewWebhook{CallbackURL: b.CallbackURL, EventTypes: b.EventTypes, Scope: b.Scope, ScopeID: b.ScopeID}
			if text, ok := b.Secret.Get(); ok {
				n.Secret = webhooks.NewSecret(text)
			}
			return svc.CreateWebhook(ctx, n)
		},
		func(x *exchange, made webhooks.WebhookResult) error {
			w := made.Value()
			body, err := wire.Marshal(createdWebhook{
				Active: w.Active, CallbackURL: w.CallbackURL, EventTypes: w.EventTypes, ID: w.ID, Scope: w.Scope,
				ScopeID: w.ScopeID, Secret: made.Secret.Reveal(),
			})
			if err != nil {
				return err
			}
			header := x.w.Header()
			header.Set("ETag", made.Records[0].ETag)
			header.Set("Location", string(x.member(nil, w.ID)))
			header.Set("Cache-Control", "no-store")
			return x.send(http.StatusAccepted, body)
		}).takes(reflect.TypeFor[newWebhook](), reply{status: http.StatusAccepted, headers: []string{"ETag", "Location"}, schema: func(s *schemas) map[string]any {
		return s.of(reflect.TypeFor[createdWebhook]())
	}})
	create.strict, create.bad = true, webhooks.InvalidCreateRequest

	update := op(Operation{ID: "W1", Method: http.MethodPatch, Path: eachWebhook, Summary: "Update a webhook"},
		webhookBody[webhookPatch],
		func(ctx context.Context, x *exchange, b webhookPatch) (webhooks.WebhookResult, error) {
			p := webhooks.WebhookPatch{Active: b.Active, CallbackURL: b.CallbackURL, EventTypes: b.EventTypes}
			if text, ok := b.Secret.Get(); ok {
				p.Secret = twinplatform.Set(webhooks.NewSecret(text))
			} else if b.Secret.IsNull() {
				p.Secret = twinplatform.Null[webhooks.Secret]()
			}
			return svc.UpdateWebhook(ctx, x.path("webhookId"), p, x.ifMatch())
		},
		func(x *exchange, res webhooks.WebhookResult) error {
			if len(res.Records) == 0 {
				return errNoRecord
			}
			x.w.Header().Set("ETag", res.Records[0].ETag)
			if res.Secret.IsZero() {
				return x.send(http.StatusOK, res.Records[0].JSON)
			}
			b, err := wire.Marshal(updatedWebhook{res.Records[0].Value, res.Secret.Reveal()})
			if err != nil {
				return err
			}
			x.w.Header().Set("Cache-Control", "no-store")
			return x.send(http.StatusOK, b)
		}).takes(reflect.TypeFor[webhookPatch](), shown)
	update.strict, update.bad = true, webhooks.InvalidUpdateRequest

	list := op(Operation{ID: "webhooks.list", Method: http.MethodGet, Path: allWebhooks, Summary: "List the webhooks that the caller has made or administers", Addition: true, Query: []Parameter{
		{Name: "twinId", Description: "List all webhooks of this twin that the caller may see."},
	}},
		decodeNothing,
		func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Page[webhooks.Webhook], error) {
			return svc.Webhooks(ctx, webhooks.WebhookQuery{TwinID: x.query("twinId")})
		},
		func(x *exchange, page twinplatform.Page[webhooks.Webhook]) error {
			return x.sendJoined([]byte(`{"webhooks":[`), page.JSON(), []byte("]}"))
		})
	list.replies = []reply{{status: http.StatusOK, schema: func(s *schemas) map[string]any {
		return object("webhooks", arrayOf(s.of(reflect.TypeFor[webhooks.Webhook]())))
	}}}

	get := op(Operation{ID: "webhooks.get", Method: http.MethodGet, Path: eachWebhook, Summary: "Get a webhook", Addition: true},
		decodeNothing,
		func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Record[webhooks.Webhook], error) {
			return svc.Webhook(ctx, x.path("webhookId"))
		},
		func(x *exchange, rec twinplatform.Record[webhooks.Webhook]) error {
			x.w.Header().Set("ETag", rec.ETag)
			if x.notModified(rec.ETag) {
				return x.sendNothing(http.StatusNotModified)
			}
			return x.send(http.StatusOK, rec.JSON)
		})
	get.replies = []reply{flat(http.StatusOK), {status: http.StatusNotModified}}

	return []*row{
		create, list, get, update,
		discard(Operation{ID: "webhooks.delete", Method: http.MethodDelete, Path: eachWebhook, Summary: "Delete a webhook", Addition: true},
			func(ctx context.Context, x *exchange) error { return svc.DeleteWebhook(ctx, x.path("webhookId")) }),
	}
}

// webhookBody is decodeBody in the area's words: whatever is wrong with a
// property is an InvalidRequestBody.
func webhookBody[B any](x *exchange) (B, error) {
	b, err := decodeBody[B](x)
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok || e.Code != x.row.bad.Code {
		return b, err
	}
	told := *e
	told.Details = slices.Clone(e.Details)
	for i := range told.Details {
		told.Details[i].Code = "InvalidRequestBody"
	}
	return b, &told
}

// deliveryRows are what the documentation does not have: a look at what becomes
// of events.
func deliveryRows(svc *webhooks.Service) []*row {
	// again is a row that makes a delivery, and answers before it is made.
	again := func(o Operation, call func(context.Context, *exchange) (twinplatform.Result[webhooks.Delivery], error)) *row {
		o.Method, o.Addition = http.MethodPost, true
		r := op(o, decodeNothing,
			func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Result[webhooks.Delivery], error) {
				return call(ctx, x)
			},
			func(x *exchange, res twinplatform.Result[webhooks.Delivery]) error {
				return sendFirst(x, http.StatusAccepted, "delivery", res)
			})
		r.replies = []reply{recordReply[webhooks.Delivery](http.StatusAccepted, "delivery", "ETag")}
		return r
	}
	return []*row{
		list(Operation{
			ID: "deliveries.list", Method: http.MethodGet, Path: allDeliveries, Summary: "List the deliveries of a webhook", Addition: true,
			Query: []Parameter{{Name: "state", Description: "List deliveries in this state: Pending, Delivered or Dead."}},
		}, paging{noDelta: true}, "deliveries",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[webhooks.Delivery], error) {
				return svc.Deliveries(ctx, x.path("webhookId"), webhooks.DeliveryQuery{ListOptions: o, State: webhooks.DeliveryState(x.query("state"))})
			}),
		get(Operation{ID: "deliveries.get", Method: http.MethodGet, Path: eachDelivery, Summary: "Get a delivery with its attempts", Addition: true}, "delivery",
			func(ctx context.Context, x *exchange) (twinplatform.Record[webhooks.Delivery], error) {
				return svc.Delivery(ctx, x.path("webhookId"), x.path("deliveryId"))
			}),
		again(Operation{ID: "deliveries.redeliver", Path: eachDelivery + "/redeliver", Summary: "Make a delivery once more"},
			func(ctx context.Context, x *exchange) (twinplatform.Result[webhooks.Delivery], error) {
				return svc.Redeliver(ctx, x.path("webhookId"), x.path("deliveryId"))
			}),
		trial(svc),
	}
}

// newTrial is the body of a test, which may be left out.
type newTrial struct {
	EventType webhooks.EventType `json:"eventType"`
}

// trial is the row that sends a test event.
func trial(svc *webhooks.Service) *row {
	r := op(Operation{ID: "webhooks.test", Method: http.MethodPost, Path: eachWebhook + "/test", Summary: "Send a test event to a webhook", Addition: true},
		webhookBody[newTrial],
		func(ctx context.Context, x *exchange, b newTrial) (twinplatform.Result[webhooks.Delivery], error) {
			return svc.SendTest(ctx, x.path("webhookId"), webhooks.TestEvent{EventType: b.EventType})
		},
		func(x *exchange, res twinplatform.Result[webhooks.Delivery]) error {
			return sendFirst(x, http.StatusAccepted, "delivery", res)
		}).takes(reflect.TypeFor[newTrial](), recordReply[webhooks.Delivery](http.StatusAccepted, "delivery", "ETag"))
	r.strict, r.omissible = true, true
	return r
}
