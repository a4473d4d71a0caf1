package progress_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/progress"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const hour = worktime.Hour

// monday is one at 9:00, when a day of eight hours begins.
var monday = worktime.Date(2026, 1, 5, 9, 0, 0)

// day is a time so many hours into a day behind the first Monday.
func day(n, hours int64) worktime.Time {
	return monday + worktime.Time(n*worktime.Day+hours*hour)
}

func office(t testing.TB) *worktime.Calendar {
	t.Helper()
	c, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 9 * hour, To: 17 * hour}})})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tower is a plan on Wednesday evening: the first task took a day longer than planned, the
// second is half done, the third has not begun and the fourth has a week of float.
func tower(t testing.TB) *dated.Plan {
	t.Helper()
	limit := 3.0
	task := func(id string, start, finish worktime.Time, days int64, late int64) dated.Task {
		return dated.Task{
			ID: id, Parent: dated.None, Duration: days * 8 * hour, Remaining: days * 8 * hour,
			Dates: cpm.Dates{
				Start: start, Finish: finish, EarlyStart: start, EarlyFinish: finish,
				LateStart: start + worktime.Time(late*worktime.Day), LateFinish: finish + worktime.Time(late*worktime.Day),
			},
		}
	}
	p := &dated.Plan{
		Name:     "Tower",
		Projects: []dated.Project{{Calendar: office(t), DataDate: day(2, 8)}},
		Tasks: []dated.Task{
			task("dig", day(0, 0), day(1, 8), 2, 0),
			task("pour", day(2, 0), day(3, 8), 2, 0),
			task("roof", day(4, 0), day(4, 8), 1, 0),
			task("fence", day(3, 0), day(3, 8), 1, 7),
			{ID: "all", Kind: cpm.Summary, Parent: dated.None, Duration: 99, Dates: cpm.Dates{Start: monday, Finish: day(9, 0)}},
		},
		Resources: []dated.Resource{{ID: "crew", Name: "Crew", Renewable: true, Limit: &limit, Unit: "hours"}, {ID: "sand", Unit: "t"}, {ID: "idle"}},
		Assignments: []dated.Assignment{
			{Task: 0, Resource: 0, AtOnce: 2, Units: 32, Actual: 32},
			{Task: 1, Resource: 0, AtOnce: 2, Units: 32, Actual: 16, Remaining: 16},
			{Task: 3, Resource: 0, AtOnce: 2, Units: 16, Remaining: 16},
			{Task: 1, Resource: 1, Units: 10, Actual: 5, Remaining: 5},
		},
	}
	p.Tasks[0].ActualStart, p.Tasks[0].ActualFinish, p.Tasks[0].Remaining = day(0, 0), day(1, 8), 0
	p.Tasks[1].ActualStart, p.Tasks[1].Remaining, p.Tasks[1].EarlyStart, p.Tasks[1].LateStart = day(2, 0), 8*hour, day(3, 0), day(3, 0)
	for i, days := range [][2]int64{{0, 0}, {1, 2}, {3, 3}, {2, 2}} {
		p.Tasks[i].Baseline = dated.Span{Start: day(days[0], 0), Finish: day(days[1], 8), Duration: (days[1] - days[0] + 1) * 8 * hour}
	}
	return p
}

// values are those of a curve by day: planned, done, earliest, latest.
func values(t *testing.T, p *dated.Plan, m progress.Measure) (all []string) {
	t.Helper()
	c, err := progress.CurveOf(p, progress.Options{Measure: m, Step: progress.Day})
	if err != nil {
		t.Fatal(err)
	}
	by := 1.0
	if m == progress.Duration {
		by = float64(hour)
	}
	percent := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprint(*v / by)
	}
	for _, x := range c.Points {
		all = append(all, fmt.Sprint(x.To.String()[5:10], " ", x.Planned/by, " ", percent(x.Actual), " ", percent(x.Earliest), " ", percent(x.Latest)))
	}
	return all
}

