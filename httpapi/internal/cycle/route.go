package cycle

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// Route is an operation and how it is carried out.
type Route struct {
	Operation

	// Bad is the answer to a malformed request; its details are filled in.
	Bad twinplatform.Error
	// NoBody is the answer to a request without a body; nil means Bad.
	NoBody *twinplatform.Error
	// BodyOptional reports that the body may be left out.
	BodyOptional bool
	// Strict refuses also members of the record that a change cannot change, with a
	// detail of this code; an empty one means InvalidRequestBody.
	Strict     bool
	strictCode string
	Record     reflect.Type    // that it gives back, or a list has; nil where it gives none
	Key        string          // the member of the answer where that stands, or a path of two names
	Listed     bool            // it is a list of such records
	shows      map[string]bool // members of Record that its body may have and nothing reads
	// drifts are members of Record that a strict route accepts with any value: they differ at
	// each read.
	drifts []string
	// Detail, when given, puts what is wrong with a property of a body into the
	// area's words.
	Detail func(*twinplatform.Detail)
	// Raw marks a body that is not JSON and that the route itself reads. Media is its media
	// type; empty: any will do, and application/octet-stream is what the document says.
	Raw   bool
	Media string
	// Apart is the segment of Path that the mux is given as a name, with all words behind
	// it, where Path itself would contradict a path with names in these places. Requests
	// with anything else there are for no operation.
	Apart string
	// Operations is the path under which the area's long-running operations are asked
	// for, with {operationId} in place of their id.
	Operations string
	// Complete, when given, adds to the wire form of a record what only the handler
	// knows. value points at the record.
	Complete func(x *Exchange, value any, stored []byte) ([]byte, error)
	// Refusals are the failures that only HTTP has.
	Refusals []Refusal
	// Stored marks a route that gets a record from a service which leaves out its value
	// when no caller will look at it.
	Stored bool
	// pending, when given, is what the route answers while its work is not done, in an
	// area that has operations.
	pending *Reply

	Versions []int // the versions of the media type that are answered in their own shapes

	PaidBy   Cost // what its requests are paid by
	Computes bool // each of its requests is a large one
	// Discovers reports that it answers a request without an Authorization header as well: clients ask what is
	// served before they have a token.
	Discovers bool
	Polled    bool // the status of its record is next to it as well, see Server.OperationStatus
	Literal   bool // it refuses each parameter that it does not know

	MaxTop, MaxBatch int  // as the area's
	NullLinks        bool // as the area's

	// whether a caller with read access only, as the bearer of a share, may call it: see [Routes.Share]
	Shared  bool
	Forbids bool                // whether it can be answered with 403
	Wording *vocabulary.Wording // how it speaks under a vocabulary; nil: as the specification
	// of the records of a list for the caller that does not prefer whole ones; nil: always whole
	Short     reflect.Type
	Body      reflect.Type // of the body; nil: none is read
	Shape     *shape.Shape // of Body
	Needed    string       // a member of Body that this route needs, and others with the same body do not
	PathNames []string     // in braces in Path
	Replies   []Reply      // the successful ones
	Serve     func(context.Context, *Exchange) error

	successor  *Route // of a deprecated route
	deprecated string // since when, as the header Deprecation says it
}

// Reply describes a successful answer for the OpenAPI document.
type Reply struct {
	Status  int
	Schema  func(*document.Schemas) map[string]any // of a body of JSON; nil: it is none
	Media   []string                               // of a body of bytes as they are, of which it has one
	Headers []string                               // that it always has
	Perhaps []string                               // that it has where they apply
}

// Bytes are the replies of a route that gives bytes as they are, in one of some media types, with headers that it
// always has.
func Bytes(media []string, headers ...string) []Reply {
	return []Reply{{Status: http.StatusOK, Media: media, Headers: headers}}
}

// Named gives the route its own id, where that of its resource is another's.
func (r *Route) Named(id string) *Route {
	r.ID = id
	return r
}

// Shortly notes what a list gives to the caller that does not prefer whole records.
func (r *Route) Shortly(record reflect.Type) *Route {
	r.Short = record
	return r
}

