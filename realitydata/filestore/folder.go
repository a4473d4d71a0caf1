package filestore

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// folder is a Backend in a folder of the file system, for one process at a time unless
// it is part of a sharedFolder.
type folder struct {
	root    *os.Root
	passing bool // the folder goes with Close

	last atomic.Int64 // when a file last appeared, in nanoseconds
}

var _ Backend = (*folder)(nil)

// Folders next to those of containers.
const (
	uploadsFolder = "uploads"  // what is being sent
	removedPrefix = "removed-" // what is being removed
)

// partPrefix begins the names of files that were being written, when they were still
// written next to those that they replaced. No other file has such a name, save a folderMark.
const partPrefix = ".part-"

func isPart(name string) bool { return strings.HasPrefix(name, partPrefix) && name != folderMark }

// openFolder opens a folder, which is made where it is missing, and removes what a dead
// process left in it.
func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{root: root}
	if err := f.recover(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

func (f *folder) recover() error {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if name == uploadsFolder {
			err = f.emptyUploads()
		} else if strings.HasPrefix(name, removedPrefix) {
			err = f.root.RemoveAll(name)
		} else if _, ok := containerIn(name); ok {
			err = f.removeParts(name)
		}
		if err != nil {
			return err
		}
	}
	if err := f.root.Mkdir(uploadsFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return f.sync(".")
}

// emptyUploads removes what was being sent. The folder stays: on a full disk there may be no
// room for another.
func (f *folder) emptyUploads() error {
	entries, err := fs.ReadDir(f.root.FS(), uploadsFolder)
	for _, e := range entries {
		if err == nil {
			err = f.root.RemoveAll(path.Join(uploadsFolder, e.Name()))
		}
	}
	return err
}

// removeParts removes what was cut off while it was written into a container.
func (f *folder) removeParts(container string) error {
	var parts []string
	err := fs.WalkDir(f.root.FS(), container, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isPart(path.Base(name)) {
			parts = append(parts, name)
		}
		return err
	})
	for _, name := range parts {
		if err == nil {
			err = f.root.Remove(name)
		}
	}
	return err
}

// Close releases the folder. Its files stay, except for those of a passing one.
func (f *folder) Close() error {
	err := f.root.Close()
	if f.passing {
		err = errors.Join(err, os.RemoveAll(f.root.Name()))
	}
	return err
}

// Space returns the free bytes of the file system, and all that it has.
func (f *folder) Space() (free, total int64, err error) { return space(f.root.Name()) }

// folderDraft is a file that is written next to the containers.
type folderDraft struct {
	*os.File

	folder     *folder
	part, name string
	modified   time.Time // once closed
}

func (f *folder) Create(_ context.Context, containerID, name string) (Draft, error) {
	part := path.Join(uploadsFolder, rand.Text())
	file, err := f.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, unavailable(err)
	}
	return &folderDraft{File: file, folder: f, part: part, name: fileIn(containerID, name)}, nil
}

// Close ends the writing, to last.
func (d *folderDraft) Close() error {
	moment := d.folder.moment()
	err := d.folder.root.Chtimes(d.part, moment, moment)
	if err == nil {
		var info fs.FileInfo
		if info, err = d.Stat(); err == nil {
			d.modified = info.ModTime() // as the file system keeps it
		}
	}
	return unavailable(errors.Join(err, d.Sync(), d.File.Close()))
}

// moment is the present, and no moment twice: what a file is known by.
func (f *folder) moment() time.Time {
	for {
		last := f.last.Load()
		now := max(time.Now().UnixNano(), last+1)
		if f.last.CompareAndSwap(last, now) {
			return time.Unix(0, now)
		}
	}
}

func (d *folderDraft) Commit(context.Context) error {
	dir := path.Dir(d.name)
	err := d.place(dir)
	for n := 0; n < prunings && errors.Is(err, fs.ErrNotExist); n++ {
		err = d.place(dir)
	}
	if err != nil {
		d.folder.prune(dir)
		return backendError(err)
	}
	return unavailable(d.folder.sync(dir))
}

// prunings is how often the folder of a file may be pruned, empty as it is, by a process
// that removes another file before this one is in it.
const prunings = 10

// place puts the file where it belongs.
func (d *folderDraft) place(dir string) error {
	err := d.folder.mkdirs(dir)
	if err == nil {
		err = d.folder.root.Rename(d.part, d.name)
	}
	return err
}

func (d *folderDraft) Discard() {
	_ = d.File.Close()               // again, unless writing failed
	_ = d.folder.root.Remove(d.part) // there only after a failure
}

func (f *folder) Open(_ context.Context, containerID, name string) (File, error) {
	file, err := f.root.Open(fileIn(containerID, name))
	if err != nil {
		return File{}, backendError(err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return File{}, errors.Join(err, file.Close())
	}
	return File{Content: file, Modified: info.ModTime(), Mark: markOf(info.ModTime())}, nil
}

func (f *folder) Size(_ context.Context, containerID, name string) (bytes int64, ok bool, err error) {
	name = fileIn(containerID, name)
	info, err := f.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, false, nil
	case err != nil:
		return 0, false, backendError(err)
	case info.IsDir():
		return 0, false, &os.PathError{Op: "stat", Path: name, Err: fs.ErrExist}
	}
	return info.Size(), true, nil
}

func (f *folder) Remove(_ context.Context, containerID, name string) error {
	name = fileIn(containerID, name)
	if err := f.root.Remove(name); err != nil {
		return backendError(err)
	}
	// A folder that is not there any more went with the last that was in it.
	if err := f.sync(path.Dir(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unavailable(err)
	}
	f.prune(path.Dir(name))
	return nil
}

func (f *folder) RemoveAll(_ context.Context, containerID string) error {
	return f.removeWhole(folderName(containerID))
}

// Measure counts without what was cut off.
func (f *folder) Measure(ctx context.Context, containerID string) (bytes, files int64, err error) {
	err = fs.WalkDir(f.root.FS(), folderName(containerID), func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed meanwhile
		}
		if err != nil || d.IsDir() || isPart(path.Base(name)) {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			bytes += info.Size()
			files++
			err = ctx.Err()
		}
		return err
	})
	return bytes, files, err
}

func (f *folder) Containers(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		entries, err := fs.ReadDir(f.root.FS(), ".")
		if err != nil {
			yield("", err)
			return
		}
		for _, e := range entries {
			if id, ok := containerIn(e.Name()); ok && !yield(id, nil) {
				return
			}
		}
	}
}

// backendError maps an error of the file system to one of a Backend.
func backendError(err error) error {
	switch {
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR):
		return errors.Join(fs.ErrExist, err)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return errors.Join(fs.ErrInvalid, err)
	}
	return err
}

// mkdirs makes a folder with those above it, to last.
func (f *folder) mkdirs(dir string) error {
	switch err := f.root.Mkdir(dir, 0o700); {
	case err == nil:
		return f.sync(path.Dir(dir))
	case errors.Is(err, fs.ErrExist):
		return nil
	case !errors.Is(err, fs.ErrNotExist) || dir == ".":
		return err
	}
	if err := f.mkdirs(path.Dir(dir)); err != nil {
		return err
	}
	return f.mkdirs(dir)
}

// prune removes folders that are empty, from the innermost outwards.
func (f *folder) prune(dir string) {
	for dir != "." && f.root.Remove(dir) == nil {
		dir = path.Dir(dir)
	}
}

// sync makes the names in a folder last.
func (f *folder) sync(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // which has no way to say it
	}
	file, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// fileIn is where a file of a container is.
func fileIn(containerID, name string) string { return path.Join(folderName(containerID), name) }