func TestACurveAddsUpWhatIsPlannedAndDone(t *testing.T) {
	t.Parallel()
	for m, want := range map[progress.Measure][]string{
		progress.Count: {
			"01-06 1 0 0 0", "01-07 1 1 1 1", "01-08 3 1 1 1", "01-09 4 - 3 2", "01-10 4 - 4 3", "01-11 4 - 4 3", "01-12 4 - 4 3",
			"01-13 4 - 4 3", "01-14 4 - 4 3", "01-15 4 - 4 3", "01-16 4 - 4 4",
		},
		progress.Duration: {
			"01-06 8 8 8 8", "01-07 16 16 16 16", "01-08 32 24 24 24", "01-09 40 - 40 32", "01-10 40 - 48 40", "01-11 40 - 48 40", "01-12 40 - 48 40",
			"01-13 40 - 48 40", "01-14 40 - 48 40", "01-15 40 - 48 40", "01-16 40 - 48 48",
		},
		progress.Units: {
			"01-06 32 16 16 16", "01-07 53 32 32 32", "01-08 90 53 53 53", "01-09 90 - 90 74", "01-10 90 - 90 74", "01-11 90 - 90 74", "01-12 90 - 90 74",
			"01-13 90 - 90 74", "01-14 90 - 90 74", "01-15 90 - 90 74", "01-16 90 - 90 90",
		},
	} {
		if d := cmp.Diff(want, values(t, tower(t), m)); d != "" {
			t.Errorf("%s (-want +got)\n%s", m, d)
		}
	}
}

// TestTheTotalsOfCurvesAreThoseOfTheTasks reads planner files, and adds their tasks up.
func TestTheTotalsOfCurvesAreThoseOfTheTasks(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("..", "planner", "testdata", "*.x*"))
	if err != nil || len(names) < 4 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		p := file(t, name)
		tasks, seconds := 0, 0.0
		for i := range p.Tasks {
			if x := &p.Tasks[i]; x.Kind != cpm.Summary && !x.Hammock() && !x.Inactive {
				tasks++
				seconds += float64(x.Duration)
			}
			p.Tasks[i].Baseline = dated.Span{}
		}
		for m, want := range map[progress.Measure]float64{progress.Count: float64(tasks), progress.Duration: seconds} {
			for _, s := range progress.Steps() {
				c, err := progress.CurveOf(p, progress.Options{Measure: m, Step: s})
				if err != nil {
					t.Fatal(name, err)
				}
				last := c.Points[len(c.Points)-1]
				for what, v := range map[string]*float64{"planned": &last.Planned, "earliest": last.Earliest, "latest": last.Latest} {
					if math.Abs(*v-want) > 1e-6*want {
						t.Errorf("%s: %s by %s: %v of %v %s", name, what, s, *v, want, m)
					}
				}
			}
		}
	}
}

func file(t *testing.T, name string) *dated.Plan {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := planner.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return s.Dated()
}

func TestAHistogramShowsWhenMoreIsUsedThanThereIs(t *testing.T) {
	t.Parallel()
	h, err := progress.HistogramOf(tower(t), progress.Options{Step: progress.Day})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range h.Resources {
		for _, x := range r.Periods {
			got = append(got, fmt.Sprint(r.Resource.ID, " ", x.To.String()[5:10], " ", x.Units, " ", x.AtOnce, " ", x.Over))
		}
	}
	want := []string{
		"crew 01-06 16 2 false", "crew 01-07 16 2 false", "crew 01-08 16 2 false", "crew 01-09 32 4 true",
		"sand 01-06 0 0 false", "sand 01-07 0 0 false", "sand 01-08 5 0 false", "sand 01-09 5 0 false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestOverallocationsSayWhenHowMuchAndByWhichTasks(t *testing.T) {
	t.Parallel()
	early, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 6 * hour, To: 9 * hour}})})
	if err != nil {
		t.Fatal(err)
	}
	use := func(task int, atOnce float64) dated.Assignment { return dated.Assignment{Task: task, AtOnce: atOnce} }
	for name, c := range map[string]struct {
		change func(p *dated.Plan)
		want   string
	}{
		"two at once are too many":  {func(*dated.Plan) {}, "2026-01-08T09:00:00-2026-01-08T17:00:00 4 1 [1 3];"},
		"enough":                    {func(p *dated.Plan) { *p.Resources[0].Limit = 4 }, ""},
		"a limit that is not known": {func(p *dated.Plan) { p.Resources[0].Limit = nil }, ""},
		"material":                  {func(p *dated.Plan) { p.Resources[0].Renewable = false }, ""},
		"a night between is no pause": {func(p *dated.Plan) {
			p.Assignments = append(p.Assignments, use(0, 2))
		}, "2026-01-05T09:00:00-2026-01-06T17:00:00 4 1 [0];2026-01-08T09:00:00-2026-01-08T17:00:00 4 1 [1 3];"},
		"shifts one behind the other": {func(p *dated.Plan) {
			p.Tasks[3].Calendar = early
			p.Tasks[3].Start, p.Tasks[3].Finish = day(3, -3), day(3, 0)
		}, ""},
		"shifts on the same days, at other hours": {func(p *dated.Plan) {
			p.Tasks[3].Calendar = early
			p.Tasks[3].Start, p.Tasks[3].Finish = day(2, -3), day(4, -6)
		}, ""},
		"no units at all": {
			func(p *dated.Plan) { *p.Resources[0].Limit = 0 },
			"2026-01-05T09:00:00-2026-01-08T17:00:00 4 4 [0 1 3];",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := tower(t)
			p.Assignments = p.Assignments[:3]
			c.change(p)
			h, err := progress.HistogramOf(p, progress.Options{Step: progress.Month})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, x := range h.Resources[0].Overallocations {
				fmt.Fprint(&got, x.From, "-", x.To, " ", x.AtOnce, " ", x.Over, " ", x.Tasks, ";")
			}
			if got.String() != c.want {
				t.Errorf("got %q, want %q", got.String(), c.want)
			}
			if unknown := len(h.Unlimited()) > 0; unknown != (p.Resources[0].Renewable && p.Resources[0].Limit == nil) {
				t.Errorf("the limit is not known: %t", unknown)
			}
		})
	}
}

