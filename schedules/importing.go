package schedules

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// importing is what the journal keeps of an import.
//
// It goes in two phases. The first reads the file, holds the schedule against others who
// write, finds out all that is to be written, and keeps that in a separate scope. What is
// wrong with the file or conflicts with it is found there, before anything of the schedule
// has changed. The second writes it, in steps that note in the same transaction how far
// they have come: so they are done once, whatever dies in between and however many
// processes are at it. What the logic of the plan says of it is written behind that.
type importing struct {
	model.Place
	PlannerFile

	Projects []ImportedProject   `json:"projects,omitempty"`
	Modes    importModes         `json:"modes"`
	Type     SynchronizationType `json:"type"`

	Stage records.Scope `json:"stage"`
	Phase importPhase   `json:"phase"`
	// Analyzed is how many analyses it has written.
	Analyzed int `json:"analyzed,omitempty"`
}

// importPhase is what the next step of an import does.
type importPhase string

const (
	importReads    importPhase = ""
	importWrites   importPhase = "write"
	importAnalyzes importPhase = "analyze"
	importClears   importPhase = "clear"
)

// importState is the state of an import in its scope.
type importState struct {
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

var importStates = records.Collection[importState]{
	Name: "import-states", Untracked: true,
	ID: func(*importState) string { return "state" },
}

// defineImports registers with the runner how imports are made.
func (s *Service) defineImports() jobs.Kind[importing, struct{}] {
	return jobs.DefineOutside(s.jobs, "planner.import", jobs.Outside[importing]{Step: s.importStep, Failed: s.importFailed},
		"plannerImports.create", "plannerImports.synchronize", "microsoftProjectImports.create", "microsoftProjectImports.synchronize").Holdable()
}

func (s *Service) importStep(ctx context.Context, w importing) (next importing, p jobs.Progress, err error) {
	switch w.Phase {
	case importReads:
		err = s.readImport(ctx, w)
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
func (s *Service) analyzeImport(ctx context.Context, w *importing) (again bool, err error) {
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
func (s *Service) importFailed(ctx context.Context, w importing, _ *twinplatform.Error) (bool, error) {
	err := s.db.Update(ctx, func(u *records.Update) error {
		state, err := importStates.Lookup(u, w.Stage, "state")
		if state == nil || err != nil || !state.Holds || state.Done {
			return err
		}
		state.Holds = false
		if _, err := importStates.Put(u, w.Stage, state); err != nil {
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

func (s *Service) clearImport(ctx context.Context, w *importing) (more bool, err error) {
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
func (s *Service) readImport(ctx context.Context, w importing) error {
	file, err := s.readPlan(ctx, &w)
	if err != nil {
		return err
	}
	if err := s.indexed(ctx, w.Place); err != nil {
		return err
	}
	var d *planDiff
	err = s.db.Update(ctx, func(u *records.Update) error {
		state, err := importStates.Lookup(u, w.Stage, "state")
		if err != nil {
			return err
		}
		if state != nil && state.Holds {
			return nil // as a process did before this one
		}
		if _, err := s.ready(u, w.Place, false); err != nil {
			return err
		}
		if _, err := importStates.Put(u, w.Stage, &importState{Holds: true}); err != nil {
			return err
		}
		return s.hold(u, w.Place, Processing)
	})
	if err == nil {
		err = s.db.View(ctx, func(v *records.View) (err error) {
			d, err = s.diff(v, &w, file)
			return err
		})
	}
	if err != nil {
		return err
	}
	return s.stage(ctx, &w, d)
}

// indexed makes a schedule from before one whose records are found by their ids.
func (s *Service) indexed(ctx context.Context, p model.Place) (err error) {
	for whole := false; !whole && err == nil; {
		err = s.db.Update(ctx, func(u *records.Update) error {
			sc, err := s.ready(u, p, true)
			if err == nil {
				whole, err = index(u, sc)
			}
			return err
		})
	}
	return err
}

// readPlan reads the file of an import.
func (s *Service) readPlan(ctx context.Context, w *importing) (file *planner.Plan, err error) {
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
	file, err = planner.Read(content)
	if err == nil {
		return file, nil
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
	case slices.ContainsFunc(d.tasks.order, func(id string) bool { return d.tasks.puts[id] != nil && d.tasks.puts[id].Type.hammock() }):
		return 1
	}
	return len(backfills)
}

// worksByResources reports whether a task that is written is done when its resources work,
// which are assigned to it behind it.
func (d *planDiff) worksByResources() bool {
	return slices.ContainsFunc(d.tasks.order, func(id string) bool { return d.tasks.puts[id] != nil && d.tasks.puts[id].byResources() })
}

// affects reports whether something of a task may follow from what is written.
func (d *importDiff) affects() bool {
	return slices.ContainsFunc(d.changes, func(c importChange) bool {
		switch c.Records {
		case taskRecords.Name, taskLinkRecords.Name, calendarRecords.Name, projectSchedulingRecords.Name, resourceRecords.Name, assignmentRecords.Name:
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
func backfillImport(u *records.Update, s records.Scope, state *importState, step *records.Step) (whole bool, err error) {
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
