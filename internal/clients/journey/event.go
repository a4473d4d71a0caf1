package journey

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(d.Body)
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); d.Signature != want {
		return fmt.Errorf("the signature is %s, not %s", d.Signature, want)
	}
	var got object
	if err := json.Unmarshal(d.Body, &got); err != nil {
		return err
	}
	if err := shows(object{"eventType": "gardens.gardenCreated.v1", "gardenId": garden["id"], "webhookId": bell}, got); err != nil {
		return err
	}
	if in(got, "content", "gardenClass") != "Thing" && in(got, "content", "gardenClass") != "Bed" {
		return fmt.Errorf("it says %s", d.Body)
	}
	return nil
}
