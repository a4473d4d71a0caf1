package rescheduling

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// Rescheduling is what the journal keeps of one. A step finds the dates of the plan as it
// is then and writes those that differ, until none does: any process may do it, again and
// concurrently with changes of the plan.
type Rescheduling struct {
	model.Place
	TaskIDs []string `json:"taskIds"` // that alone are rescheduled; empty for all

	// Automatic is one that a change of the schedule has asked for.
	Automatic bool `json:"automatic,omitempty"`
	Written   int  `json:"written,omitempty"`

	Stage  uint64 `json:"stage,omitempty"` // in which it stages
	Stages int    `json:"stages,omitempty"`
	Staged int    `json:"staged,omitempty"`
	Folds  bool   `json:"folds,omitempty"` // there may be something to fold
	Plain  bool   `json:"plain,omitempty"` // it stages nothing

	once bool // the network of the plan is not looked at again
}

// writesPerTask is how often the operation writes a task on the average before it gives
// up, since others keep moving it.
const writesPerTask = 4

// errUnsettled is what a rescheduling fails with whose plan others change faster than it.
var errUnsettled = problem.Conflict("ScheduleChanging", "", "Other callers kept changing the tasks.")

// rescheduleStep does a step while the network of the plan is held: what is staged is known to it.
func (s *Plans) rescheduleStep(ctx context.Context, w Rescheduling) (Rescheduling, jobs.Progress, error) {
	kept := s.networks()
	kept.hold(w.Scope)
	next, progress, err := s.rescheduleSome(ctx, w)
	if err != nil || progress == jobs.Done {
		kept.release(w.Scope)
	}
	return next, progress, err
}

func (s *Plans) rescheduleSome(ctx context.Context, w Rescheduling) (Rescheduling, jobs.Progress, error) {
	found, err := s.staging(ctx, &w)
	if err != nil {
		return w, jobs.Progress{}, err
	}
	if w.Folds || found.committed {
		whole, err := s.foldPlan(ctx, w.Place)
		w.Folds = !whole
		return w, w.progress(1), err
	}
	todo, err := s.toReschedule(ctx, &w, tasksPerStep)
	if err != nil {
		return w, jobs.Progress{}, err
	}
	if did, err := s.stagePlan(ctx, &w, todo); did || err != nil {
		return w, w.progress(todo.left + 1), err
	}
	if todo.empty() && w.Automatic {
		if settled, err := s.finished(ctx, &w, todo.revision); !settled || err != nil {
			return w, w.progress(1), err
		}
	}
	if todo.empty() {
		return w, jobs.Done, nil
	}
	if w.Written > writesPerTask*todo.tasks+schedules.MaxBatch {
		return w, jobs.Progress{}, errUnsettled
	}
	err = s.writeAll(ctx, &w, todo)
	return w, w.progress(todo.left + 1), err
}

// progress is how far a rescheduling has come that has so much left.
func (w *Rescheduling) progress(left int) jobs.Progress {
	done := w.Written + w.Staged
	return model.ProgressOf(done, done+left)
}

// writeAll writes what is to be written, in as many transactions as that takes.
func (s *Plans) writeAll(ctx context.Context, w *Rescheduling, todo *rescheduled) error {
	for !todo.empty() {
		n, err := s.writeDates(ctx, w, todo)
		if err != nil {
			return err
		}
		w.Written += n
	}
	return nil
}

// tasksPerStep is of how many tasks a step writes dates and analyses before it looks at the
// plan again: what takes a tenth of a second or so.
const tasksPerStep = 5_000

