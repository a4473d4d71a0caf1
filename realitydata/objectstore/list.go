package objectstore

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// List implements filestore.Shelf, in the order of the objects. It takes one request for each
// thousand files, or files and folders.
func (b *Bucket) List(ctx context.Context, containerID string, of filestore.Listing) iter.Seq2[filestore.Entry, error] {
	folder, after := b.folder(containerID), ""
	if of.After != "" {
		after = folder + escape(of.After)
	}
	return func(yield func(filestore.Entry, error) bool) {
		for o, err := range ordered(b.objects(ctx, folder+escape(of.Prefix), after, !of.Level)) {
			if err != nil {
				yield(filestore.Entry{}, err)
				return
			}
			// One that is not behind is the folder whose files come behind its name.
			if e, ok := entry(o, folder); ok && o.Key > after && !yield(e, nil) {
				return
			}
		}
	}
}

// entry is the file or the folder that an object or a prefix of a container stands for.
func entry(o minio.ObjectInfo, folder string) (e filestore.Entry, ok bool) {
	if e.Name, ok = unescape(strings.TrimPrefix(o.Key, folder)); !ok || strings.HasSuffix(e.Name, "/") {
		return e, ok
	}
	e.Size, e.Modified = o.Size, o.LastModified
	if o.ETag != "" {
		e.ETag = `"` + o.ETag + `"`
	}
	return e, true
}

// ordered yields by key what a list has in pages, each of which has its objects before its
// folders.
func ordered(objects iter.Seq2[minio.ObjectInfo, error]) iter.Seq2[minio.ObjectInfo, error] {
	return func(yield func(minio.ObjectInfo, error) bool) {
		w := waiting{yield: yield}
		for o, err := range objects {
			if err != nil {
				yield(o, err)
				return
			}
			if !w.take(o) {
				return
			}
		}
		w.flush()
	}
}

// waiting is what has come of a page, and objects of those before it.
type waiting struct {
	yield   func(minio.ObjectInfo, error) bool
	come    []minio.ObjectInfo
	folders bool // there are some among them
}

// take takes what comes next, and reports whether more is wanted.
func (w *waiting) take(o minio.ObjectInfo) bool {
	folder := strings.HasSuffix(o.Key, "/")
	if w.folders && !folder && !w.flush() {
		return false
	}
	w.come, w.folders = append(w.come, o), w.folders || folder
	if len(w.come) <= page || w.folders {
		return true
	}
	first := w.come[0] // of a page that has ended
	w.come = w.come[1:]
	return w.yield(first, nil)
}

// flush yields what waits.
func (w *waiting) flush() bool {
	slices.SortFunc(w.come, func(a, b minio.ObjectInfo) int { return strings.Compare(a.Key, b.Key) })
	for _, o := range w.come {
		if !w.yield(o, nil) {
			return false
		}
	}
	w.come, w.folders = w.come[:0], false
	return true
}

// RemoveFolder implements filestore.Shelf. It takes two requests for each thousand files.
func (b *Bucket) RemoveFolder(ctx context.Context, containerID, folder string) error {
	return b.removeBelow(ctx, b.folder(containerID)+escape(folder)+"/", time.Now())
}
