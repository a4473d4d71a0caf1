package rescheduling

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// What a rescheduling writes takes one transaction where it is little. Where it is more, it is
// staged in steps (records.Scope.Stage) and committed at once, so that readers see the plan
// before or the plan behind it. Whatever others change of the plan meanwhile is found in the
// commit at the latest, and staged again.

const (
	// writtenAtOnce is how many dates and analyses are written in one transaction: what takes
	// five milliseconds or so.
	writtenAtOnce = 400
	// farAtOnce is as much over a network, where no one waits for that: what takes a transaction of 6,000 writes.
	farAtOnce = 1_500
	// hammocksAtOnce is how many hammocks follow a plan in the transaction that commits it.
	// A plan with more of them is written in steps that others see.
	hammocksAtOnce = 400
	// stagesEach is how many stages a rescheduling begins, since others change the links of
	// the plan or reschedule it too, before it writes in steps that others see.
	stagesEach = 8
)

// staged is what a network knows of a stage of its schedule. It has staged what it is asked
// for before it is known whether that is committed: where that fails, all is forgotten.
type staged struct {
	stage uint64 // its number; 0 for none
	tasks []taskStage
	work  int // how many reschedulings are about to write what they were given
}

// taskStage reports of a task what of it is staged.
type taskStage byte

const (
	unstaged taskStage = iota
	asFound            // what was found is staged
	doubtful           // something is staged, and something else may have been found
)

// doubt reports that a task may have other dates, or an analysis, than what is staged.
func (g *staged) doubt(number int) {
	if number < len(g.tasks) && g.tasks[number] == asFound {
		g.tasks[number] = doubtful
	}
}

// toStage is what is to be staged of a plan, of so many tasks at most.
func (n *Network) toStage(f *Solution, most int) *rescheduled {
	todo := &rescheduled{revision: n.revision, tasks: len(n.Tasks), stageable: n.stageable(), stage: n.staged.stage}
	if n.staged.tasks == nil {
		n.staged.tasks = make([]taskStage, len(n.unwritten))
	}
	for number, was := range n.staged.tasks {
		switch {
		case was == asFound || was == unstaged && !n.unwritten[number]:
		case most == 0:
			todo.left++
		default:
			if n.stageTask(todo, f, number) || was == doubtful {
				most--
			}
		}
	}
	switch {
	case !todo.empty():
		n.staged.work++
	case n.staged.work > 0:
		todo.busy = true
	case n.hammocks > 0:
		for i := range n.Tasks {
			if t := &n.Tasks[i]; core.IsHammock(t.taskType()) {
				todo.following = append(todo.following, t.TaskID())
			}
		}
	}
	return todo
}

// stageTask adds what is to be staged of a task, and reports whether there is anything.
func (n *Network) stageTask(todo *rescheduled, f *Solution, number int) bool {
	id, was := n.Tasks[number].TaskID(), n.staged.tasks[number]
	moves, news := n.addMove(todo, f, number), n.addNews(todo, f, number)
	if !moves && was == doubtful {
		todo.stay = append(todo.stay, id)
	}
	if !news && was == doubtful {
		todo.kept = append(todo.kept, id)
	}
	n.staged.tasks[number] = asFound
	return moves || news
}

// atOnce reports whether what is to be written of a plan is written in one transaction.
func (r *rescheduled) atOnce() bool {
	most := writtenAtOnce
	if r.far {
		most = farAtOnce
	}
	return r.some || r.left == 0 && r.len() <= most
}

// stages reports whether what is to be written of a plan is staged: of some tasks alone it
// is not.
func (w *Rescheduling) stages(todo *rescheduled) bool {
	return !w.Plain && !todo.some && todo.stageable && !todo.atOnce() && len(todo.Moves)+len(todo.analyses) > 0
}

// stageable reports whether a rescheduling of the network may be staged: its hammocks follow in
// one step.
func (n *Network) stageable() bool { return n.hammocks <= hammocksAtOnce }

// staging is what a rescheduling finds of stages before a step.
type staging struct {
	number    uint64 // that of the schedule; 0 for none
	committed bool
	ours      bool // this process stages in it
}

