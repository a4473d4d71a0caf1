// Package control gives tests control over a handler of the REST API: its clock, its faults,
// its journal and operations that are held, through Go and over HTTP below [Prefix]. It is
// for servers that tests use and for the harness of package httpapitest; it imports neither
// package testing nor the conformance suite.
package control

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/recorder"
)

// Controls are what a test controls around a handler: the clock, faults, the journal and
// operations that are held. A server for tests makes them, reads the time from Now, gives
// its services Gate, and serves what Handler returns.
type Controls struct {
	// Faults are what is to go wrong.
	Faults *Faults
	// Journal is what was called.
	Journal *Journal
	// Operations keeps operations from being done, or fails them, where the services were
	// made with Gate.
	Operations *Operations
	// Moved, when set, is called each time the clock was moved; Advance returns its error.
	// It is set before anything is served.
	Moved func() error

	clock *clock
}

// everyOperation is the table of operations, which is long and always the same.
var everyOperation = sync.OnceValue(httpapi.Operations)

// T is the test that controls belong to; a testing.TB is one.
type T interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any) // does not return
}

// New returns controls whose clock goes as now does, and further each time it is moved.
// A misuse of Faults.Add or Operations panics.
func New(now func() time.Time) *Controls {
	c := &Controls{clock: newClock(now)}
	c.Faults = &Faults{operations: everyOperation, now: c.clock.Now, refuse: func(err error) { panic(err) }}
	c.Journal = newJournal(everyOperation)
	c.Operations = newOperations(c.clock.Now)
	return c
}

// ForTest is New for the controls of one test, which a misuse fails.
func ForTest(t T, now func() time.Time) *Controls {
	c := New(now)
	c.Faults.refuse = func(err error) { t.Helper(); t.Fatalf("control: %v", err) }
	c.Operations.of(t)
	return c
}

// Advance moves the clock on by d, which is not negative, lets the held operations end
// that are due by then, and calls Moved. The clock goes as far as the beginning of 2262;
// where that would be passed it fails, and moves nothing.
func (c *Controls) Advance(d time.Duration) error {
	if err := c.clock.advance(d); err != nil {
		return err
	}
	if err := c.Operations.advanced(); err != nil || c.Moved == nil {
		return err
	}
	return c.Moved()
}

// Step sets the clock by d, also back, as an operator does who corrects a wrong clock: no time
// passes, and Elapsed stays. It calls Moved. The clock goes from 1970 to the beginning of 2262;
// where that would be left it fails, and moves nothing.
func (c *Controls) Step(d time.Duration) error {
	if err := c.clock.setBy(d); err != nil || c.Moved == nil {
		return err
	}
	return c.Moved()
}

// SetClock puts the clock to a moment, also to one that is past, as if what came since had never
// been, and does nothing else.
func (c *Controls) SetClock(now time.Time) { c.clock.set(now) }

// Now is the time by the one clock, for twinplatform.Env.
func (c *Controls) Now() time.Time { return c.clock.Now() }

// Elapsed is how much time has passed by the one clock, for twinplatform.Env.
func (c *Controls) Elapsed() time.Duration { return c.clock.elapsed() }

// Gate is for twinplatform.Env: it keeps the operations that are to be held.
func (c *Controls) Gate() twinplatform.OperationGate { return gate{c.Operations} }

type exchangeKey struct{}

// Handler answers as the API of cfg does, except for what is to go wrong, and serves the
// controls at Prefix. Any caller that reaches them may move the clock and make every call
// fail, so they are only for servers that exist for tests.
func (c *Controls) Handler(cfg httpapi.Config) (http.Handler, error) {
	api, err := httpapi.New(c.Observed(cfg))
	if err != nil {
		return nil, err
	}
	return c.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.Serve(api, w, r) }), nil), nil
}

