package fourd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

var (
	monday = worktime.Date(2026, time.May, 4, 0, 0, 0)
	shifts = calendar(worktime.Hours{{From: 8 * worktime.Hour, To: 12 * worktime.Hour}, {From: 13 * worktime.Hour, To: worktime.Day}})
)

func calendar(h worktime.Hours) *worktime.Calendar {
	c, err := worktime.New(worktime.Definition{Week: worktime.Week{
		time.Monday: h, time.Tuesday: {{From: 0, To: 4 * worktime.Hour}}, time.Thursday: h, time.Friday: h,
	}})
	if err != nil {
		panic(err)
	}
	return c
}

// hour is so many hours behind the Monday on which all begins.
func hour(n int) worktime.Time { return monday + worktime.Time(n)*worktime.Hour }

type random struct{ *rand.Rand }

func (r random) one(all ...string) string { return all[r.IntN(len(all))] }

func (r random) vector() fourd.Vector {
	return fourd.Vector{X: r.Float64() * 50, Y: r.Float64() * 50, Z: r.Float64() * 50}
}

func (r random) look() *fourd.Look {
	if r.IntN(2) == 0 {
		return nil
	}
	return &fourd.Look{Color: r.one("", "#112233", "#abcdef"), Transparency: float64(r.IntN(101))}
}

func (r random) profile(id string) fourd.Profile {
	p := fourd.Profile{ID: id, Action: fourd.Action(r.one("Install", "Maintain", "Remove", "Neutral", "Temporary", "")), Start: r.look(), End: r.look()}
	if r.IntN(4) > 0 {
		p.Active = &fourd.ActiveLook{Color: r.one("", "#00ff00"), StartTransparency: float64(r.IntN(101)), FinishTransparency: float64(r.IntN(101))}
		if r.IntN(3) > 0 {
			p.Active.Growth = &fourd.GrowthRule{
				Mode:              fourd.Mode(r.one("BottomTop", "TopBottom", "LeftRight", "RightLeft", "FrontBack", "BackFront", "Custom")),
				Direction:         &fourd.Vector{X: 1 + r.Float64(), Y: r.Float64(), Z: -r.Float64()},
				ByPercentComplete: r.IntN(2) == 0, WorkingTimeOnly: r.IntN(2) == 0, Removing: r.IntN(3) == 0,
			}
		}
	}
	return p
}

// site is one with a few entities that many tasks share, at dates of which many are the same.
func (r random) site() *fourd.Site {
	s := &fourd.Site{DataDate: hour(r.IntN(120))}
	boxes := make(map[string]fourd.Box)
	s.Box = func(id string) (fourd.Box, bool) { b, ok := boxes[id]; return b, ok }
	for i := range 1 + r.IntN(6) {
		start := r.IntN(100)
		t := fourd.Task{ID: fmt.Sprint("task", i), PercentComplete: float64(r.IntN(5) * 25)}
		t.Planned = fourd.Span{Start: hour(start), Finish: hour(start + r.IntN(3)*r.IntN(20))}
		if r.IntN(2) == 0 {
			t.Calendar = shifts
		}
		s.Tasks = append(s.Tasks, t)
	}
	for i := range 4 {
		s.Profiles = append(s.Profiles, r.profile(fmt.Sprint("profile", i)))
	}
	for i := range 2 {
		sin, cos := math.Sincos(r.Float64() * 6)
		m := fourd.Matrix{cos, -sin, 0, r.Float64() * 9, sin, cos, 0, 4, 0, 0, 1 + r.Float64(), r.Float64(), 0, 0, 0, 1}
		s.Transforms = append(s.Transforms, fourd.Transform{ID: fmt.Sprint("transform", i), Matrix: m})
	}
	for i := range 2 {
		p := fourd.Path{ID: fmt.Sprint("path", i)}
		for _, at := range [...]float64{0, 0.25 + r.Float64()/4, 1} {
			v := r.vector()
			p.Keyframes = append(p.Keyframes, fourd.Keyframe{Time: at, Position: &v, Rotation: &fourd.Rotation{Angle: r.Float64() * 1000, Axis: fourd.Vector{Z: 2}}})
		}
		s.Paths = append(s.Paths, p)
		s.PathAssignments = append(s.PathAssignments, fourd.PathAssignment{
			ID: fmt.Sprint("assignment", i), PathID: p.ID, Alignment: fourd.Alignment(r.one("Center", "Original")), Reverse: r.IntN(2) == 0,
			ByPercentComplete: r.IntN(2) == 0, WorkingTimeOnly: r.IntN(2) == 0,
		})
	}
	for i := range 1 + r.IntN(12) {
		b := fourd.Binding{ID: fmt.Sprint("binding", 100-i), EntityID: fmt.Sprint("0x", r.IntN(3)), TaskID: s.Tasks[r.IntN(len(s.Tasks))].ID}
		b.ProfileID = r.one("", "profile0", "profile1", "profile2", "profile3")
		b.TransformID, b.PathAssignmentID = r.one("", "", "transform0", "transform1"), r.one("", "", "assignment0", "assignment1")
		if b.EntityID != "0x0" {
			b.ResourceID = "resource"
		}
		low := r.vector()
		boxes[b.EntityID] = fourd.Box{Min: low, Max: fourd.Vector{X: low.X + 4, Y: low.Y + 1 + r.Float64(), Z: low.Z}}
		s.Bindings = append(s.Bindings, b)
	}
	for i := range r.IntN(5) {
		st := fourd.Status{ResourceID: "resource", CategoryID: r.one("a", "b"), ItemID: fmt.Sprint("item", i), Date: hour(r.IntN(120)), Visible: r.IntN(3) > 0}
		st.Color, st.Critical, st.Transparency = r.one("", "#ff0000"), r.IntN(2) == 0, float64(r.IntN(100))
		if r.IntN(2) == 0 {
			st.CriticalUntil = st.Date + worktime.Time(r.IntN(20))*worktime.Hour
		}
		s.Statuses = append(s.Statuses, st)
	}
	return s
}

