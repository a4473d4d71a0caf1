package fourd_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// task is one that is planned between two hours.
func task(id string, from, to int) fourd.Task {
	return fourd.Task{ID: id, Planned: fourd.Span{Start: hour(from), Finish: hour(to)}}
}

// stateOf is the state of the entity "wall" at a time.
func stateOf(t *testing.T, s *fourd.Site, at worktime.Time) (state fourd.State) {
	t.Helper()
	timeline := timelineOf(t, s)
	i, found := timeline.Find("wall")
	if !found {
		t.Fatal("the timeline does not have the entity")
	}
	timeline.StateAt(i, at, &state)
	return state
}

func timelineOf(t *testing.T, s *fourd.Site) *fourd.Timeline {
	t.Helper()
	timeline, err := fourd.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return timeline
}

// bind binds "wall" to a task.
func bind(task, profile string) fourd.Binding {
	return fourd.Binding{ID: task + " wall", EntityID: "wall", TaskID: task, ProfileID: profile}
}

func TestActionSaysWhenAnEntityIsThere(t *testing.T) {
	t.Parallel()
	for action, want := range map[fourd.Action][3]bool{ // before, during, after
		fourd.Install:   {false, true, true},
		fourd.Maintain:  {true, true, true},
		fourd.Remove:    {true, true, false},
		fourd.Temporary: {false, true, false},
		fourd.Neutral:   {true, true, true},
	} {
		s := &fourd.Site{
			Tasks: []fourd.Task{task("dig", 10, 20)}, Bindings: []fourd.Binding{bind("dig", "p")},
			Profiles: []fourd.Profile{{ID: "p", Action: action}},
		}
		var got [3]bool
		for i, at := range []worktime.Time{hour(10) - 1, hour(10), hour(20)} {
			got[i] = stateOf(t, s, at).Present
		}
		if got != want {
			t.Errorf("%s: present before, during and after is %v, not %v", action, got, want)
		}
	}
}

func TestTaskUnderWayGoesBeforeThoseThatEndedAndThoseBeforeTheNext(t *testing.T) {
	t.Parallel()
	s := &fourd.Site{
		Tasks:    []fourd.Task{task("build", 10, 20), task("use", 15, 30), task("demolish", 40, 50)},
		Bindings: []fourd.Binding{bind("build", "build"), bind("use", "use"), bind("demolish", "demolish")},
		Profiles: []fourd.Profile{
			{ID: "build", Action: fourd.Install, Active: &fourd.ActiveLook{Color: "#00ff00"}, End: &fourd.Look{Color: "#888888"}},
			{ID: "use", Action: fourd.Neutral, Active: &fourd.ActiveLook{Color: "#0000ff"}},
			{ID: "demolish", Action: fourd.Remove, Active: &fourd.ActiveLook{Color: "#ff0000"}},
		},
	}
	for _, c := range []struct {
		at      int
		present bool
		color   string
		task    string
	}{
		{9, false, "", "build"},
		{12, true, "#00ff00", "build"},
		{17, true, "#0000ff", "build"},
		{25, true, "#0000ff", "build"},
		{35, true, "#888888", "build"},
		{45, true, "#ff0000", "demolish"},
		{50, false, "#888888", "demolish"},
	} {
		got := stateOf(t, s, hour(c.at))
		if got.Present != c.present || got.Color != c.color || got.Why.TaskID != c.task {
			t.Errorf("at hour %d: %v %q because of %q, not %v %q because of %q", c.at, got.Present, got.Color, got.Why.TaskID, c.present, c.color, c.task)
		}
	}
}

func TestTasksThatBeginAndEndAtOnceAreInTheOrderOfTheirBindings(t *testing.T) {
	t.Parallel()
	s := &fourd.Site{
		Tasks:    []fourd.Task{task("a", 10, 10), task("b", 10, 10), {ID: "c", Planned: fourd.Span{Finish: hour(10)}}},
		Bindings: []fourd.Binding{bind("b", "gone"), bind("a", "there"), bind("c", "there")},
		Profiles: []fourd.Profile{{ID: "there", Action: fourd.Install}, {ID: "gone", Action: fourd.Remove}},
	}
	if before := stateOf(t, s, hour(10)-1); before.Present || before.Why.TaskID != "a" {
		t.Errorf("before the tasks it is %+v, not absent because of a", before)
	}
	if after := stateOf(t, s, hour(10)); !after.Present || after.Why.TaskID != "c" || after.Why.Phase != fourd.After {
		t.Errorf("behind the tasks it is %+v, not present because of c", after)
	}
}

