package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

const newWebhook = "/console/edit/webhooks.create"

func TestAWebhookIsReceivedHereForItsMakerAlone(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	program, owner := w.browser(), w.browser()
	program.signIn(programToken)
	owner.signIn(ownerToken)
	if p := program.source("/console/webhooks", http.StatusOK); !strings.Contains(p, "edit/webhooks.create") {
		t.Fatalf("the list of webhooks leads to no form: %s", p)
	}
	if p := program.text(newWebhook, http.StatusOK); !strings.Contains(p, "Receive it here") {
		t.Errorf("the form has no receiver: %s", p)
	}
	res := program.post(newWebhook, url.Values{
		"where": {"here"}, "eventTypes": {"twins.twinUpdated.v1", "twins.twinCreated.v1"}, "of": {planTwin}, "active": {"true"},
	})
	if res.Code != http.StatusSeeOther {
		t.Fatalf("the form answers %d %s", res.Code, res.Body)
	}
	hook := regexp.MustCompile(`webhooks/[^?/]+`).FindString(res.Header().Get("Location"))
	hook = "/console/" + hook
	if p := program.text(hook, http.StatusOK); !strings.Contains(p, "Nothing was received here yet") || !strings.Contains(p, "Active") {
		t.Errorf("a new webhook is shown as %s", p)
	}
	w.write("PATCH", "/twins/"+planTwin, `{"displayName": "Longer bridge"}`)
	if _, err := w.platform.Webhooks.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := program.source(hook, http.StatusOK)
	parse(t, hook, []byte(p))
	for _, want := range []string{"Signature verified", "twins.twinUpdated.v1", "Webhook-Signature", "eventCreatedBy", `data-live="3"`} {
		if !strings.Contains(p, want) {
			t.Errorf("the page of the webhook has no %q: %s", want, p)
		}
	}
	if p := owner.text(hook, http.StatusOK); strings.Contains(p, "eventCreatedBy") || !strings.Contains(p, "you did not make this webhook") {
		t.Errorf("an administrator of the webhook sees what its maker received: %s", p)
	}
}

func TestTheSecretThatIsMadeForAWebhookIsShownOnce(t *testing.T) {
	t.Parallel()
	b := open(t, nil).browser()
	b.signIn(programToken)
	res := b.post(newWebhook, url.Values{
		"where": {"there"}, "callbackUrl": {"https://receiver.example.com/hook"}, "eventTypes": {"twins.twinCreated.v1"}, "of": {"Account"},
	})
	parse(t, newWebhook, res.Body.Bytes())
	secret := regexp.MustCompile(`[0-9a-f]{64}`).FindString(res.Body.String())
	if res.Code != http.StatusOK || secret == "" {
		t.Fatalf("the form answers %d %s", res.Code, res.Body)
	}
	hook := "/console/" + regexp.MustCompile(`webhooks/[0-9a-f-]{36}`).FindString(res.Body.String())
	if p := b.source(hook, http.StatusOK); strings.Contains(p, secret) || !strings.Contains(p, "paused") {
		t.Errorf("afterwards the webhook is shown as %s", p)
	}
}

func TestTheFormForAWebhookShowsWhatIsWrongAtItsField(t *testing.T) {
	t.Parallel()
	b := open(t, nil).browser()
	b.signIn(programToken)
	res := b.post(newWebhook, url.Values{
		"where": {"there"}, "callbackUrl": {"http://10.0.0.1/hook"}, "eventTypes": {"twins.twinCreated.v1"}, "of": {planTwin}, "secret": {"short"},
	})
	p := res.Body.String()
	parse(t, newWebhook, res.Body.Bytes())
	for _, want := range []string{
		`value="http://10.0.0.1/hook"`, `value="twins.twinCreated.v1" checked=""`, `value="` + planTwin + `" selected=""`,
		`aria-invalid="true"`, `class="wrong"`,
	} {
		if !strings.Contains(p, want) {
			t.Errorf("the form has no %s: %s", want, p)
		}
	}
}

