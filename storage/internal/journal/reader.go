package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// ErrForeign reports that a file does not begin like a journal.
var ErrForeign = errors.New("journal: not a journal of this format")

// ErrUnreleased reports that a file, or what a store holds, is of a format from before the
// first release, and says what to do.
var ErrUnreleased = errors.New("it was written before the first release, and is not read: " +
	"write it as a seed with the program of commit b9a6ac0c, or where that refuses it with " +
	"the program of commit 36fbb526 (twinplatform export FILE), " +
	"and read that into a new store (twinplatform import FILE)")

// Fault is the first place in a journal that is not as it was written: a torn tail, the
// end of a write that never finished, or damage.
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
	sealed  int // transactions without commands read
	last    Marker
	spans   []span
	records []Record
}

// NewReader reads the header from r, which holds size bytes. It fails with
// ErrForeign when r holds something else, with ErrUnreleased when it holds a journal of the
// format before, with a *Fault when it holds a damaged one, or with the error of r.
func NewReader(r io.Reader, size int64) (*Reader, error) {
	j := &Reader{window: window{r: r, left: size}}
	head, err := j.window.peek(HeaderBytes)
	if err != nil {
		return nil, err
	}
	kind, ok := kindOf(head)
	if !ok {
		return nil, ErrForeign
	}
	if len(head) < HeaderBytes {
		return nil, &Fault{Reason: "header cut short"}
	}
	digits := string(head[len(headerPrefix)+magicBytes : len(headerPrefix)+magicBytes+16])
	id, err := strconv.ParseUint(digits, 16, 64)
	want, pos := Begin(nil, kind, id)
	if err == nil && bytes.Equal(head, appendHeader(nil, unreleased, id)) {
		return nil, ErrUnreleased
	}
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

// kindOf returns the kind of which a header most looks like one.
func kindOf(head []byte) (found Kind, ok bool) {
	fewest := maxWrong + 1
	for kind, magic := range magics {
		if wrong := differences(head, headerPrefix+magic); wrong < fewest {
			fewest, found, ok = wrong, Kind(kind), true
		}
	}
	return found, ok
}

// maxWrong is the number of wrong bytes with which a damaged header is still a header.
const maxWrong = 8

// differences counts the bytes in which data does not begin like text; where data is the
// shorter it must be exact.
func differences(data []byte, text string) int {
	if len(data) < len(text) {
		if len(data) > 0 && string(data) == text[:len(data)] {
			return 0
		}
		return len(text)
	}
	wrong := 0
	for i := range len(text) {
		if data[i] != text[i] {
			wrong++
		}
	}
	return wrong
}

// Position returns the place behind the last transaction read.
func (j *Reader) Position() Position { return j.pos }

// Sealed reports whether the file was whole once: a transaction without commands was read.
func (j *Reader) Sealed() bool { return j.sealed > 0 }

// Ends reports whether the last transaction read has no commands, like the last one of a
// backup.
func (j *Reader) Ends() bool { return j.sealed > 0 && j.last.Length == 0 }

// Next returns the commands of the next transaction, which may be none. It fails with
// io.EOF at the end, with a *Fault at the first fault, or with the error of the input;
// the position then stays where it is.
func (j *Reader) Next() ([]Record, error) {
	switch head, err := j.window.peek(1); {
	case err != nil:
		return nil, err
	case len(head) == 0:
		return nil, io.EOF
	case j.pos.Kind == Backup && j.Ends():
		return nil, j.fault(faultReason("bytes behind the end of a backup"))
	}
	p := parser{window: &j.window}
	j.spans = j.spans[:0]
	for {
		s, err := p.command()
		if err != nil {
			return nil, j.fault(err)
		}
		if s.marker {
			return j.finish(&p)
		}
		if len(j.spans) == MaxTxWrites {
			return nil, j.fault(faultReason("too many commands"))
		}
		j.spans = append(j.spans, s)
	}
}

// finish checks the marker that p has just read.
func (j *Reader) finish(p *parser) ([]Record, error) {
	tx := j.window.ahead()[:p.at]
	pos, m, err := j.pos.behind(tx)
	if err != nil {
		return nil, j.fault(err)
	}
	j.records = j.records[:0]
	for _, s := range j.spans {
		j.records = append(j.records, s.record(tx))
	}
	if m.Length == 0 {
		j.sealed++
	}
	j.pos, j.last = pos, m
	j.window.skip(p.at)
	return j.records, nil
}

func (j *Reader) fault(err error) error {
	if reason, ok := errors.AsType[faultReason](err); ok {
		return &Fault{Offset: j.pos.Offset, Reason: string(reason)}
	}
	return err
}
