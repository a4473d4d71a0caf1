package allowance

import (
	linked "container/list"
	"sync"
)

// MaxCallers is the number of callers whose allowance is remembered. A caller that was
// away the longest is forgotten first, and begins again with a full one.
const MaxCallers = 10_000

// Recent remembers something of each of the callers who came last. It is safe for
// concurrent use.
type Recent[T any] struct {
	first func() T

	mu      sync.Mutex
	callers map[string]*linked.Element // of *caller[T]
	order   linked.List                // most recent first
}

type caller[T any] struct {
	id    string
	value T
}

// NewRecent begins empty; first makes what is remembered of a new caller.
func NewRecent[T any](first func() T) *Recent[T] {
	return &Recent[T]{first: first, callers: make(map[string]*linked.Element)}
}

// Of returns what is remembered of a caller.
func (r *Recent[T]) Of(id string) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.callers[id]; ok {
		r.order.MoveToFront(e)
		return e.Value.(*caller[T]).value
	}
	if r.order.Len() >= MaxCallers {
		delete(r.callers, r.order.Remove(r.order.Back()).(*caller[T]).id)
	}
	c := &caller[T]{id, r.first()}
	r.callers[id] = r.order.PushFront(c)
	return c.value
}
