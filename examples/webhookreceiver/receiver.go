package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// maxBody is the longest body that is read, in bytes.
const maxBody = 1 << 20

// receiver answers deliveries. The platform sends an event again until it gets
// an answer of the 200s within 5 seconds, so a receiver says yes only once the
// event is kept, and knows those that it has handled already.
type receiver struct {
	secret string

	mu   sync.Mutex
	out  io.Writer
	seen handled
}

func newReceiver(secret string, out io.Writer) *receiver {
	return &receiver{secret: secret, out: out, seen: handled{ids: make(map[string]bool), room: make([]string, 0, 10_000)}}
}

// ServeHTTP receives one delivery.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := webhooks.Verify(r.secret, req.Header, body); err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	m, err := webhooks.ParseMessage(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := r.handle(m); err != nil {
		w.WriteHeader(http.StatusInternalServerError) // it will be sent again
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// handle prints an event that was not printed before.
func (r *receiver) handle(m webhooks.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen.ids[m.MessageID] {
		return nil
	}
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := r.out.Write(append(line, '\n')); err != nil {
		return err
	}
	r.seen.add(m.MessageID)
	return nil
}

// handled are the latest ids, as many as there is room for. A receiver that
// outlives restarts keeps them with its data.
type handled struct {
	ids  map[string]bool
	room []string
	next int
}

func (h *handled) add(id string) {
	h.ids[id] = true
	if len(h.room) < cap(h.room) {
		h.room = append(h.room, id)
		return
	}
	delete(h.ids, h.room[h.next])
	h.room[h.next] = id
	h.next = (h.next + 1) % len(h.room)
}
