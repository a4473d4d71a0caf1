package schedules

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// importDiff finds out what an import is to write.
type importDiff struct {
	s     *Service
	tx    *records.View
	w     *importing
	scope records.Scope
	file  *planner.Plan
	zone  *time.Location

	facts facts // see says
	// items are what is remembered by now, by kind, and former the ids of records of earlier
	// versions that each hold one. Those that are to be forgotten are still there.
	items     map[string]*itemsOf
	former    []string
	forgotten []*importedItem
	packer    itemPacker

	changes  []importChange
	gone     [][]importChange // of each kind, in the order in which they may go
	details  SynchronizationDetails
	unlisted int // warnings that there was no room for
}

// entry is an item of a file as the record of type T that it is to become.
type entry[T any] = entryOf[*T]

// entryOf is an item of the records that P points at. All pointers share one shape, so
// that the code for items is compiled once for all of them.
type entryOf[P any] struct {
	key, alias string // see importedItem
	// fits reports, when the item is handled, whether the schedule can hold it; nil is
	// always.
	fits func() (bool, error)
	// at is its id, where that follows from its content; nil is a new one.
	at    func() string
	parts []partOf[P]
}

// part is some of what a file has of an item.
type part[T any] = partOf[*T]

type partOf[P any] struct {
	mode SyncMode
	// read returns, when the item is handled, what the file has, nil for nothing, and sets
	// it in a record.
	read func() (content any, set func(P))
}

// kindOf is how items of a kind are compared with the records of a schedule.
type kindOf[T any] = kindBy[*T]

type kindBy[P any] struct {
	name    string
	records *records.Table
	mode    SyncMode // of items as such: whether they are made, and go
	counts  func(*SynchronizationCounts) **int
	fresh   func(id string) P
	// holds reports which records are of the kind; nil is all of the collection.
	holds func(P) bool
	// adopt is the id of a record made here that is taken for an item; nil is none.
	adopt func(set P) string
	// emit takes up a record that is to be written, and whether its id was never used
	// before; nil writes it.
	emit func(v P, unused bool)
	// protect reports why a record cannot go after all.
	protect func(P) (why string)
	// parent is the id of the record that one lies below.
	parent func(P) string
	// known takes the id of an item as soon as it is known; nil ignores it.
	known func(i int, id string)
	// last takes up what finds out which records are to go, for later; nil does so at once.
	last func(sweep func() error)
}

// expect makes room for what is written of a file of which nothing was imported before: each
// item, and the planned dates of tasks.
func (d *importDiff) expect() {
	if len(d.items) > 0 {
		return
	}
	d.changes = make([]importChange, 0, 2*len(d.file.Tasks)+len(d.file.Links)+len(d.file.Assignments)+(len(d.file.Tasks)+len(d.file.Links)+len(d.file.Assignments))/itemsPerPack+100)
}

// entries is how many items of a kind the file has, where they are many.
func (d *importDiff) entries(kind string) int {
	switch kind {
	case tasksKind:
		return len(d.file.Tasks)
	case linksKind:
		return len(d.file.Links)
	case assignmentsKind:
		return len(d.file.Assignments)
	}
	return 0
}

// warn notes what a user is to know. There is room for so many notes; the last says how
// many more there were.
func (d *importDiff) warn(format string, args ...any) {
	if len(d.details.Warnings) >= MaxBatch-1 {
		d.unlisted++
		return
	}
	message, _ := cutText(fmt.Sprintf(format, args...), MaxText)
	d.details.Warnings = append(d.details.Warnings, SynchronizationWarning{Message: message})
}

// cutText is a text without what is beyond so many characters.
func cutText(s string, most int) (short string, cut bool) {
	if len(s) <= most {
		return s, false
	}
	n := 0
	for i := range s {
		if n == most {
			return s[:i], true
		}
		n++
	}
	return s, false
}

// write is a change that writes a record, which no one changes any more. unused says that
// its id was never used before.
func (d *importDiff) write(t *records.Table, record any, unused bool) error {
	data, err := t.Encode(record)
	d.changes = append(d.changes, importChange{Records: t.Name(), Record: data, Unused: unused, value: record})
	return err
}

// writeJSON is a change that writes what is kept under a name, as it is put together here.
func (d *importDiff) writeJSON(name string, v any) error {
	data, err := json.Marshal(v)
	d.changes = append(d.changes, importChange{Records: name, Record: data})
	return err
}

