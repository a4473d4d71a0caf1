package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// parts are what there is below a piece of reality data. Clients write these
// names in any case: readAccess, Twins.
var parts = []string{"readaccess", "writeaccess", "twins", "move"}

// respelled returns r with the name of such a part as the route table has it.
func (h *Handler) respelled(r *http.Request) *http.Request {
	path := r.URL.EscapedPath()
	above, parts := h.dialect.caseless()
	rest, ok := strings.CutPrefix(path, above+"/")
	if !ok {
		return r
	}
	_, rest, _ = strings.Cut(rest, "/")
	part, _, _ := strings.Cut(rest, "/")
	i := slices.IndexFunc(parts, func(known string) bool { return strings.EqualFold(known, part) && known != part })
	if i < 0 {
		return r
	}
	out, u := *r, *r.URL
	head, end := path[:len(path)-len(rest)], rest[len(part):]
	u.RawPath = head + parts[i] + end
	u.Path, _ = url.PathUnescape(u.RawPath)
	out.URL = &u
	return &out
}
