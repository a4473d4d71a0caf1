package proof_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// register is a record whose text is read and written.
type register struct {
	path, list string // list is empty where it is not read with others
	wrap, many string // members of answers with one, and with all
	member     string // the text
}

// group is registers that are read together, or one alone: what is done to different
// groups has no common order that a client could see.
type group []register

// values are what the registers of a group hold, and the state of the model. Every value is
// written once, so that it stands for the version, and for its ETag.
type values [3]int

// call is the input of an operation.
type call struct {
	group   int
	kind    kind
	at      int // the register
	from    int // what the version was that a change asks for
	value   int // to write
	unknown bool
}

type kind string

const (
	readOne kind = "read"
	readAll kind = "read all"
	write   kind = "write"
	swap    kind = "write if unchanged"
)

// result is the output of an operation.
type result struct {
	values values // of a read
	done   bool   // of a conditional change
}

// model is what nodes that share a store must behave like: as one.
var model = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byGroup := make(map[int][]porcupine.Operation)
		for _, op := range history {
			g := op.Input.(call).group
			byGroup[g] = append(byGroup[g], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byGroup {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return values{} },
	Step: func(state, input, output any) (bool, any) {
		now, c, got := state.(values), input.(call), output.(result)
		after := now
		after[c.at] = c.value
		switch c.kind {
		case readOne:
			return got.values[c.at] == now[c.at], now
		case readAll:
			return got.values == now, now
		case write:
			return true, after
		}
		current := now[c.at] == c.from
		if !current {
			after = now
		}
		return c.unknown || got.done == current, after
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
}

// historian lets clients call two nodes, and keeps what they did and saw.
type historian struct {
	*clients

	groups []group
	began  time.Time

	mu      sync.Mutex
	history []porcupine.Operation
	last    int // the latest value
}

// newHistorian makes records of three areas, all of which hold 0.
func newHistorian(c *clients) *historian {
	h := &historian{clients: c}
	thing := map[string]any{"class": "Thing", "displayName": rand.Text(), "type": "0"}
	twin := c.create(0, "/twins", thing).text("twin", "id")
	tasks := "/schedules/" + c.create(0, "/schedules", map[string]any{"name": "plan", "twinId": twin}).text("schedule", "id") + "/tasks"
	var plan group
	for i := range len(values{}) {
		id := fmt.Sprintf("task-%d", i)
		c.create(1, tasks, map[string]any{"id": id, "name": "0", "type": "Work"})
		plan = append(plan, register{path: tasks + "/" + id, list: tasks, wrap: "task", many: "tasks", member: "name"})
	}
	definition := c.create(0, "/forms/formDefinitions", map[string]any{"twinId": twin, "displayName": "Snag", "type": "Snag", "status": "Approved"}).text("formDefinition", "id")
	form := c.create(1, "/forms", map[string]any{"formId": definition, "subject": "0"}).text("formData", "id")
	h.groups = []group{
		plan,
		{{path: "/twins/" + twin, wrap: "twin", member: "type"}},
		{{path: "/forms/" + form, wrap: "formData", member: "subject"}},
	}
	h.began = time.Now()
	return h
}

// client makes calls, one after the other, at either node.
func (h *historian) client(id, calls int) {
	type version struct {
		value int
		etag  string
	}
	known := make(map[string]version) // by path
	for range calls {
		g := number(len(h.groups))
		c := call{group: g, at: number(len(h.groups[g])), kind: []kind{readOne, readAll, write, swap, swap}[number(5)]}
		at := h.groups[g][c.at]
		if c.kind == readAll && at.list == "" || c.kind == swap && known[at.path].etag == "" {
			c.kind = readOne
		}
		r := request{method: "GET", path: at.path}
		switch c.kind {
		case readAll:
			r.path = at.list
		case write, swap:
			h.mu.Lock()
			h.last++
			c.value = h.last
			h.mu.Unlock()
			r.method, r.body = "PATCH", map[string]any{at.member: strconv.Itoa(c.value)}
			if c.kind == swap {
				c.from, r.ifMatch = known[at.path].value, known[at.path].etag
			}
		}
		begin := time.Since(h.began)
		a := h.send(h.any(), r)
		end := time.Since(h.began)
		lost := c.kind == swap && a.code == "VersionMismatch"
		switch {
		case a.outcome == unknown && r.method == "GET":
			continue
		case a.outcome == unknown:
			c.unknown, end = true, math.MaxInt64 // it may be done at any time, or, which is the same to all, after everything
		case a.outcome == refused && !lost:
			if !a.passing() {
				h.fault("%s %s is refused with %d %s", r.method, r.path, a.status, a.raw)
			}
			pause()
			continue
		}
		out := result{done: !lost}
		if a.outcome == made {
			out.values = h.seen(a, c, at)
			if etag := a.header.Get("ETag"); c.kind != readAll && etag != "" {
				known[at.path] = version{out.values[c.at], etag}
			}
		} else {
			delete(known, at.path)
		}
		h.mu.Lock()
		h.history = append(h.history, porcupine.Operation{ClientId: id, Input: c, Output: out, Call: int64(begin), Return: int64(end)})
		h.mu.Unlock()
	}
}

// seen are the values that an answer shows.
func (h *historian) seen(a answer, c call, at register) (v values) {
	number := func(text any) int {
		s, _ := text.(string)
		n, err := strconv.Atoi(s)
		if err != nil {
			h.fault("%s shows %q: %s", at.path, text, a.raw)
		}
		return n
	}
	if c.kind != readAll {
		v[c.at] = number(a.at(at.wrap, at.member))
		return v
	}
	all, _ := a.at(at.many).([]any)
	for _, item := range all {
		record := item.(map[string]any)
		i := slices.IndexFunc(h.groups[c.group], func(r register) bool { return strings.HasSuffix(r.path, "/"+record["id"].(string)) })
		v[i] = number(record[at.member])
	}
	return v
}

// holds reports whether the history is one that a single node may show too.
func (h *historian) holds() bool {
	verdict := porcupine.CheckOperationsTimeout(model, h.history, time.Minute)
	doubtful := 0
	for _, op := range h.history {
		if op.Input.(call).unknown {
			doubtful++
		}
	}
	h.t.Logf("%d operations, %d of unknown outcome: %s", len(h.history), doubtful, verdict)
	for _, fault := range h.faults {
		h.t.Error(fault)
	}
	return verdict != porcupine.Illegal
}

// record lets eight clients make calls, and meanwhile something happen.
func (h *historian) record(calls int, meanwhile func()) {
	var running sync.WaitGroup
	for id := range 8 {
		running.Go(func() { h.client(id, calls) })
	}
	meanwhile()
	running.Wait()
}

// What clients do and see at two nodes could all have happened one after the other at a
// single one, also while one of the two is killed and comes back.
func TestTwoNodesAnswerLikeOne(t *testing.T) {
	t.Parallel()
	if testing.Short() || testsize.Raced {
		t.Skip("starts processes")
	}
	p := startPair(t, false)
	for range storagetest.Scale(3) {
		h := newHistorian(newClients(p))
		h.record(150, func() {
			for i := range 3 {
				<-time.After(time.Duration(20+number(150)) * time.Millisecond)
				p.nodes[i%2].kill()
				p.nodes[i%2].start()
			}
		})
		if !h.holds() {
			t.Error("the calls cannot have happened one after the other")
		}
		if t.Failed() {
			return
		}
	}
}

// The checker finds a node that answers from what it has read before, and one that does
// not ask whether a record is as it was.
func TestNodesThatAnswerForThemselvesAreFound(t *testing.T) {
	t.Parallel()
	if testing.Short() || testsize.Raced {
		t.Skip("starts processes")
	}
	p := startPair(t, false)
	for name, broken := range map[string]http.RoundTripper{
		"stale reads":           &lagging{host: p.nodes[1].address, answers: make(map[string]*kept)},
		"unconditional changes": heedless{host: p.nodes[1].address},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 10 {
				c := newClients(p)
				h := newHistorian(c)
				c.http.Transport = broken
				if h.record(40, func() {}); !h.holds() {
					return
				}
			}
			t.Error("ten histories of a node that breaks the promises were found right")
		})
	}
}

// lagging answers each read at a host with what the one before it was answered.
type lagging struct {
	host string

	mu      sync.Mutex
	answers map[string]*kept // by path
}

type kept struct {
	status int
	header http.Header
	body   []byte
}

func (l *lagging) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.URL.Host != l.host || r.Method != http.MethodGet {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := &kept{resp.StatusCode, resp.Header, body}
	before := l.answers[r.URL.Path]
	if l.answers[r.URL.Path] = now; before == nil {
		before = now
	}
	resp.StatusCode, resp.Header, resp.Body = before.status, before.header, io.NopCloser(bytes.NewReader(before.body))
	return resp, nil
}

// heedless makes changes at a host whatever they ask for.
type heedless struct{ host string }

func (h heedless) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == h.host {
		r = r.Clone(r.Context())
		r.Header.Del("If-Match")
	}
	return http.DefaultTransport.RoundTrip(r)
}
