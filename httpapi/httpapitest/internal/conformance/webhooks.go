package conformance

import (
	"net/url"
	"strings"
)

// aSecret is as short as a secret may be.
const aSecret = "0123456789abcdef0123456789abcdef"

// service is the probe as the application that has the webhooks.
func (p *probe) service() *probe {
	p.aTwin()
	if p.ServiceToken == "" {
		return p
	}
	return p.acting(p.ServiceToken)
}

// subscription is the request for a webhook of the twin.
func (p *probe) subscription(properties ...object) object {
	callback := "https://receiver.example.com/events"
	if p.Receiver != nil {
		callback = p.Receiver.URL
	}
	body := object{"callbackUrl": callback, "scope": "Twin", "scopeId": p.aTwin(), "eventTypes": []string{"twins.twinUpdated.v1"}}
	with(body, properties)
	return body
}

// webhook makes a webhook.
func (p *probe) webhook(properties ...object) (string, *answer) {
	a := p.want(p.post("/webhooks/", p.subscription(properties...)), 202)
	path := "/webhooks/" + url.PathEscape(p.text(a, a.body, "id"))
	p.later(path)
	return path, a
}

// wrongWebhook is a webhook that is refused.
var wrongWebhook = problem{status: 422, code: "InvalidCreateWebhookRequest", details: []string{"InvalidRequestBody"}}

var webhookChecks = []Check{
	{Name: "create is 202, inactive, and shows the secret", run: func(p *probe) {
		p = p.service()
		_, a := p.webhook(object{"secret": aSecret})
		p.wantOnly(a, a.body, "id callbackUrl secret scope scopeId active eventTypes")
		p.wantMembers(a, a.body, object{"secret": aSecret, "scope": "Twin", "scopeId": p.aTwin(), "active": false, "eventTypes": []string{"twins.twinUpdated.v1"}})
	}},
	{Name: "create generates a secret where there is none", run: func(p *probe) {
		p = p.service()
		_, a := p.webhook()
		if secret := p.text(a, a.body, "secret"); len(secret) < 32 {
			p.failf("The specification asks for secrets of at least 32 characters.\n\t%v", a)
		}
	}},
	{Name: "secret is shown once", run: func(p *probe) {
		p = p.service()
		path, made := p.webhook()
		secret := p.text(made, made.body, "secret")
		a := p.want(p.get(path), 200)
		p.wantOnly(a, a.body, "id scope scopeId active callbackUrl eventTypes created modified")
		list := p.want(p.get("/webhooks/"), 200)
		p.records(list, "webhooks")
		patched := p.want(p.patch(path, object{"active": false}), 200)
		for _, a := range []*answer{a, list, patched} {
			if strings.Contains(a.raw, secret) {
				p.failf("The secret is shown by the creation alone.\n\t%v", a)
			}
		}
	}},
	{Name: "list has those of the caller", run: func(p *probe) {
		p = p.service()
		_, made := p.webhook()
		list := p.want(p.get("/webhooks/"), 200)
		if _, ok := byID(p.records(list, "webhooks"))[made.body["id"].(string)]; !ok {
			p.failf("The list does not have the webhook %v of its caller.\n\t%v", made.body["id"], list)
		}
	}},
	{Name: "patch changes what it holds", run: func(p *probe) {
		p = p.service()
		path, made := p.webhook()
		a := p.want(p.patch(path, object{"active": true, "eventTypes": []string{"twins.twinDeleted.v1"}}), 200)
		p.wantMembers(a, a.body, object{"active": true, "eventTypes": []string{"twins.twinDeleted.v1"}, "callbackUrl": made.body["callbackUrl"]})
		a = p.want(p.patch(path, object{"active": false}), 200)
		p.wantMembers(a, a.body, object{"active": false})
	}},
	{Name: "create refuses what is not documented", run: func(p *probe) {
		p = p.service()
		for _, wrong := range []object{
			{"secret": "short"},
			{"callbackUrl": "http://receiver.example.com/"},
			{"callbackUrl": "https://10.0.0.1/"},
			{"eventTypes": []string{"twins.twinMoved.v1"}},
			{"scope": "World"},
			{"scopeId": nil},
			{"active": true},
			{"somethingElse": true},
		} {
			p.wantError(p.post("/webhooks", p.subscription(wrong)), wrongWebhook)
		}
		p.wantError(p.post("/webhooks", object{}), wrongWebhook)
	}},
	{Name: "patch refuses read-only properties", run: func(p *probe) {
		p = p.service()
		path, _ := p.webhook()
		for _, wrong := range []object{{"scope": "Account"}, {"id": "x"}, {"secret": "short"}, {"active": "yes"}} {
			p.wantError(p.patch(path, wrong), problem{status: 422, code: "InvalidUpdateWebhookRequest", details: []string{"InvalidRequestBody"}})
		}
	}},
	{Name: "deleted one is 404 WebhookNotFound", run: func(p *probe) {
		p = p.service()
		path, _ := p.webhook()
		p.want(p.delete(path), 204)
		p.wantError(p.get(path), problem{status: 404, code: "WebhookNotFound"})
		p.wantError(p.patch(path, object{"active": true}), problem{status: 404, code: "WebhookNotFound"})
	}},
	{Name: "what the caller may not see is missing, 404 and not 403", needs: stranger, run: func(p *probe) {
		path, _ := p.service().webhook()
		p.wantNothing(p.acting(p.StrangerToken).get(path))
	}},
}

// wantNothing checks that a stranger learns nothing: a caller who may have no
// webhooks at all is forbidden, whatever it asks for.
func (p *probe) wantNothing(a *answer) {
	if a.status != 404 && a.status != 403 {
		p.failf("A stranger sees no webhook.\n\t%v", a)
	}
}
