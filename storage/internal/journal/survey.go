package journal

import (
	"bytes"
	"cmp"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

// Survey is what the markers of later transactions, wherever they are behind a place,
// report the file.
type Survey struct {
	Last      uint64 // the largest number of a transaction; 0 when there are none
	Durable   int64  // the largest number of bytes that one of them knew to be on the disk
	Elsewhere bool   // one of them is where it was not written, which no crash does
}

// Loss reports whether the markers show that what is behind a place is no torn write but
// damage: what was on the disk is not there, or something has been moved.
func (s Survey) Loss(from Position) bool { return s.Durable > from.Offset || s.Elsewhere }

// Look surveys the part of a journal of size bytes that lies behind a place.
func Look(r io.ReaderAt, size int64, from Position) (Survey, error) {
	var found Survey
	err := markers(r, size, from, func(at int64, m Marker) {
		found.Last = max(found.Last, m.Sequence)
		found.Durable = max(found.Durable, m.Durable)
		found.Elsewhere = found.Elsewhere || m.Offset != at
	})
	return found, err
}

// markers calls visit for each marker of a later transaction behind a place.
func markers(r io.ReaderAt, size int64, from Position, visit func(at int64, m Marker)) error {
	return scan(r, size, from.Offset, func(at int64, digits []byte) {
		if m, _, ok := decodeMarker(digits); ok && m.ID == from.ID && m.Sequence > from.Sequence {
			visit(at, m)
		}
	})
}

// lastID returns the number that the last marker in a file names, whatever the file
// begins with. The end of a transaction is the journal's own, so that a journal which was
// kept as a value does not have the last one.
func lastID(r io.ReaderAt, size int64) (id uint64, ok bool, err error) {
	err = scan(r, size, 0, func(_ int64, digits []byte) {
		if m, _, right := decodeMarker(digits); right {
			id, ok = m.ID, true
		}
	})
	return id, ok, err
}

// surveyChunk is how much of a file scan reads at a time, in bytes.
const surveyChunk = 1 << 20

// markerKey is the part of a marker's command that nothing but a marker has.
const markerKey = Reserved + "\r\n$64\r\n"

// scan calls visit with the characters of everything from an offset on that looks like a
// marker.
func scan(r io.ReaderAt, size, from int64, visit func(at int64, digits []byte)) error {
	chunk := make([]byte, min(surveyChunk, max(size-from, 0)))
	for from < size {
		n, err := r.ReadAt(chunk[:min(int64(len(chunk)), size-from)], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		scanChunk(chunk[:n], from, visit)
		if n < len(chunk) || from+int64(n) >= size {
			return nil
		}
		from += int64(n - MarkerBytes + 1)
	}
	return nil
}

// scanChunk looks for the markers that lie wholly within data, which begins at offset.
func scanChunk(data []byte, offset int64, visit func(at int64, digits []byte)) {
	const before = len(markerPrefix) - len(markerKey)
	for at := before; at < len(data); {
		next := bytes.Index(data[at:], []byte(markerKey))
		if next < 0 {
			return
		}
		begin := at + next - before
		end := begin + MarkerBytes
		if end > len(data) {
			return
		}
		mark := data[begin:end]
		if bytes.HasPrefix(mark, []byte(markerPrefix)) && mark[MarkerBytes-2] == '\r' && mark[MarkerBytes-1] == '\n' {
			visit(offset+int64(begin), mark[len(markerPrefix):len(markerPrefix)+markerDigits])
		}
		at += next + 1
	}
}

// Whole is a transaction that is whole, somewhere in a file.
type Whole struct {
	Sequence uint64
	At       int64 // where its commands begin
	Length   int64 // of its commands, in bytes
}

// FindWhole returns the transactions that are whole behind a place, in the order in which
// they were made.
func FindWhole(r io.ReaderAt, size int64, from Position) ([]Whole, error) {
	found := make(map[uint64]Whole)
	var ends []Whole
	var sums []uint32
	err := markers(r, size, from, func(at int64, m Marker) {
		if m.Length <= maxBodyBytes && at-m.Length >= from.Offset {
			ends, sums = append(ends, Whole{Sequence: m.Sequence, At: at - m.Length, Length: m.Length}), append(sums,
				m.Sum)
		}
	})
	if err != nil {
		return nil, err
	}
	var body []byte
	for i, tx := range ends {
		if _, have := found[tx.Sequence]; have {
			continue
		}
		body = slices.Grow(body[:0], int(tx.Length))[:tx.Length]
		if _, err := r.ReadAt(body, tx.At); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if crc32.Checksum(body, castagnoli) == sums[i] {
			found[tx.Sequence] = tx
		}
	}
	whole := make([]Whole, 0, len(found))
	for _, tx := range found {
		whole = append(whole, tx)
	}
	slices.SortFunc(whole, func(a, b Whole) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return whole, nil
}

// Records reads the commands of a transaction that was found whole. They are in a separate
// buffer. It fails with a *Fault where its checksum is right of what are no commands.
func (w Whole) Records(r io.ReaderAt) ([]Record, error) {
	size := w.Length + int64(MarkerBytes)
	in := &window{r: io.NewSectionReader(r, w.At, size), left: size}
	if _, err := in.peek(int(size)); err != nil {
		return nil, err
	}
	p := parser{window: in}
	var spans []span
	for int64(p.at) < w.Length {
		s, err := p.command()
		if reason, ok := errors.AsType[faultReason](err); ok {
			return nil, &Fault{Offset: w.At, Reason: string(reason)}
		}
		if err != nil {
			return nil, err
		}
		spans = append(spans, s)
	}
	records := make([]Record, len(spans))
	for i, s := range spans {
		records[i] = s.record(in.ahead())
	}
	return records, nil
}
