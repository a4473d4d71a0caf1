package fourd

import (
	"errors"
	"fmt"
)

// Errors of New.
var (
	// ErrID is what a site fails with of which two records of one sort have one id, or one has none.
	ErrID = errors.New("fourd: every record needs an id of its own")
	// ErrTooMany is what a site fails with that has more than MaxBindings bindings.
	ErrTooMany = fmt.Errorf("fourd: a site has %d bindings at most", MaxBindings)
)

// MaxBindings is how many bindings a site may have.
const MaxBindings = 1 << 28

// none is the place of what is not there.
const none int32 = -1

// places are where the records of one sort are, by id.
type places map[string]int32

// index finds the places of records.
func index[R any](sort string, all []R, id func(*R) string) (places, error) {
	at := make(places, len(all))
	for i := range all {
		at[id(&all[i])] = int32(i)
	}
	if _, blank := at[""]; blank || len(at) != len(all) {
		return nil, indexError(sort, all, id)
	}
	return at, nil
}

// indexError says which of the records has no id of its own.
func indexError[R any](sort string, all []R, id func(*R) string) error {
	seen := make(map[string]bool, len(all))
	for i := range all {
		if id := id(&all[i]); id == "" || seen[id] {
			return fmt.Errorf("%w: %s[%d] has the id %q", ErrID, sort, i, id)
		}
		seen[id(&all[i])] = true
	}
	return nil
}

// find is the place of a record that is named, none where none is. It warns where it is not there.
func (p places) find(id string, warn func()) int32 {
	if id == "" {
		return none
	}
	if at, ok := p[id]; ok {
		return at
	}
	warn()
	return none
}

// What bindings say something about.
const (
	presence = iota
	look
	place
	path
	aspects
)

// What a task is to a binding that says something.
const (
	before = iota
	during
	after
	phases
)

// says are the aspects about which something is said in each phase.
type says uint16

func saying(aspect, phase int) says { return 1 << (aspect*phases + phase) }

// sayingMoved is what a binding says that puts or moves an entity: it does so from the beginning of
// its task on.
func sayingMoved(aspect int) says { return saying(aspect, during) | saying(aspect, after) }

// usedProfile is a profile with what is understood of it.
type usedProfile struct {
	*Profile

	says      says
	growing   bool
	direction Vector // of growth
}

func (t *Timeline) useProfile(p *Profile, warn func(WarningKind)) usedProfile {
	u := usedProfile{Profile: p}
	switch p.Action {
	case Install, Maintain, Remove, Temporary:
		u.says = saying(presence, before) | saying(presence, during) | saying(presence, after)
	case Neutral, "":
	default:
		warn(ActionUnknown)
	}
	in := func(v float64) {
		if percent(v) != v {
			warn(TransparencyOutOfRange)
		}
	}
	if l := p.Start; l != nil {
		u.says |= saying(look, before)
		in(l.Transparency)
	}
	if l := p.Active; l != nil {
		u.says |= saying(look, during)
		in(l.StartTransparency)
		in(l.FinishTransparency)
		u.grow(l.Growth, warn)
	}
	if l := p.End; l != nil {
		u.says |= saying(look, after)
		in(l.Transparency)
	}
	return u
}

var directions = map[Mode]Vector{
	BottomTop: {Z: 1}, TopBottom: {Z: -1}, LeftRight: {X: 1}, RightLeft: {X: -1}, FrontBack: {Y: 1}, BackFront: {Y: -1},
}

func (u *usedProfile) grow(g *GrowthRule, warn func(WarningKind)) {
	if g == nil || g.Mode == NoGrowth || g.Mode == "" {
		return
	}
	if u.direction, u.growing = directions[g.Mode]; !u.growing {
		if g.Mode != Custom {
			warn(ModeUnknown)
			return
		}
		if g.Direction != nil {
			u.direction, u.growing = g.Direction.unit()
		}
		if !u.growing {
			warn(DirectionMissing)
			return
		}
	}
}

// usedTransform is a transform as it is applied. One that cannot be is none.
func usedTransform(f *Transform, warn func(WarningKind)) (Matrix, bool) {
	m := f.Matrix
	switch {
	case !usable(m[:]...):
		warn(TransformNotFinite)
		return Identity, false
	case !m.affine():
		if m = m.transposed(); !m.affine() {
			warn(TransformNotAffine)
			return Identity, false
		}
		warn(TransformByColumns)
	}
	if !m.invertible() {
		warn(TransformNotInvertible)
		return Identity, false
	}
	return m, true
}

