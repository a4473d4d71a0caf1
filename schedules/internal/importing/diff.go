// Package importing compares what a file of a planning tool has with what a schedule has, and
// keeps what is to be written. It knows items, records and hashes, and no type of record: what
// is compared of one, and what it sets, is an [Entry] that package schedules makes.
package importing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Diff finds out what an import is to write.
type Diff struct {
	Tx    *records.View
	Scope records.Scope
	// Synchronizer is the id of that which records the import, and NewID makes ids.
	Synchronizer string
	NewID        func() string
	// Sizes are how many items of some kinds the file has, and Room how many records are
	// written of it where nothing was imported before.
	Sizes map[string]int
	Room  int

	facts Facts // see newFacts
	// items are what is remembered by now, by kind. Those that are to be forgotten are
	// still there.
	items     map[string]*itemsOf
	forgotten []*Item
	packer    itemPacker

	Changes  []Change   // in their order
	Gone     [][]Change // of each kind, in the order in which they may go
	Warnings []string
	Unlisted int // warnings that there was no room for
}

// Mode is what is done with what a file has, where it and the schedule differ.
type Mode string

// The modes, which package schedules documents.
const (
	Skip        Mode = "Skip"
	Synchronize Mode = "Synchronize"
	Integrate   Mode = "Integrate"
	Consolidate Mode = "Consolidate"
)

// Entry is an item of a file as the record of type T that it is to become.
type Entry[T any] = entryOf[*T]

// entryOf is an item of the records that P points at. All pointers share one shape, so
// that the code for items is compiled once for all of them.
type entryOf[P any] struct {
	Key, Alias string // see Item
	// Origin is what its planner copied it from, as the part of the kind's Origin compares it.
	Origin string
	// Fits reports, when the item is handled, whether the schedule can hold it; nil is
	// always.
	Fits func() (bool, error)
	// At is its id, where that follows from its content; nil is a new one.
	At    func() string
	Parts []partOf[P]
}

// Part is some of what a file has of an item.
type Part[T any] = partOf[*T]

type partOf[P any] struct {
	Mode Mode
	// Read returns, when the item is handled, what the file has.
	Read func() Content[P]
}

// Content is what a file has of a part of an item. It is both what is compared and all that is
// set, so that nothing is compared which is not set.
type Content[P any] interface {
	// Compared is what the content is known again by: f with what is added to it, or any other
	// value. Nil stands for nothing.
	Compared(f *Facts) any
	// Set sets the content in a record. Besides that it reads the record alone.
	Set(v P)
}

// Kind is how items of a kind are compared with the records of a schedule.
type Kind[T any] = kindBy[*T]

type kindBy[P any] struct {
	Name    string
	Records *records.Table
	Mode    Mode // of items as such: whether they are made, and go
	// Counts takes up what becomes of a record; of a nil record, which outcomes are counted.
	// Nil is where nothing is.
	Counts func(o Outcome, v any)
	Fresh  func(id string) P
	// Origin is the last of the parts, where that is what the planner copied an item from. Two
	// items that are the only ones of one origin are the same, and nothing of a record is set.
	Origin int
	// Named is by what a record is known that is there, as Key and Alias of an item that has
	// it; nil is by what is remembered alone.
	Named func(v P) (key, alias string)
	// Holds reports which records are of the kind; nil is all of the collection.
	Holds func(P) bool
	// Adopt is the id of a record made here that is taken for an item; nil is none.
	Adopt func(set P) string
	// Emit takes up a record that is to be written, and whether its id was never used
	// before; nil writes it.
	Emit func(v P, unused bool)
	// Protect reports why a record cannot go after all.
	Protect func(P) (why string)
	// Parent is the id of the record that one lies below.
	Parent func(P) string
	// known takes the id of an item as soon as it is known; nil ignores it.
	known func(i int, id string)
	// Last takes up what finds out which records are to go, for later; nil does so at once.
	Last func(sweep func() error)
}

// expect makes room for what is written of a file of which nothing was imported before: each
// item, and the planned dates of tasks.
func (d *Diff) expect() {
	if len(d.items) > 0 {
		return
	}
	d.Changes = make([]Change, 0, d.Room+d.Room/itemsPerPack+100)
}

// Warn notes what a user is to know. There is room for so many notes; the last says how
// many more there were.
func (d *Diff) Warn(format string, args ...any) {
	if len(d.Warnings) >= model.MaxBatch-1 {
		d.Unlisted++
		return
	}
	message, _ := Cut(fmt.Sprintf(format, args...), model.MaxText)
	d.Warnings = append(d.Warnings, message)
}

