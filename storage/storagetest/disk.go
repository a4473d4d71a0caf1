package storagetest

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
)

// Disk is a simulated disk that knows which bytes and names would survive a loss of power
// at this moment. It can be made to fail, and it shows every state that a crash may
// leave. It is safe for concurrent use.
//
// The engines of this module touch a disk through its methods alone. An engine of another
// make wraps them.
type Disk struct {
	mu     sync.Mutex
	names  map[string]*inode // as a running program sees them
	synced map[string]*inode // as they would be after a loss of power
	moves  []move            // changes of names since the last SyncDir
	calls  int
	limit  int64 // bytes that fit on the disk; 0 for no limit

	// gate is called before a call happens, and may hold it up.
	gate func(Call)
	// fail decides about a call before it happens.
	fail func(Call) Verdict
	// after is called with every call that changed something.
	after func(Call)
}

// Call is one call that touches the disk.
type Call struct {
	Index int    // counted from 0
	Op    string // open, create, rename, remove, list, syncdir, stat, read, write, truncate, reserve, sync
	Name  string
}

// Verdict is what happens to a call.
type Verdict struct {
	Err   error // the error it returns; nil lets it succeed
	Short bool  // a failing write leaves the first half of its bytes behind
	Done  bool  // a failing write leaves all of its bytes behind
}

// inode is a file, whatever its names.
type inode struct {
	data    []byte // as a running program sees it
	synced  []byte // as it would be after a loss of power
	pending []edit // changes since the last Sync
	locked  bool   // by one of its handles
}

// edit is one change of a file: bytes written at an offset, or a new length.
type edit struct {
	at    int64
	bytes []byte
	cut   bool
}

// move is one change of names; from is empty for a creation, to for a removal.
type move struct {
	from, to string
	file     *inode
}

var _ disk.FS = (*Disk)(nil)

// NewDisk returns an empty disk.
func NewDisk() *Disk {
	return &Disk{names: map[string]*inode{}, synced: map[string]*inode{}}
}

// Fail makes decide judge every call from now on; nil lets all succeed.
func (d *Disk) Fail(decide func(Call) Verdict) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = decide
}

// Gate makes wait be called before every call from now on; it may hold the call
// up.
func (d *Disk) Gate(wait func(Call)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gate = wait
}

// Limit sets the size of the disk in bytes: writes that need more fail with
// ENOSPC.
func (d *Disk) Limit(size int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = size
}

// fits reports whether a file may grow by some bytes. The caller holds mu.
func (d *Disk) fits(grow int64) bool {
	if d.limit == 0 {
		return true
	}
	for _, f := range d.names {
		grow += int64(len(f.data))
	}
	return grow <= d.limit
}

// hold lets the gate hold a call up. The caller does not hold mu.
func (d *Disk) hold(op, name string) {
	d.mu.Lock()
	gate := d.gate
	d.mu.Unlock()
	if gate != nil {
		gate(Call{Op: op, Name: name})
	}
}

// call counts and judges a call. The caller holds mu.
func (d *Disk) call(op, name string) (Call, Verdict) {
	c := Call{Index: d.calls, Op: op, Name: name}
	d.calls++
	if d.fail == nil {
		return c, Verdict{}
	}
	verdict := d.fail(c)
	if verdict.Err != nil {
		verdict.Err = &fs.PathError{Op: op, Path: name, Err: verdict.Err}
	}
	return c, verdict
}

// changed reports a call to the listener. The caller does not hold mu.
func (d *Disk) changed(c Call) {
	if d.after != nil {
		d.after(c)
	}
}

// File is an open file of a Disk.
type File = disk.File

// Open implements the engines' file system.
func (d *Disk) Open(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, verdict := d.call("open", name); verdict.Err != nil {
		return nil, verdict.Err
	}
	file, ok := d.names[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &handle{disk: d, file: file, name: name}, nil
}

// OpenToRead implements the engines' file system.
func (d *Disk) OpenToRead(name string) (File, error) { return d.Open(name) }

// List implements the engines' file system.
func (d *Disk) List(prefix string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, verdict := d.call("list", prefix); verdict.Err != nil {
		return nil, verdict.Err
	}
	var names []string
	for name := range d.names {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Create implements the engines' file system.
func (d *Disk) Create(name string) (File, error) {
	file := new(inode)
	err := d.rename(Call{Op: "create", Name: name}, func() (move, error) {
		if old, ok := d.names[name]; ok {
			file = old
			return move{}, nil
		}
		return move{to: name, file: file}, nil
	})
	if err != nil {
		return nil, err
	}
	h := &handle{disk: d, file: file, name: name}
	if len(file.data) > 0 {
		return h, h.Truncate(0)
	}
	return h, nil
}

// Rename implements the engines' file system.
func (d *Disk) Rename(from, to string) error {
	return d.rename(Call{Op: "rename", Name: from}, func() (move, error) {
		file, ok := d.names[from]
		if !ok {
			return move{}, &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
		}
		return move{from: from, to: to, file: file}, nil
	})
}

// Remove implements the engines' file system.
func (d *Disk) Remove(name string) error {
	return d.rename(Call{Op: "remove", Name: name}, func() (move, error) {
		if _, ok := d.names[name]; !ok {
			return move{}, &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
		}
		return move{from: name}, nil
	})
}

// rename makes a change of names.
func (d *Disk) rename(c Call, plan func() (move, error)) error {
	d.mu.Lock()
	c, verdict := d.call(c.Op, c.Name)
	if verdict.Err != nil {
		d.mu.Unlock()
		return verdict.Err
	}
	m, err := plan()
	if err == nil && m != (move{}) {
		m.apply(d.names)
		d.moves = append(d.moves, m)
	}
	d.mu.Unlock()
	d.changed(c)
	return err
}

func (m move) apply(names map[string]*inode) {
	delete(names, m.from)
	if m.to != "" {
		names[m.to] = m.file
	}
}

// SyncDir implements the engines' file system.
func (d *Disk) SyncDir(dir string) error {
	d.mu.Lock()
	c, verdict := d.call("syncdir", dir)
	if verdict.Err != nil {
		d.mu.Unlock()
		return verdict.Err
	}
	rest := d.moves[:0:0]
	for _, m := range d.moves {
		if path.Dir(m.from) == dir || path.Dir(m.to) == dir {
			m.apply(d.synced)
		} else {
			rest = append(rest, m)
		}
	}
	d.moves = rest
	d.mu.Unlock()
	d.changed(c)
	return nil
}

// Lock implements the engines' file system.
func (d *Disk) Lock(name string) (File, error) {
	f, err := d.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = d.Create(name)
	}
	if err != nil {
		return nil, err
	}
	if err := f.Lock(); err != nil {
		return nil, err
	}
	return f, nil
}

// Names implements the engines' file system.
func (d *Disk) Names(name string, f disk.File) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, verdict := d.call("stat", name); verdict.Err != nil {
		return false, verdict.Err
	}
	h, ok := f.(*handle)
	return ok && d.names[name] == h.file, nil
}
