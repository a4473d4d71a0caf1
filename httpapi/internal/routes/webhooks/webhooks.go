// Package webhooks has the routes of the webhooks area.
package webhooks

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const (
	eachWebhook   = "/webhooks/{webhookId}"
	webhookHolder = webhooks.PermissionMaintainer + " at the twin or the account, for service applications"
)

// Area is the webhooks area, served by svc; by nothing where that is nil.
func Area(svc *webhooks.Service) cycle.Area {
	return cycle.Area{
		Name:    "webhooks",
		Version: 2,
		Served:  svc != nil,
		Scopes:  []string{twinplatform.ScopeWebhooksModify},
		Read:    webhookHolder,
		Modify:  webhookHolder,
		Bad:     webhooks.InvalidRequest,
		MaxTop:  webhooks.MaxTop,
		Schemas: webhookSchemas,
		Routes: func() cycle.Routes {
			table := append(webhookRoutes(svc), deliveryRoutes(svc)...)
			for _, r := range table {
				if r.Method == http.MethodGet {
					r.Scopes = []string{twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
				}
				// Whatever is wrong with a property is an InvalidRequestBody.
				r.Detail = func(d *twinplatform.Detail) { d.Code = "InvalidRequestBody" }
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

func webhookRoutes(svc *webhooks.Service) cycle.Routes {
	n := &route.Resource{
		Path: "/webhooks", Many: "webhooks", One: "webhook",
		Plural: "the webhooks that the caller has made or administers", Singular: "a webhook",
	}
	lists := n.Lists()
	lists.Query = []cycle.Parameter{{
		Name:        "twinId",
		Description: "List all webhooks that the caller may see of the twin of this GUID.",
	}}
	list := &cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: lists,
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			page, err := svc.Webhooks(ctx, webhooks.WebhookQuery{TwinID: x.Query("twinId")})
			if err != nil {
				return err
			}
			return x.SendJoined([]byte(`{"webhooks":[`), page.JSON(), []byte("]}"))
		},
		Replies: []cycle.Reply{{Status: http.StatusOK, Schema: func(s *document.Schemas) map[string]any {
			return document.Object("webhooks", document.ArrayOf(s.Of(reflect.TypeFor[webhooks.Webhook]())))
		}}},
	}
	return cycle.Routes{
		webhookCreate(n, svc),
		list.Listing("webhooks", reflect.TypeFor[webhooks.Webhook]()),
		route.GetRoute(n.Gets(), "", reflect.TypeFor[webhooks.Webhook](), route.Getting(svc.Webhook)),
		webhookUpdate(n, svc),
		route.Discard(n, svc.DeleteWebhook),
	}
}

func webhookCreate(n *route.Resource, svc *webhooks.Service) *cycle.Route {
	r := route.Answer(n.Creates(), http.StatusAccepted,
		func(ctx context.Context, x *cycle.Exchange, b newWebhook) (out createdWebhook, err error) {
			made := webhooks.NewWebhook{
				CallbackURL: b.CallbackURL, EventTypes: b.EventTypes, Scope: b.Scope,
				ScopeID: b.ScopeID,
			}
			if text, ok := b.Secret.Get(); ok {
				made.Secret = webhooks.NewSecret(text)
			}
			res, err := svc.CreateWebhook(ctx, made)
			if err != nil {
				return out, err
			}
			header, w := x.W.Header(), res.Value()
			header.Set("ETag", res.Records[0].ETag)
			header.Set("Location", string(x.Member(nil, w.ID)))
			header.Set("Cache-Control", "no-store")
			return createdWebhook{w.Active, w.CallbackURL, w.EventTypes, w.ID, w.Scope, w.ScopeID, res.Secret.Reveal()},
				nil
		}).Documented().Summarized("Create webhook")
	r.Replies[0].Headers = []string{"ETag", "Location", "Cache-Control"}
	r.Strict, r.Bad = true, webhooks.InvalidCreateRequest
	return r
}

func webhookUpdate(n *route.Resource, svc *webhooks.Service) *cycle.Route {
	r := route.Answer(n.Updates(), http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, b webhookPatch) (out updatedWebhook, err error) {
			p := webhooks.WebhookPatch{Active: b.Active, CallbackURL: b.CallbackURL, EventTypes: b.EventTypes}
			if text, ok := b.Secret.Get(); ok {
				p.Secret = twinplatform.Set(webhooks.NewSecret(text))
			} else if b.Secret.IsNull() {
				p.Secret = twinplatform.Null[webhooks.Secret]()
			}
			res, err := svc.UpdateWebhook(ctx, x.Path("webhookId"), p, x.Preconditions()...)
			if err != nil {
				return out, err
			}
			x.W.Header().Set("ETag", res.Records[0].ETag)
			if !res.Secret.IsZero() {
				x.W.Header().Set("Cache-Control", "no-store")
			}
			return updatedWebhook{res.Value(), res.Secret.Reveal()}, nil
		}).AsSpecified("W1")
	r.Replies[0].Headers, r.Replies[0].Perhaps = []string{"ETag"}, []string{"Cache-Control"}
	r.Replies[0].Schema = func(s *document.Schemas) map[string]any {
		secret := map[string]any{
			"type":        "string",
			"description": "The secret that was generated, shown this once; absent when none was.",
		}
		return map[string]any{"allOf": []any{
			s.Of(reflect.TypeFor[webhooks.Webhook]()), map[string]any{
				"type":       "object",
				"properties": map[string]any{"secret": secret},
			},
		}}
	}
	r.Strict, r.Bad = true, webhooks.InvalidUpdateRequest
	return r
}

// newTrial is the body of a test, which may be left out.
type newTrial struct {
	EventType webhooks.EventType `json:"eventType"`
}

// deliveryRoutes are what the documentation does not have: a look at what becomes
// of events. What makes a delivery answers before it is made.
func deliveryRoutes(svc *webhooks.Service) cycle.Routes {
	n := &route.Resource{
		Path: eachWebhook + "/deliveries", Many: "deliveries", One: "delivery",
		Plural: "the deliveries of a webhook", Singular: "a delivery with its attempts",
	}
	again := n.Operation("redeliver", http.MethodPost, n.Each()+"/redeliver", "Make a delivery once more")
	test := cycle.Operation{
		ID: "webhooks.test", Method: http.MethodPost, Path: eachWebhook + "/test",
		Summary: "Send a test event to a webhook", Origin: cycle.Chosen,
	}
	trial := route.Writes(test, route.Announced(http.StatusAccepted, n.One),
		func(ctx context.Context, x *cycle.Exchange, b newTrial) (twinplatform.Result[webhooks.Delivery], error) {
			return svc.SendTest(ctx, x.Path("webhookId"), webhooks.TestEvent{EventType: b.EventType})
		})
	trial.Strict, trial.BodyOptional = true, true
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{NoDelta: true}, svc.Deliveries,
			route.Text("state", "List deliveries in this state: Pending, Delivered or Dead.",
				func(q *webhooks.DeliveryQuery) *webhooks.DeliveryState { return &q.State }),
			route.Flag("newestFirst", "List the deliveries of the latest events first.",
				func(q *webhooks.DeliveryQuery) *bool { return &q.NewestFirst })),
		route.GetIn(n, svc.Delivery),
		messageRoute(n, svc),
		route.Writes(again, route.Announced(http.StatusAccepted, n.One),
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (twinplatform.Result[webhooks.Delivery],
				error,
			) {
				return svc.Redeliver(ctx, x.Nth(0), x.Nth(1), x.Preconditions()...)
			}).OnRecord(),
		trial,
		statusRoute(svc),
		replayRoute(svc),
	}
}

