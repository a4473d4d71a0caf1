package httpapi

// The route table. Everything that the handler knows of an operation is in its
// row: the mux, the OpenAPI document, the names in logs and journals are made
// from the rows, and one function, op, turns requests into answers.
//
// To add a type of record, write a file named after it with a function that
// returns its rows, and name that function in the area's table:
//
//	func calendarRows(svc *schedules.Service) rows {
//		n := &noun{path: inSchedule + "/calendars", many: "calendars", one: "calendar", things: "Calendars", thing: "a Calendar"}
//		return family(n,
//			bind(svc.In, schedules.Plan.Calendars),
//			bind(svc.In, schedules.Plan.Calendar),
//			bind(svc.In, schedules.Plan.CreateCalendar),
//			bindUpdate(svc.In, schedules.Plan.UpdateCalendar),
//			bindDelete(svc.In, schedules.Plan.DeleteCalendar),
//		)
//	}
//
// Where the whole family is not there, its rows stand one by one. The builders,
// each for one shape of method and of answer; those whose name ends in In are
// for what another thing in the path holds:
//
//	list, listIn, listBelow  a page: {"tasks": […], "_links": {self, next}}
//	window, windowIn         the same, paged by $top and $skip
//	get, getIn               one record: {"task": {…}}, with ETag and 304
//	create, createIn         201 {"task": {…}} with ETag and Location; 202 while it is not done
//	acceptIn                 always 202 {"operation": {id}, "task": {id}, "_links": {…}}
//	createManyIn             200 {"batch": [{…}]}; 202 while it is not done
//	update, updateIn         200 {"task": {…}} with ETag; 202 while it is not done
//	deleteIn, deleteManyIn   always 202, without a body in the request
//	discard, discardIn       204
//	writes, answer, command  a call that takes more from the request
//	takesBytes, givesBytes   bytes as they are
//
// Each says what requests are paid by: a record, a page and bytes count one, and what
// writes or computes by the records that it writes and reads. A row that stands for
// itself, or is dearer than its builder knows, says it by paid.
//
// They are thin: each knows the types of one method, and hands what is left to a
// function without type parameters (listRow, getRow, writeRow …), so that a
// hundred types of body and record do not make a hundred copies of it.
//
// The call of a row is the service's method, or one of a handle that the id in the path
// opens: bind, bindBelow, bindUpdate, bindDelete. It checks nothing: that is the
// domain's work. Filters name the parameters of a list and where they go in the
// service's query; a parameter that is not named there is ignored, one that is
// given with two values is refused.
//
// An area holds what its rows have in common: the error of a malformed request,
// the scopes, the permissions, where its operations can be asked for. A row
// that differs says so: spec, preview, says, needs, as.

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// Operation is what there is to know about one operation of the API.
type Operation struct {
	// ID is the name of the operation, such as tasks.create. Faults, holds, journals,
	// logs, metrics and documents call it by that.
	ID string
	// SpecID is the id that the specification gives the operation, such as S11; empty
	// where it gives none. Whatever takes an ID takes it as well.
	SpecID string
	// Method and Path are the HTTP method and the path below the base URL,
	// with names in braces: /schedules/{scheduleId}/tasks.
	Method, Path string
	// Summary says in a few words what the operation does.
	Summary string
	// Area is the domain that the operation belongs to.
	Area string
	// Scopes are those of which the token must carry one. None means that no
	// token is needed.
	Scopes []string
	// Permission is what the caller must hold, in words.
	Permission string
	// Query are the query parameters that the operation reads.
	Query []Parameter
	// Headers are the headers that say which part of a list is wanted.
	Headers []Parameter
	// Errors are those that the operation is documented to answer with, by status.
	// Operations tells them, OperationOf does not.
	Errors []OperationError
	// Conditional says that the operation changes or deletes records which may be there
	// already, and makes the change only when the headers If-Match and If-None-Match
	// hold of them. Every operation does that is neither a GET nor a POST, and so do
	// those by POST that change what they name. All others refuse If-Match.
	Conditional bool
	// Version is that of the media type which clients are recommended to accept.
	Version int
	// Prefers marks a list that gives whole records instead of short ones to
	// the caller that asks for them with the header Prefer: return=representation.
	Prefers bool
	// Preview marks a technical preview: not for production use.
	Preview bool
	// Deprecated marks what new clients should not use.
	Deprecated bool
	// Origin says whether the specification has the operation.
	Origin Origin
}

