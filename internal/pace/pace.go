// Package pace bounds how slow the other end of a connection may be.
package pace

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Pace is how fast a client must be: it has the grace, and a second for each so many
// bytes. Only the time spent waiting for it counts.
type Pace struct {
	left    time.Duration
	perByte float64 // seconds
}

// New returns the pace of a client that has a grace, and a second for each minRate bytes.
func New(grace time.Duration, minRate int64) Pace {
	return Pace{left: grace, perByte: 1 / float64(minRate)}
}

// Deadline is when the client has used up its time.
func (p *Pace) Deadline() time.Time { return time.Now().Add(p.left) }

// move accounts for what reads or writes bytes of the client, and reports to waited, when
// given, how long that took.
func (p *Pace) move(bytes func([]byte) (int, error), b []byte, waited func(time.Duration)) (int, error) {
	began := time.Now()
	n, err := bytes(b)
	took := time.Since(began)
	p.left += time.Duration(float64(n)*p.perByte*float64(time.Second)) - took
	if waited != nil {
		waited(took)
	}
	return n, err
}

// Late reports whether the client has used up its time.
func (p *Pace) Late() bool { return p.left < 0 }

// Reader reads what a client sends. It fails with os.ErrDeadlineExceeded where the client
// is too slow.
type Reader struct {
	From    io.Reader
	Control *http.ResponseController
	Pace    Pace
	// Waited, when given, is called with each time that was spent waiting for the client.
	Waited func(time.Duration)
}

// Read implements io.Reader. The last one leaves the connection without a deadline for
// reading.
func (r *Reader) Read(b []byte) (n int, err error) {
	_ = r.Control.SetReadDeadline(r.Pace.Deadline())
	n, err = r.Pace.move(r.From.Read, b, r.Waited)
	switch {
	case err == nil && r.Pace.Late():
		return n, os.ErrDeadlineExceeded
	case errors.Is(err, io.EOF):
		_ = r.Control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Writer writes what a client reads. It fails where the client is too slow.
type Writer struct {
	To      io.Writer
	Control *http.ResponseController
	Pace    Pace
	// Waited, when given, is called with each time that was spent waiting for the client.
	Waited func(time.Duration)
}

// Write implements io.Writer.
func (w *Writer) Write(b []byte) (n int, err error) {
	_ = w.Control.SetWriteDeadline(w.Pace.Deadline())
	return w.Pace.move(w.To.Write, b, w.Waited)
}
