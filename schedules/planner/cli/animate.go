package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// The colours of what is being built.
const (
	buildingColor = "#3fae5a"
	criticalColor = "#d64545"
)

// modes are the ways to grow, by the words of -growth.
var modes = map[string]fourd.Mode{
	"none": fourd.NoGrowth, "bottom-top": fourd.BottomTop, "top-bottom": fourd.TopBottom, "left-right": fourd.LeftRight,
	"right-left": fourd.RightLeft, "front-back": fourd.FrontBack, "back-front": fourd.BackFront,
}

// datesOf are the dates by which a site is shown, by the words of -dates.
var datesOf = map[string]fourd.Dates{
	"current": fourd.CurrentDates, "baseline": fourd.BaselineDates, "actual": fourd.ActualDates,
}

// animation is what animate is asked for.
type animation struct {
	*command
	model, property string
	mode            fourd.Mode
	dates           fourd.Dates
	moments         int
	options         animated.Options
}

// animateFlags defines the flags of animate. It writes a GLB, or as JSON the states of the nodes at some moments.
func animateFlags(c *command, set *flag.FlagSet) func([]string) error {
	a := animation{command: c, mode: fourd.BottomTop}
	set.StringVar(&a.model, "model", "", "`file` with the 3D model, .glb or .gltf")
	set.StringVar(&a.property, "property", "", "`name` of the property of nodes (extras) that has the code of their "+
		"task, in place of their code or name")
	set.DurationVar(&a.options.Day, "day", animated.DefaultDay, "how `long` a day of the plan is played, such as 50ms")
	set.Func("growth", "`way` in which nodes grow: bottom-top, top-bottom, left-right, right-left, front-back, "+
		"back-front or none (default: bottom-top)", func(s string) error { return choice(&a.mode, modes, s) })
	set.Func("dates", "`dates` of tasks to play: current, baseline or actual (default: current)",
		func(s string) error { return choice(&a.dates, datesOf, s) })
	set.Func("from", "first `day` to play, such as 2026-01-31",
		func(s string) error { return day(&a.options.From, s, 0) })
	set.Func("to", "last `day` to play", func(s string) error { return day(&a.options.To, s, worktime.Day) })
	set.IntVar(&a.moments, "moments", 10, "`number` of moments to print as JSON, from the first to the last")
	return func(files []string) error {
		switch {
		case len(files) > 1:
			return fmt.Errorf("animate takes one plan: %w", errUsage)
		case a.model == "":
			return fmt.Errorf("animate needs -model site.glb, the 3D model whose nodes have codes or names of tasks: "+
				"%w", errUsage)
		case c.to == "" && !c.json:
			return fmt.Errorf("animate needs -o built.glb, the file to write: %w", errUsage)
		case a.options.Day <= 0 || a.moments < 1:
			return fmt.Errorf("-day and -moments are more than nothing: %w", errUsage)
		case same(c.to, a.model) || same(c.to, files[0]):
			return fmt.Errorf("-o %s is a file that is read; name another one: %w", c.to, errUsage)
		}
		return a.run(files[0])
	}
}

// choice is the value that a word stands for.
func choice[V any](to *V, of map[string]V, word string) error {
	v, ok := of[word]
	if !ok {
		return fmt.Errorf("there is no %q", word)
	}
	*to = v
	return nil
}

// same reports whether two names are of one file, that is there.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(x, y)
}

func (a *animation) run(plan string) error {
	_, d, err := a.dated(plan)
	if err != nil {
		return err
	}
	m, err := a.read3D()
	if err != nil {
		return err
	}
	b := bind(m, d, a.property)
	if b.bound == 0 {
		return fmt.Errorf("no node of %s has the %s of a task of %s: the nodes have %s, the tasks %s; -property names "+
			"a property of nodes that has the code", a.model, b.by(), plan, examples(b.keys), examples(b.labels))
	}
	s := a.site(d, b)
	s.Box = animated.Boxes(m, b.entity)
	t, err := fourd.New(s)
	if err != nil {
		return err
	}
	if err := a.within(t.Span()); err != nil {
		return err
	}
	a.warnings(append(linesOf(m.Warnings), timelineLines(t, d)...))
	a.options.Entity = b.entity
	if a.json {
		return a.states(m, d, b, t, s.Box)
	}
	done := a.bar.begin("writing", 0)
	report, err := animated.Write(context.Background(), a.out, m, t, a.options)
	done()
	if err != nil {
		return fmt.Errorf("%s: %w", a.model, err)
	}
	a.warnings(linesOf(report.Warnings))
	fmt.Fprintf(a.errs, "%s plays %s on %s, from %v to %v, in %v\n", a.to, many(len(b.used), "task"),
		many(b.bound, "node"), report.From, report.To, report.Played.Round(100*time.Millisecond))
	b.leftOver(a.errs)
	return nil
}