// Listing notes that the route is a list of records of a type, and the member where they stand.
func (r *Route) Listing(key string, record reflect.Type) *Route {
	r.Key, r.Record, r.Listed = key, record, true
	return r
}

// Giving notes that the route answers with one record of a type, and the member where it stands.
func (r *Route) Giving(key string, record reflect.Type) *Route {
	r.Key, r.Record = key, record
	return r
}

// As makes the route that of another operation than its resource's.
func (r *Route) As(o Operation) *Route {
	o.Query = append(o.Query, r.Query...)
	r.Operation = o
	return r
}

// AsSpecified reports which operation of the specification the route is.
func (r *Route) AsSpecified(id string) *Route {
	r.SpecID = id
	return r.Documented()
}

// Documented marks an operation that the specification has without an id.
func (r *Route) Documented() *Route {
	r.Origin = Specified
	return r
}

// AsPreview marks a technical preview.
func (r *Route) AsPreview() *Route {
	r.Preview = true
	return r
}

// DeprecatedFor makes the route one that is deprecated since a moment. Its answers, failures
// too, say so, and have the address of its successor, whose path has the same names.
func (r *Route) DeprecatedFor(successor *Route, since time.Time) *Route {
	r.Deprecated, r.Successor, r.successor = true, successor.ID, successor
	r.deprecated = "@" + strconv.FormatInt(since.Unix(), 10)
	for i := range r.Replies {
		r.Replies[i].Headers = append(slices.Clip(r.Replies[i].Headers), deprecationHeader, linkHeader)
	}
	return r
}

// Headers of answers of deprecated routes: RFC 9745, RFC 8288.
const (
	deprecationHeader = "Deprecation"
	linkHeader        = "Link"
)

// deprecate says in the answer of a deprecated route what to use instead.
func (x *Exchange) deprecate() {
	if x.Route == nil || x.Route.successor == nil {
		return
	}
	var names []string
	for _, name := range x.Route.PathNames {
		names = append(names, x.Path(name))
	}
	x.Set(deprecationHeader, x.Route.deprecated)
	x.Set(linkHeader, "<"+x.Filled(x.Route.successor.Path, names...)+`>; rel="successor-version"`)
}

// Summarized gives the route its own summary.
func (r *Route) Summarized(summary string) *Route {
	r.Summary = summary
	return r
}

// Needs gives the route its own permission.
func (r *Route) Needs(permission string) *Route {
	r.Permission = permission
	return r
}

// Needing notes a member of the body that only some operations with it need.
func (r *Route) Needing(member string) *Route {
	r.Needed = member
	return r
}

// MayPend notes how the route answers while its work is not done.
func (r *Route) MayPend(answer Reply) *Route {
	r.pending = &answer
	return r
}

// Reads notes what the route's body is read as; a GET has none.
func (r *Route) Reads(body reflect.Type) *Route {
	if r.Method != http.MethodGet && body != reflect.TypeFor[Nothing]() {
		r.Body = body
	}
	return r
}

// Unversioned notes that answers of the route have no version: no ETag, and none to be
// compared with.
func (r *Route) Unversioned() *Route {
	r.Replies = slices.DeleteFunc(r.Replies, func(a Reply) bool { return a.Status == http.StatusNotModified })
	for i := range r.Replies {
		r.Replies[i].Headers = slices.DeleteFunc(r.Replies[i].Headers, func(name string) bool { return name == "ETag" })
	}
	return r
}

// OnRecord marks a POST that changes a record which may be there already.
func (r *Route) OnRecord() *Route {
	r.Conditional = true
	return r
}

// Routes holds the routes of a family of operations.
type Routes []*Route

// Strict makes the routes refuse also members of the record that they cannot change, and
// all that they refuse with a detail of this code.
func (rs Routes) Strict(code string) Routes {
	for _, r := range rs {
		r.Strict, r.strictCode = true, code
	}
	return rs
}

// AsStored notes that the services of the routes know wire.Only.
func (rs Routes) AsStored() Routes {
	for _, r := range rs {
		r.Stored = true
	}
	return rs
}

