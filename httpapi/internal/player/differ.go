package player

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// Differ finds how the answers of an emulator differ from those of a target, by meaning. Ids that
// the sides gave stand for one another, each for one; tokens, versions, the moments that a server
// noted, the texts of errors, and the order of lists that go by such ids do not count.
type Differ struct {
	Found []Difference

	// Alike decides about two texts, and Left leaves a member of two objects out, where the
	// conversation knows more than what it has of them. Nil ones leave all to the rule.
	Alike func(target, emulator string) (same, decided bool)
	Left  func(member string, target, emulator Object) bool
	// Pages are the recorded entries of all pages of each list, by member. Where the sides have
	// chosen the ids by which a list goes, each entry of a page is to be one of those of any page.
	Pages map[string][]any
	// Unordered reports that the emulator gave all ids, by which lists go.
	Unordered bool

	target, emulator *Player
	exact            bool // to the letter
	pairs            *pairs
	sent             map[string]bool // texts of requests
	here             Difference
}

// NewDiffer returns one that holds an emulator to a target, which may be the recording.
func NewDiffer(target, emulator *Player) *Differ {
	return &Differ{target: target, emulator: emulator, pairs: newPairs(), sent: make(map[string]bool)}
}

// At says of which step the next differences are.
func (d *Differ) At(conversation, step, operation string) {
	d.here = Difference{Conversation: conversation, Step: step, Operation: operation}
}

// Step holds a step with both sides.
func (d *Differ) Step(ctx context.Context, step *transcript.Step) error {
	d.Sent(step.Request)
	missing, other := d.target.Lacks(step.Request), d.emulator.Lacks(step.Request)
	switch {
	case missing != "" && other != "":
		return fmt.Errorf("no answer before had what %s stands for", missing)
	case missing != "" && d.target.Server != nil, other != "":
		return nil // it follows from what was found before that one side cannot be asked
	}
	target, err := d.target.Ask(ctx, step)
	if err != nil {
		return err
	}
	emulator, err := d.emulator.Ask(ctx, step)
	if err != nil {
		return err
	}
	d.Answers(step, target, emulator)
	return nil
}

// Answers compares the answers to a step, once both sides have learned from them.
func (d *Differ) Answers(step *transcript.Step, target, emulator *Answer) {
	d.Sent(step.Request)
	want := Recorded(step.Answer)
	d.target.Learn(want, target)
	d.emulator.Learn(want, emulator)
	d.answers(target, emulator)
}

// Sent notes that a request was sent: the sides have not chosen the texts in it.
func (d *Differ) Sent(request string) {
	for _, text := range texts.FindAllStringSubmatch(request, -1) {
		d.sent[text[1]] = true
	}
}

func (d *Differ) answers(target, emulator *Answer) {
	if target.Status != emulator.Status {
		d.differs("status", Changed, json.Number(fmt.Sprint(target.Status)), json.Number(fmt.Sprint(emulator.Status)))
		return
	}
	for _, name := range Headers {
		d.headers(name, target.Header.Get(name), emulator.Header.Get(name))
	}
	switch {
	case target.open || emulator.open:
	case target.JSON && emulator.JSON:
		d.value("", target.Body, emulator.Body)
	case target.JSON != emulator.JSON || d.spoken(d.target, target.Raw) != d.spoken(d.emulator, emulator.Raw):
		d.differs("body", Changed, target.Raw, emulator.Raw)
	}
}

// spoken is a body that is no JSON, in the words of the conversation.
func (d *Differ) spoken(p *Player, raw string) string {
	if d.exact {
		return strings.TrimSpace(raw)
	}
	for value, name := range p.known {
		if Generated(value) {
			raw = strings.ReplaceAll(raw, value, name)
		}
	}
	if p.Server != nil {
		raw = strings.ReplaceAll(raw, p.URL, Base)
	}
	return strings.TrimSpace(raw)
}