// times are those at which a site is looked at: the hours, and others.
func (r random) times() (all []worktime.Time) {
	for h := range 170 {
		all = append(all, hour(h-10), hour(h-10)+worktime.Time(r.IntN(60))*worktime.Minute)
	}
	return all
}

// seen is what of a state the reference computes too.
type seen struct {
	Present             bool
	Task, Color         string
	Transparency, Share float64
	Point               fourd.Vector
	Status              string
	Critical            bool
}

var close = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-7 })

func look(s *fourd.State, point fourd.Vector) seen {
	out := seen{Present: s.Present, Color: s.Color, Transparency: s.Transparency, Share: -1, Status: s.Why.StatusItemID, Critical: s.Critical, Point: point}
	if s.Growth.Growing {
		out.Share = s.Growth.Share
	}
	if s.Moved {
		out.Point = s.Matrix.Apply(point)
	}
	out.Task = s.Why.TaskID
	return out
}

func (s slow) seen(entity string, point fourd.Vector) seen {
	var out seen
	all := s.ranked(entity)
	out.Present, out.Task = s.present(all)
	out.Color, out.Transparency, out.Share = s.look(all)
	box, _ := s.Box(entity)
	out.Point = s.put(all, point, box)
	if len(all) > 0 && all[0].b.ResourceID != "" {
		if st, critical := s.status(all[0].b.ResourceID); st != nil {
			out.Status, out.Critical, out.Transparency = st.ItemID, critical, st.Transparency
			out.Present = out.Present && st.Visible
			if st.Color != "" {
				out.Color = st.Color
			}
		}
	}
	return out
}

func TestStateAtEveryTimeIsThatOfTheSlowReference(t *testing.T) {
	t.Parallel()
	point := fourd.Vector{X: 1, Y: -2, Z: 3}
	for seed := range uint64(100) {
		r := random{rand.New(rand.NewPCG(seed, 54))}
		site := r.site()
		timeline, err := fourd.New(site)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range r.times() {
			for id, state := range timeline.At(at) {
				got, want := look(state, point), slow{site, at}.seen(id, point)
				if want.Task == "" {
					got.Task = "" // it names then what the look is of
				}
				if diff := cmp.Diff(want, got, close); diff != "" {
					t.Fatalf("seed %d: %s at %v (-reference +timeline):\n%s", seed, id, at, diff)
				}
			}
		}
	}
}

// A viewer that has the moments alone shows what StateAt says.
func TestMomentsAloneTellTheStateAtEveryTime(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := random{rand.New(rand.NewPCG(seed, 55))}
		timeline, err := fourd.New(r.site())
		if err != nil {
			t.Fatal(err)
		}
		times := r.times()
		for i := range timeline.Len() {
			var moments []fourd.Moment
			for m := range timeline.Moments(i) {
				moments = append(moments, m)
			}
			for _, at := range times {
				var want fourd.State
				timeline.StateAt(i, at, &want)
				if diff := cmp.Diff(want, played(moments, at), close); diff != "" {
					t.Fatalf("seed %d: %s at %v (-StateAt +moments):\n%s", seed, timeline.EntityID(i), at, diff)
				}
			}
		}
	}
}

// played is what a viewer makes of moments.
func played(all []fourd.Moment, at worktime.Time) fourd.State {
	n := 0
	for n+1 < len(all) && all[n+1].Time <= at {
		n++
	}
	s, u := all[n].State, all[n].Until
	if n+1 == len(all) {
		return s
	}
	f := float64(at-all[n].Time) / float64(all[n+1].Time-all[n].Time)
	s.Transparency += f * (u.Transparency - s.Transparency)
	s.Growth.Share += f * (u.Share - s.Growth.Share)
	s.Growth.Plane.Offset += f * (u.Offset - s.Growth.Plane.Offset)
	if u.Motion != nil {
		s.Moved, s.Matrix = true, u.Motion.Matrix(u.Motion.From+f*(u.Motion.To-u.Motion.From))
	}
	return s
}
