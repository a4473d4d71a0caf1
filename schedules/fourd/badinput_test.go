package fourd_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// kinds are the warnings of a site by their kinds, each with what it is about.
func kinds(t *testing.T, s *fourd.Site) (all []string) {
	t.Helper()
	for _, w := range timelineOf(t, s).Warnings() {
		all = append(all, string(w.Kind)+" "+w.ID)
		if !strings.HasSuffix(w.Message, ".") {
			t.Errorf("%s says nothing: %q", w.Kind, w.Message)
		}
	}
	return all
}

func TestWhatIsNotUnderstoodIsWarnedOfByName(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	at := &fourd.Vector{}
	site := func(change func(*fourd.Site)) *fourd.Site {
		s := moving(fourd.PathAssignment{}, frame(0, 0, 0), frame(1, 40, 0))
		change(s)
		return s
	}
	profile := func(change func(*fourd.Profile)) *fourd.Site {
		return site(func(s *fourd.Site) { change(&s.Profiles[0]) })
	}
	growth := func(g fourd.GrowthRule) *fourd.Site {
		return profile(func(p *fourd.Profile) { p.Active.Growth = &g })
	}
	matrix := func(place int, v float64) *fourd.Site {
		return site(func(s *fourd.Site) {
			m := fourd.Identity
			m[place] = v
			s.Transforms = []fourd.Transform{{ID: "m", Matrix: m}}
			s.Bindings[0].TransformID = "m"
		})
	}
	path := func(frames ...fourd.Keyframe) *fourd.Site { return moving(fourd.PathAssignment{}, frames...) }
	box := func(b fourd.Box, there bool) *fourd.Site {
		return site(func(s *fourd.Site) { s.Box = func(string) (fourd.Box, bool) { return b, there } })
	}
	for want, s := range map[string]*fourd.Site{
		"TaskMissing pour wall":           site(func(s *fourd.Site) { s.Bindings[0].TaskID = "gone" }),
		"TaskWithoutDates pour":           site(func(s *fourd.Site) { s.Tasks[0].Planned = fourd.Span{} }),
		"FinishBeforeStart pour":          site(func(s *fourd.Site) { s.Tasks[0].Planned.Finish = hour(-1) }),
		"PercentOutOfRange pour":          site(func(s *fourd.Site) { s.Tasks[0].PercentComplete = nan }),
		"ProfileMissing pour wall":        site(func(s *fourd.Site) { s.Bindings[0].ProfileID = "gone" }),
		"TransformMissing pour wall":      site(func(s *fourd.Site) { s.Bindings[0].TransformID = "gone" }),
		"PathAssignmentMissing pour wall": site(func(s *fourd.Site) { s.Bindings[0].PathAssignmentID = "gone" }),
		"SeveralResources wall": site(func(s *fourd.Site) {
			s.Bindings[0].ResourceID = "crane"
			s.Bindings = append(s.Bindings, fourd.Binding{ID: "b", EntityID: "wall", TaskID: "pour", ResourceID: "lift"})
			s.Statuses = []fourd.Status{{ResourceID: "crane", Date: hour(1)}}
		}),
		"StatusUnusable crane":     site(func(s *fourd.Site) { s.Statuses = []fourd.Status{{ResourceID: "crane"}} }),
		"ActionUnknown p":          profile(func(p *fourd.Profile) { p.Action = "Paint" }),
		"TransparencyOutOfRange p": profile(func(p *fourd.Profile) { p.End = &fourd.Look{Transparency: 101} }),
		"ModeUnknown p":            growth(fourd.GrowthRule{Mode: "Inwards"}),
		"DirectionMissing p":       growth(fourd.GrowthRule{Mode: fourd.Custom, Direction: at}),
		"DataDateMissing p":        growth(fourd.GrowthRule{Mode: fourd.BottomTop, ByPercentComplete: true}),
		"TaskTooLong pour": site(func(s *fourd.Site) {
			s.Tasks[0].Planned.Finish, s.Tasks[0].Calendar = worktime.MaxTime, shifts
			s.PathAssignments[0].WorkingTimeOnly = true
		}),
		"BoxMissing wall":          box(fourd.Box{}, false),
		"BoxEmpty wall":            box(fourd.Box{Min: fourd.Vector{X: 1}}, true),
		"TransformNotFinite m":     matrix(3, inf),
		"TransformNotInvertible m": matrix(5, 0),
		"TransformNotAffine m":     matrix(15, 2),
		"TransformByColumns m":     matrix(13, 4),
		"PathMissing move":         site(func(s *fourd.Site) { s.Paths = nil }),
		"PathWithoutKeyframes way": path(fourd.Keyframe{Time: 0.5}),
		"PathOfOneKeyframe way":    path(frame(0.5, 3, 0)),
		"PathWithoutTimes way":     path(frame(0.5, 3, 0), frame(0.5, 3, 0)),
		"KeyframeUnusable way":     path(frame(0, 0, 0), frame(0.5, nan, 0), frame(1, 1, 1)),
		"AxisMissing way":          path(frame(0, 0, 0), fourd.Keyframe{Time: 1, Position: at, Rotation: &fourd.Rotation{Angle: 4}}),
		"AlignmentUnknown move":    moving(fourd.PathAssignment{Alignment: "Corner"}, frame(0, 0, 0), frame(1, 1, 0)),
		"PointMissing move":        moving(fourd.PathAssignment{Alignment: fourd.CustomPoint}, frame(0, 0, 0), frame(1, 1, 0)),
		"MotionOutOfRange move":    moving(fourd.PathAssignment{Start: &nan}, frame(0, 0, 0), frame(1, 1, 0)),
		"MotionWithoutLength move": moving(fourd.PathAssignment{Start: &at.X, End: &at.X}, frame(0, 0, 0), frame(1, 1, 0)),
	} {
		if diff := cmp.Diff([]string{want}, kinds(t, s)); diff != "" {
			t.Errorf("warnings (-want +got)\n%s", diff)
		}
	}
	if got := kinds(t, site(func(*fourd.Site) {})); len(got) != 0 {
		t.Errorf("a site without faults has warnings: %v", got)
	}
}