func TestDatesOfTasksAreThoseAskedFor(t *testing.T) {
	t.Parallel()
	whole := fourd.Task{
		ID: "dig", Planned: fourd.Span{Start: hour(10), Finish: hour(20)}, Baseline: fourd.Span{Start: hour(1), Finish: hour(2)},
		Computed: fourd.Span{Start: hour(30), Finish: hour(40)}, Actual: fourd.Span{Start: hour(25)},
	}
	begun, coming := whole, whole
	begun.Computed = fourd.Span{}
	coming.Actual = fourd.Span{}
	for _, c := range []struct {
		name         string
		dates        fourd.Dates
		task         fourd.Task
		start, after int
	}{
		{"planned", fourd.PlannedDates, whole, 10, 20},
		{"of a baseline", fourd.BaselineDates, whole, 1, 2},
		{"current ones are actual, then computed", fourd.CurrentDates, whole, 25, 40},
		{"current ones of what comes are computed", fourd.CurrentDates, coming, 30, 40},
		{"what has begun has not ended at the data date", fourd.CurrentDates, begun, 25, 29},
		{"actual ones end as current ones", fourd.ActualDates, whole, 25, 40},
		{"what has not begun never does", fourd.ActualDates, coming, math.MaxInt32, math.MaxInt32},
	} {
		s := &fourd.Site{
			Tasks: []fourd.Task{c.task}, Bindings: []fourd.Binding{bind("dig", "p")}, Dates: c.dates, DataDate: hour(28),
			Profiles: []fourd.Profile{{ID: "p", Action: fourd.Temporary}},
		}
		start, after := never, never
		for h := range 60 {
			there := stateOf(t, s, hour(h)).Present
			if there && start == never {
				start = h
			}
			if !there && start != never && after == never {
				after = h
			}
		}
		if start != c.start || after != c.after {
			t.Errorf("%s: it is there from hour %d to %d, not %d to %d", c.name, start, after, c.start, c.after)
		}
	}
}

const never = math.MaxInt32

func growing(g fourd.GrowthRule) *fourd.Site {
	return &fourd.Site{
		Tasks: []fourd.Task{task("pour", 0, 100)}, Bindings: []fourd.Binding{bind("pour", "p")},
		Profiles: []fourd.Profile{{ID: "p", Action: fourd.Install, Active: &fourd.ActiveLook{Growth: &g}}},
		Box: func(string) (fourd.Box, bool) {
			return fourd.Box{Min: fourd.Vector{X: 1, Y: 2, Z: 3}, Max: fourd.Vector{X: 11, Y: 22, Z: 33}}, true
		},
	}
}

func TestPlaneOfGrowthGoesThroughTheBoxInTheDirectionOfItsMode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule fourd.GrowthRule
		want fourd.Plane // when a quarter of the task is done
	}{
		{fourd.GrowthRule{Mode: fourd.BottomTop}, fourd.Plane{Normal: fourd.Vector{Z: 1}, Offset: 10.5}},
		{fourd.GrowthRule{Mode: fourd.TopBottom}, fourd.Plane{Normal: fourd.Vector{Z: -1}, Offset: -25.5}},
		{fourd.GrowthRule{Mode: fourd.LeftRight}, fourd.Plane{Normal: fourd.Vector{X: 1}, Offset: 3.5}},
		{fourd.GrowthRule{Mode: fourd.RightLeft}, fourd.Plane{Normal: fourd.Vector{X: -1}, Offset: -8.5}},
		{fourd.GrowthRule{Mode: fourd.FrontBack}, fourd.Plane{Normal: fourd.Vector{Y: 1}, Offset: 7}},
		{fourd.GrowthRule{Mode: fourd.BackFront}, fourd.Plane{Normal: fourd.Vector{Y: -1}, Offset: -17}},
		{fourd.GrowthRule{Mode: fourd.Custom, Direction: &fourd.Vector{X: 3, Z: 4}}, fourd.Plane{Normal: fourd.Vector{X: 0.6, Z: 0.8}, Offset: 10.5}},
		{fourd.GrowthRule{Mode: fourd.BottomTop, Removing: true}, fourd.Plane{Normal: fourd.Vector{Z: -1}, Offset: -10.5}},
	} {
		got := stateOf(t, growing(c.rule), hour(25)).Growth
		if diff := cmp.Diff(c.want, got.Plane, close); diff != "" || !got.Cut || got.Share != 0.25 {
			t.Errorf("%s: %+v (-want +got)\n%s", c.rule.Mode, got, diff)
		}
	}
}

