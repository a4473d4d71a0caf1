package vocabulary

import (
	"bytes"
	"cmp"
	"slices"

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
	omits   int
	seconds []secondValue // outermost first
}

// level is an object or an array that is open.
type level struct {
	shape  *shape.Shape
	object bool
	met    []string // the properties that have a twin, by their names on the other side
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
	r.resumes(len(dst))
	for i := 0; i < len(piece); i++ {
		if piece[i] != '"' {
			if r.ends(piece[i]) {
				dst = r.again(append(dst, piece[done:i]...))
				done = i
			}
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
		as, also := r.other(piece[from+1 : i])
		switch {
		case r.omits > 0:
			dst = append(dst, piece[done:from]...)
		case as != "":
			dst = wire.AppendString(append(dst, piece[done:from]...), as)
			done = i + 1
		}
		if also != "" {
			dst = append(dst, piece[done:i+1]...)
			done = i + 1
			r.begins(also, len(dst))
		}
	}
	if r.omits > 0 {
		return r.keeps(dst)
	}
	return r.keeps(append(dst, piece[done:]...))
}

// ended is what was appended before a member that was left out and ends at i, where c
// stands, and from where to continue: one comma goes with it.
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
		r.open = append(r.open, level{shape: r.next, object: c == '{'})
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
// is the same. also is its second name there.
func (r *Renamer) other(text []byte) (as, also string) {
	if !r.name {
		if r.next == nil || r.next.Words == nil {
			return "", ""
		}
		return r.next.Words[string(text)], ""
	}
	r.name = false
	in := &r.open[len(r.open)-1]
	p, _ := in.shape.Property(text)
	if r.next = p.In; p.Omit || p.Twin && in.again(cmp.Or(p.As, string(text))) {
		r.omits, r.next = len(r.open), nil
		return "", ""
	}
	return p.As, p.Also
}

// again reports whether a property has come before, under either of its names.
func (l *level) again(name string) bool {
	if slices.Contains(l.met, name) {
		return true
	}
	l.met = append(l.met, name)
	return false
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
