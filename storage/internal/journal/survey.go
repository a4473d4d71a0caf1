package journal

import (
	"bytes"
	"errors"
	"io"
)

// Survey is what lies behind a fault.
type Survey struct {
	Markers int   // transactions whose end is there and right
	Durable int64 // the largest number of bytes that one of them knew to be on the disk
}

// surveyChunk is how much of a file FindMarkers reads at a time, in bytes.
const surveyChunk = 1 << 20

// FindMarkers searches the part of a journal from an offset on for the markers of
// later transactions. Where one of them knew more bytes to be on the disk than
// come before the fault, acknowledged data is damaged; otherwise the fault is
// the torn end of writes that nobody was promised.
func FindMarkers(r io.ReaderAt, size int64, id uint64, from int64) (Survey, error) {
	var found Survey
	chunk := make([]byte, min(surveyChunk, max(size-from, 0)))
	for from < size {
		n, err := r.ReadAt(chunk[:min(int64(len(chunk)), size-from)], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return Survey{}, err
		}
		found.add(chunk[:n], id, from)
		if n < len(chunk) || from+int64(n) >= size {
			break
		}
		from += int64(n - MarkerBytes + 1)
	}
	return found, nil
}

// add counts the markers that lie wholly within data, which begins at offset.
func (s *Survey) add(data []byte, id uint64, offset int64) {
	for at := 0; ; at++ {
		next := bytes.Index(data[at:], []byte(markerPrefix))
		if next < 0 || at+next+MarkerBytes > len(data) {
			return
		}
		at += next
		digits := data[at+len(markerPrefix) : at+len(markerPrefix)+64]
		if m, ok := decodeMarker(digits, id, offset+int64(at)); ok {
			s.Markers++
			s.Durable = max(s.Durable, m.Durable)
		}
	}
}
