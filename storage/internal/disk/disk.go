// Package disk is the few calls through which the file store touches a disk,
// so that tests can put a disk there that fails, fills up or loses power.
package disk

import "io"

// FS is a file system. Names are paths of the operating system.
type FS interface {
	// Open opens a file that exists for reading and writing, or fails with
	// fs.ErrNotExist.
	Open(name string) (File, error)
	// OpenToRead opens a file that exists for reading alone, or fails with
	// fs.ErrNotExist, and with ErrLocked where a file cannot be read that another process has
	// locked.
	OpenToRead(name string) (File, error)
	// List returns, in order, the names that begin with a prefix. It looks only into the
	// folder that the prefix names.
	List(prefix string) ([]string, error)
	// Create opens a file for reading and writing, empty, and readable by its
	// owner alone.
	Create(name string) (File, error)
	// Rename replaces one name by another in one step.
	Rename(from, to string) error
	// Remove removes a name.
	Remove(name string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(dir string) error
	// Lock takes a lock on a file that it creates when missing, and opens it. It
	// fails with ErrLocked while another process holds it; the lock ends with the
	// file's Close and with the process.
	Lock(name string) (File, error)
	// Names reports whether a name stands for an open file of this file system.
	Names(name string, f File) (bool, error)
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Size returns the length in bytes.
	Size() (int64, error)
	// Truncate sets the length in bytes.
	Truncate(size int64) error
	// Reserve takes so many bytes of the disk for the file.
	Reserve(size int64) error
	// Sync makes everything written durable.
	Sync() error
	// Lock keeps everybody else from locking the file, under whatever name, until
	// it is closed, or fails with ErrLocked. It does nothing on systems that lock
	// by name alone.
	Lock() error
}