// Write is a change that writes a record, which no one changes any more. unused says that
// its id was never used before.
func (d *Diff) Write(t *records.Table, record any, unused bool) error {
	data, err := t.Encode(record)
	d.Changes = append(d.Changes, Change{Records: t.Name(), Record: data, Unused: unused, Value: record})
	return err
}

// WriteJSON is a change that writes what is kept under a name, as it is put together here.
func (d *Diff) WriteJSON(name string, v any) error {
	data, err := json.Marshal(v)
	d.Changes = append(d.Changes, Change{Records: name, Record: data})
	return err
}

// Compare finds out what is to be written of items of a kind, which are behind what they
// are below, and what is to go. It returns the ids of their records, which are empty for
// those that the schedule does not have.
func Compare[P any](d *Diff, o *kindBy[P], entries []entryOf[P]) (ids []string, err error) {
	c := kindDiff[P]{Diff: d, kindBy: o, items: d.ItemsOf(o.Name)}
	if c.sweeps() {
		c.kept = make(map[string]bool, len(entries))
	}
	matches, err := c.match(entries)
	if err != nil {
		return nil, err
	}
	ids = make([]string, len(entries))
	for i := range entries {
		if err := records.Interrupted(d.Tx); err != nil {
			return nil, err
		}
		c.declare(entries[i:i+records.NextTogether(d.Tx, i, len(entries))], matches[i:])
		if ids[i], err = c.one(&entries[i], matches[i]); err != nil {
			return nil, err
		}
		if ids[i] != "" {
			if c.kept != nil {
				c.kept[ids[i]] = true
			}
			if o.known != nil {
				o.known(i, ids[i])
			}
		}
	}
	if err := d.KeepItems(o.Name); err != nil {
		return nil, err
	}
	c.counted()
	if o.Last != nil {
		o.Last(c.sweep)
		return ids, nil
	}
	return ids, c.sweep()
}

// counted reports what is counted that it is, if there is none.
func (c *kindDiff[P]) counted() {
	if c.Counts == nil || c.Mode == Skip {
		return
	}
	for _, o := range []Outcome{Created, Updated, Deleted} {
		c.Counts(o, nil)
	}
}

// Outcome is what becomes of a record.
type Outcome int

// What becomes of records.
const (
	Created Outcome = iota
	Updated
	Deleted
)

// kindDiff compares the items of one kind with the records of a schedule.
type kindDiff[P any] struct {
	*Diff
	*kindBy[P]

	items *itemsOf
	kept  map[string]bool // ids of the records of items; nil where nothing goes
	// What one makes for each item again.
	hashes   []string
	contents []Content[P]
}

// sweeps reports whether something may go.
func (c *kindDiff[P]) sweeps() bool { return c.Mode == Synchronize || c.Mode == Integrate }

// match finds the items that were imported before: by the key, by what they were copied from,
// and by the alias. What is the key of one item may be the alias of another: each is looked up
// among its own first, so that a file which has not changed finds all of its items again. Then
// names are looked up among the others, for a mode that makes the one of the other, and at last
// among those that the records have by now.
func (c *kindDiff[P]) match(entries []entryOf[P]) (matches []*Item, err error) {
	all := c.items.All
	names := recordNames[P]{kindDiff: c}
	key := func(i int) string { return entries[i].Key }
	alias := func(i int) string { return entries[i].Alias }
	itemKey := func(i int) string { return all[i].Key }
	itemAlias := func(i int) string { return all[i].Alias }
	for i := range entries {
		entries[i].Key, entries[i].Alias = ShortName(entries[i].Key), ShortName(entries[i].Alias)
	}
	rounds := make([]dated.Round, 0, 7)
	rounds = append(rounds, dated.Round{Of: key, In: itemKey, InOrder: true})
	if c.Origin > 0 {
		origin := func(i int) string { return entries[i].Origin }
		rounds = append(rounds, dated.Round{
			Of: origin, In: func(i int) string { return all[i].hash(c.Origin) },
			Once: true,
		})
	}
	rounds = append(
		rounds, dated.Round{Of: alias, In: itemAlias, InOrder: true},
		dated.Round{Of: key, In: itemAlias, InOrder: true}, dated.Round{Of: alias, In: itemKey, InOrder: true},
	)
	if c.Named != nil {
		rounds = append(rounds, dated.Round{Of: key, In: names.key, InOrder: true},
			dated.Round{Of: alias, In: names.alias, InOrder: true})
	}
	matches = make([]*Item, len(entries))
	for i, at := range dated.Pairs(len(entries), len(all), rounds...) {
		if at != dated.None {
			matches[i], all[at].claimed = all[at], true
		}
	}
	c.disown(entries, matches)
	return matches, names.err
}

