package objectstore

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// window is how much of an object is asked for at once, in bytes, so that little is asked
// for without success by who reads a piece of a large one.
const window = 8 << 20

// Open implements filestore.Backend.
func (b *Bucket) Open(ctx context.Context, containerID, name string) (filestore.File, error) {
	key, err := b.key(containerID, name)
	if err != nil {
		return filestore.File{}, err
	}
	info, err := b.stat(ctx, key)
	if err != nil {
		return filestore.File{}, b.failure(err)
	}
	c := &content{b: b, ctx: ctx, key: key, etag: info.ETag, size: info.Size}
	f := filestore.File{Content: c, Modified: info.LastModified, Mark: markOf(info)}
	if info.ETag != "" {
		f.ETag = `"` + info.ETag + `"`
	}
	return f, nil
}

// content reads an object as it was when it was opened, or fails once there is another in
// its place.
type content struct {
	b         *Bucket
	ctx       context.Context // of the request that reads it
	key, etag string
	size, pos int64

	body  io.ReadCloser // from pos on; nil until it is read
	left  int64         // of body
	stop  context.CancelFunc
	watch *time.Timer
}

func (c *content) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += c.pos
	case io.SeekEnd:
		offset += c.size
	}
	if offset < 0 {
		return c.pos, errors.New("objectstore: a position before the beginning")
	}
	if offset != c.pos {
		_ = c.Close()
	}
	c.pos = offset
	return offset, nil
}

func (c *content) Read(p []byte) (n int, err error) {
	if c.pos >= c.size {
		return 0, io.EOF
	}
	if c.body == nil {
		if err := c.open(); err != nil {
			return 0, c.b.failure(err)
		}
	}
	c.watch.Reset(c.b.cfg.Patience)
	n, err = c.body.Read(p[:min(int64(len(p)), c.left)])
	c.watch.Stop()
	c.pos += int64(n)
	c.left -= int64(n)
	switch {
	case c.left == 0:
		_ = c.Close()
	case errors.Is(err, io.EOF):
		return n, c.b.failure(io.ErrUnexpectedEOF)
	case err != nil:
		return n, c.b.failure(err)
	}
	return n, nil
}

// open asks for what comes at the position, and stops when that takes too long.
func (c *content) open() error {
	c.left = min(window, c.size-c.pos)
	var as minio.GetObjectOptions
	err := as.SetRange(c.pos, c.pos+c.left-1)
	if err == nil && c.etag != "" {
		err = as.SetMatchETag(c.etag)
	}
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.ctx)
	c.stop, c.watch = stop, time.AfterFunc(c.b.cfg.Patience, stop)
	c.body, _, _, err = c.b.core.GetObject(ctx, c.b.cfg.Bucket, c.key, as)
	if err != nil {
		c.body = nil
		c.watch.Stop()
		stop()
	}
	return err
}

func (c *content) Close() error {
	if c.body == nil {
		return nil
	}
	c.watch.Stop()
	err := c.body.Close()
	c.stop()
	c.body = nil
	return err
}
