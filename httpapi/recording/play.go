package recording

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// Conversation is requests with the answers to them, as a file has them.
type Conversation = transcript.Conversation

// Read reads a conversation from a file.
func Read(file string) (*Conversation, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := transcript.Parse(filepath.Base(file), string(text))
	if len(c.Steps) == 0 {
		return nil, fmt.Errorf("%s: there is no step in it", file)
	}
	for _, s := range c.Steps {
		if _, method, target := transcript.Head(s.Request); method == "" || !strings.HasPrefix(target, "/") {
			return nil, fmt.Errorf("%s: %s: there is no request in it", file, s.Title)
		}
	}
	return c, nil
}

// Server is one with which conversations are held. It speaks as the specification does: a
// deployment that does not is reached through the Transport of its vocabulary.
type Server struct {
	URL string // under which it answers, without a slash at the end
	// Client sends the requests; nil means http.DefaultClient.
	Client *http.Client
	// Token is that of a caller of the conversations; empty: none is sent. Nil: no one has one.
	Token func(caller string) string
	// Patience is how long an operation that was accepted may take. 0 means 30 seconds.
	Patience time.Duration
	// Now is the clock of the server. Nil means time.Now.
	Now func() time.Time
}

// Sides are two servers with which conversations are held at the same time.
type Sides struct {
	// Target is what the other one is to be like. Nil means the recorded answers.
	Target *Server
	// Emulator is held to it.
	Emulator *Server
	// Operation returns the operation of a request; nil: the specification's operations are
	// known.
	Operation func(method, target string) string
}

// Play holds conversations with both sides, one after the other in one world, and returns how the
// emulator differs from the target, in the order in which that was seen. It fails where a side
// does not answer.
func (s Sides) Play(ctx context.Context, all ...*Conversation) ([]Difference, error) {
	target, emulator := newPlayer(s.Target), newPlayer(s.Emulator)
	operation := s.Operation
	if operation == nil {
		operation = specified()
	}
	d := &differ{target: target, emulator: emulator, pairs: newPairs(), sent: make(map[string]bool)}
	for _, c := range all {
		for _, step := range c.Steps {
			_, method, at := transcript.Head(step.Request)
			d.at(c.Path, step.Title, operation(method, at))
			if err := d.step(ctx, step); err != nil {
				return d.found, fmt.Errorf("%s: %s: %w", c.Path, step.Title, err)
			}
		}
	}
	return d.found, nil
}

// specified finds the operation of a request by the routes of the specification.
func specified() func(method, target string) string {
	known, err := httpapi.Vocabulary{}.Overhear("")
	return func(method, target string) string {
		at, errTarget := url.Parse(target)
		if err != nil || errTarget != nil {
			return ""
		}
		o, _ := known.OperationOf(method, at)
		return o.ID
	}
}

// player holds a conversation with one side. Without a server it is the recording.
type player struct {
	*Server
	names names
	began time.Time
}

func newPlayer(s *Server) *player {
	p := &player{names: newNames()}
	if s == nil {
		return p
	}
	own := *s
	own.URL = strings.TrimSuffix(own.URL, "/")
	if own.Client == nil {
		own.Client = http.DefaultClient
	}
	if own.Now == nil {
		own.Now = time.Now
	}
	if own.Patience == 0 {
		own.Patience = 30 * time.Second
	}
	p.Server, p.began = &own, own.Now()
	return p
}

// answer is one to a request of a conversation.
type answer struct {
	status int
	header http.Header
	raw    string
	body   any  // of JSON
	json   bool // the body is JSON
	open   bool // the body was not recorded, and may be any
}

// maxAnswer is how much of an answer is looked at, in bytes.
const maxAnswer = 16 << 20

// ask sends the request of a step, once more after the time that a busy server asks for, and waits
// until the work that it has accepted is done.
func (p *player) ask(ctx context.Context, step *transcript.Step) (*answer, error) {
	if p.Server == nil {
		return recorded(step.Answer), nil
	}
	caller, method, target := transcript.Head(step.Request)
	head, body, _ := strings.Cut(step.Request, "\n\n")
	var header []string
	for line := range strings.SplitSeq(strings.TrimSpace(head), "\n") {
		if strings.Contains(line, ": ") {
			header = append(header, p.names.fill(line))
		}
	}
	a, err := p.patiently(ctx, caller, method, p.URL+p.names.fillAddress(target), p.names.fill(body), header)
	if err != nil {
		return nil, err
	}
	if at := a.header.Get("Operation-Location"); a.status == http.StatusAccepted && at != "" {
		err = p.await(ctx, caller, at)
	}
	return a, err
}

func (p *player) patiently(ctx context.Context, caller, method, address, body string, header []string) (*answer, error) {
	for tries := 1; ; tries++ {
		a, err := p.send(ctx, caller, method, address, body, header)
		if err != nil {
			return nil, err
		}
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		if a.status != http.StatusTooManyRequests || err != nil || tries == 5 {
			return a, nil
		}
		if err := pause(ctx, time.Duration(wait)*time.Second); err != nil {
			return nil, err
		}
	}
}

func (p *player) send(ctx context.Context, caller, method, address, body string, header []string) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	version := "v1"
	if strings.Contains(req.URL.Path, "/forms") {
		version = "v2"
	}
	req.Header.Set("Accept", "application/vnd.vendor.twin-platform."+version+"+json")
	if p.Token != nil {
		if token := p.Token(caller); token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
	}
	if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	res, err := p.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // which was read
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	return newAnswer(res.StatusCode, res.Header, string(raw)), nil
}

func newAnswer(status int, header http.Header, raw string) *answer {
	a := &answer{status: status, header: header, raw: raw}
	d := json.NewDecoder(bytes.NewReader([]byte(raw)))
	d.UseNumber()
	a.json = raw != "" && d.Decode(&a.body) == nil && !d.More()
	return a
}

// recorded is an answer as a conversation has it.
func recorded(text string) *answer {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	status, _ := strconv.Atoi(line)
	header := make(http.Header)
	for rest != "" {
		line, behind, _ := strings.Cut(rest, "\n")
		name, value, ok := strings.Cut(line, ": ")
		if !ok || !slices.Contains(compared, http.CanonicalHeaderKey(name)) {
			break
		}
		header.Add(name, value)
		rest = behind
	}
	a := newAnswer(status, header, strings.TrimSpace(rest))
	a.open = a.raw == anyBody
	return a
}

// await asks for an operation until it is no longer under way.
func (p *player) await(ctx context.Context, caller, address string) error {
	if strings.HasPrefix(address, "/") {
		address = p.URL + address
	}
	for until, wait := time.Now().Add(p.Patience), 10*time.Millisecond; ; wait = min(2*wait, time.Second) {
		a, err := p.patiently(ctx, caller, http.MethodGet, address, "", nil)
		if err != nil || !underWay(a) {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("the operation at %s was not done within %s", address, p.Patience)
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// underWay reports whether an operation, as an answer has it, is.
func underWay(a *answer) bool {
	of, _ := a.body.(object)
	for _, inside := range of {
		if o, ok := inside.(object); ok && o["status"] != nil {
			of = o
		}
	}
	switch of["status"] {
	case "Queued", "Pending", "NotStarted", "Started", "Running", "InProgress", "Processing":
		return a.status == http.StatusOK
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
