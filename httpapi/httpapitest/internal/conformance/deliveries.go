package conformance

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

var deliveryChecks = []Check{
	{Name: "delivery is signed with the secret", needs: observer, run: func(p *probe) {
		for _, properties := range []object{{"secret": aSecret}, {}} {
			sub := p.subscribed(properties)
			p.touch()
			for _, d := range p.deliveries(sub, 1) {
				p.wantSigned(d, sub.secret)
			}
		}
	}},
	{Name: "delivery has the documented members", needs: observer, run: func(p *probe) {
		sub := p.subscribed(object{})
		p.touch()
		m := p.message(p.deliveries(sub, 1)[0])
		p.wantMembers(nil, m, object{"eventType": "twins.twinUpdated.v1", "twinId": p.aTwin(), "webhookId": sub.id})
		for _, name := range []string{"messageId", "enqueuedDateTime"} {
			if text, _ := m[name].(string); text == "" {
				p.failf(
					"The specification asks for a text in %s of a delivery, and %s came.", name, encoded(m))
			}
		}
		if _, ok := m["content"].(object); !ok {
			p.failf(
				"The specification asks for an object content in a delivery, and %s came.", encoded(m))
		}
	}},
	{Name: "repeated delivery has the messageId of the first", needs: observer, run: func(p *probe) {
		sub := p.subscribed(object{})
		p.touch()
		d := p.deliveries(sub, 1)[0]
		p.redeliver(sub)
		again := p.deliveries(sub, 2)[1]
		if one, two := p.message(d)["messageId"], p.message(again)["messageId"]; one != two {
			p.failf(
				"The specification asks for one messageId in every attempt to deliver an event; they had %v and %v.",
				one, two)
		}
	}},
	{Name: "two events have two messageIds", needs: observer, run: func(p *probe) {
		sub := p.subscribed(object{})
		p.touch()
		p.touch()
		got := p.deliveries(sub, 2)
		if one, two := p.message(got[0])["messageId"], p.message(got[1])["messageId"]; one == two {
			p.failf("Two events are distinguished by their messageId; both had %v.", one)
		}
	}},
	{Name: "inactive webhook receives nothing", needs: observer, run: func(p *probe) {
		sub := p.subscribed(object{})
		p.want(p.service().patch(sub.path, object{"active": false}), 200)
		p.touch()
		other := p.subscribed(object{})
		p.touch()
		p.deliveries(other, 1)
		if got := p.of(sub); len(got) != 0 {
			p.failf(
				"The specification asks for no deliveries to an inactive webhook, and %d came.", len(got))
		}
	}},
	{Name: "webhook receives its event types alone", needs: observer, run: func(p *probe) {
		sub := p.subscribed(object{"eventTypes": []string{"twins.twinDeleted.v1"}})
		other := p.subscribed(object{})
		p.touch()
		p.deliveries(other, 1)
		if got := p.of(sub); len(got) != 0 {
			p.failf("A webhook receives the events that it names, and %d others came.", len(got))
		}
	}},
}

// subscriber is an active webhook.
type subscriber struct {
	id, path, secret string
	from             int // the first delivery that may be for it
}

// subscribed makes an active webhook.
func (p *probe) subscribed(properties object) subscriber {
	service := p.service()
	from := p.Receiver.count()
	path, a := service.webhook(properties)
	p.want(service.patch(path, object{"active": true}), 200)
	return subscriber{p.text(a, a.body, "id"), path, p.text(a, a.body, "secret"), from}
}

// touch makes an event happen in the twin.
func (p *probe) touch() {
	p.want(p.patch("/twins/"+url.PathEscape(p.aTwin()), object{"geographicLocation": unused()}), 200)
}

// redeliver asks for the latest delivery once more.
func (p *probe) redeliver(sub subscriber) {
	id, _ := p.delivered(sub)["id"].(string)
	p.want(p.service().post(sub.path+"/deliveries/"+url.PathEscape(id)+"/redeliver", nil), 202)
}

// delivered is the last delivery for a webhook, once its outcome is known: to make
// one again whose first attempt is under way may be to make it once.
func (p *probe) delivered(sub subscriber) object {
	for wait, left := time.Millisecond, p.Patience; ; wait = min(2*wait, time.Second) {
		list := p.want(p.service().get(sub.path+"/deliveries"), 200)
		all := p.records(list, "deliveries")
		if len(all) == 0 {
			p.giveUp("The list of deliveries has none, after one was made.\n\t%v", list)
		}
		if all[0]["state"] != "Pending" {
			return all[0]
		}
		if left -= wait; left < 0 {
			p.giveUp("The outcome of a delivery that came is not known within %v.\n\t%v", p.Patience, list)
		}
		p.sleep(wait)
	}
}

// of are the deliveries for a webhook so far.
func (p *probe) of(sub subscriber) (mine []delivery) {
	all, _ := p.Receiver.after(sub.from)
	for _, d := range all {
		if p.message(d)["webhookId"] == sub.id {
			mine = append(mine, d)
		}
	}
	return mine
}

// deliveries waits for n deliveries for a webhook.
func (p *probe) deliveries(sub subscriber, n int) []delivery {
	timer := time.NewTimer(p.Patience)
	defer timer.Stop()
	for {
		if p.Receiver.Deliver != nil {
			if err := p.Receiver.Deliver(p.reporter.Context()); err != nil {
				p.giveUp("making the deliveries: %v", err)
			}
		}
		_, came := p.Receiver.after(sub.from)
		mine := p.of(sub)
		if len(mine) >= n {
			return mine
		}
		select {
		case <-came:
		case <-timer.C:
			p.giveUp("The specification asks for a POST to the callback URL for each event of an active webhook; %d "+
				"of %d came within %v.", len(mine), n, p.Patience)
		case <-p.reporter.Context().Done():
			p.giveUp("the check ended: %v", p.reporter.Context().Err())
		}
	}
}

// message is the body of a delivery.
func (p *probe) message(d delivery) (m object) {
	body := d.body
	if p.Receiver.Read != nil && json.Valid(body) {
		body = p.Receiver.Read(body)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		p.failf(
			"The specification asks for JSON in a delivery: %v\n\t%s", err, d.body)
	}
	return m
}

// wantSigned checks the documented signature of a delivery, and not one in its
// place.
func (p *probe) wantSigned(d delivery, secret string) {
	signature := d.header.Get("Signature")
	algorithm, digest, _ := strings.Cut(signature, "=")
	want := make(map[string][]string)
	receiver.Sign(want, "", time.Time{}, d.body, secret)
	if documented := want["Signature"][0]; algorithm != "sha256" ||
		!strings.EqualFold(documented, algorithm+"="+digest) {
		p.failf(
			"The specification asks for the header Signature with sha256= and the HMAC-SHA256 of the body under "+
				"the webhook's secret, %s, and %q came.", documented, signature)
	}
}