// disown takes the alias of an item that is not in the file away where one of the file has it by
// now, so that it is never found for that.
func (c *kindDiff[P]) disown(entries []entryOf[P], matches []*Item) {
	var taken map[string]bool
	for _, item := range c.items.All {
		if item.claimed || item.Alias == "" || item.pack == nil {
			continue
		}
		if taken == nil {
			taken = make(map[string]bool)
			for i := range entries {
				if matches[i] == nil || matches[i].Alias != entries[i].Alias {
					taken[entries[i].Alias] = true
				}
			}
		}
		if taken[item.Alias] && c.Mode != Skip {
			item.Alias, item.pack.dirty = "", true
		}
	}
}

// recordNames are what items are called by the records that they have become.
type recordNames[P any] struct {
	*kindDiff[P]

	keys, aliases map[int]string
	given, called Names
	err           error

	declared, ahead int // the place behind those that were declared, and how many of them were at a time
}

func (n *recordNames[P]) key(i int) string {
	n.read(i)
	return n.keys[i]
}

func (n *recordNames[P]) alias(i int) string {
	n.read(i)
	return n.aliases[i]
}

// read reads the record of the item at a place, unless it was read before.
func (n *recordNames[P]) read(i int) {
	if n.keys == nil {
		n.keys, n.aliases, n.given, n.called = make(map[int]string), make(map[int]string), make(Names), make(Names)
	}
	if _, known := n.keys[i]; known || n.err != nil {
		return
	}
	n.declare(i)
	found, err := n.Records.Lookup(n.Tx, n.Scope, n.items.All[i].RecordID)
	v, ok := found.(P)
	if n.err, n.keys[i] = err, ""; err != nil || !ok {
		return
	}
	key, alias := n.Named(v)
	n.keys[i], n.aliases[i] = ShortName(n.given.Name(key)), ShortName(n.called.Name(alias))
}

// declare declares the record of the item at a place and those behind it, more each time: any of them may be read.
func (n *recordNames[P]) declare(i int) {
	if i < n.declared || !records.Remote(n.Tx) {
		return
	}
	n.ahead = min(max(4*n.ahead, 16), 1024)
	n.declared = min(i+n.ahead, len(n.items.All))
	for _, item := range n.items.All[i:n.declared] {
		records.Declare(n.Tx, n.Records.Needs(n.Scope, item.RecordID)...)
	}
}

// one finds out what becomes of an item, and returns the id of its record.
func (c *kindDiff[P]) one(t *entryOf[P], item *Item) (id string, err error) {
	if t.Fits != nil {
		if fits, err := t.Fits(); !fits || err != nil {
			if item != nil {
				item.claimed = false
			}
			return "", err
		}
	}
	hashes, contents := c.read(t, item)
	id, item = c.identify(t, item, contents)
	there, err := c.has(id)
	if err != nil {
		return "", err
	}
	unused := false
	switch {
	case there:
		err = c.change(t, id, item, hashes, contents)
		if err == nil && c.Mode == Skip && item == nil {
			return id, nil
		}
	case c.Mode == Skip:
		return "", nil
	case item != nil && c.Mode != Synchronize && slices.Equal(c.contentHashes(item.Hashes), c.contentHashes(hashes)):
		return "", nil // it was deleted here, and the file has nothing new of it
	default:
		if unused = id == ""; unused {
			id = c.NewID()
		}
		err = c.make(t, id, unused, hashes, contents)
	}
	if err != nil {
		return "", err
	}
	c.remember(t, id, unused, item, hashes)
	return id, nil
}

// read reads the parts of an item, and hashes those that are compared.
func (c *kindDiff[P]) read(t *entryOf[P], item *Item) (hashes []string, contents []Content[P]) {
	hashes, contents = c.hashes[:0], c.contents[:0]
	for i, p := range t.Parts {
		content, hash := p.Read(), ""
		if compared := content.Compared(c.newFacts()); compared != nil {
			hash = hashAs(compared, item.hash(i))
		}
		hashes, contents = append(hashes, hash), append(contents, content)
	}
	c.hashes, c.contents = hashes, contents
	return hashes, contents
}

