package fourd

import "github.com/seed-933f9a09/twinplatform/schedules/worktime"

var phaseNames = [phases]Phase{Before, During, After}

// state is the state of an entity at a time of a segment, which may be the end of the segment:
// the state is that just before it then. It has the status of another time, which is in the segment.
func (t *Timeline) state(i int, c *choice, at, status worktime.Time, into *State) {
	into.Present, into.OriginalTransparency = true, true
	t.present(c, into)
	t.dress(c[look], at, into)
	if c[place] != none || c[path] != none {
		t.put(c, at, into)
	}
	if shown := t.entities[i].shown; shown != none {
		t.statuses[shown].show(t.site.Statuses, status, into)
	}
}

func (t *Timeline) present(c *choice, into *State) {
	b, phase := t.by(c[presence])
	if b != nil {
		switch t.profiles[b.profile].Action {
		case Install:
			into.Present = phase != before
		case Remove:
			into.Present = phase != after
		case Temporary:
			into.Present = phase == during
		case Maintain, Neutral:
		}
	} else if b, phase = t.by(c[look]); b == nil {
		return
	}
	n := &t.site.Bindings[b.binding]
	into.Why.TaskID, into.Why.BindingID, into.Why.Phase = n.TaskID, n.ID, phaseNames[phase]
}

// dress gives the state its look.
func (t *Timeline) dress(decided int32, at worktime.Time, into *State) {
	b, phase := t.by(decided)
	if b == nil {
		return
	}
	p := &t.profiles[b.profile]
	into.Why.ProfileID, into.Why.LookTaskID = p.ID, t.site.Tasks[b.task].ID
	switch phase {
	case before:
		p.Start.dress(into)
	case after:
		p.End.dress(into)
	default:
		l := Look{Color: p.Active.Color, OriginalTransparency: p.Active.OriginalTransparency}
		if from, to := percent(p.Active.StartTransparency), percent(p.Active.FinishTransparency); from == to {
			l.Transparency = from
		} else {
			even := course{span: t.spans[b.task]}
			l.Transparency = between(from, to, even.at(at))
		}
		l.dress(into)
		if p.growing {
			t.grow(b, p, at, &into.Growth)
		}
	}
}

func (l *Look) dress(into *State) {
	into.Color, into.Transparency, into.OriginalTransparency = l.Color, percent(l.Transparency), l.OriginalTransparency
	if l.OriginalTransparency {
		into.Transparency = 0
	}
}

func (t *Timeline) growth(b *bound, rule *GrowthRule) course {
	return t.course(b.task, rule.ByPercentComplete, rule.WorkingTimeOnly)
}

func (t *Timeline) grow(b *bound, p *usedProfile, at worktime.Time, into *Growth) {
	rule := p.Active.Growth
	c := t.growth(b, rule)
	into.Growing, into.Removing, into.Direction, into.Share = true, rule.Removing, p.direction, c.at(at)
	if b.box == none {
		return
	}
	from, to := t.boxes[b.box].extent(p.direction)
	into.Cut, into.Plane = true, Plane{p.direction, between(from, to, into.Share)}
	if rule.Removing {
		into.Plane = Plane{p.direction.times(-1), -into.Plane.Offset}
	}
}

// put gives the state its matrix.
func (t *Timeline) put(c *choice, at worktime.Time, into *State) {
	into.Moved, into.Matrix = true, Identity
	if b, _ := t.by(c[place]); b != nil {
		into.Matrix = t.transforms[b.transform]
		into.Why.TransformID = t.site.Transforms[b.transform].ID
	}
	if b, phase := t.by(c[path]); b != nil {
		m := t.motion(b, &into.Matrix)
		share := 1.0
		if phase == during {
			moves := t.stretch(b)
			share = moves.share(at)
		}
		into.Matrix = m.Matrix(share)
		into.Why.PathAssignmentID, into.Why.PathTaskID = t.assignments[b.assignment].ID, t.site.Tasks[b.task].ID
	}
	if into.Matrix == Identity {
		into.Moved, into.Matrix = false, Matrix{}
	}
}

func (t *Timeline) stretch(b *bound) stretch {
	a := &t.assignments[b.assignment]
	return t.course(b.task, a.ByPercentComplete, a.WorkingTimeOnly).stretch(a.begin, a.end)
}

// motion is how what a binding shows moves, from where a transform puts it.
func (t *Timeline) motion(b *bound, placed *Matrix) Motion {
	a := &t.assignments[b.assignment]
	m := Motion{PathID: a.PathID, Way: a.way, Placed: *placed}
	switch {
	case a.alignment == CustomPoint:
		m.Anchor = placed.Apply(*a.Point)
	case a.alignment != Original && b.box != none:
		m.Anchor = placed.Apply(t.boxes[b.box].point(a.alignment))
	case len(a.way.Positions) > 0:
		m.Anchor = a.way.Positions[0].Value
	default:
		m.Anchor = placed.Apply(Vector{})
	}
	return m
}
