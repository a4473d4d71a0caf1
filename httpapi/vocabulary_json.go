package httpapi

import (
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// renamer copies valid JSON and gives the names and words that its shape knows the
// names of the other side. The JSON may come in pieces, of which none ends within a
// name or a text; what they leave open is remembered.
type renamer struct {
	next *shape.Shape // of the value that comes
	name bool         // a name comes, and not a value
	open []level
}

// level is an object or an array that is open.
type level struct {
	shape  *shape.Shape
	object bool
}

// renamed is a whole value in the names of the other side.
func renamed(b []byte, sh *shape.Shape) []byte {
	r := renamer{next: sh}
	return r.append(make([]byte, 0, len(b)+len(b)/8), b)
}

// append appends a piece.
func (r *renamer) append(dst, piece []byte) []byte {
	done := 0
	for i := 0; i < len(piece); i++ {
		if piece[i] != '"' {
			r.mark(piece[i])
			continue
		}
		from := i
		i = closing(piece, i)
		if as := r.other(piece[from+1 : i]); as != "" {
			dst = wire.AppendString(append(dst, piece[done:from]...), as)
			done = i + 1
		}
	}
	return append(dst, piece[done:]...)
}

// mark follows what opens, closes and separates.
func (r *renamer) mark(c byte) {
	switch c {
	case '{', '[':
		r.open = append(r.open, level{r.next, c == '{'})
		r.enter()
	case '}', ']':
		if len(r.open) > 0 {
			r.open = r.open[:len(r.open)-1]
		}
		r.name = false
	case ',':
		r.enter()
	}
}

// enter looks for the next member or element of what is open.
func (r *renamer) enter() {
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
func (r *renamer) other(text []byte) string {
	if !r.name {
		if r.next == nil || r.next.Words == nil {
			return ""
		}
		return r.next.Words[string(text)]
	}
	r.name = false
	p, _ := r.open[len(r.open)-1].shape.Property(text)
	r.next = p.In
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

// sendRenamed is sendJoined under a vocabulary. The length of what does not fit into
// a chunk is not known before it is sent; a client can tell that it was cut off by
// its end being missing.
func (x *exchange) sendRenamed(sh *shape.Shape, open []byte, records [][]byte, end []byte) error {
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	r := renamer{next: sh}
	b := r.append((*p)[:0], open)
	for i, record := range records {
		if len(b)+len(record) > chunk {
			if err := x.sendPart(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if i > 0 {
			b = r.append(b, []byte{','})
		}
		b = r.append(b, record)
	}
	b = r.append(b, end)
	if cap(b) <= 2*chunk {
		*p = b
	}
	if x.status == 0 {
		x.begin(http.StatusOK, len(b))
	}
	return x.write(b)
}

// sendPart sends a part of an answer of a length that is not known.
func (x *exchange) sendPart(part []byte) error {
	if x.status == 0 {
		x.set("Content-Type", jsonType)
		x.set("X-Content-Type-Options", noSniff)
		x.status = http.StatusOK
		x.w.WriteHeader(http.StatusOK)
	}
	return x.write(part)
}
