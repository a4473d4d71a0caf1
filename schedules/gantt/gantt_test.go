package gantt_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

var update = flag.Bool("update", false, "rewrite the pictures in testdata")

const hour = worktime.Hour

var monday = worktime.Date(2026, time.January, 5, 8, 0, 0)

func office(t testing.TB) *worktime.Calendar {
	t.Helper()
	c, err := worktime.New(planner.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// file is the plan of a planner's file.
func file(t testing.TB, name string) *dated.Plan {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "planner", "testdata", name))
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

// task is one that begins so many days behind the first Monday, at 8:00.
func task(t testing.TB, id string, day, days int) dated.Task {
	t.Helper()
	c := office(t)
	start := c.Start(c.Add(monday, int64(day)*8*hour))
	return dated.Task{
		ID: id, Name: "Task " + id, Parent: dated.None, Duration: int64(days) * 8 * hour, Remaining: int64(days) * 8 * hour,
		Dates: cpm.Dates{Start: start, Finish: c.Add(start, int64(days)*8*hour)},
	}
}

// kinds is a plan with everything that can be drawn.
func kinds(t testing.TB) *dated.Plan {
	t.Helper()
	c := office(t)
	of := func(id, name string, day, days int, change func(*dated.Task)) dated.Task {
		x := task(t, id, day, days)
		x.Name = name
		if change != nil {
			change(&x)
		}
		return x
	}
	below := func(parent int, change func(*dated.Task)) func(*dated.Task) {
		return func(x *dated.Task) {
			x.Parent = parent
			if change != nil {
				change(x)
			}
		}
	}
	float := func(days int) func(*dated.Task) {
		return func(x *dated.Task) {
			x.HasFloat, x.TotalFloat, x.Critical = true, int64(days)*8*hour, days <= 0
			x.LateStart, x.LateFinish = c.Add(x.Start, x.TotalFloat), c.Add(x.Finish, x.TotalFloat)
		}
	}
	return &dated.Plan{
		Name:     "Bridge over the <Ebro> & back",
		Projects: []dated.Project{{Calendar: c, Start: monday, DataDate: c.Add(monday, 40*hour)}},
		Tasks: []dated.Task{
			of("1", "Foundation", 0, 12, func(x *dated.Task) { x.Kind = cpm.Summary }),
			of("1.1", "Excavation", 0, 4, below(0, func(x *dated.Task) {
				x.ActualStart, x.ActualFinish, x.Remaining = x.Start, x.Finish, 0
				x.Baseline = dated.Span{Start: x.Start, Finish: c.Add(x.Finish, -8*hour), Duration: 24 * hour}
			})),
			of("1.2", "Piling", 3, 6, below(0, func(x *dated.Task) {
				float(0)(x)
				x.ActualStart, x.Remaining = x.Start, 32*hour
				x.Baseline = dated.Span{Start: x.Start, Finish: c.Add(x.Finish, -16*hour), Duration: 32 * hour}
			})),
			of("1.3", "Formwork", 5, 4, below(0, func(x *dated.Task) {
				float(3)(x)
				x.Baseline = dated.Span{Start: x.Start, Finish: x.Finish, Duration: 32 * hour}
			})),
			of("1.4", "Ground is ready", 12, 0, below(0, func(x *dated.Task) { x.Kind = cpm.FinishMilestone; float(0)(x) })),
			of("2", "Superstructure", 12, 12, func(x *dated.Task) { x.Kind = cpm.Summary }),
			of("2.1", "Pylons", 12, 5, below(5, float(0))),
			of("2.2", "Deck", 17, 7, below(5, float(-2))),
			of("2.3", "Delivery of steel", 15, 0, below(5, func(x *dated.Task) { x.Kind = cpm.StartMilestone; float(4)(x) })),
			of("2.4", "Railing, put off", 0, 0, below(5, func(x *dated.Task) { x.Inactive, x.Dates = true, cpm.Dates{} })),
			of("3", "Site office", 0, 24, func(x *dated.Task) { x.Kind = cpm.LongHammock }),
		},
		Links: []dated.Link{
			{ID: "a", Predecessor: 1, Successor: 2, LinkDates: cpm.LinkDates{Driving: true}},
			{ID: "b", Predecessor: 1, Successor: 3, Lag: 8 * hour},
			{ID: "c", Predecessor: 2, Successor: 4, LinkDates: cpm.LinkDates{Driving: true}},
			{ID: "d", Predecessor: 3, Successor: 4},
			{ID: "e", Predecessor: 4, Successor: 6, LinkDates: cpm.LinkDates{Driving: true}},
			{ID: "f", Predecessor: 6, Successor: 7, LinkDates: cpm.LinkDates{Driving: true}},
			{ID: "g", Predecessor: 8, Successor: 7, LinkDates: cpm.LinkDates{Float: -8 * hour}},
			{ID: "h", Predecessor: 1, Successor: 9},
		},
	}
}

// types is a plan with links of all types in both directions, apart, touching and
// overlapping.
func types(t testing.TB) *dated.Plan {
	t.Helper()
	p := &dated.Plan{Name: "Types of links", Projects: []dated.Project{{Calendar: office(t)}}}
	names := map[cpm.LinkType]string{cpm.FinishToStart: "FS", cpm.StartToStart: "SS", cpm.FinishToFinish: "FF", cpm.StartToFinish: "SF"}
	for typ := cpm.FinishToStart; typ <= cpm.StartToFinish; typ++ {
		for _, to := range []struct{ day, days int }{{9, 4}, {4, 4}, {2, 5}, {0, 3}} {
			at := len(p.Tasks)
			p.Tasks = append(p.Tasks, task(t, fmt.Sprint(at), 1, 3), task(t, fmt.Sprint(at+1), to.day, to.days))
			p.Tasks[at+1].Name = names[typ] + " from above"
			from, driving := at, at%4 == 0
			if to.day == 2 { // upwards
				p.Tasks[at].Name, from = names[typ]+" from below", at+1
			}
			p.Links = append(p.Links, dated.Link{Predecessor: from, Successor: 2*at + 1 - from, Type: typ, LinkDates: cpm.LinkDates{Driving: driving}})
		}
	}
	return p
}

// texts is a plan with names in all scripts, deep in a tree.
func texts(t testing.TB) *dated.Plan {
	t.Helper()
	p := &dated.Plan{Name: "جسر فوق النهر <script>alert(1)</script>", Projects: []dated.Project{{Calendar: office(t)}}}
	for i, name := range []string{
		"Ground & <b>works</b> \"all\" of it", "التأسيس وحفر الخنادق للجسر الكبير فوق النهر", "基礎工事と杭打ちと型枠工事および鉄筋工事とコンクリート打設",
		"עבודות יסוד 3 (שלב ב)", strings.Repeat("long ", 60), "one\x00two\x1bthree\nfour\u202Eenoemos", "e\u0301\u0301\u0301tude " + strings.Repeat("e\u0301", 40),
		"bad \xff utf-8", "🏗️🏗️🏗️ cranes", "", "W" + strings.Repeat("W", 40), "deepest",
	} {
		x := task(t, fmt.Sprintf("T%04d-%s", i, "LONGER"), i, 3)
		x.Name, x.Parent = name, i-1
		if i < 11 {
			x.Kind = cpm.Summary
		}
		p.Tasks = append(p.Tasks, x)
	}
	return p
}

// long is a plan of so many tasks below summaries of twenty, each linked to the next
// and to one further on.
func long(t testing.TB, n int) *dated.Plan {
	t.Helper()
	c := office(t)
	p := &dated.Plan{Name: "Long", Projects: []dated.Project{{Calendar: c, DataDate: monday}}}
	parent, start := dated.None, monday
	for i := range n {
		x := dated.Task{ID: fmt.Sprintf("A%05d", i), Name: fmt.Sprintf("Task %d of the plan", i), Parent: parent, Duration: 24 * hour, Remaining: 24 * hour}
		x.Start, x.Finish = start, c.Add(start, 24*hour)
		x.HasFloat, x.Critical, x.TotalFloat = true, i%5 == 0, int64(i%5)*8*hour
		x.LateFinish = c.Add(x.Finish, x.TotalFloat)
		if i%20 == 0 {
			parent, x.Kind, x.Parent = i, cpm.Summary, dated.None
		} else {
			for _, by := range []int{1, 7} {
				if from := i - by; from >= 0 && from%20 != 0 {
					p.Links = append(p.Links, dated.Link{Predecessor: from, Successor: i, LinkDates: cpm.LinkDates{Driving: by == 1}})
				}
			}
			start = c.Start(c.Add(start, 8*hour))
		}
		p.Tasks = append(p.Tasks, x)
	}
	return p
}

func draw(t testing.TB, p *dated.Plan, o gantt.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := gantt.SVG(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPicturesAreThoseOfTheFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan    *dated.Plan
		options gantt.Options
	}{
		"kinds":  {kinds(t), gantt.Options{}},
		"types":  {types(t), gantt.Options{Order: gantt.ByPlan}},
		"texts":  {texts(t), gantt.Options{}},
		"page":   {long(t, 100), gantt.Options{Rows: 30, Page: 2}},
		"months": {kinds(t), gantt.Options{Scale: gantt.Month, Levels: 1}},
		"days":   {kinds(t), gantt.Options{Scale: gantt.Day, From: monday, To: monday + 9*worktime.Day, WithoutLinks: true}},
		"empty":  {&dated.Plan{}, gantt.Options{Title: "Nothing"}},
		"one":    {&dated.Plan{Tasks: []dated.Task{task(t, "1", 0, 0)}}, gantt.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, path := draw(t, c.plan, c.options), filepath.Join("testdata", name+".svg")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("run go test -update and look at the picture (-want +got)\n%s", diff)
			}
		})
	}
}