func (d *Differ) headers(name, target, emulator string) {
	member := "header " + name
	switch {
	case target == "" && emulator == "":
	case target == "":
		d.differs(member, Added, nil, emulator)
	case emulator == "":
		d.differs(member, Missing, target, nil)
	case d.exact:
		if target != emulator {
			d.differs(member, Changed, target, emulator)
		}
	case Latest[http.CanonicalHeaderKey(name)] != "" || name == "Retry-After" || name == "Operation-Id":
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

func (d *Differ) differs(member string, kind Kind, target, emulator any) {
	here := d.here
	here.Member, here.Kind, here.Target, here.Emulator = strings.TrimPrefix(member, "."), kind, target, emulator
	d.Found = append(d.Found, here)
}

// value compares a member.
func (d *Differ) value(at string, target, emulator any) {
	if a, b := TypeOf(target), TypeOf(emulator); a != b {
		d.differs(at, Type, target, emulator)
		return
	}
	switch target := target.(type) {
	case Object:
		d.members(at, target, emulator.(Object))
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

// TypeOf is what JSON calls the type of a value.
func TypeOf(v any) string {
	switch v.(type) {
	case Object:
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

func (d *Differ) members(at string, target, emulator Object) {
	_, coded := target["code"]
	names := maps.Clone(target)
	maps.Copy(names, emulator)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, there := target[name]
		b, here := emulator[name]
		text, isText := a.(string)
		other, isOther := b.(string)
		switch {
		case d.Left != nil && d.Left(name, target, emulator):
		case !there:
			d.differs(at+"."+name, Added, nil, b)
		case !here:
			d.differs(at+"."+name, Missing, a, nil)
			// in its own words
		case name == "message" && coded && !d.exact && isText && isOther && text != "" && other != "":
		default:
			d.value(at+"."+name, a, b)
		}
	}
}

// sub compares without keeping anything.
func (d *Differ) sub() *Differ {
	other := *d
	other.pairs, other.Found = d.pairs.clone(), nil
	return &other
}

// trial compares, and keeps what the values say of ids where nothing differs, which it reports.
func (d *Differ) trial(at string, target, emulator any) bool {
	other := d.sub()
	if other.value(at, target, emulator); len(other.Found) > 0 {
		return false
	}
	d.pairs = other.pairs
	return true
}

// entries compares lists. Their order counts unless the sides have chosen the ids by which they
// may go.
func (d *Differ) entries(at string, target, emulator []any) {
	if all := d.Pages[strings.TrimPrefix(at, ".")]; len(all) > len(target) && slices.ContainsFunc(all, d.chosen) {
		page := d.sub()
		if page.list(at, target, emulator); len(page.Found) > 0 && len(target) == len(emulator) &&
			d.within(at, all, emulator) {
			return
		}
	}
	d.list(at, target, emulator)
}

// within reports whether each entry that came is one of those that are recorded of a list.
func (d *Differ) within(at string, recorded, came []any) bool {
	rest, other := slices.Clone(recorded), d.sub()
	for _, c := range came {
		i := slices.IndexFunc(rest, func(w any) bool { return other.trial(at, w, c) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	d.pairs = other.pairs
	return true
}

func (d *Differ) list(at string, target, emulator []any) {
	if len(target) != len(emulator) {
		d.differs(at, Length, json.Number(fmt.Sprint(len(target))), json.Number(fmt.Sprint(len(emulator))))
	}
	matched := d.matched(at, target, emulator)
	for i, j := range matched {
		if j != i && j >= 0 && len(target) == len(emulator) && (d.exact || !d.chosen(target[i])) {
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
func (d *Differ) matched(at string, target, emulator []any) []int {
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
func (*Differ) identity(p *Player, entry any) string {
	of, _ := entry.(Object)
	if id, ok := of["id"].(string); ok {
		return p.name(id)
	}
	return fmt.Sprintf("%p of %p", &of, p)
}

// chosen reports whether an entry has an id that the sides have chosen.
func (d *Differ) chosen(entry any) bool {
	if d.Unordered {
		return true
	}
	of, ok := entry.(Object)
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

func (d *Differ) chose(target string) bool {
	name := d.target.name(target)
	alias, ok := d.emulator.names[target]
	return name != target || ok && alias != target || d.emulator.given().Inside.MatchString(target) ||
		Generated(target) && d.pairs.target[target] != target
}

// text reports whether two texts say the same. Addresses are compared part by part.
func (d *Differ) text(member, target, emulator string) bool {
	if d.exact {
		return target == emulator
	}
	if d.Alike != nil {
		if same, decided := d.Alike(target, emulator); decided {
			return same
		}
	}
	return d.meant(member, target, emulator)
}

func (d *Differ) meant(member, target, emulator string) bool {
	a, b := d.target.name(target), d.emulator.name(emulator)
	given := d.emulator.given()
	alias, named := d.emulator.names[a]
	switch {
	case a == b:
		return !Generated(a) || d.pairs.join(a, b)
	case loose.MatchString(a):
		return emulator != "" && (a != AnyMoment || IsMoment(emulator))
	case named && !given.Whole.MatchString(a):
		return alias == emulator
	case pseudonym.MatchString(emulator) && !pseudonym.MatchString(target):
		return target != "" && d.pairs.join(a, b) // the deployment has the name itself
	case IsMoment(target) && IsMoment(emulator):
		return d.moments(member, target, emulator)
	case IsAddress(target) && IsAddress(emulator):
		return d.addresses(target, emulator)
	case strings.HasPrefix(target, "/") && strings.HasPrefix(emulator, "/"),
		d.target.Server == nil && strings.Contains(target, "/") && !strings.Contains(target, " ") && !Generated(target):
		return d.pieces(target, emulator)
	case d.target.Server == nil && given.Inside.MatchString(target) && !given.Whole.MatchString(target):
		names, values, ok := given.aligned(target, emulator)
		for i := range names {
			ok = ok && d.text("", names[i], values[i])
		}
		return ok
	}
	if d.emulator.Given != nil && !given.Whole.MatchString(a) {
		return false // the names for what servers choose are known
	}
	return Generated(a) && Generated(b) && !d.sent[target] && !d.sent[emulator] && d.pairs.join(a, b)
}

// pseudonym is what recordings have for a person.
var pseudonym = regexp.MustCompile(`^(?:Person-[0-9]+|person-[0-9]+@example\.com)$`)

func (d *Differ) addresses(target, emulator string) bool {
	a, own := d.target.below(target)
	b, ours := d.emulator.below(emulator)
	if !own || !ours {
		return !own && !d.sent[target] // what a server chose of another host is not compared
	}
	return d.pieces(a, b)
}

func (d *Differ) pieces(target, emulator string) bool {
	a, askedA, _ := strings.Cut(target, "?")
	b, askedB, _ := strings.Cut(emulator, "?")
	return d.each("/", a, b) && (askedA == askedB || d.each("&", askedA, askedB))
}

// each compares addresses piece by piece.
func (d *Differ) each(separator, target, emulator string) bool {
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
		one, another = Unescaped(one), Unescaped(another)
		if parameter(Unescaped(name)) != parameter(Unescaped(other)) ||
			one != another && !ListToken.MatchString(name) && !d.text("", one, another) {
			return false
		}
	}
	return true
}

// parameter is one spelling of the name of a parameter that has two.
func parameter(name string) string {
	if name == "projectId" {
		return "twinId"
	}
	return strings.TrimPrefix(name, "$")
}

// ListToken finds the parameters that continue with a list.
var ListToken = regexp.MustCompile(`(?i)token$`)

// Momentary are members that are the time of a past or future event.
var Momentary = regexp.MustCompile(`(At|On|DateTime)$|^(at|created|modified|nextAttempt|expiration)$`)

// moments reports whether two are alike: the same, or each as what the server noted by itself.
func (d *Differ) moments(member, target, emulator string) bool {
	a, _ := time.Parse(time.RFC3339, target)
	b, _ := time.Parse(time.RFC3339, emulator)
	switch {
	case a.Equal(b):
		return true
	case d.sent[target] || d.sent[emulator]:
		return false
	}
	return Momentary.MatchString(member) || d.target.during(a) && d.emulator.during(b)
}

// during reports whether a moment lies within the conversation, by the clock of the side or nearly so.
func (p *Player) during(at time.Time) bool {
	const askew = 2 * time.Minute
	return p.Server != nil && at.After(p.began.Add(-askew)) && at.Before(p.Now().Add(askew))
}

// IsMoment reports whether a text is a time.
func IsMoment(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// IsAddress reports whether a text is a whole address.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// chosenForms matches what servers choose: GUIDs, other ids, tokens.
var chosenForms = regexp.MustCompile(`^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-v]{20}|[0-9a-fA-F]{16,}|(?:new|seeded)-[0-9]+|\{\{[a-z]+-[0-9]+\}\}|[A-Za-z0-9_+/=.-]{24,})$`)

// Generated reports whether a text looks like one that a server has chosen.
func Generated(text string) bool {
	return chosenForms.MatchString(text) && strings.ContainsAny(text, "0123456789")
}
