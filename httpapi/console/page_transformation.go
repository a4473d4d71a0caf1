package console

import (
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// maxSide is how many elements of a model are shown next to those of another.
const maxSide = 200

// beforeAndAfter are the elements of the source of a transformation next to those of its
// target.
func beforeAndAfter(r *request, run object) (html.Node, error) {
	var body object
	if _, err := r.get("/transformations/configurations/"+url.PathEscape(run.text("configurationId")), &body); err != nil {
		return unlessHidden(err)
	}
	out := []html.Part{html.El("h2", html.Text("Before and after"))}
	var sides [2]map[string]object
	var order []string
	for i, side := range []string{"sourceModel", "targetModel"} {
		path := r.console.withinAPI(body.text("configuration._links." + side + ".href"))
		list, next, err := r.objects(path+"/elements?"+url.Values{"$top": {"200"}}.Encode(), "elements")
		if err != nil {
			return unlessHidden(err)
		}
		more := ""
		if next != "" {
			more = " and more"
		}
		out = append(
			out,
			html.El(
				"p", html.Text(words(side)+": "),
				html.A(r.pageOf(path), html.Text(path[strings.LastIndexByte(path, '/')+1:])),
				html.Textf(", %d elements%s", len(list), more),
			),
		)
		sides[i] = make(map[string]object)
		for _, o := range list[:min(len(list), maxSide)] {
			id := sourceOf(o)
			if sides[0][id] == nil && sides[1][id] == nil {
				order = append(order, id)
			}
			sides[i][id] = o
		}
	}
	if a, err := r.get("/transformations/"+url.PathEscape(run.text("id"))+"/report", nil); err == nil {
		var report object
		if decode(a.body, &report) == nil {
			out = append(
				out,
				html.P(
					report.text("report.insertedCount")+" inserted, "+report.text("report.updatedCount")+" updated, "+
						report.text("report.deletedCount")+" deleted.",
				),
			)
		}
	}
	rows := sideBySide(order, sides[0], sides[1])
	out = append(
		out,
		dataTable(
			"Elements before and after", []string{"Element", "Before", "After", "Result"}, rows,
			"There are no elements on either side.",
		),
	)
	return html.Group(out...), nil
}

// sourceOf is the id of the element that one was made from, its own where it was made
// from none. A source that stays out of the target has the same id on both sides.
func sourceOf(o object) string {
	for _, a := range o.objects("aspects") {
		if a.text("kind") == "Element" {
			return a.text("identifier")
		}
	}
	return o.text("id")
}

// sideBySide are the elements of two models in rows.
func sideBySide(ids []string, before, after map[string]object) []html.Node {
	rows := make([]html.Node, len(ids))
	for i, id := range ids {
		state := "kept"
		switch {
		case after[id] == nil:
			state = "left out"
		case before[id] == nil:
			state = "in the target only"
		}
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), html.Text(id)), cell(html.Text(before[id].text("class"))),
			cell(html.Text(after[id].text("class"))), cell(tag(state)),
		)
	}
	return rows
}
