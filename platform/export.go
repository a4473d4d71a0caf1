package platform

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Export returns the world that the platform holds, as one moment of it: Seed
// makes the same of it in an empty store. What a World does not hold is not
// exported. Large stores take memory in proportion.
//
// It reads everything, whoever asks, and is for the program itself.
func (p *Platform) Export(ctx context.Context) (*World, error) {
	cfg := p.cfg
	cfg.Env.Authorizer, cfg.Env.Background = insiders{}, false
	areas, err := New(p.store, cfg) // not to be closed: the store is p's
	if err != nil {
		return nil, err
	}
	w := new(World)
	err = records.New(p.store).View(ctx, func(v *records.View) error {
		*w = World{} // the function may run again
		return (&exporter{Platform: areas, world: w}).export(v.Within(ctx))
	})
	if err != nil {
		return nil, fmt.Errorf("exporting: %w", err)
	}
	return w, nil
}

// exporter collects a world.
type exporter struct {
	*Platform

	world *World
}

func (e *exporter) export(ctx context.Context) error {
	for _, list := range []func(context.Context) error{
		e.twins, e.rolesAndMembers, e.models, e.definitions, e.forms, e.realityData, e.detectors, e.schedules,
	} {
		if err := list(ctx); err != nil {
			return err
		}
	}
	return nil
}

// every collects the records of all pages, as as makes them of a record and its
// wire form.
func every[T, N any](fetch func(twinplatform.ListOptions) (twinplatform.Page[T], error), as func(T, []byte) (N, error)) (out []N, err error) {
	var o twinplatform.ListOptions
	for {
		page, err := fetch(o)
		if err != nil {
			return nil, err
		}
		values, err := page.Values()
		if err != nil {
			return nil, err
		}
		for i, wire := range page.JSON() {
			n, err := as(values[i], wire)
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		}
		if page.Next == "" {
			return out, nil
		}
		o.Continuation = page.Next
	}
}

// asked is every for records whose create request has members of the same names:
// what the request lacks is the platform's.
func asked[T, N any](fetch func(twinplatform.ListOptions) (twinplatform.Page[T], error)) ([]N, error) {
	return every(fetch, func(_ T, wire []byte) (n N, err error) { return n, json.Unmarshal(wire, &n) })
}

// values is every for records that stand in a world as they are.
func values[T any](fetch func(twinplatform.ListOptions) (twinplatform.Page[T], error)) ([]T, error) {
	return every(fetch, func(v T, _ []byte) (T, error) { return v, nil })
}
