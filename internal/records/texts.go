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
	t.open(size, firstPiece, lastPiece)
	from := t.piece.Len()
	for _, p := range parts {
		t.piece.WriteString(p)
	}
	return t.piece.String()[from:]
}

// lastTags is how large a piece of tags becomes: callers keep tags, mostly all or none of a page.
const lastTags = 1 << 10

// tag is a text that callers may keep for long, next to others of the kind.
func (t *texts) tag(text []byte) string {
	t.open(len(text), len(text), lastTags)
	from := t.piece.Len()
	t.piece.Write(text)
	return t.piece.String()[from:]
}

// open begins another piece where there is no room for so many bytes: of the least size, or twice as
// large as the one before it.
func (t *texts) open(size, least, most int) {
	if room := t.piece.Cap(); room-t.piece.Len() < size {
		t.piece.Reset()
		t.piece.Grow(max(least, min(2*room, most), size))
	}
}
