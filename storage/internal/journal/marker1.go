package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"slices"
)

// The markers of the first format are 64 hexadecimal digits, in lower case: sequence (16),
// durable (16), length (16), chain (8) and check (8). The chain is the CRC-32C of all bytes
// of the file before the marker; the check takes in the number of the file and the place,
// neither of which is written out.

// encode1 writes a marker of the first format.
func (m Marker) encode1(dst []byte) {
	copy(dst, markerPrefix)
	digits := dst[len(markerPrefix):]
	var room [32]byte
	fields := binary.BigEndian.AppendUint64(room[:0], m.Sequence)
	fields = binary.BigEndian.AppendUint64(fields, uint64(m.Durable))
	fields = binary.BigEndian.AppendUint64(fields, uint64(m.Length))
	fields = binary.BigEndian.AppendUint32(fields, m.Chain)
	hex.Encode(digits, fields)
	fields = binary.BigEndian.AppendUint32(fields, check1(digits[:56], m.ID, m.Offset))
	hex.Encode(digits[56:], fields[28:])
	copy(digits[markerDigits:], "\r\n")
}

// decode1 reads a marker of the first format without its check. A number has one spelling,
// so that every changed byte shows.
func decode1(digits []byte) (m Marker, check uint32, ok bool) {
	var fields [32]byte
	if _, err := hex.Decode(fields[:], digits); err != nil || bytes.ContainsAny(digits, "ABCDEF") {
		return Marker{}, 0, false
	}
	return Marker{
		Sequence: binary.BigEndian.Uint64(fields[:]), Durable: int64(binary.BigEndian.Uint64(fields[8:])),
		Length: int64(binary.BigEndian.Uint64(fields[16:])), Chain: binary.BigEndian.Uint32(fields[24:]),
	}, binary.BigEndian.Uint32(fields[28:]), true
}

// decodeMarkerAt reads a marker of the first format that is at its place.
func decodeMarkerAt(digits []byte, id uint64, offset int64) (m Marker, ok bool) {
	m, check, ok := decode1(digits)
	m.ID, m.Offset = id, offset
	return m, ok && check == check1(digits[:56], id, offset)
}

func check1(digits []byte, id uint64, offset int64) uint32 {
	var place [16]byte
	binary.LittleEndian.PutUint64(place[:8], id)
	binary.LittleEndian.PutUint64(place[8:], uint64(offset))
	return crc32.Update(crc32.Checksum(place[:], castagnoli), castagnoli, digits)
}

// largerBy1 is how many times its size a file of the first format is thought to have had.
const largerBy1 = 4

// decodeMarkerNear reads a marker of the first format that is at an offset of a file of size bytes
// and was written anywhere in it, or in what it once was. It finds the place for which the check is
// right, of which there is one in each 4 GiB, and takes the marker when everything that it records
// of the file is possible.
func decodeMarkerNear(digits []byte, id uint64, offset, size int64) (m Marker, ok bool) {
	m, check, ok := decode1(digits)
	if !ok {
		return Marker{}, false
	}
	m.ID, m.Offset = id, placeOf(digits[:56], check, id, offset)
	begin := m.Offset - m.Length   // of its transaction
	near := largerBy1*size + 1<<20 // the file may have been larger
	ok = m.Length >= 0 && m.Length <= maxBodyBytes && begin >= int64(HeaderBytes) &&
		m.Offset-offset <= near && offset-m.Offset <= size &&
		m.Durable >= 0 && m.Durable <= m.Offset &&
		m.Sequence > 0 && m.Sequence <= uint64(m.Offset)/uint64(MarkerBytes)+1
	return m, ok
}

// placeOf returns the place, within the same 4 GiB as near, at which a marker of the first
// format has a check: a CRC can be run backwards, and four bytes make it whatever they must.
func placeOf(digits []byte, check uint32, id uint64, near int64) int64 {
	var head [8]byte
	binary.LittleEndian.PutUint64(head[:], id)
	before := ^crc32.Checksum(head[:], castagnoli)
	var high [4]byte
	binary.LittleEndian.PutUint32(high[:], uint32(near>>32))
	after := unread(unread(^check, digits), high[:])
	low := before ^ unread(after, make([]byte, 4))
	return near>>32<<32 | int64(low)
}

// unread returns the state of a CRC-32C before it has read data.
func unread(state uint32, data []byte) uint32 {
	for _, b := range slices.Backward(data) {
		at := castagnoliBack[state>>24]
		state = (state^castagnoli[at])<<8 | uint32(at^b)
	}
	return state
}

// castagnoliBack is where in the table of the CRC an entry with a first byte stands.
var castagnoliBack = func() (back [256]byte) {
	for at, entry := range castagnoli {
		back[entry>>24] = byte(at)
	}
	return back
}()
