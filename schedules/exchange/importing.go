package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// importJob is what the journal keeps of an import.
//
// It goes in two phases. The first reads the file, holds the schedule against others who
// write, finds out all that is to be written, and keeps that in a separate scope. What is
// wrong with the file or conflicts with it is found there, before anything of the schedule
// has changed. The second writes it, in steps that note in the same transaction how far
// they have come: so they are done once, whatever dies in between and however many
// processes are at it. What the logic of the plan says of it is written behind that.
type importJob struct {
	model.Place
	PlannerFile

	CodePage planner.CodePage                  `json:"codePage,omitempty"`
	Projects []ImportedProject                 `json:"projects,omitempty"`
	Modes    importModes                       `json:"modes"`
	Type     synchronizers.SynchronizationType `json:"type"`
	// MaxDeletedShare is what the request says of it; nil is nothing.
	MaxDeletedShare *float64 `json:"maxDeletedShare,omitempty"`

	Stage records.Scope `json:"stage"`
	Phase importPhase   `json:"phase"`
	// Analyzed is how many analyses it has written.
	Analyzed int `json:"analyzed,omitempty"`
	// Digest is of the bytes of the file, once they are read.
	Digest string `json:"digest,omitempty"`
}

// importPhase is what the next step of an import does.
type importPhase string

const (
	importReads    importPhase = ""
	importWrites   importPhase = "write"
	importAnalyzes importPhase = "analyze"
	importClears   importPhase = "clear"
)

// defineImports registers with the runner how imports are made.
func defineImports(s *exchanges) jobs.Kind[importJob, struct{}] {
	return jobs.DefineOutside(s.Jobs, "planner.import",
		jobs.Outside[importJob]{Step: s.importStep, Failed: s.importFailed},
		"plannerImports.create", "plannerImports.synchronize", "microsoftProjectImports.create",
		"microsoftProjectImports.synchronize").Holdable()
}

func (s *exchanges) importStep(ctx context.Context, w importJob) (next importJob, p jobs.Progress, err error) {
	switch w.Phase {
	case importReads:
		err = s.readImport(ctx, &w)
		w.Phase = importWrites
		return w, jobs.Progress{Percent: 30}, err
	case importWrites:
		percent, whole := 0, false
		for more := s.Turn(); !whole && err == nil && more(); {
			percent, whole, err = s.writeImport(ctx, &w)
		}
		if whole {
			w.Phase = importAnalyzes
		}
		return w, jobs.Progress{Percent: 30 + percent*60/100}, err
	case importAnalyzes:
		again, err := s.Analyze(ctx, w.Place, &w.Analyzed)
		if !again {
			w.Phase = importClears
		}
		return w, jobs.Progress{Percent: 95}, err
	default:
		more := true
		for another := s.Turn(); more && err == nil && another(); {
			more, err = s.clearImport(ctx, &w)
		}
		if more {
			return w, jobs.Progress{Percent: 99}, err
		}
		return w, jobs.Done, err
	}
}

// importFailed lets the schedule go. What was found of changes is cleared away.
func (s *exchanges) importFailed(ctx context.Context, w importJob, _ *twinplatform.Error) (bool, error) {
	err := s.DB.Update(ctx, func(u *records.Update) error {
		state, err := importing.States.Lookup(u, w.Stage, "state")
		if state == nil || err != nil || !state.Holds || state.Done {
			return err
		}
		state.Holds = false
		if _, err := importing.States.Put(u, w.Stage, state); err != nil {
			return err
		}
		if err := w.Scope.Reserve(u, 0); err != nil {
			return err
		}
		return s.hold(u, w.Place, schedules.Ready)
	})
	s.written(&w, 0, true) // no one writes what is left
	for more := true; more && err == nil; {
		more, err = s.clearImport(ctx, &w)
	}
	return false, err
}

func (s *exchanges) clearImport(ctx context.Context, w *importJob) (more bool, err error) {
	err = s.DB.Update(ctx, func(u *records.Update) error {
		more, err = w.Stage.Erase(u)
		return err
	})
	return more, err
}

// hold moves a schedule to a state. One that is gone needs none.
func (s *exchanges) hold(u *records.Update, p model.Place, state schedules.State) error {
	sc, err := s.Ready(u, p, true)
	if err != nil {
		return model.ScheduleMissing.Or(err)
	}
	return core.Modify(u, sc, func(sc *schedules.Schedule) { sc.State = state })
}

