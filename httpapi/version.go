package httpapi

import (
	"slices"
	"strconv"
	"strings"
)

// version is the version of the media type whose shape the client is answered in: the
// first that its Accept header names and the row has a shape for, else the row's own.
// Whose vendor the media type names does not matter.
func (x *exchange) version() int {
	for accepted := range strings.SplitSeq(x.header("Accept"), ",") {
		media, _, _ := strings.Cut(accepted, ";")
		media = strings.ToLower(strings.TrimSpace(media))
		name, json := strings.CutSuffix(media, "+json")
		at := strings.LastIndex(name, ".v")
		if !json || at < 0 || !strings.HasPrefix(name, "application/vnd.") {
			continue
		}
		if n, err := strconv.Atoi(name[at+2:]); err == nil && slices.Contains(x.row.shapes, n) {
			return n
		}
	}
	return x.row.Version
}

// shaped notes the versions of the media type for which the row has shapes.
func (r *row) shaped(versions ...int) *row {
	r.shapes = versions
	return r
}