func TestGrowthFollowsPercentCompleteToTheDataDateAndPausesWithTheCalendar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		rule     fourd.GrowthRule
		dataDate worktime.Time
		calendar *worktime.Calendar
		at       worktime.Time
		want     float64
	}{
		{"evenly", fourd.GrowthRule{}, 0, nil, hour(50), 0.5},
		{"half of what is done, half of the way to the data date", fourd.GrowthRule{ByPercentComplete: true}, hour(40), nil, hour(20), 0.3},
		{"what is done at the data date", fourd.GrowthRule{ByPercentComplete: true}, hour(40), nil, hour(40), 0.6},
		{"the rest behind it", fourd.GrowthRule{ByPercentComplete: true}, hour(40), nil, hour(70), 0.8},
		{"no further than what is done, of a task that should have ended", fourd.GrowthRule{ByPercentComplete: true}, hour(200), nil, hour(100) - 1, 0.6},
		{"evenly without a data date", fourd.GrowthRule{ByPercentComplete: true}, 0, nil, hour(50), 0.5},
		// In 100 hours from a Monday 15, 4, 0, 15 and 0 are worked: 34.
		{"not at night", fourd.GrowthRule{WorkingTimeOnly: true}, 0, shifts, hour(30), 19.0 / 34},
		{"nor on a day off", fourd.GrowthRule{WorkingTimeOnly: true}, 0, shifts, hour(70), 19.0 / 34},
		{"half of the work", fourd.GrowthRule{WorkingTimeOnly: true}, 0, shifts, hour(26), 17.0 / 34},
		{"with a calendar that does not count", fourd.GrowthRule{}, 0, shifts, hour(50), 0.5},
	} {
		c.rule.Mode = fourd.BottomTop
		s := growing(c.rule)
		s.DataDate, s.Tasks[0].Calendar, s.Tasks[0].PercentComplete = c.dataDate, c.calendar, 60
		if got := stateOf(t, s, c.at).Growth.Share; math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%s: %v has grown, not %v", c.name, got, c.want)
		}
	}
}

func TestGroupGrowsAndMovesAsOneObject(t *testing.T) {
	t.Parallel()
	s := growing(fourd.GrowthRule{Mode: fourd.LeftRight})
	s.Paths = []fourd.Path{{ID: "way", Keyframes: []fourd.Keyframe{
		{Time: 0, Position: &fourd.Vector{}}, {Time: 1, Position: &fourd.Vector{Y: 100}},
	}}}
	s.PathAssignments = []fourd.PathAssignment{{ID: "move", PathID: "way"}}
	s.Tasks = append(s.Tasks, task("other", 0, 100))
	other := fourd.Binding{ID: "4", EntityID: "far", TaskID: "other", GroupID: "group", ProfileID: "p"}
	s.Bindings = []fourd.Binding{
		{ID: "1", EntityID: "wall", TaskID: "pour", GroupID: "group", ProfileID: "p", PathAssignmentID: "move"},
		{ID: "2", EntityID: "roof", TaskID: "pour", GroupID: "group", ProfileID: "p", PathAssignmentID: "move"},
		{ID: "3", EntityID: "sign", TaskID: "pour", GroupID: "group"},
		other,
	}
	at := map[string]float64{"wall": 0, "roof": 10, "sign": 30, "far": 1000}
	s.Box = func(id string) (fourd.Box, bool) {
		x := at[id]
		return fourd.Box{Min: fourd.Vector{X: x}, Max: fourd.Vector{X: x + 10, Y: 2, Z: 2}}, true
	}
	timeline := timelineOf(t, s)
	var wall, roof, sign fourd.State
	for id, into := range map[string]*fourd.State{"wall": &wall, "roof": &roof, "sign": &sign} {
		i, _ := timeline.Find(id)
		timeline.StateAt(i, hour(50), into)
	}
	if want := (fourd.Plane{Normal: fourd.Vector{X: 1}, Offset: 20}); wall.Growth.Plane != want || roof.Growth.Plane != want {
		t.Errorf("the planes are %v and %v, not both in the middle of the group: %v", wall.Growth.Plane, roof.Growth.Plane, want)
	}
	// The middle of all three is at 20, 1, 1, and the middle of the way at 0, 50, 0.
	want := fourd.Vector{X: -20, Y: 49, Z: -1}
	for id, s := range map[string]*fourd.State{"wall": &wall, "roof": &roof} {
		if got := s.Matrix.Apply(fourd.Vector{}); got != want {
			t.Errorf("the group moves %s by %v, not by %v", id, got, want)
		}
	}
	if sign.Moved || sign.Growth.Growing {
		t.Errorf("the sign has neither a path nor a look of its own, and is %+v", sign)
	}
}

