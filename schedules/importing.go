package schedules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
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

	CodePage planner.CodePage    `json:"codePage,omitempty"`
	Projects []ImportedProject   `json:"projects,omitempty"`
	Modes    importModes         `json:"modes"`
	Type     SynchronizationType `json:"type"`
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
func defineImports(s *Service) jobs.Kind[importJob, struct{}] {
	return jobs.DefineOutside(s.jobs, "planner.import",
		jobs.Outside[importJob]{Step: s.importStep, Failed: s.importFailed},
		"plannerImports.create", "plannerImports.synchronize", "microsoftProjectImports.create",
		"microsoftProjectImports.synchronize").Holdable()
}

func (s *Service) importStep(ctx context.Context, w importJob) (next importJob, p jobs.Progress, err error) {
	switch w.Phase {
	case importReads:
		err = s.readImport(ctx, &w)
		w.Phase = importWrites
		return w, jobs.Progress{Percent: 30}, err
	case importWrites:
		percent, whole := 0, false
		for more := s.turn(); !whole && err == nil && more(); {
			percent, whole, err = s.writeImport(ctx, &w)
		}
		if whole {
			w.Phase = importAnalyzes
		}
		return w, jobs.Progress{Percent: 30 + percent*60/100}, err
	case importAnalyzes:
		again, err := s.analyzeImport(ctx, &w)
		if !again {
			w.Phase = importClears
		}
		return w, jobs.Progress{Percent: 95}, err
	default:
		more := true
		for another := s.turn(); more && err == nil && another(); {
			more, err = s.clearImport(ctx, &w)
		}
		if more {
			return w, jobs.Progress{Percent: 99}, err
		}
		return w, jobs.Done, err
	}
}