// within completes what of the plan is played, by what changes.
func (a *animation) within(span fourd.Span) error {
	o := &a.options
	if span == (fourd.Span{}) {
		return errors.New("no task that a node shows has a date to play; -dates chooses among current, baseline and " +
			"actual ones")
	}
	if o.From == 0 {
		o.From = span.Start
	}
	if o.To == 0 {
		o.To = span.Finish
	}
	if o.To <= o.From {
		return fmt.Errorf("there is nothing to play from %v to %v, since the nodes change from %v to %v: %w", o.From,
			o.To, span.Start, span.Finish, errUsage)
	}
	return nil
}

// read3D reads the model.
func (a *animation) read3D() (*gltf.Model, error) {
	f, err := os.Open(a.model)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	done := a.bar.begin("reading "+a.model, 0)
	defer done()
	// A root opens no symbolic link that leads out of the folder.
	root, err := os.OpenRoot(filepath.Dir(a.model))
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	m, err := gltf.Read(f, gltf.Options{Files: root.FS()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.model, err)
	}
	if len(m.Nodes) == 0 {
		return nil, fmt.Errorf("%s: %w", a.model, errors.New("the model has no nodes"))
	}
	return m, nil
}

func linesOf(list []gltf.Warning) (lines []string) {
	for _, w := range list {
		lines = append(lines, w.What+": "+w.Text)
	}
	return lines
}

// timelineLines are the warnings of a timeline, each behind the task or the node that it is about.
func timelineLines(t *fourd.Timeline, d *dated.Plan) (lines []string) {
	labels := make(map[string]string, len(d.Tasks))
	for i := range d.Tasks {
		labels[d.Tasks[i].ID] = cmp.Or(d.Label(i), d.Tasks[i].Name)
	}
	for _, w := range t.Warnings() {
		what := ""
		switch label := labels[w.ID]; {
		case w.Kind == fourd.BoxMissing || w.Kind == fourd.BoxEmpty:
			what = "node " + w.ID + ": "
		case label != "":
			what = "task " + label + ": "
		}
		lines = append(lines, what+w.Message)
	}
	return lines
}

// warnings prints the first warnings, and how many more there are.
func (a *animation) warnings(lines []string) {
	const most = 20
	for i, line := range lines {
		if i == most {
			fmt.Fprintf(a.errs, "%s: %d more warnings\n", a.program, len(lines)-most)
			return
		}
		fmt.Fprintf(a.errs, "%s: warning: %s\n", a.program, line)
	}
}

// site is what the timeline of a plan follows from.
func (a *animation) site(d *dated.Plan, b *bindings) *fourd.Site {
	s := &fourd.Site{Dates: a.dates}
	for _, color := range []string{buildingColor, criticalColor} {
		s.Profiles = append(s.Profiles, fourd.Profile{
			ID: color, Action: fourd.Install, Active: &fourd.ActiveLook{
				Color: color, OriginalTransparency: true, Growth: &fourd.GrowthRule{Mode: a.mode},
			},
			End: &fourd.Look{OriginalTransparency: true},
		})
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		dates := fourd.Span{Start: t.Start, Finish: t.Finish}
		s.Tasks = append(s.Tasks, fourd.Task{
			ID: t.ID, Planned: dates, Computed: dates, Actual: fourd.Span{Start: t.ActualStart, Finish: t.ActualFinish},
			Baseline: fourd.Span{Start: t.Baseline.Start, Finish: t.Baseline.Finish}, Calendar: d.CalendarOf(i),
			DataDate: d.ProjectOf(i).DataDate,
		})
	}
	for node, task := range b.task {
		if task == dated.None {
			continue
		}
		color := buildingColor
		if d.Tasks[task].Critical {
			color = criticalColor
		}
		id := b.entity(node)
		s.Bindings = append(s.Bindings, fourd.Binding{ID: id, EntityID: id, TaskID: d.Tasks[task].ID, ProfileID: color})
	}
	return s
}