// shiftWork is a plan of tasks from the first Monday to its Friday on calendars of their own, each on the same hours of a
// week, which use one each of a resource of which there is limit.
func shiftWork(t *testing.T, limit float64, weeks ...worktime.Week) *dated.Plan {
	t.Helper()
	p := tower(t)
	p.Tasks, p.Assignments = nil, nil
	*p.Resources[0].Limit = limit
	for i, week := range weeks {
		c, err := worktime.New(worktime.Definition{Week: week})
		if err != nil {
			t.Fatal(err)
		}
		p.Tasks = append(p.Tasks, dated.Task{
			ID: fmt.Sprint(i), Parent: dated.None, Calendar: c, Dates: cpm.Dates{Start: day(0, -9), Finish: day(4, 15)},
		})
		p.Assignments = append(p.Assignments, dated.Assignment{Task: i, AtOnce: 1})
	}
	return p
}

// hoursOf are working hours of a day as pairs of the hours from and until.
func hoursOf(h ...int) (all worktime.Hours) {
	for ; len(h) > 1; h = h[2:] {
		all = append(all, worktime.Period{From: h[0] * hour, To: h[1] * hour})
	}
	return all
}

func TestOverallocationsOfMixedShiftsAreInTheirHours(t *testing.T) {
	t.Parallel()
	on := func(d time.Weekday, h ...int) worktime.Week { return worktime.Week{d: hoursOf(h...)} }
	crowd := []worktime.Week{on(time.Friday, 8, 12)}
	for range 220 {
		crowd = append(crowd, on(time.Monday, 8, 12))
	}
	twice := []worktime.Week{on(time.Friday, 8, 12), {time.Monday: hoursOf(8, 12), time.Wednesday: hoursOf(8, 12)}}
	twice = append(twice, twice[1], on(time.Tuesday, 8, 12))
	for name, c := range map[string]struct {
		limit float64
		weeks []worktime.Week
		want  string
	}{
		"one works in the pause of another": {1, []worktime.Week{on(time.Monday, 8, 12, 16, 20), on(time.Monday, 12, 16)}, ""},
		"who works at another time is not named": {
			1,
			[]worktime.Week{on(time.Monday, 8, 12), on(time.Monday, 13, 17), on(time.Monday, 13, 17)},
			"2026-01-05T13:00:00-2026-01-05T17:00:00 2 1 [1 2];",
		},
		"two times of a day, between which one works": {
			1,
			[]worktime.Week{on(time.Monday, 8, 20), on(time.Monday, 8, 10), on(time.Monday, 18, 20)},
			"2026-01-05T08:00:00-2026-01-05T10:00:00 2 1 [0 1];2026-01-05T18:00:00-2026-01-05T20:00:00 2 1 [0 2];",
		},
		"a pause that all have": {
			1,
			[]worktime.Week{on(time.Monday, 8, 12, 13, 17), on(time.Monday, 9, 12, 13, 16)},
			"2026-01-05T09:00:00-2026-01-05T16:00:00 2 1 [0 1];",
		},
		"two days between which another one works, while the first rests": {
			1, twice, "2026-01-05T08:00:00-2026-01-05T12:00:00 2 1 [1 2];2026-01-07T08:00:00-2026-01-07T12:00:00 2 1 [1 2];",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, err := progress.HistogramOf(shiftWork(t, c.limit, c.weeks...), progress.Options{Step: progress.Month})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, x := range h.Resources[0].Overallocations {
				fmt.Fprint(&got, x.From, "-", x.To, " ", x.AtOnce, " ", x.Over, " ", x.Tasks, ";")
			}
			if got.String() != c.want {
				t.Errorf("got %q, want %q", got.String(), c.want)
			}
		})
	}
	p := shiftWork(t, 10, crowd...)
	for i := range p.Tasks { // while the first rests
		p.Tasks[i].Finish = day(1, 0)
	}
	h, err := progress.HistogramOf(p, progress.Options{Step: progress.Month})
	if err != nil {
		t.Fatal(err)
	}
	all := h.Resources[0].Overallocations
	if len(all) != 1 || all[0].From != day(0, -1) || all[0].To != day(0, 3) || !all[0].More {
		t.Errorf("of a crowd of which the first rests: %+v", all)
	}
}

