package records

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// A transaction over a network pays a journey for whatever it asks for. What it is going
// to ask for is known from two things, and asked for at once: from habit, since
// transactions of one kind by one caller that begin with the same key read much the same;
// and from its subjects, since what is asked about one of them is asked about the next.
// All answers are those of the transaction. A wrong guess costs a key read in vain, and
// is given up.

// WithSubjects says of the transactions made with the context what kind of work they are,
// and what it is about: ids of one type of record.
func WithSubjects(ctx context.Context, kind string, ids ...string) context.Context {
	return context.WithValue(ctx, subjectsKey{}, subjects{kind, ids})
}

// About is WithSubjects for reads of one record, or of a list where id is empty. A store
// that is not over a network is told nothing.
func (db *DB) About(ctx context.Context, kind, id string) context.Context {
	if !db.distant.Load() {
		return ctx
	}
	return WithSubjects(ctx, kind, id)
}

type subjectsKey struct{}

type subjects struct {
	kind string
	ids  []string
}

// Subjects says of a transaction under way what else it is about: ids of one type of
// record. A caller that goes through many names no more than it is about to go through.
func Subjects(tx Reading, ids ...string) {
	if f := tx.view().foresight; f != nil {
		f.about(ids)
	}
}

// Need is a record, or what an index has for a value, that a transaction is about to read.
type Need struct {
	key  string
	scan bool
}

// Need is the record with an id.
func (t *Table) Need(s Scope, id string) Need { return Need{key: t.key(s, "r", id)} }

// NeedIndexed is what an index has for a value.
func (t *Table) NeedIndexed(s Scope, index, value string) Need {
	return Need{key: t.indexKey(s, index, value, ""), scan: true}
}

// NeedsOfNew are what is read before a record with a new id is written.
func (t *Table) NeedsOfNew(s Scope, id string) []Need {
	return []Need{t.Need(s, id), {key: t.key(s, "t", id)}, {key: s.revisionKey()}}
}

// Far reports whether a transaction is over a network, so that it pays to name needs.
func Far(tx Reading) bool { return tx.view().far() }

// Prefetch reads what a transaction over a network needs, whatever the call is
// about, in one journey with what is known by habit, and nothing where all of it was read.
// Other transactions take no notice.
func Prefetch(tx Reading, needs ...Need) error {
	f := tx.view().foresight
	if f == nil || len(needs) == 0 {
		return nil
	}
	var b batch
	f.begin(f.question(needs[0].key, needs[0].scan), &b)
	for _, n := range append(f.soon, needs...) {
		if q := f.question(n.key, n.scan); q.group == "" {
			b.add(q, "", shortScan)
		} else {
			f.open(q)
		}
	}
	f.soon = nil
	return f.send(&b)
}

// PrefetchLater is Prefetch that has time until something else is read ahead.
func PrefetchLater(tx Reading, needs ...Need) {
	if f := tx.view().foresight; f != nil {
		f.soon = append(f.soon, needs...)
	}
}

// foresight is the reader of a transaction over a network.
type foresight struct {
	storage.Prefetcher
	habits *habits
	key    habitKey
	caller twinplatform.Principal
	begun  bool
	soon   []Need
	groups map[string]group  // of subjects, by their names
	known  map[string]string // in which group an id is
	kinds  int               // how many groups were announced
	told   map[string]bool   // keys and prefixes that were read ahead by Prefetch
	asked  []question        // each once, as many as a habit has
	spread map[question]int  // of each question with a hole, for how many of its group it is answered
	order  []question        // those of spread, in which it went
}

var _ storage.Prefetcher = (*foresight)(nil)

// group are subjects of one type: those that a caller announced, or those that an index has
// for others.
type group []string

// question is what a transaction asks for: a key, or the beginning of a range. One about
// a subject has a hole in the place of its id, and is asked about the others of its group.
type question struct {
	before, behind string
	group          string // its name; empty means that there is no hole
	scan           bool
	limit          int // of a list: how many records are wanted; 0 elsewhere
}

// about is the key or the prefix that the question asks for, about one subject.
func (q question) about(id string) string {
	if q.group == "" {
		return q.before
	}
	return q.before + id + q.behind
}

// found is the name of the group of those that a scan comes by.
func (q question) found() string { return q.before + "*" + q.behind }

// shortScan is how many records a range has at most that is read ahead.
const shortScan = 16

// foresee makes a transaction over a network read ahead. Other readers stay what they are.
func (v *View) foresee(update bool) {
	far, ok := v.r.(storage.Prefetcher)
	if !ok {
		return
	}
	v.db.distant.Store(true)
	about, _ := v.ctx.Value(subjectsKey{}).(subjects)
	caller, _ := twinplatform.PrincipalFrom(v.ctx)
	v.foresight = &foresight{
		Prefetcher: far, habits: &v.db.habits, caller: caller, key: habitKey{caller: caller.ID, kind: about.kind, update: update},
		groups: make(map[string]group), known: make(map[string]string, len(about.ids)), told: make(map[string]bool), spread: make(map[question]int),
	}
	v.foresight.about(about.ids)
	v.r = v.foresight
}

