package httpapi

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Place is where the records of one type are in the API, and what there is to know of them. It
// follows from the route table and from the rows of the type.
type Place struct {
	// Name is the collection, as members refer to it: task-links.
	Name string
	// Title is what the list is called: Task Links.
	Title string
	// Area is the domain that the place belongs to.
	Area string
	// List and One are the paths of the list and of one record, with names in braces. The record
	// of a list may be elsewhere: one of the assignments of a task is one of the assignments of
	// its schedule. Either is empty where there is none.
	List, One string
	// Records and Record are the members of answers where records stand, and one stands. Records
	// may be a path of two names. Record is empty where the answer is the record itself.
	Records, Record string
	// ID is the member that One names in its path, and Label the one by which people know a
	// record. Either is empty where there is none.
	ID, Label string
	// Members are those of a record, in their order. A list of ids has one, of the name Records.
	Members []PlaceMember
	// Query are the parameters of the list.
	Query []PlaceMember
	// Of are the parameters that one record is read with, as the list: its state at a changeset.
	Of []string
	// Prefers reports that the list has whole records for those alone who prefer them.
	Prefers bool
}

// PlaceMember is a member of a record, or a parameter of a list.
type PlaceMember struct {
	Name string
	// Refers is the One of the place whose records the member names; empty: it names none.
	Refers string
	// Brief reports that a list has it without being asked for whole records.
	Brief bool
	// Plain reports that it is a single value, or a list of texts.
	Plain bool
	// Person reports that it identifies a person, Required that a list asks for the parameter.
	Person, Required bool
	// All is the value of a parameter with which the list has all records; empty: none is needed.
	All string
}

// Places are those of all lists and records that the package can serve, in the order of the route
// table. A member refers to what its row says, or else to the records of which a path has ids by
// the same name: taskId, and taskIds, are in /schedules/{scheduleId}/tasks/{taskId}.
func Places() []Place {
	all := slices.Clone(everyPlace())
	for i := range all {
		all[i].Members, all[i].Query = slices.Clone(all[i].Members), slices.Clone(all[i].Query)
	}
	return all
}

var everyPlace = sync.OnceValue(func() []Place {
	var m placing
	for _, declare := range api().Declare {
		declare(&m.book)
	}
	for _, r := range everyRoute() {
		if r.Listed && !r.Deprecated {
			m.add(r, nil)
		}
	}
	for _, r := range everyRoute() {
		if r.Method == http.MethodGet && !r.Listed && r.Record != nil && strings.HasSuffix(r.Path, "}") {
			m.add(nil, r)
		}
	}
	for i := range m.all {
		m.findOne(i)
	}
	for i := range m.all {
		m.describe(i)
	}
	for i := range m.all {
		m.refer(i)
	}
	return m.all
})

// placing makes the places.
type placing struct {
	all   []Place
	types []reflect.Type // of the records of each
	lists []*cycle.Route
	book  schema.Book
}

// add adds a list, or a record to the place of its list.
func (m *placing) add(list, one *cycle.Route) {
	if list != nil {
		m.all = append(m.all, placeOf(list.Path, list))
		p := &m.all[len(m.all)-1]
		p.List, p.Records, p.Prefers = list.Path, list.Key, list.Prefers
		m.types, m.lists = append(m.types, list.Record), append(m.lists, list)
		return
	}
	above := one.Path[:strings.LastIndexByte(one.Path, '/')]
	i := slices.IndexFunc(m.all, func(p Place) bool { return p.List == above })
	if i < 0 {
		i = len(m.all)
		m.all = append(m.all, placeOf(above, one))
		m.types, m.lists = append(m.types, one.Record), append(m.lists, nil)
	}
	m.all[i].One, m.all[i].Record = one.Path, one.Key
	m.types[i] = one.Record // which has all members
	for _, q := range one.Query {
		m.all[i].Of = append(m.all[i].Of, q.Name)
	}
}

// placeOf is a place by the path of its collection.
func placeOf(path string, r *cycle.Route) Place {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return Place{Name: name, Title: titleOf(name), Area: r.Area}
}

