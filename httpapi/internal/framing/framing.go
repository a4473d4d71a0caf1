// Package framing ends connections whose requests do not say clearly where they end.
package framing

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
)

// net/http uses Transfer-Encoding where a request has Content-Length too, and forgets the
// length. Whatever is in front of the server may have gone by the other one, and taken
// for one request what the server takes for two (RFC 9112, 11.2). So connections are
// followed from request to request, and one that says its length twice ends there.

// errFraming is what a connection fails with in the middle of a header that says in no
// clear way how long the body is. net/http answers it with 400 and closes the connection.
var errFraming = errors.New("the request does not say clearly how long its body is")

// framedConn is a connection whose requests are followed until a handler takes it over.
type framedConn struct {
	net.Conn

	tls      *tls.ConnectionState // nil for one that is not over TLS
	framing  framing
	refused  bool
	hijacked atomic.Bool
}

// Read implements net.Conn. The bytes before a refusal are handed on, and never the end of
// the header that they are in, so that no caller takes it for a request.
func (c *framedConn) Read(p []byte) (int, error) {
	if c.hijacked.Load() {
		return c.Conn.Read(p)
	}
	if c.refused {
		return 0, errFraming
	}
	n, err := c.Conn.Read(p)
	passed, ok := c.framing.pass(p[:n])
	switch {
	case ok:
		return n, err
	case passed == 0:
		err = errFraming
	default:
		err = nil
	}
	c.refused = true
	return passed, err
}

// ReadFrom implements io.ReaderFrom, for files that the kernel sends.
func (c *framedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

// CloseWrite signals the client that nothing more comes, where the connection can.
func (c *framedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Released ends following a connection that is no longer one of HTTP.
func Released(conn net.Conn, state http.ConnState) {
	if c, ok := conn.(*framedConn); ok && state == http.StateHijacked {
		c.hijacked.Store(true)
	}
}

// maxFramingLine is how much is kept of a line: more than any header of framing needs.
const maxFramingLine = 1 << 10

// framing follows the requests that a client sends, from one to the next. Where it could
// lose its place it refuses.
type framing struct {
	part framingPart
	line []byte // the one under way, as much of it as is looked at
	long bool   // there is more of it
	left int64  // bytes of the body or of the chunk

	modern  bool // HTTP/1.1
	chunked bool
	sized   bool
	length  int64 // of the body, where it is sized
	named   bool  // the last header was one of framing
}

type framingPart int

const (
	atRequest framingPart = iota
	atHeader
	atBody
	atChunk
	atChunkData
	atChunkEnd
	atTrailer
)

// pass returns how many of the bytes that came may be handed on, and whether all may.
func (f *framing) pass(p []byte) (n int, ok bool) {
	for n < len(p) {
		if f.part == atBody || f.part == atChunkData {
			n += f.skip(len(p) - n)
			continue
		}
		end := bytes.IndexByte(p[n:], '\n')
		if end < 0 {
			f.keep(p[n:])
			return len(p), true
		}
		f.keep(p[n : n+end])
		if n += end; !f.ended(bytes.TrimSuffix(f.line, []byte("\r"))) {
			return n, false
		}
		f.line, f.long = f.line[:0], false
		n++
	}
	return n, true
}

// skip passes over bytes of a body.
func (f *framing) skip(most int) int {
	n := min(f.left, int64(most))
	f.left -= n
	switch {
	case f.left > 0:
	case f.part == atBody:
		f.part = atRequest
	default:
		f.part = atChunkEnd
	}
	return int(n)
}

// keep keeps what is looked at of a line: the end of one that begins a request, which
// says the version, and the beginning of any other.
func (f *framing) keep(part []byte) {
	f.line = append(f.line, part[:min(len(part), maxFramingLine+1)]...)
	if f.part == atRequest {
		f.line = append(f.line, part[min(len(part), maxFramingLine+1):]...)
		f.line = append(f.line[:0], f.line[max(0, len(f.line)-maxFramingLine):]...)
		return
	}
	if len(f.line) > maxFramingLine {
		f.line, f.long = f.line[:maxFramingLine], true
	}
}

// ended takes a line that has come to its end, and reports whether it may.
func (f *framing) ended(line []byte) bool {
	switch f.part {
	case atHeader:
		if len(line) == 0 {
			return f.begin()
		}
		return f.header(line)
	case atChunk:
		return f.chunk(line)
	case atChunkEnd:
		f.part = atChunk
		return len(line) == 0
	case atTrailer:
		if len(line) == 0 {
			f.part = atRequest
		}
	default: // net/http passes over empty lines before a request, or refuses them
		if len(line) > 0 {
			f.part, f.modern = atHeader, bytes.HasSuffix(line, []byte(" HTTP/1.1"))
			f.chunked, f.sized, f.named = false, false, false
		}
	}
	return true
}

// What a header of framing is called, and the one encoding there is.
var (
	transferEncoding, contentLength = []byte("Transfer-Encoding"), []byte("Content-Length")
	chunked                         = []byte("chunked")
)

// header takes a line of a header.
func (f *framing) header(line []byte) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return !f.named // it continues the line before
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.Trim(value, " \t")
	f.named = true
	switch {
	case bytes.EqualFold(name, transferEncoding):
		if f.chunked || !bytes.EqualFold(value, chunked) {
			return false
		}
		f.chunked = true
	case bytes.EqualFold(name, contentLength):
		length, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil || f.sized && int64(length) != f.length { //nolint:gosec // of 63 bits
			return false
		}
		f.sized, f.length = true, int64(length) //nolint:gosec // as above
	default:
		f.named = false
		return true
	}
	return !f.long && !(f.sized && f.chunked)
}

// begin begins what is behind a header.
func (f *framing) begin() bool {
	switch {
	case f.chunked:
		f.part = atChunk
		return f.modern // earlier clients know nothing of chunks
	case f.sized && f.length > 0:
		f.part, f.left = atBody, f.length
	default:
		f.part = atRequest
	}
	return true
}

// chunk takes the line before a chunk.
func (f *framing) chunk(line []byte) bool {
	size, _, _ := bytes.Cut(bytes.TrimRight(line, " \t"), []byte(";"))
	n, err := strconv.ParseUint(string(size), 16, 63)
	if err != nil {
		return false
	}
	f.part, f.left = atChunkData, int64(n) //nolint:gosec // of 63 bits
	if n == 0 {
		f.part = atTrailer
	}
	return true
}
