package gantt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
)

// outline are the rows of a page: indented by their level, a + before what is folded, a -
// before what is not, a * behind what was found.
func outline(t *testing.T, p *dated.Plan, o gantt.Options) (lines []string) {
	t.Helper()
	rows, err := gantt.Rows(p, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		sign := " "
		switch {
		case r.Folded:
			sign = "+"
		case r.Parent:
			sign = "-"
		}
		lines = append(lines, strings.Repeat("  ", r.Level)+sign+p.Tasks[r.Task].ID+map[bool]string{true: "*"}[r.Found])
	}
	return lines
}

func TestRowsAreFoldedSearchedAndFiltered(t *testing.T) {
	t.Parallel()
	p := kinds(t)
	for name, c := range map[string]struct {
		options gantt.Options
		want    []string
	}{
		"folded by levels":        {gantt.Options{Levels: 1}, []string{"+1*", "+2*", " 3*"}},
		"one unfolded":            {gantt.Options{Levels: 1, Toggled: []int{5}}, []string{"+1*", "-2*", "   2.1*", "   2.2*", "   2.3*", "   2.4*", " 3*"}},
		"one folded":              {gantt.Options{Toggled: []int{0, 4}}, []string{"+1*", "-2*", "   2.1*", "   2.2*", "   2.3*", "   2.4*", " 3*"}},
		"by start":                {gantt.Options{Levels: 1, Toggled: []int{5}, Order: gantt.ByStart}, []string{"+1*", " 3*", "-2*", "   2.1*", "   2.3*", "   2.2*", "   2.4*"}},
		"searched by name":        {gantt.Options{Search: "PYL", Levels: 1, Toggled: []int{5}}, []string{"-2", "   2.1*"}},
		"searched by id":          {gantt.Options{Search: "1.3"}, []string{"-1", "   1.3*"}},
		"a summary is found":      {gantt.Options{Search: "foundation"}, []string{" 1*"}},
		"nothing is found":        {gantt.Options{Search: "tunnel"}, nil},
		"critical":                {gantt.Options{Critical: true}, []string{"-1", "   1.2*", "   1.4*", "-2", "   2.1*", "   2.2*"}},
		"critical and searched":   {gantt.Options{Critical: true, Search: "p"}, []string{"-1", "   1.2*", "-2", "   2.1*"}},
		"second page of a search": {gantt.Options{Search: "e", Rows: 2, Page: 2}, []string{"   1.4*", "-2*"}},
	} {
		if diff := cmp.Diff(c.want, outline(t, p, c.options)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if svg := draw(t, p, c.options); strings.Count(svg, `<g transform="translate(0 `) != len(c.want) {
			t.Errorf("%s: the picture has other rows", name)
		}
	}
	if _, err := gantt.Rows(p, gantt.Options{Page: 9}); err == nil {
		t.Error("there is a ninth page")
	}
	if _, err := gantt.Rows(p, gantt.Options{Levels: -1}); err == nil {
		t.Error("there are less than no levels")
	}
}

// Whatever is folded, each task is in a row or below one that is folded.
func TestWhatIsFoldedHidesNothingElse(t *testing.T) {
	t.Parallel()
	p := long(t, 200)
	for levels := range 3 {
		for toggled := range 10 {
			o := gantt.Options{Levels: levels, Toggled: []int{toggled * 20, toggled * 20}, Rows: gantt.MaxRows}
			rows, err := gantt.Rows(p, o)
			if err != nil {
				t.Fatal(err)
			}
			seen := make(map[int]bool)
			for _, r := range rows {
				if seen[r.Task] {
					t.Errorf("task %d has two rows", r.Task)
				}
				seen[r.Task] = true
			}
			for _, r := range rows {
				for i := range p.Tasks {
					if p.Tasks[i].Parent == r.Task && seen[i] == r.Folded {
						t.Errorf("%+v: task %d below %d is seen: %t, which is folded: %t", o, i, r.Task, seen[i], r.Folded)
					}
				}
			}
		}
	}
}

func TestAPictureWithoutItsTableHasBarsAndTimesAlone(t *testing.T) {
	t.Parallel()
	for _, p := range []*dated.Plan{kinds(t), types(t), texts(t), long(t, 50), {}} {
		with, without := draw(t, p, gantt.Options{Scale: gantt.Week}), draw(t, p, gantt.Options{Scale: gantt.Week, WithoutTable: true})
		for _, never := range []string{">Name<", ">Days<", "<tspan", "gantt-name"} {
			if strings.Contains(without, never) {
				t.Errorf("%s: it holds %s", p.Name, never)
			}
		}
		for _, same := range []string{`class="d"`, `class="c"`, `class="b"`, `class="k"`, `class="s"`, "<title>", `transform="translate(0 `} {
			if strings.Count(with, same) != strings.Count(without, same) {
				t.Errorf("%s: it has %d of %s, with the table %d", p.Name, strings.Count(without, same), same, strings.Count(with, same))
			}
		}
	}
	first := fmt.Sprintf(`<g transform="translate(0 %d)">`, gantt.HeadHeight+16)
	second := fmt.Sprintf(`<g transform="translate(0 %d)">`, gantt.HeadHeight+gantt.RowHeight+16)
	if svg := draw(t, kinds(t), gantt.Options{WithoutTable: true}); !strings.Contains(svg, first) || !strings.Contains(svg, second) {
		t.Error("the rows are not where their heights say")
	}
}

func TestAPageHasTheRowsThePagesAndThePictureOfItsPlan(t *testing.T) {
	t.Parallel()
	p, o := long(t, 500), gantt.Options{Page: 2, Search: "1", Rows: 70}
	page, err := gantt.NewPage(p, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := gantt.Rows(p, o)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := gantt.Pages(p, o)
	if err != nil || pages != page.Pages() || pages < 2 {
		t.Errorf("%d and %d pages: %v", pages, page.Pages(), err)
	}
	if diff := cmp.Diff(rows, page.Rows()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var svg strings.Builder
	if err := page.SVG(&svg); err != nil || svg.String() != draw(t, p, o) {
		t.Errorf("the picture is another one: %v", err)
	}
}
