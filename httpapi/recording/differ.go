package recording

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// object is a JSON object.
type object = map[string]any

// compared are the headers of answers that are.
var compared = []string{
	"Allow", "Content-Type", "Continuation-Token", "Delta-Token", "Etag", "Location", "Onward-Token", "Operation-Id", "Operation-Location",
	"Retry-After", "Www-Authenticate", "X-Max-Return",
}

// differ finds how the answers of two sides differ.
type differ struct {
	target, emulator *player
	pairs            *pairs
	sent             map[string]bool // texts of requests
	here             Difference
	found            []Difference
}

func (d *differ) at(conversation, step, operation string) {
	d.here = Difference{Conversation: conversation, Step: step, Operation: operation}
}

// step holds a step with both sides.
func (d *differ) step(ctx context.Context, step transcript.Step) error {
	for _, text := range texts.FindAllStringSubmatch(step.Request, -1) {
		d.sent[text[1]] = true
	}
	missing, other := d.target.names.missing(step.Request), d.emulator.names.missing(step.Request)
	switch {
	case missing != "" && other != "":
		return fmt.Errorf("no answer before had what %s stands for", missing)
	case missing != "" && d.target.Server != nil, other != "":
		return nil // it follows from what was found before that one side cannot be asked
	}
	want := recorded(step.Answer)
	var answers [2]*answer
	for i, p := range []*player{d.target, d.emulator} {
		a, err := p.ask(ctx, &step)
		if err != nil {
			return err
		}
		p.learn(want, a)
		answers[i] = a
	}
	d.answers(answers[0], answers[1])
	return nil
}

// texts are those of a body.
var texts = regexp.MustCompile(`"([^"\\]*)"`)

func (d *differ) answers(target, emulator *answer) {
	if target.status != emulator.status {
		d.differs("status", Changed, json.Number(fmt.Sprint(target.status)), json.Number(fmt.Sprint(emulator.status)))
		return
	}
	for _, name := range compared {
		d.headers(name, target.header.Get(name), emulator.header.Get(name))
	}
	switch {
	case target.open || emulator.open:
	case target.json && emulator.json:
		d.value("", target.body, emulator.body)
	case target.json != emulator.json || d.spoken(d.target, target.raw) != d.spoken(d.emulator, emulator.raw):
		d.differs("body", Changed, target.raw, emulator.raw)
	}
}

// spoken is a body that is no JSON, in the words of the conversation.
func (d *differ) spoken(p *player, raw string) string {
	for value, name := range p.names.known {
		if generated(value) {
			raw = strings.ReplaceAll(raw, value, name)
		}
	}
	if p.Server != nil {
		raw = strings.ReplaceAll(raw, p.URL, recordedBase)
	}
	return strings.TrimSpace(raw)
}

func (d *differ) headers(name, target, emulator string) {
	member := "header " + strings.Replace(name, "Etag", "ETag", 1)
	switch {
	case target == "" && emulator == "":
	case target == "":
		d.differs(member, Added, nil, emulator)
	case emulator == "":
		d.differs(member, Missing, target, nil)
	case latest[name] != "" || name == "Retry-After" || name == "Operation-Id":
	case name == "Content-Type":
		if a, b := media(target), media(emulator); a != b {
			d.differs(member, Changed, a, b)
		}
	case name == "Allow":
		if a, b := sorted(target), sorted(emulator); a != b {
			d.differs(member, Changed, a, b)
		}
	case !d.text(name, target, emulator):
		d.differs(member, Changed, target, emulator)
	}
}

func media(value string) string {
	if m, _, err := mime.ParseMediaType(value); err == nil {
		return m
	}
	return value
}

