package recording

import (
	"maps"
	"net/url"
	"regexp"
	"strings"
)

// recordedBase is what conversations have for the address of the server.
const recordedBase = "https://api.test"

// Anonymous is the caller of conversations that sends no credentials.
const Anonymous = "nobody"

// What conversations have for what is not compared to the letter.
const (
	anyBody   = "{{body}}"
	anyMoment = "{{moment}}"
)

var (
	// variable finds what stands for a value that the server chose.
	variable = regexp.MustCompile(`\{\{[a-z]+(?:-[0-9]+)?\}\}|\b(?:new|seeded)-[0-9]+\b`)
	// referred is such a name that requests need a value for.
	referred = regexp.MustCompile(`\{\{(?:etag|next|delta|[a-z]+-[0-9]+)\}\}`)
	// loose is such a name that has another value at each place.
	loose = regexp.MustCompile(`^\{\{[a-z]+\}\}$`)
	// parts are what addresses are made of.
	parts = regexp.MustCompile(`[^/?&=,]+`)
)

// latest are the headers that later requests refer to, with what stands for them.
var latest = map[string]string{
	"Continuation-Token": "{{next}}", "Onward-Token": "{{next}}", "Delta-Token": "{{delta}}", "Etag": "{{etag}}",
}

// names are what a side calls what the conversation has variables for.
type names struct {
	values map[string]string // by the variable
	known  map[string]string // the variable, by the value
}

func newNames() names { return names{make(map[string]string), make(map[string]string)} }

func (n names) bind(name, value string) {
	if old, ok := n.values[name]; ok {
		if !loose.MatchString(name) {
			return
		}
		delete(n.known, old)
	}
	n.values[name] = value
	if !loose.MatchString(name) {
		n.known[value] = name
	}
}

// fill is a text with the values of its variables.
func (n names) fill(text string) string {
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := n.values[name]; ok {
			return value
		}
		return name
	})
}

// fillAddress is fill for a path with a query.
func (n names) fillAddress(at string) string {
	path, query, asked := strings.Cut(at, "?")
	escaped := func(text string, escape func(string) string) string {
		return variable.ReplaceAllStringFunc(text, func(name string) string {
			if value, ok := n.values[name]; ok {
				return escape(value)
			}
			return name
		})
	}
	if path = escaped(path, url.PathEscape); !asked {
		return path
	}
	return path + "?" + escaped(query, url.QueryEscape)
}

// missing is a variable of a request that has no value.
func (n names) missing(request string) string {
	for _, name := range referred.FindAllString(request, -1) {
		if _, ok := n.values[name]; !ok {
			return name
		}
	}
	return ""
}

// name is the variable of a value, or the value.
func (n names) name(value string) string {
	if name, ok := n.known[value]; ok {
		return name
	}
	return value
}

// below is an address of a side below its base.
func (p *player) below(address string) (string, bool) {
	base := recordedBase
	if p.Server != nil {
		base = p.URL
	}
	below, ok := strings.CutPrefix(address, base)
	return below, ok && (below == "" || strings.ContainsAny(below[:1], "/?"))
}

// learn takes the values of variables from an answer, by the recorded one.
func (p *player) learn(want, came *answer) {
	for header, name := range latest {
		if v := came.header.Get(header); v != "" {
			p.names.bind(name, v)
		}
	}
	for header := range want.header {
		p.learnText(want.header.Get(header), came.header.Get(header))
	}
	p.learnValue(want.body, came.body)
}

func (p *player) learnText(want, came string) {
	switch whole := variable.FindString(want); {
	case came == "" || whole == "":
		return
	case whole == want:
		p.names.bind(want, came)
		return
	}
	if below, ok := strings.CutPrefix(want, recordedBase); ok {
		if came, ok = p.below(came); !ok {
			return
		}
		want = below
	}
	wanted, got := parts.FindAllString(want, -1), parts.FindAllString(came, -1)
	if len(wanted) != len(got) {
		return
	}
	for i, name := range wanted {
		if variable.FindString(unescaped(name)) == unescaped(name) {
			p.names.bind(unescaped(name), unescaped(got[i]))
		}
	}
}

func (p *player) learnValue(want, came any) {
	switch want := want.(type) {
	case string:
		if text, ok := came.(string); ok {
			p.learnText(want, text)
		}
	case object:
		got, _ := came.(object)
		for name, w := range want {
			p.learnValue(w, got[name])
		}
	case []any:
		got, _ := came.([]any)
		for i, j := range p.likest(want, got) {
			if j >= 0 {
				p.learnValue(want[i], got[j])
			}
		}
	}
}

// mostPaired is how many entries of a list are held to each of another's.
const mostPaired = 200

// likest finds to each recorded entry the one that it stands for: that with most in common.
func (p *player) likest(want, came []any) []int {
	out, taken := make([]int, len(want)), make([]bool, len(came))
	for i := range want {
		out[i] = -1
		best := -1
		for j := range came {
			if taken[j] || len(came) > mostPaired && i != j {
				continue
			}
			if score := p.common(want[i], came[j]); score > best || score == best && i == j {
				best, out[i] = score, j
			}
		}
		if out[i] >= 0 {
			taken[out[i]] = true
		}
	}
	return out
}

// common is how many texts and numbers two values have in common.
func (p *player) common(want, came any) (n int) {
	switch want := want.(type) {
	case object:
		got, _ := came.(object)
		for name, w := range want {
			n += p.common(w, got[name])
		}
		return n
	case []any:
		return 0
	case string:
		text, _ := came.(string)
		if want != "" && p.names.name(text) == want {
			return 1
		}
		return 0
	}
	if want != nil && want == came {
		return 1
	}
	return 0
}

func unescaped(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}

// pairs are values that the two sides chose for the same thing. Each stands for one of the other
// side, and for no other.
type pairs struct{ target, emulator map[string]string }

func newPairs() *pairs { return &pairs{make(map[string]string), make(map[string]string)} }

func (p *pairs) clone() *pairs { return &pairs{maps.Clone(p.target), maps.Clone(p.emulator)} }

// join pairs two values; it reports false where either has another partner.
func (p *pairs) join(target, emulator string) bool {
	t, paired := p.target[target]
	e, taken := p.emulator[emulator]
	if paired || taken {
		return paired && taken && t == emulator && e == target
	}
	p.target[target], p.emulator[emulator] = emulator, target
	return true
}
