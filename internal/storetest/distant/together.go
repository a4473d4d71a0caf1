package distant

import (
	"context"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// Together is a store that makes the Updates of several callers in one transaction, and counts
// the journeys of that, as storage/postgres does with those that wait for one key and read more than
// once: at first all functions run over the snapshot, and what each asks for at a time goes in one
// journey with what the others ask for; then they run one after the other, each over what those before
// it have written, and what one of them reads then that was not read before is a journey of its own.
type Together struct {
	*Store

	// Serial is called with what a function asks for that runs over what others have written,
	// and that was not read for the group before; unless it is nil.
	Serial func(keys []string, ranges []storage.Range)

	mu       sync.Mutex // guards the fields below
	wanted   int
	waiting  []*waiter
	journeys int
}

// waiter is an Update that waits for the others.
type waiter struct {
	ctx    context.Context //nolint:containedctx // of a call under way
	fn     func(storage.Writer) error
	result chan error
}

// Each makes n calls at once, each with its number, whose Updates are made together, and returns
// how many journeys these have taken. All make equally many Updates.
func (d *Together) Each(n int, call func(i int)) (journeys int) {
	d.mu.Lock()
	d.wanted, d.journeys = n, 0
	d.mu.Unlock()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { call(i) })
	}
	all.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = 0
	return d.journeys
}

// Update implements storage.Store.
func (d *Together) Update(ctx context.Context, fn func(storage.Writer) error) error {
	d.mu.Lock()
	if d.wanted == 0 {
		d.mu.Unlock()
		return d.Store.Update(ctx, fn)
	}
	w := &waiter{ctx, fn, make(chan error, 1)}
	d.waiting = append(d.waiting, w)
	if len(d.waiting) == d.wanted {
		d.group(d.waiting)
		d.waiting = nil
	}
	d.mu.Unlock()
	return <-w.result
}

// group makes Updates in one transaction.
func (d *Together) group(all []*waiter) {
	results := make([]error, len(all))
	err := d.Store.Store.Update(context.WithoutCancel(all[0].ctx), func(inner storage.Writer) error {
		snapshot, recall := &line{to: Over(nil), r: inner}, engine.NewRecall()
		var none, layers engine.Layers
		scouts, most := make([]*engine.RemoteWriter, len(all)), 0
		for i, w := range all {
			asks := &asking{snapshot: snapshot, recall: recall}
			scouts[i], results[i] = w.run(&none, asks)
			most = max(most, asks.journeys)
		}
		for i, w := range all {
			if layers.Len() > 0 && results[i] == nil {
				asks := &asking{snapshot: snapshot, recall: recall, serial: true, read: d.Serial}
				scouts[i], results[i] = w.run(&layers, asks)
				most += asks.journeys
			}
			if results[i] == nil {
				layers.Add(scouts[i])
			}
		}
		d.journeys += most + 1
		return write(inner, layers.Changes())
	})
	for i, w := range all {
		if err != nil {
			results[i] = err
		}
		w.result <- results[i]
	}
}

// run runs the function of a caller over what others have written.
func (w *waiter) run(over *engine.Layers, by *asking) (*engine.RemoteWriter, error) {
	own := &writer{*over.Writer(by), by.snapshot}
	defer own.End()
	return &own.RemoteWriter, own.Outcome(w.ctx, w.fn(own))
}

// asking is the way of one function to the snapshot of a group, and counts its journeys.
type asking struct {
	snapshot *line
	recall   *engine.Recall
	serial   bool // what was fetched for the group takes no journey
	read     func(keys []string, ranges []storage.Range)
	journeys int
}

var _ engine.Line = (*asking)(nil)

// Fetch implements engine.Line.
func (a *asking) Fetch(keys []string, ranges []storage.Range) (values [][]byte, pages []engine.Page, err error) {
	values, pages, known := a.recall.Find(keys, ranges)
	if known && a.serial {
		return values, pages, nil
	}
	a.journeys++
	if a.read != nil {
		a.read(keys, ranges)
	}
	if err := a.recall.Fetch(a.snapshot, keys, ranges); err != nil {
		return nil, nil, err
	}
	values, pages, _ = a.recall.Find(keys, ranges)
	return values, pages, nil
}
