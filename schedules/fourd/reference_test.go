package fourd_test

import (
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// slow computes the state of an entity at a time without any preparation. Where matrices are
// concerned it says where one point is put. It knows the dates Planned alone, turns about the z
// axis alone, and times in whole minutes.
type slow struct {
	*fourd.Site

	at worktime.Time
}

type used struct {
	b       fourd.Binding
	t       fourd.Task
	profile fourd.Profile
	rank    int // the higher, the sooner it decides
	phase   fourd.Phase
}

// ranked are the bindings of an entity, the one that decides first first.
func (s slow) ranked(entity string) (all []used) {
	for _, b := range s.Bindings {
		if b.EntityID == entity {
			u := used{b: b, t: find(s.Tasks, func(t fourd.Task) bool { return t.ID == b.TaskID })}
			u.profile = find(s.Profiles, func(p fourd.Profile) bool { return p.ID == b.ProfileID })
			all = append(all, u)
		}
	}
	order := func(key func(used) (a, b worktime.Time)) func(x, y used) int {
		return func(x, y used) int {
			xa, xb := key(x)
			ya, yb := key(y)
			return slices.Compare([]string{clock(xa), clock(xb), x.b.ID}, []string{clock(ya), clock(yb), y.b.ID})
		}
	}
	byStart := order(func(u used) (a, b worktime.Time) { return u.t.Planned.Start, u.t.Planned.Finish })
	byFinish := order(func(u used) (a, b worktime.Time) { return u.t.Planned.Finish, u.t.Planned.Start })
	for i := range all {
		switch p := all[i].t.Planned; {
		case s.at < p.Start:
			all[i].phase, all[i].rank = fourd.Before, 0
		case s.at >= p.Finish:
			all[i].phase, all[i].rank = fourd.After, 1
		default:
			all[i].phase, all[i].rank = fourd.During, 2
		}
	}
	slices.SortFunc(all, func(x, y used) int {
		switch {
		case x.rank != y.rank:
			return y.rank - x.rank
		case x.phase == fourd.Before:
			return byStart(x, y)
		case x.phase == fourd.After:
			return byFinish(y, x)
		default:
			return byStart(y, x)
		}
	})
	return all
}

func find[T any](all []T, is func(T) bool) (none T) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return none
}

func clock(t worktime.Time) string { return t.String() }

func (s slow) present(all []used) (present bool, task string) {
	for _, u := range all {
		switch u.profile.Action {
		case fourd.Install:
			return u.phase != fourd.Before, u.t.ID
		case fourd.Remove:
			return u.phase != fourd.After, u.t.ID
		case fourd.Temporary:
			return u.phase == fourd.During, u.t.ID
		case fourd.Maintain:
			return true, u.t.ID
		case fourd.Neutral:
		}
	}
	return true, ""
}

// look is the colour, the transparency and the share of growth, below zero where nothing grows.
func (s slow) look(all []used) (color string, transparency, share float64) {
	for _, u := range all {
		switch l := map[fourd.Phase]*fourd.Look{fourd.Before: u.profile.Start, fourd.After: u.profile.End}[u.phase]; {
		case l != nil:
			return l.Color, l.Transparency, -1
		case u.phase == fourd.During && u.profile.Active != nil:
			a := u.profile.Active
			transparency = a.StartTransparency + (a.FinishTransparency-a.StartTransparency)*s.come(u.t, false, false)
			if a.Growth == nil {
				return a.Color, transparency, -1
			}
			return a.Color, transparency, s.come(u.t, a.Growth.ByPercentComplete, a.Growth.WorkingTimeOnly)
		}
	}
	return "", 0, -1
}

// come is how far a task has come.
func (s slow) come(t fourd.Task, byPercent, working bool) float64 {
	from, to := t.Planned.Start, t.Planned.Finish
	known := min(s.DataDate, to)
	if !byPercent || known <= from {
		return s.passed(t, from, to, s.at, working)
	}
	done := t.PercentComplete / 100
	return done*s.passed(t, from, known, s.at, working) + (1-done)*s.passed(t, known, to, s.at, working)*after(s.at, known)
}

func after(at, known worktime.Time) float64 {
	if at > known {
		return 1
	}
	return 0
}

