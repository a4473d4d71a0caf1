package proof_test

import (
	"context"
	"net"
	"sync"
	"testing"
)

// direction is the one in which bytes pass a wire.
type direction int

const (
	toDatabase direction = iota
	fromDatabase
)

// wire is the way of a node to its database. When it is cut, in one direction or in both, no
// bytes pass and no connection ends, not even one that a side has closed, until it is whole
// again: then what was on its way arrives.
type wire struct {
	address string // where the node finds the database

	mu    sync.Mutex
	whole [2]chan struct{} // closed while bytes pass
}

func newWire(t *testing.T, database string) *wire {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{address: l.Addr().String()}
	for d := range w.whole {
		w.whole[d] = make(chan struct{})
		close(w.whole[d])
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			node, err := l.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", database)
			if err != nil {
				_ = node.Close()
				continue
			}
			go w.pump(toDatabase, server, node)
			go w.pump(fromDatabase, node, server)
		}
	}()
	return w
}

// cut lets nothing pass in some directions.
func (w *wire) cut(directions ...direction) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range directions {
		w.whole[d] = make(chan struct{})
	}
}

// join lets everything pass in directions that were cut.
func (w *wire) join(directions ...direction) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range directions {
		close(w.whole[d])
	}
}

// passes waits until bytes pass in a direction.
func (w *wire) passes(d direction) {
	w.mu.Lock()
	whole := w.whole[d]
	w.mu.Unlock()
	<-whole
}

// pump brings what one side sends to the other, and its end.
func (w *wire) pump(d direction, to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		w.passes(d)
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
