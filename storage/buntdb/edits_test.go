package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

const (
	dataFile = "/test.db"
	lockFile = dataFile + ".lock"
)

// edited is a store or a backup that edits are tried on.
type edited struct {
	data, lock []byte // the lock is nil where there is none
	backup     bool
	loose      bool // in which a marker records that the transaction before is on the disk
	vouched    bool // the lock file records all
	share      int  // one in so many edits are tried on it

	transactions []transaction
	states       []map[string]string // after so many transactions
}

// transaction is the position of a transaction in the file.
type transaction struct {
	start, end int
	records    []change
}

type change struct {
	key, value string
	delete     bool
}

// bytesOf are the commands of transaction n, counted from 0, and its marker.
func (e *edited) bytesOf(n int) []byte {
	return e.data[e.transactions[n].start:e.transactions[n].end]
}

// marker is that of transaction n.
func (e *edited) marker(n int) []byte {
	end := e.transactions[n].end
	return e.data[end-journal.MarkerBytes : end]
}

// newEdited takes a file apart.
func newEdited(t *testing.T, data, lock []byte) *edited {
	t.Helper()
	e := &edited{data: data, lock: lock, states: []map[string]string{{}}}
	r, err := journal.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	e.backup = r.Position().Kind == journal.Backup
	for {
		start := int(r.Position().Offset)
		records, err := r.Next()
		if errors.Is(err, io.EOF) {
			return e
		}
		if err != nil {
			t.Fatal(err)
		}
		tx := transaction{start: start, end: int(r.Position().Offset)}
		for _, rec := range records {
			tx.records = append(tx.records, change{string(rec.Key), string(rec.Value), rec.Delete})
		}
		e.transactions = append(e.transactions, tx)
		e.states = append(e.states, e.with(maps.Clone(e.states[len(e.states)-1]), tx))
	}
}

// with is a state after a transaction.
func (e *edited) with(state map[string]string, tx transaction) map[string]string {
	for _, c := range tx.records {
		if c.delete {
			delete(state, c.key)
		} else {
			state[c.key] = c.value
		}
	}
	return state
}

func (e *edited) final() map[string]string { return e.states[len(e.states)-1] }

// world writes transactions as unequal as those of people, of values up to a size.
func world(t *testing.T, s storage.Store, random *rand.Rand, transactions, large int) {
	t.Helper()
	names := []string{"Brücke Nord", "Pier 7", "überbau", "AB-07/c", "$64\r\n", "\x00tx", "*3\r\n$3\r\nset\r\n$3\r\n\x00tx\r\n$64\r\n"}
	for n := range transactions {
		update(t, s, func(w storage.Writer) error {
			err := w.Put("revision", fmt.Appendf(nil, "%d at %d", n, random.Uint32()))
			for range random.IntN(6) {
				name := names[random.IntN(len(names))]
				key := fmt.Sprintf("%s %d", name, random.IntN(12))
				if random.IntN(4) == 0 {
					err = errors.Join(err, w.Delete(key))
					continue
				}
				size := random.IntN(60)
				if random.IntN(10) == 0 {
					size = random.IntN(large)
				}
				value := []byte(strings.Repeat(name, size/len(name)+1) + fmt.Sprint(random.Uint32()))
				err = errors.Join(err, w.Put(key, value))
			}
			return err
		})
	}
}

// editedStores are stores of all policies, closed and killed, with their lock file and
// without, and backups. All that they hold was acknowledged.
func editedStores(t *testing.T, seed uint64) map[string]*edited {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 9))
	all := make(map[string]*edited)
	for name, policy := range map[string]buntdb.Durability{"strict": buntdb.SyncAlways, "loose": buntdb.SyncNever} {
		add := func(as string, data, lock []byte, vouched bool) {
			e := newEdited(t, data, lock)
			e.loose, e.vouched = policy != buntdb.SyncAlways, vouched
			all[as+name] = e
		}
		disk, opts := storagetest.NewDisk(), quiet
		opts.Durability, opts.ReserveBytes = policy, -1
		s, err := buntdb.OpenOn(disk, dataFile, opts)
		if err != nil {
			t.Fatal(err)
		}
		world(t, s, random, 8, 900)
		if err := storage.Compact(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		world(t, s, random, 14, 900)
		var backup bytes.Buffer
		if err := storage.Backup(t.Context(), s, &backup); err != nil {
			t.Fatal(err)
		}
		killed := disk.Files()
		closeStore(t, s)
		closed := disk.Files()
		add("killed, ", killed[dataFile], killed[lockFile], policy == buntdb.SyncAlways)
		add("closed, ", closed[dataFile], closed[lockFile], true)
		add("closed without its lock file, ", closed[dataFile], nil, false)
		add("a backup of ", backup.Bytes(), nil, false)
	}
	s := memory.New()
	defer closeStore(t, s)
	for range 30 {
		update(t, s, func(w storage.Writer) error {
			return w.Put(fmt.Sprintf("pieces/%08x", random.Uint32()), bytes.Repeat([]byte{byte(random.Uint32())}, random.IntN(4000)))
		})
	}
	world(t, s, random, 40, 9000)
	var large bytes.Buffer
	if err := storage.Backup(t.Context(), s, &large); err != nil {
		t.Fatal(err)
	}
	all["a large backup"] = newEdited(t, large.Bytes(), nil)
	all["a large backup"].share = 20
	return all
}

