package filestore

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Shelf is a Backend that can also list the files of a container, and remove a folder of
// them. Blocks and lists of block-blob clients need one; without it they are answered with
// 501 NotImplemented.
type Shelf interface {
	Backend
	// List yields the files of a container, in byte order of their names or another order
	// in which those with a prefix in common are adjacent. What is not there has none.
	List(ctx context.Context, containerID string, of Listing) iter.Seq2[Entry, error]
	// RemoveFolder removes the files whose names begin with that of a folder and a slash.
	// Removing what is not there is no error.
	RemoveFolder(ctx context.Context, containerID, folder string) error
}

// Listing is which files of a container are listed.
type Listing struct {
	Prefix string // with which names begin
	After  string // behind which names come; empty for all
	// Level lists folders instead of what is below them, where the folder too begins with
	// the Prefix.
	Level bool
}

// Entry is a file in a list, or with Listing.Level a folder, whose Name ends in a slash and
// of which nothing else is known.
type Entry struct {
	Name     string
	Size     int64
	Modified time.Time
	ETag     string // as that of a File
	Mark     string // as that of a File; empty where only Open knows it
}

// Marking is a Backend that gives each file a mark, and no two files that one name ever has the
// same. What is kept of a file besides its bytes is found by it. Metadata and the blocks of
// files are kept on one that is a Shelf too.
type Marking interface {
	Backend
	// Mark returns the mark that the file of a draft will have, once the draft is closed:
	// letters, digits, "-" and "_", 64 of them at most.
	Mark(d Draft) (string, error)
}

var (
	_ Shelf   = (*folder)(nil)
	_ Marking = (*folder)(nil)
)

// Mark is when the file was modified: a folder has no two files of one moment.
func (f *folder) Mark(d Draft) (string, error) {
	draft, ok := d.(*folderDraft)
	if !ok || draft.modified.IsZero() {
		return "", errors.New("filestore: the draft is not closed, or not of this folder")
	}
	return markOf(draft.modified), nil
}

func markOf(modified time.Time) string { return strconv.FormatInt(modified.UnixNano(), 10) }

// List lists in byte order of names.
func (f *folder) List(ctx context.Context, containerID string, of Listing) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		top, _ := path.Split(of.Prefix)
		if name := strings.TrimSuffix(top, "/"); top != "" && (name == "." || !fs.ValidPath(name)) {
			return // no file has such a name
		}
		f.list(ctx, containerID, top, of, yield)
	}
}

// list lists what is in a folder, whose name is empty or ends in a slash, and reports
// whether more is wanted.
func (f *folder) list(ctx context.Context, containerID, top string, of Listing, yield func(Entry, error) bool) bool {
	if err := ctx.Err(); err != nil {
		return yield(Entry{}, err)
	}
	found, err := fs.ReadDir(f.root.FS(), fileIn(containerID, top))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return true
	}
	if err != nil {
		yield(Entry{}, backendError(err))
		return false
	}
	byName := make(map[string]fs.DirEntry, len(found))
	names := make([]string, 0, len(found))
	for _, d := range found {
		name := top + d.Name()
		if d.IsDir() {
			name += "/" // by which the folder has its place among the files
		}
		names = append(names, name)
		byName[name] = d
	}
	slices.Sort(names)
	for _, name := range names {
		more := true
		if strings.HasSuffix(name, "/") {
			more = f.listFolder(ctx, containerID, name, of, yield)
		} else if strings.HasPrefix(name, of.Prefix) && name > of.After && !isPart(path.Base(name)) {
			more = yieldFile(name, byName[name], yield)
		}
		if !more {
			return false
		}
	}
	return true
}

// listFolder lists a folder within another, or what is in it.
func (f *folder) listFolder(ctx context.Context, containerID, name string, of Listing,
	yield func(Entry, error) bool,
) bool {
	within := strings.HasPrefix(name, of.Prefix)
	switch {
	case !within && !strings.HasPrefix(of.Prefix, name):
		return true
	case within && of.Level:
		return name <= of.After || yield(Entry{Name: name}, nil)
	case name < of.After && !strings.HasPrefix(of.After, name):
		return true // all of it comes before
	}
	return f.list(ctx, containerID, name, of, yield)
}

// yieldFile yields a file, unless it was removed meanwhile.
func yieldFile(name string, d fs.DirEntry, yield func(Entry, error) bool) bool {
	info, err := d.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true
	case err != nil:
		yield(Entry{}, err)
		return false
	}
	return yield(Entry{Name: name, Size: info.Size(), Modified: info.ModTime(), Mark: markOf(info.ModTime())}, nil)
}

func (f *folder) RemoveFolder(_ context.Context, containerID, name string) error {
	return f.removeWhole(fileIn(containerID, name))
}

// removeWhole removes a folder. Renamed, all of it is gone at once, whenever this process
// ends.
func (f *folder) removeWhole(name string) error {
	gone := removedPrefix + rand.Text()
	err := f.root.Rename(name, gone)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = f.sync(path.Dir(name))
	}
	if err == nil {
		err = f.root.RemoveAll(gone)
	}
	f.prune(path.Dir(name))
	return err
}
