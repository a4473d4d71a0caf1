package buntdb

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// watermark is what the lock file records of the journal: which one it is, which history
// its content belongs to and its high-water mark, up to which readers may have seen it. A
// journal that the watermark does not know is another that was put in its place: it
// begins a new history. One that it knows and that holds less has lost what was seen: it
// is not opened.
//
// It is kept in two slots that are written alternately, each with a checksum, so that a
// write that is torn leaves the one before.
type watermark struct {
	disk   disk.File
	serial uint64 // of the last slot written

	use use
	now extent
	// next is the journal that is about to take the place of now.
	next extent
}

// use reports what may happen to a journal after the watermark was written.
type use byte

const (
	// useClosed: nothing; it was closed.
	useClosed use = iota + 1
	// useStrict: it grows, and readers see what is durable.
	useStrict
	// useLoose: it grows, and readers see what may not be durable.
	useLoose
)

// extent is what is known of one journal.
type extent struct {
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

// readWatermark reads the newer slot of a lock file that is whole; without one
// the watermark knows nothing.
func readWatermark(f io.ReaderAt) *watermark {
	w := new(watermark)
	for slot := range int64(2) {
		data := make([]byte, slotUsed)
		if n, _ := f.ReadAt(data, slot*slotBytes); n == slotUsed {
			w.read(data)
		}
	}
	return w
}

func (w *watermark) read(data []byte) {
	sum := binary.BigEndian.Uint32(data[slotUsed-4:])
	serial := binary.BigEndian.Uint64(data[len(slotMagic):])
	if string(data[:len(slotMagic)]) != slotMagic || sum != crc32.Checksum(data[:slotUsed-4], castagnoli) ||
		serial <= w.serial {
		return
	}
	rest := data[len(slotMagic)+8:]
	w.serial, w.use = serial, use(rest[0])
	w.now, w.next = readExtent(rest[1:]), readExtent(rest[29:])
}

func readExtent(b []byte) extent {
	return extent{
		file: binary.BigEndian.Uint64(b), history: binary.BigEndian.Uint64(b[8:]),
		offset: int64(binary.BigEndian.Uint64(b[16:])), chain: binary.BigEndian.Uint32(b[24:]),
	}
}

func (t extent) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, t.file)
	b = binary.BigEndian.AppendUint64(b, t.history)
	b = binary.BigEndian.AppendUint64(b, uint64(t.offset))
	return binary.BigEndian.AppendUint32(b, t.chain)
}

// endsAt reports whether the extent ends at a place of a journal.
func (t extent) endsAt(pos journal.Position) bool {
	return t.file == pos.ID && t.offset == pos.Offset && t.chain == pos.Chain
}

// extentTo is what is known of a journal that was seen up to a place.
func extentTo(pos journal.Position, history uint64) extent {
	return extent{file: pos.ID, history: history, offset: pos.Offset, chain: pos.Chain}
}

// write writes the next slot. The system may delay it.
func (w *watermark) write() error {
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

// flush writes the watermark and makes it durable.
func (w *watermark) flush() error {
	if err := w.write(); err != nil {
		return err
	}
	return w.disk.Sync()
}

// begin takes a journal into use.
func (w *watermark) begin(policy Durability, t extent) error {
	w.use, w.now, w.next = useLoose, t, extent{}
	if policy == SyncAlways {
		w.use = useStrict
	}
	return w.flush()
}

// advance notes that readers may see the journal up to a place that is durable. It
// need not be durable itself, and may fail: what was noted before stays true.
func (w *watermark) advance(pos journal.Position) {
	if w.use != useStrict {
		return // nothing recorded before Close counts
	}
	w.now = extentTo(pos, w.now.history)
	_ = w.write()
}

// announce makes known that another journal takes the place of this one.
func (w *watermark) announce(t extent) error {
	w.next = t
	if w.use != useStrict {
		return nil
	}
	return w.flush()
}

// switchOver notes that the announced journal is in place.
func (w *watermark) switchOver() { w.now, w.next = w.next, extent{} }

// close notes that the journal ends at a place.
func (w *watermark) close(pos journal.Position) error {
	w.use, w.now, w.next = useClosed, extentTo(pos, w.now.history), extent{}
	return w.flush()
}

// watermarkCheck compares a journal that is being read with what the watermark says.
type watermarkCheck struct {
	use       use
	now, next extent
	known     *extent // that the journal has come to
	end       bool    // the journal ends there
}

func (w *watermark) check() watermarkCheck {
	return watermarkCheck{use: w.use, now: w.now, next: w.next}
}

// reach records that the whole transactions of a journal reach a place.
func (c *watermarkCheck) reach(pos journal.Position) {
	c.end = false
	for _, t := range []*extent{&c.now, &c.next} {
		if t.endsAt(pos) {
			c.known, c.end = t, true
		}
	}
}

// missing reports what readers have seen of the journal that has been read, up to a place,
// and is not in it; it is empty when nothing is.
func (c *watermarkCheck) missing(pos journal.Position) string {
	for _, t := range []extent{c.now, c.next} {
		switch {
		case c.known != nil || t.file == 0 || t.file != pos.ID:
		case t.offset > pos.Offset:
			return fmt.Sprintf("its lock file says that %d bytes were acknowledged, and not all of them are there",
				t.offset)
		default:
			return fmt.Sprintf("its lock file says that other bytes were acknowledged than the first %d", t.offset)
		}
	}
	return ""
}

// holds reports whether the watermark records a journal with transactions.
func (w *watermark) holds() bool {
	return w.now.offset > int64(journal.HeaderBytes+journal.MarkerBytes)
}

// history is the one that continues the journal, if any does.
func (c *watermarkCheck) history() (number uint64, ok bool) {
	switch {
	case c.known == nil:
		return 0, false
	case c.use == useStrict, c.use == useClosed && c.end:
		return c.known.history, true
	}
	return 0, false
}
