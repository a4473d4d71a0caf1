package vocabulary

import (
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// knownNames are the names of the specification that a vocabulary may have others
// for, as sets.
type knownNames struct {
	segments, members, query, codes, values, permissions, contents map[string]bool
	paths                                                          []string
}

// linked are beginnings of paths that links lead to and that are not served here.
var linked = []string{"/storage/files", "/storage/folders", "/users"}

// detailCodes are the codes that errors have in details, or that no row has of
// itself.
var detailCodes = []string{
	problem.InvalidValue, problem.MissingProperty, "MissingRequiredParameter", "InvalidRequestBody", "InvalidProperty",
	"InvalidParameter", "InvalidFileName", "MutuallyExclusivePropertiesProvided", "OperationNotFound",
	"ResourceNotFound", "MethodNotAllowed",
	"TwinInUse", "TwinHasChildren", "OperationsNotRunning", "RequestTimeout", "AddressNotValid", "InvalidEventRequest",
	"AuthenticationUnavailable",
}

// knownIn are the names of operations.
func knownIn(table []Operation) *knownNames {
	k := &knownNames{
		make(map[string]bool), make(map[string]bool), make(map[string]bool), make(map[string]bool),
		make(map[string]bool), make(map[string]bool), make(map[string]bool),
		slices.Clone(linked),
	}
	met := make(map[*shape.Shape]bool)
	for i := range table {
		k.operation(&table[i])
		k.shape(table[i].Sent, met)
		for _, answer := range table[i].Answers {
			k.shape(answer, met)
		}
	}
	for _, code := range detailCodes {
		k.codes[code] = true
	}
	for name := range deliveryShape().Fields["content"].In.Fields {
		k.contents[name] = true
	}
	for _, path := range k.paths {
		for segment := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
			k.segments[segment] = true
		}
	}
	return k
}

func (k *knownNames) operation(o *Operation) {
	k.paths = append(k.paths, o.Path, o.Operations)
	for _, p := range o.Query {
		for _, name := range p.spellings() {
			k.query[name] = true
		}
	}
	for _, name := range o.InPath {
		k.members[name] = true
	}
	for _, words := range o.Headings {
		for _, w := range words {
			k.values[w] = true
		}
	}
	for _, w := range o.Asked {
		k.values[w] = true
	}
	for _, code := range o.Codes {
		k.codes[code] = true
	}
}

func (k *knownNames) shape(s *shape.Shape, met map[*shape.Shape]bool) {
	if s == nil || met[s] {
		return
	}
	met[s] = true
	for w := range s.Words {
		k.values[w] = true
	}
	for name, p := range s.Fields {
		k.members[name] = true
		if name == permissionsMember {
			for _, w := range wordsOf(p.In) {
				k.permissions[w] = true
			}
		}
		k.shape(p.In, met)
	}
	k.shape(s.Elem, met)
	k.shape(s.Each, met)
}

// begins reports whether there are paths at or below one.
func (k *knownNames) begins(path string) bool {
	return slices.ContainsFunc(k.paths, func(p string) bool { return isBelow(p, path) })
}

// names refuses names that are none, and names of what there is not.
func (c *clashes) names(all []Operation, headers []string) {
	c.tables("", knownIn(all), c.v.Of(""))
	for _, area := range slices.Sorted(maps.Keys(c.v.Areas)) {
		var own []Operation
		for _, o := range all {
			if o.Area == area || o.family() == area {
				own = append(own, o)
			}
		}
		if len(own) == 0 {
			c.add("%sthere is no area %q%s", c.v.at("areas", area), area, table{names: areasOf(all)}.nearest(area))
			continue
		}
		c.tables("areas."+area+".", knownIn(own), c.v.Of(area))
	}
	c.headers(headers)
	if c.v.Vendor != "" && !isVendor(c.v.Vendor) {
		c.add("the vendor %q cannot be in a media type", c.v.Vendor)
	}
	switch c.v.NullLinks {
	case "", OmitNullLinks, WriteNullLinks:
	default:
		c.add("null links are either %q or %q, not %q", OmitNullLinks, WriteNullLinks, c.v.NullLinks)
	}
}

// areasOf are the names that Areas may have.
func areasOf(all []Operation) map[string]bool {
	out := make(map[string]bool)
	for i := range all {
		out[all[i].Area], out[all[i].family()] = true, true
	}
	return out
}

// table is one table of names and what may be in it.
type table struct {
	name     string
	of       func(Names) map[string]string
	composed bool // what it does not name is called by its parts
	known    func(string) bool
	valid    func(string) bool
	names    map[string]bool // that are known, where they are a list
}

// nearest is what may have been meant by a name that is none.
func (t table) nearest(name string) string {
	if len(t.names) == 0 {
		return ""
	}
	_, near, _ := strings.Cut(problem.Unknown("name", name, slices.Sorted(maps.Keys(t.names))), "; ")
	return "; " + near
}

func in(set map[string]bool) func(string) bool { return func(name string) bool { return set[name] } }

