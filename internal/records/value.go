package records

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// envelope is a stored value taken apart:
//
//	version  1 byte, of the collection's JSON; its high bit says that the record ended
//	created  8 bytes, revision at which the record was made
//	revision 8 bytes, at which it was last written
//	ended    8 bytes, in milliseconds since 1970; only with the high bit
//	proposal what it is to become, see stage; only with the bit behind the high one
//	length   uvarint, of hidden
//	hidden   what is stored and never on the wire
//	wire     the rest: the JSON that answers carry
type envelope struct {
	version  byte
	unused   bool // it is of no record, and neither was any before it; here it makes no envelope larger
	created  uint64
	revision uint64
	noted    uint64 // the revision at which the order of changes has it: that, unless its stage is being folded
	ended    moment
	proposal *proposal
	hidden   []byte
	wire     []byte
}

// endedBit is set in the version of what has ended: only then is it known when.
const endedBit = 0x80

var errEnvelope = errors.New("records: stored value is malformed")

func open(stored []byte) (e envelope, err error) {
	if len(stored) < 18 {
		return e, errEnvelope
	}
	e.version = stored[0] &^ (endedBit | stagedBit)
	e.created = binary.BigEndian.Uint64(stored[1:])
	e.revision = binary.BigEndian.Uint64(stored[9:])
	e.noted = e.revision
	rest := stored[17:]
	if stored[0]&endedBit != 0 {
		if len(rest) < 9 {
			return e, errEnvelope
		}
		e.ended, rest = moment(binary.BigEndian.Uint64(rest)), rest[8:]
	}
	if stored[0]&stagedBit != 0 {
		var ok bool
		if e.proposal, rest, ok = openProposal(rest); !ok {
			return e, errEnvelope
		}
	}
	n, k := binary.Uvarint(rest)
	rest = rest[max(k, 0):]
	if k <= 0 || n > uint64(len(rest)) {
		return e, errEnvelope
	}
	e.hidden, e.wire = rest[:n:n], rest[n:]
	if p := e.proposal; p != nil && p.head+p.tail > len(e.wire) {
		return e, errEnvelope
	}
	return e, nil
}

func (e envelope) seal() []byte {
	var length [binary.MaxVarintLen64]byte
	hidden := binary.AppendUvarint(length[:0], uint64(len(e.hidden)))
	size := 17 + len(hidden) + len(e.hidden) + len(e.wire)
	if e.ended != 0 {
		size += 8
	}
	if e.proposal != nil {
		size += 5*binary.MaxVarintLen64 + len(e.proposal.middle)
	}
	b := make([]byte, 0, size)
	b = append(b, e.version)
	b = binary.BigEndian.AppendUint64(b, e.created)
	b = binary.BigEndian.AppendUint64(b, e.revision)
	if e.ended != 0 {
		b[0] |= endedBit
		b = binary.BigEndian.AppendUint64(b, uint64(e.ended))
	}
	if e.proposal != nil {
		b[0] |= stagedBit
		b = e.proposal.seal(b)
	}
	b = append(append(b, hidden...), e.hidden...)
	return append(b, e.wire...)
}

// open takes a stored value of the collection apart, as the transaction sees it, lifted to
// its present version. It fails with ErrNotFound where there is no record before a stage is
// committed.
func (t *Table) open(tx Reading, s Scope, stored []byte) (envelope, error) {
	e, err := open(stored)
	if err != nil {
		return e, fmt.Errorf("%s: %w", t.name, err)
	}
	if e.proposal != nil {
		st, err := stageIn(tx, s)
		if err != nil {
			return e, err
		}
		if e = e.within(st); e.proposed() {
			return e, ErrNotFound
		}
	}
	if int(e.version) > len(t.upgrades) {
		return e, fmt.Errorf("records: %s was written by a later version of this module (%d)", t.name, e.version)
	}
	if int(e.version) < len(t.upgrades) {
		return t.upgrade(e)
	}
	return e, nil
}

// upgrade lifts a record of an earlier version. It comes out as if it had just
// been written, so that a change that changes nothing stays one.
func (t *Table) upgrade(e envelope) (_ envelope, err error) {
	from := e.version
	for _, up := range t.upgrades[from:] {
		if e.hidden, e.wire, err = up(e.hidden, e.wire); err != nil {
			return e, fmt.Errorf("upgrading %s from version %d: %w", t.name, from, err)
		}
		e.version++
	}
	v, err := t.decode(e)
	if err != nil {
		return e, err
	}
	if e.wire, err = encode(v); err != nil {
		return e, fmt.Errorf("upgrading %s from version %d: %w", t.name, from, err)
	}
	return e, nil
}

func (t *Table) decode(e envelope) (any, error) {
	v := t.fresh()
	if err := t.decodeInto(e, v); err != nil {
		return nil, err
	}
	return v, nil
}

// read reads a record as it is stored into a value of its own.
func (t *Table) read(tx Reading, s Scope, stored []byte) (any, error) {
	e, err := t.open(tx, s, stored)
	if err != nil {
		return nil, err
	}
	return t.decode(e)
}

// decodeInto reads a record into a zero value.
func (t *Table) decodeInto(e envelope, v any) error {
	err := decode(e.wire, v)
	if err == nil && t.hides && len(e.hidden) > 0 {
		err = decode(e.hidden, t.hidden(v))
	}
	if err != nil {
		return fmt.Errorf("reading a record of %s: %w", t.name, err)
	}
	return nil
}

// Join makes the id of a record that is known by several ids. They contain no
// slash, so that the joint id is unique.
func Join(ids ...string) string { return strings.Join(ids, "/") }

// maxPart is the length in bytes up to which an id stands in a key as it is.
const maxPart = 128

// keyPart is an id as part of a key. Ids of many multi-byte characters are cut
// and distinguished by their hash, so that the key stays within the store's
// limit; the control character keeps them apart from all plain ids.
func keyPart(id string) string {
	if len(id) <= maxPart {
		return id
	}
	parts := strings.Split(id, "/")
	for i, p := range parts {
		if len(p) > maxPart {
			sum := sha256.Sum256([]byte(p))
			parts[i] = p[:96] + "\x00" + hex.EncodeToString(sum[:16])
		}
	}
	return strings.Join(parts, "/")
}

// valuePart is a value of an index as part of a key: as it is, or as its hash
// where it is long or holds the separator.
func valuePart(v string) string {
	if len(v) <= maxPart && !strings.ContainsAny(v, "/\x00") {
		return v
	}
	sum := sha256.Sum256([]byte(v))
	return "\x00" + hex.EncodeToString(sum[:16])
}

// revisionPart is a revision as part of a key: 16 hexadecimal digits, so that
// keys sort as revisions do.
func revisionPart(revision uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[15-i] = digits[revision>>(4*i)&0xf]
	}
	return string(b[:])
}