// Is reports whether a name is that of the operation, or its id in the specification.
func (o *Operation) Is(name string) bool { return name != "" && (name == o.ID || name == o.SpecID) }

// Origin says where an operation comes from.
type Origin string

// The origins of operations.
const (
	// Specified operations are in the specification, and are as it shows them.
	Specified Origin = "specified"
	// Chosen operations are what one needs to fill the platform and to see what is
	// there. Their form was chosen here, as a user of the others would expect it.
	Chosen Origin = "chosen"
	// Unserved operations are known of the platform and not served: those of
	// [NotImplemented].
	Unserved Origin = "not implemented"
)

// Parameter is a query parameter of an operation, or a header.
type Parameter struct {
	Name        string
	Description string
	Required    bool
	// Number marks a parameter that is a whole number; any other is text.
	Number bool

	// is is the type of the value; nil is that of a text.
	is reflect.Type

	alias  string // another spelling
	target string // what errors of services call it, where it is a header
	most   int    // of a number in a header, which is 1 or more
	// several marks a parameter that takes values separated by commas, and may
	// as well be given once for each.
	several bool
}

// row is an operation and how it is carried out.
type row struct {
	Operation

	// bad is the answer to a malformed request; its details are filled in.
	bad twinplatform.Error
	// noBody is the answer to a request without a body; nil means bad.
	noBody *twinplatform.Error
	// omissible bodies may be left out.
	omissible bool
	// strict refuses also members of the record that a change cannot change, with a
	// detail of this code; an empty one means InvalidRequestBody.
	strict     bool
	strictCode string
	record     reflect.Type    // that it gives back; nil where it gives none
	shows      map[string]bool // members of record that its body may have and nothing reads
	// drifts are members of record that a strict row takes whatever they say: each read tells
	// them otherwise.
	drifts []string
	// detail, when given, puts what is wrong with a property of a body into the
	// area's words.
	detail func(*twinplatform.Detail)
	// raw marks a body that is not JSON and that the row itself reads.
	raw bool
	// apart is the segment of Path that the mux is given as a name, where Path
	// as it stands would contradict a path with a name in this place. Requests
	// with anything else there are for no operation.
	apart string
	// operations is the path under which the area's long-running operations
	// are asked for, with {operationId} in the place of their id.
	operations string
	// complete, when given, adds to the wire form of a record what only the handler
	// knows. value points at the record.
	complete func(x *exchange, value any, stored []byte) ([]byte, error)
	// stored marks a row that gets a record from a service which leaves out its value
	// where it is told that no caller will look at it.
	stored bool
	// pending, when given, is what a 202 is about that the row answers while its
	// work is not done, in an area that has operations.
	pending *subject

	shapes []int // the versions of the media type that are answered in shapes of their own

	cost     cost // what its requests are paid by
	computes bool // each of its requests is a large one

	maxTop, maxBatch int  // as the area's
	nullLinks        bool // as the area's

	forbids bool                // whether it can be answered with 403
	wording *vocabulary.Wording // how it speaks under a vocabulary; nil: as the specification
	short   reflect.Type        // of the records of a list for the caller that does not prefer whole ones; nil: always whole
	in      reflect.Type        // of the body; nil: none is read
	shape   *shape.Shape        // of in
	given   string              // a member of in that this row needs, and others with the same body do not
	names   []string            // in braces in Path
	replies []reply             // the successful ones
	serve   func(context.Context, *exchange) error
}

// reply describes a successful answer for the OpenAPI document.
type reply struct {
	status  int
	schema  func(*document.Schemas) map[string]any // nil: no body
	headers []string                               // that it always has
	perhaps []string                               // that it has where there is something to tell
}

