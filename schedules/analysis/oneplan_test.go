package analysis_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/quality"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// monday is when plans begin.
var monday = time.Date(2026, time.January, 5, 8, 0, 0, 0, time.UTC)

func at(hours int) twinplatform.DateTime {
	return twinplatform.At(monday.Add(time.Duration(hours) * time.Hour))
}

// world is a schedule in a store that several nodes serve.
type world struct {
	*testing.T
	ctx   context.Context
	store storage.Store
	now   time.Time
	nodes []*schedules.Service // each has seen what it has seen
	id    string
}

func newWorld(t *testing.T, nodes int) *world {
	t.Helper()
	w := &world{T: t, ctx: t.Context(), store: memory.New(), now: monday, id: "plan"}
	t.Cleanup(func() { _ = w.store.Close() })
	for range nodes {
		w.nodes = append(w.nodes, w.fresh())
	}
	w.must(w.nodes[0].CreateSchedule(w.ctx, schedules.NewSchedule{ID: w.id, Name: "Plan", TwinID: "twin"}))
	return w
}

// fresh is a node that has seen nothing.
func (w *world) fresh() *schedules.Service {
	return schedules.New(w.store, schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return w.now }}}, scheduling.Feature, exchange.Feature)
}

func (w *world) must(_ any, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// chain makes two tasks one behind the other, the first of five days of eight hours.
func (w *world) chain() schedules.Plan {
	w.Helper()
	in := w.nodes[0].In(w.id)
	days := func(n int32) *int32 { return new(n * 8 * 3600) }
	w.must(in.CreateTasks(w.ctx, []schedules.NewTask{
		{ID: "a", Name: "Dig", Type: schedules.Work, PlannedStart: at(0), PlannedDuration: days(5)},
		{ID: "b", Name: "Pour", Type: schedules.Work, PlannedDuration: days(5)},
	}))
	w.must(in.CreateTaskLinks(w.ctx, []schedules.NewTaskLink{{ID: "l", PredecessorID: "a", SuccessorID: "b", Type: schedules.FinishToStart}}))
	return in
}

// certain are options of a simulation in which everything takes as long as planned.
var certain = analysis.RiskOptions{Runs: 1, OptimisticPercent: 100, PessimisticPercent: 100}

func TestRiskEndsWhereThePlanEndsAfterAChange(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]schedules.TaskPatch{
		"duration":   {PlannedDuration: twinplatform.Set[int32](10 * 8 * 3600)},
		"constraint": {ConstraintType: twinplatform.Set(schedules.StartAfter), ConstraintEarlyDate: twinplatform.Set(at(14 * 24))},
	} {
		w := newWorld(t, 1)
		in := w.chain()
		ends := func() (risk, plan string) {
			t.Helper()
			r, err := analysis.In(in).AnalyzeRisk(w.ctx, certain)
			w.must(nil, err)
			sim, err := scheduling.In(in).Simulate(w.ctx, scheduling.Rescheduling{})
			w.must(nil, err)
			return fmt.Sprint(r.PlannedFinish, r.Earliest, r.Latest), fmt.Sprint(sim.Finish, sim.Finish, sim.Finish)
		}
		_, before := ends()
		w.must(in.UpdateTask(w.ctx, "a", patch))
		if risk, plan := ends(); risk != plan || plan == before {
			t.Errorf("after another %s the simulation ends at %s, the plan at %s and not at %s any more", name, risk, plan, before)
		}
	}
}

// TestCriticalPathTestIsOfThePlanAfterAChange holds the last task by a date, so that no delay
// before it moves the finish.
func TestCriticalPathTestIsOfThePlanAfterAChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	in := w.chain()
	test := func(in schedules.Plan) string {
		t.Helper()
		all, err := analysis.In(in).AnalyzeQuality(w.ctx, analysis.QualityOptions{Points: []quality.Point{quality.CriticalPathTest}})
		w.must(nil, err)
		return fmt.Sprint(all[0].State, all[0].Value)
	}
	before := test(in)
	w.must(in.UpdateTask(w.ctx, "b", schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.CannotReschedule), PlannedStart: twinplatform.Set(at(7 * 24))}))
	got, want := test(in), test(w.fresh().In(w.id))
	if got != want || want == before {
		t.Errorf("it is %s of who has looked before, and %s of who has not; before the change it was %s", got, want, before)
	}
}

