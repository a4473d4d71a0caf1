package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// conversationChecks are the recorded conversations as checks: each is held in a world
// that is made through the API, and each answer is to be the recorded one. What differs
// from server to server is not compared: ids that the server gives, as long as each
// stays the same, tokens, versions, the moment, and the texts of errors.
var conversationChecks = sync.OnceValue(func() map[Area][]Check {
	out := make(map[Area][]Check)
	for _, c := range conversations.All() {
		if conversations.World(c.Area()) == nil {
			continue
		}
		area := conversationArea(c)
		out[area] = append(out[area], Check{
			Name:  "conversation " + c.Operation(),
			run:   func(p *probe) { p.play(c) },
			needs: func(s Server) string { return lackedBy(s, c) },
		})
	}
	return out
})

// conversationArea is the area of a conversation.
func conversationArea(c *conversations.Conversation) Area {
	group, _, _ := strings.Cut(c.Operation(), ".")
	switch {
	case c.Area() == "forms":
		return Forms
	case strings.HasPrefix(group, "task"):
		return Tasks
	case strings.HasPrefix(group, "resource"), strings.HasPrefix(group, "userField"), strings.HasPrefix(group, "statusHistory"):
		return Resources
	case strings.HasPrefix(group, "baseline"):
		return Baselines
	case group == "operations":
		return Operations
	default:
		return Schedules
	}
}

// inside are conversations, and steps of them, that are about what no client can make,
// and what that is.
var inside = map[string]string{
	"appearanceProfiles.update: as it was read":           madeThen,
	"microsoftProjectImports.create: the tasks that came": now,
	"plannerImports.create: the tasks that came":          now,
	"schedules.list": "schedules that are still being set up",
	"statusHistoryItems.create: critical for a while":          now,
	"statusHistoryItems.create: how that was recorded":         now,
	"statusHistoryItems.create: for a while, and not critical": now,
	"statusHistoryItems.update: until a time":                  now,
	"statusHistoryItems.update: until it is changed after all": now,
	"taskQueryFilters.list":                                    "a filter that does not exist",
	"tasks.createMany: that has come some way":                 now,
}

const (
	now      = "the clock of the recording"
	madeThen = "a record that was made when the conversation was recorded"
)

// PassedOver are the conversations and their steps that the suite leaves out by name,
// since they are about what no client can make.
func PassedOver() []string { return slices.Sorted(maps.Keys(inside)) }

// unmade finds what no client can make in requests.
var unmade = []struct {
	in   *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`\bbusy\b`), "a schedule that is still being set up"},
	{regexp.MustCompile(`\b(elsewhere|abroad)\b`), "what another account has"},
	{regexp.MustCompile(`/synchronizers/import\b`), "the record of an import of that name"},
}

// setting is where the conversations of an area are held.
type setting struct {
	// tower and bridge are what the conversations call their twins.
	tower, bridge string
	// reading is what the reader may do in the tower.
	reading string
}

var settings = map[string]setting{
	"schedules": {"tower", "bridge", "schedules_read"},
	"forms":     {"11111111-1111-4111-8111-111111111111", "33333333-3333-4333-8333-333333333333", "Forms_ViewAccess"},
}

// needsBridge reports whether there is something in the second twin.
func needsBridge(c *conversations.Conversation) bool {
	name := regexp.MustCompile(`\b` + settings[c.Area()].bridge + `\b`)
	return slices.ContainsFunc(slices.Concat(conversations.World(c.Area()).Steps, c.Steps), func(s conversations.Step) bool {
		return name.MatchString(s.Request)
	})
}

// lackedBy says what a server would have to offer for a conversation.
func lackedBy(s Server, c *conversations.Conversation) string {
	if what := inside[c.Operation()]; what != "" {
		return what
	}
	if s.Twin != "" && needsBridge(c) {
		return "a second twin, where the suite is given one"
	}
	for _, step := range c.Steps {
		caller, method, target := transcript.Head(step.Request)
		if s.tokenOf(caller) == "" && method != http.MethodGet && strings.HasPrefix(step.Answer, "2") {
			return fmt.Sprintf("the token of the %s, who sends %s %s", caller, method, target)
		}
	}
	return ""
}

