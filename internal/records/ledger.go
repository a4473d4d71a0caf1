package records

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// A Ledger knows how many bytes of keys and values a store holds, and whose they are. The
// engine reports every change to it, with the length of the value before, so that counting
// costs no read and cannot drift from the store. Before a transaction commits, the ledger is
// asked whether there is room. It is safe for concurrent use.
type Ledger struct {
	whose  func(key string, value []byte) Share
	upkeep func(key string) bool
	tell   func([]Note)
	room   atomic.Int64 // what fits in every account, so that no closer look is needed
	noted  atomic.Bool  // there are notes
	counts atomic.Bool  // it observes a store

	mu      sync.Mutex // guards all below
	owners  [owners]map[string]*holding
	total   int64
	limits  Limits
	fullest int64 // no account has more
	stale   bool  // fullest may be more than any account has
	asks    int   // since fullest was looked up
	last    Owner // whose holding is latest
	latest  *holding
	emptied []Owner
	grown   []*holding // accounts that a transaction has added to
	warned  bool       // of the whole store
	notes   []Note
}

// Limits are how many bytes of keys and values there may be. 0 means any number.
type Limits struct {
	Account int64 // of each account
	Store   int64 // of all
}

// Note says that more than four fifths of a limit are used.
type Note struct {
	Account       string // empty: the store
	Used, Allowed int64
}

// Owner is what a record counts to: an account, or something that counts to an owner.
type Owner struct {
	Kind OwnerKind
	Name string
}

// OwnerKind says what an Owner's name is one of.
type OwnerKind uint8

// The kinds of owners. What has NoOwner counts to the store alone.
const (
	NoOwner      OwnerKind = iota
	AccountOwner           // an account, as in the keys of its part of a divided scope
	MarkOwner              // scopes made by NewScope, by the mark in their names
	TwinOwner              // a twin
	PlaceOwner             // another scope, by its name
	owners
)

// Share says whose a record is.
type Share struct {
	// Of is who it counts to.
	Of Owner
	// ByKey says that this follows from the key alone.
	ByKey bool
	// Tells is an owner of which the record tells that it counts to Whose.
	Tells, Whose Owner
}

// holding is what an owner has, with what owners below it have.
type holding struct {
	Owner
	bytes  int64
	above  *holding
	named  int  // records that name it
	warned bool // that it is nearly full
}

// NewLedger returns the ledger of a store of which whose tells what belongs to whom, and
// upkeep what is the platform's own, such as an event or a tombstone: that is counted, and
// nothing is refused for it. It counts once it observes the store. An owner that is nearly full is reported once until it
// has less again, by the transaction that has written to it.
func NewLedger(whose func(key string, value []byte) Share, upkeep func(key string) bool, tell func([]Note)) *Ledger {
	l := &Ledger{whose: whose, upkeep: upkeep, tell: tell}
	l.clear()
	return l
}

func (l *Ledger) clear() {
	for i := range l.owners {
		l.owners[i] = make(map[string]*holding)
	}
	l.total, l.fullest, l.stale, l.latest, l.emptied, l.grown = 0, 0, false, nil, nil, nil
	l.last = Owner{}
}

var _ storage.Observer = (*Ledger)(nil)

// Holds implements storage.Observer.
func (l *Ledger) Holds(all iter.Seq2[string, []byte]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	l.counts.Store(true)
	for key, value := range all {
		l.change(storage.Change{Key: key, Now: value})
	}
	l.settle()
}

// Begin implements storage.Observer.
func (l *Ledger) Begin() { l.mu.Lock() }

// Change implements storage.Observer.
func (l *Ledger) Change(c storage.Change) { l.change(c) }

// End implements storage.Observer.
func (l *Ledger) End() {
	l.settle()
	l.mu.Unlock()
}

