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
	body := object{
		"callbackUrl": callback, "scope": "Twin", "scopeId": p.aTwin(),
		"eventTypes": []string{"twins.twinUpdated.v1"},
	}
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

var webhookChecks = []Check{
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
}
