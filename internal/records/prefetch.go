package records

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// A transaction over a network pays a round trip, a journey, for whatever it asks for. So
// what it is going to read, its read set, is declared by those who know it: operations by
// the ids that they are given, types of records by the values of what is written. What is
// declared joins the next journey that cannot be avoided, and nothing is read twice. Each
// answer is as of the transaction, and a needless declaration costs one more key to read.

// Need is a key, or the beginning of a range, that a transaction is going to read.
type Need struct {
	at string // the key, or what the keys of the range begin with
	// scan is what is read of the range; nil for a key. Batches declare thousands of keys.
	scan *span
}

// span is how much of a range is read.
type span struct {
	after string // the key that it comes after
	limit int    // how many records are read ahead at most
	// follow is what the values lead to that are read with them: storage.Range.Follow.
	follow [2]string
}

// The beginnings of ranges.
var (
	shortSpan = &span{limit: shortScan}
	longSpan  = &span{limit: longScan}
)

// shortScan is how many records a range has at most that is read ahead.
const shortScan = 16

// longScan is how many records are read ahead of a range that is read whole.
const longScan = 64

// Need is the record with an id.
func (t *Table) Need(s Scope, id string) Need { return Need{at: t.key(s, "r", id)} }

// Needs are the records with ids, of which some may be empty.
func (t *Table) Needs(s Scope, ids ...string) []Need {
	needs := make([]Need, 0, len(ids))
	for _, id := range ids {
		if id != "" {
			needs = append(needs, t.Need(s, id))
		}
	}
	return needs
}

// NeedIndexed is what an index has for a value.
func (t *Table) NeedIndexed(s Scope, index, value string) Need {
	return Need{at: t.indexKey(s, index, value, ""), scan: shortSpan}
}

// NeedsOfNew are what is read before a record with a new id is written.
func (t *Table) NeedsOfNew(s Scope, id string) []Need {
	switch {
	case t.unversioned:
		return []Need{t.Need(s, id)}
	case t.untracked:
		return []Need{t.Need(s, id), s.Need()}
	}
	return []Need{t.Need(s, id), {at: t.key(s, "t", id)}, s.Need()}
}

// needsOfChange are what is read before a record is changed or deleted.
func (t *Table) needsOfChange(s Scope, id string) []Need {
	if t.unversioned || t.part != nil && s.divided() {
		return []Need{t.Need(s, id)}
	}
	return []Need{t.Need(s, id), s.Need()}
}

// declare declares what is read of a record by what is done with it next.
func (u *Update) declare(needs func(Scope, string) []Need, s Scope, id string) {
	if u.reads != nil {
		u.reads.open = append(u.reads.open, needs(s, id)...)
	}
}

// IsRead reports whether a transaction over a network has read the record with an id, and
// with it what was declared together.
func (c *Collection[T]) IsRead(tx Reading, s Scope, id string) bool {
	r := tx.view().reads
	if r == nil {
		return false
	}
	_, known := r.known[c.Table().key(s, "r", id)]
	return known
}

// Need is the revision of a scope.
func (s Scope) Need() Need { return Need{at: s.revisionKey()} }

// Remote reports whether a transaction is over a network, so that it pays to declare needs.
func Remote(tx Reading) bool { return tx.view().remote() }

// Remote reports whether the store is over a network, as far as is known.
func (db *DB) Remote() bool { return db.far.Load() }

// Declare adds to the read set of a transaction over a network. It is read with whatever is
// asked for next and was not read.
func Declare(tx Reading, needs ...Need) {
	if r := tx.view().reads; r != nil {
		r.open = append(r.open, needs...)
	}
}

// Prefetch reads the read set of a transaction over a network, with more needs, in one
// journey, and nothing where all of it was read. Other transactions take no notice.
func Prefetch(tx Reading, needs ...Need) error {
	r := tx.view().reads
	if r == nil {
		return nil
	}
	r.open = append(r.open, needs...)
	return r.fetch(nil, nil)
}

// NextTogether is how many of n items a loop over them is to declare at the item i, with what it reads of each: over a
// network as many as are read together, at the first of them, and else none. In a [Step] they are no more than it goes
// through.
func NextTogether(tx Reading, i, n int) int {
	most := tx.view().most()
	if !Remote(tx) || i%most != 0 {
		return 0
	}
	return min(most, n-i)
}

