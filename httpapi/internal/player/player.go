// Package player holds conversations of package transcript: it fills requests with the values
// that a side has for the names in them, sends them, learns from the answers, and tells whether two
// answers are the same, by one of two rules.
//
// [Exactly] is the rule for a world that is the recorded one: an answer is the recorded text. A
// [Differ] compares by meaning, for servers with ids, tokens and clocks of their own. Both name
// what differs by member and kind, and what is equal exactly is equal by meaning.
package player

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// Doer sends a request, as an http.Client does.
type Doer interface {
	Do(req *http.Request) (*http.Response, error)
}

// Server is one with which conversations are held.
type Server struct {
	URL string // under which it answers, without a slash at the end
	// Client sends the requests.
	Client Doer
	// Token is what a caller of the conversations sends; empty: none is sent. Nil: no one has one.
	Token func(caller string) string
	// Patience is how long an operation that was accepted may take.
	Patience time.Duration
	// Now is the clock of the server.
	Now func() time.Time
}

// Player holds a conversation with one side. The zero value knows no names, and its side is the
// recording.
type Player struct {
	*Server // nil: the recording

	// Given says which names the conversation has for what a server chose, in addition to those in
	// braces and those that begin with new- and seeded-.
	Given *Given

	names   map[string]string // values by the names of the conversation
	known   map[string]string // names by the values
	once    []string          // values that stood for a name for a while, each with the name
	knowing bool              // shared names are learned from what is called alike, too
	began   time.Time
}

// Given finds names for what a server chose.
type Given struct {
	Whole  *regexp.Regexp // a text that is one
	Inside *regexp.Regexp // one within a text
	Shared *regexp.Regexp // a text that is one of several for what may be the same; nil: there is none
}

// braced are the names that all conversations have.
var braced = &Given{
	Whole:  regexp.MustCompile(`^(?:\{\{[a-z]+(?:-[0-9]+)?\}\}|(?:new|seeded)-[0-9]+)$`),
	Inside: variable,
}

// New returns a player that holds conversations with a server; with the recording where it is nil.
func New(s *Server) *Player {
	p := &Player{Server: s}
	if s != nil {
		p.began = s.Now()
	}
	return p
}

func (p *Player) given() *Given {
	if p.Given != nil {
		return p.Given
	}
	return braced
}

// Request is one of a conversation with the values of a side.
type Request struct {
	Caller, Method, Target string
	Header                 []string // lines
	Body                   string
}

// Filled is a request as the side is sent it.
func (p *Player) Filled(request string) Request {
	caller, method, target := transcript.Head(request)
	head, body, _ := strings.Cut(request, "\n\n")
	r := Request{Caller: caller, Method: method, Target: p.fillAddress(target), Body: p.fillBody(body)}
	for line := range strings.SplitSeq(strings.TrimSpace(head), "\n") {
		if strings.Contains(line, ": ") {
			r.Header = append(r.Header, p.Fill(line))
		}
	}
	return r
}

// maxAnswer is how much of an answer is looked at, in bytes.
const maxAnswer = 16 << 20

// Ask sends the request of a step, once more after the time that a busy server asks for, and waits
// until the work that it has accepted is done. The recording answers what was recorded.
func (p *Player) Ask(ctx context.Context, step *transcript.Step) (*Answer, error) {
	if p.Server == nil {
		return Recorded(step.Answer), nil
	}
	r := p.Filled(step.Request)
	if strings.HasPrefix(r.Body, "{") || strings.HasPrefix(r.Body, "[") {
		r.Header = append([]string{"Content-Type: application/json"}, r.Header...)
	}
	a, err := p.Send(ctx, r)
	if err != nil {
		return nil, err
	}
	if at := a.Header.Get("Operation-Location"); a.Status == http.StatusAccepted && at != "" {
		err = p.await(ctx, r.Caller, at)
	}
	return a, err
}

// Send sends a request, and again for as long as the answer says to come back later, five times at
// most. The target is a path or a whole address.
func (s *Server) Send(ctx context.Context, r Request) (*Answer, error) {
	for tries := 1; ; tries++ {
		a, err := s.send(ctx, r)
		if err != nil {
			return nil, err
		}
		wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
		if a.Status != http.StatusTooManyRequests || err != nil || tries == 5 {
			return a, nil
		}
		if err := pause(ctx, time.Duration(wait)*time.Second); err != nil {
			return nil, err
		}
	}
}

func (s *Server) send(ctx context.Context, r Request) (*Answer, error) {
	address := r.Target
	if strings.HasPrefix(address, "/") {
		address = s.URL + address
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, address, strings.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	version := "v1"
	if strings.Contains(req.URL.Path, "/forms") {
		version = "v2" // of the documented list
	}
	req.Header.Set("Accept", "application/vnd.vendor.twin-platform."+version+"+json")
	if s.Token != nil {
		if token := s.Token(r.Caller); token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
	}
	for _, line := range r.Header {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	res, err := s.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // which was read
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("%d and no whole body: %w", res.StatusCode, err)
	}
	return NewAnswer(res.StatusCode, res.Header, string(raw)), nil
}

// await asks for an operation until it is no longer under way.
func (s *Server) await(ctx context.Context, caller, address string) error {
	for until, wait := time.Now().Add(s.Patience), 10*time.Millisecond; ; wait = min(2*wait, time.Second) {
		a, err := s.Send(ctx, Request{Caller: caller, Method: http.MethodGet, Target: address})
		if err != nil || !underWay(a) {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("the operation at %s was not done within %s", address, s.Patience)
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// underWay reports whether an operation, as an answer has it, is.
func underWay(a *Answer) bool {
	of, _ := a.Body.(Object)
	for _, inside := range of {
		if o, ok := inside.(Object); ok && o["status"] != nil {
			of = o
		}
	}
	switch of["status"] {
	case "Queued", "Pending", "NotStarted", "Started", "Running", "InProgress", "Processing":
		return a.Status == http.StatusOK
	}
	return false
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unescaped is a part of an address as it was meant; what is no escape stays.
func Unescaped(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}
