package console

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
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

// webhookKind is what the forms for webhooks are found by: they have pages of their own.
var webhookKind = kind{list: "/webhooks", one: "/webhooks/{}", record: "webhook", name: "callbackUrl"}

// maxStates is of how many webhooks the list shows how deliveries fare.
const maxStates = 100

func webhookList(r *request) (html.Node, error) {
	list, _, err := r.objects("/webhooks", "webhooks")
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, w := range list {
		var st object
		if i < maxStates {
			if st, err = r.deliveryState(w.text("id")); err != nil {
				return html.Node{}, err
			}
		}
		rows[i] = r.webhookRow(w, st)
	}
	return html.Group(
		heading("Webhooks"),
		dataTable("Webhooks", []string{
			"Endpoint", "State", "Last attempt", "Cause", "At", "#Pending", "#Dead letters", "Events", "Of",
		}, rows, "You have created no webhooks and administer none."),
		r.newWebhook(),
	), nil
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

// webhookRow is a webhook in the list of them.
func (r *request) webhookRow(w, st object) html.Node {
	id, scope := w.text("id"), scoped[w.text("scope")]
	last := st.object("lastAttempt")
	return html.El(
		"tr",
		html.El("th", html.Attr("scope", "row"), html.A(r.link(at("webhooks", id)), html.Text(w.text("callbackUrl")))),
		cell(activity(w, st)),
		cell(tag(last.text("outcome")), html.Text(" "+statusText(last))),
		cell(html.Text(causeText(last))),
		cell(html.Text(last.text("at"))),
		number(html.Text(st.text("pending"))),
		number(html.Text(st.text("dead")), r.redeliverAll(id, st)),
		cell(html.Text(w.text("eventTypes"))),
		cell(html.Text(w.text("scope")+" "), r.value("", scope, object{scope: w.at("scopeId")})),
	)
}

// redeliverAll is the button that makes the dead letters of a webhook once more, where it
// has any.
func (r *request) redeliverAll(id string, st object) html.Part {
	if n := st.text("dead"); n == "" || n == "0" {
		return nil
	}
	return r.form(at("webhooks", id)+"/replay", button("Redeliver all"))
}

// newWebhook leads to the form of the operation that makes a webhook.
func (r *request) newWebhook() html.Node {
	if !r.writable() {
		return html.Node{}
	}
	return html.El("p", html.A(r.link("/edit/webhooks.create"), html.Class("button"), html.Text("Make a webhook")))
}

// activity is whether a webhook receives events, as tags, and what keeps it from that.
func activity(w, st object) html.Node {
	state := []html.Part{tag("paused")}
	if w.is("active") {
		state[0] = tag("Active")
	}
	for _, more := range []struct{ member, text string }{
		{"failingSince", "failing"}, {"full", "queue full"}, {"barred", "without rights"},
	} {
		if st.is(more.member) || more.member == "failingSince" && st.text(more.member) != "" {
			state = append(state, html.Text(" "), tag(more.text))
		}
	}
	return html.Group(state...)
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
	"StatusNotAccepted": "The status is not one of the 200s",
	"Other":             "Another error, which the log of the server has",
}

// causeText is why an attempt failed.
func causeText(attempt object) string {
	cause := attempt.text("cause")
	return cmp.Or(causeTexts[cause], cause)
}

// webhookPage is an endpoint with its deliveries.
func webhookPage(r *request) (html.Node, error) {
	path := at("webhooks", r.PathValue("webhook"))
	r.below("/webhooks", "Webhooks")
	var w object
	a, err := r.get(path, &w)
	if err != nil {
		return html.Node{}, err
	}
	r.title = w.text("callbackUrl")
	list, next, err := r.objects(
		path+"/deliveries?"+queryOf([]string{
			"$top", "50", "newestFirst", "true", "state", r.query("state"), "$continuationToken", r.query("token"),
		}),
		"deliveries",
	)
	if err != nil {
		return html.Node{}, err
	}
	st, err := r.deliveryState(r.PathValue("webhook"))
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, d := range list {
		attempts := d.objects("attempts")
		last := html.Node{}
		if n := len(attempts); n > 0 {
			latest := attempts[n-1]
			reason := cmp.Or(causeText(latest), statusText(latest))
			last = html.Group(tag(latest.text("outcome")), html.Text(" "+reason))
		}
		rows[i] = html.El("tr",
			html.El(
				"th", html.Attr("scope", "row"),
				html.A(r.link(path+at("deliveries", d.text("id"))), html.Text(d.text("created"))),
			), cell(html.Text(d.text("eventType"))), cell(tag(d.text("state"))),
			number(html.Text(strconv.Itoa(len(attempts)))), cell(last), cell(html.Text(d.text("nextAttempt"))))
	}
	change, action := "true", "Activate"
	if w.is("active") {
		change, action = "false", "Pause"
	}
	more := ""
	if u, err := url.Parse(next); err == nil && next != "" {
		more = r.here("token", u.Query().Get("$continuationToken"))
	}
	states := []string{"", "all", "Pending", "pending", "Delivered", "delivered", "Dead", "dead letters"}
	return html.Group(heading(r.title, activity(w, st)),
		html.El(
			"div", html.Class("row"), r.form(path+"/test", button("Send a test event")),
			r.form(path+"/active", kept("active", change), button(action)),
			r.redeliverAll(r.PathValue("webhook"), st),
			r.changes(&webhookKind, path),
		),
		r.factsOf("", w),
		html.El("h2", html.Text("Deliveries")),
		r.search(field("State", "state", choice("state", r.query("state"), states...)), button("Show")),
		dataTable(
			"Deliveries", []string{"Made", "Event", "State", "#Attempts", "Last attempt", "Next attempt"}, rows,
			"No deliveries match. Deliveries are removed after their retention time.",
		), pager(linkIf(more, "Next page")), whole(a.body)), nil
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

// deliveryPage is one event on its way to an endpoint.
func deliveryPage(r *request) (html.Node, error) {
	webhook := at("webhooks", r.PathValue("webhook"))
	path := webhook + at("deliveries", r.PathValue("delivery"))
	r.below("/webhooks", "Webhooks")
	r.below(webhook, r.PathValue("webhook"))
	var body object
	a, err := r.get(path, &body)
	if err != nil {
		return html.Node{}, err
	}
	r.title = "Delivery " + r.PathValue("delivery")
	m, _ := body["delivery"].(map[string]any)
	d := object(m)
	attempts := d.objects("attempts")
	rows := make([]html.Node, len(attempts))
	for i, t := range attempts {
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), html.Text(strconv.Itoa(i+1))),
			cell(html.Text(t.text("at"))), cell(tag(t.text("outcome"))), cell(html.Text(statusText(t))),
			cell(html.Text(causeText(t))), number(html.Text(t.text("durationMs")+" ms")),
		)
	}
	section := []html.Part{html.Attr("id", "delivery")}
	if d.text("state") == "Pending" {
		section = append(section, html.Attr("data-live", "3"))
	}
	return html.Group(heading(d.text("eventType")), r.form(path+"/redeliver", button("Redeliver")),
		html.El("section", append(section,
			facts(
				fact("State", tag(d.text("state"))), fact("Made", html.Text(d.text("created"))),
				fact("Next attempt", html.Text(d.text("nextAttempt"))),
				fact("Message", html.El("code", html.Text(d.text("messageId")))),
			),
			html.El("h2", html.Text("Attempts")),
			dataTable(
				"Attempts", []string{"Attempt", "At", "Outcome", "Status", "Cause", "#Took"}, rows, "There were no attempts yet.",
			),
			answerOf(attempts))...),
		whole(a.body)), nil
}

// answerOf is the beginning of what the receiver answered to the last of some attempts.
func answerOf(attempts []object) html.Node {
	for _, t := range attempts {
		if text := t.text("answer"); text != "" {
			return html.Group(
				html.El("h2", html.Text("Beginning of the answer")), html.El("pre", html.Text(text)),
				html.El("p", html.Class("muted"), html.Text("Answers are kept for a day.")),
			)
		}
	}
	return html.Node{}
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

// scoped are the members that hold an id like that of a webhook's scope.
var scoped = map[string]string{"Twin": "twinId", "Account": "accountId"}
