package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// play holds a conversation.
func (p *probe) play(c *conversations.Conversation) {
	in := settings[c.Area()]
	r := newReplay(p, c)
	if p.ReaderID != "" {
		r.server.Bind("reader", p.ReaderID)
	}
	for _, name := range in.own {
		r.server.Bind(name, unused())
	}
	if !in.towerOfWorld {
		r.server.Bind(in.tower, p.aTwin())
	}
	bridge := ""
	if needsBridge(c) {
		bridge = p.newTwin(object{})
		r.server.Bind(in.bridge, bridge)
	}
	for _, step := range conversations.World(c.Area()).Steps {
		r.make(step)
	}
	if len(in.reading) > 0 && p.tokenOf(c.Area(), "reader") != "" && speaks(c, "reader") {
		p.grant(p.twin, in.reading...)
		if bridge != "" {
			p.grant(bridge, in.reading...)
		}
	}
	for _, step := range c.Steps {
		needs := p.lackedByStep(c, step)
		if needs == "" {
			needs = r.unknown(step.Request)
		}
		if needs != "" {
			r.server.Forget(player.Recorded(step.Answer))
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
	name := r.server.Lacks(request)
	switch {
	case name == "":
		return ""
	case strings.HasPrefix(name, "{{"):
		return name + " of a step that was passed over"
	}
	return "what the recording calls " + name
}

// speaks reports whether a caller has a part in a conversation.
func speaks(c *conversations.Conversation, caller string) bool {
	return slices.ContainsFunc(c.Steps,
		func(s conversations.Step) bool { return strings.HasPrefix(s.Request, "as "+caller+"\n") })
}

// replay is a conversation that is held again.
type replay struct {
	*probe

	area   string
	server *player.Player // which knows what the server calls what the recording calls otherwise
	differ *player.Differ // of the server from the recording
}

func newReplay(p *probe, c *conversations.Conversation) *replay {
	recording := player.New(nil)
	r := &replay{probe: p, area: c.Area(), server: player.New(p.asServer())}
	recording.Given, r.server.Given = given, given
	r.differ = player.NewDiffer(recording, r.server)
	r.differ.Alike, r.differ.Left, r.differ.Pages = ofRecording, left, recordedLists(c)
	return r
}

// make makes a part of the world.
func (r *replay) make(step conversations.Step) {
	a := r.recorded(conversations.Step{Request: strings.TrimSpace(step.Request), Answer: "2"})
	r.differ.Sent(moments.ReplaceAllString(step.Request, `""`)) // which servers note too, by the recording's clock
	if a.status >= 300 {
		r.giveUp("The world of the conversations begins with %s.\n\t%v", step.Title, a)
	}
	r.await(a)
	if _, body, ok := strings.Cut(step.Answer, "\n\n"); ok {
		r.server.Know(player.NewAnswer(a.status, nil, body), player.NewAnswer(a.status, nil, a.raw))
	}
	if strings.HasPrefix(step.Request, "POST") && !strings.Contains(step.Title, " ") {
		r.differ.Unordered = true
		id := path.Base(a.header.Get("Location"))
		if a.header.Get("Location") == "" {
			for _, record := range a.body {
				if of, ok := record.(object); ok && of["id"] != nil {
					id, _ = of["id"].(string)
				}
			}
		}
		r.server.Bind(step.Title, id)
	}
}

// moments matches the moments in a body.
var moments = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`)

// step holds a step, and waits until what it has accepted is done. It reports whether the
// conversation can continue: not when the work is only accepted that was done when the
// conversation was recorded.
func (r *replay) step(step conversations.Step) bool {
	a := r.recorded(step)
	if done, _, _ := strings.Cut(step.Answer, "\n"); a.status == http.StatusAccepted && done != "202" &&
		a.header.Get("Operation-Location") != "" {
		if _, op := r.ended(a, func(*answer, object) {}); (op["status"] == "Failed") == (done[0] == '2') {
			r.failf("The conversation continues differently: %s: the operation has %v, and %s is recorded.\n\t%v",
				step.Title, op["status"], done, a)
		}
		r.reporter.Logf("passed over what comes after %q: the server does its work after the answer, and that of the "+
			"recording before it", step.Title)
		return false
	}
	if a.status == http.StatusServiceUnavailable && r.area == "realitydata" {
		r.reporter.Logf("passed over what comes after %q: the server keeps no bytes of reality data", step.Title)
		return false
	}
	r.await(a)
	if member := doneLater(step.Answer, a); member != "" {
		r.reporter.Logf("passed over what comes after %q: the server does its work after the answer, and %s is "+
			"recorded in it", step.Title, member)
		return false
	}
	if why := r.differs(step, a); why != "" {
		r.failf("The conversation continues differently: %s: %s.\n\t%v", step.Title, why, a)
	}
	return true
}

// differs reports how an answer differs from the recorded one; empty when it does not. A header
// that is not recorded is the server's own.
func (r *replay) differs(step conversations.Step, a *answer) string {
	r.differ.Found = nil
	r.differ.Answers(&step, player.Recorded(step.Answer), player.NewAnswer(a.status, a.header, a.raw))
	var all []string
	for _, d := range r.differ.Found {
		if d.Kind != player.Added || !strings.HasPrefix(d.Member, "header ") {
			all = append(all, fmt.Sprintf("%s (%s): %s is recorded, and %s came", d.Member, d.Kind,
				player.Shown(d.Target), player.Shown(d.Emulator)))
		}
	}
	return strings.Join(all, "; ")
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
	request := conversations.Pictures(step.Request)
	caller, method, target := transcript.Head(request)
	if _, body, _ := strings.Cut(request, "\n\n"); strings.HasPrefix(step.Answer, "2") {
		r.christen(method, target, body)
	}
	other := r.acting(r.tokenOf(r.area, caller))
	a := other.ask(r.server.Filled(request))
	if at := a.header.Get("Location"); a.status < 300 && lasting.MatchString(method+" "+target) && at != "" {
		r.later(at)
	}
	return a
}

// lasting is a request that makes what does not go with its twin.
var lasting = regexp.MustCompile(`^POST /(schedules|forms|issues|twins|models|webhooks)(/formDefinitions)?/?$` +
	`|^POST /schedules/[^/]+/clone$` +
	`|^POST /reality-management/reality-data/?$|^POST /reality-analysis/detectors$` +
	`|^POST /transformations/configurations/`)

// newlyNamed is a request that makes what is named by its caller, alone on the server.
var newlyNamed = regexp.MustCompile(`^POST /schedules(/[^/]+/clone)?/?$|^POST /models$` +
	`|^POST /saved-views(/groups|/tags)?$|^POST /reality-analysis/detectors$`)

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
	if name != "" {
		r.server.Bind(name, unused())
	}
}

// recordedLists are the entries of all lists in the answers of a conversation, by where they are.
func recordedLists(c *conversations.Conversation) map[string][]any {
	out := make(map[string][]any)
	for _, step := range c.Steps {
		body, _ := player.Recorded(step.Answer).Body.(object)
		for name, v := range body {
			if list, ok := v.([]any); ok {
				out[name+"[]"] = append(out[name+"[]"], list...)
			}
		}
	}
	return out
}
