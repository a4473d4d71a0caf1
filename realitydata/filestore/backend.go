package filestore

import (
	"context"
	"io"
	"iter"
	"time"
)

// Backend keeps the files of containers for a [Store], which says who may do what with
// them, how many there may be and how fast clients must be. A folder is one, by Open;
// package objectstore has another.
//
// Ids of containers are any text. Names of files are relative paths with slashes, clean,
// in UTF-8, of at most 1,024 bytes and 32 folders. Two containers never share a file,
// whatever their ids and names are.
//
// Errors are answered to clients by their kind: fs.ErrNotExist for a file that is not
// there, fs.ErrExist where another is in the way, fs.ErrInvalid for a name that cannot be
// kept, a *twinplatform.Error unchanged, and anything else as an internal one.
type Backend interface {
	// Create begins a file, of which nothing is visible before its Commit. The
	// context ends the writing of it.
	Create(ctx context.Context, containerID, name string) (Draft, error)
	// Open opens a file for reading, as it is now.
	Open(ctx context.Context, containerID, name string) (File, error)
	// Size returns the number of bytes of a file, and whether there is one.
	Size(ctx context.Context, containerID, name string) (bytes int64, ok bool, err error)
	// Remove removes a file.
	Remove(ctx context.Context, containerID, name string) error
	// RemoveAll removes a container with all that is in it, also what is cut off by a
	// crash and begun again. Removing what is not there is no error.
	RemoveAll(ctx context.Context, containerID string) error
	// Measure counts the bytes and the files of a container; one that is not there
	// has none.
	Measure(ctx context.Context, containerID string) (bytes, files int64, err error)
	// Containers yields the ids of all containers that have files.
	Containers(ctx context.Context) iter.Seq2[string, error]
}

// Draft is a file that is being written.
type Draft interface {
	// Close ends the writing, and does all that can be done before the file appears.
	io.WriteCloser
	// Commit makes the file appear, whole and to last, or in place of another. It is
	// called at most once, after Close.
	Commit(ctx context.Context) error
	// Discard forgets what was not committed. It is called in the end, always.
	Discard()
}

// File is a file that is being read.
type File struct {
	Content  io.ReadSeekCloser
	Modified time.Time
	ETag     string // with its quotes; empty when there is none
	Mark     string // of a Marking backend
}

// Shared is a Backend that several Stores use at once, such as those of the nodes behind
// one address. A Store then counts a container when it is first written to and again as
// time goes by, rather than everything at the start, and files of one container appear
// concurrently.
type Shared interface {
	Backend
	// Fresh is how long a Store believes what it has counted.
	Fresh() time.Duration
	// Sweep removes drafts that were begun longer ago than any client may take to
	// write one.
	Sweep(ctx context.Context, longest time.Duration) error
}

// Redirector is a Backend that clients can read from themselves.
type Redirector interface {
	// ReadURL returns an address at which one file can be read for a while, which is
	// answered to a GET with 307. Without one, the Store sends the file.
	ReadURL(ctx context.Context, containerID, name string) (url string, ok bool, err error)
}
