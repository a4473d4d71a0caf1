package records

import "strings"

// texts joins texts, such as the keys of a transaction, many to one piece of memory: a piece
// stays for as long as one of its texts is in use, and so none is for what outlives the rest by
// far. The zero value is ready.
type texts struct{ piece strings.Builder }

// The first piece has room for the keys of a small transaction; each is twice as large as the one
// before it.
const (
	firstPiece = 128
	lastPiece  = 16 << 10
)

// join is the parts one behind the other.
func (t *texts) join(parts ...string) string {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if room := t.piece.Cap(); room-t.piece.Len() < size {
		t.piece.Reset()
		t.piece.Grow(max(firstPiece, min(2*room, lastPiece), size))
	}
	from := t.piece.Len()
	for _, p := range parts {
		t.piece.WriteString(p)
	}
	return t.piece.String()[from:]
}