// tally counts the writes of a transaction over a network.
type tally struct {
	storage.Writer
	n int
}

// Put implements storage.Writer.
func (t *tally) Put(key string, value []byte) error {
	t.n++
	return t.Writer.Put(key, value)
}

// Delete implements storage.Writer.
func (t *tally) Delete(key string) error {
	t.n++
	return t.Writer.Delete(key)
}

// writes is how many there were of a transaction over a network.
func (u *Update) writes() int {
	if t, ok := u.w.(*tally); ok {
		return t.n
	}
	return 0
}

// far reports whether a transaction is over a network.
func (v *View) far() bool { return v.foresight != nil }

// learn ends a transaction.
func (v *View) learn() {
	if f := v.foresight; f != nil && f.begun {
		f.habits.learn(f.key, f.asked, f.own)
	}
}

// own reports whether a question is about the caller itself, as in its account or its
// memberships, whatever else a transaction is about.
func (f *foresight) own(q question) bool {
	ends := q.before[strings.LastIndexByte(q.before, '/')+1:]
	return q.group == "" && ends != "" && (ends == f.caller.ID || ends == f.caller.AccountID)
}

func (f *foresight) about(ids []string) {
	f.kinds++
	f.join(strconv.Itoa(f.kinds), ids)
}

// join adds ids to a group, unless they are in one.
func (f *foresight) join(name string, ids []string) {
	for _, id := range ids {
		if _, twice := f.known[id]; !twice && id != "" {
			f.known[id] = name
			f.groups[name] = append(f.groups[name], id)
		}
	}
}

// question is what asks for a key or a prefix. Where a record is kept, of which
// collection, comes before the third slash, and nothing about a subject does.
func (f *foresight) question(key string, scan bool) question {
	rest, at := key, 0
	for range 3 {
		n := strings.IndexByte(rest, '/')
		if n < 0 || len(f.known) == 0 {
			return question{before: key, scan: scan}
		}
		rest, at = rest[n+1:], at+n+1
	}
	for rest != "" {
		id, others, more := strings.Cut(rest, "/")
		if name, ok := f.known[id]; ok {
			if f.knowsOneOf(others) {
				break // of two subjects, which is no question about each of one of them
			}
			return question{before: key[:at], behind: key[at+len(id):], group: name, scan: scan}
		}
		if !more {
			break
		}
		rest, at = others, at+len(id)+1
	}
	return question{before: key, scan: scan}
}

// knowsOneOf reports whether the rest of a key names a subject.
func (f *foresight) knowsOneOf(rest string) bool {
	for part := range strings.SplitSeq(rest, "/") {
		if _, ok := f.known[part]; ok {
			return true
		}
	}
	return false
}

// Prefetch implements storage.Prefetcher.
func (f *foresight) Prefetch(keys []string, ranges ...storage.Range) error {
	for _, key := range keys {
		if q := f.question(key, false); q.group != "" {
			f.note(q)
			if err := f.ahead(q); err != nil {
				return err
			}
		}
		f.told[key] = true
	}
	for _, at := range ranges {
		f.told[at.Prefix] = true
	}
	return f.Prefetcher.Prefetch(keys, ranges...)
}

// Get implements storage.Reader.
func (f *foresight) Get(key string) ([]byte, error) {
	if f.told[key] {
		return f.Prefetcher.Get(key)
	}
	q := f.question(key, false)
	f.note(q)
	if err := f.ahead(q); err != nil {
		return nil, err
	}
	return f.Prefetcher.Get(key)
}

// Scan implements storage.Reader.
func (f *foresight) Scan(prefix, after string) iter.Seq2[string, []byte] {
	if after != "" || f.told[prefix] {
		return f.Prefetcher.Scan(prefix, after)
	}
	return func(yield func(string, []byte) bool) {
		q := f.question(prefix, true)
		_ = f.ahead(q) // of which the transaction fails
		n := 0
		for key, value := range f.Prefetcher.Scan(prefix, after) {
			if n++; !yield(key, value) {
				break
			}
		}
		if n <= shortScan {
			f.note(q)
		}
	}
}

// ScanLimit implements storage.Prefetcher. The beginning of a list is what others of its
// kind ask for too.
func (f *foresight) ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte] {
	if after == "" && f.key.kind != "" && !f.told[prefix] {
		q := question{before: prefix, scan: true, limit: limit}
		f.note(q)
		_ = f.ahead(q) // of which the transaction fails
	}
	return f.Prefetcher.ScanLimit(prefix, after, limit)
}

// note keeps a question for the habit.
func (f *foresight) note(q question) {
	if len(f.asked) < mostHabits && !slices.Contains(f.asked, q) {
		f.asked = append(f.asked, q)
	}
}

