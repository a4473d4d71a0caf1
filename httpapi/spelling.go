package httpapi

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// parts are what there is below a piece of reality data. Clients write these
// names in any case: readAccess, Twins.
var parts = []string{"readaccess", "writeaccess", "twins", "move"}

// caseless is where clients write names of what is below things in any case, up to the slash in
// front of them, and these names, both in a dialect.
func caseless(d *vocabulary.Dialect) (above string, names []string) {
	if d == nil {
		return route.RealityData + "/", parts
	}
	for _, part := range parts {
		names = append(names, path.Base(d.Of("reality data").Path(route.EachRealityData+"/"+part)))
	}
	return d.At(route.RealityData) + "/", names
}

// respelled returns r with the name of such a part as the route table has it.
func (h *Handler) respelled(r *http.Request) *http.Request {
	path := r.URL.EscapedPath()
	rest, ok := strings.CutPrefix(path, h.above)
	if !ok {
		return r
	}
	_, rest, _ = strings.Cut(rest, "/")
	part, _, _ := strings.Cut(rest, "/")
	i := slices.IndexFunc(h.parts, func(known string) bool { return strings.EqualFold(known, part) && known != part })
	if i < 0 {
		return r
	}
	out, u := *r, *r.URL
	head, end := path[:len(path)-len(rest)], rest[len(part):]
	u.RawPath = head + h.parts[i] + end
	u.Path, _ = url.PathUnescape(u.RawPath)
	out.URL = &u
	return &out
}
