// Package receiver is the toolbox of those who receive webhooks. It imports
// nothing of the platform, so that a receiver is no larger than it has to be.
//
//	err := http.ListenAndServeTLS(addr, cert, key, receiver.New(secret, func(ctx context.Context, m receiver.Message) error {
//		return keep(ctx, m) // once for each event
//	}))
//
// [New] is a whole endpoint. Who has one already calls [Verify] and [Parse], and
// takes care to handle each [Message.MessageID] once, as [Handled] does.
package receiver

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// MaxBody is the longest body that New reads, in bytes: more than any event has.
const MaxBody = 1 << 20

// Remembered is the number of events, the latest, that New knows as handled.
const Remembered = 10_000

// New returns an endpoint that calls handle once for each event that was signed
// with the secret, one at a time, and answers
//
//   - 204 once handle returned nil, and to repetitions;
//   - 500 when handle failed: the platform sends the event again;
//   - 401 without a good signature, 400 to what is no message or longer than
//     MaxBody, 405 to anything but POST.
//
// The platform waits 5 seconds for an answer, or what its Config.Timeout says.
// The endpoint remembers in memory what it has handled, so after a restart
// handle may see an event once more.
func New(secret string, handle func(context.Context, Message) error) http.Handler {
	return &endpoint{secret: secret, handle: handle, handled: Handled{Most: Remembered}}
}

type endpoint struct {
	secret string
	handle func(context.Context, Message) error

	mu      sync.Mutex
	handled Handled
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.WriteHeader(e.receive(w, req))
}

// receive returns the status of the answer.
func (e *endpoint) receive(w http.ResponseWriter, req *http.Request) int {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, MaxBody))
	if err != nil {
		return http.StatusBadRequest
	}
	if Verify(e.secret, req.Header, body) != nil {
		return http.StatusUnauthorized
	}
	m, err := Parse(body)
	if err != nil {
		return http.StatusBadRequest
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.handled.Has(m.MessageID) {
		if e.handle(req.Context(), m) != nil {
			return http.StatusInternalServerError
		}
		e.handled.Add(m.MessageID)
	}
	return http.StatusNoContent
}

// Handled remembers the latest ids that were added, so that a repeated event is
// recognized. It is not safe for concurrent use.
type Handled struct {
	// Most is the number of ids that are remembered; 0 stands for Remembered.
	Most int

	ids    map[string]bool
	order  []string // a ring, once it is full
	oldest int
}

// Has reports whether an id is remembered.
func (h *Handled) Has(id string) bool { return h.ids[id] }

// Add remembers an id, in place of the oldest when there are Most.
func (h *Handled) Add(id string) {
	if h.ids == nil {
		h.ids = make(map[string]bool)
	}
	most := h.Most
	if most <= 0 {
		most = Remembered
	}
	if h.ids[id] {
		return
	}
	if h.ids[id] = true; len(h.order) < most {
		h.order = append(h.order, id)
		return
	}
	delete(h.ids, h.order[h.oldest])
	h.order[h.oldest] = id
	h.oldest = (h.oldest + 1) % most
}