// notModified is the answer to whoever has the version that is asked for.
var notModified = reply{status: http.StatusNotModified, headers: []string{"ETag"}}

// named gives the row an id of its own, where that of its noun is another's.
func (r *row) named(id string) *row {
	r.ID = id
	return r
}

// shortly notes what a list gives to the caller that does not prefer whole records.
func (r *row) shortly(record reflect.Type) *row {
	r.short = record
	return r
}

// as makes the row that of another operation than its noun's.
func (r *row) as(o Operation) *row {
	o.Query = append(o.Query, r.Query...)
	r.Operation = o
	return r
}

// spec says which operation of the specification the row is.
func (r *row) spec(id string) *row {
	r.SpecID = id
	return r.documented()
}

// documented marks an operation that the specification has without an id.
func (r *row) documented() *row {
	r.Origin = Specified
	return r
}

// preview marks a technical preview.
func (r *row) preview() *row {
	r.Preview = true
	return r
}

// says gives the row a summary of its own.
func (r *row) says(summary string) *row {
	r.Summary = summary
	return r
}

// needs gives the row a permission of its own.
func (r *row) needs(permission string) *row {
	r.Permission = permission
	return r
}

// needing notes a member of the body that only some operations with it need.
func (r *row) needing(member string) *row {
	r.given = member
	return r
}

// mayPend notes what the row's 202 is about.
func (r *row) mayPend(about subject) *row {
	r.pending = &about
	return r
}

// reads notes what the row's body is read as; a GET has none.
func (r *row) reads(body reflect.Type) *row {
	if r.Method != http.MethodGet && body != reflect.TypeFor[nothing]() {
		r.in = body
	}
	return r
}

// unversioned notes that answers of the row have no version: no ETag, and none to be
// compared with.
func (r *row) unversioned() *row {
	r.replies = slices.DeleteFunc(r.replies, func(a reply) bool { return a.status == http.StatusNotModified })
	for i := range r.replies {
		r.replies[i].headers = slices.DeleteFunc(r.replies[i].headers, func(name string) bool { return name == "ETag" })
	}
	return r
}

// onRecord marks a POST that changes a record which may be there already.
func (r *row) onRecord() *row {
	r.Conditional = true
	return r
}

// rows are those of a family.
type rows []*row

// strict makes the rows refuse also members of the record that they cannot change, and
// all that they refuse with a detail of this code.
func (rs rows) strict(code string) rows {
	for _, r := range rs {
		r.strict, r.strictCode = true, code
	}
	return rs
}

// asStored notes that the services of the rows know wire.Only.
func (rs rows) asStored() rows {
	for _, r := range rs {
		r.stored = true
	}
	return rs
}

// reading reports whether the operation changes nothing.
func (r *row) reading() bool { return r.Method == http.MethodGet || r.Method == http.MethodOptions }

// changing are the rows of operations that change something.
func (rs rows) changing() (out rows) {
	for _, r := range rs {
		if !r.reading() {
			out = append(out, r)
		}
	}
	return out
}

// refuseMisspelt makes rows that change a part of something refuse also members of the
// record that they cannot change: a member that is passed over looks like a change.
func (rs rows) refuseMisspelt() rows {
	for _, r := range rs {
		if r.Method == http.MethodPatch {
			r.strict, r.strictCode = true, "InvalidValue"
		}
	}
	return rs
}

// refuse gives the rows an answer of their own to malformed requests.
func (rs rows) refuse(bad twinplatform.Error) rows {
	for _, r := range rs {
		r.bad = bad
	}
	return rs
}

// need gives the rows a permission of their own.
func (rs rows) need(permission string) rows {
	for _, r := range rs {
		r.Permission = permission
	}
	return rs
}

// of is the row of an operation.
func (rs rows) of(id string) *row {
	i := slices.IndexFunc(rs, func(r *row) bool { return r.ID == id })
	return rs[i]
}

