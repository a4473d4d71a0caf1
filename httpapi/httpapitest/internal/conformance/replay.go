package conformance

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// play holds a conversation.
func (p *probe) play(c *conversations.Conversation) {
	in := settings[c.Area()]
	r := &replay{probe: p, area: c.Area(), names: make(map[string]string), latest: make(map[string]string), pages: recordedLists(c)}
	if p.ReaderID != "" {
		r.names["reader"] = p.ReaderID
	}
	for _, name := range in.own {
		r.names[name] = unused()
	}
	if !in.towerOfWorld {
		r.names[in.tower] = p.aTwin()
	}
	if needsBridge(c) {
		r.names[in.bridge] = p.newTwin(object{})
	}
	for _, step := range conversations.World(c.Area()).Steps {
		r.make(step)
	}
	if len(in.reading) > 0 && p.tokenOf(c.Area(), "reader") != "" && speaks(c, "reader") {
		p.grant(p.twin, in.reading...)
		if r.names[in.bridge] != "" {
			p.grant(r.names[in.bridge], in.reading...)
		}
	}
	for _, step := range c.Steps {
		needs := p.lackedByStep(c, step)
		if needs == "" {
			needs = r.unknown(step.Request)
		}
		if needs != "" {
			r.forget(step.Answer)
			p.reporter.Logf("passed over %q, which needs %s", step.Title, needs)
			continue
		}
		if !r.step(step) {
			return
		}
	}
}

// unknown reports what a request refers to that the server has given no id.
func (r *replay) unknown(request string) string {
	for _, id := range given.FindAllString(request, -1) {
		if r.names[id] == "" {
			return "what the recording calls " + id
		}
	}
	for _, placeholder := range tokens {
		if strings.Contains(request, placeholder) && r.latest[placeholder] == "" {
			return placeholder + " of a step that was passed over"
		}
	}
	return ""
}

// forget drops the tokens that the answer to a step that is passed over has others of.
func (r *replay) forget(recorded string) {
	for header, placeholder := range tokens {
		if strings.Contains(recorded, "\n"+header+": ") {
			delete(r.latest, placeholder)
		}
	}
}

// speaks reports whether a caller has a part in a conversation.
func speaks(c *conversations.Conversation, caller string) bool {
	return slices.ContainsFunc(c.Steps, func(s conversations.Step) bool { return strings.HasPrefix(s.Request, "as "+caller+"\n") })
}

// replay is a conversation that is held again.
type replay struct {
	*probe

	area string
	// names are what the server calls what the recording calls otherwise.
	names map[string]string
	// latest are the token and the version of the latest answer that had any, by
	// placeholder.
	latest map[string]string
	// pages are the entries of all recorded pages of each list.
	pages map[string][]any
	// unordered reports that the server gave the ids of the world, by which lists go.
	unordered bool
}

// make makes a part of the world.
func (r *replay) make(step conversations.Step) {
	a := r.recorded(conversations.Step{Request: strings.TrimSpace(step.Request), Answer: "2"})
	if a.status >= 300 {
		r.giveUp("The world of the conversations begins with %s.\n\t%v", step.Title, a)
	}
	r.await(a)
	if _, body, ok := strings.Cut(step.Answer, "\n\n"); ok {
		var names any
		if err := json.Unmarshal([]byte(body), &names); err != nil {
			panic(err) // the files are part of the program
		}
		r.learn(names, any(a.body))
	}
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

// step holds a step, and waits until what it has accepted is done. It reports whether the
// conversation can continue: not when the work is only accepted that was done when the
// conversation was recorded.
func (r *replay) step(step conversations.Step) bool {
	a := r.recorded(step)
	if done, _, _ := strings.Cut(step.Answer, "\n"); a.status == http.StatusAccepted && done != "202" && a.header.Get("Operation-Location") != "" {
		if _, op := r.ended(a, func(*answer, object) {}); (op["status"] == "Failed") == (done[0] == '2') {
			r.failf("The conversation continues differently: %s: the operation has %v, and %s is recorded.\n\t%v", step.Title, op["status"], done, a)
		}
		r.reporter.Logf("passed over what comes after %q: the server does its work after the answer, and that of the recording before it", step.Title)
		return false
	}
	if a.status == http.StatusServiceUnavailable && r.area == "realitydata" {
		r.reporter.Logf("passed over what comes after %q: the server keeps no bytes of reality data", step.Title)
		return false
	}
	r.await(a)
	if member := doneLater(step.Answer, a); member != "" {
		r.reporter.Logf("passed over what comes after %q: the server does its work after the answer, and %s is recorded in it", step.Title, member)
		return false
	}
	if why := r.differs(step.Answer, a); why != "" {
		r.failf("The conversation continues differently: %s: %s.\n\t%v", step.Title, why, a)
	}
	return true
}

// ends are members that say when work has ended.
var ends = regexp.MustCompile(`"(completedDateTime|finishedDateTime|endedDateTime)": ?("|null)`)

// doneLater returns the member of a recorded answer that says when the work of the request had
// ended, where the server says that it has not yet.
func doneLater(recorded string, a *answer) string {
	for _, m := range ends.FindAllStringSubmatch(recorded, -1) {
		if m[2] == `"` && strings.Contains(strings.ReplaceAll(a.raw, " ", ""), `"`+m[1]+`":null`) {
			return m[1]
		}
	}
	return ""
}

// recorded sends a request of the recording.
func (r *replay) recorded(step conversations.Step) *answer {
	request := step.Request
	caller, method, target := transcript.Head(request)
	lines, body, _ := strings.Cut(request, "\n\n")
	var header []string
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		if strings.Contains(line, ": ") {
			header = append(header, r.filled(line))
		}
	}
	if strings.HasPrefix(step.Answer, "2") {
		r.christen(method, target, body)
	}
	other := r.acting(r.tokenOf(r.area, caller))
	a := other.patiently(method, r.renamed(r.filled(target)), r.renamedIn(r.filled(body)), header)
	if at := a.header.Get("Location"); a.status < 300 && lasting.MatchString(method+" "+target) && at != "" {
		r.later(at)
	}
	return a
}

// lasting is a request that makes what does not go with its twin.
var lasting = regexp.MustCompile(`^POST /(schedules|forms|issues|twins|models|webhooks)(/formDefinitions)?/?$|^POST /schedules/[^/]+/clone$` +
	`|^POST /reality-management/reality-data/?$|^POST /reality-analysis/detectors$|^POST /transformations/configurations/`)

// newlyNamed is a request that makes what is named by its caller, alone on the server.
var newlyNamed = regexp.MustCompile(`^POST /schedules(/[^/]+/clone)?/?$|^POST /models$|^POST /saved-views(/groups|/tags)?$|^POST /reality-analysis/detectors$`)

// christen gives what is to be made a name that nothing else has.
func (r *replay) christen(method, target, body string) {
	var made struct{ ID, Name string }
	if !newlyNamed.MatchString(method+" "+target) || json.Unmarshal([]byte(body), &made) != nil {
		return
	}
	name := made.ID
	if strings.HasSuffix(target, "/detectors") {
		name = made.Name
	}
	if name != "" && r.names[name] == "" {
		r.names[name] = unused()
	}
}

// filled is a text with the tokens that it refers to.
func (r *replay) filled(text string) string {
	text = conversations.Pictures(text)
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
