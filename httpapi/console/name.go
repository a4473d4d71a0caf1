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
	if o, ok := r.looks[path]; ok {
		return o
	}
	if len(r.looks) >= maxLooks {
		return nil
	}
	if r.looks == nil {
		r.looks = make(map[string]object)
	}
	var body object
	if _, err := r.get(path, &body); err != nil {
		body = nil
	}
	o, _ := body.at(member).(map[string]any)
	r.looks[path] = o
	return o
}

// nameAt is what people call the record at a path of the API; its id where they call it
// nothing, or it is not known.
func (r *request) nameAt(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	id, err := url.PathUnescape(last)
	if err != nil {
		id = last
	}
	for i := range kinds {
		k := &kinds[i]
		if _, ok := match(k.one, path); ok && k.name != "" && r.console.areas[k.area] {
			return cmp.Or(r.look(path, k.record).text(k.name), id)
		}
	}
	return id
}

// people are the members that hold the id of a person.
var people = map[string]bool{
	"createdBy": true, "lastModifiedBy": true, "ownerId": true, "changeById": true, "createdById": true,
	"submitterId": true,
}

// person is a principal whose id is in a record at a path, or below it: by name where
// that is known, with the id next to it.
func (r *request) person(path string, of object, id string) valueView {
	name := ""
	if p := r.who.principal; id == p.ID {
		name = p.DisplayName
	} else if twin := r.twinOf(path, of); twin != "" && r.console.areas["accessControl"] {
		name = r.look("/access-control"+at("twins", twin, "members", id), "member").text("displayName")
	}
	if name == "" || name == id {
		return valueView{Text: id}
	}
	return valueView{Text: name, Note: id}
}

// twinOf is the twin that a record at a path belongs to.
func (r *request) twinOf(path string, of object) string {
	if id := of.text("twinId"); id != "" {
		return id
	}
	if link := of.text("_links.twin.href"); link != "" {
		return lastOf(r.console.withinAPI(link))
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(segments) < 2 {
		return r.Query("twinId")
	}
	switch segments[0] {
	case "twins":
		return lastOf("/" + segments[1])
	case "models":
		model := r.look("/models/"+segments[1], "model")
		return cmp.Or(model.text("twinId"), lastOf(r.console.withinAPI(model.text("_links.twin.href"))))
	}
	return ""
}

// lastOf is the id at the end of a path.
func lastOf(path string) string {
	id, err := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil {
		return ""
	}
	return id
}