func sorted(list string) string {
	words := strings.Split(strings.ReplaceAll(list, " ", ""), ",")
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func (d *differ) differs(member string, kind Kind, target, emulator any) {
	here := d.here
	here.Member, here.Kind, here.Target, here.Emulator = strings.TrimPrefix(member, "."), kind, target, emulator
	d.found = append(d.found, here)
}

// value compares a member.
func (d *differ) value(at string, target, emulator any) {
	if a, b := typeOf(target), typeOf(emulator); a != b {
		d.differs(at, Type, target, emulator)
		return
	}
	switch target := target.(type) {
	case object:
		d.members(at, target, emulator.(object))
	case []any:
		d.entries(at+"[]", target, emulator.([]any))
	case string:
		if !d.text(at[strings.LastIndexByte(at, '.')+1:], target, emulator.(string)) {
			d.differs(at, Changed, target, emulator)
		}
	case json.Number:
		a, errA := target.Float64()
		b, errB := emulator.(json.Number).Float64()
		if a != b || errA != nil || errB != nil {
			d.differs(at, Changed, target, emulator)
		}
	default:
		if target != emulator {
			d.differs(at, Changed, target, emulator)
		}
	}
}

func typeOf(v any) string {
	switch v.(type) {
	case object:
		return "object"
	case []any:
		return "list"
	case string:
		return "text"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	}
	return "null"
}

func (d *differ) members(at string, target, emulator object) {
	_, coded := target["code"]
	names := maps.Clone(target)
	maps.Copy(names, emulator)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, there := target[name]
		b, here := emulator[name]
		text, isText := a.(string)
		other, isOther := b.(string)
		switch {
		case !there:
			d.differs(at+"."+name, Added, nil, b)
		case !here:
			d.differs(at+"."+name, Missing, a, nil)
		case name == "message" && coded && isText && isOther && text != "" && other != "": // in its own words
		default:
			d.value(at+"."+name, a, b)
		}
	}
}

// trial compares without keeping anything, and reports whether nothing differs.
func (d *differ) trial(at string, target, emulator any) bool {
	other := *d
	other.pairs, other.found = d.pairs.clone(), nil
	if other.value(at, target, emulator); len(other.found) > 0 {
		return false
	}
	d.pairs = other.pairs
	return true
}

// entries compares lists. Their order counts unless the sides have chosen the ids by which they
// may go.
func (d *differ) entries(at string, target, emulator []any) {
	if len(target) != len(emulator) {
		d.differs(at, Length, json.Number(fmt.Sprint(len(target))), json.Number(fmt.Sprint(len(emulator))))
	}
	matched := d.matched(at, target, emulator)
	for i, j := range matched {
		if j != i && j >= 0 && len(target) == len(emulator) && !d.chosen(target[i]) {
			d.differs(at, Order, json.Number(fmt.Sprint(i)), json.Number(fmt.Sprint(j)))
			break
		}
	}
	for i, j := range matched {
		if j >= 0 {
			d.value(at, target[i], emulator[j])
		}
	}
}

// matched finds to each entry of the target that of the emulator; -1 for none.
func (d *differ) matched(at string, target, emulator []any) []int {
	out, taken := make([]int, len(target)), make([]bool, len(emulator))
	pair := func(by func(i, j int) bool) {
		for i := range target {
			for j := range emulator {
				if out[i] < 0 && !taken[j] && by(i, j) {
					out[i], taken[j] = j, true
				}
			}
		}
	}
	for i := range out {
		out[i] = -1
	}
	few := len(target) <= mostPaired && len(emulator) <= mostPaired
	pair(func(i, j int) bool { return i == j && d.trial(at, target[i], emulator[j]) })
	pair(func(i, j int) bool { return d.identity(d.target, target[i]) == d.identity(d.emulator, emulator[j]) })
	pair(func(i, j int) bool { return few && d.trial(at, target[i], emulator[j]) })
	if len(target) == len(emulator) {
		pair(func(i, j int) bool { return i == j })
		pair(func(int, int) bool { return true })
	}
	return out
}

// identity is the id of an entry in the words of the conversation; one of its own where there is
// none.
func (*differ) identity(p *player, entry any) string {
	of, _ := entry.(object)
	if id, ok := of["id"].(string); ok {
		return p.names.name(id)
	}
	return fmt.Sprintf("%p of %p", &of, p)
}

// chosen reports whether an entry has an id that the sides have chosen.
func (d *differ) chosen(entry any) bool {
	of, ok := entry.(object)
	if !ok {
		text, _ := entry.(string)
		return d.chose(text)
	}
	for _, v := range of {
		if text, ok := v.(string); ok && d.chose(text) {
			return true
		}
	}
	return false
}

