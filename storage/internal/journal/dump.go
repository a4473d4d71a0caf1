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

// dumpBytes is the size from which on Dump ends a transaction.
const dumpBytes = 256 << 10

// ErrIncomplete says that a backup ends before it is finished.
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

// Dump writes a new journal that holds the records and returns the place behind
// it. It writes in chunks and gives up when ctx is done.
func Dump(ctx context.Context, w io.Writer, records iter.Seq2[string, []byte]) (Position, error) {
	buf, pos := Begin(nil, NewID())
	if _, err := w.Write(buf); err != nil {
		return pos, err
	}
	buf = buf[:0]
	n := 0
	flush := func() error {
		buf = append(buf, make([]byte, MarkerBytes)...)
		pos.Seal(buf, 0)
		_, err := w.Write(buf)
		buf, n = buf[:0], 0
		return errors.Join(err, ctx.Err())
	}
	for key, value := range records {
		buf = AppendSet(buf, key, value)
		if n++; len(buf) < dumpBytes && n < MaxTxWrites {
			continue
		}
		if err := flush(); err != nil {
			return pos, err
		}
	}
	if n > 0 {
		if err := flush(); err != nil {
			return pos, err
		}
	}
	return pos, nil
}

// Finish writes the transaction without commands that tells a whole journal
// from one whose end is missing.
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
	if j.last.Sequence == 0 || j.last.Length > 0 {
		return fmt.Errorf("%w behind byte %d", ErrIncomplete, j.pos.Offset)
	}
	return nil
}