// rescheduled is what is to be written of a plan.
type rescheduled struct {
	revision uint64 // of the plan, or behind what was written of it since
	tasks    int    // in the plan
	left     int    // tasks behind those that were looked at
	hammocks bool   // whether there are such in the plan
	Moves    []move
	analyses []schedules.SchedulingAnalysis
	gone     []string // tasks that have an analysis and are not there

	far       bool     // the plan is over a network
	some      bool     // it is of some tasks alone
	stageable bool     // it may be staged
	stage     uint64   // in which it is to be staged; 0 for none
	busy      bool     // another is about to stage more
	stay      []string // tasks of which dates are staged that are not to be
	kept      []string // tasks of which an analysis is staged that is not to be
	following []string // hammocks, where all is staged
}

// move is what a task is to become: it is written if the task is as it was.
type move struct {
	Number                      int
	was                         networkTask
	calendar                    twinplatform.NullString // of the task
	plannedStart, plannedFinish moment
	plannedDuration             int32 // of a task that lasts
	lasts                       bool
}

func (m *move) taskID() string { return m.was.TaskID() }

func (r *rescheduled) len() int {
	return len(r.Moves) + len(r.analyses) + len(r.gone) + len(r.stay) + len(r.kept)
}

func (r *rescheduled) empty() bool { return r.len() == 0 }

// toReschedule finds what is to be written, of a number of tasks at most.
func (s *Plans) toReschedule(ctx context.Context, w *Rescheduling, most int) (todo *rescheduled, err error) {
	err = s.DB.View(ctx, func(v *records.View) error {
		sc, err := s.Ready(v, w.Place, true)
		if err != nil {
			return err
		}
		found := func(n *Network) error {
			f, err := n.FoundFor(ctx, w.TaskIDs)
			if err != nil {
				return err
			}
			if w.Stage != 0 && w.Stage == n.staged.stage && n.unwritten != nil {
				todo = n.toStage(f, most)
			} else {
				todo = n.Todo(f, w.TaskIDs, most)
			}
			todo.far = records.Remote(v)
			return nil
		}
		kept := s.networks()
		if !w.once {
			return kept.at(v, sc, found)
		}
		rests, err := kept.rested(v, sc)
		if rests || err != nil {
			todo = new(rescheduled)
			return err
		}
		return kept.lend(v, sc, found)
	})
	return todo, err
}

// FoundFor are the dates of the network, or of some of its tasks alone.
func (n *Network) FoundFor(ctx context.Context, taskIDs []string) (*Solution, error) {
	if len(taskIDs) == 0 {
		return n.Dates(ctx)
	}
	only := make(map[string]bool, len(taskIDs))
	for _, id := range taskIDs {
		only[id] = true
	}
	return n.Builder(only).Build()
}

// Todo is what is to be written of a plan, of so many tasks at most, or of some tasks
// alone.
func (n *Network) Todo(f *Solution, taskIDs []string, most int) *rescheduled {
	todo := &rescheduled{
		revision: n.revision, tasks: len(n.Tasks), hammocks: n.hammocks > 0, some: len(taskIDs) > 0,
		stageable: n.stageable(),
	}
	if len(taskIDs) > 0 {
		for _, id := range model.Unique(taskIDs) {
			if number, ok := n.Find(id); ok {
				n.addMove(todo, f, number)
			}
		}
		return todo
	}
	if n.unwritten == nil {
		n.lookAtAll(todo)
	}
	for number, unwritten := range n.unwritten {
		switch {
		case !unwritten:
		case most == 0:
			todo.left++
		default:
			moves, news := n.addMove(todo, f, number), n.addNews(todo, f, number)
			if n.unwritten[number] = moves || news; moves || news {
				most--
			}
		}
	}
	return todo
}

// lookAtAll reports that every task may have dates or an analysis which are not what was
// found, and finds those that have an analysis and are gone.
func (n *Network) lookAtAll(todo *rescheduled) {
	n.unwritten = slices.Repeat([]bool{true}, len(n.Tasks))
	todo.gone = Sorted(n.strays)
}