// statesJSON are the states of nodes at some moments.
type statesJSON struct {
	From          string       `json:"from"`
	To            string       `json:"to"`
	SecondsPerDay float64      `json:"secondsPerDay"`
	Moments       []momentJSON `json:"moments"`
}

type momentJSON struct {
	Date  string      `json:"date"`
	Time  float64     `json:"time"` // when the animation shows it, in seconds
	Nodes []stateJSON `json:"nodes"`
}

// stateJSON is a node at a moment. Box is around what of it is there, in the axes of the model; absent where nothing
// is.
type stateJSON struct {
	Node         int            `json:"node"`
	Name         string         `json:"name"`
	Task         string         `json:"task"`
	Phase        fourd.Phase    `json:"phase"`
	Present      bool           `json:"present"`
	Color        string         `json:"color,omitempty"`
	Transparency float64        `json:"transparency"`
	Share        *float64       `json:"share,omitempty"` // how far it has grown, from 0 to 1
	Box          *[2][3]float64 `json:"box,omitempty"`
}

// states prints the states of the bound nodes at moments that are evenly spread.
func (a *animation) states(
	m *gltf.Model, d *dated.Plan, b *bindings, t *fourd.Timeline, boxes func(string) (fourd.Box, bool),
) error {
	from, to := a.options.From, a.options.To
	out := statesJSON{
		From: from.String(), To: to.String(), SecondsPerDay: a.options.Day.Seconds(), Moments: []momentJSON{},
	}
	var state fourd.State
	for k := range a.moments {
		at := from
		if k > 0 {
			at += (to - from) * worktime.Time(k) / worktime.Time(a.moments-1)
		}
		moment := momentJSON{at.String(), float64(at-from) / worktime.Day * out.SecondsPerDay, []stateJSON{}}
		for node, task := range b.task {
			i, ok := t.Find(b.entity(node))
			if task == dated.None || !ok {
				continue
			}
			t.StateAt(i, at, &state)
			x := nodeState(m, node, d.Label(task), &state)
			if box, ok := boxes(b.entity(node)); ok && state.Present {
				x.Box = remaining(box, &state)
			}
			moment.Nodes = append(moment.Nodes, x)
		}
		out.Moments = append(out.Moments, moment)
	}
	return a.print(out)
}

func nodeState(m *gltf.Model, node int, task string, s *fourd.State) stateJSON {
	to := stateJSON{
		Node: node, Name: m.Nodes[node].Name, Task: task, Phase: s.Why.Phase, Present: s.Present, Color: s.Color,
		Transparency: s.Transparency,
	}
	if s.Growth.Growing {
		to.Share = new(s.Growth.Share)
	}
	return to
}

// remaining is what is there of a box, in the axes of the model; nil where nothing is. Nodes grow along one axis.
func remaining(b fourd.Box, s *fourd.State) *[2][3]float64 {
	low, high := [3]float64{b.Min.X, b.Min.Y, b.Min.Z}, [3]float64{b.Max.X, b.Max.Y, b.Max.Z}
	if p := s.Growth.Plane; s.Growth.Cut {
		for i, n := range [3]float64{p.Normal.X, p.Normal.Y, p.Normal.Z} {
			switch {
			case n > 0:
				high[i] = min(high[i], p.Offset)
			case n < 0:
				low[i] = max(low[i], -p.Offset)
			}
			if n != 0 && low[i] >= high[i] {
				return nil
			}
		}
	}
	at := (&gltf.Box{Min: low, Max: high}).In(gltf.FromZUp)
	return &[2][3]float64{at.Min, at.Max}
}

// many is a number of things.
func many(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// examples are the first few of a list, for a message.
func examples(list []string) string {
	const most = 3
	if len(list) == 0 {
		return "none"
	}
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " …"
	}
	return strings.Join(list, ", ")
}
