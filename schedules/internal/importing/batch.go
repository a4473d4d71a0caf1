package importing

import (
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// batch is changes in their order.
type batch struct {
	ID      string   `json:"id"`
	Changes []Change `json:"changes"`
}

// Change is a record that is to be written, or to go.
type Change struct {
	Records string          `json:"records"`          // the name of the collection
	Gone    string          `json:"gone,omitempty"`   // the id of one that is to go
	Record  records.Encoded `json:"record,omitempty"` // one that is to be written
	Unused  bool            `json:"unused,omitempty"` // the id of which was never used before

	Value any `json:"-"` // it points at the record; nil where that was read
}

// Batches are the changes that imports have found and not written yet, in their scopes.
var Batches = records.Collection[batch]{
	Name: "import-batches", Untracked: true, Upkeep: true,
	ID: func(b *batch) string { return b.ID },
}

// Written is a record that the change writes.
func (c *Change) Written() *model.Written {
	return &model.Written{Value: c.Value, JSON: c.Record, Unused: c.Unused}
}

func batchID(attempt string, i int) string { return records.Join(attempt, blob.Place(i)) }

// Stage is what this process has staged: it writes what it has found and need not
// read that again. A process that continues after a restart reads what is kept of it.
type Stage struct {
	Of      records.Scope
	attempt string

	mu      sync.Mutex
	batches [][]Change // nil: written
}

// NewStage is of changes that are to be written in an attempt, in batches.
func NewStage(of records.Scope, attempt string, changes []Change) *Stage {
	return &Stage{Of: of, attempt: attempt, batches: inBatches(changes)}
}

// Size is how many batches there are.
func (f *Stage) Size() int { return len(f.batches) }

// Changes returns the changes of a batch. It returns nil where the stage belongs to another
// scope or attempt, or has let go of them.
func (f *Stage) Changes(of records.Scope, attempt string, batch int) []Change {
	if f == nil || f.Of != of || f.attempt != attempt {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.batches[batch]
}

// Release lets go of batches before one.
func (f *Stage) Release(before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := min(before, len(f.batches)) - 1; i >= 0 && f.batches[i] != nil; i-- {
		f.batches[i] = nil
	}
}

// BatchOf are the changes of a batch as they are kept.
func BatchOf(tx records.Reading, of records.Scope, attempt string, i int) ([]Change, error) {
	batch, err := Batches.Value(tx, of, batchID(attempt, i))
	if err != nil {
		return nil, err
	}
	return batch.Changes, nil
}

// DeclareBatches declares the batches from one on, up to another.
func DeclareBatches(tx records.Reading, of records.Scope, attempt string, from, until int) {
	for i := from; i < until; i++ {
		records.Declare(tx, Batches.Needs(of, batchID(attempt, i))...)
	}
}

// inBatches are changes in parts of which each fits one value of the store.
func inBatches(all []Change) (batches [][]Change) {
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

// Keep keeps as many batches as a step does, from one on, and returns the one that is next.
func (f *Stage) Keep(u *records.Update, next int) (reached int, err error) {
	step := records.NewStep(u)
	for ; next < len(f.batches); next++ {
		if more, err := step.Next(bytesPerBatch); !more || err != nil {
			return next, err
		}
		if _, err := Batches.Append(u, f.Of,
			&batch{ID: batchID(f.attempt, next), Changes: f.batches[next]}); err != nil {
			return next, err
		}
	}
	return next, nil
}

// bytesPerRecord is the most that the store keeps of an imported record besides its members: its
// key, its place in the order of changes, and what it is found by.
const bytesPerRecord = 640

// Bytes is about how much the schedule grows by what is written. What is replaced is not
// taken off: it is there until it is.
func (d *Diff) Bytes() (n int64) {
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Gone == "" {
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

// State is the state of an import in its scope.
type State struct {
	// Holds reports that the schedule is held in state Processing.
	Holds bool `json:"holds"`
	// Attempt is whose changes are written: none until all of them are kept. Two processes
	// may look for them at once.
	Attempt string `json:"attempt"`
	Batches int    `json:"batches"` // of changes
	Batch   int    `json:"batch"`   // the one that is to be written
	Next    int    `json:"next"`    // the change of it that is
	// Backfilling is which of the backfills runs once nothing is left to write,
	// and Backfilled the id of the last task of it.
	Backfilling int    `json:"settling"`
	Backfilled  string `json:"settled"`
	Done        bool   `json:"done"`
}

// States are the states of imports, one in each scope.
var States = records.Collection[State]{
	Name: "import-states", Untracked: true, Upkeep: true,
	ID: func(*State) string { return "state" },
}