// Observed is a handler's configuration that completes the journal as well. It is for those
// who call Serve instead of Handler.
func (c *Controls) Observed(cfg httpapi.Config) httpapi.Config {
	others := cfg.Observer
	cfg.Observer = func(ctx context.Context, o httpapi.Observation) {
		c.observe(ctx, o)
		if others != nil {
			others(ctx, o)
		}
	}
	return cfg
}

func (c *Controls) observe(ctx context.Context, o httpapi.Observation) {
	e, ok := ctx.Value(exchangeKey{}).(*Exchange)
	if !ok {
		return
	}
	e.Principal, e.Status, e.RequestID, e.Unread = o.Principal, o.Status, o.RequestID, o.Unread
	if o.Err != nil {
		e.Code = o.Err.Code
	}
}

// Serve answers a request of an operation as api does, whose configuration is Observed,
// except for what is to go wrong, and writes it into the journal.
func (c *Controls) Serve(api *httpapi.Handler, w http.ResponseWriter, r *http.Request) {
	o, _ := api.OperationOf(r)
	e := &Exchange{At: c.Now(), Operation: o.ID, Method: r.Method, Target: r.URL.RequestURI()}
	defer func() { c.Journal.add(*e) }()
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	h := c.Faults.take(o.ID)
	if h == nil {
		api.ServeHTTP(w, r)
		return
	}
	e.Fault = &h.Fault
	if !c.delay(w, r, h.Latency) {
		e.Lost = true
		return
	}
	switch {
	case h.refuses():
		if !h.Bare {
			api.Share(w, r)
		}
		e.Status, e.Code, e.RequestID = h.answer.Status, h.answer.Code, r.Header.Get(httpapi.RequestIDHeader)
		h.refuse(api, w)
	case h.Lost:
		e.Lost = true
		api.ServeHTTP(recorder.New(make(http.Header)), r)
		panic(http.ErrAbortHandler)
	case h.Truncated:
		e.Lost = true
		truncate(api, w, r)
	default:
		api.ServeHTTP(w, r)
	}
}

// Impatient is the ResponseWriter of a client in the same process: one whose deadline is
// nearer than a latency gives up at once, and nothing is done for it.
type Impatient interface {
	http.ResponseWriter
	GiveUp()
}

// delay lets time go by. It reports false where the client has given up by then.
func (c *Controls) delay(w http.ResponseWriter, r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	if client, ok := w.(Impatient); ok {
		if deadline, limited := r.Context().Deadline(); limited && time.Until(deadline) <= d {
			client.GiveUp()
			return false
		}
	}
	_ = c.Advance(d) // what is due continues being due
	return true
}

// refuse answers with the documented error, or with the status and body of a proxy.
func (h *happening) refuse(api *httpapi.Handler, w http.ResponseWriter) {
	header := w.Header()
	body := []byte(h.Body)
	switch {
	case !h.Bare:
		body = httperror.Body(api.Worded(h.Op,
			&twinplatform.Error{Code: h.answer.Code, Message: h.answer.Message, Target: h.answer.Target}))
		header.Set("Content-Type", "application/json")
	case h.Body != "":
		header.Set("Content-Type", "text/html; charset=utf-8")
	default:
		header["Content-Type"] = nil // which would be guessed
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	switch {
	case h.answer.Status == http.StatusUnauthorized && !h.Bare:
		header.Set("WWW-Authenticate", "Bearer")
	case h.RetryAfter > 0 || h.answer.Status == http.StatusTooManyRequests && !h.Bare:
		httperror.SetRetryAfter(header, h.RetryAfter)
	}
	w.WriteHeader(h.answer.Status)
	_, _ = w.Write(body)
}

// truncate sends the first half of an answer's body and cuts the connection off.
func truncate(api http.Handler, w http.ResponseWriter, r *http.Request) {
	whole := recorder.New(w.Header())
	api.ServeHTTP(whole, r)
	w.WriteHeader(whole.Status)
	if half := bytes.NewReader(whole.Body.Bytes()[:whole.Body.Len()/2]); half.Len() > 0 {
		_, _ = half.WriteTo(w)
	}
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
