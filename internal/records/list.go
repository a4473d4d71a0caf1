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

// followed reports whether there is a delta of what changes behind the list.
func (l *lister) followed() bool { return l.ordered() && !l.s.shared(l.tx) }

// ordered reports whether what the list may hold has an order of changes.
func (l *lister) ordered() bool { return !l.t.untracked && l.q.Among == nil && !l.q.Descending }

// unseal reads a token of the list. One from before the list's part of a divided scope
// began is of the scope as it was then, with one revision for all parts.
func (l *lister) unseal(sealed string) (token, error) {
	keys := l.tx.view().keys
	t, err := keys.unseal(sealed, l.bind)
	place, part := l.s.place()
	if part == "" || !errors.Is(err, errToken) {
		return t, err
	}
	if t, err = keys.unseal(sealed, l.q.bind(Scope(place))); err != nil {
		return t, err
	}
	at, err := l.s.standing(l.tx)
	if err == nil && max(t.since, t.left, t.until) > at.began {
		err = errToken
	}
	return t, err
}

// List is Collection.List.
func (t *Table) List(tx Reading, s Scope, q Erasure) (page twinplatform.Page[any], err error) {
	if q.Continuation != "" {
		q.Skip = 0 // which is from the beginning of the list, and not of a page
	}
	l := lister{t: t, tx: tx, s: s, q: q, bind: q.bind(s)}
	return l.list()
}

// lister makes one page of a list.
type lister struct {
	t    *Table
	tx   Reading
	s    Scope
	q    Erasure
	bind string

	now uint64 // the revision of the scope
	// common is how often the part without a name was written since the list's part of a
	// divided scope began. Records that once named no account are changed there: whatever
	// is written there may be in the list.
	common uint64
	from   token
	room   int // of the page: how many records it may have
	wire   [][]byte
	open   []envelope
}

func (l *lister) list() (p twinplatform.Page[any], err error) {
	if l.tx.view().remote() {
		Declare(l.tx, l.needs()...)
	}
	if l.now, l.common, err = l.s.state(l.tx); err != nil {
		return p, err
	}
	now := l.now
	if err := l.start(now); err != nil {
		return p, err
	}
	top, err := l.top()
	if err != nil {
		return p, err
	}
	etag := l.etag(now)
	if l.q.IfNoneMatch != "" && twinplatform.NamesETag(l.q.IfNoneMatch, etag) {
		p.Top, p.ETag, p.NotModified = top, etag, true
		return p, nil
	}
	next := l.from
	next.top, l.room = top, top
	more, err := l.read(&next, top)
	if err != nil {
		return p, err
	}
	p = twinplatform.ReadPage(l.wire, l.value)
	p.Top, p.ETag = top, etag
	keys := l.tx.view().keys
	switch {
	case more:
		p.Next = keys.seal(next, l.bind)
	case l.followed():
		p.Delta = keys.seal(l.later(), l.bind)
	}
	return p, nil
}

// read collects a page and reports whether there is another, which next tells.
func (l *lister) read(next *token, top int) (more bool, err error) {
	switch {
	case l.from.kind == deltaPage:
		return l.byRevision(next, top)
	case l.q.Compare != nil:
		return l.byOrder(next, top)
	}
	return l.byID(next, top)
}

// later is the token that lists what changes after this list or delta.
func (l *lister) later() token {
	t := token{kind: deltaFrom, since: l.from.until, left: l.from.until, common: l.from.common}
	if l.from.kind == deltaPage && l.q.Continuation != "" {
		t.left = l.from.left
	}
	return t
}