func TestFilesOfPlannersAreDrawn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"MultiprojectWithExternal.xer", "MultiprojectWithExternal.xml", "BaselineProjects.xml", "p6-5.0-roles-resources.xer", "mspdi-mp_j30_a2_nr1.xml"} {
		p := file(t, name)
		for scale := gantt.Fit; scale <= gantt.Quarter; scale++ {
			svg, paths := draw(t, p, gantt.Options{Scale: scale}), 0
			elements(t, svg, func(e xml.StartElement) {
				if e.Name.Local == "path" {
					paths++
				}
			})
			for i := range p.Tasks {
				if !strings.Contains(svg, "<title>"+p.Tasks[i].Label()+" ") {
					t.Errorf("%s has no row of %s", name, p.Tasks[i].Label())
				}
			}
			if paths < len(p.Tasks)+len(p.Links) {
				t.Errorf("%s has %d shapes for %d tasks and %d links", name, paths, len(p.Tasks), len(p.Links))
			}
		}
	}
}

// elements are the names and attributes of all elements of a picture, which is XML.
func elements(t *testing.T, svg string, each func(xml.StartElement)) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v\n%.2000s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			each(e)
		}
	}
}

func TestPicturesHoldNothingThatAStrictPolicyRefuses(t *testing.T) {
	t.Parallel()
	for _, p := range []*dated.Plan{kinds(t), types(t), texts(t), long(t, 50)} {
		styles := 0
		elements(t, draw(t, p, gantt.Options{}), func(e xml.StartElement) {
			if e.Name.Local == "style" {
				styles++
			}
			if slices.Contains([]string{"script", "a", "image", "use", "foreignObject", "animate", "set"}, e.Name.Local) {
				t.Errorf("there is an element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
					t.Errorf("%s has %s=%q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		})
		if styles != 1 {
			t.Errorf("%d style elements", styles)
		}
		elements(t, draw(t, p, gantt.Options{Bare: true}), func(e xml.StartElement) {
			if e.Name.Local == "style" {
				t.Error("a bare picture has a style element")
			}
		})
	}
}

func TestTheSamePlanIsDrawnInTheSameBytes(t *testing.T) {
	t.Parallel()
	first := draw(t, long(t, 300), gantt.Options{})
	for range 5 {
		if draw(t, long(t, 300), gantt.Options{}) != first {
			t.Fatal("another picture")
		}
	}
}

func TestTextOfUsersIsTextInThePicture(t *testing.T) {
	t.Parallel()
	got := draw(t, texts(t), gantt.Options{})
	for _, never := range []string{"<script", "<b>", "\x00", "\x1b", "\u202E", "\xff"} {
		if strings.Contains(got, never) {
			t.Errorf("it holds %q", never)
		}
	}
	for _, want := range []string{"&lt;script&gt;", "Ground &amp; &lt;b&gt;works", "onetwothree four", "\u2068עבודות יסוד 3 (שלב ב)\u2069"} {
		if !strings.Contains(got, want) {
			t.Errorf("it holds no %q", want)
		}
	}
}

func TestMermaidHasATaskALine(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	p := kinds(t)
	p.Tasks[1].Name = "section 1: dig; #2 %% <i>"
	if err := gantt.Mermaid(&b, p, gantt.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `gantt
    title Bridge over the ‹Ebro› & back
    dateFormat YYYY-MM-DDTHH:mm:ss
    axisFormat %d %b %y
    todayMarker off
    section Foundation
    1.1 section 1∶ dig, ＃2 % ‹i› :done, t1, 2026-01-05T08:00:00, 2026-01-08T16:00:00
    1.2 Piling :active, crit, t2, 2026-01-08T08:00:00, 2026-01-15T16:00:00
    1.3 Formwork :t3, 2026-01-12T08:00:00, 2026-01-15T16:00:00
    1.4 Ground is ready :crit, milestone, t4, 2026-01-21T08:00:00, 0d
    section Superstructure
    2.1 Pylons :crit, t6, 2026-01-21T08:00:00, 2026-01-27T16:00:00
    2.2 Deck :crit, t7, 2026-01-28T08:00:00, 2026-02-05T16:00:00
    2.3 Delivery of steel :milestone, t8, 2026-01-26T08:00:00, 0d
    section Bridge over the ‹Ebro› & back
    3 Site office :t10, 2026-01-05T08:00:00, 2026-02-05T16:00:00
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestNoLineOfMermaidBeginsWithADay has codes, names and summaries that do.
func TestNoLineOfMermaidBeginsWithADay(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	p := kinds(t)
	p.Tasks[0].Name, p.Tasks[1].Code, p.Tasks[2].Code, p.Tasks[2].Name = "2026-01-05", "2026-01-05.1", "2026-01-06", "inspection"
	if err := gantt.Mermaid(&b, p, gantt.Options{Title: "2026-01-05 to 2026-02-01"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"    title \u20602026-01-05 to", "    section \u20602026-01-05\n", "    \u20602026-01-05.1 ", "    \u20602026-01-06 inspection :"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it has no %q:\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if startsWithADay.MatchString(line) {
			t.Errorf("a line begins with a day: %q", line)
		}
	}
}

func TestEveryTaskIsOnOnePageAndEveryLinkThatLeavesItHasAStub(t *testing.T) {
	t.Parallel()
	p := long(t, 10_000)
	pages, err := gantt.Pages(p, gantt.Options{})
	if err != nil || pages != 50 {
		t.Fatalf("%d pages: %v", pages, err)
	}
	seen := make(map[string]int)
	for page := 1; page <= pages; page++ {
		svg := draw(t, p, gantt.Options{Page: page})
		if rows := strings.Count(svg, `<g transform="translate(0 `); rows != gantt.DefaultRows {
			t.Errorf("page %d has %d rows", page, rows)
		}
		for i := (page - 1) * 200; i < page*200; i++ {
			seen[p.Tasks[i].ID] += strings.Count(svg, "<title>"+p.Tasks[i].ID+" ")
		}
		if links, stubs := strings.Count(svg, "↓"), strings.Count(svg, "↑"); (page < pages && links < 5) || (page > 1 && stubs < 5) {
			t.Errorf("page %d has %d stubs down and %d up", page, links, stubs)
		}
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s is drawn %d times", id, n)
		}
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	p := kinds(t)
	for _, c := range []struct {
		options gantt.Options
		want    error
	}{
		{gantt.Options{Page: 2}, gantt.ErrPage},
		{gantt.Options{Page: -1}, gantt.ErrPage},
		{gantt.Options{Rows: gantt.MaxRows + 1}, gantt.ErrPage},
		{gantt.Options{Levels: -1}, gantt.ErrPage},
		{gantt.Options{Scale: gantt.Quarter + 1}, gantt.ErrScale},
		{gantt.Options{From: monday, To: monday}, gantt.ErrSpan},
		{gantt.Options{Width: 100}, gantt.ErrSpan},
	} {
		var b bytes.Buffer
		if err := gantt.SVG(&b, p, c.options); !errors.Is(err, c.want) || b.Len() > 0 {
			t.Errorf("%+v: %v, %d bytes", c.options, err, b.Len())
		}
	}
	if _, err := gantt.ParseScale("fortnight"); !errors.Is(err, gantt.ErrScale) {
		t.Errorf("a fortnight: %v", err)
	}
	for _, name := range []string{"fit", "day", "week", "month", "quarter"} {
		if s, err := gantt.ParseScale(name); err != nil || s.String() != name {
			t.Errorf("%s is %v: %v", name, s, err)
		}
	}
}

func TestDatesOfAnyDistanceAreDrawnInBoundedRoom(t *testing.T) {
	t.Parallel()
	for _, days := range []int64{0, 1, 100, 4_000, 40_000, 400_000, 3_600_000} {
		for scale := gantt.Fit; scale <= gantt.Quarter; scale++ {
			p := kinds(t)
			p.Tasks = p.Tasks[:2]
			p.Links = nil
			p.Tasks[0].Start = worktime.MinTime
			p.Tasks[0].Finish = worktime.MinTime + worktime.Time(days*worktime.Day)
			p.Tasks[1].Dates, p.Tasks[1].Baseline = p.Tasks[0].Dates, dated.Span{}
			svg := draw(t, p, gantt.Options{Scale: scale})
			elements(t, svg, func(e xml.StartElement) {
				for _, a := range e.Attr {
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Fatalf("%d days at the scale %v: %s=%q", days, scale, a.Name.Local, a.Value)
					}
				}
			})
			if len(svg) > 400_000 {
				t.Errorf("%d days at the scale %v: %d bytes", days, scale, len(svg))
			}
		}
	}
}

func TestAPlanOfAnySizeIsDrawnInBoundedBytes(t *testing.T) {
	t.Parallel()
	p := long(t, gantt.MaxRows)
	p.Name = strings.Repeat("<", 1<<20)
	for i := range p.Tasks {
		p.Tasks[i].Parent = i - 1 // as deep as it goes
		p.Tasks[i].Name = strings.Repeat("界<", 1<<10)
		for j := range 20 { // far and near
			p.Links = append(p.Links, dated.Link{Predecessor: i, Successor: (i*7 + j*97) % len(p.Tasks), Type: cpm.LinkType(j % 4)})
		}
	}
	svg := draw(t, p, gantt.Options{Rows: gantt.MaxRows, Order: gantt.ByPlan})
	if len(svg) > 8<<20 {
		t.Errorf("%d bytes", len(svg))
	}
	elements(t, svg, func(xml.StartElement) {})
	if !strings.Contains(svg, " links not drawn") {
		t.Error("it does not say that links are missing")
	}
}

func TestAThousandRowsTakeLessThan600KB(t *testing.T) {
	t.Parallel()
	if n := len(draw(t, long(t, 1000), gantt.Options{Rows: 1000})); n > 600_000 {
		t.Errorf("%d bytes", n)
	}
}

func BenchmarkSVG1000Rows(b *testing.B) {
	p := long(b, 1000)
	for b.Loop() {
		if err := gantt.SVG(io.Discard, p, gantt.Options{Rows: 1000}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVGPageOf10000Rows(b *testing.B) {
	p := long(b, 10_000)
	for b.Loop() {
		if err := gantt.SVG(io.Discard, p, gantt.Options{Page: 25}); err != nil {
			b.Fatal(err)
		}
	}
}