// declare declares the records of items of which the ids are known, and what was remembered of them.
func (c *kindDiff[P]) declare(next []entryOf[P], matches []*Item) {
	for i := range next {
		id := ""
		switch {
		case next[i].At != nil:
			id = next[i].At()
		case matches[i] != nil:
			id = matches[i].RecordID
		}
		records.Declare(c.Tx, c.Records.Needs(c.Scope, id)...)
	}
}

// has reports whether the schedule has a record, which there is none of without an id.
func (c *kindDiff[P]) has(id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	return c.Records.Has(c.Tx, c.Scope, id)
}

// identify is the id of the record of an item, as far as there is one, and what is
// remembered of it.
func (c *kindDiff[P]) identify(t *entryOf[P], item *Item, contents []Content[P]) (string, *Item) {
	id := ""
	if t.At != nil {
		id = t.At()
		if item != nil && item.RecordID != id { // it is another's by now
			item.claimed = false
			item = nil
		}
	}
	if item != nil {
		id = item.RecordID
	}
	if id == "" && c.Adopt != nil {
		v := c.Fresh("")
		for _, content := range contents {
			content.Set(v)
		}
		id = c.Adopt(v)
	}
	return id, item
}

// make takes along what is new.
func (c *kindDiff[P]) make(t *entryOf[P], id string, unused bool, hashes []string, contents []Content[P]) error {
	v := c.Fresh(id)
	for i, p := range t.Parts {
		if p.Mode == Skip {
			hashes[i] = ""
			continue
		}
		contents[i].Set(v)
	}
	c.tally(Created, v)
	return c.send(v, unused)
}

// change takes along what has changed of what the schedule has. The record is read only
// where something has.
func (c *kindDiff[P]) change(t *entryOf[P], id string, item *Item, hashes []string, contents []Content[P]) error {
	changed := contents[:0]
	for i, p := range t.Parts {
		had := item.hash(i)
		switch {
		case p.Mode == Skip:
			hashes[i] = had
		case p.Mode == Synchronize || hashes[i] != had:
			changed = append(changed, contents[i])
		}
	}
	if len(changed) == 0 {
		return nil
	}
	stored, err := c.Records.Value(c.Tx, c.Scope, id)
	if err != nil {
		return err
	}
	next := c.Records.Clone(stored).(P)
	for _, content := range changed {
		content.Set(next)
	}
	was, err := c.Records.Encode(stored)
	if err != nil {
		return err
	}
	is, err := c.Records.Encode(next)
	if err != nil || bytes.Equal(was, is) {
		return err
	}
	c.tally(Updated, next)
	return c.send(next, false)
}

func (c *kindDiff[P]) tally(o Outcome, v P) {
	if c.Counts != nil {
		c.Counts(o, v)
	}
}

func (c *kindDiff[P]) send(v P, unused bool) error {
	if c.Emit != nil {
		c.Emit(v, unused)
		return nil
	}
	return c.Write(c.Records, v, unused)
}

// contentHashes are hashes without those of the last parts that a file leaves out.
func contentHashes(hashes []string) []string {
	for len(hashes) > 0 && hashes[len(hashes)-1] == "" {
		hashes = hashes[:len(hashes)-1]
	}
	return hashes
}

// contentHashes returns the hashes of what is set of an item, without that of its origin,
// which tells where it was copied from.
func (c *kindDiff[P]) contentHashes(hashes []string) []string {
	if c.Origin > 0 && len(hashes) > c.Origin {
		hashes = hashes[:c.Origin]
	}
	return contentHashes(hashes)
}

// remember records what the file has of an item, unless that is known.
func (c *kindDiff[P]) remember(t *entryOf[P], id string, unused bool, item *Item, hashes []string) {
	hashes = contentHashes(hashes)
	if item != nil && item.SynchronizerID == c.Synchronizer && item.Key == t.Key && item.Alias == t.Alias &&
		slices.Equal(contentHashes(item.Hashes), hashes) {
		return
	}
	c.items.Put(&Item{
		Sort: c.Name, RecordID: id, SynchronizerID: c.Synchronizer, Key: t.Key, Alias: t.Alias,
		Hashes: slices.Clone(hashes),
	}, unused)
}
