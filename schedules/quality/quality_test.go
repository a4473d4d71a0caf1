package quality_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/quality"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const day = 8 * worktime.Hour

var monday = worktime.Date(2026, 1, 5, 8, 0, 0)

// plan is what a test begins with: ten tasks in a row of five days each, of which the
// first two have ended, scheduled from the third Monday on, with a resource each and
// their dates as the baseline.
func plan(change func(*planner.Plan)) *planner.Plan {
	p := &planner.Plan{
		Format:    planner.XER,
		Calendars: []planner.Calendar{{ID: "c", Week: planner.Standard.Week}},
		Projects:  []planner.Project{{ID: "p", Start: monday, DataDate: monday + 14*worktime.Day, CalendarID: "c"}},
		Resources: []planner.Resource{{ID: "r"}},
	}
	for i := range 10 {
		t := planner.Task{ID: fmt.Sprint(i), Code: fmt.Sprintf("A%d", i), ProjectID: "p", CalendarID: "c", Duration: 5 * day, Remaining: 5 * day}
		if i < 2 {
			t.ActualStart = monday + worktime.Time(7*i*worktime.Day)
			t.ActualFinish, t.Remaining = t.ActualStart+4*worktime.Day+day, 0
		}
		p.Tasks = append(p.Tasks, t)
		p.Assignments = append(p.Assignments, planner.Assignment{ID: t.ID, TaskID: t.ID, ResourceID: "r"})
		if i > 0 {
			p.Links = append(p.Links, planner.Link{ID: fmt.Sprintf("L%d", i), PredecessorID: fmt.Sprint(i - 1), SuccessorID: t.ID})
		}
	}
	if change != nil {
		change(p)
	}
	return p
}

func dates(t *testing.T, p *planner.Plan) *dated.Plan {
	t.Helper()
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return s.Dated()
}

func analyze(t *testing.T, p *dated.Plan, o quality.Options) map[quality.Point]quality.Result {
	t.Helper()
	results, err := quality.Analyze(p, o)
	if err != nil {
		t.Fatal(err)
	}
	by := make(map[quality.Point]quality.Result)
	for _, r := range results {
		by[r.Point] = r
	}
	return by
}

// found is what a test wants of a point.
type found struct {
	State      quality.State
	Value      float64
	Checked    int
	Violations []string
}

func of(r quality.Result) found {
	f := found{State: r.State, Value: math.Round(r.Value*1000) / 1000, Checked: r.Checked}
	for _, v := range r.Violations {
		f.Violations = append(f.Violations, v.TaskID+v.LinkID)
	}
	return f
}

