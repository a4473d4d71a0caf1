package filestore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// blob is a file as the blob protocol shows it.
type blob struct {
	attributes

	size     int64
	appeared time.Time // its bytes
	modified time.Time // its bytes, or what is kept with them
	tag      string    // with its quotes
	mark     string    // of its bytes
	etag     string    // of its bytes, as the backend has it
}

func newBlob(known attributes, of Entry) *blob {
	b := &blob{
		attributes: known, size: of.Size, appeared: of.Modified, modified: of.Modified,
		tag: tagOf(of.ETag, of.Modified), mark: of.Mark, etag: of.ETag,
	}
	if known.Revision > 0 {
		b.tag = strings.TrimSuffix(b.tag, `"`) + "-" + strconv.FormatInt(known.Revision, 10) + `"`
		b.modified = known.Changed
	}
	return b
}

// tagOf is the ETag of a file. That of one whose backend has none is when it appeared, of
// which a folder has no two alike.
func tagOf(etag string, modified time.Time) string {
	if etag != "" {
		return etag
	}
	return `"0x` + strings.ToUpper(strconv.FormatInt(modified.UnixNano(), 16)) + `"`
}

// open opens a file, and says how it is.
func (c *blobCall) open(ctx context.Context) (io.ReadSeekCloser, *blob, error) {
	for attempt := 0; ; attempt++ {
		file, err := c.s.backend.Open(ctx, c.g.containerID, c.name)
		if err != nil {
			return nil, nil, err
		}
		b, known, err := c.describe(ctx, file)
		if err != nil {
			return nil, nil, errors.Join(err, file.Content.Close())
		}
		// The attributes of a file go when another takes its place.
		if known || attempt == attempts || c.s.marking == nil || c.current(ctx, file) {
			return file.Content, b, nil
		}
		if err := file.Content.Close(); err != nil {
			return nil, nil, err
		}
	}
}

// attempts is how often a file that is replaced is opened again.
const attempts = 3

// current reports whether a file is still the one of its name.
func (c *blobCall) current(ctx context.Context, file File) bool {
	now, err := c.s.backend.Open(ctx, c.g.containerID, c.name)
	if err != nil {
		return true // it was, a moment ago
	}
	return now.Content.Close() == nil && now.Mark == file.Mark
}

// describe reports how an open file is, and whether it has attributes.
func (c *blobCall) describe(ctx context.Context, file File) (b *blob, known bool, err error) {
	size, err := file.Content.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, false, err
	}
	if _, err = file.Content.Seek(0, io.SeekStart); err != nil {
		return nil, false, err
	}
	a, known, err := c.s.attributes(ctx, c.g.containerID, c.name, file.Mark)
	return newBlob(a, Entry{Size: size, Modified: file.Modified, ETag: file.ETag, Mark: file.Mark}), known, err
}