func (s *Plans) staging(ctx context.Context, w *Rescheduling) (g staging, err error) {
	err = s.DB.View(ctx, func(v *records.View) (err error) {
		g.number, g.committed, err = w.Scope.Staging(v)
		return err
	})
	if err == nil && g.number != 0 {
		s.networks().withStaged(w.Scope, func(known *staged) { g.ours = known.stage == g.number })
	}
	return g, err
}

// withStaged calls fn with what is staged of the schedule in a scope.
func (k *networks) withStaged(s records.Scope, fn func(*staged)) {
	n := k.take(s)
	n.mu.Lock()
	defer n.mu.Unlock()
	fn(&n.staged)
}

// restage gives a rescheduling a stage: that of another one in this process, or a new one. It
// is to fold where one is to be folded.
func (s *Plans) restage(ctx context.Context, w *Rescheduling) error {
	found, err := s.staging(ctx, w)
	if err != nil || found.ours {
		w.Stage = found.number
		return err
	}
	var number uint64
	w.Stages++
	err = s.DB.Update(ctx, func(u *records.Update) error {
		if _, err := s.Ready(u, w.Place, true); err != nil {
			return err
		}
		number, err = w.Scope.Stage(u)
		return err
	})
	if errors.Is(err, records.ErrStaged) {
		w.Stage, w.Folds = 0, true
		return nil
	}
	if err != nil {
		return err
	}
	w.Stage = number
	s.networks().withStaged(w.Scope, func(known *staged) {
		if known.stage < number {
			*known = staged{stage: number}
		}
	})
	return nil
}

// dropStage ends the stage of a schedule that is not committed.
func (s *Plans) dropStage(ctx context.Context, w *Rescheduling) error {
	w.Stage, w.Folds = 0, true
	return s.DB.Update(ctx, func(u *records.Update) error {
		if _, err := s.Ready(u, w.Place, true); err != nil {
			return err
		}
		return w.Scope.AbandonStage(u)
	})
}

// stageDates stages what is to be, unless the stage is no longer that of the schedule.
func (s *Plans) stageDates(ctx context.Context, w *Rescheduling, todo *rescheduled) (err error) {
	defer func() {
		s.networks().withStaged(w.Scope, func(known *staged) {
			switch {
			case known.stage != w.Stage:
			case err != nil:
				*known = staged{}
			default:
				known.work--
			}
		})
		if errors.Is(err, records.ErrUnstaged) {
			w.Stage, err = 0, nil
		}
	}()
	for !todo.empty() {
		left := *todo
		err := s.DB.Update(ctx, func(u *records.Update) error {
			left = *todo
			if _, err := s.Ready(u, w.Place, true); err != nil {
				return err
			}
			return left.stageSome(u, w, records.NewStep(u))
		})
		if err != nil {
			return err
		}
		w.Staged += todo.len() - left.len()
		*todo = left
	}
	return nil
}

// stageSome stages as long as the step lasts.
func (r *rescheduled) stageSome(u *records.Update, w *Rescheduling, step *records.Step) (err error) {
	place := core.Placing(u, w.Scope)
	for declared := 0; !r.empty(); declared-- {
		if declared == 0 {
			if declared, err = r.declareStaged(u, w.Scope); err != nil {
				return err
			}
		}
		if more, err := step.Next(model.RowBytes); !more || err != nil {
			return err
		}
		if err := r.stageOne(u, w, place); err != nil && !model.IsMissing(err) && !errors.Is(err, errAsItIs) {
			return err
		}
	}
	return nil
}

// declareStaged declares what is read to stage what comes next, and returns how much of it that is.
func (r *rescheduled) declareStaged(u *records.Update, s records.Scope) (n int, err error) {
	switch {
	case len(r.Moves) > 0:
		return r.declareMoves(u, s, false)
	case len(r.analyses) > 0:
		return r.declareAnalyses(u, s), nil
	case len(r.stay) > 0:
		n = records.NextTogether(u, 0, len(r.stay))
		records.Declare(u, core.Tasks.Needs(s, r.stay[:n]...)...)
	default:
		n = records.NextTogether(u, 0, len(r.kept))
		records.Declare(u, core.Analyses.Needs(s, r.kept[:n]...)...)
	}
	return n, nil
}

