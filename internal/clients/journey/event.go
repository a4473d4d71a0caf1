package journey

import (
	"fmt"
	"net/http"
)

// event asks for events, makes one, and checks what comes.
func (p *program) event() error {
	person := p.token
	application, err := p.Application(p.ctx)
	if err != nil {
		return fmt.Errorf("signing in: %w", err)
	}
	p.token = application
	me, err := p.call("GET", "/users/me", nil, http.StatusOK)
	if err != nil {
		return err
	}
	if in(me.body, "user", "id") != p.ApplicationID || in(me.body, "user", "memberType") != "Service" {
		return fmt.Errorf("%s is shown as %s", p.ApplicationID, me.raw)
	}
	sent := object{"ringAt": p.Callback, "scope": "Account", "eventTypes": []string{"gardens.gardenCreated.v1"}}
	a, err := p.call("POST", "/bells", sent, http.StatusAccepted)
	if err != nil {
		return err
	}
	if err := shows(sent, a.body); err != nil {
		return err
	}
	bell, secret := text(a.body["id"]), text(a.body["secret"])
	if a, err = p.call("PATCH", "/bells/"+bell, object{"awake": true}, http.StatusOK); err != nil {
		return err
	}
	if a.body["awake"] != true {
		return fmt.Errorf("the bell is %v", a.body)
	}
	p.token = person
	garden, err := p.made("/gardens", "garden", object{"class": "Bed", "label": "Hedge"})
	if err != nil {
		return err
	}
	d, err := p.Receive(p.ctx)
	if err != nil {
		return err
	}
	var got object
	if err := d.Read(secret, &got); err != nil {
		return err
	}
	if err := shows(object{"eventType": "gardens.gardenCreated.v1", "gardenId": garden["id"], "webhookId": bell},
		got); err != nil {
		return err
	}
	if in(got, "content", "gardenClass") != "Bed" {
		return fmt.Errorf("it says %s", d.Body)
	}
	return nil
}
