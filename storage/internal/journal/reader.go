package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// ErrForeign says that a file does not begin like a journal.
var ErrForeign = errors.New("journal: not a journal of this format")

// Fault is the first thing in a journal that is not as it was written: a torn tail,
// the end of a write that never finished, or damage.
type Fault struct {
	Offset int64 // of the transaction that holds it, from the beginning of the file
	Reason string
}

// Error implements error.
func (f *Fault) Error() string {
	return fmt.Sprintf("journal: %s in the transaction at byte %d", f.Reason, f.Offset)
}

// Record is one command of a transaction. Key and Value lie in the reader's
// buffer and are gone with the next transaction.
type Record struct {
	Key    []byte
	Value  []byte
	Delete bool
}

// Reader reads whole transactions and believes nothing before it is there and
// checked. It never holds more than the larger of 64 KiB and twice the largest
// transaction, and never more than the input is long.
type Reader struct {
	window  window
	pos     Position
	last    Marker
	spans   []span
	records []Record
}

// NewReader reads the header from r, which holds size bytes. It fails with
// ErrForeign when r holds something else, with a *Fault when it holds a damaged
// journal, or with the error of r.
func NewReader(r io.Reader, size int64) (*Reader, error) {
	j := &Reader{window: window{r: r, left: size}}
	head, err := j.window.peek(HeaderBytes)
	if err != nil {
		return nil, err
	}
	if !similar(head, headerPrefix) {
		return nil, ErrForeign
	}
	if len(head) < HeaderBytes {
		return nil, &Fault{Reason: "header cut short"}
	}
	id, err := strconv.ParseUint(string(head[len(headerPrefix):len(headerPrefix)+16]), 16, 64)
	want, pos := Begin(nil, id)
	if err != nil || !bytes.Equal(head, want) {
		return nil, &Fault{Reason: "damaged header"}
	}
	j.window.skip(HeaderBytes)
	j.pos = pos
	return j, nil
}

// Resume reads on from a position; r holds the size bytes behind it.
func Resume(r io.Reader, size int64, from Position) *Reader {
	return &Reader{window: window{r: r, left: size}, pos: from}
}

// similar reports whether data begins like text, but for a few bytes: a damaged
// header is still a header. Where data is the shorter it must be exact.
func similar(data []byte, text string) bool {
	if len(data) < len(text) {
		return len(data) > 0 && string(data) == text[:len(data)]
	}
	wrong := 0
	for i := range len(text) {
		if data[i] != text[i] {
			wrong++
		}
	}
	return wrong <= 8
}

// Position returns the place behind the last transaction read.
func (j *Reader) Position() Position { return j.pos }

// Next returns the commands of the next transaction, which may be none. It
// fails with io.EOF at the end, with a *Fault at the first thing that is not
// right, or with the error of the input; the position then stays where it is.
func (j *Reader) Next() ([]Record, error) {
	switch head, err := j.window.peek(1); {
	case err != nil:
		return nil, err
	case len(head) == 0:
		return nil, io.EOF
	}
	p := parser{window: &j.window}
	j.spans = j.spans[:0]
	for {
		s, err := p.command()
		if err != nil {
			return nil, j.fault(err)
		}
		if s.marker {
			return j.finish(&p, s)
		}
		if len(j.spans) == MaxTxWrites {
			return nil, j.fault(faultReason("too many commands"))
		}
		j.spans = append(j.spans, s)
	}
}

// finish checks the marker that p has just read.
func (j *Reader) finish(p *parser, s span) ([]Record, error) {
	length := p.at - MarkerBytes
	tx := j.window.ahead()[:p.at]
	chain := crc32.Update(j.pos.Chain, castagnoli, tx[:length])
	m, ok := decodeMarker(tx[s.value:s.end], j.pos.ID, j.pos.Offset+int64(length))
	switch {
	case !ok:
		return nil, j.fault(faultReason("damaged marker"))
	case m.Sequence != j.pos.Sequence+1 || m.Length != int64(length) || m.Chain != chain:
		return nil, j.fault(faultReason("wrong checksum"))
	}
	j.records = j.records[:0]
	for _, s := range j.spans {
		j.records = append(j.records, s.record(tx))
	}
	j.pos.Chain = crc32.Update(chain, castagnoli, tx[length:])
	j.pos.Offset += int64(p.at)
	j.pos.Sequence = m.Sequence
	j.last = m
	j.window.skip(p.at)
	return j.records, nil
}

func (j *Reader) fault(err error) error {
	if reason, ok := errors.AsType[faultReason](err); ok {
		return &Fault{Offset: j.pos.Offset, Reason: string(reason)}
	}
	return err
}