// reader is one who looks at a plan.
type reader struct {
	name string
	read func(ctx context.Context, in schedules.Plan) (any, error)
}

// baselines are the ids of those that plans have, by chance.
var baselines = []string{"b0", "b1"}

// readersOf are all who look at a plan.
func readersOf(tasks []string) (all []reader) {
	add := func(name string, read func(ctx context.Context, in schedules.Plan) (any, error)) {
		all = append(all, reader{name, read})
	}
	chart := func(name string, draw func(ctx context.Context, p analysis.Plan) (analysis.Chart, error)) {
		add(name, func(ctx context.Context, in schedules.Plan) (any, error) {
			c, err := draw(ctx, analysis.In(in))
			return string(c.Text), err
		})
	}
	lines := func(name string, write func(ctx context.Context, p analysis.Plan) ([]byte, error)) {
		add(name, func(ctx context.Context, in schedules.Plan) (any, error) {
			text, err := write(ctx, analysis.In(in))
			return string(text), err
		})
	}
	add("dry run", func(ctx context.Context, in schedules.Plan) (any, error) {
		return scheduling.In(in).Simulate(ctx, scheduling.Rescheduling{})
	})
	add("critical path", func(ctx context.Context, in schedules.Plan) (any, error) { return scheduling.In(in).CriticalPath(ctx) })
	for _, id := range tasks {
		add("driving path of "+id, func(ctx context.Context, in schedules.Plan) (any, error) {
			return scheduling.In(in).DrivingPath(ctx, id, scheduling.DrivingPathQuery{})
		})
		add("dry run of "+id, func(ctx context.Context, in schedules.Plan) (any, error) {
			return scheduling.In(in).Simulate(ctx, scheduling.Rescheduling{TaskIDs: []string{id}})
		})
	}
	add("analyses", func(ctx context.Context, in schedules.Plan) (any, error) {
		page, err := scheduling.In(in).SchedulingAnalyses(ctx, scheduling.SchedulingAnalysisQuery{})
		if err != nil {
			return nil, err
		}
		return page.Values()
	})
	add("tasks", func(ctx context.Context, in schedules.Plan) (any, error) {
		page, err := in.Tasks(ctx, schedules.TaskQuery{})
		if err != nil {
			return nil, err
		}
		return page.Values()
	})
	add("risk", func(ctx context.Context, in schedules.Plan) (any, error) {
		return analysis.In(in).AnalyzeRisk(ctx, certain)
	})
	add("risk of the usual durations", func(ctx context.Context, in schedules.Plan) (any, error) {
		return analysis.In(in).AnalyzeRisk(ctx, analysis.RiskOptions{Runs: 7, Seed: 3})
	})
	chart("picture of the risk", func(ctx context.Context, p analysis.Plan) (analysis.Chart, error) {
		return p.RiskSVG(ctx, analysis.RiskQuery{RiskOptions: certain})
	})
	for _, baseline := range append([]string{""}, baselines...) {
		of := func(name string) string { return name + " with baseline " + baseline }
		add(of("quality"), func(ctx context.Context, in schedules.Plan) (any, error) {
			return analysis.In(in).AnalyzeQuality(ctx, analysis.QualityOptions{BaselineID: baseline})
		})
		add(of("violations"), func(ctx context.Context, in schedules.Plan) (any, error) {
			page, err := analysis.In(in).QualityViolations(ctx, analysis.QualityViolationQuery{QualityOptions: analysis.QualityOptions{BaselineID: baseline}})
			if err != nil {
				return nil, err
			}
			return page.Values()
		})
		chart(of("chart"), func(ctx context.Context, p analysis.Plan) (analysis.Chart, error) {
			return p.GanttSVG(ctx, analysis.ChartQuery{BaselineID: baseline})
		})
		progress := analysis.ProgressQuery{BaselineID: baseline}
		add(of("S-curve"), func(ctx context.Context, in schedules.Plan) (any, error) {
			return analysis.In(in).ProgressCurve(ctx, progress)
		})
		chart(of("picture of the S-curve"), func(ctx context.Context, p analysis.Plan) (analysis.Chart, error) {
			return p.ProgressCurveSVG(ctx, progress)
		})
		lines(of("lines of the S-curve"), func(ctx context.Context, p analysis.Plan) ([]byte, error) { return p.ProgressCurveCSV(ctx, progress) })
		add(of("progress line"), func(ctx context.Context, in schedules.Plan) (any, error) {
			return analysis.In(in).ProgressLine(ctx, progress)
		})
		chart(of("picture of the progress line"), func(ctx context.Context, p analysis.Plan) (analysis.Chart, error) {
			return p.ProgressLineSVG(ctx, progress)
		})
		lines(of("lines of the progress line"), func(ctx context.Context, p analysis.Plan) ([]byte, error) { return p.ProgressLineCSV(ctx, progress) })
		if baseline == "" {
			continue
		}
		add(of("comparison"), func(ctx context.Context, in schedules.Plan) (any, error) {
			return analysis.In(in).CompareBaseline(ctx, baseline, analysis.ComparisonQuery{})
		})
		lines(of("lines of the comparison"), func(ctx context.Context, p analysis.Plan) ([]byte, error) {
			text, err := p.CompareBaselineCSV(ctx, baseline)
			if err != nil {
				return nil, err
			}
			return io.ReadAll(text)
		})
		for _, id := range tasks {
			add(of("comparison of "+id), func(ctx context.Context, in schedules.Plan) (any, error) {
				return analysis.In(in).CompareBaseline(ctx, baseline, analysis.ComparisonQuery{TaskID: id})
			})
		}
		add(of("move of the finish"), func(ctx context.Context, in schedules.Plan) (any, error) {
			return analysis.In(in).FinishMove(ctx, baseline, analysis.FinishMoveQuery{})
		})
	}
	add("rows of the chart", func(ctx context.Context, in schedules.Plan) (any, error) {
		return analysis.In(in).GanttRows(ctx, analysis.ChartQuery{})
	})
	chart("diagram", func(ctx context.Context, p analysis.Plan) (analysis.Chart, error) {
		return p.GanttMermaid(ctx, analysis.ChartQuery{})
	})
	add("histogram", func(ctx context.Context, in schedules.Plan) (any, error) {
		return analysis.In(in).ResourceHistogram(ctx, analysis.ProgressQuery{})
	})
	chart("picture of the histogram", func(ctx context.Context, p analysis.Plan) (analysis.Chart, error) {
		return p.ResourceHistogramSVG(ctx, analysis.ProgressQuery{})
	})
	lines("lines of the histogram", func(ctx context.Context, p analysis.Plan) ([]byte, error) {
		return p.ResourceHistogramCSV(ctx, analysis.ProgressQuery{})
	})
	return all
}