// diffOf finds out what is to be written of items of a kind, which are behind what they
// are below, and what is to go. It returns the ids of their records, which are empty for
// those that the schedule does not have.
func diffOf[P any](d *importDiff, o *kindBy[P], entries []entryOf[P]) (ids []string, err error) {
	c := kindDiff[P]{importDiff: d, kindBy: o, items: d.itemsOf(o.name)}
	if c.sweeps() {
		c.kept = make(map[string]bool, len(entries))
	}
	matches := c.match(entries)
	ids = make([]string, len(entries))
	for i := range entries {
		if err := records.Interrupted(d.tx); err != nil {
			return nil, err
		}
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
	if err := d.keepItems(o.name); err != nil {
		return nil, err
	}
	c.counted()
	if o.last != nil {
		o.last(c.sweep)
		return ids, nil
	}
	return ids, c.sweep()
}

// counted reports what is counted that it is, if there is none.
func (c *kindDiff[P]) counted() {
	if c.counts == nil || c.mode == SkipMode {
		return
	}
	for _, counts := range []*SynchronizationCounts{&c.details.Created, &c.details.Updated, &c.details.Deleted} {
		count(counts, c.counts, 0)
	}
}

func count(c *SynchronizationCounts, of func(*SynchronizationCounts) **int, n int) {
	at := of(c)
	if *at == nil {
		*at = new(int)
	}
	**at += n
}

// kindDiff is that of the items of a kind.
type kindDiff[P any] struct {
	*importDiff
	*kindBy[P]

	items *itemsOf
	kept  map[string]bool // ids of the records of items; nil where nothing goes
	// What one makes for each item again.
	hashes []string
	sets   []func(P)
}

// sweeps reports whether something may go.
func (c *kindDiff[P]) sweeps() bool { return c.mode == SynchronizeMode || c.mode == IntegrateMode }

// match finds the items that were imported before: by their keys first, and then what is
// left by its alias. Both are as items have them from then on.
func (c *kindDiff[P]) match(entries []entryOf[P]) []*importedItem {
	matches := make([]*importedItem, len(entries))
	take := func(i int, name string) {
		if item := c.items.byShort[name]; name != "" && matches[i] == nil && item != nil && !item.claimed {
			matches[i], item.claimed = item, true
		}
	}
	for i := range entries {
		entries[i].key, entries[i].alias = shortName(entries[i].key), shortName(entries[i].alias)
		take(i, entries[i].key)
	}
	for i := range entries {
		take(i, entries[i].alias)
	}
	return matches
}

// one finds out what becomes of an item, and returns the id of its record.
func (c *kindDiff[P]) one(t *entryOf[P], item *importedItem) (id string, err error) {
	if t.fits != nil {
		if fits, err := t.fits(); !fits || err != nil {
			if item != nil {
				item.claimed = false
			}
			return "", err
		}
	}
	hashes, sets := c.hashes[:0], c.sets[:0]
	for i, p := range t.parts {
		content, set := p.read()
		hash := ""
		if content != nil {
			hash = hashAs(content, item.hash(i))
		}
		hashes, sets = append(hashes, hash), append(sets, set)
	}
	c.hashes, c.sets = hashes, sets
	id, item = c.identify(t, item, sets)
	there, err := c.has(id)
	if err != nil {
		return "", err
	}
	unused := false
	switch {
	case there:
		err = c.change(t, id, item, hashes, sets)
		if err == nil && c.mode == SkipMode && item == nil {
			return id, nil
		}
	case c.mode == SkipMode:
		return "", nil
	case item != nil && c.mode != SynchronizeMode && slices.Equal(contentHashes(item.Hashes), contentHashes(hashes)):
		return "", nil // it was deleted here, and the file has nothing new of it
	default:
		if unused = id == ""; unused {
			id = c.s.env.NewID()
		}
		err = c.make(t, id, unused, hashes, sets)
	}
	if err != nil {
		return "", err
	}
	c.remember(t, id, unused, item, hashes)
	return id, nil
}

// has reports whether the schedule has a record, which there is none of without an id.
func (c *kindDiff[P]) has(id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	return c.records.Has(c.tx, c.scope, id)
}

// identify is the id of the record of an item, as far as there is one, and what is
// remembered of it.
func (c *kindDiff[P]) identify(t *entryOf[P], item *importedItem, sets []func(P)) (string, *importedItem) {
	id := ""
	if t.at != nil {
		id = t.at()
		if item != nil && item.RecordID != id { // it is another's by now
			item.claimed = false
			item = nil
		}
	}
	if item != nil {
		id = item.RecordID
	}
	if id == "" && c.adopt != nil {
		v := c.fresh("")
		for _, set := range sets {
			set(v)
		}
		id = c.adopt(v)
	}
	return id, item
}

// make takes along what is new.
func (c *kindDiff[P]) make(t *entryOf[P], id string, unused bool, hashes []string, sets []func(P)) error {
	v := c.fresh(id)
	for i, p := range t.parts {
		if p.mode == SkipMode {
			hashes[i] = ""
			continue
		}
		sets[i](v)
	}
	c.tally(&c.details.Created)
	return c.send(v, unused)
}

// change takes along what has changed of what the schedule has. The record is read only
// where something has.
func (c *kindDiff[P]) change(t *entryOf[P], id string, item *importedItem, hashes []string, sets []func(P)) error {
	changed := sets[:0]
	for i, p := range t.parts {
		had := item.hash(i)
		switch {
		case p.mode == SkipMode:
			hashes[i] = had
		case p.mode == SynchronizeMode || hashes[i] != had:
			changed = append(changed, sets[i])
		}
	}
	if len(changed) == 0 {
		return nil
	}
	stored, err := c.records.Value(c.tx, c.scope, id)
	if err != nil {
		return err
	}
	next := c.records.Clone(stored).(P)
	for _, set := range changed {
		set(next)
	}
	was, err := c.records.Encode(stored)
	if err != nil {
		return err
	}
	is, err := c.records.Encode(next)
	if err != nil || bytes.Equal(was, is) {
		return err
	}
	c.tally(&c.details.Updated)
	return c.send(next, false)
}

func (c *kindDiff[P]) tally(of *SynchronizationCounts) {
	if c.counts != nil {
		count(of, c.counts, 1)
	}
}

func (c *kindDiff[P]) send(v P, unused bool) error {
	if c.emit != nil {
		c.emit(v, unused)
		return nil
	}
	return c.write(c.records, v, unused)
}

// contentHashes are hashes without those of the last parts that a file leaves out.
func contentHashes(hashes []string) []string {
	for len(hashes) > 0 && hashes[len(hashes)-1] == "" {
		hashes = hashes[:len(hashes)-1]
	}
	return hashes
}

// remember records what the file has of an item, unless that is known.
func (c *kindDiff[P]) remember(t *entryOf[P], id string, unused bool, item *importedItem, hashes []string) {
	hashes = contentHashes(hashes)
	if item != nil && item.SynchronizerID == c.w.SynchronizerID && item.Key == t.key && item.Alias == t.alias && slices.Equal(contentHashes(item.Hashes), hashes) {
		return
	}
	c.items.put(&importedItem{Sort: c.name, RecordID: id, SynchronizerID: c.w.SynchronizerID, Key: t.key, Alias: t.alias, Hashes: slices.Clone(hashes)}, unused)
}

// sweep finds out what is to go: what came from the file before and is not in this one,
// and what was made here where the file takes the place of that.
func (c *kindDiff[P]) sweep() error {
	going, err := c.unseen()
	if err == nil && c.mode == SynchronizeMode {
		var others []P
		others, err = c.madeHere()
		going = append(going, others...)
	}
	if err != nil {
		return err
	}
	c.deepestFirst(going)
	out := make([]importChange, 0, len(going))
	for _, v := range going {
		c.tally(&c.details.Deleted)
		out = append(out, importChange{Records: c.records.Name(), Gone: c.records.ID(v)})
	}
	c.gone = append(c.gone, out)
	return nil
}

// unseen are the records of what was imported before and is not in the file, which is to be
// forgotten.
func (c *kindDiff[P]) unseen() (going []P, err error) {
	if !c.sweeps() {
		return nil, nil
	}
	for _, item := range c.items.all {
		if item.claimed || c.mode == IntegrateMode && item.SynchronizerID != c.w.SynchronizerID || c.kept[item.RecordID] {
			continue // or its record is another item's by now
		}
		found, err := c.records.Lookup(c.tx, c.scope, item.RecordID)
		if err != nil {
			return nil, err
		}
		if v, ok := found.(P); ok {
			c.kept[item.RecordID] = true // no one looks at it again
			if c.stays(v) {
				continue
			}
			going = append(going, v)
		}
		c.forget(item)
	}
	return going, nil
}

// madeHere are the records of the kind that no item of any file has become.
func (c *kindDiff[P]) madeHere() (going []P, err error) {
	for found, err := range c.records.From(c.tx, c.scope, "") {
		if err == nil {
			err = records.Interrupted(c.tx)
		}
		if err != nil {
			return nil, err
		}
		v := found.(P)
		if !c.kept[c.records.ID(v)] && (c.holds == nil || c.holds(v)) && !c.stays(v) {
			going = append(going, v)
		}
	}
	return going, nil
}

// stays reports whether a record cannot go, and warns of it.
func (c *kindDiff[P]) stays(v P) bool {
	if c.protect == nil {
		return false
	}
	why := c.protect(v)
	if why != "" {
		c.warn("%s", why)
	}
	return why != ""
}

// deepestFirst puts records before those that they lie below.
func (c *kindDiff[P]) deepestFirst(going []P) {
	if c.parent == nil {
		return
	}
	above := make(map[string]string, len(going))
	for _, v := range going {
		above[c.records.ID(v)] = c.parent(v)
	}
	depths := make(map[string]int, len(going))
	for id, at := range above {
		depth := 0
		for next, goes := above[at]; goes && depth <= len(going); next, goes = above[at] {
			at = next
			depth++
		}
		depths[id] = depth
	}
	slices.SortStableFunc(going, func(a, b P) int { return depths[c.records.ID(b)] - depths[c.records.ID(a)] })
}

// nameGiver gives the items of a file keys of which no two are the same, and that are no
// longer than an index has room for.
type nameGiver map[string]int

func (g nameGiver) name(s string) string {
	if s == "" {
		return ""
	}
	if len(s) > 200 {
		sum := sha256.Sum256([]byte(s))
		s = s[:100] + base64.RawURLEncoding.EncodeToString(sum[:])
	}
	n := g[s] + 1
	if g[s] = n; n > 1 {
		return s + "#" + strconv.Itoa(n)
	}
	return s
}