// stageOne stages the first of what is to be staged, and takes it from that.
func (r *rescheduled) stageOne(u *records.Update, w *Rescheduling, place placing) error {
	switch {
	case len(r.Moves) > 0:
		m := &r.Moves[0]
		r.Moves = r.Moves[1:]
		return core.Tasks.Stage(u, w.Scope, w.Stage, m.taskID(),
			func(t *schedules.Task) error { return m.to(t, place) })
	case len(r.analyses) > 0:
		a := &r.analyses[0]
		r.analyses = r.analyses[1:]
		return core.Analyses.StageValue(u, w.Scope, w.Stage, a)
	case len(r.stay) > 0:
		id := r.stay[0]
		r.stay = r.stay[1:]
		return core.Tasks.Stage(u, w.Scope, w.Stage, id, func(*schedules.Task) error { return nil })
	default:
		id := r.kept[0]
		r.kept = r.kept[1:]
		return core.Analyses.Stage(u, w.Scope, w.Stage, id, func(*schedules.SchedulingAnalysis) error { return nil })
	}
}

// commitPlan makes what is staged the plan that is read, unless others have changed the plan
// since it was looked at.
func (s *Plans) commitPlan(ctx context.Context, w *Rescheduling, todo *rescheduled) error {
	committed := false
	err := s.DB.Update(ctx, func(u *records.Update) error {
		committed = false
		sc, err := s.Ready(u, w.Place, true)
		if err != nil {
			return err
		}
		if changed, err := planChanged(u, w.Scope, todo.revision); changed || err != nil {
			return err
		}
		if err := w.Scope.CommitStage(u, w.Stage); err != nil {
			return err
		}
		err = core.Modify(u, sc, func(sc *schedules.Schedule) { sc.PlanRevision++ })
		if err == nil {
			err = core.FollowHammocks(u, w.Scope, todo.following)
		}
		committed = err == nil
		return err
	})
	switch {
	case errors.Is(err, records.ErrUnstaged):
		w.Stage = 0
		return nil
	case committed:
		w.Stage, w.Folds = 0, true
	}
	return err
}

// foldPlan folds what is committed, and removes what is left of stages that were abandoned.
func (s *Plans) foldPlan(ctx context.Context, at model.Place) (whole bool, err error) {
	for another := s.Turn(); !whole && err == nil && another(); {
		err = s.DB.Update(ctx, func(u *records.Update) error {
			if _, err := s.Ready(u, at, true); err != nil {
				return err
			}
			whole, err = at.Scope.FoldStage(u, []*records.Table{core.Tasks.Table(), core.Analyses.Table()},
				records.NewStep(u))
			return err
		})
	}
	return whole, err
}

// stagePlan does a step of a rescheduling that stages, and reports false for one that is to
// write what it found.
func (s *Plans) stagePlan(ctx context.Context, w *Rescheduling, todo *rescheduled) (did bool, err error) {
	switch {
	case todo.stage != 0 && w.Staged > 2*stagesEach*todo.tasks+schedules.MaxBatch, w.stages(todo) &&
		w.Stages == stagesEach:
		w.Plain = true
		return true, s.dropStage(ctx, w)
	case todo.busy:
		return true, nil // another rescheduling is about to stage what this one would
	case todo.stage != 0 && todo.empty():
		return true, s.commitPlan(ctx, w, todo)
	case todo.stage != 0:
		return true, s.stageDates(ctx, w, todo)
	case w.stages(todo):
		todo.Moves, todo.analyses = nil, nil
		if err := s.writeAll(ctx, w, todo); err != nil {
			return true, err
		}
		return true, s.restage(ctx, w)
	case w.Stage != 0:
		return true, s.dropStage(ctx, w)
	}
	return false, nil
}

// clearStage removes what a rescheduling has staged and cannot commit, and folds what is.
func (s *Plans) clearStage(ctx context.Context, w *Rescheduling) (err error) {
	if w.Stage != 0 {
		err = s.dropStage(ctx, w)
	}
	for whole := false; !whole && err == nil; {
		whole, err = s.foldPlan(ctx, w.Place)
	}
	if refused := (*twinplatform.Error)(nil); errors.As(err, &refused) && refused.Kind == twinplatform.NotFound {
		return nil // it went with the schedule
	}
	return err
}
