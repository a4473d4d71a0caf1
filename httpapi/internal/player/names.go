package player

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Base is what conversations have for the address of the server.
const Base = "https://api.test"

// Anonymous is the caller of conversations that sends no credentials.
const Anonymous = "nobody"

// What conversations have for what is not compared to the letter.
const (
	AnyBody   = "{{body}}"
	AnyMoment = "{{moment}}"
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
	// texts matches each text of a body, also names of members.
	texts = regexp.MustCompile(`"([^"\\]*)"(?:\s*:)?`)
)

// Latest are the headers that later requests refer to, as http.Header spells them, with what stands
// for their latest values.
var Latest = map[string]string{
	"Continuation-Token": "{{next}}", "Onward-Token": "{{next}}", "Delta-Token": "{{delta}}", "Etag": "{{etag}}",
}

// Bind has a name stand for a value. One that is bound stays so, except for those whose value is
// another at each place.
func (p *Player) Bind(name, value string) {
	if p.names == nil {
		p.names, p.known = make(map[string]string), make(map[string]string)
	}
	if _, ok := p.names[name]; ok && !loose.MatchString(name) {
		return
	}
	p.names[name] = value
	if loose.MatchString(name) {
		p.once = append(p.once, value, name)
	} else {
		p.known[value] = name
	}
}

// Value is what a name stands for.
func (p *Player) Value(name string) (string, bool) {
	value, ok := p.names[name]
	return value, ok
}

// Forget drops the values of names that the answer to a step has others of.
func (p *Player) Forget(recorded *Answer) {
	for header, name := range Latest {
		if recorded.Header.Get(header) != "" {
			delete(p.names, name)
		}
	}
}

// name is the name of a value, or the value.
func (p *Player) name(value string) string {
	if name, ok := p.known[value]; ok {
		return name
	}
	return value
}

// Fill is a text with the values of its names.
func (p *Player) Fill(text string) string {
	return p.filled(text, func(value string) string { return value })
}

func (p *Player) filled(text string, escape func(string) string) string {
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := p.names[name]; ok {
			return escape(value)
		}
		return name
	})
}

// fillAddress is Fill for a path with a query, of which each part may be any name.
func (p *Player) fillAddress(at string) string {
	path, query, asked := strings.Cut(at, "?")
	filled := func(text string, escape func(string) string) string {
		return parts.ReplaceAllStringFunc(text, func(part string) string {
			if value, ok := p.names[Unescaped(part)]; ok {
				return escape(value)
			}
			return p.filled(part, escape)
		})
	}
	if path = filled(path, url.PathEscape); !asked {
		return path
	}
	return path + "?" + filled(query, url.QueryEscape)
}

// fillBody is Fill for a body, of which each text of JSON may be any name.
func (p *Player) fillBody(body string) string {
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		return p.Fill(body)
	}
	return texts.ReplaceAllStringFunc(body, func(text string) string {
		value, ok := p.names[strings.Trim(text, `"`)]
		if raw, err := json.Marshal(value); ok && err == nil {
			return string(raw)
		}
		return p.Fill(text)
	})
}

// Lacks is a name in a request that has no value; empty where there is none.
func (p *Player) Lacks(request string) string {
	found := referred.FindAllString(request, -1)
	if p.Given != nil {
		found = append(found, p.Given.Inside.FindAllString(request, -1)...)
	}
	for _, name := range found {
		if _, ok := p.names[name]; !ok {
			return name
		}
	}
	return ""
}

// Spoken is a text with the names of the values in it that have names.
func (p *Player) Spoken(text string) string {
	return strings.NewReplacer(p.once...).Replace(text)
}

// below is an address of a side below its base.
func (p *Player) below(address string) (string, bool) {
	base := Base
	if p.Server != nil {
		base = p.URL
	}
	below, ok := strings.CutPrefix(address, base)
	return below, ok && (below == "" || strings.ContainsAny(below[:1], "/?"))
}

// Learn takes the values of names from an answer, by the recorded one.
func (p *Player) Learn(want, came *Answer) {
	for header, name := range Latest {
		if v := came.Header.Get(header); v != "" {
			p.Bind(name, v)
		}
	}
	for header := range want.Header {
		p.learnText(want.Header.Get(header), came.Header.Get(header))
	}
	p.learnValue(want.Body, came.Body)
}

// Know is Learn for an answer that tells who is who: what the side calls as the conversation does
// is called so from now on.
func (p *Player) Know(want, came *Answer) {
	p.knowing = true
	p.Learn(want, came)
	p.knowing = false
}

func (p *Player) learnText(want, came string) {
	if came == "" {
		return
	}
	if below, ok := strings.CutPrefix(want, Base); ok {
		if came, ok = p.below(came); !ok {
			return
		}
		want = below
	}
	if p.given().Whole.MatchString(want) || !strings.Contains(want, "/") {
		p.learnPart(want, came)
		return
	}
	wanted, got := parts.FindAllString(want, -1), parts.FindAllString(came, -1)
	if len(wanted) != len(got) {
		return
	}
	for i := range wanted {
		p.learnPart(Unescaped(wanted[i]), Unescaped(got[i]))
	}
}

func (p *Player) learnPart(want, came string) {
	names, values, _ := p.given().aligned(want, came)
	for i, name := range names {
		if name != values[i] || p.knowing || p.given().Whole.MatchString(name) {
			p.Bind(name, values[i])
		}
	}
}

// aligned finds the names in a recorded text, and what another text has in their places.
func (g *Given) aligned(want, came string) (names, values []string, ok bool) {
	if g.Whole.MatchString(want) || g.Shared != nil && g.Shared.MatchString(want) {
		return []string{want}, []string{came}, true
	}
	places := g.Inside.FindAllStringIndex(want, -1)
	if len(places) == 0 {
		return nil, nil, want == came
	}
	var pattern strings.Builder
	done := 0
	for _, at := range places {
		pattern.WriteString(regexp.QuoteMeta(want[done:at[0]]) + `(.+?)`)
		names = append(names, want[at[0]:at[1]])
		done = at[1]
	}
	found := regexp.MustCompile(`(?s)^` + pattern.String() + regexp.QuoteMeta(want[done:]) +
		`$`).FindStringSubmatch(came)
	if found == nil {
		return nil, nil, false
	}
	return names, found[1:], true
}

func (p *Player) learnValue(want, came any) {
	switch want := want.(type) {
	case string:
		if text, ok := came.(string); ok {
			p.learnText(want, text)
		}
	case Object:
		got, _ := came.(Object)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			p.learnValue(want[name], got[name])
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
func (p *Player) likest(want, came []any) []int {
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
func (p *Player) common(want, came any) (n int) {
	switch want := want.(type) {
	case Object:
		got, _ := came.(Object)
		for name, w := range want {
			n += p.common(w, got[name])
		}
		return n
	case []any:
		return 0
	case string:
		text, _ := came.(string)
		if want != "" && (text == want || p.names[want] == text || p.name(text) == want) {
			return 1
		}
		return 0
	}
	if want != nil && want == came {
		return 1
	}
	return 0
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