// edit changes a file in one of the ways in which copying, disks and people do.
func edit(random *rand.Rand, data []byte) (what string, out []byte) {
	data = bytes.Clone(data)
	if len(data) == 0 {
		return "nothing", data
	}
	at := random.IntN(len(data))
	size := 1 + random.IntN(min(len(data)-at, 1+len(data)/(1+random.IntN(40))))
	switch random.IntN(8) {
	case 0:
		data[at] ^= 1 << random.IntN(8)
		return fmt.Sprint("flip at ", at), data
	case 1:
		for i := range data[at : at+size] {
			data[at+i] = byte(random.Uint32())
		}
		return fmt.Sprintf("garbage at %d, %d bytes", at, size), data
	case 2:
		block := make([]byte, 1+random.IntN(size))
		for i := range block {
			block[i] = byte(random.Uint32())
		}
		return fmt.Sprintf("insert at %d, %d bytes", at, len(block)), slices.Insert(data, at, block...)
	case 3:
		return fmt.Sprintf("delete at %d, %d bytes", at, size), slices.Delete(data, at, at+size)
	case 4:
		to := random.IntN(len(data) + 1)
		return fmt.Sprintf("duplicate %d bytes from %d at %d", size, at, to), slices.Insert(data, to, bytes.Clone(data[at:at+size])...)
	case 5:
		other := random.IntN(len(data) - size + 1)
		first, second := min(at, other), max(at, other)
		if first+size > second {
			return "nothing", data
		}
		block := bytes.Clone(data[first : first+size])
		copy(data[first:], data[second:second+size])
		copy(data[second:], block)
		return fmt.Sprintf("swap %d bytes at %d and %d", size, first, second), data
	case 6:
		clear(data[at : at+size])
		return fmt.Sprintf("zero at %d, %d bytes", at, size), data
	default:
		return fmt.Sprint("cut at ", at), data[:at]
	}
}

// edits makes one edit or a few, of the file and where there is one of its lock file.
func (e *edited) edits(random *rand.Rand) (what string, data, lock []byte) {
	data, lock = e.data, e.lock
	for n := 1 + random.IntN(6)/4 + random.IntN(6)/5; n > 0; n-- {
		var one string
		if lock != nil && random.IntN(8) == 0 {
			one, lock = edit(random, lock)
			one += " of the lock file"
		} else {
			one, data = edit(random, data)
		}
		what += "; " + one
	}
	return what[2:], data, lock
}

func diskWith(data, lock []byte) *storagetest.Disk {
	disk := storagetest.NewDisk()
	disk.Put(dataFile, data)
	if lock != nil {
		disk.Put(lockFile, lock)
	}
	return disk
}

// try edits the files and says what is wrong with what becomes of them, if anything is.
func (e *edited) try(t *testing.T, random *rand.Rand) (opened bool, wrong string) {
	what, data, lock := e.edits(random)
	checked, checkErr := buntdb.CheckOn(diskWith(data, lock), dataFile)
	disk, opts := diskWith(data, lock), quiet
	opts.ReserveBytes, opts.Durability = -1, buntdb.Durability(random.IntN(3))
	before := disk.Files()
	s, err := buntdb.OpenOn(disk, dataFile, opts)
	var held map[string]string
	if err == nil {
		held = dump(t, s)
		closeStore(t, s)
		wrong = e.judge(data, lock, held, disk.Files())
	} else if after := disk.Files(); !maps.EqualFunc(before, after, bytes.Equal) {
		wrong = "a refused opening has changed the disk"
	}
	damage, _ := errors.AsType[*buntdb.DamageError](err)
	switch {
	case wrong != "":
	case err != nil && damage == nil:
		wrong = "no DamageError"
	case checkErr != nil || (checked.Damage == nil) != (err == nil) || damage != nil && *checked.Damage != *damage:
		wrong = fmt.Sprintf("Check says %+v, %v", checked, checkErr)
	case err == nil && (checked.Records != len(held)):
		wrong = fmt.Sprintf("Check says %d records, the store holds %d", checked.Records, len(held))
	case e.backup && (err == nil) != (storage.Restore(t.Context(), memory.New(), bytes.NewReader(data)) == nil):
		wrong = "Restore and Open disagree"
	default:
		wrong = e.repair(t, data, lock)
	}
	if wrong != "" {
		wrong = fmt.Sprintf("%s: %s (Open: %v)", what, wrong, err)
	}
	return err == nil, wrong
}

