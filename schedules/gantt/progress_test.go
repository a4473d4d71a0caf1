package gantt_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

var shape = regexp.MustCompile(`<path class="([a-z0-9]+)" d="M([0-9.]+) ?-?[0-9.]+H([0-9.]+)`)

// pieces are the pieces of the bar of the only task of a plan, in days from the first
// Monday on: the class of each, and from when until when it is.
func pieces(t *testing.T, p *dated.Plan) (all []string) {
	t.Helper()
	svg := draw(t, p, gantt.Options{Scale: gantt.Day, From: monday.Midnight(), To: monday.Midnight() + 40*worktime.Day, WithoutTable: true})
	_, row, _ := strings.Cut(svg, `<g transform="translate(0 `)
	row, _, _ = strings.Cut(row, "</g>")
	for _, m := range shape.FindAllStringSubmatch(row, -1) {
		x0, _ := strconv.ParseFloat(m[2], 64)
		x1, _ := strconv.ParseFloat(m[3], 64)
		all = append(all, fmt.Sprintf("%s %.0f-%.0f", m[1], x0/20, x1/20))
	}
	return all
}

func TestWorkThatIsDoneEndsAtTheDataDateAndANeckLeadsToTheRest(t *testing.T) {
	t.Parallel()
	midnight := func(day int64) worktime.Time { return monday.Midnight() + worktime.Time(day*worktime.Day) }
	for name, c := range map[string]struct {
		profile                     cpm.Profile
		data, rest, suspend, resume int64
		want                        []string
	}{
		"continues at the data date":      {cpm.P6, 7, 7, 0, 0, []string{"d 3-7", "r 7-21"}},
		"out of sequence":                 {cpm.P6, 7, 14, 0, 0, []string{"d 3-7", "f 7-14", "r 14-21"}},
		"suspended":                       {cpm.P6, 7, 14, 5, 14, []string{"d 3-5", "f 5-14", "r 14-21"}},
		"suspended and resumed before":    {cpm.P6, 9, 9, 5, 7, []string{"d 3-5", "f 5-7", "d 7-9", "r 9-21"}},
		"split by Microsoft Project":      {cpm.MSProject, 0, 14, 5, 14, []string{"d 3-5", "f 5-14", "r 14-21"}},
		"split with a date of its status": {cpm.MSProject, 4, 14, 0, 0, []string{"d 3-4", "f 4-14", "r 14-21"}},
	} {
		x := dated.Task{ID: "a", Parent: dated.None, Duration: 4 * 24 * hour, Remaining: 2 * 24 * hour, ActualStart: midnight(3)}
		x.Start, x.Finish, x.EarlyStart, x.EarlyFinish = midnight(3), midnight(21), midnight(c.rest), midnight(21)
		if c.suspend != 0 {
			x.Suspend, x.Resume = midnight(c.suspend), midnight(c.resume)
		}
		p := &dated.Plan{Options: cpm.Options{Profile: c.profile}, Projects: []dated.Project{{}}, Tasks: []dated.Task{x}}
		if c.data != 0 {
			p.Projects[0].DataDate = midnight(c.data)
		}
		if diff := cmp.Diff(c.want, pieces(t, p)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestSplitTasksAreDrawnInPiecesWithNecksBetweenThem draws a task of four days that pauses for
// three behind its second, and for one behind its third.
func TestSplitTasksAreDrawnInPiecesWithNecksBetweenThem(t *testing.T) {
	t.Parallel()
	midnight := func(day int64) worktime.Time { return monday.Midnight() + worktime.Time(day*worktime.Day) }
	for name, c := range map[string]struct {
		done  int64
		begun bool
		ended bool
		data  int64
		want  []string
	}{
		"not begun":          {want: []string{"r 3-5", "f 5-8", "r 8-9", "f 9-10", "r 10-11"}},
		"begun":              {done: 1, begun: true, want: []string{"d 3-4", "r 4-5", "f 5-8", "r 8-9", "f 9-10", "r 10-11"}},
		"done up to a pause": {done: 2, begun: true, want: []string{"d 3-5", "f 5-8", "r 8-9", "f 9-10", "r 10-11"}},
		"done between":       {done: 3, begun: true, want: []string{"d 3-5", "f 5-8", "d 8-9", "f 9-10", "r 10-11"}},
		"before a status":    {done: 3, begun: true, data: 4, want: []string{"d 3-4", "f 4-10", "r 10-11"}},
		"ended":              {done: 4, begun: true, ended: true, want: []string{"d 3-5", "f 5-8", "d 8-9", "f 9-10", "d 10-11"}},
	} {
		x := dated.Task{ID: "a", Parent: dated.None, Splits: []cpm.Split{{After: 2 * 24 * hour, Pause: 3 * 24 * hour}, {After: 3 * 24 * hour, Pause: 24 * hour}}}
		x.Start, x.Finish, x.EarlyStart, x.EarlyFinish = midnight(3), midnight(11), midnight(3), midnight(11)
		if c.begun {
			x.ActualStart = x.Start
		}
		if c.ended {
			x.ActualFinish = x.Finish
		}
		p := &dated.Plan{Options: cpm.Options{Profile: cpm.MSProject}, Projects: []dated.Project{{}}, Tasks: []dated.Task{x}}
		if c.data != 0 {
			p.Projects[0].DataDate = midnight(c.data)
		}
		p.Measure(0, dated.Work{Duration: 4 * 24 * hour, Remaining: (4 - c.done) * 24 * hour})
		if diff := cmp.Diff(c.want, pieces(t, p)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestProjectsHaveARowEachAndDoNotMix(t *testing.T) {
	t.Parallel()
	p := &dated.Plan{Projects: []dated.Project{{ID: "17", Code: "B-2", Name: "Bridge"}, {ID: "18", Code: "R-1", Name: "Road"}, {ID: "19", Name: "Empty"}}}
	p.Name = p.ProjectNames()
	for i := range 6 {
		x := task(t, fmt.Sprint(i), i, 2)
		x.Project = i % 2
		p.Tasks = append(p.Tasks, x)
	}
	rows, err := gantt.Rows(p, gantt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	none := dated.None
	want := []gantt.Row{
		{Task: none, Parent: true, Found: true},
		{Task: 0, Level: 1, Found: true},
		{Task: 2, Level: 1, Found: true},
		{Task: 4, Level: 1, Found: true},
		{Task: none, Project: 1, Parent: true, Found: true},
		{Task: 1, Project: 1, Level: 1, Found: true},
		{Task: 3, Project: 1, Level: 1, Found: true},
		{Task: 5, Project: 1, Level: 1, Found: true},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	svg := draw(t, p, gantt.Options{})
	for _, part := range []string{">Bridge, Road, Empty</text>", ">B-2</text>", ">R-1</text>", " · 3 projects"} {
		if !strings.Contains(svg, part) {
			t.Errorf("the picture has no %q", part)
		}
	}
	found, err := gantt.Rows(p, gantt.Options{Search: "task 3"})
	if diff := cmp.Diff([]gantt.Row{{Task: none, Project: 1, Parent: true}, {Task: 3, Project: 1, Level: 1, Found: true}}, found); diff != "" || err != nil {
		t.Errorf("a search (-want +got)\n%s, %v", diff, err)
	}
	if len(p.Tasks) != 6 || p.Tasks[0].Parent != dated.None {
		t.Error("the plan was changed")
	}
}

func TestUnknownIDsAreNotShown(t *testing.T) {
	t.Parallel()
	p := long(t, 60)
	p.PrivateIDs = true
	var mermaid strings.Builder
	if err := gantt.Mermaid(&mermaid, p, gantt.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{draw(t, p, gantt.Options{Rows: 10, Page: 2}), mermaid.String()} {
		if strings.Contains(text, "A000") {
			t.Error("there is an id in it")
		}
	}
	if !strings.Contains(mermaid.String(), "    Task 3 of the plan :") {
		t.Errorf("%.400s", mermaid.String())
	}
}

var label = regexp.MustCompile(`<text class="([mu])( e)?" x="([0-9.]+)" y="(55|73)">([^<]*)</text>`)

func TestLabelsOfTimeAreSpacedAndEveryNth(t *testing.T) {
	t.Parallel()
	c := office(t)
	for scale := gantt.Fit; scale <= gantt.Quarter; scale++ {
		for from := range int64(60) {
			start := c.Start(monday - worktime.Time(from*worktime.Day))
			for _, days := range []int64{10, 200, 900} {
				x := dated.Task{ID: "1", Parent: dated.None, Duration: days * 8 * hour, Dates: cpm.Dates{Start: start, Finish: c.Add(start, days*8*hour)}}
				p := &dated.Plan{Projects: []dated.Project{{Calendar: c}}, Tasks: []dated.Task{x}}
				ends := map[string]float64{}
				var weeks []float64
				for _, m := range label.FindAllStringSubmatch(draw(t, p, gantt.Options{Scale: scale, WithoutTable: true}), -1) {
					at, _ := strconv.ParseFloat(m[3], 64)
					if m[2] != "" {
						continue // in the middle of its day
					}
					if at < ends[m[4]] {
						t.Fatalf("%v from %v: %q overlaps the label before it", scale, start, m[5])
					}
					ends[m[4]] = at + 6.4*float64(len(m[5]))
					if scale == gantt.Week && m[4] == "73" {
						weeks = append(weeks, at)
					}
				}
				for i := 2; i+1 < len(weeks); i++ {
					if apart := weeks[i] - weeks[i-1]; apart-(weeks[i+1]-weeks[i]) > 1 || apart-(weeks[i+1]-weeks[i]) < -1 {
						t.Fatalf("weeks from %v are at %v", start, weeks)
					}
				}
			}
		}
	}
}

func TestDaysOffAreThoseOfTheCalendarOfEachTask(t *testing.T) {
	t.Parallel()
	p := long(t, 3)
	p.Tasks[1].Calendar = worktime.Continuous
	svg := draw(t, p, gantt.Options{Scale: gantt.Day, Order: gantt.ByPlan})
	if n := strings.Count(svg, `<path class="w" clip-path=`); n != 1 {
		t.Errorf("%d calendars have days off", n)
	}
	_, clip, _ := strings.Cut(svg, `<clipPath id="gantt-w0">`)
	if clip, _, _ = strings.Cut(clip, "</clipPath>"); strings.Count(clip, "z") != 2 {
		t.Errorf("days off are behind the rows %s", clip)
	}
}

func TestTodayAndTheDataDateAreLinesWithNames(t *testing.T) {
	t.Parallel()
	p := kinds(t)
	svg := draw(t, p, gantt.Options{Today: monday + 10*worktime.Day})
	for _, part := range []string{">data date 9 Jan 26</text>", ">today 15 Jan 26</text>", `<path class="y" d="M`, `<path class="z" d="M`} {
		if !strings.Contains(svg, part) {
			t.Errorf("there is no %s", part)
		}
	}
	if svg := draw(t, p, gantt.Options{Today: monday + 1000*worktime.Day}); strings.Contains(svg, "today") {
		t.Error("today is far away")
	}
}

func TestLinksThatDoNotDriveAreFaintWhereThereAreMany(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{40: false, 200: true} {
		if got := strings.Contains(draw(t, long(t, n), gantt.Options{}), `<g class="lo q"`); got != want {
			t.Errorf("%d tasks: %v", n, got)
		}
	}
}

func TestFloatThatContinuesHasAnArrowAtTheEdge(t *testing.T) {
	t.Parallel()
	p := kinds(t)
	svg := draw(t, p, gantt.Options{Scale: gantt.Day, From: monday, To: monday + 12*worktime.Day})
	if !strings.Contains(svg, "m-4-3 4 3-4 3") {
		t.Error("there is no arrow")
	}
}

func TestTheMilestoneOfTheLegendIsAsItIsDrawn(t *testing.T) {
	t.Parallel()
	p := kinds(t)
	p.Tasks = p.Tasks[:5]
	p.Links = nil
	svg := draw(t, p, gantt.Options{})
	if !strings.Contains(svg, `<path class="c" d="M5 6l7-7 7 7-7 7z"/><text class="m" x="30" y="10">critical milestone`) || strings.Contains(svg, ">milestone<") {
		t.Error("it has another colour")
	}
}