// Whatever tasks with whatever calendars use of a resource, it is beyond its limit in the quarters of an hour in which a
// count says so, by those who work then.
func TestOverallocationsOfMixedShiftsAreThoseOfACount(t *testing.T) {
	t.Parallel()
	const quarter = worktime.Hour / 4
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 54))
		var weeks []worktime.Week
		for range 2 + r.IntN(5) {
			h := 4 + r.IntN(6)
			h2 := h + 1 + r.IntN(5)
			weeks = append(weeks, worktime.EachWeekday(hoursOf(h, h2, h2+r.IntN(2)+1, h2+3+r.IntN(5))))
		}
		p := shiftWork(t, float64(1+r.IntN(2)), weeks...)
		for i := range p.Tasks {
			p.Tasks[i].Start, p.Tasks[i].Finish = day(0, int64(r.IntN(30)-9)), day(3, int64(r.IntN(40)-20))
		}
		h, err := progress.HistogramOf(p, progress.Options{Step: progress.Month})
		if err != nil {
			t.Fatal(err)
		}
		u := h.Resources[0]
		for at := day(0, -9); at < day(5, 0); at += quarter {
			var working []int
			for i, x := range p.Tasks {
				if p.CalendarOf(i).Between(max(at, x.Start), min(at+quarter, x.Finish)) > 0 {
					working = append(working, i)
				}
			}
			over := float64(len(working)) > *u.Resource.Limit
			found := slices.IndexFunc(u.Overallocations, func(o progress.Overallocation) bool { return o.From <= at && at < o.To })
			if len(working) > 0 && over != (found >= 0) {
				t.Fatalf("seed %d: at %s %v work, by its overallocations %v", seed, at, working, u.Overallocations)
			}
			for _, task := range working {
				if over && !slices.Contains(u.Overallocations[found].Tasks, task) {
					t.Fatalf("seed %d: at %s %d is not named in %v", seed, at, task, u.Overallocations[found])
				}
			}
		}
	}
}

// Whatever tasks use of a resource, it is beyond its limit in the days that have an overallocation and in no others.
func TestOverallocationsAreThoseOfTheHistogramByDay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 53))
		p := tower(t)
		p.Tasks, p.Assignments = nil, nil
		*p.Resources[0].Limit = float64(1 + r.IntN(4))
		for i := range 1 + r.IntN(40) {
			from := int64(r.IntN(30))
			start, finish := day(from, int64(r.IntN(4))), day(from+int64(r.IntN(5)), int64(4+r.IntN(4)))
			p.Tasks = append(p.Tasks, dated.Task{ID: fmt.Sprint(i), Parent: dated.None, Dates: cpm.Dates{Start: start, Finish: finish}})
			p.Assignments = append(p.Assignments, dated.Assignment{Task: i, AtOnce: float64(1+r.IntN(4)) / 2})
		}
		h, err := progress.HistogramOf(p, progress.Options{Step: progress.Day})
		if err != nil {
			t.Fatal(err)
		}
		u := h.Resources[0]
		most := 0.0
		for _, x := range u.Periods {
			beyond := 0.0
			for _, o := range u.Overallocations {
				if p.Projects[0].Calendar.Between(max(x.From, o.From), min(x.To, o.To)) > 0 {
					beyond = max(beyond, o.AtOnce)
				}
			}
			most = max(most, beyond)
			if (beyond > 0) != x.Over {
				t.Fatalf("seed %d: until %s it is beyond the limit: %t, by its overallocations %v", seed, x.To, x.Over, beyond)
			}
		}
		if most > 0 && most != u.Peak {
			t.Fatalf("seed %d: the peak is %v, and that of overallocations %v", seed, u.Peak, most)
		}
	}
}

