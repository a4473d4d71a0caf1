package console

import (
	"cmp"
	"mime"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// plannerFormats are the formats of planning tools, by what users call them.
var plannerFormats = []struct{ format, name string }{
	{"XER", "Primavera P6 (XER)"},
	{"P6XML", "Primavera P6 (XML)"},
	{"MSPDI", "Microsoft Project (XML)"},
}

// exportPage has a button for each format of a planning tool, and the file that was made.
func exportPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Export"); err != nil {
		return html.Node{}, err
	}
	main := []html.Part{heading("Export"), r.scheduleTabs("Export")}
	if r.undrawn {
		return html.Group(append(main, html.P("Only v10 schedules are exported."))...), nil
	}
	main = append(main, html.P("The plan as a file of a planning tool, with its tasks, links, "+
		"calendars, resources and progress. "+
		"What the tool has no place for is named in the warnings. A file is kept for a day."))
	made, err := r.exported()
	if err != nil {
		return html.Node{}, err
	}
	main = append(main, made)
	if !r.Writable() {
		return html.Group(append(main, html.P("This console is read-only."))...), nil
	}
	for _, f := range plannerFormats {
		main = append(main, r.form(r.schedule()+"/export",
			hidden("format", f.format), button(f.name)))
	}
	return html.Group(main...), nil
}

// exported is the export that the address names: its file and its warnings, or how far its
// operation is.
func (r *request) exported() (html.Node, error) {
	id, operation := r.Query("synchronizer"), r.Query("operation")
	if id == "" {
		return html.Group(), nil
	}
	var body object
	if _, err := r.get(r.schedule()+"/imports/planner"+at("synchronizers", id), &body); err != nil {
		if !refusedWith(err, http.StatusNotFound) {
			return html.Node{}, err
		}
		see := html.A(r.Link(r.schedule()+at("operations", operation)), html.Text("see its operation"))
		return html.El("p", html.Text("The file is being made: "), see, html.Text(".")), nil
	}
	warnings := body.objects("synchronizer.synchronizationDetails.warnings")
	rows := make([]html.Node, min(len(warnings), maxListed))
	for i := range rows {
		rows[i] = html.El("tr", cell(html.Text(warnings[i].text("message"))))
	}
	return html.Group(
		html.El("p", html.A(r.Link(r.schedule()+at("export", id, "file")), html.Text("Download the file"))),
		dataTable("Warnings", []string{"What"}, rows, "All of the plan is in the file."),
	), nil
}

// exportPlan makes the file, and leads to where it is.
func exportPlan(r *request) (target, error) {
	a, err := r.create(r.schedule()+"/exports/planner", map[string]string{"format": r.PostFormValue("format")})
	if err != nil {
		return target{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	query := []string{"synchronizer", body.text("synchronizer.id"), "operation", body.text("operation.id")}
	return to(r.schedule()+"/export", query...).withNotice("The export was started."), nil
}

// exportedFile is the file of an export.
func exportedFile(r *request) (*answer, error) {
	a, err := r.get(r.schedule()+"/exports/planner"+at("synchronizers", r.PathValue("synchronizer"), "file"), nil)
	if err != nil {
		return nil, err
	}
	_, named, _ := mime.ParseMediaType(a.header.Get("Content-Disposition"))
	a.name = cmp.Or(named["filename"], "plan")
	return a, nil
}