func moving(a fourd.PathAssignment, frames ...fourd.Keyframe) *fourd.Site {
	s := growing(fourd.GrowthRule{Mode: fourd.NoGrowth})
	a.ID, a.PathID = "move", "way"
	s.PathAssignments, s.Paths = []fourd.PathAssignment{a}, []fourd.Path{{ID: "way", Keyframes: frames}}
	s.Bindings[0].PathAssignmentID = "move"
	return s
}

func frame(time, x, angle float64) fourd.Keyframe {
	return fourd.Keyframe{Time: time, Position: &fourd.Vector{X: x}, Rotation: &fourd.Rotation{Angle: angle, Axis: fourd.Vector{Z: 1}}}
}

func TestAlignmentIsThePointOfTheObjectThatIsOnThePath(t *testing.T) {
	t.Parallel()
	for alignment, want := range map[fourd.Alignment]fourd.Vector{
		fourd.Center: {X: 6, Y: 12, Z: 18}, fourd.MinX: {X: 1, Y: 12, Z: 18}, fourd.MaxX: {X: 11, Y: 12, Z: 18},
		fourd.MinY: {X: 6, Y: 2, Z: 18}, fourd.MaxY: {X: 6, Y: 22, Z: 18}, fourd.MinZ: {X: 6, Y: 12, Z: 3}, fourd.MaxZ: {X: 6, Y: 12, Z: 33},
		fourd.CustomPoint: {X: 7, Y: 8, Z: 9}, "": {X: 6, Y: 12, Z: 18},
	} {
		s := moving(fourd.PathAssignment{Alignment: alignment, Point: &fourd.Vector{X: 7, Y: 8, Z: 9}}, frame(0, 0, 0), frame(1, 40, 180))
		got := stateOf(t, s, hour(25))
		if diff := cmp.Diff(fourd.Vector{X: 10}, got.Matrix.Apply(want), close); diff != "" {
			t.Errorf("%s: the point of the object is elsewhere (-want +got)\n%s", alignment, diff)
		}
	}
	s := moving(fourd.PathAssignment{Alignment: fourd.Original}, frame(0, 5, 0), frame(1, 45, 0))
	if got := stateOf(t, s, hour(25)); got.Matrix.Apply(fourd.Vector{Y: 3}) != (fourd.Vector{X: 10, Y: 3}) {
		t.Errorf("an object with the alignment Original does not keep its distance: %v", got.Matrix)
	}
}

