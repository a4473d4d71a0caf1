package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
)

var webhookPages = table{
	{pattern: "GET /webhooks", title: "Webhooks", area: "webhooks", page: webhookList},
	{pattern: "GET /webhooks/{webhook}", area: "webhooks", page: webhookPage},
	{pattern: "POST /webhooks/{webhook}/active", area: "webhooks", act: activateWebhook},
	{pattern: "POST /webhooks/{webhook}/test", area: "webhooks", act: testWebhook},
	{pattern: "POST /webhooks/{webhook}/replay", area: "webhooks", act: replayDead},
	{pattern: "GET /webhooks/{webhook}/deliveries/{delivery}", area: "webhooks", page: deliveryPage},
	{pattern: "POST /webhooks/{webhook}/deliveries/{delivery}/redeliver", area: "webhooks", act: redeliver},
}

// maxStates is of how many webhooks the list shows how deliveries fare.
const maxStates = 100

// webhooksView is the list of webhooks.
type webhooksView struct {
	*request
	New      []actionView
	Webhooks []webhookView
	Empty    *emptyView
}

// webhookView is a webhook with how its deliveries fare, and what it is scoped to.
type webhookView struct {
	Webhook, State object
	Path           string
	Tried, Age     string // when the last attempt was, and how long that is ago
	Until          string // when an endpoint that failed is tried again; empty where it is not left alone
	Maintained     bool   // by the viewer, who may test it and redeliver
	Scope          valueView
}

// webhookList are the webhooks, newest first.
func webhookList(r *request) (view, error) {
	list, _, err := r.objects("/webhooks?"+queryOf([]string{"twinId", r.Query("twinId")}), "webhooks")
	if err != nil {
		return view{}, err
	}
	slices.SortStableFunc(list, func(a, b object) int { return b.moment("created").Compare(a.moment("created")) })
	webhooks := r.console.placeOf("/webhooks")
	page := webhooksView{request: r, New: r.newWebhook()}
	if len(list) == 0 {
		page.Empty, page.New = r.empty(webhooks, "/webhooks", false), nil
	}
	for i, w := range list {
		var st object
		if i < maxStates {
			if st, err = r.deliveryState(w.text("id")); err != nil {
				return view{}, err
			}
		}
		page.Webhooks = append(page.Webhooks, r.webhookView(w, st))
	}
	return r.show("webhooks", page)
}

// webhookView is a webhook with how its deliveries fare.
func (r *request) webhookView(w, st object) webhookView {
	v := webhookView{
		Webhook: w, State: st, Path: at("webhooks", w.text("id")), Tried: st.text("lastAttempt.at"),
		Age:        r.ago(st.moment("lastAttempt.at")),
		Scope:      r.value(r.console.placeOf("/webhooks"), nil, "scopeId", w),
		Maintained: st.is("mayMaintain") && r.Writable(),
	}
	if until := st.moment("pausedUntil"); until.After(r.console.cfg.API.Env.WithDefaults().Now()) {
		v.Until = st.text("pausedUntil")
	}
	return v
}

// deliveryState is how the deliveries to a webhook fare; empty where it has gone.
func (r *request) deliveryState(id string) (object, error) {
	var body object
	_, err := r.get(at("webhooks", id)+"/status", &body)
	if refusedWith(err, http.StatusNotFound) {
		return object{}, nil
	}
	return body.object("status"), err
}

// newWebhook leads to the form of the operation that makes a webhook.
func (r *request) newWebhook() []actionView {
	if !r.Writable() {
		return nil
	}
	return []actionView{{r.Link("/edit/webhooks.create"), "Make a webhook"}}
}

// Troubles are what keeps a webhook from receiving events.
func (v webhookView) Troubles() (all []string) {
	for _, more := range []struct{ member, text string }{
		{"failingSince", "failing"}, {"full", "queue full"}, {"barred", "without rights"},
	} {
		if v.State.is(more.member) || more.member == "failingSince" && v.State.text(more.member) != "" {
			all = append(all, more.text)
		}
	}
	return all
}

// Dead is how many dead letters a webhook has; empty for none.
func (v webhookView) Dead() string {
	if n := v.State.text("dead"); n != "0" {
		return n
	}
	return ""
}

// statusText is the status that an attempt was answered with.
func statusText(attempt object) string {
	if status := attempt.text("status"); status != "" && status != "0" {
		return status
	}
	if attempt.text("outcome") == "" {
		return ""
	}
	return "no answer"
}

// causeTexts are the causes of failures in words, by their names in the API.
var causeTexts = map[string]string{
	"AddressNotAllowed": "The address is not one that deliveries may go to",
	"NameNotFound":      "The host name was not found",
	"ConnectionRefused": "The connection was refused",
	"Unreachable":       "There is no route to the host",
	"TLSFailed":         "TLS failed, for example for the certificate",
	"TimedOut":          "There was no answer in time",
	"Disconnected":      "The connection was closed without an answer",
	"StatusNotAccepted": "The receiver did not accept it",
	"Other":             "Another error, which the log of the server has",
}

// causeText is why an attempt failed.
func causeText(attempt object) string {
	cause, status := attempt.text("cause"), attempt.text("status")
	if cause == "StatusNotAccepted" && status != "" {
		return "The receiver answered " + status
	}
	return cmp.Or(causeTexts[cause], cause)
}

// webhookPageView is an endpoint with its deliveries.
type webhookPageView struct {
	*request
	webhookView

	Changes    []actionView
	Facts      []factView
	States     []optionView
	Deliveries []deliveryView
	More       string
	Received   *receivedView
	JSON       string
}

