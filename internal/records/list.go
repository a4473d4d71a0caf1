package records

import (
	"errors"
	"hash/fnv"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Query says which records to list.
type Query[T any] struct {
	twinplatform.ListOptions

	// Op names the operation; tokens of one are not good for another.
	Op string
	// DefaultTop and MaxTop bound the page size; 0 means 100 and 10,000.
	DefaultTop, MaxTop int
	// KeepTop makes a page that names no size as large as the one before.
	KeepTop bool

	// Skip leaves out so many records from the beginning of a list that is
	// paged by number instead of by token.
	Skip int

	// Prefix lists only the ids that begin with it.
	Prefix string
	// Index and Equals list only the records with that value in the index.
	Index, Equals string
	// Match lists only what it is true for; Filter is its canonical text.
	// Both or neither are set.
	Match  func(*T) bool
	Filter string
	// Compare orders the list otherwise than by id, and Order is its canonical
	// text. Both or neither are set. Such a list is read whole for every
	// page, which is then a place in it as it is by that time.
	Compare func(a, b *T) int
	Order   string
	// View is whatever else the answer depends on, such as what the caller
	// may see.
	View string
}

// bind is what the tokens of a list are good for.
func (q Query[T]) bind(s Scope) string {
	return strings.Join([]string{q.Op, string(s), q.Prefix, q.Index, q.Equals, q.Filter, q.Order, q.View}, "\x00")
}

func (q Query[T]) filtered() bool { return q.Index != "" || q.Match != nil }

// List returns a page. It fails with ErrTop, ErrContinuation,
// ErrContinuationExpired, ErrDelta or ErrDeltaExpired.
//
// A list goes by id. Its last page carries the delta token of the revision at
// which it began, so that nothing written while it was paged through is missed.
// A delta goes by revision, up to the one at which it began, and what is
// written meanwhile is left to the next delta.
func (c *Collection[T]) List(tx Reading, s Scope, q Query[T]) (twinplatform.Page[T], error) {
	l := lister[T]{c: c, tx: tx, s: s, q: q, bind: q.bind(s)}
	return l.list()
}

type lister[T any] struct {
	c    *Collection[T]
	tx   Reading
	s    Scope
	q    Query[T]
	bind string

	from token
	wire [][]byte
	open []envelope
}

func (l *lister[T]) list() (page twinplatform.Page[T], err error) {
	now, err := l.s.Revision(l.tx)
	if err != nil {
		return page, err
	}
	if err := l.start(now); err != nil {
		return page, err
	}
	if page.Top, err = l.top(); err != nil {
		return page, err
	}
	page.ETag = l.etag(now)
	if l.q.IfNoneMatch != "" && twinplatform.NamesETag(l.q.IfNoneMatch, page.ETag) {
		page.NotModified = true
		return page, nil
	}
	next := l.from
	next.top = page.Top
	var more bool
	switch {
	case l.from.kind == deltaPage:
		more, err = l.byRevision(&next, page.Top)
	case l.q.Compare != nil:
		more, err = l.byOrder(&next, page.Top)
	default:
		more, err = l.byID(&next, page.Top)
	}
	if err != nil {
		return page, err
	}
	out := twinplatform.NewPage(l.wire, l.value)
	out.ETag, out.Top = page.ETag, page.Top
	keys := l.tx.view().keys
	switch {
	case more:
		out.Next = keys.seal(next, l.bind)
	case !l.c.Unlisted:
		out.Delta = keys.seal(l.later(), l.bind)
	}
	return out, nil
}

// later is the token that lists what changes after this list or delta.
func (l *lister[T]) later() token {
	t := token{kind: deltaFrom, since: l.from.until, left: l.from.until}
	if l.from.kind == deltaPage && l.q.Continuation != "" {
		t.left = l.from.left
	}
	return t
}

// start finds out where the page begins.
func (l *lister[T]) start(now uint64) error {
	keys := l.tx.view().keys
	switch {
	case l.q.Continuation != "":
		t, err := keys.unseal(l.q.Continuation, l.bind)
		if errors.Is(err, errOtherHistory) {
			return ErrContinuationExpired
		}
		if err != nil || t.kind == deltaFrom || t.until > now {
			return ErrContinuation
		}
		l.from = t
	case l.q.Delta != "":
		t, err := keys.unseal(l.q.Delta, l.bind)
		if errors.Is(err, errOtherHistory) {
			return ErrDeltaExpired
		}
		if err != nil || t.kind != deltaFrom || t.since > now || l.c.Unlisted {
			return ErrDelta
		}
		l.from = token{kind: deltaPage, since: t.since, left: t.left, at: t.since, until: now}
	default:
		l.from = token{kind: listPage, until: now}
	}
	if l.from.kind != deltaPage {
		return nil
	}
	purged, err := l.c.purged(l.tx, l.s)
	if err != nil {
		return err
	}
	known := l.from.since
	if l.q.filtered() {
		known = min(known, l.from.left)
	}
	if known < purged {
		return ErrDeltaExpired
	}
	return nil
}

func (l *lister[T]) top() (int, error) {
	def, limit := l.q.DefaultTop, l.q.MaxTop
	if def == 0 {
		def = 100
	}
	if limit == 0 {
		limit = 10_000
	}
	switch {
	case l.q.Top == nil && l.q.KeepTop && l.from.top > 0:
		return l.from.top, nil
	case l.q.Top == nil:
		return def, nil
	case *l.q.Top < 1 || *l.q.Top > limit:
		return 0, ErrTop
	}
	return *l.q.Top, nil
}

// etag tells the version of the page from the scope's revision and the request
// alone.
func (l *lister[T]) etag(now uint64) string {
	h := fnv.New64a()
	for _, part := range []string{l.bind, l.q.Continuation, l.q.Delta} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	if l.q.Top != nil {
		h.Write([]byte(strconv.Itoa(*l.q.Top)))
	}
	h.Write([]byte{'+'})
	h.Write([]byte(strconv.Itoa(l.q.Skip)))
	return strings.TrimSuffix(l.s.etag(l.tx, now), `"`) + "." + strconv.FormatUint(h.Sum64(), 36) + `"`
}

// byID collects a page of the list and reports whether there is another. A
// record that was made after the list began is left to the delta of a filtered
// list: only so can the delta know which of the records that do not match the
// client has seen. The next page begins right before the record that told of
// it, so that what is passed over is read once.
func (l *lister[T]) byID(next *token, top int) (more bool, err error) {
	skip, before := l.q.Skip, l.from.after
	for id, e := range l.candidates(&err) {
		next.after, before = before, id
		if l.q.filtered() && e.created > l.from.until {
			continue
		}
		ok, err := l.matches(e)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		if skip--; skip >= 0 {
			continue
		}
		if len(l.wire) == top {
			return true, nil
		}
		l.add(e)
	}
	return false, err
}

// byOrder collects a page of a list that is ordered otherwise than by id and
// reports whether there is another.
func (l *lister[T]) byOrder(next *token, top int) (more bool, err error) {
	type entry struct {
		e envelope
		v *T
	}
	var all []entry
	for _, e := range l.candidates(&err) {
		ok, err := l.matches(e)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		v, err := l.c.decode(e)
		if err != nil {
			return false, err
		}
		all = append(all, entry{e, v})
	}
	if err != nil {
		return false, err
	}
	slices.SortStableFunc(all, func(a, b entry) int { return l.q.Compare(a.v, b.v) })
	begin := min(int(l.from.at)+l.q.Skip, len(all))
	end := min(begin+top, len(all))
	for _, x := range all[begin:end] {
		l.add(x.e)
	}
	next.at = uint64(end)
	return end < len(all), nil
}

// candidates yields the records that the list might hold, behind the page
// before, each with its place.
func (l *lister[T]) candidates(failed *error) iter.Seq2[string, envelope] {
	base := l.c.key(l.s, "r", "")
	prefix := base + keyPart(l.q.Prefix)
	if l.q.Index != "" {
		base = l.c.indexKey(l.s, l.q.Index, l.q.Equals, "")
		prefix = base + keyPart(l.q.Prefix)
	}
	after := ""
	if l.from.after != "" {
		after = base + l.from.after
	}
	return func(yield func(string, envelope) bool) {
		for key, stored := range l.tx.view().r.Scan(prefix, after) {
			var e envelope
			var err error
			if l.q.Index != "" {
				e, err = l.c.load(l.tx, l.s, "r", string(stored))
			} else {
				e, err = l.c.open(stored)
			}
			if err != nil {
				*failed = err
				return
			}
			if !yield(key[len(base):], e) {
				return
			}
		}
	}
}

// byRevision collects a page of a delta and reports whether there is another.
func (l *lister[T]) byRevision(next *token, top int) (more bool, err error) {
	r := l.tx.view().r
	base := string(l.s) + "/" + l.c.Name + "/c/"
	for key, id := range r.Scan(base, l.c.changeKey(l.s, l.from.at)) {
		at, err := strconv.ParseUint(key[len(base):], 16, 64)
		if err != nil {
			return false, err
		}
		if at > l.from.until {
			break
		}
		if !strings.HasPrefix(string(id), l.q.Prefix) {
			continue
		}
		e, ok, err := l.change(string(id))
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		if len(l.wire) == top {
			return true, nil
		}
		l.add(e)
		next.at = at
	}
	return false, nil
}

// change returns what a delta tells of a record: as it is, as it was deleted,
// or, when it no longer matches a filter that it may have matched, marked as
// deleted from that list. What has not left an index since was never in it.
func (l *lister[T]) change(id string) (e envelope, tell bool, err error) {
	e, err = l.c.load(l.tx, l.s, "r", id)
	if errors.Is(err, ErrNotFound) {
		e, err = l.c.load(l.tx, l.s, "t", id)
	}
	if err != nil {
		return e, false, err
	}
	ok, err := l.matches(e)
	if ok || err != nil {
		return e, ok, err
	}
	if e.created > l.from.since {
		return e, false, nil
	}
	if in, err := l.wasIn(id, e); !in || err != nil {
		return e, false, err
	}
	v, err := l.c.decode(e)
	if err != nil {
		return e, false, err
	}
	l.c.MarkDeleted(v)
	e.wire, err = encode(v)
	return e, true, err
}

// wasIn reports whether a record that does not match may have matched at the
// revision that the delta goes back to.
func (l *lister[T]) wasIn(id string, e envelope) (bool, error) {
	v, err := l.c.decode(e)
	if err != nil {
		return false, err
	}
	if l.indexed(v) {
		return true, nil // it is another filter that it does not match
	}
	left, err := getDeparture(l.tx.view().r, l.c.leftKey(l.s, l.q.Index, l.q.Equals, id))
	return left.revision > l.from.left, err
}

// indexed reports whether a record has the wanted value in the index, if one is
// wanted.
func (l *lister[T]) indexed(v *T) bool {
	for _, ix := range l.c.Indexes {
		if ix.Name == l.q.Index && ix.Value(v) != l.q.Equals {
			return false
		}
	}
	return true
}

func (l *lister[T]) matches(e envelope) (bool, error) {
	if !l.q.filtered() || l.q.Match == nil && l.from.kind == listPage {
		return true, nil // the index found it
	}
	v, err := l.c.decode(e)
	if err != nil {
		return false, err
	}
	return l.indexed(v) && (l.q.Match == nil || l.q.Match(v)), nil
}

func (l *lister[T]) add(e envelope) {
	l.wire = append(l.wire, e.wire)
	if l.c.Hidden != nil {
		l.open = append(l.open, e)
	}
}

func (l *lister[T]) value(i int) (v T, err error) {
	e := envelope{wire: l.wire[i]}
	if l.c.Hidden != nil {
		e = l.open[i]
	}
	p, err := l.c.decode(e)
	if err != nil {
		return v, err
	}
	return *p, nil
}

// Pick returns the records with these ids as a page, in this order, or
// ErrNotFound. The page belongs to no list: it has no tokens.
func (c *Collection[T]) Pick(tx Reading, s Scope, ids []string) (page twinplatform.Page[T], err error) {
	l := lister[T]{c: c, tx: tx, s: s}
	for _, id := range ids {
		e, err := c.load(tx, s, "r", id)
		if err != nil {
			return page, err
		}
		l.add(e)
	}
	return twinplatform.NewPage(l.wire, l.value), nil
}

// All yields the records whose ids begin with prefix, in their order. A failure
// ends the sequence.
func (c *Collection[T]) All(tx Reading, s Scope, prefix string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, stored := range tx.view().r.Scan(c.key(s, "r", prefix), "") {
			e, err := c.open(stored)
			if err != nil {
				yield(nil, err)
				return
			}
			v, err := c.decode(e)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// From yields the records whose ids come after one, in their order; the empty id
// comes before all. A failure ends the sequence.
func (c *Collection[T]) From(tx Reading, s Scope, after string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		base := c.key(s, "r", "")
		for _, stored := range tx.view().r.Scan(base, base+keyPart(after)) {
			e, err := c.open(stored)
			if err != nil {
				yield(nil, err)
				return
			}
			v, err := c.decode(e)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// Change says that a record was last written or deleted at a revision.
type Change struct {
	ID       string
	Revision uint64
}

// Changes yields what was written or deleted after a revision, each record once,
// in the order of the revisions. It fails with ErrDeltaExpired when deletions
// after that revision are forgotten. A failure ends the sequence.
func (c *Collection[T]) Changes(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		purged, err := c.purged(tx, s)
		if err == nil && since < purged {
			err = ErrDeltaExpired
		}
		if err != nil {
			yield(Change{}, err)
			return
		}
		base := string(s) + "/" + c.Name + "/c/"
		for key, id := range tx.view().r.Scan(base, c.changeKey(s, since)) {
			at, err := strconv.ParseUint(key[len(base):], 16, 64)
			if !yield(Change{ID: string(id), Revision: at}, err) || err != nil {
				return
			}
		}
	}
}

// IDs yields the ids of the records with a value in an index, in their order.
func (c *Collection[T]) IDs(tx Reading, s Scope, index, equals string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, id := range tx.view().r.Scan(c.indexKey(s, index, equals, ""), "") {
			if !yield(string(id)) {
				return
			}
		}
	}
}

// Find yields the records with a value in an index, in the order of their ids.
// A failure ends the sequence.
func (c *Collection[T]) Find(tx Reading, s Scope, index, equals string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for id := range c.IDs(tx, s, index, equals) {
			v, err := c.Value(tx, s, id)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}
