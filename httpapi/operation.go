package httpapi

import (
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
)

// Operation is what there is to know about one operation of the API:
//
//	ID           string            its name, such as tasks.create, by which faults, holds, journals, logs,
//	                               metrics and documents call it
//	SpecID       string            the id that the specification gives it, such as S11; empty where it gives
//	                               none. Whatever takes an ID takes it as well
//	Method       string            of HTTP
//	Path         string            below the base URL, with names in braces: /schedules/{scheduleId}/tasks
//	Summary      string            what the operation does, in a few words
//	Area         string            the domain that it belongs to
//	Scopes       []string          of which the token must carry one; none means that no token is needed
//	Permission   string            what the caller must hold, in words
//	Query        []Parameter       the query parameters that it reads
//	Headers      []Parameter       the headers that say which part of a list is wanted
//	Errors       []OperationError  that it is documented to answer with, by status. [Operations] tells them,
//	                               [Handler.OperationOf] does not
//	Conditional  bool              it changes or deletes records which may be there already, and makes the
//	                               change only when If-Match and If-None-Match hold of them. Every operation
//	                               does that is neither a GET nor a POST, and so do those by POST that change
//	                               what they name. All others refuse If-Match
//	Version      int               of the media type which clients are recommended to accept
//	Prefers      bool              a list that gives whole records instead of short ones to the caller that
//	                               asks for them with the header Prefer: return=representation
//	Preview      bool              a technical preview: not for production use
//	Deprecated   bool              what new clients should not use; its answers say so, see Successor
//	Successor    string            the ID of the operation that takes the place of a deprecated one. Answers have its
//	                               address as a Link with the relation successor-version, and Deprecation (RFC 9745)
//	Origin       Origin            whether the specification has the operation
//
// Its method Is(name string) bool reports whether a name is its ID, or its SpecID.
type Operation = cycle.Operation

// Parameter is a query parameter of an operation, or a header:
//
//	Name         string
//	Description  string
//	Required     bool
//	Number       bool    it is a whole number; any other is text
type Parameter = cycle.Parameter

// OperationError is an error that an operation is documented to answer with:
//
//	Status   int     of the answer, such as 404
//	Code     string  such as TaskNotFound
//	Target   string  the parameter of the path that is at fault; empty for what is at fault otherwise
//	Message  string  what an answer says that has nothing more to tell
type OperationError = cycle.OperationError

// Origin is where an operation comes from. It is a string.
type Origin = cycle.Origin

// The origins of operations.
const (
	// Specified operations are in the specification, and are as it shows them.
	Specified = cycle.Specified
	// Chosen operations are what one needs to fill the platform and to see what is
	// there. Their form was chosen here, as a user of the others would expect it.
	Chosen = cycle.Chosen
	// Unserved operations are known of the platform and not served: those of
	// [NotImplemented].
	Unserved = cycle.Unserved
)

// Operations lists every operation that the package can serve, in the order of
// the route table.
func Operations() []Operation { return cloned(everyOperation()) }

// everyRoute is the table of all areas without services, which nothing changes.
var everyRoute = sync.OnceValue(func() (all cycle.Routes) {
	for _, a := range append((Config{}).areas(), documentArea(nil)) {
		all = append(all, a.Table()...)
	}
	return all
})

// everyOperation lists the operations of everyRoute. It is made once, since it is long and
// never changes.
var everyOperation = sync.OnceValue(func() []Operation { return operations(everyRoute()) })

func operations(all cycle.Routes) []Operation {
	out := make([]Operation, len(all))
	for i, r := range all {
		out[i] = r.Operation
		out[i].Errors = route.Errors(r)
	}
	return out
}

// cloned are operations that a caller may change.
func cloned(all []Operation) []Operation {
	out := slices.Clone(all)
	for i := range out {
		o := &out[i]
		o.Scopes, o.Query, o.Headers, o.Errors = slices.Clone(o.Scopes), slices.Clone(o.Query), slices.Clone(o.Headers),
			slices.Clone(o.Errors)
	}
	return out
}