func TestEachPointFindsItsViolations(t *testing.T) {
	t.Parallel()
	with := func(changes ...func(*planner.Plan)) func(*testing.T) *dated.Plan {
		return func(t *testing.T) *dated.Plan {
			t.Helper()
			d := dates(t, plan(func(p *planner.Plan) {
				for _, change := range changes {
					change(p)
				}
			}))
			d.SetBaseline(dates(t, plan(nil)))
			return d
		}
	}
	const passed, failed = quality.Passed, quality.Failed
	for _, c := range []struct {
		name  string
		plan  func(*testing.T) *dated.Plan
		point quality.Point
		want  found
	}{
		{"the last task has no successor", with(), quality.Logic, found{failed, 12.5, 8, []string{"9"}}},
		{"a task without any link", with(func(p *planner.Plan) { p.Links = append(p.Links[:4], p.Links[6:]...) }), quality.Logic, found{failed, 50, 8, []string{"4", "5", "6", "9"}}},
		{"none in a row", with(), quality.Leads, found{passed, 0, 8, nil}},
		{"a lead", with(func(p *planner.Plan) { p.Links[4].Lag = -day }), quality.Leads, found{failed, 12.5, 8, []string{"L5"}}},
		{"a lead of what has ended", with(func(p *planner.Plan) { p.Links[0].Lag = -day }), quality.Leads, found{passed, 0, 8, nil}},
		{"a lag", with(func(p *planner.Plan) { p.Links[4].Lag = day }), quality.Lags, found{failed, 12.5, 8, []string{"L5"}}},
		{"all from finish to start", with(), quality.RelationshipTypes, found{passed, 100, 8, nil}},
		{"one from start to start", with(func(p *planner.Plan) { p.Links[4].Type = cpm.StartToStart }), quality.RelationshipTypes, found{failed, 87.5, 8, []string{"L5"}}},
		{"one that must start", with(func(p *planner.Plan) {
			p.Tasks[4].Constraints = []cpm.Constraint{{Type: cpm.MandatoryStart, Date: monday + 30*worktime.Day}}
			p.Tasks[5].Constraints = []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: monday}}
		}), quality.HardConstraints, found{failed, 12.5, 8, []string{"4"}}},
		{"float of 45 days", with(func(p *planner.Plan) { p.Tasks[3].Duration, p.Tasks[3].Remaining = 45*day, 45*day; free(p, 4) }), quality.HighFloat, found{failed, 12.5, 8, []string{"4"}}},
		{"float of 44 days", with(func(p *planner.Plan) { p.Tasks[3].Duration, p.Tasks[3].Remaining = 44*day, 44*day; free(p, 4) }), quality.HighFloat, found{passed, 0, 8, nil}},
		{"a project that is to end earlier", with(func(p *planner.Plan) { p.Projects[0].MustFinish = monday + 60*worktime.Day }), quality.NegativeFloat, found{failed, 100, 8, []string{"2", "3", "4", "5", "6", "7", "8", "9"}}},
		{"no hurry", with(), quality.NegativeFloat, found{passed, 0, 8, nil}},
		{"longer now, not in the baseline", with(func(p *planner.Plan) { p.Tasks[3].Duration = 50 * day }), quality.HighDuration, found{passed, 0, 8, nil}},
		{"work behind the data date", with(func(p *planner.Plan) {
			p.Tasks[2].ActualStart, p.Tasks[2].Remaining = monday+15*worktime.Day, 4*day
		}), quality.InvalidDates, found{failed, 10, 10, []string{"2"}}},
		{"nothing is invalid", with(), quality.InvalidDates, found{passed, 0, 10, nil}},
		{"one without a resource", with(func(p *planner.Plan) { p.Assignments = p.Assignments[:9] }), quality.Resources, found{failed, 12.5, 8, []string{"9"}}},
		{"short ones need none", with(func(p *planner.Plan) { p.Assignments = p.Assignments[:9]; p.Tasks[9].Duration = day - 1 }), quality.Resources, found{passed, 0, 7, nil}},
		{"one that ended late", with(func(p *planner.Plan) {
			p.Tasks[1].ActualFinish += 3 * worktime.Day
			p.Projects[0].DataDate += worktime.Day
		}), quality.MissedTasks, found{failed, 50, 2, []string{"1"}}},
		{"one that ended on a day off", with(func(p *planner.Plan) { p.Tasks[1].ActualFinish += 2 * worktime.Day }), quality.MissedTasks, found{passed, 0, 2, nil}},
		{"one that is late", with(func(p *planner.Plan) { p.Projects[0].DataDate += 7 * worktime.Day }), quality.MissedTasks, found{failed, 33.333, 3, []string{"2"}}},
		{"it moves the project", with(), quality.CriticalPathTest, found{passed, 1, 1, nil}},
		{"it leads nowhere", with(func(p *planner.Plan) {
			p.Links = append(p.Links[:2], p.Links[3:]...)
			p.Tasks[9].Duration, p.Projects[0].MustFinish = 1000*day, monday+15*worktime.Day
		}), quality.CriticalPathTest, found{failed, 0, 1, []string{"2"}}},
		{"on time", with(), quality.CriticalPathLengthIndex, found{passed, 1, 1, nil}},
		{"a week late of eight", with(func(p *planner.Plan) { p.Projects[0].MustFinish = monday + 60*worktime.Day + day }), quality.CriticalPathLengthIndex, found{failed, 0.875, 1, nil}},
		{"all that was due is done", with(), quality.BaselineExecutionIndex, found{passed, 1, 2, nil}},
		{"one of three that were due is not", with(func(p *planner.Plan) { p.Projects[0].DataDate += 7 * worktime.Day }), quality.BaselineExecutionIndex, found{failed, 0.667, 3, []string{"2"}}},
	} {
		t.Run(string(c.point)+" "+c.name, func(t *testing.T) {
			t.Parallel()
			r := analyze(t, c.plan(t), quality.Options{})[c.point]
			if diff := cmp.Diff(c.want, of(r)); diff != "" {
				t.Errorf("%+v (-want +got)\n%s", r, diff)
			}
		})
	}
}

// free takes the links of a task away, except for one from the task that ended last.
func free(p *planner.Plan, task int) {
	p.Links[task-1].PredecessorID = p.Tasks[1].ID
	p.Links[task].PredecessorID = p.Tasks[task-1].ID
	p.Links = append(p.Links, planner.Link{ID: "free", PredecessorID: p.Tasks[task].ID, SuccessorID: p.Tasks[task+1].ID})
}

