package console

import (
	"net/url"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

var webhookPages = table{
	{pattern: "GET /webhooks", title: "Webhooks", area: "webhooks", page: webhookList},
	{pattern: "GET /webhooks/{webhook}", area: "webhooks", page: webhookPage},
	{pattern: "POST /webhooks/{webhook}/active", area: "webhooks", act: activateWebhook},
	{pattern: "POST /webhooks/{webhook}/test", area: "webhooks", act: testWebhook},
	{pattern: "GET /webhooks/{webhook}/deliveries/{delivery}", area: "webhooks", page: deliveryPage},
	{pattern: "POST /webhooks/{webhook}/deliveries/{delivery}/redeliver", area: "webhooks", act: redeliver},
}

func webhookList(r *request) (html.Node, error) {
	list, _, err := r.objects("/webhooks", "webhooks")
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, w := range list {
		last, state := html.Node{}, ""
		if deliveries, _, err := r.objects(
			at("webhooks", w.text("id"))+"/deliveries?$top=1", "deliveries",
		); err == nil && len(deliveries) == 1 && i < 50 {
			state = deliveries[0].text("state")
			last = tag(state)
		}
		rows[i] = html.El("tr",
			html.El(
				"th", html.Attr("scope", "row"),
				html.A(r.link(at("webhooks", w.text("id"))), html.Text(w.text("callbackUrl"))),
			), cell(activity(w)), cell(html.Text(w.text("eventTypes"))),
			cell(
				html.Text(w.text("scope")+" "),
				r.value("", scoped[w.text("scope")], object{scoped[w.text("scope")]: w.at("scopeId")}),
			), cell(last))
	}
	return html.Group(
		heading("Webhooks"),
		dataTable(
			"Webhooks", []string{"Endpoint", "State", "Events", "Of", "First delivery kept"}, rows,
			"You have created no webhooks and administer none.",
		),
	), nil
}

// activity is whether a webhook receives events, as a tag.
func activity(w object) html.Node {
	if w.is("active") {
		return tag("Active")
	}
	return tag("paused")
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
			"$top", "50", "state", r.query("state"), "$continuationToken", r.query("token"),
		}),
		"deliveries",
	)
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, d := range list {
		attempts := d.objects("attempts")
		last := html.Node{}
		if n := len(attempts); n > 0 {
			last = html.Group(tag(attempts[n-1].text("outcome")), html.Text(" "+attempts[n-1].text("status")))
		}
		rows[i] = html.El("tr",
			html.El(
				"th", html.Attr("scope", "row"),
				html.A(r.link(path+at("deliveries", d.text("id"))), html.Text(d.text("created"))),
			), cell(html.Text(d.text("eventType"))), cell(tag(d.text("state"))),
			number(html.Text(strconv.Itoa(len(attempts)))), cell(last), cell(html.Text(d.text("nextAttempt"))))
	}
	change, says := "true", "Activate"
	if w.is("active") {
		change, says = "false", "Pause"
	}
	more := ""
	if u, err := url.Parse(next); err == nil && next != "" {
		more = r.here("token", u.Query().Get("$continuationToken"))
	}
	states := []string{"", "all", "Pending", "pending", "Delivered", "delivered", "Dead", "dead letters"}
	return html.Group(heading(r.title, activity(w)),
		html.El(
			"div", html.Class("row"), r.form(path+"/test", button("Send a test event")),
			r.form(path+"/active", kept("active", change), button(says)),
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
		return to(path).told("The webhook is active."), nil
	}
	return to(path).told("The webhook is paused."), nil
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
	return to(path + at("deliveries", body.text("delivery.id"))).told("A test event was sent."), nil
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
		status := t.text("status")
		if status == "0" {
			status = "no answer"
		}
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), html.Text(strconv.Itoa(i+1))),
			cell(html.Text(t.text("at"))), cell(tag(t.text("outcome"))), cell(html.Text(status)),
			number(html.Text(t.text("durationMs")+" ms")),
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
				"Attempts", []string{"Attempt", "At", "Outcome", "Status", "#Took"}, rows, "There were no attempts yet.",
			))...),
		html.El("p", html.Class("muted"), html.Text("Requests and responses are not kept.")), whole(a.body)), nil
}

// redeliver makes a delivery once more; its message keeps its id, by which receivers know a
// repetition.
func redeliver(r *request) (target, error) {
	path := at("webhooks", r.PathValue("webhook"), "deliveries", r.PathValue("delivery"))
	if _, err := r.call("POST", path+"/redeliver", nil); err != nil {
		return target{}, err
	}
	return to(path).told("The redelivery was started."), nil
}

// scoped are the members that hold an id like that of a webhook's scope.
var scoped = map[string]string{"Twin": "twinId", "Account": "accountId"}
