package gltf

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A GLB begins with a header of three words, magic, version and length. Chunks follow, each with its length and its
// type before it.
const (
	magic       = "glTF"
	headerBytes = 12
	chunkJSON   = 0x4E4F534A
	chunkBinary = 0x004E4942
)

// word is the 32-bit number at a place.
func word(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// chunks takes a GLB apart.
func (m *Model) chunks(all []byte) (text, bin []byte, err error) {
	if len(all) < headerBytes {
		return nil, nil, malformed("the header is cut at byte %d", len(all))
	}
	if v := word(all, 4); v != 2 {
		return nil, nil, fmt.Errorf("%w: it is a GLB of version %d", ErrFormat, v)
	}
	length := int64(word(all, 8))
	if length > int64(len(all)) {
		return nil, nil, malformed("it is cut: its header says %d bytes, and there are %d", length, len(all))
	}
	if length < int64(len(all)) {
		m.warn("file", "%d bytes behind the end that its header names are left out.", int64(len(all))-length)
		all = all[:max(length, headerBytes)]
	}
	for n, at := 0, headerBytes; at < len(all); n++ {
		if len(all)-at < 8 {
			return nil, nil, malformed("the header of chunk %d is cut at byte %d", n, len(all))
		}
		kind, content := word(all, at+4), all[at+8:]
		if size := int64(word(all, at)); size <= int64(len(content)) {
			content = content[:size]
		} else {
			return nil, nil, malformed("chunk %d has %d bytes, and %d are left", n, size, len(content))
		}
		at += 8 + len(content)
		switch {
		case n == 0 && kind != chunkJSON:
			return nil, nil, malformed("the first chunk is not JSON")
		case n == 0:
			text = content
		case n == 1 && kind == chunkBinary:
			bin = content
		default:
			m.warn(fmt.Sprintf("chunk %d", n), "It is of an unknown type, %#x, and left out.", kind)
		}
	}
	if text == nil {
		return nil, nil, malformed("it has no JSON")
	}
	return text, bin, nil
}

// writeGLB writes JSON and a binary chunk, which may be empty, as a GLB. Its parts are padded to whole words.
func writeGLB(w io.Writer, text []byte, bin [][]byte) error {
	size := 0
	for _, b := range bin {
		size += padded(len(b))
	}
	total := headerBytes + 8 + padded(len(text))
	if size > 0 {
		total += 8 + size
	}
	if total > MaxBytes {
		return errTooLong
	}
	head := append([]byte(magic), make([]byte, headerBytes+8-len(magic))...)
	binary.LittleEndian.PutUint32(head[4:], 2)
	binary.LittleEndian.PutUint32(head[8:], uint32(total))
	binary.LittleEndian.PutUint32(head[12:], uint32(padded(len(text))))
	binary.LittleEndian.PutUint32(head[16:], chunkJSON)
	out := writer{w: w}
	out.write(head, 0)
	out.write(text, ' ')
	if size > 0 {
		var head [8]byte
		binary.LittleEndian.PutUint32(head[:], uint32(size))
		binary.LittleEndian.PutUint32(head[4:], chunkBinary)
		out.write(head[:], 0)
		for _, b := range bin {
			out.write(b, 0)
		}
	}
	return out.err
}

// padded is a length up to the next whole word.
func padded(n int) int { return (n + 3) &^ 3 }

// writer keeps the first error.
type writer struct {
	w   io.Writer
	err error
}

// write writes bytes, and fills the last word up.
func (w *writer) write(b []byte, fill byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
	if n := padded(len(b)) - len(b); w.err == nil && n > 0 {
		_, w.err = w.w.Write([]byte{fill, fill, fill}[:n])
	}
}