// What stands in patterns where a row has apart, and in the place of the name behind
// that: rows of which the mux is to match the same may call it otherwise.
const (
	apartName  = "apart"
	behindName = "behind"
)

// behindApart is the name that stands behind apart in the path of a row.
func (r *row) behindApart() string {
	_, rest, _ := strings.Cut(r.Path, "/"+r.apart+"/{")
	name, _, _ := strings.Cut(rest, "}")
	return name
}

// patterns are what the mux matches for a row: the path with and without a
// slash at its end.
func (r *row) patterns() []string {
	p := r.Method + " " + r.at()
	if apart := r.apartAt(); apart != "" {
		p = strings.Replace(p, "/"+apart+"/{"+r.behindApart()+"}", "/{"+apartName+"}/{"+behindName+"}", 1)
	}
	return []string{p, p + "/{$}"}
}

// patterns are those of all rows.
func (rs rows) patterns() []string {
	out := make([]string, 0, 2*len(rs))
	for _, r := range rs {
		out = append(out, r.patterns()...)
	}
	return out
}

// of reports whether a request that the mux found the row for is for it.
func (r *row) of(req *http.Request) bool {
	if r.apart == "" {
		return true
	}
	at := slices.Index(strings.Split(r.at(), "/"), r.apartAt())
	segments := strings.Split(req.URL.EscapedPath(), "/")
	if at >= len(segments) {
		return false
	}
	segment, err := url.PathUnescape(segments[at])
	return err == nil && segment == r.apartAt()
}

// area is a domain as it is served.
type area struct {
	name string
	// served says whether there is a service behind the rows.
	served bool
	scopes []string
	// read and modify are the permissions of GET and of all other methods.
	read, modify string
	version      int // of the media type; 0 means 1
	bad          twinplatform.Error
	operations   string
	// nullLinks says that links which lead nowhere are written as null. In other
	// areas they are left out: clients refuse a next page that is null.
	nullLinks bool
	// rows makes the rows; the name of the area says which they are.
	rows func() rows
	// maxTop is the largest page of its lists, maxBatch how many things one
	// request may be about.
	maxTop, maxBatch int
}

// table returns the rows with what they have in common filled in.
func (a area) table() rows {
	table := a.rows()
	for _, r := range table {
		a.complete(r)
	}
	return table
}

// complete fills in what a row has not said of itself.
func (a area) complete(r *row) {
	// A caller that may read nothing here is told that there is nothing; what needs
	// more than that can be forbidden.
	r.forbids = !r.reading() || r.Permission != "" && r.Permission != "none"
	common := a.modify
	if r.reading() {
		common = a.read
	}
	r.Area, r.names, r.maxTop, r.maxBatch, r.nullLinks = a.name, pathNames(r.Path), a.maxTop, a.maxBatch, a.nullLinks
	r.Conditional = r.Conditional || !r.reading() && r.Method != http.MethodPost
	r.Permission = cmp.Or(r.Permission, common)
	r.Version = cmp.Or(r.Version, a.version, 1)
	r.operations = cmp.Or(r.operations, a.operations)
	if r.Scopes == nil {
		r.Scopes = a.scopes
	}
	if r.bad.Code == "" {
		r.bad = a.bad
	}
	if r.pending != nil && r.operations != "" {
		r.replies = append(r.replies, acceptedReply(*r.pending))
	}
	if r.in != nil {
		r.shape = shape.Of(r.in)
		r.showing()
	}
}

// Operations lists every operation that the package can serve, in the order of
// the route table.
func Operations() []Operation { return operations(everyRow()) }

// everyRow is the table of all areas without services.
func everyRow() (all rows) {
	for _, a := range append((Config{}).areas(), documentArea(nil)) {
		all = append(all, a.table()...)
	}
	return all
}

func operations(all rows) []Operation {
	out := make([]Operation, len(all))
	for i, r := range all {
		out[i] = r.Operation
		out[i].Scopes = slices.Clone(r.Scopes)
		out[i].Query = slices.Clone(r.Query)
		out[i].Errors = r.errorsOf()
	}
	return out
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
