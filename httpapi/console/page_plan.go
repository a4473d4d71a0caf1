package console

import (
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// parseDay reads a date without a time.
func parseDay(s string) (time.Time, error) { return time.Parse(time.DateOnly, s) }

// baselinesPage lists the baselines of a schedule.
func baselinesPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Baselines"); err != nil {
		return html.Node{}, err
	}
	target := r.schedule() + "/baselines?" + queryOf([]string{
		"$top", "50", "$continuationToken", r.Query("$continuationToken"),
	})
	list, next, err := r.objects(target, "baselines")
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, b := range list {
		id := b.text("id")
		rows[i] = html.El("tr", html.El("th", html.Attr("scope", "row"), html.Text(cmp.Or(b.text("name"), id))),
			cell(html.Text(b.text("createdOn"))),
			cell(
				html.A(
					r.Link(r.schedule()+at("baselines", id)), html.Attr("aria-label", "Compare with "+b.text("name")),
					html.Text("Compare"),
				),
			),
			cell(
				html.A(
					r.Link(r.schedule(), "baselineId", id), html.Attr("aria-label", "Draw with "+b.text("name")),
					html.Text("Draw"),
				),
			))
	}
	more := ""
	if u, err := url.Parse(next); err == nil && next != "" {
		more = r.Here("$continuationToken", u.Query().Get("$continuationToken"))
	}
	return html.Group(heading("Baselines"), r.scheduleTabs("Baselines"),
		r.form(
			r.schedule()+"/baselines", html.Class("row"),
			field("Name of a new baseline", "name", textInput("name", "", html.Flag("required"), html.Attr("maxlength", "200"))),
			button("Take a baseline"),
		),
		dataTable("Baselines", []string{"Name", "Taken", "", ""}, rows, "There are no baselines."),
		pager(linkIf(more, "Next page"))), nil
}

// takeBaseline makes a baseline of the plan as it is.
func takeBaseline(r *request) (target, error) {
	if _, err := r.create(r.schedule()+"/baselines", map[string]string{"name": r.PostForm.Get("name")}); err != nil {
		return target{}, err
	}
	return to(r.schedule() + "/baselines").withNotice("The baseline was taken."), nil
}

// comparisonPage is how a schedule differs from a baseline.
func comparisonPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Comparison"); err != nil {
		return html.Node{}, err
	}
	r.below(r.schedule()+"/baselines", "Baselines")
	path := r.schedule() + at("baselines", r.PathValue("baseline"))
	var body, baseline object
	if _, err := r.get(path, &baseline); err != nil {
		return html.Node{}, err
	}
	a, err := r.get(path+"/comparison?"+queryOf([]string{"$top", "100", "$skip", r.Query("skip")}), &body)
	if err != nil {
		return html.Node{}, err
	}
	more := ""
	if u, err := url.Parse(body.text("_links.next.href")); err == nil && u.RawQuery != "" {
		more = r.Here("skip", u.Query().Get("$skip"))
	}
	why, err := r.finishMove(path)
	if err != nil {
		return html.Node{}, err
	}
	m, _ := body["comparison"].(map[string]any)
	c := object(m)
	tasks := c.objects("tasks")
	rows := make([]html.Node, len(tasks))
	for i, t := range tasks {
		name := html.Text(cmp.Or(t.text("name"), t.text("taskId")))
		if t.text("change") != "Removed" {
			name = r.taskLink(t.text("taskId"), t.text("name"))
		}
		rows[i] = html.El("tr", html.El("th", html.Attr("scope", "row"), name), cell(html.Text(t.text("change"))),
			cell(html.Text(t.text("baselineFinish"))), cell(html.Text(t.text("finish"))),
			number(r.variance(t, "startVariance")), number(r.variance(t, "finishVariance")),
			number(r.variance(t, "durationVariance")), number(r.variance(t, "totalFloatVariance")))
	}
	links := c.objects("taskLinks")
	linkRows := make([]html.Node, len(links))
	for i, l := range links {
		linkRows[i] = html.El("tr",
			html.El("th", html.Attr("scope", "row"), html.Text(
				r.taskName(l.text("predecessorId"))+" → "+r.taskName(l.text("successorId")),
			)),
			cell(html.Text(l.text("change"))),
			cell(html.Text(words(l.text("baselineType")))), cell(html.Text(words(l.text("type")))),
			number(r.variance(l, "baselineLag")), number(r.variance(l, "lag")))
	}
	counts := func(of string) string {
		return c.text(of+".changed") + " changed, " + c.text(of+".added") + " added, " + c.text(of+".removed") +
			" removed, " + c.text(of+".unchanged") + " as they were"
	}
	return html.Group(
		heading(
			"Compared with "+cmp.Or(baseline.text("baseline.name"), r.PathValue("baseline")),
			html.A(r.Link(path+"/comparison.csv"), html.Text("CSV")),
		),
		r.scheduleTabs("Baselines"),
		facts(fact("Baseline finish", html.Text(c.text("baselineFinish"))), fact("Finish now", html.Text(c.text("finish"))),
			fact("Later by", r.variance(c, "finishVariance")),
			fact("Tasks", html.Text(counts("taskCounts"))), fact("Links", html.Text(counts("taskLinkCounts"))),
			fact(
				"Finish",
				html.Text(
					c.text("later")+" later, "+c.text("earlier")+" earlier; "+c.text("longer")+" longer, "+c.text("shorter")+
						" shorter",
				),
			)),
		html.El("p", html.A(r.Link(r.schedule(), "baselineId", r.PathValue("baseline")), html.Text("See both in the chart"))),
		why,
		dataTable(
			"Tasks that differ",
			[]string{
				"Task", "Change", "Baseline finish", "Finish now", "#Start later", "#Finish later", "#Longer",
				"#More float",
			},
			rows, "All tasks are unchanged.",
		),
		html.El("h2", html.Text("Links")),
		dataTable(
			"Links that differ", []string{"Link", "Change", "Then", "Now", "#Lag then", "#Lag now"}, linkRows,
			"All links are unchanged.",
		),
		pager(linkIf(more, "Next page")),
		whole(a.body)), nil
}

