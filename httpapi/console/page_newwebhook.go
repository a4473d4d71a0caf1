package console

import (
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
)

// newWebhookPages have the form for webhooks instead of that which is made from the schema alone.
var newWebhookPages = table{
	{pattern: "GET /edit/webhooks.create", title: "Make a webhook", area: "webhooks", page: newWebhookPage},
	{pattern: "POST /edit/webhooks.create", title: "Make a webhook", area: "webhooks", run: makeWebhook},
}

// newWebhookView is the form for a webhook, with what was typed and what is wrong with it.
type newWebhookView struct {
	*request

	Inbox       bool // webhooks may be received here
	Here        bool // this one is
	CallbackURL string
	Types       []choiceView
	Of          []optionView // the account, and twins
	Twin        string       // typed, where there are too many twins for a choice
	Paused      bool

	Notes, Wrong map[string]string // by member
	Refusal      *refusal
}

// choiceView is one of several values that are chosen together.
type choiceView struct {
	Value  string
	Chosen bool
}

// wholeAccount is the choice of the viewer's account, which no twin has as its id.
const wholeAccount = "Account"

// newWebhookPage is the form as it is at first.
func newWebhookPage(r *request) (view, error) {
	v, err := r.webhookForm(nil, r.Query("twinId"))
	if err != nil {
		return view{}, err
	}
	v.Here = v.Inbox
	return r.show("newwebhook", v)
}

// webhookForm is the form with some types of events and a place chosen.
func (r *request) webhookForm(types []string, of string) (newWebhookView, error) {
	r.below("/webhooks", "Webhooks")
	v := newWebhookView{request: r, Inbox: r.console.cfg.Inbox != nil, Notes: make(map[string]string)}
	all, err := r.console.operations()
	if err != nil {
		return v, err
	}
	if i := slices.IndexFunc(all, func(o operation) bool { return o.ID == "webhooks.create" }); i >= 0 {
		for _, f := range all[i].fields {
			v.Notes[f.name] = f.description
			if f.name != "eventTypes" {
				continue
			}
			for _, t := range f.options {
				v.Types = append(v.Types, choiceView{t, slices.Contains(types, t)})
			}
		}
	}
	places := []string{wholeAccount, "Everything of my account"}
	if r.console.areas["twins"] {
		twins, next, err := r.objects("/twins?"+queryOf([]string{"$top", "200"}), "twins")
		if err != nil {
			return v, err
		}
		if next != "" {
			v.Twin = of
			return v, nil
		}
		for _, t := range twins {
			places = append(places, t.text("id"), "Twin "+t.text("displayName"))
		}
	}
	v.Of = options(of, places...)
	return v, nil
}

// makeWebhook makes a webhook, sets it active and shows the secret that was made for it, which
// cannot be asked for again.
func makeWebhook(r *request) (view, error) {
	form := r.PostForm
	here := form.Get("where") == "here" && r.console.cfg.Inbox != nil
	of := form.Get("of")
	body := map[string]any{
		"eventTypes": form["eventTypes"], "scope": "Twin", "scopeId": of, "callbackUrl": form.Get("callbackUrl"),
	}
	if of == "" || of == wholeAccount {
		body["scope"], body["scopeId"] = "Account", nil
	}
	if here {
		body["callbackUrl"] = "https://" + inbox.Host + "/" + strings.ToLower(rand.Text()[:10])
	}
	given := form.Get("secret")
	if given != "" {
		body["secret"] = given
	}
	a, err := r.create("/webhooks", body)
	if refused, ok := asRefusal(err); ok && refused.Status != http.StatusUnauthorized {
		v, err := r.webhookForm(form["eventTypes"], of)
		if err != nil {
			return view{}, err
		}
		v.Here, v.CallbackURL, v.Paused = here, form.Get("callbackUrl"), form.Get("active") == ""
		v.Refusal, v.Wrong = refused, wrongOf(refused)
		return r.show("newwebhook", v)
	}
	if err != nil {
		return view{}, err
	}
	return r.webhookMade(a, here, given)
}

// webhookMade leads to a webhook that was made; with a secret that was made for it, by a page that
// shows that.
func (r *request) webhookMade(a *answer, here bool, given string) (view, error) {
	var made object
	if err := decode(a.body, &made); err != nil {
		return view{}, err
	}
	id, secret := made.text("id"), made.text("secret")
	notice := "The webhook was created. It is paused."
	if r.PostForm.Get("active") != "" {
		var changed object
		a, err := r.patch(at("webhooks", id), map[string]bool{"active": true})
		if err == nil {
			err = decode(a.body, &changed)
		}
		if err == nil {
			notice = "The webhook was created, and is active."
			if fresh := changed.text("secret"); fresh != "" {
				secret = fresh
			}
		}
	}
	if box := r.console.cfg.Inbox; box != nil && here {
		if secret == "" {
			secret = given
		}
		box.Trust(id, r.who.principal, secret)
	}
	if here || given != "" {
		return view{}, redirected(r.Link(at("webhooks", id), "notice",
			r.console.notices.sign(r.who.principal.ID, notice)))
	}
	r.below("/webhooks", "Webhooks")
	r.title = "The secret of the webhook"
	r.w.Header().Set("Cache-Control", "no-store, no-transform") // the size of what is compressed would hint at it
	return r.show("secret", secretView{r, notice, secret, at("webhooks", id)})
}

// secretView is the secret of a webhook, which is shown once.
type secretView struct {
	*request
	Done, Secret, Path string
}

// receivedView is what the console's receiver got for a webhook.
type receivedView struct {
	Deliveries []gotView
}

// gotView is a delivery that was received here.
type gotView struct {
	Number         int64
	At, Event      string
	Verdict, Class string // of its signature
	Headers        []factView
	Body           string
}

// received is what was received here for a webhook, where it is received here. Only its maker sees
// what.
func (r *request) received(id string, w object) *receivedView {
	box := r.console.cfg.Inbox
	if box == nil || !strings.HasPrefix(strings.ToLower(w.text("callbackUrl")), "https://"+inbox.Host) {
		return nil
	}
	v := &receivedView{}
	for _, d := range box.Received(id, r.who.principal) {
		got := gotView{
			Number: d.Number, At: momentOf(d.At.UTC().Format("2006-01-02T15:04:05Z")),
			Body: indented(d.Body),
		}
		got.Verdict, got.Class = verdict(d.Err)
		var body object
		if decode(d.Body, &body) == nil {
			got.Event = body.text("eventType")
		}
		for _, name := range slices.Sorted(maps.Keys(d.Header)) {
			got.Headers = append(got.Headers,
				factView{name, valueView{Text: strings.Join(d.Header[name], ", "), Code: true}})
		}
		v.Deliveries = append(v.Deliveries, got)
	}
	return v
}

// verdict is what was found of a signature in words, with the class of their colour.
func verdict(err error) (text, class string) {
	switch {
	case err == nil:
		return "Signature verified", "good"
	case errors.Is(err, inbox.ErrUnchecked):
		return "Signature not checked", ""
	}
	return "Signature not of this secret", "bad"
}

// wrongOf is what was wrong with members of a body, by their names.
func wrongOf(refused *refusal) map[string]string {
	wrong := make(map[string]string)
	for _, d := range refused.Details {
		name, _, _ := strings.Cut(d.Target, "[")
		wrong[name] = strings.TrimSpace(wrong[name] + " " + d.Message)
	}
	return wrong
}
