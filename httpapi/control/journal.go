package control

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Exchange is one call and what came of it.
type Exchange struct {
	Number    int                    `json:"number"`    // from 1, in the order in which the calls ended
	At        time.Time              `json:"at"`        // when it began, by the clock
	Operation string                 `json:"operation"` // id; empty where the call is for none
	Method    string                 `json:"method"`
	Target    string                 `json:"target"`         // path and query as they were sent
	Principal twinplatform.Principal `json:"-"`              // who called; the zero value where no caller is known
	Status    int                    `json:"status"`         // of the answer; 0 where nothing was answered
	Code      string                 `json:"code,omitempty"` // of the answer's error
	RequestID string                 `json:"requestId"`
	// Unread names what was sent and nothing read: members of the body as paths,
	// parameters of the query, and "(body)" for a body that nothing takes. A
	// member that a client misspells is here.
	Unread []string `json:"unread,omitempty"`
	// Fault is what was made to go wrong; nil where nothing was.
	Fault *Fault `json:"fault,omitempty"`
	// Lost reports that the client did not get the answer, or not all of it.
	Lost bool `json:"lost,omitempty"`
}

// String is the exchange in short.
func (e Exchange) String() string {
	s := fmt.Sprintf("%s %s → %d %s", e.Method, e.Target, e.Status, e.Code)
	if e.Operation != "" {
		s = e.Operation + ": " + s
	}
	if e.Lost {
		s += " (lost)"
	}
	return strings.TrimRight(s, " ")
}

// MaxExchanges is how many exchanges a journal holds. The older half of them is
// forgotten then: a server may lend itself to tests for days.
const MaxExchanges = 10_000

// Journal is what was called, in the order in which the calls ended, as far back as
// MaxExchanges. It is safe for concurrent use.
type Journal struct {
	operations func() []httpapi.Operation

	mu      sync.Mutex
	all     []Exchange
	number  int           // of the last one
	changed chan struct{} // closed and made again with each exchange
}

func newJournal(operations func() []httpapi.Operation) *Journal {
	return &Journal{operations: operations, changed: make(chan struct{})}
}

func (j *Journal) add(e Exchange) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	e.Number = j.number
	if len(j.all) == MaxExchanges {
		j.all = slices.Delete(j.all, 0, MaxExchanges/2)
	}
	j.all = append(j.all, e)
	close(j.changed)
	j.changed = make(chan struct{})
}

// All are the exchanges so far.
func (j *Journal) All() []Exchange {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.all)
}

// Of are the exchanges of an operation so far: of the one with this id, or with this id
// in the specification.
func (j *Journal) Of(op string) []Exchange {
	if o, err := operationIn(j.operations(), op); err == nil {
		op = o.ID
	}
	return slices.DeleteFunc(j.All(), func(e Exchange) bool { return e.Operation != op })
}

// Clear forgets what was called.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all, j.number = nil, 0
}

// Require fails the test unless an operation was called exactly n times, however the
// calls ended, and names the call that came nearest to the one that is missing.
func (j *Journal) Require(t T, op string, n int) {
	t.Helper()
	o, err := operationIn(j.operations(), op)
	if err != nil {
		t.Fatalf("control: %v", err)
	}
	if len(j.Of(op)) != n {
		t.Fatalf("control: %s", j.miss(o, n))
	}
}

// RequireAllRead fails the test when a call had members or parameters that nothing
// read, such as misspelled ones.
func (j *Journal) RequireAllRead(t T) {
	t.Helper()
	for _, e := range j.All() {
		if len(e.Unread) > 0 {
			t.Errorf("control: nothing read %s of %s", strings.Join(e.Unread, ", "), e)
		}
	}
}

// WaitFor returns once an operation was called at least n times, or with an error when
// ctx ends first. It is for clients that call in their own goroutines.
func (j *Journal) WaitFor(ctx context.Context, op string, n int) error {
	o, err := operationIn(j.operations(), op)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	for {
		j.mu.Lock()
		changed := j.changed
		j.mu.Unlock()
		if len(j.Of(op)) >= n {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("control: %s: %w", j.miss(o, n), ctx.Err())
		}
	}
}

// miss reports what was called instead of n calls of an operation.
func (j *Journal) miss(o httpapi.Operation, n int) string {
	var b strings.Builder
	calls := j.Of(o.ID)
	fmt.Fprintf(&b, "%s (%s %s) was called %s, not %s", o.ID, o.Method, o.Path, times(len(calls)), times(n))
	for _, e := range calls {
		fmt.Fprintf(&b, "\n\t%d. %s", e.Number, e)
	}
	others := slices.DeleteFunc(j.All(), func(e Exchange) bool { return e.Operation == o.ID })
	switch {
	case len(calls) >= n:
	case len(others) == 0:
		b.WriteString("; nothing else was")
	default:
		near := slices.MinFunc(others, func(x, y Exchange) int { return x.farFrom(o) - y.farFrom(o) })
		fmt.Fprintf(&b, "; the nearest is\n\t%d. %s", near.Number, near)
	}
	return b.String()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// farFrom is how much a call differs from one of an operation: in the segments of its
// path above all, then in its method.
func (e Exchange) farFrom(o httpapi.Operation) int {
	path, _, _ := strings.Cut(e.Target, "?")
	sent, want := strings.Split(strings.Trim(path, "/"), "/"), strings.Split(strings.Trim(o.Path, "/"), "/")
	far := 0
	if e.Method != o.Method {
		far += 3
	}
	for i := range max(len(sent), len(want)) {
		switch {
		case i >= len(sent) || i >= len(want):
			far += 10
		case strings.HasPrefix(want[i], "{"):
		case sent[i] != want[i]:
			far += min(10, 1+problem.Distance(sent[i], want[i]))
		}
	}
	return far
}