func TestThereAreAThousandWarningsAtMost(t *testing.T) {
	t.Parallel()
	s := new(fourd.Site)
	for i := range 5_000 {
		s.Bindings = append(s.Bindings, fourd.Binding{ID: string(rune(i + 1)), EntityID: "wall", TaskID: "gone"})
	}
	all := timelineOf(t, s).Warnings()
	if all[0].Sort != fourd.BindingSort {
		t.Errorf("the first warning is about a %q", all[0].Sort)
	}
	if len(all) != fourd.MaxWarnings || all[len(all)-1].Kind != fourd.WarningsLeftOut {
		t.Errorf("there are %d warnings, and the last is %v", len(all), all[len(all)-1])
	}
}

func TestRecordsWithoutAnIDOfTheirOwnAreRefusedWithTheirPlace(t *testing.T) {
	t.Parallel()
	for place, s := range map[string]*fourd.Site{
		`tasks[1] has the id "a"`:       {Tasks: []fourd.Task{{ID: "a"}, {ID: "a"}}},
		`profiles[0] has the id ""`:     {Profiles: []fourd.Profile{{}}},
		`transforms[1] has the id "m"`:  {Transforms: []fourd.Transform{{ID: "m"}, {ID: "m"}}},
		`paths[1] has the id "w"`:       {Paths: []fourd.Path{{ID: "w"}, {ID: "w"}}},
		`pathAssignments[0] has the id`: {PathAssignments: []fourd.PathAssignment{{PathID: "w"}}},
	} {
		if _, err := fourd.New(s); !errors.Is(err, fourd.ErrID) || !strings.Contains(err.Error(), place) {
			t.Errorf("the error is %v, and does not say %s", err, place)
		}
	}
}

// wild is a number of those that break programs.
func (r random) wild() float64 {
	return [...]float64{0, 1, -1, 0.5, 100, 50, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e12, 1e13}[r.IntN(14)]
}