// change counts what became of a key.
func (l *Ledger) change(c storage.Change) {
	var before, now Share
	if c.Now != nil {
		now = l.whose(c.Key, c.Now)
	}
	switch {
	case c.Before == nil:
	case c.Now != nil && now.ByKey:
		before = now
	default:
		before = l.whose(c.Key, c.Before)
	}
	if now.Tells.Kind != NoOwner {
		l.place(l.of(now.Tells), now.Whose).named++
	}
	if before.Tells.Kind != NoOwner {
		h := l.of(before.Tells)
		h.named--
		l.mayGo(h)
	}
	var was, is int64
	if c.Before != nil {
		was = weightOf(c.Key, c.Before)
	}
	if c.Now != nil {
		is = weightOf(c.Key, c.Now)
	}
	l.total += is - was
	if before.Of == now.Of {
		l.add(now.Of, is-was)
		return
	}
	l.add(before.Of, -was)
	l.add(now.Of, is)
}

// weightOf is what a record counts for: its length, and what it reserves.
func weightOf(key string, value []byte) int64 {
	return int64(len(key)+len(value)) + reservedBy(key, value)
}

// of is what an owner has.
func (l *Ledger) of(o Owner) *holding {
	if l.latest != nil && l.last == o {
		return l.latest
	}
	h := l.owners[o.Kind][o.Name]
	if h == nil {
		o.Name = strings.Clone(o.Name) // of a key, which goes
		h = &holding{Owner: o}
		l.owners[o.Kind][o.Name] = h
	}
	l.last, l.latest = h.Owner, h
	return h
}

// add gives an owner bytes, and those that it counts to.
func (l *Ledger) add(o Owner, n int64) {
	if o.Kind == NoOwner || n == 0 {
		return
	}
	l.addTo(l.of(o), n)
}

func (l *Ledger) addTo(h *holding, n int64) {
	for ; h != nil; h = h.above {
		h.bytes += n
		l.mayGo(h)
		if h.Kind == AccountOwner {
			l.moved(h, n)
		}
	}
}

// mayGo notes what need not be remembered if it stays so until the end of the
// transaction.
func (l *Ledger) mayGo(h *holding) {
	if h.bytes == 0 && h.named == 0 {
		l.emptied = append(l.emptied, h.Owner)
	}
}

// moved notes that an account has got more or less.
func (l *Ledger) moved(h *holding, n int64) {
	if n < 0 {
		l.stale = l.stale || h.bytes-n >= l.fullest
		h.warned = h.warned && l.nearly(h.bytes, l.limits.Account)
		return
	}
	l.fullest = max(l.fullest, h.bytes)
	if at := len(l.grown); at == 0 || l.grown[at-1] != h {
		l.grown = append(l.grown, h)
	}
}

// place makes an owner count to another one.
func (l *Ledger) place(h *holding, whose Owner) *holding {
	var above *holding
	if whose.Kind != NoOwner {
		above = l.of(whose)
	}
	if h.above != above {
		l.addTo(h.above, -h.bytes)
		h.above = above
		l.addTo(above, h.bytes)
	}
	return h
}

// settle ends a transaction.
func (l *Ledger) settle() {
	for _, o := range l.emptied {
		if h := l.owners[o.Kind][o.Name]; h != nil && h.bytes == 0 && h.named == 0 {
			delete(l.owners[o.Kind], o.Name)
			if l.latest == h {
				l.latest = nil
			}
		}
	}
	l.emptied = l.emptied[:0]
	for _, h := range l.grown {
		l.note(h.Name, h.bytes, l.limits.Account, &h.warned)
	}
	l.grown = l.grown[:0]
	l.warned = l.warned && l.nearly(l.total, l.limits.Store)
	l.note("", l.total, l.limits.Store, &l.warned)
	l.measure()
}

// nearly reports whether more than four fifths of a limit are used.
func (l *Ledger) nearly(used, allowed int64) bool {
	return allowed > 0 && float64(used) > 0.8*float64(allowed)
}

func (l *Ledger) note(account string, used, allowed int64, warned *bool) {
	if *warned || !l.nearly(used, allowed) {
		return
	}
	*warned = true
	l.notes = append(l.notes, Note{account, used, allowed})
	l.noted.Store(true)
}