// usedAssignment is a path assignment with what is understood of it.
type usedAssignment struct {
	*PathAssignment

	way        *Way // nil: the object rests
	alignment  Alignment
	begin, end float64 // shares of the task
}

// boxed reports whether the point of the object that is on the path is one of its box.
func (u *usedAssignment) boxed() bool {
	return u.way != nil && u.alignment != Original && u.alignment != CustomPoint
}

func (t *Timeline) useAssignment(a *PathAssignment, way *Way, warn func(WarningKind)) usedAssignment {
	u := usedAssignment{PathAssignment: a, way: way, alignment: a.Alignment, end: 1}
	if a.Reverse && way != nil {
		u.way = way.reversed()
	}
	switch a.Alignment {
	case "":
		u.alignment = Center
	case Center, Original, MinX, MinY, MinZ, MaxX, MaxY, MaxZ:
	case CustomPoint:
		if a.Point == nil || !a.Point.usable() {
			warn(PointMissing)
			u.alignment = Original
		}
	default:
		warn(AlignmentUnknown)
		u.alignment = Original
	}
	u.motion(warn)
	return u
}

// motion reads when the object moves.
func (u *usedAssignment) motion(warn func(WarningKind)) {
	read := func(p *float64, or float64) float64 {
		if p == nil {
			return or
		}
		if percent(*p) != *p {
			warn(MotionOutOfRange)
		}
		return percent(*p)
	}
	unit := 1.0
	if max(read(u.Start, 0), read(u.End, 0)) > 1 {
		unit = 100
	}
	u.begin, u.end = read(u.Start, 0)/unit, read(u.End, unit)/unit
	if u.end <= u.begin {
		warn(MotionWithoutLength)
		u.end = u.begin
	}
}

// resolved are the places of what bindings name.
type resolved struct{ tasks, profiles, transforms, assignments places }

// resolve finds what the records of the site are, and the ways of its paths.
func (t *Timeline) resolve() (at resolved, err error) {
	s := t.site
	if at.tasks, err = index("tasks", s.Tasks, func(r *Task) string { return r.ID }); err != nil {
		return at, err
	}
	if at.profiles, err = index("profiles", s.Profiles, func(r *Profile) string { return r.ID }); err != nil {
		return at, err
	}
	if at.transforms, err = index("transforms", s.Transforms, func(r *Transform) string { return r.ID }); err != nil {
		return at, err
	}
	at.assignments, err = index("pathAssignments", s.PathAssignments, func(r *PathAssignment) string { return r.ID })
	if err != nil {
		return at, err
	}
	paths, err := index("paths", s.Paths, func(r *Path) string { return r.ID })
	if err != nil {
		return at, err
	}
	t.spans = make([]span, len(s.Tasks))
	for i := range s.Tasks {
		t.spans[i] = s.span(&s.Tasks[i], func(WarningKind) {})
	}
	for i := range s.Profiles {
		t.profiles = append(t.profiles, t.useProfile(&s.Profiles[i], t.warns(ProfileSort, s.Profiles[i].ID)))
	}
	for i := range s.Transforms {
		m, ok := usedTransform(&s.Transforms[i], t.warns(TransformSort, s.Transforms[i].ID))
		if !ok {
			at.transforms[s.Transforms[i].ID] = none
		}
		t.transforms = append(t.transforms, m)
	}
	t.useAssignments(paths)
	return at, nil
}

func (t *Timeline) useAssignments(paths places) {
	s := t.site
	ways := make([]*Way, len(s.Paths))
	for i := range s.Paths {
		ways[i] = wayOf(&s.Paths[i], t.warns(PathSort, s.Paths[i].ID))
	}
	for i := range s.PathAssignments {
		a := &s.PathAssignments[i]
		var way *Way
		if at, ok := paths[a.PathID]; ok {
			way = ways[at]
		} else {
			t.warn(PathMissing, PathAssignmentSort, a.ID)
		}
		t.assignments = append(t.assignments, t.useAssignment(a, way, t.warns(PathAssignmentSort, a.ID)))
	}
}
