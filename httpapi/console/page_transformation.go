package console

import (
	"net/http"
	"net/url"
	"strings"
)

// maxSide is how many elements of a model are shown next to those of another.
const maxSide = 200

// sidesView are the elements of the source of a transformation next to those of its target.
type sidesView struct {
	Hidden bool // the viewer may not see them, or they have gone
	Models []sideView
	Report object
	Rows   []elementView
}

// sideView is a model, with how many elements it has.
type sideView struct {
	Side, Name, Link string
	Count            int
	More             bool
}

// elementView is an element of one of the models, or of both.
type elementView struct{ ID, Before, After, Result string }

// beforeAndAfter are the elements of the source of a transformation next to those of its
// target.
func beforeAndAfter(r *request, run object) (view, error) {
	sides, err := r.sidesOf(run)
	if refusedWith(err, http.StatusForbidden, http.StatusNotFound) {
		sides, err = sidesView{Hidden: true}, nil
	}
	if err != nil {
		return view{}, err
	}
	return r.show("transformation", sides)
}

func (r *request) sidesOf(run object) (v sidesView, err error) {
	var body, report object
	if _, err := r.get("/transformations/configurations/"+url.PathEscape(run.text("configurationId")),
		&body); err != nil {
		return v, err
	}
	var sides [2]map[string]object
	var order []string
	for i, side := range []string{"sourceModel", "targetModel"} {
		path := r.console.withinAPI(body.text("configuration._links." + side + ".href"))
		list, next, err := r.objects(path+"/elements?"+url.Values{"$top": {"200"}}.Encode(), "elements")
		if err != nil {
			return v, err
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		v.Models = append(v.Models, sideView{words(side), name, r.pageOf(path), len(list), next != ""})
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
		if decode(a.body, &report) == nil {
			v.Report = report.object("report")
		}
	}
	v.Rows = sideBySide(order, sides[0], sides[1])
	return v, nil
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
func sideBySide(ids []string, before, after map[string]object) []elementView {
	rows := make([]elementView, len(ids))
	for i, id := range ids {
		state := "kept"
		switch {
		case after[id] == nil:
			state = "left out"
		case before[id] == nil:
			state = "in the target only"
		}
		rows[i] = elementView{id, before[id].text("class"), after[id].text("class"), state}
	}
	return rows
}