// addMove adds what is to become of the dates of a task, unless it is that.
func (n *Network) addMove(todo *rescheduled, f *Solution, number int) (added bool) {
	if t := &n.Tasks[number]; t.taskStatus() != schedules.Planned || core.IsHammock(t.taskType()) {
		return false
	}
	m, moves := n.move(number, f.Dates(number))
	if moves {
		todo.Moves = append(todo.Moves, m)
	}
	return moves
}

// addNews adds the analysis of a task, unless it is that which is stored.
func (n *Network) addNews(todo *rescheduled, f *Solution, number int) (added bool) {
	a, was := n.analysis(f, number), &n.analyses[number]
	if keepAnalysis(&a) == *was {
		return false
	}
	todo.analyses = append(todo.analyses, a)
	return true
}

// move is what a task is to become, and whether it is not that.
func (n *Network) move(number int, d cpm.Dates) (m move, moves bool) {
	t := &n.Tasks[number]
	m = move{
		Number: number, was: *t, calendar: n.names.at(t.calendar), plannedDuration: t.plannedDuration,
		lasts: t.is&lasting != 0,
	}
	switch {
	case d.Start == 0:
		return m, false
	case t.taskType() == schedules.FinishKeyDate:
		m.plannedFinish = momentOf(n.Calendars.Global(d.Finish))
		return m, m.plannedFinish != t.plannedFinish
	case t.IsWBS() && t.taskType() != schedules.StartKeyDate:
		var filled Filled
		m.plannedDuration, m.lasts = int32(n.Calendars.OfTask(n.Fill(&filled, number)).Between(d.Start, d.Finish)), true
	}
	m.plannedStart = momentOf(n.Calendars.Global(d.Start))
	return m, m.plannedStart != t.plannedStart || m.lasts != (t.is&lasting != 0) ||
		m.plannedDuration != t.plannedDuration
}

