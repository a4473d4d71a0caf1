package cycle

import (
	"crypto/rand"
	"encoding/base32"
	"net/http"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
)

// RequestIDHeader is the header that names a request.
const RequestIDHeader = "X-Request-Id"

// maxRequestID is the length of the longest id that is taken over.
const maxRequestID = 128

// RequestID is what the request is called: as it says itself, where that can be in a
// log.
func RequestID(r *http.Request) string {
	if ids := r.Header[RequestIDHeader]; len(ids) == 1 && plainID(ids[0]) {
		return ids[0]
	}
	block := idBlocks.Get().(*idBlock)
	defer idBlocks.Put(block)
	return block.next()
}

// idBlock is random bytes for ids: the system is asked for those of many at once.
type idBlock struct {
	random [64 * idSize]byte
	used   int
}

// idSize is how many random bytes an id has.
const idSize = 16

// idBlocks keeps blocks of random bytes of which some are left. None is used by two
// requests at a time.
var idBlocks = sync.Pool{New: func() any { return &idBlock{used: len(idBlock{}.random)} }}

// next is an id that no other request has.
func (b *idBlock) next() string {
	if b.used == len(b.random) {
		_, _ = rand.Read(b.random[:]) // which never fails
		b.used = 0
	}
	var text [(8*idSize + 4) / 5]byte
	idText.Encode(text[:], b.random[b.used:b.used+idSize])
	b.used += idSize
	return string(text[:])
}

// idText is how ids are written, five bits in each letter.
var idText = base32.StdEncoding.WithPadding(base32.NoPadding)

func plainID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		switch ch := id[i]; {
		case ch >= '0' && ch <= '9', ch >= 'a' && ch <= 'z', ch >= 'A' && ch <= 'Z':
		case ch == '.' || ch == '_' || ch == ':' || ch == '/' || ch == '+' || ch == '=' || ch == '@' || ch == '-':
		default:
			return false
		}
	}
	return true
}

// traceHeader is the header of W3C Trace Context.
const traceHeader = "Traceparent"

// traceOf is the trace that a request belongs to: that of a span around the handler, else
// a new span in the trace that the client names, or in a new one.
func traceOf(r *http.Request) twinplatform.Trace {
	if t, ok := twinplatform.TraceOf(r.Context()); ok && t.Valid() {
		return t
	}
	if headers := r.Header[traceHeader]; len(headers) == 1 {
		if t, ok := twinplatform.Continued(headers[0]); ok {
			return t
		}
	}
	return twinplatform.NewTrace()
}