// exporters are those who make a file of a plan, which is noted in its schedule.
func exporters() (all []reader) {
	for _, format := range []exchange.PlannerFormat{exchange.FormatXER, exchange.FormatP6XML, exchange.FormatMSPDI} {
		all = append(all, reader{"export of " + string(format), func(ctx context.Context, in schedules.Plan) (any, error) {
			if _, err := exchange.In(in).Export(ctx, exchange.PlannerExport{Format: format, SynchronizerID: "export"}); err != nil {
				return nil, err
			}
			f, err := exchange.In(in).OpenExport(ctx, "export")
			if err != nil {
				return nil, err
			}
			content, err := io.ReadAll(f)
			return string(content), err
		}})
	}
	return all
}

// seen is what a reader says, or why not.
func (w *world) seen(r reader, svc *schedules.Service) any {
	v, err := r.read(w.ctx, svc.In(w.id))
	if err != nil {
		return err.Error()
	}
	return v
}

// look lets a node be asked a few things, and forgets the answers.
func (w *world) look(r *rand.Rand, svc *schedules.Service) {
	all := readersOf(w.tasks())
	for range 1 + r.IntN(3) {
		w.seen(all[r.IntN(len(all))], svc)
	}
}

// tasks are the ids of all tasks.
func (w *world) tasks() (ids []string) {
	for x, err := range twinplatform.All(w.ctx, w.fresh().In(w.id).Tasks, schedules.TaskQuery{}) {
		w.must(nil, err)
		ids = append(ids, x.ID)
	}
	return ids
}

