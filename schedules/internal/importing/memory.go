package importing

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Item is what is remembered of a record that came from a planner file, so that
// it is known again in the next one.
type Item struct {
	// Sort is the kind of the item, and RecordID the record that it became.
	Sort, RecordID string
	// SynchronizerID names the import whose files had the item last.
	SynchronizerID string
	// Key is by what the planner knows it, and Alias by what else it may be known, both as
	// ShortName has them.
	Key, Alias string
	// Hashes are of what the file had, by parts. A part that was never imported, or is
	// empty, has an empty hash.
	Hashes []string

	claimed bool // an item was found for it
	// pack is what holds it, and slot its place there; without a pack that in what is fresh.
	pack *itemPack
	slot int
}

// hash returns the hash of a part, and "" where nothing is known of the part.
func (i *Item) hash(part int) string {
	if i == nil || part >= len(i.Hashes) {
		return ""
	}
	return i.Hashes[part]
}

// importedItems is a value of the store in which many items of a kind stand. Once there is a
// pack it stays, if only to be filled again.
type importedItems struct {
	Deleted bool `json:"deleted"`
	// Sort is packedKind, and RecordID that of the items with the number of the pack.
	Sort     string `json:"sort"`
	RecordID string `json:"recordId"`
	Items    []byte `json:"items,omitempty"` // see itemPacker
}

// packedKind is the kind of records in which many items stand.
const packedKind = "packs"

// ItemRecords are what is remembered of imported records, in packs.
var ItemRecords = records.Collection[importedItems]{
	Name:        "imported-items",
	ID:          func(i *importedItems) string { return records.Join(i.Sort, i.RecordID) },
	MarkDeleted: func(i *importedItems) { i.Deleted = true },
}

// itemPack is the items that one value holds.
type itemPack struct {
	id     string // of its record, without the kind of packs
	items  []*Item
	stored bool // it is in the store, or in what is written before
	dirty  bool // and has changed since
}

// itemsPerPack bounds what is written again where one item changes; the keys of the store
// that are left for each do not count any more.
const itemsPerPack = 64

// ItemsOf are the items of a kind by what they are known by.
type itemsOf struct {
	All      []*Item          // that were there
	byRecord map[string]*Item // nil until someone looks

	packs []*itemPack
	room  int     // packs before it are full
	fresh []*Item // in no pack yet
}

// ShortName is a name as items have it: a long one as its hash.
func ShortName(name string) string {
	if len(name) < hashLength {
		return name
	}
	return digest([]byte(name), "")
}