// finishMove reports why the finish has moved, by the tasks and links on the driving
// path.
func (r *request) finishMove(baseline string) (html.Node, error) {
	var body object
	if _, err := r.get(baseline+"/finish-move", &body); err != nil {
		return html.Node{}, err
	}
	m, _ := body["finishMove"].(map[string]any)
	c := object(m)
	if c.int("move") == 0 {
		return html.Node{}, nil
	}
	causes := c.objects("causes")
	rows := make([]html.Node, 0, len(causes)+1)
	for _, x := range causes {
		name := html.Text(cmp.Or(x.text("name"), x.text("taskId")))
		if from := x.text("predecessorId"); from != "" {
			name = html.Text(cmp.Or(x.text("predecessorName"), from) + " → " + cmp.Or(x.text("name"), x.text("taskId")))
		} else if x.text("reason") != "RemovedTask" {
			name = r.taskLink(x.text("taskId"), x.text("name"))
		}
		rows = append(rows, html.El("tr", html.El("th", html.Attr("scope", "row"), name),
			cell(html.Text(words(x.text("reason")))), number(html.Text(oneDecimal(x.text("contributionDays"))))))
	}
	if c.int("remainder") != 0 {
		rows = append(rows, html.El("tr", html.El("th", html.Attr("scope", "row"), html.Text("Remainder")),
			cell(html.Text("Another path held the finish")), number(html.Text(oneDecimal(c.text("remainderDays"))))))
	}
	return html.Group(html.El("h2", html.Text("Why the finish moved")),
		dataTable("Why the finish moved", []string{"On the driving path", "Change", "#Days later"}, rows, "Nothing.")), nil
}

// variance is working time in days of the schedule, empty where it is null.
func (r *request) variance(o object, path string) html.Node {
	if o.at(path) == nil {
		return html.Node{}
	}
	return r.days(o.int(path), "")
}

// comparisonFile is the comparison as CSV, as the API makes it.
func comparisonFile(r *request) (*answer, error) {
	a, err := r.get(r.schedule()+at("baselines", r.PathValue("baseline"))+"/comparison.csv", nil)
	if err == nil {
		a.name = r.PathValue("schedule") + "-comparison.csv"
	}
	return a, err
}

