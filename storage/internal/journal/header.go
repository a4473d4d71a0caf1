package journal

import (
	"bytes"
	"io"
)

// MendHeader reads a file whose header is damaged or gone, when it is one of this format: the
// markers name the file. Where the first transaction is not at its place, the reader is at the
// beginning and has nothing to read, so that all is left to FindWhole.
func MendHeader(r io.ReaderAt, size int64) (*Reader, bool, error) {
	id, ok, err := lastID(r, size)
	if !ok || err != nil {
		return nil, false, err
	}
	for _, kind := range []Kind{Journal, Backup} {
		if j, right := begins(r, size, kind, id); right {
			return j, true, nil
		}
	}
	return Resume(bytes.NewReader(nil), 0, Position{ID: id}), true, nil
}

// begins reads a file as what it would be with another header, when its first transaction
// is whole then.
func begins(r io.ReaderAt, size int64, kind Kind, id uint64) (*Reader, bool) {
	_, pos := Begin(nil, kind, id)
	rest := size - pos.Offset
	if rest <= 0 {
		return nil, false
	}
	if _, err := Resume(io.NewSectionReader(r, pos.Offset, rest), rest, pos).Next(); err != nil {
		return nil, false
	}
	return Resume(io.NewSectionReader(r, pos.Offset, rest), rest, pos), true
}
