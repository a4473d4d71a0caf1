package console

import (
	"cmp"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// place is where the records of a type are in the API. Its paths have {} for each id.
type place struct {
	httpapi.Place

	list, one string
}

// placesOf are the places of areas.
func placesOf(areas map[string]bool) (all []place) {
	for _, p := range httpapi.Places() {
		if areas[p.Area] {
			all = append(all, place{p, generic(p.List), generic(p.One)})
		}
	}
	return all
}

// generic is a path of the API, or of a page, with {} for each name.
func generic(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// match reports whether a path, which is escaped, is one of a pattern, and returns its
// ids.
func match(pattern, path string) (ids []string, ok bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if pattern == "" || len(want) != len(have) {
		return nil, false
	}
	for i := range want {
		switch {
		case want[i] == "{}" && have[i] != "":
			ids = append(ids, have[i])
		case want[i] != have[i]:
			return nil, false
		}
	}
	return ids, true
}

// namesIn are the names in braces of a path, in their order.
func namesIn(path string) (names []string) {
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, "{") {
			names = append(names, strings.Trim(segment, "{}"))
		}
	}
	return names
}

// known are ids, which are escaped, by the names that paths have for them.
type known map[string]string

// fill puts ids into a path; it is empty where one is missing.
func (k known) fill(path string) string {
	for _, name := range namesIn(path) {
		if k[name] == "" {
			return ""
		}
		path = strings.ReplaceAll(path, "{"+name+"}", k[name])
	}
	return path
}

// with are the ids, and one more by the last name of a path.
func (k known) with(path, id string) known {
	out := known{}
	maps.Copy(out, k)
	if names := namesIn(path); len(names) > 0 {
		out[names[len(names)-1]] = url.PathEscape(id)
	}
	return out
}

// at is the place with a list or a record at a path of the API, and the ids in the path. Words of
// lists may look like ids, and so lists are the first.
func (c *Console) at(path string) (p *place, ids known, isOne bool) {
	for _, isOne := range []bool{false, true} {
		for i := range c.places {
			p := &c.places[i]
			named, pattern := p.List, p.list
			if isOne {
				named, pattern = p.One, p.one
			}
			if isOne && p.List != "" && !strings.HasPrefix(p.One, p.List+"/") {
				continue // it is of another list
			}
			if values, ok := match(pattern, path); ok {
				ids := known{}
				for n, name := range namesIn(named) {
					ids[name] = values[n]
				}
				return p, ids, isOne
			}
		}
	}
	return nil, nil, false
}

// placeOf is the place with a pattern as its list or its record; nil where none has.
func (c *Console) placeOf(pattern string) *place {
	for _, of := range []func(*place) string{
		func(p *place) string { return p.list }, func(p *place) string { return p.one },
	} {
		if i := slices.IndexFunc(c.places, func(p place) bool { return of(&p) == pattern }); i >= 0 {
			return &c.places[i]
		}
	}
	return nil
}

// among is the place whose list has the records of a path with names.
func (c *Console) among(one string) *place {
	i := slices.IndexFunc(c.places, func(p place) bool {
		return one != "" && p.One == one && (p.List == "" || strings.HasPrefix(one, p.List+"/{"))
	})
	if i < 0 {
		return nil
	}
	return &c.places[i]
}

// owner is the place of the records that the list of another belongs to by the ids in its path; nil
// for none.
func (c *Console) owner(of *place) *place {
	names := namesIn(of.List)
	i := slices.IndexFunc(c.places, func(p place) bool { return slices.Equal(namesIn(p.One), names) })
	if i < 0 || len(names) == 0 {
		return nil
	}
	return &c.places[i]
}

// member is what is known of a member of a record.
func (p *place) member(name string) httpapi.PlaceMember { return named(p.Members, name) }

// parameter is what is known of a parameter of the list.
func (p *place) parameter(name string) httpapi.PlaceMember { return named(p.Query, name) }