func TestMotionBeginsEndsAndTurnsAround(t *testing.T) {
	t.Parallel()
	share := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		name string
		a    fourd.PathAssignment
		at   int
		want float64
	}{
		{"at the beginning", fourd.PathAssignment{}, 0, 0},
		{"half way", fourd.PathAssignment{}, 50, 20},
		{"at the end and behind it", fourd.PathAssignment{}, 150, 40},
		{"backwards", fourd.PathAssignment{Reverse: true}, 25, 30},
		{"not before its beginning in percent", fourd.PathAssignment{Start: share(20), End: share(60)}, 20, 0},
		{"between them in percent", fourd.PathAssignment{Start: share(20), End: share(60)}, 40, 20},
		{"not behind its end in percent", fourd.PathAssignment{Start: share(20), End: share(60)}, 61, 40},
		{"between them in shares", fourd.PathAssignment{Start: share(0.2), End: share(0.6)}, 40, 20},
		{"from its beginning to the end of the task", fourd.PathAssignment{Start: share(50)}, 75, 20},
		{"at once where it ends as it begins", fourd.PathAssignment{Start: share(50), End: share(50)}, 50, 40},
	} {
		c.a.Alignment = fourd.CustomPoint
		c.a.Point = &fourd.Vector{}
		s := moving(c.a, frame(0, 0, 0), frame(1, 40, 0))
		got := stateOf(t, s, hour(c.at))
		if x := got.Matrix[3]; math.Abs(x-c.want) > 0.01 {
			t.Errorf("%s: it is at %v, not at %v", c.name, x, c.want)
		}
	}
}

func TestPathTurnsTheShortestWayAndIsPassedAtOneSpeedWithoutTimes(t *testing.T) {
	t.Parallel()
	origin := fourd.PathAssignment{Alignment: fourd.CustomPoint, Point: &fourd.Vector{}}
	s := moving(origin, frame(0, 0, 350), frame(1, 0, 20))
	got := stateOf(t, s, hour(50))
	sin, cos := math.Sincos(5 * math.Pi / 180)
	if diff := cmp.Diff(fourd.Vector{X: cos, Y: sin}, got.Matrix.Apply(fourd.Vector{X: 1}), close); diff != "" {
		t.Errorf("from 350 to 20 degrees half way is 5 degrees (-want +got)\n%s", diff)
	}
	s = moving(origin, frame(0, 0, 0), frame(0, 10, 0), frame(0, 40, 0))
	for at, want := range map[int]float64{25: 10, 50: 20, 100: 40} {
		if got := stateOf(t, s, hour(at)).Matrix[3]; math.Abs(got-want) > 1e-9 {
			t.Errorf("after %d percent of a path without times it is at %v, not at %v", at, got, want)
		}
	}
}