// writeDates writes what fits into one transaction, and takes it from what is to be
// written.
func (s *Plans) writeDates(ctx context.Context, w *Rescheduling, todo *rescheduled) (written int, err error) {
	var left rescheduled
	err = s.DB.Update(ctx, func(u *records.Update) error {
		left = *todo
		if _, err := s.Ready(u, w.Place, true); err != nil {
			return err
		}
		step := records.NewStep(u).Part(2) // hammocks follow
		if todo.atOnce() {
			step.Whole()
		}
		err := left.writeMoves(u, w.Scope, step)
		if err == nil && len(left.Moves) == 0 {
			err = left.writeAnalyses(u, w.Scope, step)
		}
		if err == nil {
			left.revision, err = w.Scope.Reached(u)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	written = todo.len() - left.len()
	*todo = left
	return written, nil
}

// writeMoves moves tasks as long as the step lasts, and the hammocks that follow them.
func (r *rescheduled) writeMoves(u *records.Update, s records.Scope, step *records.Step) error {
	bare, err := r.withoutHammocks(u, s)
	if err != nil {
		return err
	}
	var stale plan.Stale
	place := core.Placing(u, s)
	for declared := 0; len(r.Moves) > 0; declared-- {
		if declared == 0 {
			if declared, err = r.declareMoves(u, s, !bare); err != nil {
				return err
			}
		}
		if more, err := step.Next(model.RowBytes); err != nil {
			return err
		} else if !more {
			break
		}
		moved, err := r.Moves[0].write(u, s, place)
		if err != nil {
			return err
		}
		if moved && !bare {
			stale.Task(r.Moves[0].taskID())
		}
		r.Moves = r.Moves[1:]
	}
	return core.DeriveHammocks(u, s, &stale)
}

// declareMoves declares what is read to move the next tasks, with the hammocks that follow them, and returns how many
// these are.
func (r *rescheduled) declareMoves(u *records.Update, s records.Scope, hammocks bool) (n int, err error) {
	n = records.NextTogether(u, 0, len(r.Moves))
	var ids, worked []string
	for i := range r.Moves[:n] {
		id := r.Moves[i].taskID()
		ids = append(ids, id)
		if r.Moves[i].was.byResources() {
			worked = append(worked, id)
		}
	}
	records.Declare(u, core.Tasks.Needs(s, ids...)...)
	if err := core.DeclareWorkers(u, s, worked); err != nil || !hammocks {
		return n, err
	}
	return n, core.DeclareAround(u, s, ids)
}

// withoutHammocks reports whether no hammock can follow what is moved: there was none in the
// plan, and no one else has written to it since.
func (r *rescheduled) withoutHammocks(tx records.Reading, s records.Scope) (bool, error) {
	if r.hammocks {
		return false, nil
	}
	revision, err := s.Revision(tx)
	return revision == r.revision, err
}

// placing gives a task the dates that a function sets, and what follows from them in its working time.
type placing = func(t *schedules.Task, dates func(*schedules.Task)) error

// write moves a task that is as it was.
func (m *move) write(u *records.Update, s records.Scope, place placing) (moved bool, err error) {
	_, err = core.Tasks.Modify(u, s, m.taskID(), "", func(t *schedules.Task) error {
		err := m.to(t, place)
		moved = err == nil
		return err
	})
	if model.IsMissing(err) || errors.Is(err, errAsItIs) {
		return false, nil
	}
	return moved, err
}

// to moves a task that is as it was, or returns errAsItIs.
func (m *move) to(t *schedules.Task, place placing) error {
	was := &m.was
	if t.Status != schedules.Planned || t.Type != was.taskType() || t.CalendarID != m.calendar ||
		momentOf(t.PlannedStart) != was.plannedStart ||
		momentOf(t.PlannedFinish) != was.plannedFinish || (t.PlannedDuration != nil) != (was.is&lasting != 0) ||
		t.PlannedDuration != nil && *t.PlannedDuration != was.plannedDuration {
		return errAsItIs
	}
	return place(t, m.Apply)
}

// apply gives a task the dates.
func (m *move) Apply(t *schedules.Task) {
	t.PlannedStart, t.PlannedDuration = m.plannedStart.date(), nil
	if m.lasts {
		t.PlannedDuration = &m.plannedDuration
	}
	if t.Type == schedules.FinishKeyDate {
		t.PlannedFinish = m.plannedFinish.date()
	}
}

// errAsItIs leaves a record as it is.
var errAsItIs = errors.New("schedules: the record stays as it is")

// writeAnalyses writes analyses as long as the step lasts.
func (r *rescheduled) writeAnalyses(u *records.Update, s records.Scope, step *records.Step) error {
	for declared := 0; len(r.analyses) > 0; declared-- {
		if declared == 0 {
			declared = r.declareAnalyses(u, s)
		}
		if more, err := step.Next(model.RowBytes); !more || err != nil {
			return err
		}
		has, err := core.Tasks.Has(u, s, r.analyses[0].TaskID)
		if err == nil && has {
			_, err = core.Analyses.Put(u, s, &r.analyses[0])
		}
		if err != nil {
			return err
		}
		r.analyses = r.analyses[1:]
	}
	for i := 0; len(r.gone) > 0; i++ {
		records.Declare(u, core.Analyses.Needs(s, r.gone[:records.NextTogether(u, i, i+len(r.gone))]...)...)
		if more, err := step.Next(model.RowBytes); !more || err != nil {
			return err
		}
		if err := core.Analyses.Delete(u, s, r.gone[0]); err != nil && !model.IsMissing(err) {
			return err
		}
		r.gone = r.gone[1:]
	}
	return nil
}

// declareAnalyses declares what is read to write the next analyses, and returns how many these are.
func (r *rescheduled) declareAnalyses(u *records.Update, s records.Scope) (n int) {
	n = records.NextTogether(u, 0, len(r.analyses))
	for i := range r.analyses[:n] {
		id := r.analyses[i].TaskID
		records.Declare(u, core.Tasks.Needs(s, id)...)
		records.Declare(u, core.Analyses.NeedsOfNew(s, id)...)
	}
	return n
}
