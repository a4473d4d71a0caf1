package httpapi

// The route table. Everything that the handler knows of an operation is in its
// row: the mux, the OpenAPI document, the names in logs and journals are made
// from the rows, and one function, op, turns requests into answers.
//
// To add a family of operations, write a file named after its noun with a
// function that returns its rows, and name that function in the area's table:
//
//	func baselineRows(svc *schedules.Service) []*row {
//		return []*row{
//			list(Operation{ID: "baselines.list", Method: "GET", Path: scheduleBaselines,
//				Summary: "List Baselines", Addition: true}, paging{}, "baselines",
//				func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Baseline], error) {
//					return svc.Baselines(ctx, x.path("scheduleId"), schedules.BaselineQuery{ListOptions: o})
//				}),
//			…
//		}
//	}
//
// The builders, each for one shape of answer:
//
//	list      a page: {"tasks": […], "_links": {self, next}}
//	get       one record: {"task": {…}}, with ETag and 304
//	create    201 {"task": {…}} with ETag and Location; 202 while it is not done
//	change    200 {"task": {…}} with ETag; 202 while it is not done
//	assign    as change, with Operation-Id and Operation-Location
//	batch     200 {"batch": [{…}]}; 202 while it is not done
//	accept    always 202 {"operation": {id}, "task": {id}, "_links": {…}}
//	remove    always 202, without a body in the request
//	discard   204
//	op        anything else
//
// The call of a row hands path values (x.path), filters (x.query), lists of ids
// (x.ids) and the decoded body to the service and returns what the service
// does. It checks nothing: that is the domain's work. Filters and other query
// parameters are named in Operation.Query; one that is not named there is
// ignored, one that is given twice is refused.
//
// An area holds what its rows have in common: the error of a malformed request,
// the scopes, the permissions, where its operations can be asked for. A row
// that differs sets its own before it is returned.

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Operation is what there is to know about one operation of the API.
type Operation struct {
	// ID is the name of the operation: that of the specification (S11) where
	// it has one, else a speaking one (tasks.list).
	ID string
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
	// Version is that of the media type which clients are recommended to accept.
	Version int
	// Prefers marks a list that gives whole records instead of short ones to
	// whoever asks for them with the header Prefer: return=representation.
	Prefers bool
	// Preview marks a technical preview: not for production use.
	Preview bool
	// Deprecated marks what new clients should not use.
	Deprecated bool
	// Addition marks what the specification does not have.
	Addition bool
}

// Parameter is a query parameter of an operation.
type Parameter struct {
	Name        string
	Description string
	Required    bool
	// Number marks a parameter that is a whole number; any other is text.
	Number bool

	alias string // another spelling
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
	// strict refuses bodies with members that the operation does not know, with
	// a detail of this code; an empty one means InvalidRequestBody.
	strict     bool
	strictCode string
	// raw marks a body that is not JSON and that the row itself reads.
	raw bool
	// apart is the segment of Path that the mux is given as a name, where Path
	// as it stands would contradict a path with a name in this place. Requests
	// with anything else there are for no operation.
	apart string
	// operations is the path under which the area's long-running operations
	// are asked for, with {operationId} in the place of their id.
	operations string

	forbids bool         // whether it can be answered with 403
	in      reflect.Type // of the body; nil: none is read
	shape   *shape       // of in
	replies []reply      // the successful ones
	serve   func(context.Context, *exchange) error
}

// reply describes a successful answer for the OpenAPI document.
type reply struct {
	status  int
	schema  func(*schemas) map[string]any // nil: no body
	headers []string
}

// patterns are what the mux matches for a row: the path with and without a
// slash at its end.
func (r *row) patterns() []string {
	p := r.Method + " " + r.Path
	if r.apart != "" {
		p = strings.Replace(p, "/"+r.apart+"/", "/{"+r.apart+"}/", 1)
	}
	return []string{p, p + "/{$}"}
}

// of reports whether a request that the mux found the row for is for it.
func (r *row) of(req *http.Request) bool {
	if r.apart == "" {
		return true
	}
	before, _, _ := strings.Cut(r.Path, r.apart+"/")
	return strings.HasPrefix(req.URL.Path, before+r.apart+"/")
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
	rows         []*row
}

// table returns the rows with what they have in common filled in.
func (a area) table() []*row {
	for _, r := range a.rows {
		r.Area = a.name
		if r.Scopes == nil {
			r.Scopes = a.scopes
		}
		if r.Version == 0 {
			r.Version = max(a.version, 1)
		}
		// Whoever may read nothing here is told that there is nothing; what needs
		// more than that can be forbidden.
		r.forbids = r.Method != http.MethodGet || r.Permission != "" && r.Permission != "none"
		if r.Permission == "" {
			r.Permission = a.modify
			if r.Method == http.MethodGet {
				r.Permission = a.read
			}
		}
		if r.bad.Code == "" {
			r.bad = a.bad
		}
		if r.operations == "" {
			r.operations = a.operations
		}
		if r.in != nil {
			r.shape = shapeOf(r.in)
		}
	}
	return a.rows
}

// op is the only place where a request becomes an answer.
func op[In, Out any](
	o Operation,
	decode func(*exchange) (In, error),
	call func(context.Context, *exchange, In) (Out, error),
	encode func(*exchange, Out) error,
) *row {
	return &row{Operation: o, serve: func(ctx context.Context, x *exchange) error {
		in, err := decode(x)
		if err != nil {
			return err
		}
		out, err := call(ctx, x, in)
		if err != nil {
			return x.spelt(err)
		}
		return encode(x, out)
	}}
}

// Operations lists every operation that the package can serve, in the order of
// the route table.
func Operations() []Operation {
	var rows []*row
	for _, a := range (Config{}).areas() {
		rows = append(rows, a.table()...)
	}
	return operations(append(rows, documentRow(nil)))
}

func operations(rows []*row) []Operation {
	out := make([]Operation, len(rows))
	for i, r := range rows {
		out[i] = r.Operation
		out[i].Scopes = slices.Clone(r.Scopes)
		out[i].Query = slices.Clone(r.Query)
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
