package recording

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/secret"
)

// secrets finds what is not to be written, and replaces it by what stands for it in all of a
// recording: the same for the same.
type secrets struct {
	people map[string]string // pseudonyms by names and addresses
	hidden map[string]string // by secrets
	public map[string]bool   // words of the API, which are no one's
	found  map[string]*regexp.Regexp
	sorted []string // what is replaced, the longest first; nil: not yet made
}

func newSecrets(public map[string]bool) *secrets {
	return &secrets{
		people: make(map[string]string), hidden: make(map[string]string),
		found: make(map[string]*regexp.Regexp), public: public,
	}
}

var (
	mail = regexp.MustCompile(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}`)
	// secretForm finds secrets by their look: bearer tokens, and those that are signed.
	secretForm = regexp.MustCompile(`(?i:bearer) [A-Za-z0-9._~+/=-]{6,}` +
		`|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?`)
	// personal are members that hold the name of a person, in an object that is one.
	personal = regexp.MustCompile(`(?i)^(display|given|first|last|full|user|nick|sur)?_?name$|^(displayLabel` +
		`|label|title|initials|phone|telephone|mobile)$`)
	// peopled are members that hold people.
	peopled = regexp.MustCompile(`(?i)^(user|users|owner|owners|invitation|invitations|assignee|assignees` +
		`|members?|createdBy|lastModifiedBy|modifiedBy|author|authors|submittedBy)$`)
)

// secretive reports whether a member, a parameter or a header of this name holds a secret.
func secretive(name string) bool { return secret.Named(name) || secret.Signs(name) }

// hide notes a secret.
func (s *secrets) hide(text string) {
	if len(text) < 4 || s.public[text] || s.hidden[text] != "" {
		return
	}
	stands := fmt.Sprintf("hidden-%d", len(s.hidden)+1)
	if more := len(text) - len(stands); more > 0 {
		stands += strings.Repeat("x", min(more, 256)) // what has to be long is
	}
	s.hidden[text] = stands
}

// person notes a name or an address of a person.
func (s *secrets) person(name string) {
	name = strings.TrimSpace(name)
	if len([]rune(name)) < 2 || s.public[name] || s.people[name] != "" {
		return
	}
	n := len(s.people) + 1
	if mail.MatchString(name) {
		s.people[name] = fmt.Sprintf("person-%d@example.com", n)
		return
	}
	s.people[name] = fmt.Sprintf("Person-%d", n)
}

// request notes what the head of a request has.
func (s *secrets) request(x *exchange) {
	for name, values := range x.header {
		if secretive(name) {
			for _, v := range values {
				s.credential(v)
			}
		}
	}
	if _, query, ok := strings.Cut(x.target, "?"); ok {
		s.query(query)
	}
	s.text(player.Unescaped(x.target))
}

// credential notes the parts of a header that identify the caller.
func (s *secrets) credential(value string) {
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(" ;,", r) }) {
		if name, v, ok := strings.Cut(part, "="); ok && len(v) > 3 {
			s.hide(v)
			part = name
		}
		if !strings.EqualFold(part, "Bearer") && !strings.EqualFold(part, "Basic") && len(part) > 3 {
			s.hide(part)
		}
	}
}

func (s *secrets) query(query string) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return
	}
	for name, all := range values {
		if secretive(name) {
			for _, v := range all {
				s.hide(v)
			}
		}
	}
}

// value notes what a value holds. person says that it is one.
func (s *secrets) value(name string, v any, person bool) {
	switch v := v.(type) {
	case object:
		person = person || isPerson(v)
		for member, inside := range v {
			if of, ok := inside.(object); ok && secretive(member) {
				s.hideAll(of)
				continue
			}
			s.value(member, inside, member != "roles" &&
				(person && !grouped(v) || peopled.MatchString(member) && !isOf(inside)))
		}
	case []any:
		for _, inside := range v {
			s.value(name, inside, person)
		}
	case string:
		switch {
		case secretive(name) && !errorCode.MatchString(v):
			s.hide(v)
		case person && personal.MatchString(name):
			s.person(v)
		}
		if s.text(v); player.IsAddress(v) {
			s.text(player.Unescaped(v))
		}
	}
}

// shortestSecret is how long a value is that is hidden wherever it stands, in bytes: a shorter one is a
// word that people use, and hidden in its place alone.
const shortestSecret = 8

// hideAll notes the values in an object that is a secret.
func (s *secrets) hideAll(of object) {
	for name, v := range of {
		switch v := v.(type) {
		case string:
			if !shows(name) && len(v) >= shortestSecret {
				s.hide(v)
			}
		case object:
			s.hideAll(v)
		}
	}
}

// sealed is an object that is a secret without its values.
func (s *secrets) sealed(of object) object {
	out := make(object, len(of))
	for name, v := range of {
		switch v := v.(type) {
		case string:
			out[name] = s.cleaned(v)
			if !shows(name) && len(v) < shortestSecret && v != "" {
				out[name] = "hidden"
			}
		case object:
			out[name] = s.sealed(v)
		default:
			out[name] = s.spoken(v)
		}
	}
	return out
}

// shows reports whether a member of a secret says how it is shown: the type, and the key under which.
func shows(name string) bool { return name == "type" || name == "key" }

// isPerson reports whether an object describes a person: by its type, or by an address.
func isPerson(of object) bool {
	if of["memberType"] == "User" || of["type"] == "Human" {
		return true
	}
	for _, inside := range of {
		if text, ok := inside.(string); ok && mail.FindString(text) == text && text != "" {
			return true
		}
	}
	return false
}

// errorCode is a code of an error, in a member that elsewhere holds secrets.
var errorCode = regexp.MustCompile(`^[A-Z][A-Za-z]+$`)

// grouped reports whether an object is a group or an application, which is no person.
func grouped(of object) bool {
	return of["memberType"] == "Group" || of["memberType"] == "Service" || of["isRole"] == true ||
		of["type"] == "Material" || of["type"] == "Equipment"
}

// isOf reports whether a value says that it is no person.
func isOf(v any) bool {
	of, ok := v.(object)
	return ok && grouped(of)
}

// text notes what is secret by its look.
func (s *secrets) text(text string) {
	for _, found := range mail.FindAllString(text, -1) {
		s.person(found)
	}
	for _, found := range secretForm.FindAllString(text, -1) {
		if _, token, ok := strings.Cut(found, " "); ok {
			found = token
		}
		s.hide(found)
	}
	if at := strings.Index(text, "?"); at >= 0 && strings.Contains(text[:at], "/") {
		s.query(text[at+1:])
	}
}

// cleaned is a text without secrets and names.
func (s *secrets) cleaned(text string) string {
	if s.sorted == nil {
		s.sorted = slices.AppendSeq(slices.Collect(maps.Keys(s.people)), maps.Keys(s.hidden))
		slices.SortFunc(s.sorted, func(a,
			b string,
		) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
		})
	}
	for _, name := range s.sorted {
		text = s.without(text, name, cmp.Or(s.hidden[name], s.people[name]))
	}
	return text
}

// shortest is how long a text is that is looked for as a word, and not within others, in bytes.
const shortest = 12

// without replaces a name wherever it stands, in any case of its letters.
func (s *secrets) without(text, name, by string) string {
	if len(name) > len(text) {
		return text
	}
	found := s.found[name]
	if found == nil {
		pattern := regexp.QuoteMeta(name)
		if _, person := s.people[name]; person || len(name) < shortest {
			pattern = `(^|[^\p{L}\p{N}])` + pattern + `($|[^\p{L}\p{N}])`
		} else {
			pattern = `()` + pattern + `()`
		}
		found = regexp.MustCompile(`(?i)` + pattern)
		s.found[name] = found
	}
	for range 2 { // neighbours share what is between them
		text = found.ReplaceAllString(text, "${1}"+by+"${2}")
	}
	return text
}

// spoken is a value of JSON without secrets and names.
func (s *secrets) spoken(v any) any {
	switch v := v.(type) {
	case object:
		out := make(object, len(v))
		for name, inside := range v {
			of, isObject := inside.(object)
			sealed := isObject && secretive(name)
			if !s.public[name] {
				name = s.cleaned(name)
			}
			if sealed {
				out[name] = s.sealed(of)
				continue
			}
			out[name] = s.spoken(inside)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inside := range v {
			out[i] = s.spoken(inside)
		}
		return out
	case string:
		switch {
		case s.public[v]:
			return v
		case player.IsAddress(v):
			return s.cleaned(s.address(v))
		}
		return s.cleaned(v)
	}
	return v
}

// address is a path with a query without secrets and names.
func (s *secrets) address(target string) string {
	path, query, asked := strings.Cut(target, "?")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			if cleaned := s.cleaned(plain); cleaned != plain {
				segments[i] = url.PathEscape(cleaned)
			}
		}
	}
	if path = strings.Join(segments, "/"); !asked {
		return path
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(value); err == nil {
			if cleaned := s.cleaned(plain); cleaned != plain {
				pairs[i] = name + "=" + url.QueryEscape(cleaned)
			}
		}
	}
	return path + "?" + strings.Join(pairs, "&")
}