// ahead reads what a question asks for, and what others will ask for, unless that was
// read.
func (f *foresight) ahead(q question) error {
	first := !f.begun
	if !first && (q.group == "" || f.spread[q] == len(f.groups[q.group])) {
		return nil
	}
	var b batch
	f.begin(q, &b)
	f.open(q)
	// Alone it is left to the caller that asks.
	if q.group == "" && len(b.keys)+len(b.ranges)+len(f.order) > 0 {
		b.add(q, "", 0)
	}
	return f.send(&b)
}

// begin takes up the habits of transactions that ask for something first.
func (f *foresight) begin(q question, b *batch) {
	if !f.begun {
		f.begun, f.key.first = true, q
		f.recall(b)
	}
}

// send reads a batch, and about the subjects what is open.
func (f *foresight) send(b *batch) error {
	type scan struct {
		question
		ids []string
	}
	var scans []scan
	for _, q := range f.order {
		ids := f.groups[q.group][f.spread[q]:]
		for _, id := range ids {
			b.add(q, id, shortScan)
		}
		if f.spread[q] += len(ids); q.scan && len(ids) > 0 {
			scans = append(scans, scan{q, ids})
		}
	}
	if len(b.keys)+len(b.ranges) == 0 {
		return nil
	}
	err := f.Prefetcher.Prefetch(b.keys, b.ranges...)
	for _, s := range scans {
		f.find(s.question, s.ids)
	}
	return err
}

// open makes a question one that is asked about all of its group.
func (f *foresight) open(q question) {
	if _, known := f.spread[q]; q.group != "" && !known {
		f.spread[q], f.order = 0, append(f.order, q)
	}
}

// find makes subjects of the records that an index has for others, as far as that was
// read.
func (f *foresight) find(q question, ids []string) {
	var found []string
	for _, id := range ids {
		for key, value := range f.Prefetcher.ScanLimit(q.about(id), "", shortScan) {
			if record := string(value); strings.HasSuffix(key, "/"+record) {
				found = append(found, record)
			}
		}
	}
	f.join(q.found(), found)
}

// recall takes up what transactions such as this one have asked for.
func (f *foresight) recall(b *batch) {
	for _, h := range f.habits.of(f.key) {
		if f.open(h.question); h.group == "" {
			b.add(h.question, "", shortScan)
		}
	}
}

// batch is what is read together.
type batch struct {
	keys   []string
	ranges []storage.Range
}

// add adds a question about a subject. A limit of 0 means that it is unknown how long the
// range is.
func (b *batch) add(q question, id string, limit int) {
	if q.scan {
		b.ranges = append(b.ranges, storage.Range{Prefix: q.about(id), Limit: cmp.Or(q.limit, limit)})
	} else {
		b.keys = append(b.keys, q.about(id))
	}
}

// Bounds on what is remembered: of how many sorts of transactions, and how much of each.
const (
	mostSorts  = 1024
	mostHabits = 48
)

// habits are what transactions have asked for.
type habits struct {
	mu sync.Mutex
	m  map[habitKey][]habit
}

// habitKey says which transactions have a habit in common.
type habitKey struct {
	caller, kind string
	update       bool
	first        question
}

// likely is the sort of all transactions of the caller that begin with the same key.
func (k habitKey) likely() habitKey { return habitKey{caller: k.caller, first: k.first} }

// habit is a question that was asked. It is forgotten when it was in vain more often than
// of use.
type habit struct {
	question
	use int
}

const mostUse = 6

// of are the habits of a kind of transactions, which never change.
func (h *habits) of(key habitKey) []habit {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range []habitKey{key, key.likely()} {
		if known, ok := h.m[k]; ok {
			return known
		}
	}
	return h.m[habitKey{caller: key.caller}]
}

// learn keeps what a transaction has asked for.
func (h *habits) learn(key habitKey, asked []question, own func(question) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.m == nil || len(h.m) >= mostSorts {
		h.m = make(map[habitKey][]habit)
	}
	h.m[key] = after(h.m[key], asked)
	always := habitKey{caller: key.caller}
	if about := slices.DeleteFunc(slices.Clone(asked), func(q question) bool { return !own(q) }); len(about) > 0 {
		h.m[always] = after(h.m[always], about)
	}
	if key == key.likely() {
		return
	}
	all := slices.DeleteFunc(slices.Clone(asked), func(q question) bool { return q.group != "" || q.limit > 0 })
	h.m[key.likely()] = after(h.m[key.likely()], all)
}

// after are habits after a transaction that has asked for something.
func after(habits []habit, asked []question) []habit {
	next := make([]habit, 0, mostHabits)
	for _, q := range asked {
		next = append(next, habit{q, 1})
	}
	for _, was := range habits {
		at := slices.Index(asked, was.question)
		switch {
		case at >= 0:
			next[at].use = min(was.use+2, mostUse)
		case was.use > 1 && len(next) < mostHabits:
			next = append(next, habit{was.question, was.use - 1})
		}
	}
	return next
}
