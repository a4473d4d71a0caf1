package objectstore

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// draft is a file on its way into an object. Its last part lies in a temporary file, those
// before it in a multipart upload. A file of one part needs no such upload.
type draft struct {
	b   *Bucket
	ctx context.Context // of the request that writes it
	key string
	as  minio.PutObjectOptions

	part *os.File
	sum  hash.Hash // of part
	size int64     // of part

	upload string // the id of the multipart upload, if there is one
	sent   []minio.CompletePart
	done   bool
}

// Create implements filestore.Backend.
func (b *Bucket) Create(ctx context.Context, containerID, name string) (filestore.Draft, error) {
	key, err := b.key(containerID, name)
	if err != nil {
		return nil, err
	}
	part, err := os.CreateTemp(b.cfg.Dir, "twinplatform-part-")
	if err != nil {
		return nil, errUnavailable.Because(err)
	}
	_ = os.Remove(part.Name()) // where that can be done before it is closed
	as := minio.PutObjectOptions{ContentType: contentType, UserMetadata: map[string]string{markName: rand.Text()}}
	return &draft{b: b, ctx: ctx, key: key, as: as, part: part, sum: sha256.New()}, nil
}

// markName names the metadata of an object that has the mark of its file.
const markName = "Mark"

// Mark implements filestore.Marking.
func (b *Bucket) Mark(d filestore.Draft) (string, error) {
	own, ok := d.(*draft)
	if !ok {
		return "", errors.New("objectstore: the draft is not of a bucket")
	}
	return own.as.UserMetadata[markName], nil
}

// markOf is the mark of an object. One that came without, from elsewhere, has that of its bytes
// and their moment.
func markOf(info minio.ObjectInfo) string {
	if mark := info.UserMetadata[markName]; mark != "" && len(mark) <= 64 && strings.Trim(mark, alphanumeric) == "" {
		return mark
	}
	sum := sha256.Sum256([]byte(info.ETag + info.LastModified.UTC().Format(time.RFC3339)))
	return hex.EncodeToString(sum[:])
}

// Write is held up by the object store whenever a part is full.
func (d *draft) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if d.size == d.b.cfg.PartSize {
			if err := d.send(); err != nil {
				return n, err
			}
		}
		some := p[:min(int64(len(p)), d.b.cfg.PartSize-d.size)]
		if _, err := d.part.WriteAt(some, d.size); err != nil {
			return n, err
		}
		d.sum.Write(some)
		d.size += int64(len(some))
		n += len(some)
		p = p[len(some):]
	}
	return n, nil
}

var errTooManyParts = &twinplatform.Error{
	Kind: twinplatform.Unprocessable, Code: "RequestTooLarge", Message: "The file is larger than is allowed.",
}

// send sends the part that is full.
func (d *draft) send() error {
	if len(d.sent) == maxParts {
		return errTooManyParts
	}
	ctx, cancel := context.WithTimeout(d.ctx, d.b.cfg.Patience)
	defer cancel()
	if d.upload == "" {
		id, err := d.b.core.NewMultipartUpload(ctx, d.b.cfg.Bucket, d.key, d.as)
		if err != nil {
			return d.b.failure(err)
		}
		d.upload = id
	}
	number := len(d.sent) + 1
	part, err := d.b.core.PutObjectPart(ctx, d.b.cfg.Bucket, d.key, d.upload, number, d.content(), d.size,
		minio.PutObjectPartOptions{Sha256Hex: d.sha256()})
	if err != nil {
		return d.gone(err)
	}
	d.sent = append(d.sent, minio.CompletePart{PartNumber: number, ETag: part.ETag})
	d.size = 0
	d.sum.Reset()
	return nil
}

func (d *draft) content() io.Reader { return io.NewSectionReader(d.part, 0, d.size) }
func (d *draft) sha256() string     { return hex.EncodeToString(d.sum.Sum(nil)) }

// gone is a failure of a multipart upload, which is not there any more when its container
// is removed meanwhile.
func (d *draft) gone(err error) error {
	if res, ok := errors.AsType[minio.ErrorResponse](err); ok && res.Code == minio.NoSuchUpload {
		return errUnavailable.Because(errors.New("the multipart upload was aborted"))
	}
	return d.b.failure(err)
}

// Close sends the last part of a file of several.
func (d *draft) Close() error {
	if d.upload == "" {
		return nil
	}
	return d.send()
}

func (d *draft) Commit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.b.cfg.Patience)
	defer cancel()
	var err error
	if d.upload == "" {
		_, err = d.b.core.PutObject(ctx, d.b.cfg.Bucket, d.key, d.content(), d.size, "", d.sha256(), d.as)
	} else {
		_, err = d.b.core.CompleteMultipartUpload(ctx, d.b.cfg.Bucket, d.key, d.upload, d.sent,
			minio.PutObjectOptions{})
	}
	d.done = err == nil
	if err != nil {
		return d.gone(err)
	}
	return nil
}

func (d *draft) Discard() {
	_ = d.part.Close()
	_ = os.Remove(d.part.Name())
	if d.upload == "" || d.done {
		return
	}
	// A caller that sent it may have left. What remains is swept.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), d.b.cfg.Patience)
	defer cancel()
	_ = d.b.core.AbortMultipartUpload(ctx, d.b.cfg.Bucket, d.key, d.upload)
}
