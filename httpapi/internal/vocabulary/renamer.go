package vocabulary

import (
	"bytes"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Renamer copies valid JSON and gives the names and words that its shape knows the
// names of the other side. The JSON may come in pieces, of which none ends within a
// name or a text; what they leave open is remembered.
type Renamer struct {
	next *shape.Shape // of the value that comes
	name bool         // a name comes, and not a value
	open []level
	// omits is how many levels were open where a member began that is left out, and that
	// has not ended; 0 where none is.
	omits int
}

// level is an object or an array that is open.
type level struct {
	shape  *shape.Shape
	object bool
}

// NewRenamer returns one for a value of a shape.
func NewRenamer(sh *shape.Shape) *Renamer { return &Renamer{next: sh} }

// Renamed is a whole value in the names of the other side.
func Renamed(b []byte, sh *shape.Shape) []byte {
	r := NewRenamer(sh)
	return r.Append(make([]byte, 0, len(b)+len(b)/8), b)
}

// Append appends a piece.
func (r *Renamer) Append(dst, piece []byte) []byte {
	done := 0
	for i := 0; i < len(piece); i++ {
		if piece[i] != '"' {
			within := r.omits
			r.mark(piece[i])
			if within > 0 && r.omits == 0 {
				dst, done = ended(dst, piece[i], i)
			}
			continue
		}
		from := i
		if i = closing(piece, i); r.omits > 0 {
			continue
		}
		as := r.other(piece[from+1 : i])
		switch {
		case r.omits > 0:
			dst = append(dst, piece[done:from]...)
		case as != "":
			dst = wire.AppendString(append(dst, piece[done:from]...), as)
			done = i + 1
		}
	}
	if r.omits > 0 {
		return dst
	}
	return append(dst, piece[done:]...)
}

// ended is what was appended before a member that was left out and ends at i, where c
// stands, and from where to go on: one comma goes with it.
func ended(dst []byte, c byte, i int) ([]byte, int) {
	if c == ',' {
		return dst, i + 1
	}
	return bytes.TrimSuffix(dst, []byte{','}), i
}

// mark follows what opens, closes and separates.
func (r *Renamer) mark(c byte) {
	switch c {
	case '{', '[':
		r.open = append(r.open, level{r.next, c == '{'})
		r.enter()
	case '}', ']':
		if len(r.open) > 0 {
			r.open = r.open[:len(r.open)-1]
		}
		r.name = false
		if len(r.open) < r.omits {
			r.omits = 0
		}
	case ',':
		r.enter()
		if len(r.open) == r.omits {
			r.omits = 0
		}
	}
}

// enter looks for the next member or element of what is open.
func (r *Renamer) enter() {
	if len(r.open) == 0 {
		return
	}
	in := r.open[len(r.open)-1]
	if r.name = in.object; !in.object && in.shape != nil {
		r.next = in.shape.Elem
	} else {
		r.next = nil
	}
}

// other is what the other side calls a name or a text that comes; empty where that
// is the same.
func (r *Renamer) other(text []byte) string {
	if !r.name {
		if r.next == nil || r.next.Words == nil {
			return ""
		}
		return r.next.Words[string(text)]
	}
	r.name = false
	p, _ := r.open[len(r.open)-1].shape.Property(text)
	if r.next = p.In; p.Omit {
		r.omits, r.next = len(r.open), nil
	}
	return p.As
}

// closing is where a string ends that begins at i.
func closing(b []byte, i int) int {
	for i++; i < len(b)-1 && b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i
}
