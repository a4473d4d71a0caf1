package records

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// A stage is a change of more records than one transaction writes that others see at once.
// What records are to become is staged in steps, and no one sees it; one short transaction
// commits the stage; and steps fold it into the records. What is read between the commit and
// the end of the folding is what is staged, for every reader, and no reading tells whether a
// record is folded:
//
//   - A staged record holds what it is to become behind what it is, with the number of the
//     stage and its place in it. Only who comes by such a record looks whether the stage is
//     committed, so that all other reading costs what it did.
//   - A record that the stage adds is a proposal alone: before the commit there is none.
//   - The commit takes as many revisions as there are places. The record in the k-th place
//     has the k-th of them, folded or not: its ETag and its place in a delta do not change
//     when it is folded.
//   - A chunk lists the records that one step has staged in a collection: by chunks a delta
//     finds what is not folded yet, and the folding what it has to do.
//   - What others write meanwhile replaces what is staged of the record. Who stages looks for
//     their changes, as before any long work is ended, and stages again.
//
// A stage has a number of its own, so that what is left of one that was abandoned counts as
// nothing and is removed at leisure. A scope that is not divided has one stage at a time:
//
//	S/rev                    has the stage behind the revision
//	S/C/s/<stage>/<place>    chunk

// stage is the one of a scope; the zero stage is none.
type stage struct {
	number uint64
	last   uint64 // the last of its places
	base   uint64 // the revision at which it was committed; 0 before that
	steps  uint64 // counts what was done with it: a process that works ahead sees that it is another
}

func (st stage) committed() bool { return st.base != 0 }

// proposal is what a record is to become once the stage is committed: its beginning, its end
// and what is new between them.
type proposal struct {
	stage, place uint64
	head, tail   int
	middle       []byte
}

// stagedBit is set in the version of a record that has a proposal.
const stagedBit = 0x40

// propose is the proposal that makes one text of another.
func propose(was, is []byte) proposal {
	short := min(len(was), len(is))
	var p proposal
	for p.head < short && was[p.head] == is[p.head] {
		p.head++
	}
	for p.tail < short-p.head && was[len(was)-1-p.tail] == is[len(is)-1-p.tail] {
		p.tail++
	}
	p.middle = is[p.head : len(is)-p.tail]
	return p
}

// of is what a text becomes.
func (p *proposal) of(was []byte) []byte {
	is := make([]byte, 0, p.head+len(p.middle)+p.tail)
	is = append(append(is, was[:p.head]...), p.middle...)
	return append(is, was[len(was)-p.tail:]...)
}

func (p *proposal) seal(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, p.stage), p.place)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.head)), uint64(p.tail))
	return append(binary.AppendUvarint(b, uint64(len(p.middle))), p.middle...)
}

// openProposal reads one, and returns what is behind it.
func openProposal(b []byte) (p *proposal, rest []byte, ok bool) {
	var n [5]uint64
	for i := range n {
		v, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, nil, false
		}
		n[i], b = v, b[k:]
	}
	if n[4] > uint64(len(b)) || n[2] > math.MaxInt32 || n[3] > math.MaxInt32 {
		return nil, nil, false
	}
	return &proposal{n[0], n[1], int(n[2]), int(n[3]), b[:n[4]:n[4]]}, b[n[4]:], true
}

// within is the record as a transaction sees it, whose stage may be committed.
func (e envelope) within(st stage) envelope {
	if p := e.proposal; p != nil && st.committed() && p.stage == st.number {
		e.wire, e.revision = p.of(e.wire), st.base+p.place
		if e.created == 0 {
			e.created = e.revision
		}
	}
	return e
}

// proposed reports whether there is no record yet, but what is to become one.
func (e envelope) proposed() bool { return e.proposal != nil && len(e.wire) == 0 }

// stageIn is the stage of a scope.
func stageIn(tx Reading, s Scope) (stage, error) {
	if u, ok := tx.(*Update); ok {
		if at, ok := u.revisions[s]; ok {
			return at.stage, nil
		}
	}
	if at := tx.view().staged; at.scope == s {
		return at.stage, nil
	}
	at, err := s.standing(tx)
	return at.stage, err
}

// scoped is the stage of a scope as a transaction has found it.
type scoped struct {
	scope Scope
	stage stage
}

