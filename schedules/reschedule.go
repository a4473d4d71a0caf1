package schedules

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// Rescheduling asks for the dates of a schedule to be found again.
type Rescheduling struct {
	// TaskIDs are up to MaxBatch tasks that alone are rescheduled, with all others where
	// they are; empty for all tasks.
	TaskIDs []string `json:"taskIds"`
}

func (r *Rescheduling) check() error {
	if len(r.TaskIDs) == 0 {
		return nil
	}
	return model.CheckBatch("taskIds", len(r.TaskIDs))
}

// have checks that the tasks are there.
func (r *Rescheduling) have(tx records.Reading, s records.Scope) error {
	for _, id := range r.TaskIDs {
		has, err := taskRecords.Has(tx, s, id)
		if err == nil && !has {
			err = noneOf("TaskNotFound", "taskIds", "task", id).Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Reschedule puts the tasks of a schedule where its logic wants them, as a long-running
// operation (POST …/tasks/reschedule): the links and their lags, the constraints, the
// calendars, the progress and the data date, by the rules of the ProjectScheduling. It
// changes the planned dates of tasks that have not begun; a task above others gets their
// span. SchedulingAnalyses shows from then on what else is found of each task; after a
// rescheduling of only some tasks it shows nothing new.
//
// A task that nothing precedes and no constraint holds stays where it is planned, one with
// CannotReschedule stays whatever its links require, and StartAsap moves to the earliest date
// that there is for it. Dates of tasks that others change while it continues count, too. A
// large schedule is rescheduled in steps between which other transactions run, and no reader
// sees half of it: it sees the plan before or after with all analyses, which raises the
// PlanRevision of the schedule. Plans of more than 400 hammocks, and those that others change
// all the time, are written in steps that are seen. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidValue (taskIds), InvalidParameter
// (scheduleId, of another type than v10) or MissingRequiredProperty (startDate, where it
// is not known when the schedule begins); ScheduleNotFound; TaskNotFound;
// InsufficientPermissions; ScheduleNotInitialized; CircularDependency, where the links
// and the tasks above others go round in a circle, with a circle in its message;
// LimitExceeded, as of CriticalPath.
func (p Plan) Reschedule(ctx context.Context, r Rescheduling) (res twinplatform.Result[Task], err error) {
	if err := r.check(); err != nil {
		return res, err
	}
	err = p.s.bench().Call(ctx, func(j *judge.Judge) error {
		w := rescheduling{Rescheduling: r}
		started, err := planningOf(p.s).reschedule.Start(ctx,
			jobs.Spec{
				Subjects: model.Unique(r.TaskIDs), Keep: true, Contention: model.Contention(p.id),
				Open: func(u *records.Update) (records.Scope, error) {
					sc, err := p.s.changeable(u, j, p.id)
					if err == nil {
						err = v10Only(sc)
					}
					if err == nil && sc.State != Ready {
						err = notInitialized(sc.State)
					}
					if err == nil {
						err = r.have(u, sc.scope())
					}
					if err != nil {
						return "", err
					}
					w.Place = sc.place()
					return sc.scope(), nil
				},
			}, &w)
		res = twinplatform.Pending[Task](started.Operation, started.Wait)
		return err
	})
	return res, err
}

// rescheduling is what the journal keeps of one. A step finds the dates of the plan as it
// is then and writes those that differ, until none does: any process may do it, again and
// concurrently with changes of the plan.
type rescheduling struct {
	model.Place
	Rescheduling

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
func (s *Service) rescheduleStep(ctx context.Context, w rescheduling) (rescheduling, jobs.Progress, error) {
	kept := &planningOf(s).networks
	kept.hold(w.Scope)
	next, progress, err := s.rescheduleSome(ctx, w)
	if err != nil || progress == jobs.Done {
		kept.release(w.Scope)
	}
	return next, progress, err
}

func (s *Service) rescheduleSome(ctx context.Context, w rescheduling) (rescheduling, jobs.Progress, error) {
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
	if w.Written > writesPerTask*todo.tasks+MaxBatch {
		return w, jobs.Progress{}, errUnsettled
	}
	err = s.writeAll(ctx, &w, todo)
	return w, w.progress(todo.left + 1), err
}

// progress is how far a rescheduling has come that has so much left.
func (w *rescheduling) progress(left int) jobs.Progress {
	done := w.Written + w.Staged
	return model.ProgressOf(done, done+left)
}

// writeAll writes what is to be written, in as many transactions as that takes.
func (s *Service) writeAll(ctx context.Context, w *rescheduling, todo *rescheduled) error {
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
	moves    []move
	analyses []SchedulingAnalysis
	gone     []string // tasks that have an analysis and are not there

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
	number                      int
	was                         networkTask
	calendar                    twinplatform.NullString // of the task
	plannedStart, plannedFinish moment
	plannedDuration             int32 // of a task that lasts
	lasts                       bool
}

func (m *move) taskID() string { return m.was.taskID() }

func (r *rescheduled) len() int {
	return len(r.moves) + len(r.analyses) + len(r.gone) + len(r.stay) + len(r.kept)
}

func (r *rescheduled) empty() bool { return r.len() == 0 }

// toReschedule finds what is to be written, of a number of tasks at most.
func (s *Service) toReschedule(ctx context.Context, w *rescheduling, most int) (todo *rescheduled, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		sc, err := s.ready(v, w.Place, true)
		if err != nil {
			return err
		}
		found := func(n *network) error {
			f, err := n.foundFor(ctx, w.TaskIDs)
			if err != nil {
				return err
			}
			if w.Stage != 0 && w.Stage == n.staged.stage && n.unwritten != nil {
				todo = n.toStage(f, most)
			} else {
				todo = n.todo(f, w.TaskIDs, most)
			}
			return nil
		}
		kept := &planningOf(s).networks
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

// foundFor are the dates of the network, or of some of its tasks alone.
func (n *network) foundFor(ctx context.Context, taskIDs []string) (*solution, error) {
	if len(taskIDs) == 0 {
		return n.dates(ctx)
	}
	only := make(map[string]bool, len(taskIDs))
	for _, id := range taskIDs {
		only[id] = true
	}
	return n.builder(only).build()
}

// todo is what is to be written of a plan, of so many tasks at most, or of some tasks
// alone.
func (n *network) todo(f *solution, taskIDs []string, most int) *rescheduled {
	todo := &rescheduled{
		revision: n.revision, tasks: len(n.tasks), hammocks: n.hammocks > 0, some: len(taskIDs) > 0,
		stageable: n.stageable(),
	}
	if len(taskIDs) > 0 {
		for _, id := range model.Unique(taskIDs) {
			if number, ok := n.find(id); ok {
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
func (n *network) lookAtAll(todo *rescheduled) {
	n.unwritten = slices.Repeat([]bool{true}, len(n.tasks))
	todo.gone = sorted(n.strays)
}

// addMove adds what is to become of the dates of a task, unless it is that.
func (n *network) addMove(todo *rescheduled, f *solution, number int) (added bool) {
	if t := &n.tasks[number]; t.taskStatus() != Planned || t.taskType().hammock() {
		return false
	}
	m, moves := n.move(number, f.Dates(number))
	if moves {
		todo.moves = append(todo.moves, m)
	}
	return moves
}

// addNews adds the analysis of a task, unless it is that which is stored.
func (n *network) addNews(todo *rescheduled, f *solution, number int) (added bool) {
	a, was := n.analysis(f, number), &n.analyses[number]
	if keepAnalysis(&a) == *was {
		return false
	}
	todo.analyses = append(todo.analyses, a)
	return true
}

// move is what a task is to become, and whether it is not that.
func (n *network) move(number int, d cpm.Dates) (m move, moves bool) {
	t := &n.tasks[number]
	m = move{
		number: number, was: *t, calendar: n.names.at(t.calendar), plannedDuration: t.plannedDuration,
		lasts: t.is&lasting != 0,
	}
	switch {
	case d.Start == 0:
		return m, false
	case t.taskType() == FinishKeyDate:
		m.plannedFinish = momentOf(n.calendars.global(d.Finish))
		return m, m.plannedFinish != t.plannedFinish
	case t.isWBS() && t.taskType() != StartKeyDate:
		var filled filledTask
		m.plannedDuration, m.lasts = int32(n.calendars.ofTask(n.fill(&filled, number)).Between(d.Start, d.Finish)), true
	}
	m.plannedStart = momentOf(n.calendars.global(d.Start))
	return m, m.plannedStart != t.plannedStart || m.lasts != (t.is&lasting != 0) ||
		m.plannedDuration != t.plannedDuration
}

// writeDates writes what fits into one transaction, and takes it from what is to be
// written.
func (s *Service) writeDates(ctx context.Context, w *rescheduling, todo *rescheduled) (written int, err error) {
	var left rescheduled
	err = s.db.Update(ctx, func(u *records.Update) error {
		left = *todo
		if _, err := s.ready(u, w.Place, true); err != nil {
			return err
		}
		step := records.NewStep(u).Part(2) // hammocks follow
		if todo.atOnce() {
			step.Whole()
		}
		err := left.writeMoves(u, w.Scope, step)
		if err == nil && len(left.moves) == 0 {
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
	times := workingTimeOf(u, s)
	if records.Remote(u) {
		ids := make([]string, len(r.moves))
		for i := range r.moves {
			ids[i] = r.moves[i].taskID()
		}
		records.Declare(u, taskRecords.Needs(s, step.Ahead(ids)...)...)
	}
	for len(r.moves) > 0 {
		if more, err := step.Next(rowBytes); err != nil {
			return err
		} else if !more {
			break
		}
		moved, err := r.moves[0].write(u, s, times)
		if err != nil {
			return err
		}
		if moved && !bare {
			stale.Task(r.moves[0].taskID())
		}
		r.moves = r.moves[1:]
	}
	return deriveHammocks(u, s, &stale)
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

// write moves a task that is as it was.
func (m *move) write(u *records.Update, s records.Scope, times *workingTime) (moved bool, err error) {
	_, err = taskRecords.Modify(u, s, m.taskID(), "", func(t *Task) error {
		err := m.to(t, times)
		moved = err == nil
		return err
	})
	if missingRecord(err) || errors.Is(err, errAsItIs) {
		return false, nil
	}
	return moved, err
}

// to moves a task that is as it was, or returns errAsItIs.
func (m *move) to(t *Task, times *workingTime) error {
	was := &m.was
	if t.Status != Planned || t.Type != was.taskType() || t.CalendarID != m.calendar ||
		momentOf(t.PlannedStart) != was.plannedStart ||
		momentOf(t.PlannedFinish) != was.plannedFinish || (t.PlannedDuration != nil) != (was.is&lasting != 0) ||
		t.PlannedDuration != nil && *t.PlannedDuration != was.plannedDuration {
		return errAsItIs
	}
	w, err := times.of(t)
	if err == nil {
		m.apply(w, t)
	}
	return err
}

// apply gives a task the dates.
func (m *move) apply(w working, t *Task) {
	t.PlannedStart, t.PlannedDuration = m.plannedStart.date(), nil
	if m.lasts {
		t.PlannedDuration = &m.plannedDuration
	}
	if t.Type == FinishKeyDate {
		t.PlannedFinish = m.plannedFinish.date()
	}
	t.derive()
	t.timeIn(w)
}

// errAsItIs leaves a record as it is.
var errAsItIs = errors.New("schedules: the record stays as it is")

// writeAnalyses writes analyses as long as the step lasts.
func (r *rescheduled) writeAnalyses(u *records.Update, s records.Scope, step *records.Step) error {
	r.declare(u, s, step)
	for len(r.analyses) > 0 {
		if more, err := step.Next(rowBytes); !more || err != nil {
			return err
		}
		has, err := taskRecords.Has(u, s, r.analyses[0].TaskID)
		if err == nil && has {
			_, err = analysisRecords.Put(u, s, &r.analyses[0])
		}
		if err != nil {
			return err
		}
		r.analyses = r.analyses[1:]
	}
	for len(r.gone) > 0 {
		if more, err := step.Next(rowBytes); !more || err != nil {
			return err
		}
		if err := analysisRecords.Delete(u, s, r.gone[0]); err != nil && !missingRecord(err) {
			return err
		}
		r.gone = r.gone[1:]
	}
	return nil
}

// declare declares what is read before the next analyses are written.
func (r *rescheduled) declare(u *records.Update, s records.Scope, step *records.Step) {
	if !records.Remote(u) {
		return
	}
	ids := make([]string, len(r.analyses))
	for i := range r.analyses {
		ids[i] = r.analyses[i].TaskID
	}
	for _, id := range step.Ahead(ids) {
		records.Declare(u, taskRecords.Needs(s, id)...)
		records.Declare(u, analysisRecords.NeedsOfNew(s, id)...)
	}
	records.Declare(u, analysisRecords.Needs(s, step.Ahead(r.gone)...)...)
}