// tokenOf is the token of a caller of the conversations; empty where the server has none.
func (s Server) tokenOf(caller string) string {
	switch caller {
	case "writer", "admin", "owner":
		return s.Token
	case "reader":
		if s.ReaderID != "" {
			return s.ReaderToken
		}
	case "stranger", "foreign":
		return s.StrangerToken
	}
	return ""
}

// play holds a conversation.
func (p *probe) play(c *conversations.Conversation) {
	in := settings[c.Area()]
	r := &replay{probe: p, names: map[string]string{in.tower: p.aTwin()}, latest: make(map[string]string)}
	if needsBridge(c) {
		r.names[in.bridge] = p.newTwin(object{})
	}
	for _, step := range conversations.World(c.Area()).Steps {
		r.make(step)
	}
	if p.tokenOf("reader") != "" && slices.ContainsFunc(c.Steps, func(s conversations.Step) bool { return strings.HasPrefix(s.Request, "as reader\n") }) {
		p.grant(in.reading)
	}
	for _, step := range c.Steps {
		if needs := p.lackedByStep(c, step); needs != "" {
			p.reporter.Logf("passed over %q, which needs %s", step.Title, needs)
			continue
		}
		if !r.step(step) {
			p.reporter.Logf("passed over what comes after %q: the server does its work after the answer, and that of the recording before it", step.Title)
			return
		}
	}
}

// lackedByStep says what a server would have to offer for a step, without which the
// others can be held.
func (s Server) lackedByStep(c *conversations.Conversation, step conversations.Step) string {
	if what := inside[c.Operation()+": "+step.Title]; what != "" {
		return what
	}
	for _, u := range unmade {
		if u.in.MatchString(step.Request) {
			return u.what
		}
	}
	if caller, _, _ := transcript.Head(step.Request); s.tokenOf(caller) == "" {
		return "the token of the " + caller
	}
	return ""
}

// replay is a conversation that is held again.
type replay struct {
	*probe

	// names are what the server calls what the recording calls otherwise.
	names map[string]string
	// latest are the token and the version of the latest answer that had any, by
	// placeholder.
	latest map[string]string
	// unordered says that the server gave the ids of the world, by which lists go.
	unordered bool
}

// make makes a part of the world.
func (r *replay) make(step conversations.Step) {
	a := r.recorded(strings.TrimSpace(step.Request))
	if a.status >= 300 {
		r.giveUp("The world of the conversations begins with %s.\n\t%v", step.Title, a)
	}
	r.settle(a)
	if strings.HasPrefix(step.Request, "POST") && !strings.Contains(step.Title, " ") {
		r.unordered = true
		r.names[step.Title] = path.Base(a.header.Get("Location"))
		if a.header.Get("Location") == "" {
			for _, record := range a.body {
				if of, ok := record.(object); ok && of["id"] != nil {
					r.names[step.Title], _ = of["id"].(string)
				}
			}
		}
	}
}

// step holds a step, and waits until what it has accepted is done. It reports whether
// the conversation can go on: not when the work is only accepted that was done when the
// conversation was recorded.
func (r *replay) step(step conversations.Step) bool {
	a := r.recorded(step.Request)
	if done, _, _ := strings.Cut(step.Answer, "\n"); a.status == http.StatusAccepted && done != "202" && a.header.Get("Operation-Location") != "" {
		if _, op := r.ended(a, func(*answer, object) {}); (op["status"] == "Failed") == (done[0] == '2') {
			r.failf("The conversation continues differently: %s: the operation has %v, and %s is recorded.\n\t%v", step.Title, op["status"], done, a)
		}
		return false
	}
	r.settle(a)
	if why := r.differs(step.Answer, a); why != "" {
		r.failf("The conversation continues differently: %s: %s.\n\t%v", step.Title, why, a)
	}
	return true
}

// recorded sends a request of the recording.
func (r *replay) recorded(request string) *answer {
	caller, method, target := transcript.Head(request)
	lines, body, _ := strings.Cut(request, "\n\n")
	var header []string
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		if strings.Contains(line, ": ") {
			header = append(header, r.filled(line))
		}
	}
	r.christen(method, target, body)
	other := r.acting(r.tokenOf(caller))
	a := other.patiently(method, r.renamed(r.filled(target)), r.renamedIn(r.filled(body)), header)
	if at := a.header.Get("Location"); a.status < 300 && lasting.MatchString(method+" "+target) && at != "" {
		r.later(at)
	}
	return a
}

