package storagetest

import (
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
)

// sector is what a disk writes in one piece, in bytes.
const sector = 512

// Crashes yields the disks that a loss of power at this moment may leave, each
// with a word on what was lost, and each once. For the names it tries every beginning of the
// changes since the last SyncDir; for the files, none of what was not synced,
// all of it, each single write of it, all up to a write that is torn at a
// sector, and a random subset torn at random.
func (d *Disk) Crashes(random *rand.Rand) iter.Seq2[string, *Disk] {
	return func(yield func(string, *Disk) bool) {
		d.mu.Lock()
		defer d.mu.Unlock()
		names, seen := maps.Clone(d.synced), make(map[uint64]bool)
		for i := 0; ; i++ {
			for label, keep := range d.losses(random) {
				left := crashed(names, keep)
				sum := left.sum()
				if seen[sum] {
					continue
				}
				seen[sum] = true
				if !yield(fmt.Sprintf("%d of %d name changes, %s", i, len(d.moves), label), left) {
					return
				}
			}
			if i == len(d.moves) {
				return
			}
			d.moves[i].apply(names)
		}
	}
}

// loss reports which part of a file's pending edits reached the disk.
type loss func(f *inode) []edit

// losses yields the ways to lose what was not synced.
func (d *Disk) losses(random *rand.Rand) iter.Seq2[string, loss] {
	pending := 0
	for _, f := range d.files() {
		pending = max(pending, len(f.pending))
	}
	return func(yield func(string, loss) bool) {
		if !yield("nothing unsynced", func(*inode) []edit { return nil }) || pending == 0 {
			return
		}
		if !yield("everything", func(f *inode) []edit { return f.pending }) {
			return
		}
		for i := range pending {
			single := func(f *inode) []edit { return f.pending[min(i, len(f.pending)):min(i+1, len(f.pending))] }
			if pending > 1 && !yield(fmt.Sprintf("only write %d", i), single) {
				return
			}
			for _, cut := range []int{1, sector, -1} {
				torn := func(f *inode) []edit { return tear(f.pending[:min(i+1, len(f.pending))], cut, random) }
				if !yield(fmt.Sprintf("write %d torn at %d", i, cut), torn) {
					return
				}
			}
		}
		yield("a random subset", func(f *inode) []edit { return subset(f.pending, random) })
	}
}

// files returns the files that have or may have a name.
func (d *Disk) files() []*inode {
	found := slices.Collect(maps.Values(d.synced))
	for _, m := range d.moves {
		if m.file != nil {
			found = append(found, m.file)
		}
	}
	return found
}

// tear shortens the last edit to cut bytes, or to a random number of sectors.
func tear(edits []edit, cut int, random *rand.Rand) []edit {
	if len(edits) == 0 {
		return nil
	}
	edits = slices.Clone(edits)
	last := &edits[len(edits)-1]
	if cut < 0 {
		cut = sector * random.IntN(len(last.bytes)/sector+1)
	}
	last.bytes = last.bytes[:min(cut, len(last.bytes))]
	return edits
}

// subset keeps a random half of the edits, and of each a random half of its
// sectors, the others being lost.
func subset(edits []edit, random *rand.Rand) []edit {
	var kept []edit
	for _, e := range edits {
		if random.IntN(2) == 0 {
			continue
		}
		if e.cut {
			kept = append(kept, e)
			continue
		}
		for part := range slices.Chunk(e.bytes, sector) {
			if random.IntN(4) > 0 {
				kept = append(kept, edit{at: e.at, bytes: part})
			}
			e.at += int64(len(part))
		}
	}
	return kept
}

// crashed builds a disk with the given names on which nothing is pending.
func crashed(names map[string]*inode, keep loss) *Disk {
	left := NewDisk()
	for name, file := range names {
		data := slices.Clone(file.synced)
		for _, e := range keep(file) {
			data = e.apply(data)
		}
		f := &inode{data: data, synced: slices.Clone(data)}
		left.names[name], left.synced[name] = f, f
	}
	return left
}

// Files returns the names and contents of the disk.
func (d *Disk) Files() map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make(map[string][]byte)
	for name, file := range d.names {
		all[name] = slices.Clone(file.data)
	}
	return all
}

// sum is a digest of the contents of a disk.
func (d *Disk) sum() (sum uint64) {
	for name, file := range d.names {
		var h maphash.Hash
		h.SetSeed(sumSeed)
		_, _ = h.WriteString(name + "\x00") // never fails
		_, _ = h.Write(file.data)
		sum += h.Sum64()
	}
	return sum
}

var sumSeed = maphash.MakeSeed()

// Put places a file on the disk, synced.
func (d *Disk) Put(name string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := &inode{data: slices.Clone(data), synced: slices.Clone(data)}
	d.names[name], d.synced[name] = f, f
}

// Killed returns the disk as another process finds it after this one was
// killed: nothing is lost yet, and what was not synced still is not.
func (d *Disk) Killed() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	left, copies := NewDisk(), make(map[*inode]*inode)
	twin := func(f *inode) *inode {
		if f != nil && copies[f] == nil {
			copies[f] = &inode{
				data: slices.Clone(f.data), synced: slices.Clone(f.synced), pending: slices.Clone(f.pending),
			}
		}
		return copies[f]
	}
	for name, f := range d.names {
		left.names[name] = twin(f)
	}
	for name, f := range d.synced {
		left.synced[name] = twin(f)
	}
	for _, m := range d.moves {
		left.moves = append(left.moves, move{from: m.from, to: m.to, file: twin(m.file)})
	}
	return left
}
