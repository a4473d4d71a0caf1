package console

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// redirected is an answer that sends the browser on.
type redirected string

// Error implements error.
func (to redirected) Error() string { return "the browser is sent to " + string(to) }

// maxNamed is how many of what is deleted with a record are named, for each list below it.
const maxNamed = 5

// goneView is a list with what is deleted of it.
type goneView struct{ Link, Title, Count string }

// goes is what is deleted with a record: what the lists below it have, as far as the viewer
// may see it.
func (e *edit) goes(r *request) (gone []goneView, err error) {
	if e.of == nil || e.of.One == "" {
		return nil, nil
	}
	for _, b := range r.console.below(e.of, e.in, e.current) {
		list, next, err := r.objects(b.target, b.Records)
		if refusedWith(
			err, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusBadRequest,
		) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			gone = append(gone, goneView{r.pageOf(b.target), b.title, counted(b.place, list, next != "")})
		}
	}
	return gone, nil
}

// counted is how many there are in a list, with the names of the first.
func counted(p *place, list []object, more bool) string {
	text := fmt.Sprintf(": %d", len(list))
	if more {
		text = fmt.Sprintf(": more than %d", len(list))
	}
	names := []string{}
	for _, o := range list[:min(len(list), maxNamed)] {
		name := cmp.Or(o.text(p.Label), o.text(p.ID), o.text(p.columns()[0]))
		names = append(names, shortened(name, 60))
	}
	text += " (" + strings.Join(names, ", ")
	if len(list) > maxNamed {
		text += " …"
	}
	return text + ")"
}

// maxChoices is how many records a field offers.
const maxChoices = 200

// choicesOf are the records that a member may name; none where there are more than a field offers.
func (r *request) choicesOf(e *edit, f *editField) [][2]string {
	from := r.console.among(r.refers(&e.operation, f.name, f.refers))
	if f.as == asPerson {
		from = r.console.placeOf("/access-control/twins/{}/members")
	}
	if from == nil {
		return nil
	}
	in := e.in
	for _, name := range namesIn(from.List) {
		if in[name] == "" {
			in = in.with("{"+name+"}", e.isOf(r, from, f, name))
		}
	}
	list := in.fill(from.List)
	q := []string{}
	if from.takes("$top") != "" {
		q = append(q, "$top", "50") // lists have that much on a page
	}
	for _, of := range from.Query {
		if of.All != "" {
			q = append(q, of.Name, of.All)
		}
		if !from.isOf(of) {
			continue
		}
		id := e.isOf(r, from, f, of.Name)
		if id == "" && of.Required {
			return nil
		}
		q = append(q, of.Name, id)
	}
	if list == "" {
		return nil
	}
	choices := [][2]string{}
	for o, err := range records[object](r, list+"?"+queryOf(q), from.Records) {
		if err != nil || len(choices) == maxChoices {
			return nil
		}
		id := o.text(from.ID)
		choices = append(choices, [2]string{id, cmp.Or(o.text(from.Label), id)})
	}
	return choices
}

// isOf is the record by a name of which the records are that a member may name: the one that the
// record names, or that of the one that is chosen already.
func (e *edit) isOf(r *request, from *place, f *editField, name string) string {
	if id := cmp.Or(e.current.text(name), e.given[name]); id != "" || e.of == nil {
		return id
	}
	chosen := cmp.Or(e.current.text(f.name), e.given[f.name])
	if one := (known{}).with(from.One, chosen).fill(from.One); one != "" {
		return r.look(one, from.Record).text(name)
	}
	if name == "twinId" {
		return r.twinOf(e.of, e.in, e.current)
	}
	return ""
}

// refers is the One of the place whose records a member of the body of an operation names: as
// its schema says, or else the record.
func (r *request) refers(o *operation, member, collection string) string {
	if p := r.console.placeOf(strings.TrimSuffix(generic(o.Path), "/batch")); p != nil {
		return cmp.Or(p.member(member).Refers, p.Referred(member, collection))
	}
	return httpapi.Place{Area: o.Area, List: o.Path}.Referred(member, collection)
}
