package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// UnknownMembers says what becomes of a request whose body has members that its operation
// does not know.
type UnknownMembers int

const (
	// RefuseUnknown answers 400, or 422 in the areas that refuse bodies so, with a detail for
	// each of the first 100: InvalidRequestBody or InvalidValue, with its name as the target
	// and the known member that it resembles. Members of the record that a PATCH cannot
	// change are taken as they are: a record is taken back as it was read.
	RefuseUnknown UnknownMembers = iota
	// ReportUnknown passes over them and names them in [Observation.Unread], which the
	// journal of requests shows.
	ReportUnknown
	// IgnoreUnknown passes over them.
	IgnoreUnknown
)

// maxNamed is how many bytes of the name of an unknown member an answer repeats. Longer
// names resemble nothing.
const maxNamed = 200

// stray are those of the members unknown to the row's body that it refuses.
func (r *row) stray(unknown []string) []twinplatform.Detail {
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
			near = r.shape.Nearest(path)
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

// drifting makes a change take members of the record that each read tells otherwise, as the
// time of the last read, whatever they say.
func (r *row) drifting(members ...string) *row {
	r.drifts = members
	return r
}

// showing notes the members of the record that a change gives back, of which its body may
// have those that it does not change.
func (r *row) showing() {
	if r.Method != http.MethodPatch || r.in == nil || r.record == nil && !r.strict {
		return
	}
	names := r.drifts
	if !r.strict {
		names = slices.Collect(maps.Keys(shape.Of(r.record).Fields))
	}
	r.shows = make(map[string]bool)
	for _, name := range names {
		if r.wording != nil {
			name = r.wording.Member(name)
		}
		if _, changes := r.shape.Fields[name]; !changes {
			r.shows[name] = true
		}
	}
}

// unknownMembers are the names of all policies.
var unknownMembers = [...]string{RefuseUnknown: "refuse", ReportUnknown: "report", IgnoreUnknown: "ignore"}

func (u UnknownMembers) valid() bool { return u >= 0 && int(u) < len(unknownMembers) }

// String is refuse, report or ignore.
func (u UnknownMembers) String() string {
	if !u.valid() {
		return strconv.Itoa(int(u))
	}
	return unknownMembers[u]
}

// ParseUnknownMembers reads what [UnknownMembers.String] writes. ok is false for any other
// text.
func ParseUnknownMembers(text string) (u UnknownMembers, ok bool) {
	i := slices.Index(unknownMembers[:], text)
	return UnknownMembers(max(i, 0)), i >= 0
}
