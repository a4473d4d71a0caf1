// Package route builds the route table. Everything that the handler knows of an operation
// is in its [cycle.Route]: the mux, the OpenAPI document, the names in logs and journals are
// made from the routes, and one function, [cycle.Server.Answer], turns requests into answers.
//
// To add a type of record, write a file named after it in the package of its area
// (httpapi/internal/routes) with a function that returns its routes, and name that function
// in the area's table:
//
//	func calendarRoutes(svc *schedules.Service) cycle.Routes {
//		n := &route.Resource{Path: route.Schedule + "/calendars", Many: "calendars", One: "calendar", Plural: "Calendars", Singular: "a Calendar"}
//		return route.Family(n,
//			route.Bind(svc.In, schedules.Plan.Calendars),
//			route.Bind(svc.In, schedules.Plan.Calendar),
//			route.On(svc.In, schedules.Plan.CreateCalendar),
//			route.On(svc.In, schedules.Plan.UpdateCalendar),
//			route.BindDelete(svc.In, schedules.Plan.DeleteCalendar),
//		)
//	}
//
// Where the whole family is not there, its routes stand one by one. The builders, each
// for one shape of method and of answer; those whose name ends in In are for what another
// record in the path holds:
//
//	List, ListIn, ListBelow  a page: {"tasks": […], "_links": {self, next}}
//	Window, WindowIn         the same, paged by $top and $skip
//	Get, GetIn               one record: {"task": {…}}, with ETag and 304
//	Create, CreateIn         201 {"task": {…}} with ETag and Location; 202 while it is not done
//	AcceptIn                 always 202 {"operation": {id}, "task": {id}, "_links": {…}}
//	CreateManyIn             200 {"batch": [{…}]}; 202 while it is not done
//	Update, UpdateIn         200 {"task": {…}} with ETag; 202 while it is not done
//	DeleteIn, DeleteManyIn   always 202, without a body in the request
//	Discard, DiscardIn       204
//	Writes, Answer, Command  a call that takes more from the request
//	TakesBytes, GivesBytes   bytes as they are
//
// Each reports what requests are paid by: a record, a page and bytes count one, and what
// writes or computes by the records that it writes and reads. A route that stands for
// itself, or is dearer than its builder knows, says it by Paid.
//
// They are thin: each knows the types of one method, decodes what that takes, calls it and
// encodes what it returns. What needs no types is in functions without type parameters
// (listRoute, GetRoute, writeRoute …).
//
// The call of a route is the service's method, or one of a handle that the id in the path
// opens: On, Makes and Changes for what creates and updates, Bind, BindBelow and BindDelete
// for the rest. It checks nothing: that is the domain's work. Filters name the parameters of a list and where they go in the
// service's query; a parameter that is not named there is ignored, one that is
// given with two values is refused.
//
// An area holds what its routes have in common: the error of a malformed request, the
// scopes, the permissions, where its operations can be asked for. A route that differs
// declares it: AsSpecified, AsPreview, Summarized, Needs, As.
package route

import (
	"cmp"
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// Resource is what the routes of a family have in common: where the records are, and
// their names.
type Resource struct {
	Path string // of the collection
	// Many and one are the keys under which bodies hold several records and one.
	// Operations, ids in the query and the name in the path are named after them:
	// tasks.get, taskIds, {taskId}.
	Many, One string
	// Plural and singular are the names in summaries: Task Links, a Task Link.
	Plural, Singular string

	Name string // that operations are called after; empty means many
	ID   string // name in the path; empty means that of one
}

// Each is the path of one record.
func (n *Resource) Each() string { return n.Path + "/{" + n.idName() + "}" }

func (n *Resource) idName() string { return cmp.Or(n.ID, n.One+"Id") }

func (n *Resource) idsName() string { return n.One + "Ids" }

// Operation is one that the specification does not have, until its route says
// otherwise.
func (n *Resource) Operation(verb, method, path, summary string) cycle.Operation {
	return cycle.Operation{
		ID: cmp.Or(n.Name, n.Many) + "." + verb, Method: method, Path: path, Summary: summary,
		Origin: cycle.Chosen,
	}
}

// Lists is the list.
func (n *Resource) Lists() cycle.Operation {
	return n.Operation("list", http.MethodGet, n.Path, "List "+n.Plural)
}

// Gets is the one that gets a record.
func (n *Resource) Gets() cycle.Operation {
	return n.Operation("get", http.MethodGet, n.Each(), "Get "+n.Singular)
}

// Creates is the one that makes a record.
func (n *Resource) Creates() cycle.Operation {
	return n.Operation("create", http.MethodPost, n.Path, "Create "+n.Singular)
}

// CreatesMany is the one that makes a batch of records.
func (n *Resource) CreatesMany() cycle.Operation {
	return n.Operation("createMany", http.MethodPost, n.Path+"/batch", "Create "+n.Plural)
}

// Updates is the one that changes a record.
func (n *Resource) Updates() cycle.Operation {
	return n.Operation("update", http.MethodPatch, n.Each(), "Update "+n.Singular)
}

// Deletes is the one that deletes a record.
func (n *Resource) Deletes() cycle.Operation {
	return n.Operation("delete", http.MethodDelete, n.Each(), "Delete "+n.Singular)
}

// DeletesMany is the one that deletes several records.
func (n *Resource) DeletesMany() cycle.Operation {
	o := n.Operation("deleteMany", http.MethodDelete, n.Path, "Delete "+n.Plural)
	o.Query = []cycle.Parameter{IDList(n.idsName())}
	return o
}

// IDList is a parameter that lists ids.
func IDList(name string) cycle.Parameter {
	return cycle.WithTraits(cycle.Parameter{Name: name, Required: true, Description: "The ids, separated by commas."},
		cycle.Traits{Type: reflect.TypeFor[[]string]()})
}

// Family is the whole surface of a type of record that something holds: its list
// with filters and changes, and one record to get, create, update and delete,
// with ETags. Routes that differ are changed, and routes that go beyond are added,
// by the caller.
func Family[H, Q, T, N, P any, PQ query[Q]](
	n *Resource,
	lists func(ctx context.Context, in string, q Q) (twinplatform.Page[T], error),
	gets func(ctx context.Context, in, id string) (twinplatform.Record[T], error),
	creates Making[H, N, T],
	updates Changing[H, P, T],
	deletes func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error),
	filters ...Filter,
) cycle.Routes {
	return cycle.Routes{
		ListIn[Q, T, PQ](n, cycle.Paging{}, lists, filters...), GetIn(n, gets), CreateIn(n, creates), UpdateIn(n,
			updates), DeleteIn(n, deletes),
	}
}