func TestWithoutAReceiverNoWebhookIsReceivedHere(t *testing.T) {
	t.Parallel()
	b := open(t, func(cfg *console.Config) { cfg.Inbox = nil }).browser()
	b.signIn(programToken)
	if p := b.text(newWebhook, http.StatusOK); strings.Contains(p, "Receive it here") {
		t.Errorf("the form offers a receiver: %s", p)
	}
	res := b.post(newWebhook, url.Values{"where": {"here"}, "eventTypes": {"twins.twinCreated.v1"}, "of": {"Account"}})
	if res.Code != http.StatusOK || !strings.Contains(res.Body.String(), `class="wrong"`) {
		t.Errorf("the form answers %d %s", res.Code, res.Body)
	}
}

func TestAWebhookThatFailsSaysUntilWhenItIsLeftAloneAndOffersWhatItsViewerMayDo(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	program, owner := w.browser(), w.browser()
	program.signIn(programToken)
	owner.signIn(ownerToken)
	made := w.ask(programToken, "POST", "/webhooks", `{"callbackUrl": "https://receiver.example.com/hook",
		"eventTypes": ["twins.twinUpdated.v1"], "scope": "Account", "scopeId": "`+ownAccount+`",
		"secret": "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"}`)
	if made.Code != http.StatusAccepted {
		t.Fatal(made.Code, made.Body)
	}
	hook := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(made.Body.String())
	page := "/console/webhooks/" + hook
	if res := program.post(page+"/active", url.Values{"active": {"true"}}); res.Code != http.StatusSeeOther {
		t.Fatal(res.Code, res.Body)
	}
	paused := regexp.MustCompile(`left alone until 4 Mar 2026 `)
	if p := program.source(page, http.StatusOK); paused.MatchString(p) {
		t.Errorf("a webhook without deliveries is left alone: %s", p)
	}
	w.write("PATCH", "/twins/"+planTwin, `{"displayName": "Longer bridge"}`)
	for range 8 {
		if _, err := w.platform.Webhooks.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if paused.MatchString(program.source(page, http.StatusOK)) {
			break
		}
		w.now = w.now.Add(time.Hour)
	}
	p := program.source(page, http.StatusOK)
	parse(t, page, []byte(p))
	if !paused.MatchString(p) {
		t.Errorf("the page does not say until when the endpoint is left alone: %s", p)
	}
	list := program.source("/console/webhooks", http.StatusOK)
	if !strings.Contains(list, "next attempt at") || !strings.Contains(list, `<small class="phone muted">The receiver answered 422`) {
		t.Errorf("the list does not say it, or has no cause for phones: %s", list)
	}
	delivery := page + "/" + regexp.MustCompile(`deliveries/[0-9a-f]+`).FindString(p)
	for who, may := range map[*visitor]bool{program: true, owner: false} {
		hookPage, deliveryPage := who.source(page, http.StatusOK), who.source(delivery, http.StatusOK)
		parse(t, delivery, []byte(deliveryPage))
		for what, has := range map[string]bool{
			"a test":         strings.Contains(hookPage, "Send a test event"),
			"a redelivery":   strings.Contains(deliveryPage, "Redeliver"),
			"the body":       strings.Contains(deliveryPage, "&#34;enqueuedDateTime&#34;"),
			"the list's all": strings.Contains(who.source("/console/webhooks", http.StatusOK), "Replay all"),
		} {
			if has != may && (what != "the list's all" || has) {
				t.Errorf("%s is there: %v, want %v", what, has, may)
			}
		}
		if strings.Contains(deliveryPage, "You may not read the body.") == may {
			t.Errorf("who may read the body: %v, and the page says otherwise: %s", may, deliveryPage)
		}
		if !strings.Contains(hookPage, "Pause") {
			t.Error("who administers a webhook cannot pause it")
		}
	}
}