func (r random) wildVector() *fourd.Vector {
	if r.IntN(5) == 0 {
		return nil
	}
	return &fourd.Vector{X: r.wild(), Y: r.wild(), Z: r.wild()}
}

// spoil puts wild values into a site.
func (r random) spoil(s *fourd.Site) {
	date := func() worktime.Time {
		return [...]worktime.Time{0, hour(3), hour(90), math.MinInt64, math.MaxInt64, worktime.MinTime, worktime.MaxTime}[r.IntN(7)]
	}
	for i := range s.Tasks {
		if r.IntN(3) == 0 {
			s.Tasks[i].Planned, s.Tasks[i].PercentComplete = fourd.Span{Start: date(), Finish: date()}, r.wild()
		}
	}
	for i := range s.Profiles {
		if p := &s.Profiles[i]; p.Active != nil && p.Active.Growth != nil {
			p.Active.Growth.Direction, p.Active.StartTransparency = r.wildVector(), r.wild()
		}
	}
	for i := range s.Transforms {
		s.Transforms[i].Matrix[r.IntN(16)] = r.wild()
	}
	for i := range s.Paths {
		for k := range s.Paths[i].Keyframes {
			if f := &s.Paths[i].Keyframes[k]; r.IntN(3) == 0 {
				f.Position, f.Time = r.wildVector(), r.wild()
				f.Rotation = &fourd.Rotation{Angle: r.wild(), Axis: fourd.Vector{X: r.wild(), Y: r.wild()}}
			}
		}
	}
	for i := range s.PathAssignments {
		begin, end := r.wild(), r.wild()
		a := &s.PathAssignments[i]
		a.Start, a.End, a.Alignment, a.Point = &begin, &end, fourd.Alignment(r.one("Center", "Custom", "MinZ", "?")), r.wildVector()
	}
	s.Box = func(string) (fourd.Box, bool) {
		return fourd.Box{Min: fourd.Vector{X: r.wild(), Y: r.wild()}, Max: fourd.Vector{X: r.wild(), Y: 100, Z: r.wild()}}, r.IntN(2) == 0
	}
	s.DataDate = date()
	s.Dates = fourd.Dates(r.one("", "Planned", "Actual", "Baseline"))
	for i := range s.Statuses {
		s.Statuses[i].Date, s.Statuses[i].Transparency = date(), r.wild()
	}
}

// Whatever a site holds, its timeline has finite numbers, and its moments are in order.
func FuzzWildSiteHasStatesOfFiniteNumbers(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(binary.LittleEndian.AppendUint64(nil, seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var seed [32]byte
		copy(seed[:], data)
		r := random{rand.New(rand.NewChaCha8(seed))}
		s := r.site()
		r.spoil(s)
		timeline := timelineOf(t, s)
		for i := range timeline.Len() {
			var times []worktime.Time
			for m := range timeline.Moments(i) {
				times = append(times, m.Time)
				checkFinite(t, &m.State)
				if m.Until.Motion != nil {
					matrix := m.Until.Motion.Matrix(m.Until.Motion.To)
					checkFinite(t, &fourd.State{Matrix: matrix})
				}
			}
			if !slices.IsSorted(times) || len(slices.Compact(slices.Clone(times))) != len(times) {
				t.Fatalf("the moments are not in order: %v", times)
			}
		}
		for _, at := range []worktime.Time{math.MinInt64, hour(0), hour(50), math.MaxInt64} {
			for _, state := range timeline.At(at) {
				checkFinite(t, state)
			}
		}
	})
}

func checkFinite(t *testing.T, s *fourd.State) {
	t.Helper()
	g := s.Growth
	for _, v := range append(s.Matrix[:], s.Transparency, g.Share, g.Plane.Offset, g.Direction.X, g.Direction.Y, g.Direction.Z) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("a number is not finite: %+v", s)
		}
	}
	if !(s.Transparency >= 0 && s.Transparency <= 100 && g.Share >= 0 && g.Share <= 1) {
		t.Fatalf("a share is out of range: %+v", s)
	}
}