// Tell reports what has been nearly filled since.
func (l *Ledger) Tell() {
	if l == nil || !l.noted.Load() {
		return
	}
	l.mu.Lock()
	notes := l.notes
	l.notes = nil
	l.noted.Store(false)
	l.mu.Unlock()
	l.tell(notes)
}

// measure sets how much room there is in every account.
func (l *Ledger) measure() {
	room := int64(math.MaxInt64)
	if l.limits.Store > 0 {
		room = min(room, l.limits.Store-l.total)
	}
	if l.limits.Account > 0 {
		room = min(room, l.limits.Account-l.fullest)
	}
	l.room.Store(room)
}

// looksPerRecount is after how many closer looks it is asked again which account has most.
const looksPerRecount = 64

// refresh finds out what the fullest account has, now and then.
func (l *Ledger) refresh() {
	if l.asks++; !l.stale || l.asks < looksPerRecount {
		return
	}
	l.asks, l.stale, l.fullest = 0, false, 0
	for _, h := range l.owners[AccountOwner] {
		l.fullest = max(l.fullest, h.bytes)
	}
	l.measure()
}

// Limit sets the limits. What is above them already stays.
func (l *Ledger) Limit(limits Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits, l.stale, l.asks, l.warned = limits, true, looksPerRecount, false
	for _, h := range l.owners[AccountOwner] {
		h.warned = false
		l.note(h.Name, h.bytes, limits.Account, &h.warned)
	}
	l.note("", l.total, limits.Store, &l.warned)
	l.refresh()
	l.measure()
}

// Limits returns the limits.
func (l *Ledger) Limits() Limits {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limits
}

// Used is how many bytes there are.
func (l *Ledger) Used() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// UsedBy is how many bytes an account has.
func (l *Ledger) UsedBy(account string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.owners[AccountOwner][valuePart(account)]; h != nil {
		return h.bytes
	}
	return 0
}

// Accounts returns what each account has, by its name in keys.
func (l *Ledger) Accounts() map[string]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make(map[string]int64, len(l.owners[AccountOwner]))
	for name, h := range l.owners[AccountOwner] {
		if h.bytes != 0 {
			all[name] = h.bytes
		}
	}
	return all
}

// AccountOf is the owner that an account is; NoOwner without a name.
func AccountOf(account string) Owner {
	if account == "" {
		return Owner{}
	}
	return Owner{AccountOwner, valuePart(account)}
}

// markLength is the length in bytes of the mark in the name of a scope.
const markLength = 16

// MarkOf is the owner that a scope made by NewScope is named after.
func MarkOf(s Scope) Owner { return Owner{MarkOwner, s.mark()} }

// Marked is the owner that the scope of a key is named after, where NewScope made it with
// a prefix; NoOwner elsewhere.
func Marked(key, prefix string) Owner {
	at := len(prefix) + 1
	if len(key) < at+markLength || key[:len(prefix)] != prefix || key[at-1] != '-' {
		return Owner{}
	}
	return Owner{MarkOwner, key[at : at+markLength]}
}

// Budgeted is a store whose transactions ask a ledger, if they are made by a DB over it, and
// on which all DBs look together for what is to be done.
func Budgeted(s storage.Store, l *Ledger) storage.Store { return &budgeted{s, l, new(polls)} }

type budgeted struct {
	storage.Store
	ledger *Ledger
	polls  *polls
}

// Epoch implements storage.Exclusive.
func (b *budgeted) Epoch() string { return storage.Epoch(b.Store) }

// Most returns the accounts that have most, at most n of them, the fullest first.
func (l *Ledger) Most(n int) (names []string, bytes []int64) {
	all := l.Accounts()
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), strings.Compare(a, b))
	})
	names = names[:min(n, len(names))]
	for _, name := range names {
		bytes = append(bytes, all[name])
	}
	return names, bytes
}