// ReadOnly reports whether the operation changes nothing.
func (r *Route) ReadOnly() bool { return r.Method == http.MethodGet || r.Method == http.MethodOptions }

// Share opens those of the routes that change nothing, and need what every reading of their
// area needs, to callers who only read. All others are closed to them, whatever they hold.
func (rs Routes) Share() Routes {
	for _, r := range rs {
		r.Shared = r.Method == http.MethodGet && r.Permission == ""
	}
	return rs
}

// Changing are the routes of operations that change something.
func (rs Routes) Changing() (out Routes) {
	for _, r := range rs {
		if !r.ReadOnly() {
			out = append(out, r)
		}
	}
	return out
}

// RefuseMisspelt makes routes that change a part of something refuse also members of the
// record that they cannot change: a member that is passed over looks like a change.
func (rs Routes) RefuseMisspelt() Routes {
	for _, r := range rs {
		if r.Method == http.MethodPatch {
			r.Strict, r.strictCode = true, "InvalidValue"
		}
	}
	return rs
}

// Refuse gives the routes their own answer to malformed requests.
func (rs Routes) Refuse(bad twinplatform.Error) Routes {
	for _, r := range rs {
		r.Bad = bad
	}
	return rs
}

// Need gives the routes their own permission.
func (rs Routes) Need(permission string) Routes {
	for _, r := range rs {
		r.Permission = permission
	}
	return rs
}

// Of is the route of an operation.
func (rs Routes) Of(id string) *Route {
	i := slices.IndexFunc(rs, func(r *Route) bool { return r.ID == id })
	return rs[i]
}

// What is in patterns where a route has apart, and in place of the name behind that:
// routes of which the mux is to match the same may call it otherwise.
const (
	apartName  = "apart"
	behindName = "behind"
)

// behindApart is the name that is behind apart in the path of a route.
func (r *Route) behindApart() string {
	_, rest, _ := strings.Cut(r.Path, "/"+r.Apart+"/{")
	name, _, _ := strings.Cut(rest, "}")
	return name
}

// Patterns are what the mux matches for a route: the path with and without a
// slash at its end.
func (r *Route) Patterns() []string {
	p := r.Method + " " + r.At()
	if apart := r.apartAt(); apart != "" {
		before, rest, _ := strings.Cut(p, "/"+apart+"/{"+r.behindApart()+"}")
		p = before + "/{" + apartName + "}/{" + behindName + "}" + named(rest)
	}
	return []string{p, p + "/{$}"}
}

// named is what is behind a segment that is set apart, with names in place of its words.
func named(rest string) string {
	segments := strings.Split(rest, "/")
	for i, segment := range segments {
		if segment != "" && !strings.HasPrefix(segment, "{") {
			segments[i] = fmt.Sprintf("{%s%d}", apartName, i)
		}
	}
	return strings.Join(segments, "/")
}

// Patterns lists the patterns of all routes, as http.ServeMux takes them.
func (rs Routes) Patterns() []string {
	out := make([]string, 0, 2*len(rs))
	for _, r := range rs {
		out = append(out, r.Patterns()...)
	}
	return out
}

// Matches reports whether a request that the mux found the route for is for it.
func (r *Route) Matches(req *http.Request) bool {
	if r.Apart == "" {
		return true
	}
	words := strings.Split(r.At(), "/")
	segments := strings.Split(req.URL.EscapedPath(), "/")
	for at := slices.Index(words, r.apartAt()); at < len(words); at++ {
		if strings.HasPrefix(words[at], "{") {
			continue
		}
		if at >= len(segments) {
			return false
		}
		if segment, err := url.PathUnescape(segments[at]); err != nil || segment != words[at] {
			return false
		}
	}
	return true
}

// pathNames are the names in braces of a path, in order.
func pathNames(path string) []string {
	var names []string
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, "{") {
			names = append(names, strings.Trim(segment, "{}"))
		}
	}
	return names
}

// Succeeding makes the route answer with another status.
func (r *Route) Succeeding(status int) *Route {
	r.Replies[0].Status = status
	return r
}
