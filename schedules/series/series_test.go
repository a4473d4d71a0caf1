package series_test

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
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/series"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// bridge are the monthly updates of one plan: each is a copy of the project.
func bridge(t *testing.T) (updates []series.Update) {
	t.Helper()
	for _, n := range []int{3, 1, 5, 2, 4} {
		file, err := os.Open(filepath.Join("..", "planner", "testdata", "updates", fmt.Sprintf("update-%d.xer", n)))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := planner.Read(file)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		s, err := plan.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		updates = append(updates, series.Update{Name: fmt.Sprint("update ", n), Plan: s.Dated()})
	}
	return updates
}

func TestUpdatesAreInTheOrderOfTheirDataDatesWithWhatMovedTheFinish(t *testing.T) {
	t.Parallel()
	points, err := series.Of(bridge(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range points {
		got = append(got, fmt.Sprintf("%s %s %s %s %d/%g %d/%g %g %s", p.Name, p.Finish.String()[:10], series.Days(p.Slipped),
			series.Days(p.Late), p.Added, p.AddedWork, p.Removed, p.RemovedWork, p.ChangedWork, p.CauseWords()))
	}
	want := []string{
		"update 1 2026-07-17 0 d 0 d 0/0 0/0 0 ",
		"update 2 2026-07-27 +6 d +6 d 0/0 0/0 6 duration: A1020 Excavate 1.1 (+3 d)",
		"update 3 2026-06-11 -32 d -26 d 1/2 1/4 0 link removed: A1260 → A1290 (-91 d)",
		"update 4 2026-06-08 -3 d -29 d 0/0 0/0 -3 duration: A1280 Strip 2.1 (-3 d)",
		"update 5 2026-06-05 -1 d -30 d 0/0 0/0 -1 duration: A1050 Pour 1.1 (-2 d)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// monday is the data date of the first update that a test makes.
var monday = worktime.Date(2026, time.January, 5, 0, 0, 0)

// update is a chain of tasks of so many days each at a data date. One of less than none is inactive.
func update(name string, dataDate worktime.Time, days ...int64) series.Update {
	p := &dated.Plan{Name: "Chain", Projects: []dated.Project{{Code: "C", DataDate: dataDate}}}
	at := monday
	for i, n := range days {
		if n == 0 {
			continue // the task is not there
		}
		t := dated.Task{
			ID: fmt.Sprint(i), Code: fmt.Sprint("T", i), Name: fmt.Sprint("Task ", i), Parent: dated.None, Inactive: n < 0,
		}
		t.Duration = max(n, -n) * worktime.Day
		t.Remaining = t.Duration
		t.Dates = cpm.Dates{Start: at, Finish: at + worktime.Time(t.Duration)}
		if !t.Inactive {
			at = t.Finish
		}
		p.Tasks = append(p.Tasks, t)
	}
	return series.Update{Name: name, Plan: p}
}

// What is added and removed is what the number of tasks and the sum of their work changes by, and the finish is late
// by all that it slipped.
func TestSlippageAndWorkAddUpOverAnyUpdates(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 53))
		days := []int64{3, 5, 2, 8, 1, 4, 4, 6, 9, 7}
		var updates []series.Update
		for n := range 2 + rnd.IntN(6) {
			for range rnd.IntN(4) {
				days[rnd.IntN(len(days))] = rnd.Int64N(13) - 4
			}
			days[0] = max(days[0], 1) // so that no plan is without tasks
			updates = append(updates, update(fmt.Sprint("u", n), monday+worktime.Time(n)*worktime.Day, days...))
		}
		rnd.Shuffle(len(updates), func(i, j int) { updates[i], updates[j] = updates[j], updates[i] })
		points, err := series.Of(updates)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		work := func(p *series.Point) float64 { return float64(p.Finish-monday) / worktime.Day } // of a chain
		for i := 1; i < len(points); i++ {
			p, before := points[i], points[i-1]
			if p.DataDate <= before.DataDate || p.Tasks-before.Tasks != p.Added-p.Removed {
				t.Errorf("seed %d, %s: %+v behind %+v", seed, p.Name, p, before)
			}
			if got, want := p.AddedWork-p.RemovedWork+p.ChangedWork, work(&p)-work(&before); math.Abs(got-want) > 1e-9 {
				t.Errorf("seed %d, %s: %v days more, want %v", seed, p.Name, got, want)
			}
			if want := work(&p) - work(&points[0]); math.Abs(p.Late-want) > 1e-9 {
				t.Errorf("seed %d, %s: %v days late, want %v", seed, p.Name, p.Late, want)
			}
		}
	}
}

func TestWhatIsNoSeriesIsRefusedByName(t *testing.T) {
	t.Parallel()
	first := update("first", monday, 1, 2, 3)
	other := update("other", monday+worktime.Day, 1, 2, 3)
	for i := range other.Plan.Tasks {
		other.Plan.Tasks[i].Name = fmt.Sprint("Chapter ", i) // under the same codes
	}
	several := update("several", monday+worktime.Day, 1, 2, 3)
	several.Plan.Projects = append(several.Plan.Projects, dated.Project{DataDate: monday})
	several.Plan.Tasks[2].Project = 1
	for name, c := range map[string]struct {
		updates []series.Update
		want    error
		names   []string
	}{
		"no update":          {nil, series.ErrMany, nil},
		"too many":           {make([]series.Update, series.MaxUpdates+1), series.ErrMany, nil},
		"no data date":       {[]series.Update{first, update("bare", 0, 1)}, series.ErrDataDate, []string{"bare"}},
		"no tasks":           {[]series.Update{update("empty", monday)}, series.ErrDataDate, []string{"empty"}},
		"several data dates": {[]series.Update{first, several}, series.ErrDataDate, []string{"several", "choose one"}},
		"one data date":      {[]series.Update{first, update("second", monday, 1)}, series.ErrDataDate, []string{"first", "second"}},
		"another project":    {[]series.Update{other, first}, series.ErrOther, []string{"other", "first"}},
	} {
		_, err := series.Of(c.updates)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
			continue
		}
		for _, part := range c.names {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not name %s", name, err, part)
			}
		}
	}
}

func TestAPictureHasEachUpdateAndRunsNothing(t *testing.T) {
	t.Parallel()
	updates := bridge(t)
	updates[0].Name = "<b>&third"
	points, err := series.Of(updates)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := series.SVG(&b, points, series.Drawing{Title: "Bridge"}); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for in := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "script" {
				t.Error("there is a script")
			}
		case xml.CharData:
			texts = append(texts, string(e))
		}
	}
	for _, want := range []string{"Bridge", "update 1", "<b>&third", "11 Jun 2026 · -32 d · 1 added · 1 removed"} {
		if !strings.Contains(strings.Join(texts, "\n"), want) {
			t.Errorf("%q is not in %q", want, texts)
		}
	}
	if err := series.SVG(io.Discard, nil, series.Drawing{}); !errors.Is(err, series.ErrMany) {
		t.Errorf("no points: %v", err)
	}
}
