package conformance

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
)

// object is a JSON object.
type object = map[string]any

// errGivenUp ends a check after a failure that the rest depends on.
var errGivenUp = errors.New("conformance: given up")

// probe runs one check.
type probe struct {
	Server

	reporter Reporter
	as       string // the token of the caller
	twin     string // made or given
	undo     *[]undo
	whole    bool // no step of a conversation is passed over by name
}

// undo is what has been made and is to be deleted.
type undo struct{ token, path string }

// failf reports a difference between what is asked for and what came.
func (p *probe) failf(format string, args ...any) { p.reporter.Errorf(format, args...) }

// giveUp reports a difference that leaves nothing to look at.
func (p *probe) giveUp(format string, args ...any) {
	p.reporter.Errorf(format, args...)
	panic(errGivenUp)
}

// acting is the probe as another caller.
func (p *probe) acting(token string) *probe {
	other := *p
	other.as = token
	return &other
}

// cleanUp deletes what the check has made, the latest first.
func (p *probe) cleanUp() {
	defer func() { _ = recover() }() // the check has reported what it found
	for _, u := range slices.Backward(*p.undo) {
		other := p.acting(u.token)
		other.reporter = silent{p.reporter}
		other.call(http.MethodDelete, u.path, nil)
	}
}

// silent drops what is found: cleaning up is not a check.
type silent struct{ Reporter }

func (silent) Errorf(string, ...any) {}

// later deletes a path at the end of the check.
func (p *probe) later(path string) { *p.undo = append(*p.undo, undo{p.as, path}) }

// unused is an id that no one has.
func unused() string { return "conf-" + strings.ToLower(rand.Text()[:12]) }

// answer is an answer with the request that it is to.
type answer struct {
	request string
	status  int
	header  http.Header
	raw     string
	body    object
}

// String shows the exchange in a failure.
func (a *answer) String() string {
	text := a.raw
	if len(text) > 1000 {
		text = text[:1000] + "…"
	}
	return fmt.Sprintf("%s\n\tcame: %d %v\n\t%s", a.request, a.status, a.header, text)
}

// call sends a request. body is a text as it is, or a value to be sent as JSON;
// header holds lines. An answer that says to come back later is waited for.
func (p *probe) call(method, path string, body any, header ...string) *answer {
	a := p.patiently(method, path, body, header)
	p.checkWire(a)
	return a
}

// patiently sends a request again for as long as the answer says to come back later.
func (p *probe) patiently(method, path string, body any, header []string) *answer {
	text, isText := body.(string)
	if body != nil && !isText {
		encoded, err := json.Marshal(body)
		if err != nil {
			p.giveUp("encoding a request: %v", err)
		}
		text = string(encoded)
	}
	return p.ask(player.Request{Method: method, Target: path, Body: text, Header: header})
}

// asServer is the server as the caller reaches it.
func (p *probe) asServer() *player.Server {
	return &player.Server{
		URL: p.BaseURL, Client: p.Client, Token: func(string) string { return p.as },
		Patience: p.Patience, Now: time.Now,
	}
}

// ask sends a request as the caller.
func (p *probe) ask(r player.Request) *answer {
	line := r.Method + " " + r.Target
	if r.Body != "" {
		r.Header = append([]string{"Content-Type: application/json"}, r.Header...)
	}
	came, err := p.asServer().Send(p.reporter.Context(), r)
	if err != nil {
		p.giveUp("%s\n\tcame: no answer: %v", line, err)
	}
	a := &answer{request: shortened(line, r.Body), status: came.Status, header: came.Header, raw: came.Raw}
	if a.raw != "" && json.Unmarshal([]byte(a.raw), &a.body) != nil {
		a.body = nil
	}
	return a
}

// shortened is a request as failures show it.
func shortened(line, body string) string {
	if len(body) > 300 {
		body = body[:300] + "…"
	}
	return strings.TrimSpace(line + " " + body)
}

// sleep waits unless the check is to end.
func (p *probe) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.reporter.Context().Done():
		p.giveUp("the check ended: %v", p.reporter.Context().Err())
	}
}

func (p *probe) get(path string, header ...string) *answer {
	return p.call(http.MethodGet, path, nil, header...)
}

func (p *probe) post(path string, body any, header ...string) *answer {
	return p.call(http.MethodPost, path, body, header...)
}

func (p *probe) patch(path string, body any, header ...string) *answer {
	return p.call(http.MethodPatch, path, body, header...)
}

func (p *probe) delete(path string, header ...string) *answer {
	return p.call(http.MethodDelete, path, nil, header...)
}
