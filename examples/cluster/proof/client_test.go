package proof_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// outcome is what a client knows of a request.
type outcome int

const (
	refused outcome = iota // nothing was done
	made                   // it was done
	unknown                // unknown: the connection broke, or the answer reports it
)

func (o outcome) String() string { return [...]string{"refused", "made", "of unknown outcome"}[o] }

// answer is what came of a request.
type answer struct {
	outcome
	node   int // that was asked
	status int // 0: none came
	code   string
	header http.Header
	raw    []byte
	body   map[string]any
}

// at is what is below members of the body; nil where there is nothing.
func (a answer) at(members ...string) any {
	var v any = a.body
	for _, m := range members {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[m]
	}
	return v
}

func (a answer) text(members ...string) string {
	s, _ := a.at(members...).(string)
	return s
}

// clients call the two nodes, and note what must not be.
type clients struct {
	t    *testing.T
	pair *pair
	http *http.Client

	failing [2]atomic.Bool  // nodes that may not answer at the moment
	waiting [2]atomic.Int64 // requests that they have not answered

	mu      sync.Mutex
	faults  []string
	answers map[string]int // by status and code
	longest lapse          // of requests to a node while the other one was failing
	service *service       // what they see; nil: that is not noted
}

// lapse is how long a request took.
type lapse struct {
	what string
	took time.Duration
}

// mostWaiting is how many clients may wait for a node that may not answer.
const mostWaiting = 6

// any is one of the nodes, for a client that does not mind which.
func (c *clients) any() int {
	node := number(2)
	if c.failing[node].Load() && c.waiting[node].Load() >= mostWaiting {
		return 1 - node
	}
	return node
}

func newClients(p *pair) *clients {
	c := &clients{t: p.t, pair: p, answers: make(map[string]int), http: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       2 * time.Minute,
	}}
	p.t.Cleanup(c.http.CloseIdleConnections)
	return c
}

// mostFaults are noted, so that they can be read.
const mostFaults = 30

// fault notes what must not be.
func (c *clients) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.faults) < mostFaults {
		c.faults = append(c.faults, fmt.Sprintf(format, args...))
	}
}

// number is a random one below n.
func number(n int) int {
	i, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err)
	}
	return int(i.Int64())
}

// request is one call.
type request struct {
	method, path string
	body         any    // sent as JSON, or as it is if it is bytes
	ifMatch      string // empty: none
	token        string // empty: that of the person
	header       http.Header
}

// send sends a request to a node, once.
func (c *clients) send(node int, r request) (a answer) {
	alone, began := c.failing[1-node].Load(), time.Now()
	c.waiting[node].Add(1)
	a = c.exchange(node, r)
	c.waiting[node].Add(-1)
	c.mu.Lock()
	c.answers[fmt.Sprint(a.status, " ", a.code)]++
	done := lapse{fmt.Sprint(r.method, " ", r.path, ": ", a.status, " ", a.code), time.Since(began)}
	if alone && done.took > c.longest.took {
		c.longest = done
	}
	c.service.note(r.method, a, done)
	c.mu.Unlock()
	if a.status >= 500 && a.status != http.StatusServiceUnavailable {
		c.fault("node %d answers %s %s with %d %s", node, r.method, r.path, a.status, a.raw)
	}
	return a
}

func (c *clients) exchange(node int, r request) (a answer) {
	a.node = node
	content, ok := r.body.([]byte)
	if !ok && r.body != nil {
		var err error
		if content, err = json.Marshal(r.body); err != nil {
			panic(err)
		}
	}
	req, err := http.NewRequestWithContext(c.t.Context(), r.method, c.pair.nodes[node].base()+r.path, bytes.NewReader(content))
	if err != nil {
		panic(err)
	}
	if r.token == "" {
		r.token = personToken
	}
	maps.Copy(req.Header, r.header)
	req.Header.Set("Authorization", "Bearer "+r.token)
	if r.body != nil && !ok {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.ifMatch != "" {
		req.Header.Set("If-Match", r.ifMatch)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); !ok || op.Op != "dial" {
			a.outcome = unknown
		}
		return a
	}
	defer resp.Body.Close()
	a.status, a.header = resp.StatusCode, resp.Header
	if a.raw, err = io.ReadAll(resp.Body); err != nil {
		// The status is there: what it says was done.
		a.raw = nil
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") && json.Unmarshal(a.raw, &a.body) == nil {
		a.code = a.text("error", "code")
	}
	switch {
	case a.status < 300 && err != nil && r.method != http.MethodGet:
		a.outcome = unknown // for the caller, who needs what it says
	case a.status < 300 && err == nil:
		a.outcome = made
	case a.code == "OutcomeUnknown", a.status >= 300 && err != nil:
		a.outcome = unknown
	}
	return a
}

