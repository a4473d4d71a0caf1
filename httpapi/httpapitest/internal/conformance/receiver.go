package conformance

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// Receiver sees the deliveries of the server under test. It is a handler that has
// to be reachable under URL.
type Receiver struct {
	// URL is the address that webhooks are given.
	URL string
	// Deliver makes the server attempt what is due before it returns. Nil: the
	// suite waits for what comes.
	Deliver func(context.Context) error
	// Read puts the body of a delivery into the specification's words.
	Read func([]byte) []byte

	mu   sync.Mutex
	got  []delivery
	came chan struct{} // closed and made again by each delivery
}

// delivery is a request that the receiver got.
type delivery struct {
	header http.Header
	body   []byte
}

// ServeHTTP accepts a delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, 1<<20))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, delivery{req.Header.Clone(), body})
	close(r.arrival())
	r.came = nil
	w.WriteHeader(http.StatusNoContent)
}

// arrival is closed by the next delivery. The lock is held.
func (r *Receiver) arrival() chan struct{} {
	if r.came == nil {
		r.came = make(chan struct{})
	}
	return r.came
}

// after are the deliveries from the n-th on, and a channel that is closed by the
// next one.
func (r *Receiver) after(n int) ([]delivery, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got[min(n, len(r.got)):], r.arrival()
}

// count is the number of deliveries so far.
func (r *Receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}
