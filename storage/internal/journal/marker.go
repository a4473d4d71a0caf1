package journal

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
)

// Marker is what the end of a transaction says. It is recognised wherever it stands, by
// the number of its file and its checksum; without reading the file no one knows the
// number. Written out it is 48 bytes, big-endian, as 64 characters of base64: ID,
// Sequence, Offset and Durable of 8 bytes each, Length, Sum, Chain and a checksum of the
// 44 bytes before of 4 bytes each.
type Marker struct {
	ID       uint64 // the number of the file
	Sequence uint64 // number of the transaction, counted from 1
	Offset   int64  // where the marker was written, from the beginning of the file
	Durable  int64  // bytes of the file known to be on the disk when this was written
	Length   int64  // bytes of the transaction's commands, without the marker
	Sum      uint32 // CRC-32C of the transaction's commands
	Chain    uint32 // CRC-32C that takes in all before: the chain before and what is above
}

const (
	markerPrefix = "*3\r\n$3\r\nset\r\n$3\r\n" + Reserved + "\r\n$64\r\n"
	markerDigits = 64
	// MarkerBytes is the length of the command that ends a transaction.
	MarkerBytes = len(markerPrefix) + markerDigits + 2

	markerFields  = 48 // bytes, before they are written as base64
	markerChained = 40 // of them go into the chain
)

// encode writes a marker, whose chain is the one behind before, and returns that.
func (m Marker) encode(dst []byte, before uint32) (chain uint32) {
	var fields [markerFields]byte
	binary.BigEndian.PutUint64(fields[:], m.ID)
	binary.BigEndian.PutUint64(fields[8:], m.Sequence)
	binary.BigEndian.PutUint64(fields[16:], uint64(m.Offset))
	binary.BigEndian.PutUint64(fields[24:], uint64(m.Durable))
	binary.BigEndian.PutUint32(fields[32:], uint32(m.Length))
	binary.BigEndian.PutUint32(fields[36:], m.Sum)
	chain = crc32.Update(before, castagnoli, fields[:markerChained])
	binary.BigEndian.PutUint32(fields[40:], chain)
	binary.BigEndian.PutUint32(fields[44:], crc32.Checksum(fields[:44], castagnoli))
	copy(dst, markerPrefix)
	base64.StdEncoding.Encode(dst[len(markerPrefix):], fields[:])
	copy(dst[len(markerPrefix)+markerDigits:], "\r\n")
	return chain
}

// decodeMarker reads the 64 characters of a marker, wherever it stands. What of it goes
// into the chain is returned as well.
func decodeMarker(digits []byte) (m Marker, chained [markerChained]byte, ok bool) {
	var fields [markerFields]byte
	n, err := base64.StdEncoding.Decode(fields[:], digits)
	if err != nil || n != markerFields ||
		binary.BigEndian.Uint32(fields[44:]) != crc32.Checksum(fields[:44], castagnoli) {
		return Marker{}, chained, false
	}
	return Marker{
		ID:       binary.BigEndian.Uint64(fields[:]),
		Sequence: binary.BigEndian.Uint64(fields[8:]),
		Offset:   int64(binary.BigEndian.Uint64(fields[16:])),
		Durable:  int64(binary.BigEndian.Uint64(fields[24:])),
		Length:   int64(binary.BigEndian.Uint32(fields[32:])),
		Sum:      binary.BigEndian.Uint32(fields[36:]),
		Chain:    binary.BigEndian.Uint32(fields[40:]),
	}, [markerChained]byte(fields[:]), true
}