// tables refuses what cannot be in the tables of one set of names.
func (c *clashes) tables(where string, known *knownNames, l Lexicon) {
	for _, t := range []table{
		{"paths", func(n Names) map[string]string { return n.Paths }, false, known.begins, isPath, nil},
		{
			"segments", func(n Names) map[string]string { return n.Segments }, false, in(known.segments), isSegment,
			known.segments,
		},
		{
			"members", func(n Names) map[string]string { return n.Members }, true, in(known.members), isName,
			known.members,
		},
		{"query", func(n Names) map[string]string { return n.Query }, true, in(known.query), isName, known.query},
		{"codes", func(n Names) map[string]string { return n.Codes }, true, in(known.codes), isName, known.codes},
		{"events", func(n Names) map[string]string { return n.Events }, true, isEvent, isName, nil},
		{
			"values", func(n Names) map[string]string { return n.Values }, false,
			func(word string) bool { return known.values[word] && !isEvent(word) }, isName, known.values,
		},
		{"permissions", permissionsOf, false, in(known.permissions), isName, known.permissions},
		{
			"messages", func(n Names) map[string]string { return n.Messages }, false,
			known.resourceName, isResourceName,
			nil,
		},
		{
			"contents", func(n Names) map[string]string { return n.Contents }, true, in(known.contents), isName,
			known.contents,
		},
		{"parts", func(n Names) map[string]string { return n.Parts }, false, known.part, isName, nil},
	} {
		c.entries(where, t, l, func(name, as string) string {
			switch {
			case !t.valid(as):
				return notCalled
			case as == name && t.sameAnyway(name, l):
				return "is called so anyway"
			}
			return ""
		})
	}
	c.seconds(where, known, l)
	left := table{names: known.members}
	for _, name := range l[0].Omit {
		if !known.members[name] {
			c.add("%s%somit: there is no %q%s", c.v.at(where+"omit", name), where, name, left.nearest(name))
		}
	}
}

// notCalled is what entries says with the name that cannot be.
const notCalled = "cannot be called"

// entries refuses what cannot be in a table; wrong is the reason for an entry.
func (c *clashes) entries(where string, t table, l Lexicon, wrong func(name, as string) string) {
	entries := t.of(l[0])
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		at, as := c.v.at(where+t.name, name)+where+t.name, entries[name]
		if !t.known(name) {
			c.add("%s: there is no %q%s", at, name, t.nearest(name))
			continue
		}
		switch why := wrong(name, as); why {
		case "":
		case notCalled:
			c.add("%s: %q cannot be called %q", at, name, as)
		default:
			c.add("%s: %q %s", at, name, why)
		}
	}
}

// resourceName reports whether a resource name is made of words of names.
func (k *knownNames) resourceName(resourceName string) bool {
	words := strings.FieldsFunc(resourceName, func(r rune) bool { return r == ' ' || r == '-' })
	return len(words) > 0 && len(words) <= maxNameWords && !slices.ContainsFunc(words, func(word string) bool {
		return !k.part(strings.ToLower(word)) && !k.part(word+"s") && !k.segments[word] && word != "3D"
	})
}

// isResourceName reports whether a resource name can be in a message.
func isResourceName(resourceName string) bool {
	return strings.TrimSpace(resourceName) == resourceName && isName(strings.ReplaceAll(resourceName, " ", ""))
}

// sameAnyway reports whether a name would be called by itself without saying so.
func (t table) sameAnyway(name string, l Lexicon) bool {
	if _, ok := l[1:].whole(t.of, name); ok {
		return false
	}
	return !t.composed || !slices.ContainsFunc(camelWords(name), func(w string) bool { return l.part(w) != w })
}

// part reports whether a word is one of any name, in small letters or with a capital.
func (k *knownNames) part(word string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(camelWords(name), func(w string) bool { return w == word || inSmall(w) == word })
	}
	for _, set := range []map[string]bool{k.members, k.query, k.codes} {
		for name := range set {
			if has(name) {
				return true
			}
		}
	}
	return slices.ContainsFunc(event.Catalogue(), func(k event.Kind) bool { return has(k.Type()) })
}

// headers refuses to rename a header that is not among own, the headers of the platform, to
// give one a name that is invalid or has a meaning in HTTP, and to give two the same name.
func (c *clashes) headers(own []string) {
	met := make(map[string]string)
	for _, name := range own {
		as, renamed := c.v.Headers[name]
		if !renamed {
			as = name
		}
		c.note(met, "every operation", "headers", name, as)
	}
	for _, name := range slices.Sorted(maps.Keys(c.v.Headers)) {
		as := c.v.Headers[name]
		switch {
		case !slices.Contains(own, name):
			c.add("headers: there is no %q that is the platform's own; there are %q", name, own)
		case !isHeader(as):
			c.add("headers: %q cannot be called %q", name, as)
		case slices.Contains(othersHeaders, textproto.CanonicalMIMEHeaderKey(as)):
			c.add("headers: %q cannot be called %q, which is another header of HTTP", name, as)
		}
	}
}

// othersHeaders are headers of requests and answers that HTTP gives a meaning.
var othersHeaders = []string{
	"Accept", "Allow", "Authorization", "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding",
	"Content-Length",
	"Content-Type", "Etag", "Host", "If-Match", "If-None-Match", "Location", "Prefer", "Retry-After",
	"Transfer-Encoding", "Www-Authenticate",
	http.CanonicalHeaderKey("X-Content-Type-Options"),
}

func isHeader(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// isName reports whether something can be called so in a body or a query: it can be in
// both as it is, and within quotation marks in a message.
func isName(name string) bool {
	return name != "" && problem.Printable(name) && !strings.ContainsAny(name, " \"'\\&=#%+,[]{}")
}

func isVendor(name string) bool { return isHeader(strings.ReplaceAll(name, ".", "")) }

func isSegment(name string) bool {
	return isName(name) && name != "." && name != ".." && !strings.Contains(name, "/") && url.PathEscape(name) == name
}

func isPath(path string) bool {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return false
	}
	for segment := range strings.SplitSeq(rest, "/") {
		if !isSegment(segment) {
			return false
		}
	}
	return true
}