func isNoFile(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// state is how a file is; nil where there is none.
func (c *blobCall) state(ctx context.Context) (*blob, error) {
	content, b, err := c.open(ctx)
	if isNoFile(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return b, content.Close()
}

// allow fails unless the conditions of a request that writes the file hold.
func (c *blobCall) allow(ctx context.Context) error { return c.allowed(ctx, conditions.writing) }

// allowRemoval fails unless those of a request that deletes the file do.
func (c *blobCall) allowRemoval(ctx context.Context) error {
	return c.allowed(ctx, conditions.changing)
}

func (c *blobCall) allowed(ctx context.Context, hold func(conditions, *blob) error) error {
	given := conditionsOf(c.r.Header)
	if !given.any() {
		return nil
	}
	b, err := c.state(ctx)
	if err != nil {
		return err
	}
	return hold(given, b)
}

// writeHeaders writes the headers that describe a file.
func (c *blobCall) writeHeaders(b *blob) {
	header := c.w.Header()
	header.Set("ETag", b.tag)
	header.Set("Last-Modified", b.modified.UTC().Format(http.TimeFormat))
}

// put writes a file (Put Blob).
func (c *blobCall) put() error {
	sums, err := newSums(c.r.Header, true)
	if err != nil {
		return err
	}
	kept, err := c.sentAttributes()
	if err != nil {
		return err
	}
	c.keepFormer(kept)
	if err := c.allow(c.r.Context()); err != nil {
		return err // before its bytes are sent
	}
	var written *blob
	err = c.s.write(c.r, &writing{
		g: c.g, accountID: c.accountID, containerID: c.g.containerID, name: c.name, length: c.r.ContentLength,
		fill: func(d Draft, room *reservation) error {
			if err := c.s.receive(c.w, c.r, io.TeeReader(c.r.Body, sums), d, room); err != nil {
				return err
			}
			return sums.check()
		},
		ready: func(ctx context.Context, d Draft) error {
			if err := c.allow(ctx); err != nil {
				return err
			}
			return c.keep(ctx, d, kept, 0)
		},
		done: func(ctx context.Context, _ Draft) (err error) {
			c.s.forgetBlocks(ctx, c.g.containerID, c.accountID, c.name)
			written, err = c.state(ctx)
			return err
		},
	})
	if err != nil {
		return err
	}
	if written != nil {
		c.writeHeaders(written)
	}
	sums.writeHeaders(c.w.Header())
	c.w.WriteHeader(http.StatusCreated)
	return nil
}

// keepFormer keeps what a whole file is sent with in the headers of HTTP itself.
func (c *blobCall) keepFormer(a *attributes) {
	for _, name := range []string{"Content-Type", "Content-Md5"} {
		value := c.r.Header.Get(name)
		if _, given := a.Properties[name]; given || value == "" || value == defaultType || !isPlain(value) {
			continue
		}
		if a.Properties == nil {
			a.Properties = make(map[string]string)
		}
		a.Properties[name] = value
	}
}

// sized is how long a whole file is, also where it has an encoding.
type sized struct {
	*pacedWriter

	size int64
}

func (s *sized) WriteHeader(status int) {
	if status == http.StatusOK {
		s.Header().Set("Content-Length", strconv.FormatInt(s.size, 10))
	}
	s.pacedWriter.WriteHeader(status)
}

// remove removes a file (Delete Blob).
func (c *blobCall) remove() error {
	if err := c.s.remove(c.r, c.g, c.accountID, c.name, c.allowRemoval); err != nil {
		return err
	}
	c.s.tellMeasured(c.r.Context(), c.g.containerID)
	c.w.WriteHeader(http.StatusAccepted)
	return nil
}

// get answers a file, a range of it or its headers alone (Get Blob, Get Blob Properties). The
// Store sends it also where clients could go to the backend, which does not know the
// protocol.
func (c *blobCall) get() error {
	leave, err := c.s.enter(c.s.downloads, c.g.caller(), maxDownloads)
	if err != nil {
		return err
	}
	defer leave()
	content, b, err := c.open(c.r.Context())
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	c.writeHeaders(b)
	header := c.w.Header()
	header.Set("X-Ms-Blob-Type", "BlockBlob")
	header.Set("X-Ms-Lease-State", "available")
	header.Set("X-Ms-Lease-Status", "unlocked")
	if err := conditionsOf(c.r.Header).reading(b); err != nil {
		return err
	}
	b.attributes.writeHeaders(header)
	plain, err := c.ranged(content, b)
	if err != nil {
		return err
	}
	out := &pacedWriter{c.w, pace.Writer{To: c.w, Control: http.NewResponseController(c.w), Pace: c.s.pace()}}
	http.ServeContent(&sized{out, b.size}, plain, "", b.modified, content)
	out.finish()
	return nil
}

// maxSummed is of how many bytes at most a range is answered with its sum.
const maxSummed = 4 << 20

// ranged is the request for a range of a file as HTTP has it, and without its conditions, which
// hold.
func (c *blobCall) ranged(content io.ReadSeeker, b *blob) (*http.Request, error) {
	plain := c.r.Clone(c.r.Context())
	for _, name := range []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"} {
		plain.Header.Del(name)
	}
	asked, own := c.r.Header.Get("Range"), false
	if given := c.r.Header.Get(rangeHeader); given != "" {
		asked, own = given, true
	}
	first, last, ok := rangeIn(asked)
	if !ok && own {
		return nil, badHeader(rangeHeader)
	}
	if !ok && !isSuffix(asked) {
		asked = "" // as HTTP has it
	}
	switch {
	case c.r.Method != http.MethodGet || asked == "":
		plain.Header.Del("Range")
		return plain, nil
	case ok && first >= b.size:
		c.w.Header().Set("Content-Range", "bytes */"+strconv.FormatInt(b.size, 10))
		return nil, errRange
	}
	plain.Header.Set("Range", asked)
	if whole := c.w.Header().Get("Content-Md5"); ok && whole != "" {
		c.w.Header().Del("Content-Md5")
		c.w.Header().Set(md5Header, whole)
	}
	return plain, c.sumRange(content, first, min(last, b.size-1)-first+1, ok)
}

// sumRange answers a range with the sums that are asked for.
func (c *blobCall) sumRange(content io.ReadSeeker, first, length int64, plain bool) error {
	for _, name := range []string{rangeMD5Header, rangeCRCHeader} {
		if c.r.Header.Get(name) != "true" {
			continue
		}
		if !plain || length > maxSummed {
			return unsupportedHeader(name)
		}
		sums, err := newSums(nil, false)
		if err == nil {
			_, err = content.Seek(first, io.SeekStart)
		}
		if err == nil {
			_, err = io.CopyN(sums, content, length)
		}
		if err != nil {
			return unavailable(err)
		}
		if name == rangeMD5Header {
			c.w.Header().Set("Content-Md5", sums.md5Text())
		} else {
			c.w.Header().Set(crcHeader, sums.crcText())
		}
	}
	return nil
}

// isSuffix reports whether a range is that of the last bytes.
func isSuffix(value string) bool {
	digits, ok := strings.CutPrefix(value, "bytes=-")
	n, err := strconv.ParseInt(digits, 10, 64)
	return ok && err == nil && n > 0
}

// rangeIn reads one range of bytes with a beginning.
func rangeIn(value string) (first, last int64, ok bool) {
	value, ok = strings.CutPrefix(value, "bytes=")
	from, to, both := strings.Cut(value, "-")
	first, err := strconv.ParseInt(from, 10, 64)
	if !ok || !both || err != nil || first < 0 {
		return 0, 0, false
	}
	if to == "" {
		return first, noLimit, true
	}
	last, err = strconv.ParseInt(to, 10, 64)
	return first, last, err == nil && last >= first
}
