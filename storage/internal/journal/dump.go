package journal

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
)

const (
	// dumpBytes is how much Dump writes at a time.
	dumpBytes = 256 << 10
	// blockBytes is the size from which on Dump ends a transaction: what one damaged byte
	// can take away, unless a record is larger.
	blockBytes = 16 << 10
)

// ErrIncomplete reports that a backup ends before it is finished.
var ErrIncomplete = errors.New("journal: the end is missing")

// NewID returns a number that no other file has.
func NewID() uint64 {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return binary.LittleEndian.Uint64(id[:])
}

// NewHistory returns a name that no other history has.
func NewHistory() string { return HistoryName(NewID()) }

// HistoryName is the name of the history with a number; that of the first, which
// has the number 0, is empty.
func HistoryName(number uint64) string {
	if number == 0 {
		return ""
	}
	return fmt.Sprintf("%016x", number)
}

// Dump writes a new file of a kind that holds the records and returns the place behind
// it. It writes in chunks and gives up when ctx is done.
func Dump(ctx context.Context, w io.Writer, kind Kind, records iter.Seq2[string, []byte]) (Position, error) {
	buf, pos := Begin(nil, kind, NewID())
	block, n := len(buf), 0 // where the transaction begins, and its commands
	for key, value := range records {
		buf = AppendSet(buf, key, value)
		if n++; len(buf)-block < blockBytes && n < MaxTxWrites {
			continue
		}
		buf = append(buf, make([]byte, MarkerBytes)...)
		pos.Seal(buf[block:], 0)
		block, n = len(buf), 0
		if len(buf) < dumpBytes {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return pos, err
		}
		if err := ctx.Err(); err != nil {
			return pos, err
		}
		buf, block = buf[:0], 0
	}
	if n > 0 {
		buf = append(buf, make([]byte, MarkerBytes)...)
		pos.Seal(buf[block:], 0)
	}
	_, err := w.Write(buf)
	return pos, errors.Join(err, ctx.Err())
}

// Finish writes the transaction without commands that distinguishes a whole journal from
// one whose end is missing.
func (p *Position) Finish(w io.Writer) error {
	seal := make([]byte, MarkerBytes)
	p.Seal(seal, p.Offset)
	_, err := w.Write(seal)
	return err
}

// ReadAll reads a whole journal from a stream and hands its commands to visit;
// a Record is gone after the call. It fails with ErrIncomplete when the end is
// missing, with a *Fault or ErrForeign when r is no journal, or with the error
// of r; visit has then seen only a part.
func ReadAll(ctx context.Context, r io.Reader, visit func(Record)) error {
	j, err := NewReader(r, math.MaxInt64)
	if err != nil {
		return err
	}
	for {
		records, err := j.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, rec := range records {
			visit(rec)
		}
	}
	if !j.Ends() {
		return fmt.Errorf("%w behind byte %d", ErrIncomplete, j.pos.Offset)
	}
	return nil
}