// readStage reads where a scope that is not divided stands.
func readStage(key string, stored []byte) (at standing, err error) {
	switch len(stored) {
	case 0:
		return at, nil
	case 8, 40:
	default:
		return at, fmt.Errorf("records: %q holds no revision", key)
	}
	at.revision = binary.BigEndian.Uint64(stored)
	at.began = at.revision
	if len(stored) == 40 {
		n := func(i int) uint64 { return binary.BigEndian.Uint64(stored[8*i:]) }
		at.stage = stage{number: n(1), last: n(2), base: n(3), steps: n(4)}
	}
	return at, nil
}

func (st stage) seal(b []byte) []byte {
	if st == (stage{}) {
		return b
	}
	for _, n := range []uint64{st.number, st.last, st.base, st.steps} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

var (
	// ErrStaged says that a stage of the scope is committed and not folded yet.
	ErrStaged = errors.New("records: a stage is being folded")
	// ErrUnstaged says that a stage belongs to another scope, or is no longer open.
	ErrUnstaged = errors.New("records: the stage is not open")
)

// Stage begins a stage of a scope that is not divided, in the place of one that is open, and
// returns its number. It fails with ErrStaged while one is to be folded.
func (s Scope) Stage(u *Update) (number uint64, err error) {
	at, err := u.at(s)
	if err == nil && at.stage.committed() {
		err = ErrStaged
	}
	if err == nil {
		number, err = u.next(s, 0)
	}
	if err == nil {
		u.restage(s, stage{number: number})
	}
	return number, err
}

// Staging is the stage of a scope, 0 where there is none, and whether it is committed.
func (s Scope) Staging(tx Reading) (number uint64, committed bool, err error) {
	st, err := stageIn(tx, s)
	return st.number, st.committed(), err
}

// CommitStage makes the records what they are staged as, or fails with ErrUnstaged.
func (s Scope) CommitStage(u *Update, number uint64) error {
	at, err := u.openStage(s, number)
	if err != nil {
		return err
	}
	st := at.stage
	st.base = at.revision
	at.revision += max(st.last, 1)
	u.revisions[s] = at
	u.restage(s, st)
	return nil
}

// AbandonStage ends the stage of a scope that is not committed, if there is one.
func (s Scope) AbandonStage(u *Update) error {
	at, err := u.at(s)
	if err == nil && at.stage.number != 0 && !at.stage.committed() {
		u.restage(s, stage{})
	}
	return err
}

// openStage is where a scope stands in whose stage is staged.
func (u *Update) openStage(s Scope, number uint64) (at standing, err error) {
	at, err = u.at(s)
	if err == nil && (at.stage.number != number || at.stage.committed()) {
		err = ErrUnstaged
	}
	return at, err
}

// restage makes a stage that of a scope.
func (u *Update) restage(s Scope, st stage) {
	if st.number != 0 {
		st.steps++
	}
	at := u.revisions[s]
	at.stage = st
	u.revisions[s] = at
}

// Stage is Collection.Stage.
func (t *Table) Stage(u *Update, s Scope, number uint64, id string, fn func(any) error) error {
	e, err := t.toStage(u, s, number, id)
	if err != nil {
		return err
	}
	v, err := t.decode(e)
	if err != nil {
		return err
	}
	before := t.indexed(nil, v)
	if err := fn(v); err != nil {
		return err
	}
	for i, now := range t.indexed(nil, v) {
		if now != before[i] {
			return fmt.Errorf("records: %s cannot be staged with another %s", t.name, t.indexes[i])
		}
	}
	return t.stage(u, s, number, id, e, v)
}

// StageValue is Collection.StageValue.
func (t *Table) StageValue(u *Update, s Scope, number uint64, v any) error {
	if len(t.indexes) > 0 {
		return fmt.Errorf("records: %s has indexes, and is staged by Stage", t.name)
	}
	id := t.id(v)
	e, err := t.toStage(u, s, number, id)
	if errors.Is(err, ErrNotFound) {
		e, err = t.toAdd(u, s, id)
	}
	if err != nil {
		return err
	}
	return t.stage(u, s, number, id, e, v)
}

// toAdd is a record that is to be staged and is not there.
func (t *Table) toAdd(u *Update, s Scope, id string) (envelope, error) {
	dead, err := t.load(u, s, "t", id)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return envelope{version: byte(len(t.upgrades)), created: dead.created}, err
}

// toStage is a record that is to be staged.
func (t *Table) toStage(u *Update, s Scope, number uint64, id string) (e envelope, err error) {
	if t.untracked || t.hides || t.part != nil {
		return e, fmt.Errorf("records: %s cannot be staged", t.name)
	}
	if _, err := u.openStage(s, number); err != nil {
		return e, err
	}
	return t.load(u, s, "r", id)
}

// stage stages what a record is to become.
func (t *Table) stage(u *Update, s Scope, number uint64, id string, e envelope, v any) error {
	sheet := sheets.Get().(*[]byte)
	defer sheets.Put(sheet)
	next, err := t.written(v, nil, sheet)
	if err != nil {
		return err
	}
	p := propose(e.wire, next.wire)
	switch was := e.proposal; {
	case bytes.Equal(e.wire, next.wire):
		if was == nil {
			return nil
		}
		e.proposal = nil
	case was != nil && was.stage == number && was.head == p.head && was.tail == p.tail &&
		bytes.Equal(was.middle, p.middle):
		return nil
	default:
		st := u.revisions[s].stage
		st.last++
		u.restage(s, st)
		p.stage, p.place = number, st.last
		e.proposal = &p
		u.listStaged(t, s, p, id)
	}
	u.spent.Written++
	return u.w.Put(t.key(s, "r", id), e.seal())
}

// portion is a chunk that is being made: the records of a collection that one transaction stages.
type portion struct {
	key   string
	first uint64
	list  []byte
}

// listStaged puts a record into the chunk of its collection.
func (u *Update) listStaged(t *Table, s Scope, p proposal, id string) {
	if u.chunks == nil {
		u.chunks = make(map[string]*portion, 2)
	}
	base := t.chunks(s)
	c := u.chunks[base]
	if c == nil {
		c = &portion{key: base + revisionPart(p.stage) + "/" + revisionPart(p.place), first: p.place}
		u.chunks[base] = c
	}
	c.list = binary.AppendUvarint(c.list, p.place-c.first)
	c.list = append(binary.AppendUvarint(c.list, uint64(len(id))), id...)
}

// chunks begins the keys of the chunks of a collection.
func (t *Table) chunks(s Scope) string { return s.key() + t.name + "/s/" }

// flushChunks writes down what the transaction has staged.
func (u *Update) flushChunks() error {
	for _, c := range u.chunks {
		if err := u.w.Put(c.key, c.list); err != nil {
			return err
		}
	}
	return nil
}

// placed is a record in its place of a stage.
type placed struct {
	place uint64
	id    string
}

// openChunk reads a chunk.
func openChunk(base, key string, list []byte) (stage uint64, all []placed, err error) {
	var first uint64
	if _, err := fmt.Sscanf(key[len(base):], "%16x/%16x", &stage, &first); err != nil {
		return 0, nil, fmt.Errorf("records: %q is the key of no chunk", key)
	}
	for len(list) > 0 {
		behind, k := binary.Uvarint(list)
		list = list[max(k, 0):]
		n, l := binary.Uvarint(list)
		list = list[max(l, 0):]
		if k <= 0 || l <= 0 || n > uint64(len(list)) {
			return 0, nil, fmt.Errorf("records: %q holds no chunk", key)
		}
		all = append(all, placed{first + behind, string(list[:n])})
		list = list[n:]
	}
	return stage, all, nil
}

// FoldStage folds what is staged in collections of a scope into their records, if it is
// committed, and removes what is left of stages that were abandoned, as much as the step
// takes, and reports whether that was all. The chunk that it begins with it ends in any case.
func (s Scope) FoldStage(u *Update, collections []*Table, step *Step) (whole bool, err error) {
	st, err := stageIn(u, s)
	if err != nil {
		return false, err
	}
	for _, t := range collections {
		if more, err := t.foldChunks(u, s, st, step); !more || err != nil {
			return false, err
		}
	}
	if st.committed() {
		if _, err := u.at(s); err != nil {
			return false, err
		}
		u.restage(s, stage{})
	}
	return true, nil
}

// foldChunks folds the chunks of a collection that are not being staged, and reports whether
// the step took them all.
func (t *Table) foldChunks(u *Update, s Scope, st stage, step *Step) (whole bool, err error) {
	base := t.chunks(s)
	for key, list := range u.r.Scan(base, "") {
		number, all, err := openChunk(base, key, list)
		if err != nil {
			return false, err
		}
		if number == st.number && !st.committed() {
			continue // it is being staged
		}
		if more, err := step.More(); !more || err != nil {
			return false, err
		}
		if _, err := u.at(s); err != nil {
			return false, err
		}
		u.restage(s, st)
		if err := t.fold(u, s, st, number, all, step); err != nil {
			return false, err
		}
		if err := u.w.Delete(key); err != nil {
			return false, err
		}
	}
	return true, nil
}

// fold folds the records of a chunk.
func (t *Table) fold(u *Update, s Scope, st stage, number uint64, all []placed, step *Step) error {
	for i, at := range all {
		for _, next := range all[i : i+NextTogether(u, i, len(all))] {
			Declare(u, t.Need(s, next.id), Need{at: t.key(s, tombstoneTable, next.id)})
		}
		if err := t.foldOne(u, s, st, number, at, step); err != nil {
			return err
		}
	}
	return nil
}

// foldOne folds a record, unless it was written since, staged again or erased.
func (t *Table) foldOne(u *Update, s Scope, st stage, number uint64, at placed, step *Step) error {
	key := t.key(s, "r", at.id)
	stored, err := u.r.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	e, err := open(stored)
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	if p := e.proposal; p == nil || p.stage != number || p.place != at.place {
		return nil
	}
	step.Spend(len(stored))
	if e.proposed() && number != st.number {
		return u.w.Delete(key) // it never was one
	}
	if number == st.number {
		e = e.within(st)
		if err := t.dropPrior(u, s, at.id, e); err != nil {
			return err
		}
		if err := t.noteChange(u, s, e.revision, at.id); err != nil {
			return err
		}
	}
	e.proposal = nil
	u.spent.Written++
	return u.w.Put(key, e.seal())
}

// dropPrior takes a record out of the order of changes, or of one that a stage has added and
// that is not folded the tombstone from before.
func (t *Table) dropPrior(u *Update, s Scope, id string, e envelope) error {
	if e.noted == 0 {
		_, err := t.dropTombstone(u, s, id, e.revision, nil)
		return err
	}
	return t.dropChange(u, s, e.noted)
}

// orderStaged is orderBy while a stage is being folded: what is not folded yet stands where
// it will, and not where it was.
func (t *Table) orderStaged(tx Reading, s Scope, st stage, since uint64, scan scanning) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		base, order := t.chunks(s), s.key()+t.name+"/c/"
		o := &stagedOrder{t: t, tx: tx, s: s, st: st, since: since, yield: yield, more: true}
		folded, begun := since, false
		for key, list := range tx.view().r.Scan(base+revisionPart(st.number)+"/", "") {
			_, all, err := openChunk(base, key, list)
			if err != nil {
				yield(Change{}, err)
				return
			}
			if !begun {
				begun, folded = true, st.base+st.last
				o.before(orderIn(scan, order, since, st.base+all[0].place-1))
			}
			if o.staged(all); !o.more {
				return
			}
		}
		orderIn(scan, order, max(since, folded), math.MaxUint64)(yield)
	}
}