// judge reports what is wrong with a store that opened.
func (e *edited) judge(data, lock []byte, held map[string]string, files map[string][]byte) string {
	if !maps.Equal(held, e.final()) {
		if e.vouched && bytes.Equal(lock, e.lock) {
			return "records that were acknowledged are gone, though the lock file records them"
		}
		n := len(e.states) - 1
		for n >= 0 && !maps.Equal(e.states[n], held) {
			n--
		}
		if n < 0 {
			return "a state that never was"
		}
		for later := n; later < len(e.transactions); later++ {
			if e.shows(data, n, later) {
				return fmt.Sprintf("it shows the state after %d transactions, though transaction %d has left its marker", n, later+1)
			}
		}
	}
	if e.backup {
		return ""
	}
	for name, kept := range files {
		if strings.HasPrefix(name, dataFile+".cut-") && bytes.HasSuffix(data, kept) {
			data = data[:len(data)-len(kept)]
		}
	}
	if !bytes.HasPrefix(files[dataFile], data) {
		return "what was cut off is not kept"
	}
	return ""
}

// shows reports whether the marker of a transaction is there and shows that more was on
// the disk than n transactions: by being elsewhere than where it was written, or by what
// it knew to be on the disk.
func (e *edited) shows(data []byte, n, later int) bool {
	mark, tx := e.marker(later), e.transactions[later]
	at := bytes.LastIndex(data, mark)
	seal := len(tx.records) == 0
	return at >= 0 && (at != tx.end-len(mark) || later > n && (!e.loose || seal))
}

// repair reports what is wrong with the result of a repair.
func (e *edited) repair(t *testing.T, data, lock []byte) string {
	want := make(map[string]string)
	whole := 0
	for n, tx := range e.transactions {
		if bytes.Contains(data, e.bytesOf(n)) {
			whole++
			e.with(want, tx)
		}
	}
	disk := diskWith(data, lock)
	done, err := buntdb.RepairOn(disk, dataFile, "/repaired.db")
	if whole == 0 && done.Damage != nil && done.Damage.Offset < 0 {
		return "" // without a header and a marker it is taken for a file of buntdb itself
	}
	if err != nil {
		if _, damaged := errors.AsType[*buntdb.DamageError](err); !damaged || whole > 0 {
			return fmt.Sprintf("Repair = %v, though %d transactions are whole", err, whole)
		}
		return ""
	}
	if !bytes.Equal(disk.Files()[dataFile], data) || (disk.Files()[lockFile] == nil) != (lock == nil) {
		return "the repair has changed the file"
	}
	s, err := buntdb.OpenOn(disk, "/repaired.db", quiet)
	if err != nil {
		return fmt.Sprintf("the repaired file: %v", err)
	}
	defer closeStore(t, s)
	if got := dump(t, s); !maps.Equal(got, want) || done.Records != len(want) {
		return fmt.Sprintf("the repair keeps %d records, and says %d; %d are whole", len(got), done.Records, len(want))
	}
	return ""
}

// Whatever is done to the bytes of a store or of a backup: opening holds all that was
// acknowledged, or refuses and changes nothing; Check agrees; and Repair keeps every
// transaction whose bytes are whole. Only where neither the lock file nor a marker shows that
// there was more is it not known, and then what is cut off is kept.
func TestEditsNeverDestroy(t *testing.T) {
	t.Parallel()
	tries := storagetest.Scale(100_000)
	if testsize.Raced || testing.Short() {
		tries /= 10
	}
	stores := editedStores(t, 1)
	for name, e := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opened := 0
			each := tries / (len(stores) - 1) / max(e.share, 1)
			for n := range each {
				ok, wrong := e.try(t, rand.New(rand.NewPCG(uint64(n), 10)))
				if wrong != "" {
					t.Fatalf("edit %d of %d bytes: %s", n, len(e.data), wrong)
				}
				if ok {
					opened++
				}
			}
			t.Logf("%d edits of %d bytes in %d transactions, %d opened", each, len(e.data), len(e.transactions), opened)
		})
	}
}