// agree holds every node to what one says that has seen nothing. Each reader asks one of its own,
// so that none has prepared anything for another.
func (w *world) agree(r *rand.Rand, readers []reader) (wrong string) {
	for _, i := range r.Perm(len(readers)) {
		want := w.seen(readers[i], w.fresh())
		for n, node := range w.nodes {
			if diff := cmp.Diff(want, w.seen(readers[i], node)); diff != "" {
				return fmt.Sprintf("%s: node %d (-a fresh one +this one)\n%s", readers[i].name, n, diff)
			}
		}
	}
	return w.certainly()
}

// certainly holds a simulation in which nothing is uncertain to the dry run.
func (w *world) certainly() string {
	sim, err := scheduling.In(w.nodes[0].In(w.id)).Simulate(w.ctx, scheduling.Rescheduling{})
	if err != nil {
		return ""
	}
	r, err := analysis.In(w.nodes[0].In(w.id)).AnalyzeRisk(w.ctx, certain)
	if err != nil {
		return err.Error()
	}
	for _, finish := range []twinplatform.DateTime{r.PlannedFinish, r.Earliest, r.Latest} {
		if !finish.Equal(sim.Finish.Time) {
			return fmt.Sprintf("risk: it ends at %v, the plan at %v", finish, sim.Finish)
		}
	}
	return ""
}

// TestEveryReaderOfAPlanSaysWhatAFreshProcessSays changes plans at random, through one of two nodes
// that are asked in between or not, and holds every reader on both to what a process says that
// reads the store for the first time.
func TestEveryReaderOfAPlanSaysWhatAFreshProcessSays(t *testing.T) {
	t.Parallel()
	taken := make(map[string]int)
	// In 5002 a date comes to hold a summary, and with it what is below.
	for _, seed := range append(slices.Collect(testsize.Seeds(12, 2)), 5002) {
		w, r := newWorld(t, 2), rand.New(rand.NewPCG(seed, 48))
		c := newChanger(w, r, taken)
		looks := r.IntN(4) // of four stretches so many are looked at on the way
		for stretch := range 12 {
			for range 1 + r.IntN(9) {
				c.change()
				if stretch%4 < looks {
					w.look(r, w.nodes[r.IntN(len(w.nodes))])
				}
			}
			readers := readersOf(c.some(w.tasks(), 3))
			if stretch%4 == 3 {
				readers = slices.Concat(readers, exporters())
			}
			if wrong := w.agree(r, readers); wrong != "" {
				t.Fatalf("seed %d, stretch %d: %s\nafter:\n%s", seed, stretch, wrong, c.story.String())
			}
		}
	}
	if !testing.Short() && os.Getenv("TEST_SEED") == "" { // the seeds of every run are known to take each
		for _, name := range changes() {
			if taken[name] == 0 {
				t.Errorf("no plan took another %s", name)
			}
		}
	}
}

// upload puts a file into the schedule.
func (w *world) upload(in schedules.Plan, content []byte) (id string, err error) {
	rec, err := files.In(in).CreateFile(w.ctx, files.NewFile{Length: int64(len(content))})
	if err != nil {
		return "", err
	}
	_, err = files.In(in).AppendFile(w.ctx, rec.Value.ID, 0, bytes.NewReader(content))
	return rec.Value.ID, err
}
