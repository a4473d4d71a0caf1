package engine

import (
	"context"
	"iter"
	"maps"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Line is the way to a database: each call is one journey.
type Line interface {
	// Fetch returns the values of keys, nil for those that are not there, and of each
	// range its first records, in order: as many as its Limit says, which is never 0. More
	// says that there may be others behind them.
	Fetch(keys []string, ranges []storage.Range) (values [][]byte, pages []Page, err error)
}

// Page is the beginning of a range.
type Page struct {
	Keys   []string
	Values [][]byte
	More   bool
	// Led is what each record leads to by Range.Follow. A line that follows nothing leaves it empty.
	Led []Led
}

// Led is what a record leads to. The second is of no account where the first is there.
type Led struct {
	Values [2][]byte // nil: not there
	Unread bool      // it is not known
}

// followed yields the keys that a page of a range leads to, with their values.
func (p Page) followed(at storage.Range) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i, led := range p.Led {
			for n, prefix := range at.Follow {
				if prefix == "" || led.Unread || n > 0 && led.Values[0] != nil {
					continue
				}
				if !yield(prefix+string(p.Values[i]), led.Values[n]) {
					return
				}
			}
		}
	}
}

// How many records a journey brings of a range of unknown length:
// as many as are wanted, or else few at first, and then more and more of short ones.
const (
	firstPage = 64
	mostFirst = 1024
	lastPage  = 8192
	pageBytes = 1 << 20
)

// mostAhead is how many bytes are kept of what was read ahead. Long work reads more of it in one transaction, a
// part at a time, and asks for none again.
const mostAhead = 64 << 20

// Remote is a Source at the end of a line. It keeps what was read ahead: what was read last, and as much of
// what was read before as there is room for.
type Remote struct {
	line   Line
	values map[string][]byte // nil: not there
	pages  map[place]Page
	kept   int // bytes of both
}

var _ Source = (*Remote)(nil)

// place is where a scan begins.
type place struct{ prefix, after string }

// NewRemote returns a source at the end of a line, for one transaction.
func NewRemote(line Line) *Remote { return &Remote{line: line} }

// Prefetch reads what is not known yet in one journey, if there is such.
func (r *Remote) Prefetch(keys []string, ranges ...storage.Range) error {
	keys, ranges = r.unknown(keys, ranges)
	if len(keys)+len(ranges) == 0 {
		return nil
	}
	values, pages, err := r.line.Fetch(keys, ranges)
	if err != nil {
		return err
	}
	size := 0
	for i, key := range keys {
		size += len(key) + len(values[i])
	}
	for i, page := range pages {
		size += page.size()
		for key, value := range page.followed(ranges[i]) {
			size += len(key) + len(value)
		}
	}
	if r.kept += size; r.values == nil || r.kept > mostAhead {
		r.values, r.pages, r.kept = make(map[string][]byte, len(keys)), make(map[place]Page, len(ranges)), size
	}
	for i, key := range keys {
		r.values[key] = values[i]
	}
	for i, at := range ranges {
		r.pages[place{at.Prefix, at.After}] = pages[i]
		maps.Insert(r.values, pages[i].followed(at))
	}
	return nil
}

// unknown leaves out what was read ahead, and what is named twice.
func (r *Remote) unknown(keys []string, ranges []storage.Range) ([]string, []storage.Range) {
	asked := make(map[string]struct{}, len(keys))
	var left []string
	for _, key := range keys {
		_, known := r.values[key]
		if _, twice := asked[key]; !known && !twice {
			asked[key] = struct{}{}
			left = append(left, key)
		}
	}
	begun := make(map[place]struct{}, len(ranges))
	var open []storage.Range
	for _, at := range ranges {
		if at.Limit <= 0 {
			at.Limit = firstPage
		}
		at.Limit = min(at.Limit, mostFirst)
		_, known := r.pages[place{at.Prefix, at.After}]
		if _, twice := begun[place{at.Prefix, at.After}]; !known && !twice {
			begun[place{at.Prefix, at.After}] = struct{}{}
			open = append(open, at)
		}
	}
	return left, open
}