// Load reads what is remembered of earlier imports.
func (d *Diff) Load() error {
	d.items = make(map[string]*itemsOf)
	defer d.expect()
	for i, err := range ItemRecords.From(d.Tx, d.Scope, "") {
		if err == nil {
			err = records.Interrupted(d.Tx)
		}
		if err == nil {
			err = d.loadPack(i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *Diff) loadPack(i *importedItems) error {
	kind, _, _ := strings.Cut(i.RecordID, "/")
	items, err := unpackItems(kind, i.Items)
	if err != nil {
		return err
	}
	of := d.ItemsOf(kind)
	p := &itemPack{id: i.RecordID, stored: true}
	of.packs = append(of.packs, p)
	for n := range items {
		d.known(of, &items[n])
		p.put(&items[n])
	}
	return nil
}

// known takes up an item that was there.
func (d *Diff) known(of *itemsOf, i *Item) {
	if of.All == nil {
		of.All = make([]*Item, 0, d.Sizes[i.Sort])
	}
	of.All = append(of.All, i)
}

// ItemsOf are the items of a kind.
func (d *Diff) ItemsOf(kind string) *itemsOf {
	of := d.items[kind]
	if of == nil {
		of = new(itemsOf)
		d.items[kind] = of
	}
	return of
}

// ByKey is the item that has a key, of a kind that has few.
func (of *itemsOf) ByKey(key string) *Item {
	return of.first(func(i *Item) bool { return i.Key == ShortName(key) })
}

// ByAlias is the item that has an alias, of a kind that has few.
func (of *itemsOf) ByAlias(alias string) *Item {
	return of.first(func(i *Item) bool { return i.Alias == ShortName(alias) })
}

func (of *itemsOf) first(is func(*Item) bool) *Item {
	if at := slices.IndexFunc(of.All, is); at >= 0 {
		return of.All[at]
	}
	return nil
}

// record is the item of a record.
func (of *itemsOf) record(id string) *Item {
	if of.byRecord == nil {
		of.byRecord = make(map[string]*Item, len(of.All))
		for _, i := range of.All {
			of.byRecord[i.RecordID] = i
		}
	}
	return of.byRecord[id]
}

// Put remembers an item, in place of one of the same record. That of a record whose id was
// never used is another's in no case.
func (of *itemsOf) Put(i *Item, unused bool) {
	if unused {
		of.add(i)
		return
	}
	was := of.record(i.RecordID)
	switch of.byRecord[i.RecordID] = i; {
	case was == nil:
		of.add(i)
	case was.pack == nil:
		i.slot = was.slot
		of.fresh[i.slot] = i
	default:
		i.pack, i.slot = was.pack, was.slot
		i.pack.items[i.slot], i.pack.dirty = i, true
	}
}

// add puts an item to those that are in no pack yet.
func (of *itemsOf) add(i *Item) {
	of.fresh = append(of.fresh, i)
	i.slot = len(of.fresh) - 1
}

func (p *itemPack) put(i *Item) {
	i.pack, i.slot = p, len(p.items)
	p.items = append(p.items, i)
}

// KeepItems writes what has changed of the items of a kind.
func (d *Diff) KeepItems(kind string) error {
	of := d.ItemsOf(kind)
	for _, i := range of.fresh {
		for of.room < len(of.packs) && len(of.packs[of.room].items) >= itemsPerPack {
			of.room++
		}
		if of.room == len(of.packs) {
			of.packs = append(of.packs, &itemPack{
				id:    records.Join(kind, blob.Place(of.room)),
				items: make([]*Item, 0, itemsPerPack),
			})
		}
		of.packs[of.room].put(i)
		of.packs[of.room].dirty = true
	}
	of.fresh = nil
	for _, p := range of.packs {
		if !p.dirty {
			continue
		}
		err := d.Write(ItemRecords.Table(),
			&importedItems{Sort: packedKind, RecordID: p.id, Items: d.packer.pack(p.items)}, !p.stored)
		if err != nil {
			return err
		}
		p.stored, p.dirty = true, false
	}
	return nil
}

// Forget leaves out an item, once its record is gone.
func (d *Diff) Forget(i *Item) { d.forgotten = append(d.forgotten, i) }

// LastItems writes what is left to remember behind all else: without what is gone.
func (d *Diff) LastItems() error {
	kinds := slices.Sorted(maps.Keys(d.items))
	for _, kind := range kinds { // an item may be in no pack yet that is to be left out
		if err := d.KeepItems(kind); err != nil {
			return err
		}
	}
	for _, i := range d.forgotten {
		if p := i.pack; p != nil && p.items[i.slot] == i { // or another has its place by now
			p.items[i.slot], p.dirty = nil, true
		}
	}
	for _, kind := range kinds {
		if err := d.KeepItems(kind); err != nil {
			return err
		}
	}
	return nil
}

// itemPacker writes the items of a pack one behind the other: how many bytes the id of the
// record has in common with the one before, the rest of it, and then texts, which are the
// synchronizer, the names and, behind their number, the hashes. A text is one of
//
//	0             nothing
//	1 bytes       a hash, of which there are 12
//	2 length text
//	3 and more    the text that was the first, the second, …
//
// since what a file has of a part is the same for most items. All numbers are uvarints.
type itemPacker struct {
	b    []byte
	seen map[string]int
}

const (
	noText = iota
	hashedText
	plainText
	seenText
)

// pack returns the items of a pack, without those that are none any more.
func (p *itemPacker) pack(items []*Item) []byte {
	if p.seen == nil {
		p.seen = make(map[string]int)
	}
	clear(p.seen)
	p.b = p.b[:0]
	before := ""
	for _, i := range items {
		if i == nil {
			continue
		}
		shared := 0
		for shared < min(len(before), len(i.RecordID)) && before[shared] == i.RecordID[shared] {
			shared++
		}
		p.number(shared)
		p.plain(i.RecordID[shared:])
		before = i.RecordID
		p.text(i.SynchronizerID)
		p.text(i.Key)
		p.text(i.Alias)
		p.number(len(i.Hashes))
		for _, hash := range i.Hashes {
			p.text(hash)
		}
	}
	return slices.Clone(p.b)
}

func (p *itemPacker) number(n int) { p.b = binary.AppendUvarint(p.b, uint64(n)) }

func (p *itemPacker) plain(s string) {
	p.number(len(s))
	p.b = append(p.b, s...)
}

func (p *itemPacker) text(s string) {
	if s == "" {
		p.number(noText)
		return
	}
	if n, ok := p.seen[s]; ok {
		p.number(seenText + n)
		return
	}
	p.seen[s] = len(p.seen)
	var hash [hashBytes + 1]byte
	if len(s) == hashLength {
		if n, err := base64.RawURLEncoding.Strict().Decode(hash[:], []byte(s)); err == nil && n == hashBytes {
			p.number(hashedText)
			p.b = append(p.b, hash[:hashBytes]...)
			return
		}
	}
	p.number(plainText)
	p.plain(s)
}

// itemUnpacker reads what an itemPacker has written.
type itemUnpacker struct {
	rest  []byte
	texts strings.Builder // of which all texts are parts
	seen  []string
	bad   bool
}

var errItems = errors.New("schedules: what is remembered of an import is malformed")

func unpackItems(kind string, packed []byte) (items []Item, err error) {
	u := itemUnpacker{rest: packed, seen: make([]string, 0, 3*itemsPerPack)}
	u.texts.Grow(2 * len(packed))
	items = make([]Item, 0, itemsPerPack)
	hashes := make([]string, 0, 4*itemsPerPack)
	before := ""
	for len(u.rest) > 0 && !u.bad {
		i := Item{Sort: kind}
		shared := u.number(len(before))
		from := u.texts.Len()
		u.texts.WriteString(before[:shared])
		u.texts.Write(u.bytes(u.number(len(u.rest))))
		before = u.texts.String()[from:]
		i.RecordID, i.SynchronizerID, i.Key, i.Alias = before, u.text(), u.text(), u.text()
		first := len(hashes)
		for range u.number(len(u.rest)) {
			hashes = append(hashes, u.text())
		}
		i.Hashes = hashes[first:len(hashes):len(hashes)]
		items = append(items, i)
	}
	if u.bad {
		return nil, errItems
	}
	return items, nil
}

// number is the next one, which is at most so large.
func (u *itemUnpacker) number(most int) int {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 || n > uint64(most) {
		u.bad = true
		return 0
	}
	u.rest = u.rest[size:]
	return int(n)
}

func (u *itemUnpacker) bytes(n int) (b []byte) {
	if n > len(u.rest) {
		u.bad = true
		return nil
	}
	b, u.rest = u.rest[:n], u.rest[n:]
	return b
}

func (u *itemUnpacker) text() string {
	from := u.texts.Len()
	switch n := u.number(seenText + len(u.seen) - 1); n {
	case noText:
		return ""
	case hashedText:
		var text [hashLength]byte
		base64.RawURLEncoding.Encode(text[:], u.bytes(hashBytes))
		u.texts.Write(text[:])
	case plainText:
		u.texts.Write(u.bytes(u.number(len(u.rest))))
	default:
		return u.seen[n-seenText]
	}
	s := u.texts.String()[from:]
	u.seen = append(u.seen, s)
	return s
}
