// Package journal is the file format of the embedded file store, its write-ahead
// log, and of backups: the append-only format of github.com/tidwall/buntdb, made
// checkable.
//
// A journal is a row of commands,
//
//	*3\r\n$3\r\nset\r\n$<bytes>\r\n<key>\r\n$<bytes>\r\n<value>\r\n
//	*2\r\n$3\r\ndel\r\n$<bytes>\r\n<key>\r\n
//
// so that buntdb reads it as it is. Three kinds of "set" have a meaning of
// their own, all under keys that begin with the four bytes \x00tx:
//
//   - the first command of the file, the header, sets "\x00tx" to the name of
//     the format, a random number of the file and a checksum;
//   - the last command of each transaction, its commit record, here called its
//     marker, sets "\x00tx" to 64 hexadecimal digits (see Marker);
//   - a user's key that begins with "\x00tx" is written with "\x00tx\x00" in
//     front of it, so that no data can pass for either.
//
// A transaction counts when its marker is there and right. The marker's
// checksum takes in the file's number and the marker's place, so neither the
// remains of another file nor a journal kept as a value is ever believed.
package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strconv"
)

// Limits of what a reader believes, which are those of package storage.
const (
	MaxKeyBytes   = 1 << 10
	MaxValueBytes = 512 << 10
	MaxTxWrites   = 10_000
	MaxTxBytes    = 16 << 20

	// maxBodyBytes bounds a transaction as written: escaping and framing add at
	// most 64 bytes to a record.
	maxBodyBytes = MaxTxBytes + 64*MaxTxWrites
)

// Reserved is what the keys begin with that have a meaning of their own in the
// format; it is itself the key of markers and of the header.
const Reserved = "\x00tx"

const (
	escape = Reserved + "\x00"

	headerMagic  = "twinplatform journal 1 "
	headerPrefix = "*3\r\n$3\r\nset\r\n$3\r\n" + Reserved + "\r\n$48\r\n" + headerMagic
	markerPrefix = "*3\r\n$3\r\nset\r\n$3\r\n" + Reserved + "\r\n$64\r\n"

	// HeaderBytes is the length of a journal without transactions.
	HeaderBytes = len(headerPrefix) + 16 + 1 + 8 + 2
	// MarkerBytes is the length of the command that ends a transaction.
	MarkerBytes = len(markerPrefix) + 64 + 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Position is a place between two transactions of a journal, with what is
// needed to go on from there.
type Position struct {
	ID       uint64 // the number of the file
	Offset   int64  // bytes from the beginning of the file
	Sequence uint64 // transactions before this place
	Chain    uint32 // CRC-32C of all bytes before this place
}

// Marker is what the end of a transaction says. Written out it is, in lower
// case hexadecimal digits: sequence (16), durable (16), length (16), chain (8)
// and check (8).
type Marker struct {
	Sequence uint64 // number of the transaction, counted from 1
	Durable  int64  // bytes of the file known to be on the disk when this was written
	Length   int64  // bytes of the transaction's commands, without the marker
	Chain    uint32 // CRC-32C of all bytes of the file before the marker
}

// Begin appends the header of a new journal with the given number to buf and
// returns the place behind it.
func Begin(buf []byte, id uint64) ([]byte, Position) {
	start := len(buf)
	buf = append(buf, headerPrefix...)
	buf = fmt.Appendf(buf, "%016x ", id)
	check := crc32.Checksum(buf[start+len(headerPrefix)-len(headerMagic):], castagnoli)
	buf = fmt.Appendf(buf, "%08x\r\n", check)
	return buf, Position{
		ID:     id,
		Offset: int64(len(buf) - start),
		Chain:  crc32.Checksum(buf[start:], castagnoli),
	}
}

// Seal turns the last MarkerBytes of tx, a transaction's commands followed by
// so much room, into its marker, and moves the position behind it. Durable is
// the number of bytes of the file that are known to be on the disk.
func (p *Position) Seal(tx []byte, durable int64) {
	body, mark := tx[:len(tx)-MarkerBytes], tx[len(tx)-MarkerBytes:]
	p.Chain = crc32.Update(p.Chain, castagnoli, body)
	p.Offset += int64(len(body))
	p.Sequence++
	m := Marker{Sequence: p.Sequence, Durable: durable, Length: int64(len(body)), Chain: p.Chain}
	m.encode(mark, p.ID, p.Offset)
	p.Chain = crc32.Update(p.Chain, castagnoli, mark)
	p.Offset += int64(MarkerBytes)
}

// encode writes the marker that stands at an offset of a file.
func (m Marker) encode(dst []byte, id uint64, offset int64) {
	copy(dst, markerPrefix)
	digits := dst[len(markerPrefix):]
	fields := make([]byte, 0, 32)
	fields = binary.BigEndian.AppendUint64(fields, m.Sequence)
	fields = binary.BigEndian.AppendUint64(fields, uint64(m.Durable))
	fields = binary.BigEndian.AppendUint64(fields, uint64(m.Length))
	fields = binary.BigEndian.AppendUint32(fields, m.Chain)
	hex.Encode(digits, fields)
	fields = binary.BigEndian.AppendUint32(fields, checkOf(digits[:56], id, offset))
	hex.Encode(digits[56:], fields[28:])
	copy(digits[64:], "\r\n")
}

// decodeMarker reads the 64 digits of a marker at an offset of a file. A number has
// one spelling, so that every changed byte shows.
func decodeMarker(digits []byte, id uint64, offset int64) (m Marker, ok bool) {
	var fields [32]byte
	_, err := hex.Decode(fields[:], digits)
	if err != nil || bytes.ContainsAny(digits, "ABCDEF") || binary.BigEndian.Uint32(fields[28:]) != checkOf(digits[:56], id, offset) {
		return Marker{}, false
	}
	return Marker{
		Sequence: binary.BigEndian.Uint64(fields[:]), Durable: int64(binary.BigEndian.Uint64(fields[8:])),
		Length: int64(binary.BigEndian.Uint64(fields[16:])), Chain: binary.BigEndian.Uint32(fields[24:]),
	}, true
}

func checkOf(digits []byte, id uint64, offset int64) uint32 {
	var place [16]byte
	binary.LittleEndian.PutUint64(place[:8], id)
	binary.LittleEndian.PutUint64(place[8:], uint64(offset))
	return crc32.Update(crc32.Checksum(place[:], castagnoli), castagnoli, digits)
}

// AppendSet appends the command that sets a key.
func AppendSet(buf []byte, key string, value []byte) []byte {
	buf = append(buf, "*3\r\n$3\r\nset\r\n"...)
	buf = appendKey(buf, key)
	buf = appendLength(buf, len(value))
	buf = append(buf, value...)
	return append(buf, "\r\n"...)
}

// AppendDelete appends the command that deletes a key.
func AppendDelete(buf []byte, key string) []byte {
	buf = append(buf, "*2\r\n$3\r\ndel\r\n"...)
	return appendKey(buf, key)
}

func appendKey(buf []byte, key string) []byte {
	prefix := ""
	if len(key) >= len(Reserved) && key[:len(Reserved)] == Reserved {
		prefix = escape
	}
	buf = appendLength(buf, len(prefix)+len(key))
	buf = append(buf, prefix...)
	buf = append(buf, key...)
	return append(buf, "\r\n"...)
}

func appendLength(buf []byte, n int) []byte {
	buf = append(buf, '$')
	buf = strconv.AppendInt(buf, int64(n), 10)
	return append(buf, "\r\n"...)
}