// deliveredMessage is the body of the answer with what a delivery sends.
type deliveredMessage struct {
	Message webhooks.DeliveryMessage `json:"message"`
}

func messageRoute(n *route.Resource, svc *webhooks.Service) *cycle.Route {
	o := n.Operation("message", http.MethodGet, n.Each()+"/message", "Get the body that a delivery sends")
	return route.Answer(o, http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out deliveredMessage, err error) {
			out.Message, err = svc.DeliveryMessage(ctx, x.Nth(0), x.Nth(1))
			return out, err
		})
}

func statusRoute(svc *webhooks.Service) *cycle.Route {
	o := cycle.Operation{
		ID: "webhooks.status", Method: http.MethodGet, Path: eachWebhook + "/status",
		Summary: "Get how deliveries to a webhook fare", Origin: cycle.Chosen,
	}
	return route.Answer(o, http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out webhookStatus, err error) {
			out.Status, err = svc.Status(ctx, x.Path("webhookId"))
			return out, err
		})
}

// webhookStatus is the body of the answer with a status.
type webhookStatus struct {
	Status webhooks.Status `json:"status"`
}

// newReplay is the body of a replay; whatever it leaves out restricts nothing.
type newReplay struct {
	From  twinplatform.DateTime  `json:"from"`  // the earliest creation of a delivery
	Max   int                    `json:"max"`   // of deliveries; more are refused. 0 is the most there may be
	State webhooks.DeliveryState `json:"state"` // Dead or Delivered
	To    twinplatform.DateTime  `json:"to"`    // created before
}

// replayed is the answer to a replay.
type replayed struct {
	Redelivered int `json:"redelivered"` // deliveries
}

func replayRoute(svc *webhooks.Service) *cycle.Route {
	o := cycle.Operation{
		ID: "webhooks.replay", Method: http.MethodPost, Path: eachWebhook + "/replay",
		Summary: "Make the deliveries of a window once more", Origin: cycle.Chosen,
	}
	r := route.Answer(o, http.StatusAccepted,
		func(ctx context.Context, x *cycle.Exchange, b newReplay) (out replayed, err error) {
			q := webhooks.ReplayQuery{From: b.From.Time, To: b.To.Time, State: b.State, Max: b.Max}
			out.Redelivered, err = svc.Replay(ctx, x.Path("webhookId"), q)
			return out, err
		})
	r.Strict, r.BodyOptional = true, true
	return r
}

// webhookSchemas describes the bodies that hold a secret as a plain text.
func webhookSchemas(b *schema.Book) {
	schema.Has[newWebhook](b, schema.Refers("scopeId", "twins"))
	b.Like(reflect.TypeFor[newWebhook](), reflect.TypeFor[webhooks.NewWebhook]())
	b.Like(reflect.TypeFor[webhookPatch](), reflect.TypeFor[webhooks.WebhookPatch]())
	ended := []string{string(webhooks.Dead), string(webhooks.Delivered)}
	b.Has(reflect.TypeFor[newReplay](), schema.May("state", schema.Value{Enum: ended}),
		schema.May("max", schema.Range(0, webhooks.MaxReplay)))
}