// lasting is a request that makes what does not go with its twin.
var lasting = regexp.MustCompile(`^POST /(schedules|forms|issues)(/formDefinitions)?/?$|^POST /schedules/[^/]+/clone$`)

// newSchedule is a request that makes a schedule.
var newSchedule = regexp.MustCompile(`^POST /schedules/?$|^POST /schedules/[^/]+/clone$`)

// christen gives a schedule that is to be made a name that nobody has.
func (r *replay) christen(method, target, body string) {
	var made struct{ ID string }
	if !newSchedule.MatchString(method+" "+target) || json.Unmarshal([]byte(body), &made) != nil || made.ID == "" || r.names[made.ID] != "" {
		return
	}
	r.names[made.ID] = unused()
}

// filled is a text with the tokens that it refers to.
func (r *replay) filled(text string) string {
	for placeholder, value := range r.latest {
		text = strings.ReplaceAll(text, placeholder, value)
	}
	return text
}

// parts are what addresses are made of.
var parts = regexp.MustCompile(`[^/?&=,]+`)

// renamed is an address with the server's names.
func (r *replay) renamed(address string) string {
	return parts.ReplaceAllStringFunc(address, func(part string) string {
		if name, ok := r.names[unescaped(part)]; ok {
			return url.PathEscape(name)
		}
		return part
	})
}

// texts are those of a body.
var texts = regexp.MustCompile(`"[^"\\]*"(?:\s*:)?`)

// renamedIn is a body with the server's names.
func (r *replay) renamedIn(body string) string {
	return texts.ReplaceAllStringFunc(body, func(text string) string {
		if name, ok := r.names[strings.Trim(text, `"`)]; ok {
			return strconv.Quote(name)
		}
		return text
	})
}

// headerName is one that a recorded answer has a value of. What else has a colon in its
// first line is a body that is no JSON.
var headerName = regexp.MustCompile(`^[A-Z][A-Za-z]*(-[A-Z][A-Za-z0-9]*)*$`)

// differs says how an answer differs from the recorded one; empty when it does not.
func (r *replay) differs(recorded string, a *answer) string {
	status, rest, _ := strings.Cut(strings.TrimSpace(recorded), "\n")
	if strconv.Itoa(a.status) != status {
		return fmt.Sprintf("status %d, and %s is recorded", a.status, status)
	}
	for {
		line, behind, _ := strings.Cut(rest, "\n")
		name, want, ok := strings.Cut(line, ": ")
		if !ok || !headerName.MatchString(name) {
			break
		}
		rest = behind
		came := a.header.Get(name)
		if name == "Content-Type" {
			came, _, _ = strings.Cut(came, ";")
			want, _, _ = strings.Cut(want, ";")
		}
		if why := r.text(want, came); why != "" {
			return fmt.Sprintf("header %s: %s", name, why)
		}
	}
	for header, placeholder := range map[string]string{"Continuation-Token": "{{next}}", "Onward-Token": "{{next}}", "Delta-Token": "{{delta}}", "ETag": "{{etag}}"} {
		if v := a.header.Get(header); v != "" {
			r.latest[placeholder] = v
		}
	}
	var want any
	if rest = strings.TrimSpace(rest); json.Unmarshal([]byte(rest), &want) != nil {
		if rest != strings.TrimSpace(a.raw) {
			return "the body is recorded as " + rest
		}
		return ""
	}
	return r.value("body", want, any(a.body))
}

// value says how a value differs from the recorded one.
func (r *replay) value(at string, want, came any) string {
	switch want := want.(type) {
	case object:
		got, ok := came.(object)
		if !ok {
			return fmt.Sprintf("%s: %s is no object", at, encoded(came))
		}
		return r.members(at, want, got)
	case []any:
		got, ok := came.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf("%s: %d entries are recorded, and %s came", at, len(want), encoded(came))
		}
		return r.entries(at, want, got)
	case string:
		if got, ok := came.(string); ok {
			if why := r.text(want, got); why != "" {
				return at + ": " + why
			}
			return ""
		}
	}
	if !alike(want, came) {
		return fmt.Sprintf("%s: %s is recorded, and %s came", at, encoded(want), encoded(came))
	}
	return ""
}