// readImport finds out what an import writes, and keeps it.
func (s *exchanges) readImport(ctx context.Context, w *importJob) error {
	again, err := s.readBefore(ctx, w)
	var file *planner.Plan
	if err == nil && !again {
		file, err = s.readPlan(ctx, w)
	}
	if err != nil {
		return err
	}
	err = s.DB.Update(ctx, func(u *records.Update) error {
		state, err := importing.States.Lookup(u, w.Stage, "state")
		if err != nil {
			return err
		}
		if state != nil && state.Holds {
			return nil // as a process did before this one
		}
		if _, err := s.Ready(u, w.Place, false); err != nil {
			return err
		}
		if _, err := importing.States.Put(u, w.Stage, &importing.State{Holds: true}); err != nil {
			return err
		}
		return s.hold(u, w.Place, schedules.Processing)
	})
	var d *planDiff
	if err == nil && again {
		d, err = s.repeat(ctx, w)
	}
	if err == nil && again && d == nil { // others have changed something in between
		file, err = s.readPlan(ctx, w)
	}
	if err == nil && d == nil {
		err = s.DB.View(ctx, func(v *records.View) (err error) {
			d, err = s.diff(v, w, file)
			return err
		})
	}
	if err != nil {
		return err
	}
	return s.stage(ctx, w, d)
}

// readPlan reads the file of an import.
func (s *exchanges) readPlan(ctx context.Context, w *importJob) (file *planner.Plan, err error) {
	var f *files.File
	err = s.DB.View(ctx, func(v *records.View) (err error) {
		f, err = s.importable(v, w.Scope, w.FileID)
		return err
	})
	if err != nil {
		return nil, err
	}
	content := files.Of(s.Area).Open(ctx, f)
	defer func() { _ = content.Close() }()
	digest := sha256.New()
	read := io.TeeReader(content, digest)
	file, err = planner.Options{Page: w.CodePage}.Read(read)
	if err == nil {
		_, err = io.Copy(io.Discard, read) // what is behind the end of the plan
		w.Digest = hex.EncodeToString(digest.Sum(nil))
		return file, err
	}
	if _, ours := errors.AsType[*twinplatform.Error](err); ours || ctx.Err() != nil {
		return nil, err
	}
	return nil, badFile("The file cannot be imported: %s.", err)
}

// backfilling is the first of the settlings that is needed. The tasks that an import writes have
// their working time already, since it writes calendars before them.
func (d *planDiff) backfilling() int {
	switch {
	case !d.affects():
		return core.Backfills
	case len(d.tasks.now) > 0, d.worksByResources():
		return 0
	case slices.ContainsFunc(d.tasks.order,
		func(id string) bool { return d.tasks.puts[id] != nil && core.IsHammock(d.tasks.puts[id].Type) }):
		return 1
	}
	return core.Backfills
}

// worksByResources reports whether a task that is written is done when its resources work,
// which are assigned to it behind it.
func (d *planDiff) worksByResources() bool {
	return slices.ContainsFunc(d.tasks.order,
		func(id string) bool { return d.tasks.puts[id] != nil && core.ByResources(d.tasks.puts[id]) })
}

// affects reports whether something of a task may follow from what is written.
func (d *planDiff) affects() bool {
	return slices.ContainsFunc(d.Changes, func(c importing.Change) bool {
		switch c.Records {
		case core.Tasks.Name, core.TaskLinks.Name, core.Calendars.Name, core.Settings.Name,
			core.Resources.Name, core.Assignments.Name:
			return true
		}
		return false
	})
}

// stage keeps what was found, unless another process did.
func (s *exchanges) stage(ctx context.Context, w *importJob, d *planDiff) error {
	attempt := s.Env.NewID()
	found := importing.NewStage(w.Stage, attempt, d.Changes)
	for next := 0; next < found.Size(); {
		reached := next
		err := s.DB.Update(ctx, func(u *records.Update) (err error) {
			reached, err = found.Keep(u, next)
			return err
		})
		if err != nil {
			return err
		}
		next = reached
	}
	return s.DB.Update(ctx, func(u *records.Update) error {
		state, err := importing.States.Value(u, w.Stage, "state")
		if err != nil || state.Attempt != "" {
			return err
		}
		state.Attempt, state.Batches = attempt, found.Size()
		state.Backfilling = d.backfilling()
		if err := w.Scope.Reserve(u, d.Bytes()); err != nil {
			return err
		}
		u.Committed(func(context.Context) { s.staged.Store(found) })
		_, err = importing.States.Put(u, w.Stage, state)
		return err
	})
}

// batch is the one that an import is to write.
func (s *exchanges) batch(tx records.Reading, w *importJob, state *importing.State) ([]importing.Change, error) {
	if changes := s.staged.Load().Changes(w.Stage, state.Attempt, state.Batch); changes != nil {
		return changes, nil
	}
	return importing.BatchOf(tx, w.Stage, state.Attempt, state.Batch)
}

// written lets go of what an import has written for good: of all of it once it is whole.
func (s *exchanges) written(w *importJob, batches int, whole bool) {
	f := s.staged.Load()
	if f == nil || f.Of != w.Stage {
		return
	}
	if whole {
		s.staged.CompareAndSwap(f, nil)
		return
	}
	f.Release(batches)
}

