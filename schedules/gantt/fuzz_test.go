package gantt_test

import (
	"encoding/xml"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// random is a plan of anything: nothing in it has to make sense.
func random(r *rand.Rand, name string) *dated.Plan {
	at := func() worktime.Time {
		switch r.IntN(8) {
		case 0:
			return 0
		case 1:
			return worktime.Time(r.Int64N(int64(worktime.MaxTime)))
		case 2:
			return worktime.MinTime + worktime.Time(r.Int64N(worktime.Day))
		}
		return monday + worktime.Time(r.Int64N(400*worktime.Day))
	}
	p := &dated.Plan{Name: name}
	for range r.IntN(3) {
		p.Projects = append(p.Projects, dated.Project{Name: name, DataDate: at()})
	}
	n := r.IntN(40)
	for i := range n {
		p.Tasks = append(p.Tasks, dated.Task{
			ID: name, Code: name[:r.IntN(len(name)+1)], Name: name, Parent: r.IntN(n+2) - 1, Project: r.IntN(4) - 1, Kind: cpm.Kind(r.IntN(6)),
			Duration: r.Int64N(1 << 40), Remaining: r.Int64N(1 << 40), ActualStart: at() * worktime.Time(r.IntN(2)), ActualFinish: at() * worktime.Time(i%3/2),
			Dates: cpm.Dates{
				Start: at(), Finish: at(), EarlyStart: at(), LateFinish: at(), HasFloat: r.IntN(2) > 0, Critical: r.IntN(2) > 0,
				TotalFloat: r.Int64N(1<<30) - 1<<29,
			},
			Baseline: dated.Span{Start: at(), Finish: at()}, Inactive: r.IntN(9) == 0,
		})
	}
	for range r.IntN(4 * (n + 1)) {
		if n > 0 {
			p.Links = append(p.Links, dated.Link{
				Predecessor: r.IntN(n), Successor: r.IntN(n), Type: cpm.LinkType(r.IntN(4)),
				LinkDates: cpm.LinkDates{Driving: r.IntN(2) > 0, Float: r.Int64N(9) - 4},
			})
		}
	}
	return p
}

// startsWithADay are lines of Mermaid that break the diagram.
var startsWithADay = regexp.MustCompile(`^\s*\d{4}-\d\d-\d\d`)

func FuzzSVG(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, "A <b>&\u202e\x00 name", uint8(seed), int16(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, name string, scale uint8, rows int16) {
		r := rand.New(rand.NewPCG(seed, 1))
		p, o := random(r, name), gantt.Options{Title: name, Rows: int(rows), Scale: gantt.Scale(scale % 5), Order: gantt.Order(seed % 3), Levels: r.IntN(4)}
		if seed%5 == 0 {
			o.From, o.To = monday, monday+worktime.Time(r.Int64N(100*worktime.Day))
		}
		var b strings.Builder
		switch err := gantt.SVG(&b, p, o); {
		case errors.Is(err, gantt.ErrPage), errors.Is(err, gantt.ErrSpan):
			return
		case err != nil:
			t.Fatal(err)
		}
		elements(t, b.String(), func(e xml.StartElement) {
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("%s has %s=%q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		})
		if b.Len() > 1<<20 {
			t.Errorf("%d bytes", b.Len())
		}
		b.Reset()
		if _, err := gantt.PDF(&b, p, o); err != nil || !strings.HasSuffix(b.String(), "%%EOF\n") {
			t.Errorf("%v, PDF ends in %q", err, b.String()[max(b.Len()-20, 0):])
		}
		b.Reset()
		if err := gantt.Mermaid(&b, p, o); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if before, _, _ := strings.Cut(line, " :"); strings.ContainsAny(before, ":;#<>") && !strings.HasPrefix(line, "    dateFormat ") {
				t.Errorf("there is a sign of Mermaid in %q", line)
			}
			if startsWithADay.MatchString(line) {
				t.Errorf("a line begins with a day: %q", line)
			}
		}
	})
}
