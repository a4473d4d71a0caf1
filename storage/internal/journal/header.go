package journal

import (
	"bytes"
	"io"
	"strconv"
)

// MendHeader reads a file whose header is damaged or gone, when it is one of this format. The
// markers name the file; in the first format, where they do not, its number is known from
// elsewhere or differs from what is in the header in one digit at most, and the markers show
// whether it is right. Where the first transaction is not at its place, the reader is at the
// beginning and has nothing to read, so that all is left to FindWhole.
func MendHeader(r io.ReaderAt, size int64, known uint64) (*Reader, bool, error) {
	id, ok, err := lastID(r, size)
	if err != nil {
		return nil, false, err
	}
	if ok {
		for _, kind := range []Kind{Journal, Backup} {
			if j, right := begins(r, size, kind, id); right {
				return j, true, nil
			}
		}
		return Resume(bytes.NewReader(nil), 0, Position{ID: id}), true, nil
	}
	if known != 0 {
		if j, right := begins(r, size, First, known); right {
			return j, true, nil
		}
		_, from := Begin(nil, First, known)
		from.Offset = 0
		if whole, err := FindWhole(r, size, from); err != nil || len(whole) > 0 {
			return Resume(bytes.NewReader(nil), 0, from), true, err
		}
	}
	head := make([]byte, HeaderBytes)
	if n, _ := r.ReadAt(head, 0); n < HeaderBytes {
		return nil, false, nil
	}
	digits := head[len(headerPrefix)+magicBytes:][:16]
	for _, id := range neighbours(digits) {
		if j, right := begins(r, size, First, id); right {
			return j, true, nil
		}
	}
	return nil, false, nil
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

// neighbours returns the numbers that differ from the digits in one at most.
func neighbours(digits []byte) []uint64 {
	var ids []uint64
	for at := range digits {
		changed := bytes.Clone(digits)
		for _, digit := range []byte("0123456789abcdef") {
			changed[at] = digit
			if id, err := strconv.ParseUint(string(changed), 16, 64); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
