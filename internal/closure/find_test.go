package closure_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mostFinds is how many of one world are reported.
const mostFinds = 12

// find reports a fault, once for each operation and kind of find. kind has no values, so
// that the same find at another record is not reported again.
func (w *world) find(kind, operation string, q request, about ...any) {
	w.Helper()
	key := kind + operation
	if w.found[key] {
		return
	}
	w.found[key] = true
	if len(w.found) > mostFinds {
		return
	}
	var text strings.Builder
	for _, a := range about {
		fmt.Fprintf(&text, "\n  %v", a)
	}
	w.Errorf("%s: %s\n  %s%s", operation, kind, q, text.String())
}

// tally counts what operations have answered, over all worlds.
type tally struct {
	mu       sync.Mutex
	answered map[string]map[int]int // by operation and status
	sentBack map[string]int         // by operation
	followed map[string]int         // by operation
}

func newTally() *tally {
	return &tally{answered: make(map[string]map[int]int), sentBack: make(map[string]int), followed: make(map[string]int)}
}

func (t *tally) note(op *operation, status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.answered[op.name] == nil {
		t.answered[op.name] = make(map[int]int)
	}
	t.answered[op.name][status]++
}

func (t *tally) sends(op *operation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sentBack[op.name]++
}

func (t *tally) follows(op *operation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.followed[op.name]++
}

// complete names what no history came to: reads that never answered, records that were never
// sent back, lists that were never followed, and writes that were never taken.
func (t *tally) complete(to *testing.T) {
	to.Helper()
	c := theContract()
	for _, op := range c.operations {
		switch {
		case op.method == "GET" && op.path != "/openapi.json" && t.taken(op) == 0:
			to.Errorf("%s: no history has read it, only %v", op.name, t.answered[op.name])
		case c.takesBack(op) && t.sentBack[op.name] == 0:
			to.Errorf("%s: no history has sent anything back as it was read; answers are %v", op.name, t.answered[op.name])
		case t.taken(op) == 0:
			to.Logf("%s: no history has done it, only %v", op.name, t.answered[op.name])
		}
	}
}

// taken is how many requests to an operation have succeeded.
func (t *tally) taken(op *operation) (n int) {
	for status, times := range t.answered[op.name] {
		if status < 300 {
			n += times
		}
	}
	return n
}

func (t *tally) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.answered)) {
		fmt.Fprintf(&b, "\n%-45s %v, sent back %d", name, t.answered[name], t.sentBack[name])
	}
	return b.String()
}
