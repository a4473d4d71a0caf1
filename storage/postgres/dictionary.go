package postgres

import (
	"embed"
	"encoding/binary"
	"fmt"
	"sync"
)

// Values are mostly JSON, most of which are names of members and values that they have by
// default. A dictionary is a text that has these, and a value is stored as parts of it and what
// is in between:
//
//	length   uvarint, of the value
//	parts:   literal   uvarint, and as many bytes
//	         at        2 bytes, where in the dictionary what follows is
//	         matched   uvarint, how much that is, less leastMatch
//
// The last part may have no match. Unlike a compressor that knows only its input, that costs next to
// nothing for short values.
//
// Dictionaries are files with the numbers 1, 2 and so on. They are never changed, since values are read
// by them for ever, and new values are written by the last one. Each needs a version of
// the schema that has it, so that no process finds values which it cannot read: version 2 has
// the first.

//go:embed dictionaries
var dictionaryFiles embed.FS

// newest is the number of the dictionary by which values are written.
const newest = 1

const (
	// leastCoded and mostCoded are between which lengths values are written by a dictionary.
	// Statements may compare shorter ones, such as ids, and the database compresses longer ones.
	leastCoded, mostCoded = 64, 32 << 10
	// leastMatch is the shortest part that is taken from a dictionary.
	leastMatch = 6
	// mostLooks is how many places in the dictionary are compared for each part.
	mostLooks = 12
	// hashBits is the size of the index of a dictionary.
	hashBits = 14
)

// dictionary is a text with an index of where its parts are.
type dictionary struct {
	text  []byte
	first [1 << hashBits]uint16 // by the hash of the bytes there; one more than where it is
	next  []uint16              // the one before it of the same hash
}

// dictionaries are read when they are needed first.
var dictionaries = sync.OnceValue(func() (all [newest + 1]*dictionary) {
	for n := 1; n <= newest; n++ {
		text, err := dictionaryFiles.ReadFile(fmt.Sprintf("dictionaries/%d.txt", n))
		if err != nil {
			panic(err) // it is part of the program
		}
		all[n] = newDictionary(text)
	}
	return all
})

func newDictionary(text []byte) *dictionary {
	d := &dictionary{text: text, next: make([]uint16, len(text))}
	for i := range len(text) - leastMatch {
		h := hashOf(text[i:])
		d.next[i], d.first[h] = d.first[h], uint16(i+1) //nolint:gosec // a dictionary is shorter than 64 KiB
	}
	return d
}

// hashOf hashes the first leastMatch bytes of b, which has at least so many.
func hashOf(b []byte) uint32 {
	n := uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32
	return uint32(n * 0x9e3779b97f4a7c15 >> (64 - hashBits)) //nolint:gosec // the high bits
}

// longest is the longest part of the dictionary that b begins with.
func (d *dictionary) longest(b []byte) (at, length int) {
	looks := mostLooks
	for i := d.first[hashOf(b)]; i != 0 && looks > 0; i, looks = d.next[i-1], looks-1 {
		there := d.text[i-1:]
		if length < len(there) && length < len(b) && there[length] != b[length] {
			continue
		}
		n := 0
		for n < len(there) && n < len(b) && there[n] == b[n] {
			n++
		}
		if n > length {
			at, length = int(i-1), n
		}
	}
	return at, length
}

// compress is a value as parts, behind b.
func (d *dictionary) compress(b, value []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(value)))
	literal := 0 // where the bytes begin that are in no part yet
	for i := 0; i+leastMatch < len(value); {
		at, length := d.longest(value[i:])
		if length < leastMatch {
			i++
			continue
		}
		b = append(binary.AppendUvarint(b, uint64(i-literal)), value[literal:i]...) //nolint:gosec // no less than 0
		// A dictionary is shorter than 64 KiB.
		b = binary.BigEndian.AppendUint16(b, uint16(at))
		b = binary.AppendUvarint(b, uint64(length-leastMatch)) //nolint:gosec // no less than 0
		i += length
		literal = i
	}
	if literal < len(value) {
		b = append(binary.AppendUvarint(b, uint64(len(value)-literal)), value[literal:]...)
	}
	return b
}

// expand is the value that compress has written; false where it has not.
func (d *dictionary) expand(b []byte) (value []byte, ok bool) {
	length, b, ok := cutNumber(b, mostCoded)
	if !ok {
		return nil, false
	}
	value = make([]byte, 0, length)
	for len(value) < length {
		var n int
		if n, b, ok = cutNumber(b, min(len(b), length-len(value))); !ok || n > len(b) {
			return nil, false
		}
		if value, b = append(value, b[:n]...), b[n:]; len(value) == length {
			break
		}
		if len(b) < 2 {
			return nil, false
		}
		at := int(binary.BigEndian.Uint16(b))
		if n, b, ok = cutNumber(b[2:], length-len(value)-leastMatch); !ok || at+n+leastMatch > len(d.text) {
			return nil, false
		}
		value = append(value, d.text[at:at+n+leastMatch]...)
	}
	return value, len(b) == 0
}

// cutNumber cuts a number off that is at most so much.
func cutNumber(b []byte, most int) (n int, rest []byte, ok bool) {
	u, size := binary.Uvarint(b)
	if size <= 0 || most < 0 || u > uint64(most) {
		return 0, nil, false
	}
	return int(u), b[size:], true //nolint:gosec // at most that
}
