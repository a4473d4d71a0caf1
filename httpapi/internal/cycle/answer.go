package cycle

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// chunk is how much of an answer is put together before it is written, and so
// how much memory a page of any size takes.
const chunk = 256 << 10

// chunks are kept from answer to answer. A new one is as small as the first answer
// in it: most are a record, and a pool that is emptied often makes many.
var chunks = sync.Pool{New: func() any { return new([]byte) }}

// What the headers of every answer say.
const (
	jsonType = "application/json"
	noSniff  = "nosniff" // of X-Content-Type-Options
)

// Send answers with a JSON body.
func (x *Exchange) Send(status int, body []byte) error {
	if sh := x.Route.answers(status); sh != nil {
		body = vocabulary.Renamed(body, sh)
	}
	x.begin(status, len(body))
	return x.write(body)
}

// begin sends the header of an answer with a JSON body of a known length.
func (x *Exchange) begin(status, length int) {
	x.leaveSlot()
	x.Set("Content-Type", jsonType)
	x.Set("Content-Length", strconv.Itoa(length))
	x.Set("X-Content-Type-Options", noSniff)
	x.status = status
	x.W.WriteHeader(status)
}

// Set sets a header of the answer; its name is in the canonical form. The first values
// are kept in the exchange, which spares each its own slice.
func (x *Exchange) Set(name, value string) {
	i := x.used
	if i == len(x.headers) {
		x.W.Header()[name] = []string{value}
		return
	}
	x.headers[i] = value
	x.W.Header()[name] = x.headers[i : i+1 : i+1]
	x.used++
}

// write writes a part of the body, unless no caller asked for one.
func (x *Exchange) write(part []byte) error {
	if x.R.Method == http.MethodHead {
		return nil
	}
	n, err := x.W.Write(part)
	x.size += int64(n)
	return err
}

// SendNothing answers without a body.
func (x *Exchange) SendNothing(status int) error {
	x.Set("X-Content-Type-Options", noSniff)
	x.status = status
	x.W.WriteHeader(status)
	return nil
}

// SendJoined answers 200 with open, the records separated by commas, and end. The records
// are copied as they are: the store keeps them in the form of the wire, and a list of
// thousands is never decoded. Its length is known before the first byte is sent, so that
// a client can detect an answer that was cut off.
func (x *Exchange) SendJoined(open []byte, records [][]byte, end []byte) error {
	if sh := x.Route.answers(http.StatusOK); sh != nil {
		return x.sendRenamed(sh, open, records, end)
	}
	total := len(open) + len(end) + max(len(records)-1, 0)
	for _, r := range records {
		total += len(r)
	}
	x.begin(http.StatusOK, total)
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	b := append(slices.Grow((*p)[:0], min(total, chunk)), open...)
	for i, r := range records {
		if len(b) > 0 && len(b)+len(r)+1 > chunk {
			if err := x.write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r...)
	}
	b = append(b, end...)
	if cap(b) <= 2*chunk {
		*p = b
	}
	return x.write(b)
}

// NotModified answers 304 when the client has the version that etag names.
func (x *Exchange) NotModified(etag string) bool {
	header := x.Header("If-None-Match")
	return header != "" && etag != "" && twinplatform.NamesETag(header, etag)
}