// deliveryView is a delivery with its last attempt.
type deliveryView struct {
	Delivery, Last object
	Attempts       int
}

func webhookPage(r *request) (view, error) {
	path := at("webhooks", r.PathValue("webhook"))
	r.below("/webhooks", "Webhooks")
	var w object
	a, err := r.get(path, &w)
	if err != nil {
		return view{}, err
	}
	r.title = w.text("callbackUrl")
	list, next, err := r.objects(
		path+"/deliveries?"+queryOf([]string{
			"$top", "50", "newestFirst", "true", "state", r.Query("state"), "$continuationToken", r.Query("token"),
		}),
		"deliveries",
	)
	if err != nil {
		return view{}, err
	}
	st, err := r.deliveryState(r.PathValue("webhook"))
	if err != nil {
		return view{}, err
	}
	webhooks := r.console.placeOf("/webhooks")
	page := webhookPageView{
		request: r, webhookView: r.webhookView(w, st),
		Changes: r.changes(webhooks, path), Facts: r.factsOf(webhooks, nil, w), JSON: indented(a.body),
		Received: r.received(r.PathValue("webhook"), w),
		States: options(
			r.Query("state"), "", "all", "Pending", "pending", "Delivered", "delivered", "Dead", "dead letters",
		),
	}
	for _, d := range list {
		attempts := d.objects("attempts")
		one := deliveryView{Delivery: d, Attempts: len(attempts)}
		if len(attempts) > 0 {
			one.Last = attempts[len(attempts)-1]
		}
		page.Deliveries = append(page.Deliveries, one)
	}
	if u, err := url.Parse(next); err == nil && next != "" {
		page.More = r.Here("token", u.Query().Get("$continuationToken"))
	}
	return r.show("webhook", page)
}

// activateWebhook sets a webhook active or inactive, and leaves its secret alone.
func activateWebhook(r *request) (target, error) {
	path := at("webhooks", r.PathValue("webhook"))
	active := r.PostForm.Get("active") == "true"
	if _, err := r.patch(path, map[string]bool{"active": active}); err != nil {
		return target{}, err
	}
	if active {
		return to(path).withNotice("The webhook is active."), nil
	}
	return to(path).withNotice("The webhook is paused."), nil
}

// testWebhook sends a test event, to an inactive webhook too, and leads to its delivery.
func testWebhook(r *request) (target, error) {
	path := at("webhooks", r.PathValue("webhook"))
	a, err := r.call("POST", path+"/test", nil)
	if err != nil {
		return target{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	return to(path + at("deliveries", body.text("delivery.id"))).withNotice("A test event was sent."), nil
}

// deliveryPageView is one event on its way to an endpoint.
type deliveryPageView struct {
	*request

	Delivery object
	Path     string
	Attempts []object
	To       string // the endpoint
	Body     string // of each request
	Unseen   string // why there is no body
	JSON     string

	Maintained bool // the webhook, by the viewer
}

// Answer is the beginning of what the receiver answered to the first attempt with an answer.
func (v deliveryPageView) Answer() string {
	for _, t := range v.Attempts {
		if text := t.text("answer"); text != "" {
			return text
		}
	}
	return ""
}

func deliveryPage(r *request) (view, error) {
	webhook := at("webhooks", r.PathValue("webhook"))
	path := webhook + at("deliveries", r.PathValue("delivery"))
	r.below("/webhooks", "Webhooks")
	r.below(webhook, r.PathValue("webhook"))
	var body object
	a, err := r.get(path, &body)
	if err != nil {
		return view{}, err
	}
	r.title = "Delivery " + r.PathValue("delivery")
	d := body.object("delivery")
	page := deliveryPageView{
		request: r, Delivery: d, Path: path, Attempts: d.objects("attempts"), JSON: indented(a.body),
	}
	st, err := r.deliveryState(r.PathValue("webhook"))
	if err != nil {
		return view{}, err
	}
	page.Maintained = st.is("mayMaintain") && r.Writable()
	var sent, of object
	switch _, err := r.get(path+"/message", &sent); {
	case err == nil:
		page.Body = indented([]byte(sent.text("message.body")))
	case refusedWith(err, http.StatusForbidden):
		page.Unseen = "You may not read the body. Only those who may create such a webhook read its events."
	case refusedWith(err, http.StatusNotFound):
		page.Unseen = "The body is no longer kept."
	default:
		return view{}, err
	}
	if _, err := r.get(webhook, &of); err != nil {
		return view{}, err
	}
	page.To = of.text("callbackUrl")
	return r.show("delivery", page)
}

// replayDead makes the dead letters of a webhook once more.
func replayDead(r *request) (target, error) {
	path := at("webhooks", r.PathValue("webhook"))
	var body object
	a, err := r.call("POST", path+"/replay", map[string]string{"state": "Dead"})
	if err != nil {
		return target{}, err
	}
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	return to(path).withNotice("Redelivery was started for dead letters: " + body.text("redelivered") + "."), nil
}

// redeliver makes a delivery once more; its message keeps its id, by which receivers know a
// repetition.
func redeliver(r *request) (target, error) {
	path := at("webhooks", r.PathValue("webhook"), "deliveries", r.PathValue("delivery"))
	if _, err := r.call("POST", path+"/redeliver", nil); err != nil {
		return target{}, err
	}
	return to(path).withNotice("The redelivery was started."), nil
}
