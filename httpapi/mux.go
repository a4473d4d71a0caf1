package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// muxes are those made so far. A mux takes a hundred times as long to make as
// everything else of a handler, and depends on nothing but the patterns: a program
// that makes a handler for each of its tests makes one mux. There are no more than
// choices of areas and vocabularies.
var muxes sync.Map // of *http.ServeMux by the patterns of a table

// muxOf finds the rows of a table by their number in it.
//
// It fails when paths contradict each other, as those of a vocabulary may.
func muxOf(table rows) (_ *http.ServeMux, err error) {
	key := strings.Join(table.patterns(), "\n")
	if m, ok := muxes.Load(key); ok {
		return m.(*http.ServeMux), nil
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("paths contradict each other: %v", v)
		}
	}()
	mux := http.NewServeMux()
	for i, r := range table {
		for _, pattern := range r.patterns() {
			mux.Handle(pattern, numbered(i))
		}
	}
	mux.Handle("/", unknown)
	m, _ := muxes.LoadOrStore(key, mux)
	return m.(*http.ServeMux), nil
}

// numbered is a row of the table of whatever handler a request came through.
type numbered int

// unknown is the number of no row.
const unknown numbered = -1

// through is a request's way through a mux, which knows of no handler.
type through struct {
	http.ResponseWriter
	h *Handler
}

// ServeHTTP implements http.Handler.
func (n numbered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	way := w.(*through)
	way.h.route(n).ServeHTTP(way.ResponseWriter, r)
}

func (h *Handler) route(n numbered) route {
	if n == unknown {
		return route{h, nil}
	}
	return route{h, h.rows[n]}
}
