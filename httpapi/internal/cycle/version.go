package cycle

import (
	"slices"
	"strconv"
	"strings"
)

// Version is the version of the media type whose shape the client is answered in: the
// first that its Accept header names and the route has a shape for, else the route's own.
// Whose vendor the media type names does not matter.
func (x *Exchange) Version() int {
	for accepted := range strings.SplitSeq(x.Header("Accept"), ",") {
		media, _, _ := strings.Cut(accepted, ";")
		media = strings.ToLower(strings.TrimSpace(media))
		name, json := strings.CutSuffix(media, "+json")
		at := strings.LastIndex(name, ".v")
		if !json || at < 0 || !strings.HasPrefix(name, "application/vnd.") {
			continue
		}
		if n, err := strconv.Atoi(name[at+2:]); err == nil && slices.Contains(x.Route.Versions, n) {
			return n
		}
	}
	return x.Route.Version
}

// Shaped notes the versions of the media type for which the route has shapes.
func (r *Route) Shaped(versions ...int) *Route {
	r.Versions = versions
	return r
}