// stagedOrder yields the changes of a collection whose stage is being folded.
type stagedOrder struct {
	t     *Table
	tx    Reading
	s     Scope
	st    stage
	since uint64
	yield func(Change, error) bool
	more  bool // are wanted
}

func (o *stagedOrder) pass(c Change, err error) bool {
	o.more = o.yield(c, err) && err == nil
	return o.more
}

// before yields the changes before the first that is not folded yet, but for those that stand
// further behind now.
func (o *stagedOrder) before(changes iter.Seq2[Change, error]) {
	for c, err := range changes {
		if err == nil && c.Revision <= o.st.base {
			var stands bool
			if stands, err = o.t.stands(o.tx, o.s, o.st, c); !stands && err == nil {
				continue
			}
		}
		if !o.pass(c, err) {
			return
		}
	}
}

// staged yields the changes of a chunk that stand where they were staged.
func (o *stagedOrder) staged(all []placed) {
	for _, at := range all {
		c := Change{at.id, o.st.base + at.place}
		if !o.more {
			return
		}
		if c.Revision <= o.since {
			continue
		}
		if stands, err := o.t.stands(o.tx, o.s, o.st, c); stands || err != nil {
			o.pass(c, err)
		}
	}
}

// stands reports whether a record, or its tombstone, is as of the revision of a change.
func (t *Table) stands(tx Reading, s Scope, st stage, c Change) (bool, error) {
	stored, err := lookup(tx, t.key(s, "r", c.ID))
	if err != nil {
		return false, err
	}
	var e envelope
	if stored != nil {
		e, err = open(stored)
		e = e.within(st)
	}
	if err == nil && (stored == nil || e.proposed()) {
		return c.Revision <= st.base, nil // its tombstone, which no stage has
	}
	return e.revision == c.Revision, err
}
