package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
)

// noun is what the rows of a family have in common: where the things are, and
// what they are called.
type noun struct {
	path string // of the collection
	// many and one are the keys under which bodies hold several things and one.
	// Operations, ids in the query and the name in the path are called after
	// them: tasks.get, taskIds, {taskId}.
	many, one string
	// things and thing are what summaries say: Task Links, a Task Link.
	things, thing string

	name string // that operations are called after; empty means many
	id   string // name in the path; empty means that of one
}

// each is the path of one thing.
func (n *noun) each() string { return n.path + "/{" + n.idName() + "}" }

func (n *noun) idName() string { return cmp.Or(n.id, n.one+"Id") }

func (n *noun) idsName() string { return n.one + "Ids" }

// operation is one that the specification does not have, until its row says
// otherwise.
func (n *noun) operation(verb, method, path, summary string) Operation {
	return Operation{ID: cmp.Or(n.name, n.many) + "." + verb, Method: method, Path: path, Summary: summary, Origin: Chosen}
}

func (n *noun) lists() Operation {
	return n.operation("list", http.MethodGet, n.path, "List "+n.things)
}

func (n *noun) gets() Operation {
	return n.operation("get", http.MethodGet, n.each(), "Get "+n.thing)
}

func (n *noun) creates() Operation {
	return n.operation("create", http.MethodPost, n.path, "Create "+n.thing)
}

func (n *noun) createsMany() Operation {
	return n.operation("createMany", http.MethodPost, n.path+"/batch", "Create "+n.things)
}

func (n *noun) updates() Operation {
	return n.operation("update", http.MethodPatch, n.each(), "Update "+n.thing)
}

func (n *noun) deletes() Operation {
	return n.operation("delete", http.MethodDelete, n.each(), "Delete "+n.thing)
}

func (n *noun) deletesMany() Operation {
	o := n.operation("deleteMany", http.MethodDelete, n.path, "Delete "+n.things)
	o.Query = []Parameter{idList(n.idsName())}
	return o
}

// idList is a parameter that lists ids.
func idList(name string) Parameter {
	return Parameter{Name: name, Required: true, Description: "The ids, separated by commas.", is: reflect.TypeFor[[]string]()}
}

// family is the whole surface of a type of record that something holds: its list
// with filters and changes, and one record to get, create, update and delete,
// with ETags. Rows that differ are changed, and rows that go beyond are added,
// by the caller.
func family[Q, T, N, P any, PQ query[Q]](
	n *noun,
	lists func(ctx context.Context, in string, q Q) (twinplatform.Page[T], error),
	gets func(ctx context.Context, in, id string) (twinplatform.Record[T], error),
	creates func(ctx context.Context, in string, n N) (twinplatform.Result[T], error),
	updates func(ctx context.Context, in, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T], error),
	deletes func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error),
	filters ...filter,
) rows {
	return rows{
		listIn[Q, T, PQ](n, paging{}, lists, filters...), getIn(n, gets), createIn(n, creates), updateIn(n, updates), deleteIn(n, deletes),
	}
}
