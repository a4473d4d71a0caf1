package journal

import "io"

// firstRead is what a window asks its input for to begin with, in bytes.
const firstRead = 64 << 10

// window is the part of an input that is being looked at.
type window struct {
	r    io.Reader
	left int64 // bytes of the input not yet read
	buf  []byte
	from int // where the unread part of buf begins
}

// ahead returns what has been read and not skipped.
func (w *window) ahead() []byte { return w.buf[w.from:] }

// skip drops the first n bytes.
func (w *window) skip(n int) { w.from += n }

// peek returns the next n bytes, or fewer where the input ends. It grows the
// buffer with the bytes that arrive, not with the number asked for.
func (w *window) peek(n int) ([]byte, error) {
	for len(w.buf)-w.from < n && w.left > 0 {
		if err := w.fill(); err != nil {
			return nil, err
		}
	}
	return w.buf[w.from:min(w.from+n, len(w.buf))], nil
}

// fill reads once more, after making room.
func (w *window) fill() error {
	if len(w.buf) == cap(w.buf) {
		w.room()
	}
	room := w.buf[len(w.buf):cap(w.buf)]
	room = room[:min(int64(len(room)), w.left)]
	n, err := w.r.Read(room)
	w.buf = w.buf[:len(w.buf)+n]
	w.left -= int64(n)
	if err == io.EOF {
		// The input is shorter than announced, which is a cut like any other.
		w.left = 0
		return nil
	}
	return err
}

// room makes space behind the unread part: by moving it to the front, or in a
// buffer twice as large when it fills most of this one.
func (w *window) room() {
	unread := w.buf[w.from:]
	if cap(w.buf) > 0 && len(unread) <= cap(w.buf)/2 {
		w.buf = w.buf[:copy(w.buf[:cap(w.buf)], unread)]
	} else {
		size := min(max(firstRead, 2*int64(cap(w.buf))), int64(len(unread))+w.left)
		w.buf = append(make([]byte, 0, size), unread...)
	}
	w.from = 0
}