// analyzeImport writes some of the analyses of the plan as it is by now, whose dates stay
// those of the planner. A plan that cannot be scheduled has none.
func (s *Service) analyzeImport(ctx context.Context, w *importJob) (again bool, err error) {
	r := rescheduling{Place: w.Place, once: true}
	todo, err := s.toReschedule(ctx, &r, math.MaxInt)
	if refused := (*twinplatform.Error)(nil); errors.As(err, &refused) || missingRecord(err) {
		planningOf(s).networks.rest(w.Scope)
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if todo.moves = nil; todo.empty() {
		planningOf(s).networks.rest(w.Scope)
	}
	again = !todo.empty() && w.Analyzed <= writesPerTask*todo.tasks // while others change the plan
	for more := s.turn(); !todo.empty() && err == nil && more(); {
		written := 0
		written, err = s.writeDates(ctx, &r, todo)
		w.Analyzed += written
	}
	return again, err
}

// importFailed lets the schedule go. What was found of changes is cleared away.
func (s *Service) importFailed(ctx context.Context, w importJob, _ *twinplatform.Error) (bool, error) {
	err := s.db.Update(ctx, func(u *records.Update) error {
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
		return s.hold(u, w.Place, Ready)
	})
	s.written(&w, 0, true) // no one writes what is left
	for more := true; more && err == nil; {
		more, err = s.clearImport(ctx, &w)
	}
	return false, err
}

func (s *Service) clearImport(ctx context.Context, w *importJob) (more bool, err error) {
	err = s.db.Update(ctx, func(u *records.Update) error {
		more, err = w.Stage.Erase(u)
		return err
	})
	return more, err
}

// hold moves a schedule to a state. One that is gone needs none.
func (s *Service) hold(u *records.Update, p model.Place, state State) error {
	sc, err := s.ready(u, p, true)
	if err != nil {
		return scheduleMissing.Or(err)
	}
	_, err = scheduleRecords.Modify(u, inAccount(sc.AccountID), scheduleKey(sc), "", func(sc *Schedule) error {
		sc.State = state
		return nil
	})
	return err
}

// readImport finds out what an import writes, and keeps it.
func (s *Service) readImport(ctx context.Context, w *importJob) error {
	again, err := s.readBefore(ctx, w)
	var file *planner.Plan
	if err == nil && !again {
		file, err = s.readPlan(ctx, w)
	}
	if err != nil {
		return err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		state, err := importing.States.Lookup(u, w.Stage, "state")
		if err != nil {
			return err
		}
		if state != nil && state.Holds {
			return nil // as a process did before this one
		}
		if _, err := s.ready(u, w.Place, false); err != nil {
			return err
		}
		if _, err := importing.States.Put(u, w.Stage, &importing.State{Holds: true}); err != nil {
			return err
		}
		return s.hold(u, w.Place, Processing)
	})
	var d *planDiff
	if err == nil && again {
		d, err = s.repeat(ctx, w)
	}
	if err == nil && again && d == nil { // others have changed something in between
		file, err = s.readPlan(ctx, w)
	}
	if err == nil && d == nil {
		err = s.db.View(ctx, func(v *records.View) (err error) {
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
func (s *Service) readPlan(ctx context.Context, w *importJob) (file *planner.Plan, err error) {
	var f *files.File
	err = s.db.View(ctx, func(v *records.View) (err error) {
		f, err = s.importable(v, w.Scope, w.FileID)
		return err
	})
	if err != nil {
		return nil, err
	}
	content := files.Of(s.area()).Open(ctx, f)
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
		return len(backfills)
	case len(d.tasks.now) > 0, d.worksByResources():
		return 0
	case slices.ContainsFunc(d.tasks.order,
		func(id string) bool { return d.tasks.puts[id] != nil && d.tasks.puts[id].Type.hammock() }):
		return 1
	}
	return len(backfills)
}

// worksByResources reports whether a task that is written is done when its resources work,
// which are assigned to it behind it.
func (d *planDiff) worksByResources() bool {
	return slices.ContainsFunc(d.tasks.order,
		func(id string) bool { return d.tasks.puts[id] != nil && d.tasks.puts[id].byResources() })
}

// affects reports whether something of a task may follow from what is written.
func (d *planDiff) affects() bool {
	return slices.ContainsFunc(d.Changes, func(c importing.Change) bool {
		switch c.Records {
		case taskRecords.Name, taskLinkRecords.Name, calendarRecords.Name, projectSchedulingRecords.Name,
			resourceRecords.Name, assignmentRecords.Name:
			return true
		}
		return false
	})
}

// backfills derive of a task what follows from the calendars, the tasks and the links that
// are there by now, in this order: hammocks need the dates of others.
var backfills = []func(u *records.Update, s records.Scope, t *Task, times *workingTime) error{
	func(u *records.Update, s records.Scope, t *Task, times *workingTime) error {
		next := *t
		if err := next.timeBy(times); err != nil || next.sameTime(t) {
			return err
		}
		_, err := taskRecords.Put(u, s, &next)
		return err
	},
	func(u *records.Update, s records.Scope, t *Task, times *workingTime) error {
		r := readPlan(u, s)
		r.times = times
		return r.deriveHammock(u, t.ID)
	},
}

// timeBy derives what follows from the working time of a task, and of one that has none, such
// as a key date, what follows from its dates.
func (t *Task) timeBy(times *workingTime) error {
	if !t.timed() {
		t.timeIn(working{})
		return nil
	}
	w, err := times.of(t)
	if err == nil {
		t.timeIn(w)
	}
	return err
}

// backfillImport does some of a backfill of all tasks.
func backfillImport(u *records.Update, s records.Scope, state *importing.State, step *records.Step) (whole bool,
	err error,
) {
	times := workingTimeOf(u, s)
	for t, err := range taskRecords.From(u, s, state.Backfilled) {
		if err != nil {
			return false, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return false, err
		}
		if err := backfills[state.Backfilling](u, s, t, times); err != nil {
			return false, err
		}
		state.Backfilled = t.ID
	}
	return true, nil
}

// stage keeps what was found, unless another process did.
func (s *Service) stage(ctx context.Context, w *importJob, d *planDiff) error {
	attempt := s.env.NewID()
	found := importing.NewStage(w.Stage, attempt, d.Changes)
	for next := 0; next < found.Size(); {
		reached := next
		err := s.db.Update(ctx, func(u *records.Update) (err error) {
			reached, err = found.Keep(u, next)
			return err
		})
		if err != nil {
			return err
		}
		next = reached
	}
	return s.db.Update(ctx, func(u *records.Update) error {
		state, err := importing.States.Value(u, w.Stage, "state")
		if err != nil || state.Attempt != "" {
			return err
		}
		state.Attempt, state.Batches = attempt, found.Size()
		state.Backfilling = d.backfilling()
		if err := w.Scope.Reserve(u, d.Bytes()); err != nil {
			return err
		}
		u.Committed(func(context.Context) { exchangesOf(s).staged.Store(found) })
		_, err = importing.States.Put(u, w.Stage, state)
		return err
	})
}

// batch is the one that an import is to write.
func (s *Service) batch(tx records.Reading, w *importJob, state *importing.State) ([]importing.Change, error) {
	if changes := exchangesOf(s).staged.Load().Changes(w.Stage, state.Attempt, state.Batch); changes != nil {
		return changes, nil
	}
	return importing.BatchOf(tx, w.Stage, state.Attempt, state.Batch)
}

// written lets go of what an import has written for good: of all of it once it is whole.
func (s *Service) written(w *importJob, batches int, whole bool) {
	f := exchangesOf(s).staged.Load()
	if f == nil || f.Of != w.Stage {
		return
	}
	if whole {
		exchangesOf(s).staged.CompareAndSwap(f, nil)
		return
	}
	f.Release(batches)
}

// writeImport does one transaction of writing what was found.
func (s *Service) writeImport(ctx context.Context, w *importJob) (percent int, whole bool, err error) {
	written := 0
	var done *uint64 // the revision at which it is whole
	err = s.db.Update(ctx, func(u *records.Update) error {
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
			if err = s.hold(u, w.Place, Ready); err == nil {
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
			exchangesOf(s).repeats.keep(w, *done)
		}
	}
	return percent, whole, err
}

// writeSome writes as much as the step reaches, and reports whether that was the rest.
func (s *Service) writeSome(u *records.Update, w *importJob, state *importing.State, step *records.Step) (whole bool,
	err error,
) {
	for ; state.Batch < state.Batches; state.Batch, state.Next = state.Batch+1, 0 {
		changes, err := s.batch(u, w, state)
		if err != nil {
			return false, err
		}
		for ; state.Next < len(changes); state.Next++ {
			if whole, err := writeChange(&changes[state.Next], u, w.Scope, step); !whole || err != nil {
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
	model.Imports(&importing.ItemRecords),
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

// writeChange makes a change, and reports false when the step ended before that.
func writeChange(c *importing.Change, u *records.Update, s records.Scope, step *records.Step) (whole bool, err error) {
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
	return true, sort.Put(u, s, c.Written())
}
