package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// object is a record of the API. Numbers are as they are written.
type object map[string]any

// at is what is at a path of members, such as _links.twin.href; nil where nothing does.
func (o object) at(path string) any {
	var v any = map[string]any(o)
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// text is what is at a path, as people read it.
func (o object) text(path string) string { return textOf(o.at(path)) }

// object is the object at a path; empty where there is none.
func (o object) object(path string) object {
	m, _ := o.at(path).(map[string]any)
	return m
}

// is reports whether the member at a path is true.
func (o object) is(path string) bool { v, _ := o.at(path).(bool); return v }

// int is a whole number, 0 where there is none.
func (o object) int(path string) int64 {
	n, _ := o.at(path).(json.Number)
	i, _ := strconv.ParseInt(n.String(), 10, 64)
	return i
}

// objects are those of a list.
func (o object) objects(path string) (list []object) {
	all, _ := o.at(path).([]any)
	for _, v := range all {
		if m, ok := v.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// textOf is a value as people read it: times as 2 Jan 2026 15:04, in UTC as the API has
// them, and what is no single value as JSON.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return momentOf(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		return v.String()
	case []any:
		return listOf(v)
	case map[string]any:
		if name, ok := v["displayName"].(string); ok {
			return name
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// listOf is a list of single values, or of what has names, with commas; any other is JSON.
func listOf(list []any) string {
	words := make([]string, len(list))
	for i, v := range list {
		o, isObject := v.(map[string]any)
		_, isList := v.([]any)
		if isList || isObject && object(o).text("displayName") == "" {
			b, err := json.Marshal(list)
			if err != nil {
				return ""
			}
			return string(b)
		}
		words[i] = textOf(v)
	}
	return strings.Join(words, ", ")
}

// momentOf is a text, or the time that it is.
func momentOf(s string) string {
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' || s[len(s)-1] != 'Z' {
		return s
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	if t.Second() != 0 {
		return t.Format("2 Jan 2006 15:04:05")
	}
	return t.Format("2 Jan 2006 15:04")
}

// indented is an answer of the API as it is, in lines. Its numbers are exact.
func indented(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// moment is a time of the API; the zero time for what is none.
func (o object) moment(path string) time.Time {
	text, _ := o.at(path).(string)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// ago is how long it is since a time, in the largest unit; empty where there is none.
func (r *request) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	passed := max(r.console.cfg.API.Env.WithDefaults().Now().Sub(t), 0)
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}} {
		if passed >= unit.of {
			return fmt.Sprintf("%d %s ago", passed/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%d s ago", passed/time.Second)
}

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
