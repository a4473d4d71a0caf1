package journal

import (
	"bytes"
	"io"
	"strconv"
)

// MendHeader reads a journal whose header is damaged in one place. What is lost with
// the header is the number of the file, which differs from what stands there in
// one digit at most; the marker of the first transaction tells which is right.
func MendHeader(r io.ReaderAt, size int64) (*Reader, bool) {
	head := make([]byte, HeaderBytes)
	if n, _ := r.ReadAt(head, 0); n < HeaderBytes {
		return nil, false
	}
	digits := head[len(headerPrefix) : len(headerPrefix)+16]
	for _, id := range neighbours(digits) {
		_, pos := Begin(nil, id)
		rest := size - pos.Offset
		if _, err := Resume(io.NewSectionReader(r, pos.Offset, rest), rest, pos).Next(); err == nil {
			return Resume(io.NewSectionReader(r, pos.Offset, rest), rest, pos), true
		}
	}
	return nil, false
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