// Together yields what a sequence does. Over a network it calls declare with the values that are read together, so
// many at most unless that is 0, before it yields the first of them: that declares what a loop reads of each. In a
// [Step] they are no more than it goes through.
func Together[T any](tx Reading, most int, all iter.Seq2[T, error], declare func(next []T) error) iter.Seq2[T, error] {
	if !Remote(tx) {
		return all
	}
	if bound := tx.view().most(); most <= 0 || most > bound {
		most = bound
	}
	return func(yield func(T, error) bool) {
		var next []T
		for v, err := range all {
			if err == nil {
				if next = append(next, v); len(next) < most {
					continue
				}
			}
			if !passTogether(next, declare, yield) {
				return
			}
			if err != nil {
				yield(v, err)
				return
			}
			next = next[:0]
		}
		passTogether(next, declare, yield)
	}
}

// passTogether yields values that were declared together, and reports whether more are wanted.
func passTogether[T any](next []T, declare func(next []T) error, yield func(T, error) bool) bool {
	var none T
	if err := declare(next); err != nil {
		yield(none, err)
		return false
	}
	for _, v := range next {
		if !yield(v, nil) {
			return false
		}
	}
	return true
}

// Needs are the read set of an operation in a scope that is not known before it is looked up.
type Needs func(tx Reading, s Scope) []Need

type needsKey struct{}

// WithNeeds says what the transactions made with the context are going to read in the
// scope that they look up. Where the store is not over a network, it is the same context.
func (db *DB) WithNeeds(ctx context.Context, needs Needs) context.Context {
	if !db.far.Load() {
		return ctx
	}
	return context.WithValue(ctx, needsKey{}, needs)
}

// DeclareIn declares what the context of a transaction says that it is going to read in a
// scope: the one that was looked up, or one that is likely to be found.
func DeclareIn(tx Reading, s Scope) {
	v := tx.view()
	if v.reads == nil || s == "" {
		return
	}
	if needs, ok := v.ctx.Value(needsKey{}).(Needs); ok {
		DeclareOnce(tx, s, func() []Need { return needs(tx, s) })
	}
}

// DeclareOnce declares what is read in a scope, unless DeclareIn has.
func DeclareOnce(tx Reading, s Scope, needs func() []Need) {
	if r := tx.view().reads; r != nil && !r.declared[s] {
		r.declared[s] = true
		Declare(tx, needs()...)
	}
}

// readSet is the reader of a transaction over a network, with what was read and what is
// declared.
type readSet struct {
	storage.Prefetcher

	open     []Need
	known    map[string]struct{} // keys that were read or written
	begun    map[place]struct{}  // scans of which the beginning was read
	declared map[Scope]bool      // scopes for which the needs of the context were declared
	unused   []string            // what keys begin with of which there were none before
	fresh    map[string]struct{} // keys of ids that were made up
}

var _ storage.Prefetcher = (*readSet)(nil)

// place is where a scan begins.
type place struct{ prefix, after string }

// mostKnown bounds how much of what is read one by one is kept for the transaction.
const mostKnown = 1 << 16

// connect gives a transaction over a network its read set. Other readers stay what they are.
func (v *View) connect() {
	far, ok := v.r.(storage.Prefetcher)
	if !ok {
		return
	}
	v.db.far.Store(true)
	v.reads = &readSet{
		Prefetcher: far, known: make(map[string]struct{}), begun: make(map[place]struct{}),
		declared: make(map[Scope]bool),
	}
	v.r = v.reads
}

// remote reports whether a transaction is over a network.
func (v *View) remote() bool { return v.reads != nil }

// Prefetch implements storage.Prefetcher. What is declared does not go without something that was not read.
func (r *readSet) Prefetch(keys []string, ranges ...storage.Range) error {
	asks := slices.ContainsFunc(keys, func(key string) bool {
		_, known := r.known[key]
		return !known
	}) || slices.ContainsFunc(ranges, func(at storage.Range) bool {
		_, known := r.begun[place{at.Prefix, at.After}]
		return !known
	})
	if !asks {
		return nil
	}
	return r.fetch(keys, ranges)
}

