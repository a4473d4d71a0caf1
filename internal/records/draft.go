package records

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/btree"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// draft is a transaction over a snapshot that keeps its writes to itself, and notes
// what it read.
type draft struct {
	r      storage.Reader
	keys   *keys
	writes btree.Map[string, drafted]
	bytes  int // of all keys and values written
	gets   []found
	scans  []passage

	reserving int64 // bytes for which Reserve has made room
	freeing   bool  // it makes room
}

// drafted is what a draft has decided about a key.
type drafted struct {
	value   []byte
	deleted bool
}

// found is a key of the snapshot with its value, if it has one.
type found struct {
	key   string
	value []byte
	there bool
}

// passage is what a scan of the snapshot has come by.
type passage struct {
	prefix, after string
	found         []found
	whole         bool // it came to its end
}

var _ interface {
	storage.Finder
	storage.Pending
} = (*draft)(nil)

// Get implements storage.Reader.
func (d *draft) Get(key string) ([]byte, error) {
	if w, ok := d.writes.Get(key); ok {
		if w.deleted {
			return nil, storage.NotFound(key)
		}
		return w.value, nil
	}
	value, err := d.r.Get(key)
	d.gets = append(d.gets, found{key, value, err == nil})
	return value, err
}

// Find implements storage.Finder.
func (d *draft) Find(key string) (value []byte, ok bool, err error) {
	if w, ok := d.writes.Get(key); ok {
		return w.value, !w.deleted, nil
	}
	value, ok, err = storage.Find(d.r, key)
	d.gets = append(d.gets, found{key, value, ok})
	return value, ok, err
}

// First implements storage.Finder.
func (d *draft) First(prefix, after string) (key string, value []byte, ok bool) {
	if d.wrote(prefix, after) {
		return storage.FirstOf(d.Scan(prefix, after))
	}
	p := passage{prefix: prefix, after: after}
	if key, value, ok = storage.First(d.r, prefix, after); ok {
		p.found = []found{{key, value, true}}
	}
	p.whole = !ok
	d.scans = append(d.scans, p)
	return key, value, ok
}

// wrote reports whether the draft has decided about a key that a scan would come by.
func (d *draft) wrote(prefix, after string) (wrote bool) {
	d.writes.Ascend(max(prefix, after), func(key string, _ drafted) bool {
		if key == after {
			return true
		}
		wrote = strings.HasPrefix(key, prefix)
		return false
	})
	return wrote
}

// Put implements storage.Writer.
func (d *draft) Put(key string, value []byte) error {
	d.bytes += len(key) + len(value)
	d.writes.Set(key, drafted{value: value})
	return nil
}

// Delete implements storage.Writer.
func (d *draft) Delete(key string) error {
	d.bytes += len(key)
	d.writes.Set(key, drafted{deleted: true})
	return nil
}

// Written implements storage.Pending.
func (d *draft) Written() int { return d.bytes }

// Changes implements storage.Pending.
func (d *draft) Changes() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		d.writes.Scan(func(key string, c drafted) bool { return yield(key, c.value) })
	}
}

// Committed implements storage.Pending.
func (d *draft) Committed(key string) ([]byte, error) { return d.r.Get(key) }

// Scan implements storage.Reader.
func (d *draft) Scan(prefix, after string) iter.Seq2[string, []byte] {
	if !d.wrote(prefix, after) {
		return d.pass(prefix, after)
	}
	return func(yield func(string, []byte) bool) {
		own := ownWrites{iter: d.writes.Copy().Iter(), prefix: prefix} // the loop may write
		own.seek(after)
		for key, value := range d.pass(prefix, after) {
			if !own.before(key, yield) {
				return
			}
			if own.ok && own.iter.Key() == key {
				if !own.yield(yield) {
					return
				}
			} else if !yield(key, value) {
				return
			}
		}
		for own.ok && own.yield(yield) {
		}
	}
}

// pass is a scan of the snapshot that is noted.
func (d *draft) pass(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		i := len(d.scans) // of which there may be more in the loop
		d.scans = append(d.scans, passage{prefix: prefix, after: after})
		for key, value := range d.r.Scan(prefix, after) {
			d.scans[i].found = append(d.scans[i].found, found{key, value, true})
			if !yield(key, value) {
				return
			}
		}
		d.scans[i].whole = true
	}
}

// ownWrites goes through the writes of a draft under a prefix.
type ownWrites struct {
	iter   btree.MapIter[string, drafted]
	prefix string
	ok     bool
}

func (o *ownWrites) seek(after string) {
	o.ok = o.iter.Seek(max(o.prefix, after))
	if o.ok && o.iter.Key() == after {
		o.ok = o.iter.Next()
	}
	o.stay()
}

// stay ends the walk behind the prefix.
func (o *ownWrites) stay() { o.ok = o.ok && strings.HasPrefix(o.iter.Key(), o.prefix) }

// before yields what comes before a key.
func (o *ownWrites) before(key string, yield func(string, []byte) bool) bool {
	for o.ok && o.iter.Key() < key {
		if !o.yield(yield) {
			return false
		}
	}
	return true
}

// yield yields the write at hand, unless it is a deletion, and moves on.
func (o *ownWrites) yield(yield func(string, []byte) bool) bool {
	key, w := o.iter.Key(), o.iter.Value()
	o.ok = o.iter.Next()
	o.stay()
	return w.deleted || yield(key, w.value)
}

// close keeps of what was read what has to be looked at again. Of a scope in which the
// draft wrote records that is its revision: the caller that changes a record takes the next one.
func (d *draft) close(written map[Scope]standing) {
	rewritten := func(key string) bool {
		scope, rest, ok := strings.Cut(key, "/")
		_, ours := written[Scope(scope)]
		return ok && ours && rest != revisionKey
	}
	d.gets = slices.DeleteFunc(d.gets, func(f found) bool { return rewritten(f.key) })
	d.scans = slices.DeleteFunc(d.scans, func(p passage) bool { return rewritten(p.prefix) })
}

// stands fails with errOvertaken where a state is another than the draft has read.
func (d *draft) stands(r storage.Reader) error {
	for _, f := range d.gets {
		value, err := r.Get(f.key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		if f.there != (err == nil) || !bytes.Equal(value, f.value) {
			return errOvertaken
		}
	}
	for i := range d.scans {
		if !d.scans[i].stands(r) {
			return errOvertaken
		}
	}
	return nil
}

// stands reports whether a scan comes by the same.
func (p *passage) stands(r storage.Reader) bool {
	left := p.found
	if len(left) == 0 && !p.whole {
		return true
	}
	for key, value := range r.Scan(p.prefix, p.after) {
		if len(left) == 0 || left[0].key != key || !bytes.Equal(left[0].value, value) {
			return false
		}
		if left = left[1:]; len(left) == 0 && !p.whole {
			return true
		}
	}
	return len(left) == 0
}

// writeTo writes down what the draft holds.
func (d *draft) writeTo(w storage.Writer) (err error) {
	d.writes.Scan(func(key string, c drafted) bool {
		if c.deleted {
			err = w.Delete(key)
		} else {
			err = w.Put(key, c.value)
		}
		return err == nil
	})
	return err
}
