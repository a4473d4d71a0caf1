package httpapi

import (
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// speaking returns a table in the words of a vocabulary; nil where that has no names.
func (v Vocabulary) speaking(table cycle.Routes) (*vocabulary.Dialect, error) {
	if v.words().Key() == "" {
		return nil, nil
	}
	return v.words().Speak(named(table), named(everyRoute()), ownHeaders)
}

// named are the routes as a vocabulary knows them.
func named(rs cycle.Routes) []vocabulary.Operation {
	out := make([]vocabulary.Operation, len(rs))
	for i, bodies := range bodiesOf(rs) {
		r := rs[i]
		o := vocabulary.Operation{
			ID: r.ID, Method: r.Method, Path: r.Path, Area: r.Area, Operations: r.Operations, Apart: r.Apart,
			InPath: r.PathNames, Reads: r.Shape, Bodies: bodies,
		}
		for _, p := range r.Query {
			o.Query = append(o.Query, vocabulary.Parameter{
				Name: p.Name, Alias: cycle.TraitsOf(&p).Alias,
				Enumerates: cycle.Enumerates(&p), Expression: cycle.TakesExpression(&p),
			})
		}
		for _, e := range route.Errors(r) {
			o.Codes = append(o.Codes, e.Code)
		}
		out[i] = o
	}
	return out
}

// describedBodies are the bodies of the tables that were asked for, by their patterns.
// Describing a table takes longer than all else of a handler.
var describedBodies sync.Map // of []vocabulary.Bodies

// bodiesOf returns the bodies of a table, route by route.
func bodiesOf(table cycle.Routes) []vocabulary.Bodies {
	key := strings.Join(table.Patterns(), "\n")
	if known, ok := describedBodies.Load(key); ok {
		return known.([]vocabulary.Bodies)
	}
	bodies := vocabulary.BodiesIn(document.Of(api(), described(table)), twins.Permissions())
	out := make([]vocabulary.Bodies, len(table))
	for i, r := range table {
		out[i] = bodies(r.Method, r.Path)
	}
	known, _ := describedBodies.LoadOrStore(key, out)
	return known.([]vocabulary.Bodies)
}

// ownHeaders are the headers that the platform has and HTTP has not.
var ownHeaders = []string{
	RequestIDHeader, "Continuation-Token", "Delta-Token", "Operation-Id", "Operation-Location", route.Queueing,
	route.MaxReturn, route.QueryScope,
}

// Worded is an error as clients of an operation see it under the handler's vocabulary, for
// handlers around this one that refuse requests in its place. The operation is an id, such
// as tasks.create, or empty. Without a vocabulary it is err itself.
func (h *Handler) Worded(operation string, err *twinplatform.Error) *twinplatform.Error {
	if h.dialect == nil {
		return err
	}
	l, w := h.dialect.Of(""), (*vocabulary.Wording)(nil)
	table := h.routes()
	if i := slices.IndexFunc(table, func(r *cycle.Route) bool { return r.ID == operation }); i >= 0 {
		w = table[i].Wording
		l = w.Lexicon
	}
	return l.Coded(w.Worded(err))
}