func TestTransformIsAppliedBeforeThePathAndStaysUntilAnother(t *testing.T) {
	t.Parallel()
	s := moving(fourd.PathAssignment{Alignment: fourd.Original}, frame(0, 0, 0), frame(1, 40, 90))
	s.Transforms = []fourd.Transform{
		{ID: "aside", Matrix: fourd.Matrix{1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
		{ID: "columns", Matrix: fourd.Matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 7, 0, 1}},
	}
	s.Bindings[0].TransformID = "aside"
	s.Tasks = append(s.Tasks, task("later", 200, 300))
	s.Bindings = append(s.Bindings, fourd.Binding{ID: "b", EntityID: "wall", TaskID: "later", TransformID: "columns"})
	for at, want := range map[int]fourd.Vector{
		-1: {}, 0: {X: 3}, 100: {X: 40, Y: 3}, 199: {X: 40, Y: 3}, 200: {Y: 7}, 400: {Y: 7},
	} {
		state := stateOf(t, s, hour(at))
		var got fourd.Vector
		if state.Moved {
			got = state.Matrix.Apply(fourd.Vector{})
		}
		if diff := cmp.Diff(want, got, close); diff != "" {
			t.Errorf("at hour %d (-want +got)\n%s", at, diff)
		}
	}
}

func TestStatusOfTheResourceIsOnTopAndCriticalOnlyUntilItsEnd(t *testing.T) {
	t.Parallel()
	s := growing(fourd.GrowthRule{Mode: fourd.BottomTop})
	s.Bindings[0].ResourceID = "crane"
	s.Profiles[0].Active.Color, s.Profiles[0].Active.StartTransparency = "#00ff00", 30
	status := func(at int, category, item, color string) fourd.Status {
		return fourd.Status{ResourceID: "crane", CategoryID: category, ItemID: item, Date: hour(at), Visible: true, Look: fourd.Look{Color: color}}
	}
	broken, repaired, hidden := status(10, "use", "broken", "#ff0000"), status(20, "place", "here", "#0000ff"), status(60, "use", "away", "")
	broken.Critical, broken.CriticalUntil, broken.Transparency = true, hour(40), 50
	repaired.OriginalTransparency = true
	hidden.Visible = false
	s.Statuses = []fourd.Status{hidden, broken, repaired}
	for _, c := range []struct {
		at           int
		color        string
		transparency float64
		original     bool
		critical     bool
		present      bool
		item         string
	}{
		{5, "#00ff00", 28.5, false, false, true, ""},
		{15, "#ff0000", 50, false, true, true, "broken"},
		{39, "#ff0000", 50, false, true, true, "broken"}, // critical goes before what is newer
		{40, "#0000ff", 0, true, false, true, "here"},
		{60, "#00ff00", 0, false, false, false, "away"},
	} {
		got := stateOf(t, s, hour(c.at))
		if got.Color != c.color || got.Transparency != c.transparency || got.OriginalTransparency != c.original ||
			got.Critical != c.critical || got.Present != c.present || got.Why.StatusItemID != c.item {
			t.Errorf("at hour %d: %+v, not %+v", c.at, got, c)
		}
	}
}

// What grows, fades and moves does so without a jump from one second to the next while its task is
// under way, and growth begins with nothing and ends with all.
func TestNothingJumpsWhileATaskIsUnderWay(t *testing.T) {
	t.Parallel()
	s := moving(fourd.PathAssignment{WorkingTimeOnly: true, ByPercentComplete: true}, frame(0, 0, 10), frame(0.3, 20, 300), frame(1, 40, 90))
	s.Tasks[0].Calendar, s.Tasks[0].PercentComplete, s.DataDate = shifts, 40, hour(33)
	s.Profiles[0].Active = &fourd.ActiveLook{FinishTransparency: 80, Growth: &fourd.GrowthRule{Mode: fourd.BottomTop, WorkingTimeOnly: true, ByPercentComplete: true}}
	timeline := timelineOf(t, s)
	var last, state fourd.State
	timeline.StateAt(0, hour(0), &last)
	if last.Growth.Share != 0 {
		t.Errorf("growth begins with %v", last.Growth.Share)
	}
	for at := hour(0) + 1; at < hour(100); at++ {
		timeline.StateAt(0, at, &state)
		moved := state.Matrix.Apply(fourd.Vector{})
		from := last.Matrix.Apply(fourd.Vector{})
		for name, step := range map[string]float64{
			"growth": state.Growth.Share - last.Growth.Share, "transparency": state.Transparency - last.Transparency,
			"x": moved.X - from.X, "y": moved.Y - from.Y,
		} {
			if math.Abs(step) > 0.01 {
				t.Fatalf("%s jumps by %v at %v", name, step, at)
			}
		}
		last = state
	}
	if 1-last.Growth.Share > 0.001 {
		t.Errorf("growth ends with %v", last.Growth.Share)
	}
}

func TestPlanAndBaselineShowNeitherProgressNorStatusesOfToday(t *testing.T) {
	t.Parallel()
	for _, dates := range []fourd.Dates{fourd.CurrentDates, fourd.PlannedDates, fourd.BaselineDates} {
		s := growing(fourd.GrowthRule{Mode: fourd.BottomTop, ByPercentComplete: true})
		s.Dates, s.Tasks[0].Baseline, s.Tasks[0].PercentComplete = dates, s.Tasks[0].Planned, 10
		s.Tasks[0].DataDate = hour(50) // of the project of the task: the site has none
		s.Bindings[0].ResourceID = "crane"
		s.Statuses = []fourd.Status{{ResourceID: "crane", ItemID: "late", Date: hour(1)}}
		want, status := 0.5, ""
		if dates == fourd.CurrentDates {
			want, status = 0.1, "late"
		}
		got := stateOf(t, s, hour(50))
		if got.Growth.Share != want || got.Why.StatusItemID != status {
			t.Errorf("by %q it has grown %g with the status %q", dates, got.Growth.Share, got.Why.StatusItemID)
		}
		for _, w := range timelineOf(t, s).Warnings() {
			if w.Kind == fourd.DataDateMissing {
				t.Errorf("by %q the data date of the task is missing", dates)
			}
		}
	}
}
