package control

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Fault is what goes wrong with the calls of an operation:
//
//	controls.Faults.Add(control.Fault{Op: "tasks.create", Times: 2, Status: 429, RetryAfter: time.Minute})
//
// It answers with a documented error, or as a proxy before the server would, loses or cuts
// off the answer, or takes its time; only the last goes with any of the others.
type Fault struct {
	// Op is the id of the operation, as in docs/operations.md, or the specification's.
	// Required.
	Op string
	// Times is how many calls it happens to. 0 means one, and where RetryAfter is
	// given every call until so much time has gone by since the first: a client
	// that does not wait is refused again.
	Times int
	// Skip is the number of calls that go well before.
	Skip int

	// Status and Code choose the error that is answered before anything is done; it must be
	// one that the operation documents. Either may be left out: the first error that has
	// the other one is meant.
	Status int
	Code   string
	// RetryAfter is how long the client is asked to wait, with a 429 or 503.
	RetryAfter time.Duration

	// Bare answers with Status, which is 400 to 599 and need not be documented, and with
	// Body instead of an error of the API, without anything having been done: a failure of
	// a proxy or a gateway. An empty Body is sent without a type, another as text/html.
	Bare bool
	Body string

	// Lost does what is asked for and ends the connection without an answer.
	Lost bool
	// Truncated does what is asked for and ends the connection in the middle of
	// the answer's body, which has to have one.
	Truncated bool
	// Latency is by how much the clock moves on before anything is done. A client
	// in the same process (Impatient) whose deadline is nearer than that gives up at once, and nothing
	// is done.
	Latency time.Duration
}

// resolve returns the error that the fault answers with, the zero value where it
// answers with none, or says why there cannot be such a fault. Op is the operation's id
// afterwards.
func (f *Fault) resolve(operations []httpapi.Operation) (httpapi.OperationError, error) {
	var none httpapi.OperationError
	o, err := operationIn(operations, f.Op)
	if err != nil {
		return none, err
	}
	f.Op = o.ID
	if err := f.check(); err != nil {
		return none, err
	}
	switch {
	case f.Bare:
		return httpapi.OperationError{Status: f.Status}, nil
	case !f.refuses():
		return none, nil
	}
	for _, e := range o.Errors {
		if (f.Status == 0 || f.Status == e.Status) && (f.Code == "" || f.Code == e.Code) {
			return e, f.waits(e)
		}
	}
	return none, fmt.Errorf("%s is not documented to answer with %s; it is with %s", f.Op,
		strings.TrimSpace(fmt.Sprint(orAny(f.Status), " ", f.Code)), listErrors(o.Errors))
}

func (f *Fault) refuses() bool { return f.Bare || f.Status != 0 || f.Code != "" }

// check finds what contradicts itself.
func (f *Fault) check() error {
	ways := 0
	for _, way := range []bool{f.refuses(), f.Lost, f.Truncated} {
		if way {
			ways++
		}
	}
	switch {
	case f.Times < 0 || f.Skip < 0 || f.Latency < 0 || f.RetryAfter < 0:
		return errors.New("a fault has no negative numbers")
	case ways > 1:
		return errors.New("a fault either answers with an error, or loses the answer, or cuts it off")
	case ways == 0 && f.Latency == 0:
		return errors.New("the fault does nothing; give it a Status or a Code, Lost, Truncated or a Latency")
	case f.Bare && (f.Code != "" || f.Status < http.StatusBadRequest || f.Status > 599):
		return errors.New("a bare fault has a Status from 400 to 599, and no Code")
	case !f.Bare && f.Body != "":
		return errors.New("the Body is that of a bare fault")
	case f.RetryAfter > 0 && !f.refuses():
		return errors.New("RetryAfter is of a fault with the Status 429 or 503")
	}
	return nil
}

// waits fails when a client cannot be asked to wait with e.
func (f *Fault) waits(e httpapi.OperationError) error {
	if f.RetryAfter > 0 && e.Status != http.StatusTooManyRequests && e.Status != http.StatusServiceUnavailable {
		return fmt.Errorf("%d %s does not ask clients to wait; 429 and 503 do", e.Status, e.Code)
	}
	return nil
}

func orAny(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprint(status)
}

func listErrors(all []httpapi.OperationError) string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = fmt.Sprint(e.Status, " ", e.Code)
	}
	return strings.Join(names, ", ")
}

// operationIn is the operation with an id, or with one of the specification.
func operationIn(operations []httpapi.Operation, id string) (httpapi.Operation, error) {
	if i := slices.IndexFunc(operations, func(o httpapi.Operation) bool { return o.Is(id) }); i >= 0 {
		return operations[i], nil
	}
	near := slices.MinFunc(operations,
		func(a, b httpapi.Operation) int { return problem.Distance(a.ID, id) - problem.Distance(b.ID, id) })
	return httpapi.Operation{}, fmt.Errorf("there is no operation %q; did you mean %q (%s %s)? docs/operations.md "+
		"lists them all", id, near.ID, near.Method, near.Path)
}
