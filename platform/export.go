package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Export returns the world that the platform holds, as one moment of it: Seed
// makes the same of it in an empty store. What a World does not hold is not
// exported. Large stores take memory in proportion.
//
// It reads everything without checking permissions, and is for the program itself.
func (p *Platform) Export(ctx context.Context) (*World, error) {
	areas, err := p.asSystem()
	if err != nil {
		return nil, err
	}
	w := new(World)
	err = records.New(p.store).View(ctx, func(v *records.View) error {
		*w = World{} // the function may run again
		e := &exporter{Platform: areas, world: w}
		e.export(v.Within(ctx))
		return e.err
	})
	if err != nil {
		return nil, fmt.Errorf("exporting: %w", err)
	}
	return w, nil
}

// exporter collects a world. Its first error ends it: what is collected after that
// is nothing.
type exporter struct {
	*Platform

	world *World
	err   error
}

func (e *exporter) export(ctx context.Context) {
	e.twins(ctx)
	for _, t := range e.world.Twins {
		e.rolesAndMembers(ctx, t.ID)
		e.repositories(ctx, t.ID)
		within, _ := e.within(ctx, t.ID)
		e.models(within, t.ID)
		e.configurations(ctx, t.ID)
		e.schedules(within, t.ID)
		e.forms(ctx, t.ID)
	}
	e.definitions(ctx)
	e.realityData(ctx)
	e.detectors(ctx)
}

// failed keeps the first error, and reports whether there was one.
func (e *exporter) failed(err error) bool {
	if e.err == nil {
		e.err = err
	}
	return e.err != nil
}

// options say which page of a list is wanted.
type options = twinplatform.ListOptions

// wirePage is a page of records of any type.
type wirePage struct {
	records [][]byte
	next    string
}

// wire forgets of what type the records of a page are.
func wire[T any](p twinplatform.Page[T], err error) (wirePage, error) {
	return wirePage{p.JSON(), p.Next}, err
}

// list decodes the records of all pages into a slice of what has members of the
// same names: what a create request lacks is the platform's.
func (e *exporter) list(slice any, fetch func(options) (wirePage, error)) {
	var all [][]byte
	for o := (options{}); e.err == nil; {
		page, err := fetch(o)
		if e.failed(err) {
			return
		}
		all = append(all, page.records...)
		if o.Continuation = page.next; page.next == "" {
			e.failed(json.Unmarshal(bytes.Join([][]byte{{'['}, bytes.Join(all, []byte{','}), {']'}}, nil), slice))
			return
		}
	}
}

// dated is when a record says that it was made or changed: null where it does not.
func dated(d twinplatform.DateTime) date {
	if d.IsZero() {
		return twinplatform.Null[twinplatform.DateTime]()
	}
	return twinplatform.Set(d)
}

// values are the records of a list, with what the wire does not show.
func values[T any](e *exporter, list iter.Seq2[T, error]) (all []T) {
	for record, err := range list {
		if e.failed(err) {
			return nil
		}
		all = append(all, record)
	}
	return all
}

// recast makes what has members of the same names of a record.
func (e *exporter) recast(record, to any) {
	b, err := json.Marshal(record)
	if !e.failed(err) {
		e.failed(json.Unmarshal(b, to))
	}
}