const (
	// patience is how long a request is sent again, and an operation waited for.
	patience = 2 * time.Minute
	// breath is how long a client waits before it tries again.
	breath = 25 * time.Millisecond
)

// pause is what clients do between two attempts.
func pause() { <-time.After(breath) }

// passing reports whether a refusal has nothing to do with what was asked for.
func (a answer) passing() bool { return a.status == 0 || a.status == http.StatusServiceUnavailable }

// The answer to a second attempt, or its operation, where the first one, of unknown
// outcome, was made.
var (
	existing = []string{"AlreadyExists", "already", "Another "} // a creation
	missing  = []string{"NotFound", "not available"}            // a deletion
)

// insist sends a request to either node until it is made, also by an attempt of unknown
// outcome: then the answer to the next one is the proof.
func (c *clients) insist(r request, proof ...string) (a answer, ok bool) {
	doubt := false
	for began := time.Now(); time.Since(began) < patience; {
		a = c.send(c.any(), r)
		answer := a.code
		if a.outcome == made {
			failed, ended := c.await(a)
			if !ended {
				return a, false
			}
			if failed == "" {
				return a, true
			}
			answer = failed
		}
		switch {
		case a.outcome == unknown:
			doubt = true
		case doubt && slices.ContainsFunc(proof, func(p string) bool { return strings.Contains(answer, p) }):
			return a, true
		case !a.passing():
			c.fault("%s %s is answered by node %d with %d %s (%s; doubt: %v)", r.method, r.path, a.node, a.status, answer, a.raw, doubt)
			return a, false
		}
		pause()
	}
	c.fault("%s %s was not taken within %v: %d %s", r.method, r.path, patience, a.status, a.raw)
	return a, false
}

// read reads from either node until one answers.
func (c *clients) read(path string) (a answer) {
	for began := time.Now(); time.Since(began) < patience; {
		if a = c.send(c.any(), request{method: "GET", path: path}); !a.passing() && a.outcome != unknown {
			return a
		}
		pause()
	}
	c.fault("GET %s is not answered within %v", path, patience)
	return a
}

// readAt reads from one node, which has to answer.
func (c *clients) readAt(node int, path string) answer {
	return c.send(node, request{method: "GET", path: path})
}

// await waits for the operation that an answer names, if any, and returns why it failed.
func (c *clients) await(a answer) (failed string, ended bool) {
	location := a.header.Get("Operation-Location")
	if location == "" {
		return "", true
	}
	u, err := url.Parse(location)
	if err != nil {
		c.fault("an operation is at %q", location)
		return "", false
	}
	return c.ended(u.Path)
}

// ended waits until an operation has come to its end.
func (c *clients) ended(path string) (failed string, ok bool) {
	var a answer
	for began := time.Now(); time.Since(began) < patience; {
		a = c.read(path)
		switch a.text("operation", "status") {
		case "Succeeded":
			return "", true
		case "Failed":
			return a.text("operation", "failureDescription"), true
		}
		if a.status == http.StatusNotFound {
			c.fault("there is no operation %s, which was accepted", path)
			return "", false
		}
		pause()
	}
	c.fault("operation %s does not end: %s", path, a.raw)
	return "", false
}

// list reads all pages of a list from a node.
func (c *clients) list(node int, path string, members ...string) (items []map[string]any) {
	c.t.Helper()
	return c.listAs(node, personToken, path, members...)
}

// listAs is list for someone.
func (c *clients) listAs(node int, token, path string, members ...string) (items []map[string]any) {
	c.t.Helper()
	for path != "" {
		a := c.send(node, request{method: "GET", path: path, token: token})
		if a.status != http.StatusOK {
			c.t.Fatalf("node %d answers GET %s with %d %s", node, path, a.status, a.raw)
		}
		page, _ := a.at(members...).([]any)
		for _, item := range page {
			items = append(items, item.(map[string]any))
		}
		next, err := url.Parse(a.text("_links", "next", "href") + a.text(members[0], "_links", "next", "href"))
		if err != nil {
			c.t.Fatal(err)
		}
		path = next.RequestURI()
		if next.Path == "" {
			path = ""
		}
	}
	return items
}

// create makes what the tests need before anything is killed, and returns the answer.
func (c *clients) create(node int, path string, body any) answer {
	c.t.Helper()
	a := c.send(node, request{method: "POST", path: path, body: body})
	if a.outcome == made {
		if failed, ok := c.await(a); ok && failed == "" {
			return a
		}
	}
	c.t.Fatalf("POST %s: %d %s", path, a.status, a.raw)
	return a
}
