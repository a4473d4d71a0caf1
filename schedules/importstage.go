package schedules

import (
	"context"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// importBatch is changes in their order.
type importBatch struct {
	ID      string         `json:"id"`
	Changes []importChange `json:"changes"`
}

// importChange is a record that is to be written, or to go.
type importChange struct {
	Records string          `json:"records"`          // the name of the collection
	Gone    string          `json:"gone,omitempty"`   // the id of one that is to go
	Record  records.Encoded `json:"record,omitempty"` // one that is to be written
	Unused  bool            `json:"unused,omitempty"` // the id of which was never used before

	value any // it points at the record; nil where that was read
}

var importBatches = records.Collection[importBatch]{
	Name: "import-batches", Untracked: true,
	ID: func(b *importBatch) string { return b.ID },
}

func batchID(attempt string, i int) string { return records.Join(attempt, blob.Place(i)) }

// stage keeps what was found, unless another process did.
func (s *Service) stage(ctx context.Context, w *importing, d *planDiff) error {
	found := &importStage{of: w.Stage, attempt: s.env.NewID(), batches: inBatches(d.changes)}
	for next := 0; next < len(found.batches); {
		reached := next
		err := s.db.Update(ctx, func(u *records.Update) (err error) {
			reached, err = found.keep(u, next)
			return err
		})
		if err != nil {
			return err
		}
		next = reached
	}
	return s.db.Update(ctx, func(u *records.Update) error {
		state, err := importStates.Value(u, w.Stage, "state")
		if err != nil || state.Attempt != "" {
			return err
		}
		state.Attempt, state.Batches = found.attempt, len(found.batches)
		state.Backfilling = d.backfilling()
		if err := w.Scope.Reserve(u, d.bytes()); err != nil {
			return err
		}
		u.Committed(func(context.Context) { exchangesOf(s).staged.Store(found) })
		_, err = importStates.Put(u, w.Stage, state)
		return err
	})
}

// importStage is what this process has staged: it writes what it has found and need not
// read that again. A process that continues after a restart reads what is kept of it.
type importStage struct {
	of      records.Scope
	attempt string

	mu      sync.Mutex
	batches [][]importChange // nil: written
}

// inBatches are changes in parts of which each fits one value of the store.
func inBatches(all []importChange) (batches [][]importChange) {
	for len(all) > 0 {
		n, bytes := 0, 0
		for n < len(all) && n < changesPerBatch && (n == 0 || bytes < bytesPerBatch) {
			bytes += len(all[n].Record)
			n++
		}
		batches, all = append(batches, all[:n:n]), all[n:]
	}
	return batches
}

// keep keeps as many batches as a step does, from one on, and returns the one that is next.
func (f *importStage) keep(u *records.Update, next int) (reached int, err error) {
	step := records.NewStep(u)
	for ; next < len(f.batches); next++ {
		if more, err := step.Next(bytesPerBatch); !more || err != nil {
			return next, err
		}
		if _, err := importBatches.Append(u, f.of, &importBatch{ID: batchID(f.attempt, next), Changes: f.batches[next]}); err != nil {
			return next, err
		}
	}
	return next, nil
}

// batch is the one that an import is to write.
func (s *Service) batch(tx records.Reading, w *importing, state *importState) ([]importChange, error) {
	if f := exchangesOf(s).staged.Load(); f != nil && f.of == w.Stage && f.attempt == state.Attempt {
		f.mu.Lock()
		changes := f.batches[state.Batch]
		f.mu.Unlock()
		if changes != nil {
			return changes, nil
		}
	}
	batch, err := importBatches.Value(tx, w.Stage, batchID(state.Attempt, state.Batch))
	if err != nil {
		return nil, err
	}
	return batch.Changes, nil
}

// written lets go of what an import has written for good: of all of it once it is whole.
func (s *Service) written(w *importing, batches int, whole bool) {
	f := exchangesOf(s).staged.Load()
	if f == nil || f.of != w.Stage {
		return
	}
	if whole {
		exchangesOf(s).staged.CompareAndSwap(f, nil)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := min(batches, len(f.batches)) - 1; i >= 0 && f.batches[i] != nil; i-- {
		f.batches[i] = nil
	}
}

// bytesPerRecord is the most that the store keeps of an imported record besides its members: its
// key, its place in the order of changes, and what it is found by.
const bytesPerRecord = 640

// bytes is about how much the schedule grows by what is written. What is replaced is not
// taken off: it is there until it is.
func (d *importDiff) bytes() (n int64) {
	for i := range d.changes {
		if c := &d.changes[i]; c.Gone == "" {
			n += int64(len(c.Record) + bytesPerRecord)
		}
	}
	return n
}

// What is kept in one value of the store.
const (
	changesPerBatch = 256
	bytesPerBatch   = 48 << 10
)

// writeImport does one transaction of writing what was found.
func (s *Service) writeImport(ctx context.Context, w *importing) (percent int, whole bool, err error) {
	written := 0
	err = s.db.Update(ctx, func(u *records.Update) error {
		percent, whole, written = 0, false, 0
		state, err := importStates.Lookup(u, w.Stage, "state")
		if err != nil {
			return err
		}
		if state == nil || state.Done { // another process was faster
			whole = true
			return nil
		}
		step := records.NewStep(u)
		if whole, err = s.writeSome(u, w, state, step); err != nil {
			return err
		}
		percent, written = 100*state.Batch/max(state.Batches, 1), state.Batch
		if !whole {
			err = w.Scope.SpendReserved(u)
		} else if err = w.Scope.Reserve(u, 0); err == nil {
			state.Done = true
			err = s.hold(u, w.Place, Ready)
		}
		if err == nil {
			_, err = importStates.Put(u, w.Stage, state)
		}
		return err
	})
	if err == nil {
		s.written(w, written, whole)
	}
	return percent, whole, err
}

// writeSome writes as much as the step reaches, and reports whether that was the rest.
func (s *Service) writeSome(u *records.Update, w *importing, state *importState, step *records.Step) (whole bool, err error) {
	for ; state.Batch < state.Batches; state.Batch, state.Next = state.Batch+1, 0 {
		changes, err := s.batch(u, w, state)
		if err != nil {
			return false, err
		}
		for ; state.Next < len(changes); state.Next++ {
			if whole, err := changes[state.Next].write(u, w.Scope, step); !whole || err != nil {
				return false, err
			}
		}
	}
	for ; state.Backfilling < len(backfills); state.Backfilling, state.Backfilled = state.Backfilling+1, "" {
		if whole, err := backfillImport(u, w.Scope, state, step); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// importSorts are the types of records that imports write, by their names.
var importSorts = importedBy(features, []model.Imported{
	{
		Records: taskRecords.Table(), Put: putTask,
		Remove: func(u *records.Update, s records.Scope, id string, step *records.Step) (bool, error) {
			d := taskDeletion{u: u, scope: s, parents: make(map[string]bool)}
			whole, err := d.remove(id, step)
			if err == nil {
				err = d.propagate()
			}
			return whole, err
		},
	},
	model.Imports(&taskLinkRecords),
	model.ImportsKind(&resourceKind),
	model.ImportsKind(&assignmentKind),
	model.ImportsKind(&calendarKind),
	model.Imports(&synchronizerRecords),
	model.Imports(&projectSchedulingRecords),
	model.Imports(&importedRecords),
	model.Imports(&plannedTaskRecords),
})

func importedBy(features []model.Feature, all []model.Imported) map[string]model.Imported {
	for _, f := range features {
		all = append(all, f.Imported...)
	}
	sorts := make(map[string]model.Imported, len(all))
	for _, i := range all {
		sorts[i.Records.Name()] = i
	}
	return sorts
}

// putTask writes a task with the dates that follow on the calendars that are there by now.
func putTask(u *records.Update, s records.Scope, w *model.Written) error {
	v, encoded, err := w.Of(taskRecords.Table())
	if err != nil {
		return err
	}
	found := v.(*Task)
	t := *found
	if err := t.timeBy(workingTimeOf(u, s)); err != nil {
		return err
	}
	if !t.sameTime(found) {
		encoded = nil
	}
	return taskRecords.Table().PutEncoded(u, s, &t, encoded, w.Unused)
}

// write makes a change, and reports false when the step ended before that.
func (c *importChange) write(u *records.Update, s records.Scope, step *records.Step) (whole bool, err error) {
	sort, ok := importSorts[c.Records]
	if !ok {
		sort = baselineSorts[c.Records]
	}
	if c.Gone != "" {
		return sort.Remove(u, s, c.Gone, step)
	}
	if more, err := step.Next(len(c.Record)); !more || err != nil {
		return false, err
	}
	return true, sort.Put(u, s, &model.Written{Value: c.value, JSON: c.Record, Unused: c.Unused})
}