// qualityPage judges a plan by the points of DCMA, and lists what violates one.
func qualityPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Quality"); err != nil {
		return html.Node{}, err
	}
	if r.undrawn {
		return html.Group(heading("Quality"), r.scheduleTabs("Quality"), html.P("Only v10 schedules are judged.")), nil
	}
	a, err := r.create(r.schedule()+"/quality/dcma/analyze", map[string]any{})
	if err != nil {
		return html.Node{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return html.Node{}, err
	}
	list := body.objects("qualityResults")
	rows := make([]html.Node, len(list))
	for i, q := range list {
		sign, unit := "≥ ", ""
		if q.is("isAtMost") {
			sign = "≤ "
		}
		if q.text("unit") == "Percent" {
			unit = " %"
		}
		count := html.Text(q.text("violationCount"))
		if q.int("violationCount") > 0 {
			count = html.A(
				r.Here("point", q.text("point"), "skip", "")+"#violations",
				html.Attr("aria-label", q.text("violationCount")+" against "+words(q.text("point"))), count,
			)
		}
		rows[i] = html.El("tr",
			html.El("th", html.Attr("scope", "row"), html.Text(q.text("number")+". "+words(q.text("point")))),
			cell(tag(q.text("state"))),
			number(html.Text(oneDecimal(q.text("value"))+unit)), number(html.Text(sign+q.text("threshold")+unit)),
			number(html.Text(q.text("checked"))), number(count), cell(html.Text(q.text("reason"))))
	}
	against := html.Node{}
	if point := r.Query("point"); point != "" {
		if against, err = r.violations(point); err != nil {
			return html.Node{}, err
		}
	}
	return html.Group(heading("Quality"), r.scheduleTabs("Quality"), html.P("The fourteen points of DCMA."),
		dataTable(
			"Points", []string{"Point", "State", "#Value", "#Threshold", "#Checked", "#Against it", "Reason"}, rows,
			"Nothing can be checked.",
		), against, whole(a.body)), nil
}

// violations are the tasks and links that do not pass one of the fourteen points.
func (r *request) violations(point string) (html.Node, error) {
	list, next, err := r.objects(
		r.schedule()+"/quality/dcma/violations?"+queryOf([]string{"points", point, "$top", "100", "$skip", r.Query("skip")}),
		"qualityViolations",
	)
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, v := range list {
		name := html.Text(v.text("name"))
		if id := v.text("taskId"); id != "" {
			name = r.taskLink(id, v.text("name"))
		}
		rows[i] = html.El("tr", html.El("th", html.Attr("scope", "row"), name), cell(html.Text(v.text("detail"))))
	}
	more := ""
	if u, err := url.Parse(next); err == nil && next != "" {
		more = r.Here("skip", u.Query().Get("$skip")) + "#violations"
	}
	return html.El(
		"section", html.Attr("id", "violations"),
		html.El("h2", html.Text("Against "+strings.ToLower(words(point)))),
		dataTable("Against "+point, []string{"Task", "What"}, rows, "Nothing."), pager(linkIf(more, "Next page")),
	), nil
}

// reschedulePage reports what a rescheduling would change.
func reschedulePage(r *request) (html.Node, error) {
	if err := r.inSchedule("Reschedule"); err != nil {
		return html.Node{}, err
	}
	main := []html.Part{heading("Reschedule"), r.scheduleTabs("Reschedule")}
	a, err := r.create(r.schedule()+"/tasks/reschedule?dryRun=true", map[string]any{"taskIds": []string{}})
	if err != nil {
		note, err := withoutData(err)
		return html.Group(append(main, note)...), err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return html.Node{}, err
	}
	list := body.objects("taskChanges")
	rows := make([]html.Node, min(len(list), maxListed))
	for i := range rows {
		t := list[i]
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), r.taskLink(t.text("taskId"), "")),
			cell(html.Text(t.text("was.plannedStart"))), cell(html.Text(t.text("plannedStart"))),
			cell(html.Text(t.text("was.plannedFinish"))), cell(html.Text(t.text("plannedFinish"))),
		)
	}
	warnings := body.objects("warnings")
	warned := make([]html.Node, min(len(warnings), maxListed))
	for i := range warned {
		w := warnings[i]
		of := html.Text(w.text("taskLinkId"))
		if id := w.text("taskId"); id != "" {
			of = r.taskLink(id, "")
		}
		warned[i] = html.El("tr", html.El("th", html.Attr("scope", "row"), of), cell(html.Text(words(w.text("code")))))
	}
	return html.Group(append(main,
		html.P("A preview of the changes. Nothing has been changed yet."),
		facts(
			fact("Start", html.Text(body.text("start"))), fact("Finish", html.Text(body.text("finish"))),
			fact("Tasks that move", html.Text(body.text("taskChangeCount"))),
		),
		html.If(body.int("taskChangeCount") > 0, r.form(r.schedule()+"/reschedule", button("Reschedule all tasks"))),
		dataTable(
			"What would change", []string{"Task", "Start now", "Start then", "Finish now", "Baseline finish"}, rows,
			"Every task is where its links and calendars put it.",
		),
		html.If(len(list) > maxListed, html.P("There are more.")),
		html.El("h2", html.Text("Warnings")),
		dataTable("Warnings", []string{"Of", "What"}, warned, "There are none."))...), nil
}