func (r *replay) members(at string, want, came object) string {
	_, coded := want["code"]
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, ok := came[name]
		if !ok && slices.Contains(byCaller, name) {
			continue
		}
		if !ok {
			return fmt.Sprintf("%s: the member %s is missing", at, name)
		}
		if text, ok := got.(string); ok && text != "" && name == "message" && coded {
			continue // in words of the server's own
		}
		if told := momentary.MatchString(name) && isMoment(want[name]) && isMoment(got); told {
			continue
		}
		if why := r.value(at+"."+name, want[name], got); why != "" {
			return why
		}
	}
	for name := range came {
		if _, ok := want[name]; !ok && !slices.Contains(byCaller, name) {
			return fmt.Sprintf("%s: the member %s is not recorded", at, name)
		}
	}
	return ""
}

// entries compares lists, whose order may be another where the server gives the ids.
func (r *replay) entries(at string, want, came []any) string {
	before := maps.Clone(r.names)
	inOrder := ""
	for i := range want {
		if inOrder = r.value(fmt.Sprintf("%s.%d", at, i), want[i], came[i]); inOrder != "" {
			break
		}
	}
	if inOrder == "" || !r.unordered && !given.MatchString(encoded(want)) {
		return inOrder
	}
	r.names = before
	rest := slices.Clone(came)
	for _, w := range want {
		i := slices.IndexFunc(rest, func(c any) bool {
			before := maps.Clone(r.names)
			if r.value(at, w, c) == "" {
				return true
			}
			r.names = before
			return false
		})
		if i < 0 {
			return inOrder
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return ""
}

var (
	// given finds an id that the server gave when the conversation was recorded.
	given = regexp.MustCompile(`\b(new|seeded)-\d+\b`)
	// givenAlone is nothing but such an id, or that of a caller.
	givenAlone = regexp.MustCompile(`^((new|seeded)-\d+|writer|admin|Owner|Admin|44444444-4444-4444-8444-444444444444)$`)
)

// text says how a text differs from the recorded one. Addresses are compared part by
// part.
func (r *replay) text(want, came string) string {
	wrong := fmt.Sprintf("%q is recorded, and %q came", want, came)
	if came == "" && want != "" {
		return wrong
	}
	if below, ok := strings.CutPrefix(want, "https://api.test"); ok {
		came, ok = strings.CutPrefix(came, r.BaseURL)
		if !ok {
			return wrong
		}
		wanted, got := parts.FindAllString(below, -1), parts.FindAllString(came, -1)
		if len(wanted) != len(got) {
			return wrong
		}
		for i := range wanted {
			if parameter(wanted[i]) != parameter(got[i]) && !r.part(unescaped(wanted[i]), unescaped(got[i])) {
				return wrong
			}
		}
		return ""
	}
	if !r.part(want, came) {
		return wrong
	}
	return ""
}

// parameter is one spelling of the name of a parameter that has two.
func parameter(name string) string {
	if name == "projectId" {
		return "twinId"
	}
	return strings.TrimPrefix(name, "$")
}

// part reports whether a name or a value stands for the recorded one.
func (r *replay) part(want, came string) bool {
	if want == came || strings.HasPrefix(want, "{{") {
		return true
	}
	if want == recordedAt {
		return isMoment(came)
	}
	if name, ok := r.names[want]; ok {
		return name == came
	}
	if givenAlone.MatchString(want) {
		r.names[want] = came
		return true
	}
	return false
}

// recordedAt is when all conversations were recorded.
const recordedAt = "2026-01-05T09:00:00Z"

// byCaller are members that are left out of some records that are made by a caller whose
// id is no GUID.
var byCaller = []string{"assignee", "assignees"}

// momentary are members that tell when something happened, or will.
var momentary = regexp.MustCompile(`(At|On|DateTime)$`)

func isMoment(v any) bool {
	text, _ := v.(string)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func unescaped(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}