// Get implements Source.
func (r *Remote) Get(key string) ([]byte, error) {
	value, known := r.values[key]
	if !known {
		values, _, err := r.line.Fetch([]string{key}, nil)
		if err != nil {
			return nil, err
		}
		value = values[0]
	}
	if value == nil {
		return nil, storage.NotFound(key)
	}
	return value, nil
}

// Scan implements Source.
func (r *Remote) Scan(prefix, after string, visit func(key string, value []byte) bool) error {
	return r.scan(prefix, after, firstPage, visit)
}

// scan is Scan for a visitor that is likely to want so many records.
func (r *Remote) scan(prefix, after string, likely int, visit func(key string, value []byte) bool) error {
	page, known := r.pages[place{prefix, after}]
	for rows := min(max(likely, len(page.Keys), 1), mostFirst); ; rows = page.next(rows) {
		if !known {
			_, pages, err := r.line.Fetch(nil, []storage.Range{{Prefix: prefix, After: after, Limit: rows}})
			if err != nil {
				return err
			}
			page = pages[0]
		}
		known = false
		for i, key := range page.Keys {
			if !visit(key, page.Values[i]) {
				return nil
			}
		}
		if !page.More || len(page.Keys) == 0 {
			return nil
		}
		after = page.Keys[len(page.Keys)-1]
	}
}

// next is how many records are to follow a page of so many.
func (p Page) next(rows int) int {
	return max(1, min(rows*4, lastPage, pageBytes*len(p.Keys)/max(1, p.size())))
}

// size is how many bytes the records of a page are, without what they lead to.
func (p Page) size() (n int) {
	for i, key := range p.Keys {
		n += len(key) + len(p.Values[i])
	}
	return n
}

// limited is a remote source of which a scan wants so many records.
type limited struct {
	*Remote
	limit int
}

// Scan implements Source.
func (l limited) Scan(prefix, after string, visit func(key string, value []byte) bool) error {
	return l.scan(prefix, after, l.limit, visit)
}

// RemoteReader is a Reader of what is at the end of a line.
type RemoteReader struct {
	Reader
	remote *Remote
}

// RemoteWriter is a Writer over what is at the end of a line.
type RemoteWriter struct {
	Writer
	remote *Remote
	below  *Layers // what others have decided over that; nil where there are no others
}

var (
	_ storage.Prefetcher = (*RemoteReader)(nil)
	_ storage.Prefetcher = (*RemoteWriter)(nil)
)

// NewRemoteReader returns a reader of what is at the end of a line.
func NewRemoteReader(line Line) *RemoteReader {
	r := NewRemote(line)
	return &RemoteReader{Reader: *NewReader(r), remote: r}
}

// NewRemoteWriter returns a transaction over what is at the end of a line.
func NewRemoteWriter(line Line) *RemoteWriter {
	r := NewRemote(line)
	return &RemoteWriter{Writer: *NewWriter(r), remote: r}
}

// Run is Reader.Run.
func (r *RemoteReader) Run(fn func(storage.Reader) error) error {
	defer r.End()
	return r.Outcome(fn(r))
}

// Prefetch implements storage.Prefetcher.
func (r *RemoteReader) Prefetch(keys []string, ranges ...storage.Range) error {
	switch {
	case r.over:
		return errOver
	case r.err != nil:
		return r.err
	}
	return failed(&r.err, r.remote.Prefetch(keys, ranges...))
}

// ScanLimit implements storage.Prefetcher.
func (r *RemoteReader) ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte] {
	return storage.AtMost(r.scan(limited{r.remote, limit}, prefix, after), limit)
}

// Run is Writer.Run.
func (w *RemoteWriter) Run(ctx context.Context, fn func(storage.Writer) error) error {
	defer w.End()
	return w.Outcome(ctx, fn(w))
}

// Prefetch implements storage.Prefetcher.
func (w *RemoteWriter) Prefetch(keys []string, ranges ...storage.Range) error {
	switch {
	case w.over:
		return errOver
	case w.err != nil:
		return w.err
	}
	return failed(&w.err, w.remote.Prefetch(keys, ranges...))
}

// ScanLimit implements storage.Prefetcher.
func (w *RemoteWriter) ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte] {
	var source Source = limited{w.remote, limit}
	if w.below != nil {
		source = layered{w.below, w.remote, limit}
	}
	return storage.AtMost(w.scan(source, prefix, after), limit)
}