func named(all []httpapi.PlaceMember, name string) (m httpapi.PlaceMember) {
	if i := slices.IndexFunc(all, func(m httpapi.PlaceMember) bool { return m.Name == name }); i >= 0 {
		return all[i]
	}
	return m
}

// takes is the first of some parameters that the list has; empty where it has none.
func (p *place) takes(names ...string) string {
	for _, name := range names {
		if p.parameter(name).Name != "" {
			return name
		}
	}
	return ""
}

// isOf reports whether the list is of another record than the path has, which a parameter names.
func (p *place) isOf(q httpapi.PlaceMember) bool { return q.Refers != "" && q.Refers != p.One }

// maxColumns is how many members of its records a list shows.
const maxColumns = 6

// columns are the members that a list shows: by what people know a record, in which state it is,
// and what else is a value or a reference, at first what is in short records too.
func (p *place) columns() (names []string) {
	first := cmp.Or(p.Label, p.ID)
	if first != "" {
		names = append(names, first)
	}
	for _, next := range []func(httpapi.PlaceMember) bool{
		func(m httpapi.PlaceMember) bool { return isState(m.Name) },
		func(m httpapi.PlaceMember) bool { return m.Brief },
		func(httpapi.PlaceMember) bool { return true },
	} {
		for _, m := range p.Members {
			known := m.Name == "id" || m.Name == "deleted" || slices.Contains(names, m.Name)
			if !known && next(m) && (m.Plain || m.Refers != "") && len(names) < maxColumns {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// isState reports whether a member says in which state a record is.
func isState(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "state") || strings.HasSuffix(name, "status")
}

// none says that the list has no records.
func (p *place) none() string { return "There are no " + strings.ToLower(p.Title) + "." }

// below is a list of what belongs to a record.
type below struct {
	*place

	title, target string // the target has its query
}

// below are the lists of what belongs to the record with some ids: those whose paths have these
// ids alone, and those that a parameter makes lists of it, where no other has the same records.
func (c *Console) below(of *place, ids known, record object) (all []below) {
	own := namesIn(of.One)
	last := own[len(own)-1]
	inPath := func(p *place) bool {
		names := namesIn(p.List)
		return len(names) == len(own) && slices.Contains(names, last) && ids.fill(p.List) != ""
	}
	var within []*place
	for i := range c.places {
		if p := &c.places[i]; inPath(p) {
			within = append(within, p)
		}
	}
	add := func(p *place, title, target string) {
		if slices.ContainsFunc(all, func(b below) bool { return b.title == title }) {
			title += " (" + strings.ReplaceAll(area(p.List), "-", " ") + ")"
		}
		all = append(all, below{p, title, target})
	}
	for i := range c.places {
		p := &c.places[i]
		same := func(o *place) bool { return o.Records == p.Records && o.One == p.One && o.Area == p.Area }
		switch {
		case inPath(p):
			add(p, p.Title, ids.fill(p.List))
			continue
		case p.List == "" || ids.fill(p.List) == "" || slices.Contains(namesIn(p.List), last),
			p.One != "" && !strings.HasPrefix(p.One, p.List+"/{"), slices.ContainsFunc(within, same):
			continue
		}
		id, _ := url.PathUnescape(ids[last])
		for title, query := range p.by(of, id, record) {
			add(p, title, ids.fill(p.List)+"?"+query)
		}
	}
	return all
}

// by yields the queries that make the list one of a record with an id, each with its title.
func (p *place) by(of *place, id string, record object) iter.Seq2[string, string] {
	return func(yield func(title, query string) bool) {
		names, also := []string{}, []string{}
		for _, q := range p.Query {
			switch {
			case q.Refers == of.One:
				names = append(names, q.Name)
			case p.isOf(q):
				also = append(also, q.Name, record.text(q.Name))
			}
		}
		for _, name := range names {
			title := p.Title
			if len(names) > 1 {
				title += " by " + strings.ToLower(words(strings.TrimSuffix(name, "Id")))
			}
			if !yield(title, queryOf(append([]string{name, id}, also...))) {
				return
			}
		}
	}
}

// area is the first segment of a path.
func area(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