// start finds out where the page begins.
func (l *lister) start(now uint64) error {
	switch {
	case l.q.Continuation != "":
		t, err := l.unseal(l.q.Continuation)
		if errors.Is(err, errOtherHistory) {
			return ErrContinuationExpired
		}
		if err != nil || t.kind == deltaFrom || t.until > now {
			return ErrContinuation
		}
		if t.kind == deltaPage && l.s.shared(l.tx) {
			return ErrContinuationExpired
		}
		l.from = t
	case l.q.Delta != "":
		if err := l.startDelta(now); err != nil {
			return err
		}
	default:
		l.from = token{kind: listPage, until: now, common: l.common}
	}
	if l.from.kind != deltaPage {
		return nil
	}
	purged, err := l.t.purged(l.tx, l.s)
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

// startDelta finds out where the first page of a delta begins.
func (l *lister) startDelta(now uint64) error {
	t, err := l.unseal(l.q.Delta)
	if errors.Is(err, errOtherHistory) {
		return ErrDeltaExpired
	}
	if err != nil || t.kind != deltaFrom || t.since > now || !l.ordered() {
		return ErrDelta
	}
	if t.common != l.common || l.s.shared(l.tx) {
		return ErrDeltaExpired
	}
	l.from = token{kind: deltaPage, since: t.since, left: t.left, at: t.since, until: now, common: l.common}
	return nil
}

func (l *lister) top() (int, error) {
	def, limit := l.q.DefaultTop, l.q.MaxTop
	if def == 0 {
		def = 100
	}
	if limit == 0 {
		limit = 10_000
	}
	switch {
	case l.q.Top == 0 && l.q.KeepTop && l.from.top > 0:
		return l.from.top, nil
	case l.q.Top == 0:
		return def, nil
	case l.q.Top < 1 || l.q.Top > limit:
		return 0, ErrTop
	}
	return l.q.Top, nil
}

// etag tells the version of the page from the scope's revision and the request
// alone.
func (l *lister) etag(now uint64) string {
	h := fnv.New64a()
	for _, part := range []string{l.bind, l.q.Continuation, l.q.Delta} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	if l.q.Top != 0 {
		h.Write([]byte(strconv.Itoa(l.q.Top)))
	}
	if l.common != 0 {
		h.Write([]byte("#" + strconv.FormatUint(l.common, 36)))
	}
	h.Write([]byte{'+'})
	h.Write([]byte(strconv.Itoa(l.q.Skip)))
	return strings.TrimSuffix(l.s.etag(l.tx, now), `"`) + "." + strconv.FormatUint(h.Sum64(), 36) + `"`
}

// byID collects a page of the list and reports whether there is another. A
// record that was made after the list began is left to the delta of a filtered
// list: only so can the delta know which of the records that do not match the
// client has seen. The next page begins right before the record that showed
// it, so that what is passed over is read once.
func (l *lister) byID(next *token, top int) (more bool, err error) {
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
func (l *lister) byOrder(next *token, top int) (more bool, err error) {
	ids, err := l.inOrder()
	if err != nil {
		return false, err
	}
	begin := min(int(l.from.at)+l.q.Skip, len(ids))
	end := min(begin+top, len(ids))
	if err := l.t.prefetch(l.tx, l.s, ids[begin:end]); err != nil {
		return false, err
	}
	for _, id := range ids[begin:end] {
		e, err := l.t.load(l.tx, l.s, "r", id)
		if errors.Is(err, ErrNotFound) {
			continue // forgotten, which is no change
		}
		if err != nil {
			return false, err
		}
		l.add(e)
	}
	next.at = uint64(end)
	return end < len(ids), nil
}

// inOrder returns the ids of the list in its order. What a transaction has written
// itself is of no revision yet, so that only committed states are remembered.
func (l *lister) inOrder() (ids []string, err error) {
	v := l.tx.view()
	list := ordered{history: v.keys.history, collection: l.t.name, bind: l.bind, revision: l.now, common: l.common}
	if v.committed {
		if ids, ok := v.db.orders.get(list); ok {
			return ids, nil
		}
	}
	if ids, err = l.sorted(); err == nil && v.committed {
		v.learned = func() { v.db.orders.put(list, ids) } // a scan that fails ends like any other
	}
	return ids, err
}

// sorted reads the list and puts it in order.
func (l *lister) sorted() (ids []string, err error) {
	var all []any
	for _, e := range l.candidates(&err) {
		ok, err := l.matches(e)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		v, err := l.t.decode(e)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, l.q.Compare)
	ids = make([]string, len(all))
	for i, v := range all {
		ids[i] = l.t.id(v)
	}
	return ids, nil
}

// candidates yields the records that the list might hold, behind the page
// before, each with its place.
func (l *lister) candidates(failed *error) iter.Seq2[string, envelope] {
	if l.q.Among != nil {
		return l.among(failed)
	}
	base := l.t.key(l.s, "r", "")
	prefix := base + keyPart(l.q.Prefix)
	if l.q.Descending {
		return l.descending(base, prefix, failed)
	}
	if l.q.Index != "" {
		base = l.t.indexKey(l.s, l.q.Index, l.q.Equals, "")
		prefix = base + keyPart(l.q.Prefix)
	}
	return func(yield func(string, envelope) bool) {
		_, *failed = l.scan(base, prefix, yield)
	}
}

// scan yields the records of the keys with a prefix, behind the page before, each with
// what its key holds behind base, and reports whether more are wanted.
func (l *lister) scan(base, prefix string, yield func(string, envelope) bool) (goOn bool, err error) {
	after := ""
	if l.from.after != "" {
		after = base + l.from.after
	}
	if prefix < after && !strings.HasPrefix(after, prefix) {
		return true, nil // they were on a page before
	}
	for key, stored := range l.entries(base, prefix, after) {
		e, err := l.candidate(stored)
		if errors.Is(err, ErrNotFound) && l.q.Index == "" {
			continue // it is only staged
		}
		if err != nil || !yield(key[len(base):], e) {
			return false, err
		}
	}
	return true, nil
}

// candidate is the record that a list comes to: what an index holds is its id.
func (l *lister) candidate(stored []byte) (envelope, error) {
	if l.q.Index != "" {
		return l.t.load(l.tx, l.s, "r", string(stored))
	}
	return l.t.open(l.tx, l.s, stored)
}

// among yields the records that have one of the values of Query.Among, each with its
// place behind the values before.
func (l *lister) among(failed *error) iter.Seq2[string, envelope] {
	return func(yield func(string, envelope) bool) {
		values, err := l.q.Among(l.tx, l.s)
		base, prefixes := l.prefixes(values)
		goOn, last := err == nil, ""
		for i := 0; goOn && i < len(prefixes); i++ {
			if i > 0 && strings.HasPrefix(prefixes[i], last) {
				continue // what it begins was listed with the shorter one
			}
			last = prefixes[i]
			goOn, err = l.scan(base, last, yield)
		}
		*failed = err
	}
}

// prefixes returns, for each value of Query.Among in its order, how the keys begin that
// have the value. base is what all of them begin with.
func (l *lister) prefixes(values []string) (base string, all []string) {
	all = make([]string, len(values))
	base = l.t.key(l.s, "r", "")
	if l.q.Index != "" {
		base = l.s.key() + l.t.name + "/i/" + l.q.Index + "/"
	}
	for i, value := range values {
		all[i] = base + keyPart(value)
		if l.q.Index != "" {
			all[i] = l.t.indexKey(l.s, l.q.Index, value, "")
		}
	}
	slices.Sort(all)
	return base, all
}

// byRevision collects a page of a delta and reports whether there is another.
func (l *lister) byRevision(next *token, top int) (more bool, err error) {
	scan := func(prefix, after string) iter.Seq2[string, []byte] { return l.together(prefix, after, "r", "t") }
	for c, err := range l.t.orderBy(l.tx, l.s, l.from.at, scan) {
		if err != nil {
			return false, err
		}
		if c.Revision > l.from.until {
			break
		}
		if !strings.HasPrefix(c.ID, l.q.Prefix) {
			continue
		}
		e, ok, err := l.change(c.ID)
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
		next.at = c.Revision
	}
	return false, nil
}

// change returns what a delta shows of a record: as it is, as it was deleted,
// or, when it no longer matches a filter that it may have matched, marked as
// deleted from that list. What has not left an index since was never in it.
func (l *lister) change(id string) (e envelope, tell bool, err error) {
	e, err = l.t.load(l.tx, l.s, "r", id)
	if errors.Is(err, ErrNotFound) {
		e, err = l.t.load(l.tx, l.s, "t", id)
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
	v, err := l.t.decode(e)
	if err != nil {
		return e, false, err
	}
	l.t.markDeleted(v)
	e.wire, err = encode(v)
	return e, true, err
}

// wasIn reports whether a record that does not match may have matched at the
// revision that the delta goes back to.
func (l *lister) wasIn(id string, e envelope) (bool, error) {
	v, err := l.t.decode(e)
	if err != nil {
		return false, err
	}
	if l.indexed(v) {
		return true, nil // it is another filter that it does not match
	}
	left, err := getIndexTombstone(l.tx.view().r, l.t.leftKey(l.s, l.q.Index, l.q.Equals, id))
	return left.revision > l.from.left, err
}

// indexed reports whether a record has the wanted value in the index, if one is
// wanted. Where any of several is, the index has found it by one.
func (l *lister) indexed(v any) bool {
	if l.q.Index == "" || l.q.Among != nil {
		return true
	}
	return l.t.indexed(nil, v)[slices.Index(l.t.indexes, l.q.Index)] == l.q.Equals
}

func (l *lister) matches(e envelope) (bool, error) {
	if !l.q.filtered() || l.q.Match == nil && l.from.kind == listPage {
		return true, nil // the index found it
	}
	v, err := l.t.decode(e)
	if err != nil {
		return false, err
	}
	return l.indexed(v) && (l.q.Match == nil || l.q.Match(v)), nil
}

// firstRecords is how many records a page has room for at first: many have no more,
// however many were asked for.
const firstRecords = 128

func (l *lister) add(e envelope) {
	if len(l.wire) == cap(l.wire) {
		room := l.room
		if len(l.wire) == 0 {
			room = min(room, firstRecords)
		}
		l.wire = slices.Grow(l.wire, max(room-len(l.wire), 1))
	}
	l.wire = append(l.wire, e.wire)
	if l.t.hides {
		l.open = append(l.open, e)
	}
}

func (l *lister) value(i int, v any) error {
	e := envelope{wire: l.wire[i]}
	if l.t.hides {
		e = l.open[i]
	}
	return l.t.decodeInto(e, v)
}

// Pick is Collection.Pick.
func (t *Table) Pick(tx Reading, s Scope, ids []string) (page twinplatform.Page[any], err error) {
	l := lister{t: t, tx: tx, s: s, room: len(ids)}
	if err := t.prefetch(tx, s, ids); err != nil {
		return page, err
	}
	for _, id := range ids {
		e, err := t.load(tx, s, "r", id)
		if err != nil {
			return page, err
		}
		l.add(e)
	}
	return twinplatform.ReadPage(l.wire, l.value), nil
}
