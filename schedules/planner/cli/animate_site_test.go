package cli

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// played is the timeline of a plan, of which each task is shown by a node called by its code.
func played(t *testing.T, d *dated.Plan, nodes ...string) *fourd.Timeline {
	t.Helper()
	for i, code := range nodes {
		nodes[i] = `{"mesh": 0, "name": "` + code + `"}`
	}
	m, err := gltf.Read(strings.NewReader(house(nodes...)), gltf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := animation{dates: fourd.CurrentDates}
	b := bind(m, d, "")
	s := a.site(d, b)
	s.Box = animated.Boxes(m, b.entity)
	timeline, err := fourd.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return timeline
}

func TestATaskIsKnownUntilTheDataDateOfItsOwnProject(t *testing.T) {
	t.Parallel()
	day := func(n int) worktime.Time { return worktime.Time(n) * worktime.Day }
	d := &dated.Plan{Projects: []dated.Project{{ID: "p", DataDate: day(10)}, {ID: "q", DataDate: day(20)}, {ID: "r"}}}
	for i, code := range []string{"P-1", "Q-1", "R-1"} {
		d.Tasks = append(d.Tasks, dated.Task{
			ID: code, Code: code, Project: i, Parent: dated.None, ActualStart: day(1),
			Dates: cpm.Dates{Start: day(1), Finish: day(5)},
		})
	}
	timeline := played(t, d, "P-1", "Q-1", "R-1")
	// None has finished, so that each lasts until its data date.
	for at, want := range map[int][3]fourd.Phase{
		4:  {fourd.During, fourd.During, fourd.During},
		7:  {fourd.During, fourd.During, fourd.After},
		15: {fourd.After, fourd.During, fourd.After},
	} {
		var got [3]fourd.Phase
		for node := range got {
			i, _ := timeline.Find(strconv.Itoa(node))
			var s fourd.State
			timeline.StateAt(i, day(at), &s)
			got[node] = s.Why.Phase
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("on day %d (-want +got)\n%s", at, diff)
		}
	}
}

func TestAWarningNamesItsTask(t *testing.T) {
	t.Parallel()
	d := &dated.Plan{Projects: []dated.Project{{ID: "p"}}, Tasks: []dated.Task{
		{ID: "17", Code: "Slab", Parent: dated.None, Dates: cpm.Dates{Start: 3 * worktime.Day, Finish: worktime.Day}},
		{ID: "18", Code: "Roof", Parent: dated.None},
	}}
	want := []string{
		"task Slab: The task finishes before it starts: it ends when it starts.",
		"task Roof: The task has no dates: it never begins.",
	}
	if diff := cmp.Diff(want, timelineLines(played(t, d, "Slab", "Roof"), d)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
