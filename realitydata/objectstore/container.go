package objectstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// page is how many objects are listed or removed by one request.
const page = 1_000

// objects yields the objects with a prefix, or what is one level below it, in pages and behind
// a key, if there is one.
func (b *Bucket) objects(ctx context.Context, prefix, after string, all bool) iter.Seq2[minio.ObjectInfo, error] {
	return func(yield func(minio.ObjectInfo, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		watch := time.AfterFunc(b.cfg.Patience, stop) // of one page
		defer watch.Stop()
		for o := range b.core.ListObjectsIter(ctx, b.cfg.Bucket,
			minio.ListObjectsOptions{Prefix: prefix, StartAfter: after, Recursive: all, MaxKeys: page}) {
			watch.Stop()
			if o.Err != nil {
				yield(o, b.failure(o.Err))
				return
			}
			if !yield(o, nil) {
				return
			}
			watch.Reset(b.cfg.Patience)
		}
		if err := ctx.Err(); err != nil {
			yield(minio.ObjectInfo{}, b.failure(err)) // with which the list just ends
		}
	}
}

// Measure implements filestore.Backend. It takes one request for each thousand files.
func (b *Bucket) Measure(ctx context.Context, containerID string) (bytes, files int64, err error) {
	for o, err := range b.objects(ctx, b.folder(containerID), "", true) {
		if err != nil {
			return 0, 0, err
		}
		bytes += o.Size
		files++
	}
	return bytes, files, nil
}

// Containers implements filestore.Backend.
func (b *Bucket) Containers(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for o, err := range b.objects(ctx, b.cfg.Prefix+containerPrefix, "", false) {
			if err != nil {
				yield("", err)
				return
			}
			if id, ok := containerOf(strings.TrimPrefix(o.Key, b.cfg.Prefix)); ok && !yield(id, nil) {
				return
			}
		}
	}
}

// afterwards is how much later than the beginning of a removal an object must have come
// to be left alone: clocks of object stores are read to the second.
const afterwards = 2 * time.Second

// RemoveAll implements filestore.Backend. It takes two requests for each thousand files.
// What is being sent is aborted first, so that nothing of it appears behind the list. An
// object that has come since is another's: a second node may have finished a removal that
// a crash cut off, and the container be in use again.
func (b *Bucket) RemoveAll(ctx context.Context, containerID string) error {
	began, folder := time.Now(), b.folder(containerID)
	if err := b.abort(ctx, folder, began); err != nil {
		return err
	}
	return b.removeBelow(ctx, folder, began)
}

// removeBelow removes the objects with a prefix that were there at a moment.
func (b *Bucket) removeBelow(ctx context.Context, prefix string, began time.Time) error {
	ours := b.at(began).Add(afterwards)
	var keys []minio.ObjectInfo
	for o, err := range b.objects(ctx, prefix, "", true) {
		if err != nil {
			return err
		}
		if o.LastModified.After(ours) {
			continue
		}
		if keys = append(keys, minio.ObjectInfo{Key: o.Key}); len(keys) == page {
			if err := b.remove(ctx, keys); err != nil {
				return err
			}
			keys = keys[:0]
		}
	}
	return b.remove(ctx, keys)
}

// remove removes objects by one request.
func (b *Bucket) remove(ctx context.Context, keys []minio.ObjectInfo) error {
	if len(keys) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	results, err := b.core.RemoveObjectsWithIter(ctx, b.cfg.Bucket, slices.Values(keys), minio.RemoveObjectsOptions{})
	if err != nil {
		return b.failure(err)
	}
	removed := 0
	for r := range results {
		if r.Err != nil && !isMissing(r.Err) {
			return b.failure(r.Err)
		}
		removed++
	}
	if removed < len(keys) {
		return errUnavailable.Because(fmt.Errorf("the object store removed %d objects of %d", removed, len(keys)))
	}
	return nil
}

// Sweep implements filestore.Shared. An upload is abandoned when twice the time
// that one may take has passed.
func (b *Bucket) Sweep(ctx context.Context, longest time.Duration) error {
	return b.abort(ctx, b.cfg.Prefix+containerPrefix, time.Now().Add(-2*longest-time.Hour))
}

// abort aborts multipart uploads of objects with a prefix that were begun before a time.
func (b *Bucket) abort(ctx context.Context, prefix string, before time.Time) error {
	for key, id := "", ""; ; {
		uploads, err := b.uploads(ctx, prefix, key, id)
		if res, ok := errors.AsType[minio.ErrorResponse](err); ok && res.Code == minio.NoSuchUpload {
			return nil // as some say that there are none
		}
		if err != nil {
			return b.failure(err)
		}
		last := b.at(before).Add(afterwards)
		for _, u := range uploads.Uploads {
			if strings.HasPrefix(u.Key, prefix) && !u.Initiated.After(last) {
				if err := b.abortOne(ctx, u); err != nil {
					return err
				}
			}
		}
		if !uploads.IsTruncated || uploads.NextKeyMarker == key && uploads.NextUploadIDMarker == id {
			return nil
		}
		key, id = uploads.NextKeyMarker, uploads.NextUploadIDMarker
	}
}

// uploads lists a page of multipart uploads.
func (b *Bucket) uploads(ctx context.Context, prefix, key, id string) (minio.ListMultipartUploadsResult, error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	return b.core.ListMultipartUploads(ctx, b.cfg.Bucket, prefix, key, id, "", page)
}

func (b *Bucket) abortOne(ctx context.Context, u minio.ObjectMultipartInfo) error {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	err := b.core.AbortMultipartUpload(ctx, b.cfg.Bucket, u.Key, u.UploadID)
	if res, ok := errors.AsType[minio.ErrorResponse](err); ok && res.Code == minio.NoSuchUpload {
		return nil // another process was faster
	}
	return b.failure(err)
}