// titleOf is what people call a collection: Task links for task-links.
func titleOf(name string) string {
	var b strings.Builder
	for i, c := range name {
		switch {
		case i == 0:
			c = unicode.ToUpper(c)
		case c == '-':
			c = ' '
		case unicode.IsUpper(c):
			b.WriteByte(' ')
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
	}
	return b.String()
}

// findOne finds where a record of a list is that has no path below the list: that of the same type
// which the path of the list has all other names of.
func (m *placing) findOne(i int) {
	p := &m.all[i]
	if p.One != "" {
		return
	}
	known := namesIn(p.List)
	for k, other := range m.all {
		names := namesIn(other.One)
		if m.types[k] == m.types[i] && k != i && len(names) > 0 && contains(known, names[:len(names)-1]) {
			p.One, p.Record = other.One, other.Record
			return
		}
	}
}

// labels are the members by which people know a record, the first that there is.
var labels = strings.Fields(
	"displayName name transformName groupName fileName extensionName callbackUrl email userDefinedId",
)

// describe fills in the members of a place.
func (m *placing) describe(i int) {
	p, of := &m.all[i], m.types[i]
	if of.Kind() == reflect.String {
		p.Members = []PlaceMember{{Name: p.Records, Plain: true}}
		return
	}
	for _, f := range shape.See(of).Members() {
		p.Members = append(p.Members, PlaceMember{Name: f.Name, Plain: isPlain(f.Type)})
	}
	has := func(name string) bool {
		return slices.ContainsFunc(p.Members, func(m PlaceMember) bool { return m.Name == name && m.Plain })
	}
	if at := slices.IndexFunc(labels, has); at >= 0 {
		p.Label = labels[at]
	}
	if p.One == "" {
		return
	}
	names := namesIn(p.One)
	last := names[len(names)-1]
	for _, name := range []string{"id", last, strings.ToLower(strings.TrimPrefix(last, p.Record))} {
		if p.ID == "" && has(name) {
			p.ID = name
		}
	}
}

// refer fills in what the members of a place refer to, and the parameters of its list.
func (m *placing) refer(i int) {
	p, of := &m.all[i], m.types[i]
	if of.Kind() == reflect.String {
		p.Members[0].Refers = referred(m.all, *p, "", p.Records)
	} else {
		for k, f := range shape.See(of).Members() {
			value := m.book.Member(of, f.Name)
			if value.Name == "" {
				value = m.book.Member(f.In, f.Name)
			}
			to := value.RefersTo
			if schema.IsID(f.Name) {
				to, _ = m.book.Refers(f.Name, of, f.In)
			}
			p.Members[k].Refers, p.Members[k].Person = referred(m.all, *p, f.Name, to), value.Person
		}
	}
	if m.lists[i] == nil {
		return
	}
	short := m.lists[i].Short
	for k := range p.Members {
		p.Members[k].Brief = short == nil || slices.ContainsFunc(shape.See(short).Members(), func(s shape.Member) bool {
			return s.Name == p.Members[k].Name
		})
	}
	for _, q := range m.lists[i].Query {
		traits := cycle.TraitsOf(&q)
		refers := cmp.Or(traits.Refers, m.book.Member(of, q.Name).RefersTo)
		p.Query = append(p.Query, PlaceMember{
			Name: q.Name, Refers: referred(m.all, *p, q.Name, refers), Plain: true, Required: q.Required,
			All: traits.All,
		})
	}
}

// Referred is the One of the place whose records a member names that is at this place: that of a
// collection, or without one, of which a path has ids by the name of the member. It is empty where
// there is none.
func (p Place) Referred(member, collection string) (one string) {
	return referred(everyPlace(), p, member, collection)
}

// referred takes, of several places, the one that has the most of its path in common. A collection
// whose path is not its name is known by the end of that, in its own area: view-groups are groups.
func referred(all []Place, own Place, member, collection string) (one string) {
	known := append(append(namesIn(own.List), namesIn(own.One)...), "twinId") // of which most records are
	for _, m := range own.Members {
		known = append(known, m.Name)
	}
	best := -1000
	for i := range all {
		p := &all[i]
		names := namesIn(p.One)
		if len(names) == 0 || p.List != "" && !strings.HasPrefix(p.One, p.List+"/{") {
			continue
		}
		last := len(names) - 1
		is := p.Name == collection || p.Area == own.Area && strings.HasSuffix(collection, "-"+p.Name)
		if collection == "" {
			is = names[last] == member || names[last]+"s" == member
		}
		if score := p.nearness(own, member, collection); is && score > best && contains(known, names[:last]) {
			one, best = p.One, score
		}
	}
	return one
}

// nearness is how likely a member of another place means the records of this one.
func (p *Place) nearness(own Place, member, collection string) int {
	score := shared(cmp.Or(own.List, own.One), p.One)
	if p.Name == collection {
		score += len(own.List)
	}
	if p.List == "" { // nothing can be chosen there
		score -= 100
	}
	if p.One == own.One && member != "parentId" { // records of one type are in a tree, or apart
		score = 0
	}
	return score
}

// shared is of how many segments the beginnings of two paths are the same.
func shared(a, b string) (n int) {
	left, right := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(left), len(right)) && left[n] == right[n] {
		n++
	}
	return n
}

// namesIn are the names in braces of a path, in their order.
func namesIn(path string) (names []string) {
	for segment := range strings.SplitSeq(path, "/") {
		if name, is := strings.CutPrefix(segment, "{"); is {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// contains reports whether all names are among the known ones.
func contains(known, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(known, name) })
}

// isPlain reports whether a member is a single value, or a list of texts.
func isPlain(t reflect.Type) bool {
	seen := shape.See(t)
	if seen.Kind == shape.List {
		seen = shape.See(seen.Elem())
		return seen.Kind == shape.Text
	}
	switch seen.Go {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[twinplatform.DateTime](),
		reflect.TypeFor[twinplatform.NullString]():
		return true
	}
	return seen.Kind == shape.Text || seen.Kind == shape.Bool || seen.Kind == shape.Integer ||
		seen.Kind == shape.Number
}