func TestTheProgressLineShowsWhatIsAheadAndBehind(t *testing.T) {
	t.Parallel()
	p := tower(t)
	p.Tasks[3].Baseline = dated.Span{} // which is planned for Thursday, and not due
	var got []string
	for _, s := range progress.LineOf(p).Tasks {
		got = append(got, fmt.Sprint(p.Tasks[s.Place].ID, " ", s.Done, " ", s.At.String()[5:16], " ", s.Ahead/hour))
	}
	want := []string{
		"dig 1 01-07T17:00 0",
		"pour 0.5 01-06T17:00 -8", // half of Tuesday and Wednesday
		"roof 0 01-07T17:00 0",
		"fence 0 01-07T17:00 0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	t.Parallel()
	p := tower(t)
	if _, err := progress.CurveOf(p, progress.Options{Measure: "Money"}); !errors.Is(err, progress.ErrMeasure) {
		t.Error(err)
	}
	if _, err := progress.HistogramOf(p, progress.Options{Step: "Hour"}); !errors.Is(err, progress.ErrStep) {
		t.Error(err)
	}
	p.Tasks[0].Baseline.Start = worktime.Date(1990, 1, 1, 0, 0, 0)
	if _, err := progress.CurveOf(p, progress.Options{Measure: progress.Duration, Step: progress.Day}); !errors.Is(err, progress.ErrStep) {
		t.Error(err)
	}
	if c, err := progress.CurveOf(p, progress.Options{Measure: progress.Duration}); err != nil || len(c.Points) > 120 || c.Step != progress.Year {
		t.Errorf("%v, %v", c.Step, err)
	}
}

// TestPicturesAreWellFormed draws plans, and one without dates.
func TestPicturesAreWellFormed(t *testing.T) {
	t.Parallel()
	hostile := tower(t)
	hostile.Name, hostile.Tasks[0].Name, hostile.Resources[0].Name = `<A> & "B"`, "</text>\u202e\x00", "<script>"
	for name, p := range map[string]*dated.Plan{"tower": tower(t), "hostile": hostile, "empty": {}} {
		for _, m := range progress.Measures() {
			c, err := progress.CurveOf(p, progress.Options{Measure: m})
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, name, func(w io.Writer) error { return progress.CurveSVG(w, c, progress.Drawing{Bare: true}) })
		}
		h, err := progress.HistogramOf(p, progress.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, name, func(w io.Writer) error { return progress.HistogramSVG(w, h, progress.Drawing{}) })
		wellFormed(t, name, func(w io.Writer) error {
			return progress.LineSVG(w, progress.LineOf(p), p, progress.Drawing{Title: "T"})
		})
	}
}

func wellFormed(t *testing.T, name string, draw func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		t.Fatal(name, err)
	}
	for in := xml.NewDecoder(&b); ; {
		token, err := in.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "style" || strings.Contains(a.Value, "NaN") || e.Name.Local == "script" {
					t.Errorf("%s: <%s %s=%q>", name, e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestCSVHasALineForEach(t *testing.T) {
	t.Parallel()
	p := tower(t)
	p.Resources[0].Name = "=1+1"
	c, err := progress.CurveOf(p, progress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := progress.HistogramOf(p, progress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := errors.Join(progress.CurveCSV(&b, c), progress.HistogramCSV(&b, h), progress.LineCSV(&b, progress.LineOf(p), p)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"from,to,planned,actual,earliest,latest\n2026-01-05T00:00:00,2026-01-06T00:00:00,1,0,0,0\n", "crew,'=1+1,hours,2026-01-08T00:00:00,2026-01-09T00:00:00,32,4,3,true\n",
		"pour,,2026-01-06T09:00:00,2026-01-07T17:00:00,0.5,2026-01-06T17:00:00,-28800\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