// Get implements storage.Reader.
func (r *readSet) Get(key string) ([]byte, error) {
	if _, known := r.known[key]; !known && r.isUnused(key) {
		return nil, storage.NotFound(key)
	}
	if _, known := r.known[key]; !known && (len(r.known) < mostKnown || len(r.open) > 0) {
		if err := r.fetch([]string{key}, nil); err != nil {
			return nil, err
		}
	}
	return r.Prefetcher.Get(key)
}

// Scan implements storage.Reader.
func (r *readSet) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		r.begin(storage.Range{Prefix: prefix, After: after})
		r.Prefetcher.Scan(prefix, after)(yield)
	}
}

// ScanLimit implements storage.Prefetcher.
func (r *readSet) ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		r.begin(storage.Range{Prefix: prefix, After: after, Limit: limit})
		r.Prefetcher.ScanLimit(prefix, after, limit)(yield)
	}
}

// begin reads the beginning of a scan with what is declared. Where nothing is, pages of lists
// are left to the scan: they are long, and nothing reads them twice.
func (r *readSet) begin(at storage.Range) {
	if _, known := r.begun[place{at.Prefix, at.After}]; !known &&
		(len(r.open) > 0 || at.After == "" && at.Limit == 0 && len(r.begun) < mostKnown) {
		_ = r.fetch(nil, []storage.Range{at}) // of which the transaction fails
	}
}

// fetch reads keys and ranges with what is declared, whatever of it was not read, in one
// journey.
func (r *readSet) fetch(keys []string, ranges []storage.Range) error {
	var newKeys []string
	var newRanges []storage.Range
	key := func(key string) {
		if _, known := r.known[key]; !known && !r.isUnused(key) {
			if len(r.known) < mostKnown {
				r.known[key] = struct{}{}
			}
			newKeys = append(newKeys, key)
		}
	}
	scan := func(at storage.Range) {
		from := place{at.Prefix, at.After}
		if _, known := r.begun[from]; !known {
			r.begun[from] = struct{}{}
			newRanges = append(newRanges, at)
		}
	}
	for _, k := range keys {
		key(k)
	}
	for _, at := range ranges {
		scan(at)
	}
	for _, n := range r.open {
		if n.scan != nil {
			scan(storage.Range{Prefix: n.at, After: n.scan.after, Limit: n.scan.limit, Follow: n.scan.follow})
		} else {
			key(n.at)
		}
	}
	r.open = nil
	if len(newKeys)+len(newRanges) == 0 {
		return nil
	}
	return r.Prefetcher.Prefetch(newKeys, newRanges...)
}

// isUnused reports whether a key is in a scope that the transaction has made.
func (r *readSet) isUnused(key string) bool {
	if _, fresh := r.fresh[key]; fresh {
		return true
	}
	return slices.ContainsFunc(r.unused, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// MadeUp says that an id was just made up, so that no record has it or had it. Over a network nothing
// is read to find that out: ids that follow one another in time stand on one page of an index, and who
// looks for one there is taken for a reader of what all others write.
func (c *Collection[T]) MadeUp(u *Update, s Scope, id string) { c.Table().madeUp(u, s, id) }

func (t *Table) madeUp(u *Update, s Scope, id string) {
	if u.reads == nil {
		return
	}
	if u.reads.fresh == nil {
		u.reads.fresh = make(map[string]struct{})
	}
	u.reads.fresh[t.key(s, liveTable, id)] = struct{}{}
	u.reads.fresh[t.key(s, tombstoneTable, id)] = struct{}{}
}

// tally counts the writes of a transaction over a network, which is not to fetch what it has
// written.
type tally struct {
	storage.Writer

	reads *readSet
	n     int
}

// Put implements storage.Writer.
func (t *tally) Put(key string, value []byte) error {
	t.n++
	t.reads.known[key] = struct{}{}
	return t.Writer.Put(key, value)
}

// Delete implements storage.Writer.
func (t *tally) Delete(key string) error {
	t.n++
	t.reads.known[key] = struct{}{}
	return t.Writer.Delete(key)
}

// writes is how many there were of a transaction over a network.
func (u *Update) writes() int {
	if t, ok := u.w.(*tally); ok {
		return t.n
	}
	return 0
}
