package console

import (
	"cmp"
	"net/url"
	"strings"
)

// maxLooks is how many records a page looks up for the names of others that it shows,
// as the viewer: what that one may not see stays an id.
const maxLooks = 20

// look is a record that the API has at a path, or nothing: where there is none, where it
// is not for the viewer, and where the page has looked up enough.
func (r *request) look(path, member string) object {
	o, _ := r.looked(path, member)
	return o
}

// looked is look, and reports whether it was looked up.
func (r *request) looked(path, member string) (o object, looked bool) {
	if o, ok := r.looks[path]; ok {
		return o, true
	}
	if len(r.looks) >= maxLooks {
		return nil, false
	}
	if r.looks == nil {
		r.looks = make(map[string]object)
	}
	if _, err := r.get(path, &o); err != nil {
		o = nil
	} else if member != "" {
		o = o.object(member)
	}
	r.looks[path] = o
	return o, true
}

// nameAt is what people call the record at a path of the API; its id where they call it
// nothing, or it is not known.
func (r *request) nameAt(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	id, err := url.PathUnescape(last)
	if err != nil {
		id = last
	}
	if p, _, isOne := r.console.at(path); isOne && p.Label != "" && p.Record != "" {
		return cmp.Or(r.look(path, p.Record).text(p.Label), id)
	}
	return id
}

// person is a principal whose id is in a record at a place: by name where that is known, with
// the id next to it.
func (r *request) person(at *place, ids known, of object, id string) valueView {
	name := ""
	if p := r.who.principal; id == p.ID {
		name = p.DisplayName
	} else if members := r.console.placeOf("/access-control/twins/{}/members"); members != nil {
		in := known{"twinId": url.PathEscape(r.twinOf(at, ids, of))}
		if path := in.with(members.One, id).fill(members.One); path != "" {
			name = r.look(path, members.Record).text(members.Label)
		}
	}
	if name == "" || name == id {
		return valueView{Text: id}
	}
	return valueView{Text: name, Note: id}
}

// twinOf is the twin that a record at a place belongs to, or what its path lies below.
func (r *request) twinOf(p *place, ids known, of object) string {
	if id := of.text("twinId"); id != "" {
		return id
	}
	if link := of.text("_links.twin.href"); link != "" {
		return lastOf(r.console.withinAPI(link))
	}
	if ids["twinId"] != "" {
		return lastOf("/" + ids["twinId"])
	}
	if above := r.console.owner(p); above != nil && above.Record != "" {
		record := r.look(ids.fill(above.One), above.Record)
		return cmp.Or(record.text("twinId"), lastOf(r.console.withinAPI(record.text("_links.twin.href"))))
	}
	return r.Query("twinId")
}

// lastOf is the id at the end of a path.
func lastOf(path string) string {
	id, err := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil {
		return ""
	}
	return id
}
