package buntdb

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// witness is what the lock file says of the journal: which one it is, which
// history its content belongs to and how much of it readers may have seen. A
// journal that the witness does not know, or that holds less, is an older copy
// that was put in its place or has lost what was seen: it begins a new history.
//
// It is kept in two slots that are written in turn, each with a checksum, so
// that a write that is torn leaves the one before.
type witness struct {
	disk   disk.File
	serial uint64 // of the last slot written

	use use
	now testimony
	// next is the journal that is about to take the place of now.
	next testimony
}

// use says what may happen to a journal after the witness was written.
type use byte

const (
	// useClosed: nothing; it was closed.
	useClosed use = iota + 1
	// useStrict: it grows, and readers see what is durable.
	useStrict
	// useLoose: it grows, and readers see what may not be durable.
	useLoose
)

// testimony is what is known of one journal.
type testimony struct {
	file    uint64 // its number; 0 for none
	history uint64
	offset  int64 // of a place up to which readers may have seen it
	chain   uint32
}

const (
	slotMagic = "twin"
	slotBytes = 128
	slotUsed  = len(slotMagic) + 8 + 1 + 2*28 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// readWitness reads the newer slot of a lock file that is whole; without one
// the witness knows nothing.
func readWitness(f disk.File) *witness {
	w := &witness{disk: f}
	for slot := range int64(2) {
		data := make([]byte, slotUsed)
		if n, _ := f.ReadAt(data, slot*slotBytes); n == slotUsed {
			w.read(data)
		}
	}
	return w
}

func (w *witness) read(data []byte) {
	sum := binary.BigEndian.Uint32(data[slotUsed-4:])
	serial := binary.BigEndian.Uint64(data[len(slotMagic):])
	if string(data[:len(slotMagic)]) != slotMagic || sum != crc32.Checksum(data[:slotUsed-4], castagnoli) || serial <= w.serial {
		return
	}
	rest := data[len(slotMagic)+8:]
	w.serial, w.use = serial, use(rest[0])
	w.now, w.next = readTestimony(rest[1:]), readTestimony(rest[29:])
}

func readTestimony(b []byte) testimony {
	return testimony{
		file: binary.BigEndian.Uint64(b), history: binary.BigEndian.Uint64(b[8:]),
		offset: int64(binary.BigEndian.Uint64(b[16:])), chain: binary.BigEndian.Uint32(b[24:]),
	}
}

func (t testimony) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, t.file)
	b = binary.BigEndian.AppendUint64(b, t.history)
	b = binary.BigEndian.AppendUint64(b, uint64(t.offset))
	return binary.BigEndian.AppendUint32(b, t.chain)
}

// of reports whether the testimony is about a place of a journal.
func (t testimony) of(pos journal.Position) bool {
	return t.file == pos.ID && t.offset == pos.Offset && t.chain == pos.Chain
}

// at is the testimony that a journal was seen up to a place.
func at(pos journal.Position, history uint64) testimony {
	return testimony{file: pos.ID, history: history, offset: pos.Offset, chain: pos.Chain}
}

// write writes the slot whose turn it is. The system may keep it to itself for a
// while.
func (w *witness) write() error {
	w.serial++
	b := make([]byte, 0, slotUsed)
	b = append(b, slotMagic...)
	b = binary.BigEndian.AppendUint64(b, w.serial)
	b = append(b, byte(w.use))
	b = w.next.append(w.now.append(b))
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	_, err := w.disk.WriteAt(b, int64(w.serial%2)*slotBytes)
	return err
}

// keep writes the witness and makes it durable.
func (w *witness) keep() error {
	if err := w.write(); err != nil {
		return err
	}
	return w.disk.Sync()
}

// begin takes a journal into use.
func (w *witness) begin(policy Durability, t testimony) error {
	w.use, w.now, w.next = useLoose, t, testimony{}
	if policy == SyncAlways {
		w.use = useStrict
	}
	return w.keep()
}

// saw notes that readers may see the journal up to a place that is durable. It
// need not be durable itself, and may fail: what was noted before stays true.
func (w *witness) saw(pos journal.Position) {
	if w.use != useStrict {
		return // nothing that is said before Close counts
	}
	w.now = at(pos, w.now.history)
	_ = w.write()
}

// expect makes known that another journal takes the place of this one.
func (w *witness) expect(t testimony) error {
	w.next = t
	if w.use != useStrict {
		return nil
	}
	return w.keep()
}

// replaced notes that the expected journal is in place.
func (w *witness) replaced() { w.now, w.next = w.next, testimony{} }

// close notes that the journal ends at a place.
func (w *witness) close(pos journal.Position) error {
	w.use, w.now, w.next = useClosed, at(pos, w.now.history), testimony{}
	return w.keep()
}

// hearing compares a journal that is being read with what the witness says.
type hearing struct {
	use       use
	now, next testimony
	known     *testimony // that the journal has come to
	end       bool       // the journal ends there
}

func (w *witness) hearing() hearing { return hearing{use: w.use, now: w.now, next: w.next} }

// pass hears that the whole transactions of a journal reach a place.
func (h *hearing) pass(pos journal.Position) {
	h.end = false
	for _, t := range []*testimony{&h.now, &h.next} {
		if t.of(pos) {
			h.known, h.end = t, true
		}
	}
}

// history is the one that goes on with the journal, if any does.
func (h *hearing) history() (number uint64, ok bool) {
	switch {
	case h.known == nil:
		return 0, false
	case h.use == useStrict, h.use == useClosed && h.end:
		return h.known.history, true
	}
	return 0, false
}