// reschedule carries out what the page has shown as a preview. The plan may have changed in
// between: what is written follows from the plan as it is then.
func reschedule(r *request) (target, error) {
	a, err := r.create(r.schedule()+"/tasks/reschedule", map[string]any{"taskIds": []string{}})
	if err != nil {
		return target{}, err
	}
	return r.started(a, "The rescheduling was started.")
}

// started leads to the operation that an answer names.
func (r *request) started(a *answer, notice string) (target, error) {
	var body object
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	return to(r.schedule() + at("operations", body.text("operation.id"))).withNotice(notice), nil
}

// maxUpload is how large a planner's file may be, in bytes, with the form around it.
const maxUpload = 64 << 20

// importPage is the form for a planner file. The format is not asked for: it follows from
// the content.
func importPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Import"); err != nil {
		return html.Node{}, err
	}
	form := r.form(r.schedule()+"/import", html.Class("stack"), html.Attr("enctype", "multipart/form-data"),
		field(
			"File of Primavera P6 (XER, XML) or Microsoft Project (XML)", "file",
			html.El(
				"input", html.Attr("type", "file"), html.Attr("id", "file"), html.Attr("name", "file"),
				html.Attr("accept", ".xer,.xml"), html.Flag("required"),
			),
		),
		button("Import"))
	if !r.Writable() {
		form = html.P("This console is read-only.")
	}
	return html.Group(heading("Import"), r.scheduleTabs("Import"), html.P("The file is read as a whole, up to 64 MiB. "+
		"Its tasks, links, calendars, resources and codes are added to this schedule."), form), nil
}

// importFile uploads a file in parts, as the API takes files, and imports it.
func importFile(r *request) (target, error) {
	reader, err := r.MultipartReader()
	if err != nil {
		return target{}, unreadable(err)
	}
	var bytes []byte
	name := ""
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return target{}, unreadable(err)
		}
		if part.FormName() == "file" && bytes == nil {
			name = part.FileName()
			if bytes, err = io.ReadAll(part); err != nil {
				return target{}, unreadable(err)
			}
		}
	}
	if len(bytes) == 0 {
		return target{}, &problem{http.StatusBadRequest, "No file was chosen", "Choose a file that is not empty."}
	}
	id, err := r.upload(name, bytes)
	if err != nil {
		return target{}, err
	}
	a, err := r.create(r.schedule()+"/imports/planner", map[string]string{"fileId": id, "filePath": name})
	if err != nil {
		return target{}, err
	}
	return r.started(a, "The import was started.")
}

// upload sends a file in parts that the API takes.
func (r *request) upload(name string, bytes []byte) (string, error) {
	version := header{"Tus-Resumable", "1.0.0"}
	a, err := r.call(http.MethodPost, r.schedule()+"/files", nil, version,
		header{"Upload-Length", strconv.Itoa(len(bytes))},
		header{"Upload-Metadata", "filename " + base64.StdEncoding.EncodeToString([]byte(name))})
	if err != nil {
		return "", err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return "", err
	}
	id := body.text("file.id")
	limit := int(cmp.Or(r.console.cfg.API.MaxBody, httpapi.DefaultMaxBody))
	for from := 0; from < len(bytes); from += limit {
		a, err := r.send(http.MethodPatch, r.schedule()+at("files", id), bytes[from:min(from+limit, len(bytes))], version,
			header{"Upload-Offset", strconv.Itoa(from)}, header{"Content-Type", "application/offset+octet-stream"})
		if err != nil {
			return "", err
		}
		if a.status >= 300 {
			return "", refusalOf(a)
		}
	}
	return id, nil
}