// passed is the share of the minutes of work of a span that have passed, or of its minutes where
// no work is done in it.
func (s slow) passed(t fourd.Task, from, to, at worktime.Time, working bool) float64 {
	var all, passed, worked, workedThen float64
	for m := from; m < to; m += worktime.Minute {
		all++
		if m < at {
			passed++
		}
		if t.Calendar != nil && t.Calendar.Between(m, m+worktime.Minute) > 0 {
			worked++
			if m < at {
				workedThen++
			}
		}
	}
	switch {
	case all == 0:
		return 1
	case working && t.Calendar != nil && worked > 0:
		return workedThen / worked
	default:
		return passed / all
	}
}

// put is where a point of an entity is.
func (s slow) put(all []used, point fourd.Vector, box fourd.Box) fourd.Vector {
	var transform, moved *used
	for i, u := range all {
		if u.phase == fourd.Before {
			continue
		}
		if transform == nil && moved == nil && u.b.TransformID != "" && u.b.PathAssignmentID == "" {
			transform = &all[i]
			break
		}
		if moved == nil && u.b.PathAssignmentID != "" {
			moved = &all[i]
		}
		if transform == nil && u.b.TransformID != "" {
			transform = &all[i]
		}
	}
	placed := func(p fourd.Vector) fourd.Vector { return p }
	if transform != nil {
		m := find(s.Transforms, func(f fourd.Transform) bool { return f.ID == transform.b.TransformID }).Matrix
		placed = func(p fourd.Vector) fourd.Vector { return m.Apply(p) }
	}
	if moved == nil {
		return placed(point)
	}
	a := find(s.PathAssignments, func(a fourd.PathAssignment) bool { return a.ID == moved.b.PathAssignmentID })
	frames := find(s.Paths, func(p fourd.Path) bool { return p.ID == a.PathID }).Keyframes
	share := 1.0
	if moved.phase == fourd.During {
		share = s.come(moved.t, a.ByPercentComplete, a.WorkingTimeOnly)
	}
	if a.Reverse {
		share = 1 - share
	}
	first := 0
	if a.Reverse {
		first = len(frames) - 1
	}
	anchor := *frames[first].Position
	if a.Alignment == fourd.Center {
		anchor = placed(fourd.Vector{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2, Z: (box.Min.Z + box.Max.Z) / 2})
	}
	position, angle := *frames[0].Position, frames[0].Rotation.Angle
	for i := 1; i < len(frames); i++ {
		f, g := frames[i-1], frames[i]
		if share >= f.Time {
			part := min((share-f.Time)/(g.Time-f.Time), 1)
			position = mix(*f.Position, *g.Position, part)
			angle = f.Rotation.Angle + part*math.Remainder(g.Rotation.Angle-f.Rotation.Angle, 360)
		}
	}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	p := placed(point)
	x, y := p.X-anchor.X, p.Y-anchor.Y
	return fourd.Vector{X: position.X + cos*x - sin*y, Y: position.Y + sin*x + cos*y, Z: position.Z + p.Z - anchor.Z}
}

func mix(a, b fourd.Vector, f float64) fourd.Vector {
	return fourd.Vector{X: a.X + (b.X-a.X)*f, Y: a.Y + (b.Y-a.Y)*f, Z: a.Z + (b.Z-a.Z)*f}
}

// status is the status of a resource, nil where it has none.
func (s slow) status(resource string) (shown *fourd.Status, critical bool) {
	newest := make(map[string]*fourd.Status)
	for i := range s.Statuses {
		if st := &s.Statuses[i]; st.ResourceID == resource && st.Date <= s.at {
			if had := newest[st.CategoryID]; had == nil || st.Date >= had.Date {
				newest[st.CategoryID] = st
			}
		}
	}
	for i := range s.Statuses {
		st := &s.Statuses[i]
		if newest[st.CategoryID] != st {
			continue
		}
		is := st.Critical && (st.CriticalUntil == 0 || s.at < st.CriticalUntil)
		if shown == nil || is && !critical || is == critical && st.Date >= shown.Date {
			shown, critical = st, is
		}
	}
	return shown, critical
}
