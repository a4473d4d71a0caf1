package journal

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// ReadStock reads a file that buntdb itself wrote and hands its commands to
// visit, one by one; the Record is gone after the call. It returns the length
// of what it understood, and a *Fault for the first thing that buntdb does not
// write or that this format cannot keep. Values that had expired at now are
// handed on as deletions; a value that is still to expire is a fault.
func ReadStock(r io.Reader, size int64, now time.Time, visit func(Record)) (int64, error) {
	w := &window{r: r, left: size}
	var good int64
	for !w.empty() {
		p := parser{window: w}
		parts, err := p.parts()
		var rec Record
		if err == nil {
			rec, err = stockRecord(parts, now)
		}
		if reason, ok := errors.AsType[faultReason](err); ok {
			return good, &Fault{Offset: good, Reason: string(reason)}
		}
		if err != nil {
			return good, err
		}
		visit(rec)
		good += int64(p.at)
		w.skip(p.at)
	}
	return good, nil
}

// Flush reports whether the record stands for buntdb's "delete everything".
func (r Record) Flush() bool { return r.Delete && r.Key == nil }

// parts reads a command of up to five parts, whatever it says.
func (p *parser) parts() ([][]byte, error) {
	n, err := p.count('*', 5)
	if err != nil {
		return nil, err
	}
	var spans [5][2]int
	for i := range n {
		if spans[i][0], spans[i][1], err = p.bulk(MaxValueBytes); err != nil {
			return nil, err
		}
	}
	parts := make([][]byte, n)
	for i := range parts {
		parts[i] = p.window.ahead()[spans[i][0]:spans[i][1]]
	}
	return parts, nil
}

// stockRecord says what a command of buntdb means.
func stockRecord(parts [][]byte, now time.Time) (Record, error) {
	verb := ""
	if len(parts) > 0 {
		verb = string(bytes.ToLower(parts[0]))
	}
	switch {
	case verb == "flushdb" && len(parts) == 1:
		return Record{Delete: true}, nil
	case verb == "del" && len(parts) == 2, verb == "set" && (len(parts) == 3 || len(parts) == 5):
	default:
		return Record{}, reasonCommand
	}
	key := parts[1]
	switch {
	case len(key) > MaxKeyBytes:
		return Record{}, reasonLarge
	case len(key) == 0, bytes.HasPrefix(key, []byte(markerKey)):
		return Record{}, reasonKey
	case verb == "del":
		return Record{Key: key, Delete: true}, nil
	case len(parts) == 3:
		return Record{Key: key, Value: parts[2]}, nil
	}
	seconds, err := strconv.ParseInt(string(parts[4]), 10, 64)
	if err != nil || !bytes.EqualFold(parts[3], []byte("ae")) || time.Unix(seconds, 0).After(now) {
		return Record{}, faultReason("value that expires")
	}
	return Record{Key: key, Delete: true}, nil
}