func (d *differ) chose(target string) bool {
	name := d.target.names.name(target)
	return name != target || variable.MatchString(target) || generated(target) && d.pairs.target[target] != target
}

// text reports whether two texts say the same. Addresses are compared part by part.
func (d *differ) text(member, target, emulator string) bool {
	a, b := d.target.names.name(target), d.emulator.names.name(emulator)
	switch {
	case a == b:
		return !generated(a) || d.pairs.join(a, b)
	case loose.MatchString(a):
		return emulator != "" && (a != anyMoment || isMoment(emulator))
	case pseudonym.MatchString(emulator) && !pseudonym.MatchString(target):
		return target != "" && d.pairs.join(a, b) // the deployment has the name itself
	case isMoment(target) && isMoment(emulator):
		return d.moments(member, target, emulator)
	case isAddress(target) && isAddress(emulator):
		return d.addresses(target, emulator)
	case strings.HasPrefix(target, "/") && strings.HasPrefix(emulator, "/"):
		return d.pieces(target, emulator)
	}
	return generated(a) && generated(b) && !d.sent[target] && !d.sent[emulator] && d.pairs.join(a, b)
}

// pseudonym is what recordings have for a person.
var pseudonym = regexp.MustCompile(`^(?:Person-[0-9]+|person-[0-9]+@example\.com)$`)

func (d *differ) addresses(target, emulator string) bool {
	a, own := d.target.below(target)
	b, ours := d.emulator.below(emulator)
	if !own || !ours {
		return !own // of another host, which is not compared
	}
	return d.pieces(a, b)
}

func (d *differ) pieces(target, emulator string) bool {
	a, askedA, _ := strings.Cut(target, "?")
	b, askedB, _ := strings.Cut(emulator, "?")
	return d.each("/", a, b) && (askedA == askedB || d.each("&", askedA, askedB))
}

// each compares addresses piece by piece.
func (d *differ) each(separator, target, emulator string) bool {
	a, b := strings.Split(target, separator), strings.Split(emulator, separator)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		name, one, asked := strings.Cut(a[i], "=")
		other, another, _ := strings.Cut(b[i], "=")
		if !asked {
			name, one, other, another = "", a[i], "", b[i]
		}
		one, another = unescaped(one), unescaped(another)
		if unescaped(name) != unescaped(other) || one != another && !listToken.MatchString(name) && !d.text("", one, another) {
			return false
		}
	}
	return true
}

// listToken finds the parameters that continue with a list.
var listToken = regexp.MustCompile(`(?i)token$`)

// momentary are members that are the time of a past or future event.
var momentary = regexp.MustCompile(`(At|On|DateTime)$`)

// moments reports whether two are alike: to two seconds, or as what the servers noted by
// themselves.
func (d *differ) moments(member, target, emulator string) bool {
	a, _ := time.Parse(time.RFC3339, target)
	b, _ := time.Parse(time.RFC3339, emulator)
	switch {
	case a.Sub(b).Abs() <= 2*time.Second:
		return true
	case d.sent[target] || d.sent[emulator]:
		return false
	}
	return momentary.MatchString(member) || d.target.during(a) && d.emulator.during(b)
}

// during reports whether a moment lies within the conversation, by the clock of the side or nearly so.
func (p *player) during(at time.Time) bool {
	const askew = 2 * time.Minute
	return p.Server != nil && at.After(p.began.Add(-askew)) && at.Before(p.Now().Add(askew))
}

func isMoment(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func isAddress(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// chosenForms are those of what servers choose: GUIDs, other ids, tokens.
var chosenForms = regexp.MustCompile(`^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-v]{20}|[0-9a-fA-F]{16,}|(?:new|seeded)-[0-9]+|\{\{[a-z]+-[0-9]+\}\}|[A-Za-z0-9_+/=.-]{24,})$`)

// generated reports whether a text looks like one that a server has chosen.
func generated(text string) bool {
	return chosenForms.MatchString(text) && strings.ContainsAny(text, "0123456789")
}
