package cycle

import (
	"bytes"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// skipping is the paging of lists that are paged by number: the place where a page begins
// is where other lists have a token.
var skipping = Paging{Continuation: "$skip", Delta: "$skip"}

// Place is where the page behind one begins; empty when it is the last.
func (x *Exchange) Place(p Page) string {
	if p.Next == "" {
		return ""
	}
	n := p.Len()
	if skip, _ := x.Number("$skip"); skip != nil {
		n += *skip
	}
	return strconv.Itoa(n)
}

// WindowLinks appends the links of a page: self, prev but for the first page,
// and next, which leads nowhere on the last.
func (x *Exchange) WindowLinks(b []byte, top int, next string) []byte {
	b = append(wire.AppendString(append(b, `{"self":{"href":`...), string(x.self(nil))), '}')
	if skip, _ := x.Number("$skip"); skip != nil && *skip > 0 {
		before := strconv.Itoa(max(*skip-top, 0))
		b = append(wire.AppendString(append(b, `,"prev":{"href":`...), string(x.next(nil, skipping, before))), '}')
	}
	if next != "" {
		next = string(x.next(nil, skipping, next))
	}
	return append(bytes.TrimSuffix(x.AppendLink(append(b, ','), "next", next), []byte(",")), '}')
}