// writeImport does one transaction of writing what was found.
func (s *exchanges) writeImport(ctx context.Context, w *importJob) (percent int, whole bool, err error) {
	written := 0
	var done *uint64 // the revision at which it is whole
	err = s.DB.Update(ctx, func(u *records.Update) error {
		percent, whole, written, done = 0, false, 0, nil
		state, err := importing.States.Lookup(u, w.Stage, "state")
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
			if err = s.hold(u, w.Place, schedules.Ready); err == nil {
				done = new(uint64)
				*done, err = w.Scope.Reached(u)
			}
		}
		if err == nil {
			_, err = importing.States.Put(u, w.Stage, state)
		}
		return err
	})
	if err == nil {
		s.written(w, written, whole)
		if done != nil {
			s.repeats.keep(w, *done)
		}
	}
	return percent, whole, err
}

// writeSome writes as much as the step reaches, and reports whether that was the rest.
func (s *exchanges) writeSome(u *records.Update, w *importJob, state *importing.State, step *records.Step) (whole bool,
	err error,
) {
	declared := 0
	for ; state.Batch < state.Batches; state.Batch, state.Next = state.Batch+1, 0 {
		changes, err := s.batch(u, w, state)
		if err != nil {
			return false, err
		}
		for state.Next < len(changes) {
			if declared <= 0 {
				if declared, err = s.declareChanges(u, w, *state, step.Left()+1); err != nil {
					return false, err
				}
			}
			made, err := writeChanges(changes[state.Next:], u, w.Scope, step)
			if made == 0 || err != nil {
				return false, err
			}
			state.Next, declared = state.Next+made, declared-made
		}
	}
	for ; state.Backfilling < core.Backfills; state.Backfilling, state.Backfilled = state.Backfilling+1, "" {
		reached, whole, err := core.Backfill(u, w.Scope, state.Backfilling, state.Backfilled, step)
		if state.Backfilled = reached; !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// batchesAhead is how many batches of changes are read together at most.
const batchesAhead = 16

// leastInBatch is how many changes a batch has at least, as a rule.
const leastInBatch = 64

// declareChanges declares what is read to make the next changes, so many at most, and returns how many they are.
func (s *exchanges) declareChanges(u *records.Update, w *importJob, at importing.State, most int) (n int, err error) {
	if !records.Remote(u) {
		return math.MaxInt, nil
	}
	last := min(at.Batches, at.Batch+batchesAhead, at.Batch+1+most/leastInBatch)
	if s.staged.Load().Changes(w.Stage, at.Attempt, at.Batch) == nil {
		importing.DeclareBatches(u, w.Stage, at.Attempt, at.Batch, last)
	}
	var next []importing.Change
	for ; at.Batch < last && len(next) < most; at.Batch, at.Next = at.Batch+1, 0 {
		changes, err := s.batch(u, w, &at)
		if err != nil {
			return 0, err
		}
		next = append(next, changes[at.Next:]...)
	}
	next = next[:min(len(next), most)]
	for run := range alike(next) {
		if err := declareAlike(u, w.Scope, run); err != nil {
			return 0, err
		}
	}
	return len(next), nil
}

// alike yields the runs of changes which are all of one type of record, and all of them writes or deletions.
func alike(changes []importing.Change) iter.Seq[[]importing.Change] {
	return func(yield func([]importing.Change) bool) {
		for len(changes) > 0 {
			n := 1
			for n < len(changes) && changes[n].Records == changes[0].Records &&
				(changes[n].Gone == "") == (changes[0].Gone == "") {
				n++
			}
			if !yield(changes[:n]) {
				return
			}
			changes = changes[n:]
		}
	}
}

// declareAlike declares what is read to make changes that are alike.
func declareAlike(u *records.Update, s records.Scope, changes []importing.Change) error {
	sort := core.Imported[changes[0].Records]
	if changes[0].Gone != "" {
		if sort.DeclareRemoval == nil {
			return nil
		}
		return sort.DeclareRemoval(u, s, goneOf(changes))
	}
	if sort.Declare == nil {
		return nil
	}
	next := make([]*model.Written, len(changes))
	for i := range changes {
		next[i] = changes[i].Written()
	}
	return sort.Declare(u, s, next)
}

// writeChanges makes the first of some changes, or the deletions that they begin with, as far as the step reaches, and
// returns how many that were.
func writeChanges(changes []importing.Change, u *records.Update, s records.Scope, step *records.Step) (made int,
	err error,
) {
	c := &changes[0]
	sort := core.Imported[c.Records]
	if c.Gone == "" {
		if more, err := step.Next(len(c.Record)); !more || err != nil {
			return 0, err
		}
		return 1, sort.Put(u, s, c.Written())
	}
	if sort.RemoveAll != nil {
		for run := range alike(changes) {
			return sort.RemoveAll(u, s, goneOf(run), step)
		}
	}
	whole, err := sort.Remove(u, s, c.Gone, step)
	if whole {
		made = 1
	}
	return made, err
}

// goneOf are the ids of the records that deletions delete.
func goneOf(deletions []importing.Change) []string {
	ids := make([]string, len(deletions))
	for i := range deletions {
		ids[i] = deletions[i].Gone
	}
	return ids
}
