package gltf

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
)

// load reads the buffers, and checks that the parts of them that the file names are in them.
func (m *Model) load(binary []byte, files fs.FS, already int) error {
	l := loader{files: files, left: MaxBytes - int64(already)}
	m.buffers = make([][]byte, len(m.doc.buffers))
	for i, b := range m.doc.buffers {
		content, err := m.buffer(&l, i, b, binary)
		if err != nil {
			return err
		}
		if b.ByteLength < 1 || int64(b.ByteLength) > int64(len(content)) {
			return malformed("buffer %d has %d bytes, and says %d", i, len(content), b.ByteLength)
		}
		m.buffers[i] = content[:b.ByteLength]
	}
	for i, v := range m.doc.bufferViews {
		size := len(m.buffers[v.Buffer])
		from, n := int(v.ByteOffset), int(v.ByteLength)
		if from < 0 || n < 1 || from > size || n > size-from {
			return malformed("bufferView %d: %d bytes from %d are not within buffer %d, which has %d", i, n, from,
				v.Buffer, size)
		}
		if s := v.ByteStride; s != nil && (*s < 4 || *s > 252 || *s%4 != 0) {
			return malformed("bufferView %d: a stride of %d bytes", i, *s)
		}
	}
	for i, a := range m.doc.accessors {
		if err := m.checkAccessor(i, &a); err != nil {
			return err
		}
	}
	return m.pictures(&l)
}

// buffer is the content of a buffer.
func (m *Model) buffer(l *loader, i int, b buffer, binary []byte) ([]byte, error) {
	if b.URI != nil {
		content, err := l.open(*b.URI)
		if err != nil {
			return nil, fmt.Errorf("%w: buffer %d: %s", kindOf(err), i, short(err.Error()))
		}
		return content, nil
	}
	if i > 0 || binary == nil {
		return nil, malformed("buffer %d is nowhere: it has no uri, and the file has no binary chunk for it", i)
	}
	return binary, nil
}

// pictures adds the images of other files to the buffers. Without files they stay what they are.
func (m *Model) pictures(l *loader) error {
	for i, x := range m.doc.images {
		if x.URI == nil || strings.HasPrefix(*x.URI, "data:") {
			continue
		}
		if l.files == nil {
			m.warn(fmt.Sprintf("image %d", i), "It is in another file, %s, and is not read.", *x.URI)
			continue
		}
		content, err := l.open(*x.URI)
		if err != nil {
			return fmt.Errorf("%w: image %d: %s", kindOf(err), i, short(err.Error()))
		}
		if m.images == nil {
			m.images = make(map[int][]byte)
		}
		m.images[i] = content
	}
	return nil
}

// kindOf is the documented error that a failed reference comes from.
func kindOf(err error) error {
	for _, kind := range []error{ErrTooLarge, ErrMalformed} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return ErrFile
}

// loader reads what a file refers to.
type loader struct {
	files fs.FS
	left  int64 // how many bytes may still be read
}

// open reads a data URI, or another file. What lies outside of the folder is refused, whatever it is.
func (l *loader) open(uri string) ([]byte, error) {
	if strings.HasPrefix(uri, "data:") {
		head, data, found := strings.Cut(uri, ",")
		if !found || !strings.HasSuffix(head, ";base64") {
			return nil, fmt.Errorf("%w: its data URI is not in base64", ErrMalformed)
		}
		content, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return nil, fmt.Errorf("%w: its data URI: %w", ErrMalformed, err)
		}
		return content, nil
	}
	name, err := url.PathUnescape(uri)
	if err != nil || !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, ":\\") {
		return nil, fmt.Errorf("%q is not the name of a file next to it", uri)
	}
	if l.files == nil {
		return nil, fmt.Errorf("%q; convert it to a .glb, which has all in it", name)
	}
	f, err := l.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	content, err := io.ReadAll(io.LimitReader(f, l.left+1))
	if err != nil {
		return nil, err
	}
	if l.left -= int64(len(content)); l.left < 0 {
		return nil, errTooLong
	}
	return content, nil
}

// view is the part of a buffer that a bufferView names.
func (m *Model) view(i int) []byte {
	v := m.doc.bufferViews[i]
	return m.buffers[v.Buffer][v.ByteOffset:][:v.ByteLength]
}
