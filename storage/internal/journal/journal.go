// Package journal is the file format of the embedded file store, its write-ahead
// log, and of backups: the append-only format of github.com/tidwall/buntdb, made
// checkable.
//
// A journal is a row of commands,
//
//	*3\r\n$3\r\nset\r\n$<bytes>\r\n<key>\r\n$<bytes>\r\n<value>\r\n
//	*2\r\n$3\r\ndel\r\n$<bytes>\r\n<key>\r\n
//
// so that buntdb reads it as it is. Three kinds of "set" have a special meaning, all
// under keys that begin with the four bytes \x00tx:
//
//   - the first command of the file, the header, sets "\x00tx" to the name of
//     the format, a random number of the file and a checksum;
//   - the last command of each transaction, its commit record, here called its
//     marker, sets "\x00tx" to 64 characters (see Marker);
//   - a user's key that begins with "\x00tx" is written with "\x00tx\x00" in
//     front of it, so that no data can pass for either.
//
// A transaction counts when its marker is there and right, and is where it was written,
// behind all the others. A marker anywhere else is only evidence that the file held more:
// it has the number of the file, which is secret, and its own checksum.
//
// A journal is whole when it has been sealed, that is, has had a transaction without
// commands: its maker does so before anything relies on it. A backup ends with that.
//
// The format has the number 2. That of files from before the first release, 1, is recognized
// by its header and not read.
package journal

import (
	"fmt"
	"hash/crc32"
	"strconv"
)

// Limits of what a reader believes. They equal the limits of package storage, so that a
// damaged length cannot ask for more memory than a transaction has.
const (
	MaxKeyBytes   = 1 << 10
	MaxValueBytes = 512 << 10
	MaxTxWrites   = 10_000
	MaxTxBytes    = 16 << 20

	// maxBodyBytes bounds a transaction as written: escaping and framing add at
	// most 64 bytes to a record.
	maxBodyBytes = MaxTxBytes + 64*MaxTxWrites
)

// Reserved is the prefix of the keys that have a special meaning in the format; it is
// itself the key of markers and of the header.
const Reserved = "\x00tx"

const (
	escape = Reserved + "\x00"

	headerPrefix = "*3\r\n$3\r\nset\r\n$3\r\n" + Reserved + "\r\n$48\r\n"
	magicBytes   = 23

	// HeaderBytes is the length of a journal without transactions.
	HeaderBytes = len(headerPrefix) + magicBytes + 16 + 1 + 8 + 2
)

// Kind is what a file is, as its header says.
type Kind byte

const (
	// Journal is the file of a store, to which transactions are added.
	Journal Kind = iota
	// Backup is a file that ends with its first seal.
	Backup
)

// magics are what the headers of each kind begin with.
var magics = [...]string{
	Journal: "twinplatform journal 2 ",
	Backup:  "twinplatform backups 2 ",
}

// unreleased is what the headers of files from before the first release begin with.
const unreleased = "twinplatform journal 1 "

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Position is a place between two transactions of a journal, with what is
// needed to continue from there.
type Position struct {
	Kind     Kind
	ID       uint64 // the number of the file
	Offset   int64  // bytes from the beginning of the file
	Sequence uint64 // transactions before this place
	Chain    uint32 // CRC-32C that takes in all bytes before this place
}

// Begin appends the header of a new file with the given number to buf and
// returns the place behind it.
func Begin(buf []byte, kind Kind, id uint64) ([]byte, Position) {
	start := len(buf)
	buf = appendHeader(buf, magics[kind], id)
	return buf, Position{
		Kind:   kind,
		ID:     id,
		Offset: int64(len(buf) - start),
		Chain:  crc32.Checksum(buf[start:], castagnoli),
	}
}

// appendHeader appends the header of a file with a number.
func appendHeader(buf []byte, magic string, id uint64) []byte {
	buf = append(buf, headerPrefix...)
	checked := len(buf)
	buf = append(buf, magic...)
	buf = fmt.Appendf(buf, "%016x ", id)
	return fmt.Appendf(buf, "%08x\r\n", crc32.Checksum(buf[checked:], castagnoli))
}

// Seal turns the last MarkerBytes of tx, a transaction's commands followed by
// so much room, into its marker, and moves the position behind it. Durable is
// the number of bytes of the file that are known to be on the disk.
func (p *Position) Seal(tx []byte, durable int64) {
	body, mark := tx[:len(tx)-MarkerBytes], tx[len(tx)-MarkerBytes:]
	m := Marker{
		ID: p.ID, Sequence: p.Sequence + 1, Offset: p.Offset +
			int64(len(body)), Durable: durable, Length: int64(len(body)),
	}
	m.Sum = crc32.Checksum(body, castagnoli)
	p.Chain = m.encode(mark, p.Chain)
	p.Offset += int64(len(tx))
	p.Sequence++
}

// behind returns the place behind a transaction that begins at this one, when its marker
// says that it is whole and is where it was written.
func (p Position) behind(tx []byte) (Position, Marker, error) {
	body, mark := tx[:len(tx)-MarkerBytes], tx[len(tx)-MarkerBytes:]
	digits := mark[len(markerPrefix) : len(markerPrefix)+markerDigits]
	offset := p.Offset + int64(len(body))
	m, chained, ok := decodeMarker(digits)
	p.Chain = crc32.Update(p.Chain, castagnoli, chained[:])
	right := m.Sum == crc32.Checksum(body, castagnoli) && p.Chain == m.Chain
	switch {
	case !ok:
		return p, m, faultReason("damaged marker")
	case m.ID != p.ID || m.Offset != offset || m.Sequence != p.Sequence+1 || m.Length != int64(len(body)):
		return p, m, faultReason("a marker of another place")
	case !right:
		return p, m, faultReason("wrong checksum")
	}
	p.Offset += int64(len(tx))
	p.Sequence++
	return p, m, nil
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