func TestPointsWithoutWhatTheyNeedAreNotApplicable(t *testing.T) {
	t.Parallel()
	d := dates(t, plan(func(p *planner.Plan) {
		p.Assignments, p.Projects[0].DataDate = nil, 0
		p.Tasks = p.Tasks[2:]
		p.Links = p.Links[2:]
	}))
	d.Network = nil
	got := analyze(t, d, quality.Options{})
	for _, point := range []quality.Point{
		quality.InvalidDates, quality.Resources, quality.MissedTasks, quality.CriticalPathTest, quality.CriticalPathLengthIndex, quality.BaselineExecutionIndex,
	} {
		if r := got[point]; r.State != quality.NotApplicable || r.Reason == "" {
			t.Errorf("%+v", r)
		}
	}
	for point, r := range analyze(t, &dated.Plan{}, quality.Options{}) {
		if r.State != quality.NotApplicable || r.Reason == "" {
			t.Errorf("%s of nothing: %+v", point, r)
		}
	}
}

func TestThresholdsAndDaysCanBeSet(t *testing.T) {
	t.Parallel()
	d := dates(t, plan(nil))
	for _, threshold := range []float64{12, 12.5} {
		r := analyze(t, d, quality.Options{Thresholds: map[quality.Point]float64{quality.Logic: threshold}})[quality.Logic]
		if want := map[bool]quality.State{true: quality.Passed, false: quality.Failed}[threshold == 12.5]; r.State != want || r.Threshold != threshold {
			t.Errorf("%+v", r)
		}
	}
	for days, want := range map[int]int{4: 8, 5: 0} {
		if r := analyze(t, d, quality.Options{HighDuration: days})[quality.HighDuration]; len(r.Violations) != want {
			t.Errorf("%d tasks take more than %d days", len(r.Violations), days)
		}
	}
	if got := analyze(t, d, quality.Options{Only: []quality.Point{quality.Lags, quality.Leads}}); len(got) != 2 {
		t.Errorf("%v", got)
	}
	for _, o := range []quality.Options{
		{Thresholds: map[quality.Point]float64{"Luck": 1}},
		{Thresholds: map[quality.Point]float64{quality.Logic: math.NaN()}},
		{Thresholds: map[quality.Point]float64{quality.Logic: -1}},
		{Only: []quality.Point{"Luck"}},
		{HighFloat: -1},
		{Delay: 1 << 30},
	} {
		if _, err := quality.Analyze(d, o); !errors.Is(err, quality.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestMilestonesCountWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	d := dates(t, plan(func(p *planner.Plan) { p.Tasks[9].Kind, p.Tasks[9].Duration = cpm.FinishMilestone, 0 }))
	if r := analyze(t, d, quality.Options{})[quality.Logic]; len(r.Violations) != 0 || r.Checked != 7 {
		t.Errorf("%+v", r)
	}
	if r := analyze(t, d, quality.Options{Milestones: true})[quality.Logic]; len(r.Violations) != 1 || r.Checked != 8 {
		t.Errorf("%+v", r)
	}
}

func TestThePlanOfMicrosoftProjectIsSoundButForItsResourcesAndDates(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../planner/testdata/mspdi-mp_j30_a2_nr1.xml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := planner.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	got := map[quality.Point]found{}
	for point, r := range analyze(t, dates(t, p), quality.Options{}) {
		got[point] = of(r)
	}
	const passed, none = quality.Passed, quality.NotApplicable
	want := map[quality.Point]found{
		quality.Logic:                   {passed, 0, 60, nil},
		quality.Leads:                   {passed, 0, 96, nil},
		quality.Lags:                    {passed, 0, 96, nil},
		quality.RelationshipTypes:       {passed, 100, 96, nil},
		quality.HardConstraints:         {passed, 0, 60, nil},
		quality.HighFloat:               {passed, 0, 60, nil},
		quality.NegativeFloat:           {passed, 0, 60, nil},
		quality.HighDuration:            {passed, 0, 60, nil},
		quality.InvalidDates:            {none, 0, 0, nil},
		quality.Resources:               {passed, 0, 60, nil},
		quality.MissedTasks:             {none, 0, 0, nil},
		quality.CriticalPathTest:        {passed, 1, 1, nil},
		quality.CriticalPathLengthIndex: {none, 0, 0, nil},
		quality.BaselineExecutionIndex:  {none, 0, 0, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func BenchmarkAnalyze10000Tasks(b *testing.B) {
	p := plan(func(p *planner.Plan) {
		for i := 10; i < 10_000; i++ {
			p.Tasks = append(p.Tasks, planner.Task{ID: fmt.Sprint(i), ProjectID: "p", CalendarID: "c", Duration: day, Remaining: day})
			p.Links = append(p.Links, planner.Link{ID: fmt.Sprint(i), PredecessorID: fmt.Sprint(i - 1), SuccessorID: fmt.Sprint(i)})
		}
	})
	s, err := p.Schedule()
	if err != nil {
		b.Fatal(err)
	}
	d := s.Dated()
	for b.Loop() {
		if _, err := quality.Analyze(d, quality.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
