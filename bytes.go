package twinplatform

import (
	"context"
	"io"
)

// ByteStore keeps bytes of any size outside the store, so that they take no memory: those
// of planner files, attachments, images and exports. *filestore.Store is one.
//
// A name is made by the service, of letters and digits, and belongs to one object forever.
// Errors that are a *twinplatform.Error, such as those of quotas, reach callers as they are.
type ByteStore interface {
	// WriteBytes writes all of content as an object of an account, and returns how many
	// bytes that are. No caller reads the object before it is there whole, and nothing of it
	// stays when writing fails. An error of content is returned as it is.
	WriteBytes(ctx context.Context, accountID, name string, content io.Reader) (size int64, err error)
	// OpenBytes opens an object for reading. It fails with fs.ErrNotExist where there is
	// none.
	OpenBytes(ctx context.Context, accountID, name string) (io.ReadSeekCloser, error)
	// RemoveBytes removes an object. Removing what is not there is no error.
	RemoveBytes(ctx context.Context, accountID, name string) error
}
