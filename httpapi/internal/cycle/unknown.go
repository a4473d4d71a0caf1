package cycle

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// maxNamed is how many bytes of the name of an unknown member an answer repeats. Longer
// names resemble nothing.
const maxNamed = 200

// stray returns a detail for each unknown member that the route refuses. It passes over
// members that the record shows but clients cannot set.
func (r *Route) stray(unknown []string) []twinplatform.Detail {
	var details []twinplatform.Detail
	for _, path := range unknown {
		first, _, _ := strings.Cut(path, ".")
		if r.shows[first] {
			continue
		}
		var near string
		if len(path) > maxNamed {
			path = strings.ToValidUTF8(path[:maxNamed], "") + "…"
		} else {
			near = r.Shape.Nearest(path)
		}
		message := "The property '" + path + "' is not one that may be given"
		if near != "" {
			message += "; did you mean '" + near + "'?"
		} else {
			message += "."
		}
		d := badBody(path, message)
		d.Code = cmp.Or(r.strictCode, d.Code)
		details = append(details, d)
	}
	return details
}

// Drifting makes a change accept members of the record that differ at each read, such as
// the time of the last read, with any value.
func (r *Route) Drifting(members ...string) *Route {
	r.drifts = members
	return r
}

// showing notes the members of the record that a change gives back, of which its body may
// have those that it does not change.
func (r *Route) showing() {
	if r.Method != http.MethodPatch || r.Body == nil || r.Record == nil && !r.Strict {
		return
	}
	names := r.drifts
	if !r.Strict {
		names = slices.Collect(maps.Keys(shape.Of(r.Record).Fields))
	}
	r.shows = make(map[string]bool)
	for _, name := range names {
		said := []string{name}
		if r.Wording != nil {
			said = append(r.Wording.Seconds(name), r.Wording.Member(name))
		}
		for _, name := range said {
			if _, changes := r.Shape.Fields[name]; !changes {
				r.shows[name] = true
			}
		}
	}
}
