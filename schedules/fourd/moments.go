package fourd

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Moments yields the changes of an entity in their order, of which the first has the time
// worktime.MinTime. A task of whose growth or motion the pauses count makes two for each pause.
func (t *Timeline) Moments(i int) iter.Seq[Moment] { return t.MomentsFrom(i, worktime.MinTime) }

// MomentsFrom yields the last of the changes of an entity that is not behind a time, and those behind it.
func (t *Timeline) MomentsFrom(i int, start worktime.Time) iter.Seq[Moment] {
	return func(yield func(Moment) bool) {
		times, choices := t.segments(i)
		var breaks []worktime.Time
		for k := current(times, start); k < len(times); k++ {
			to := worktime.MaxTime
			if k+1 < len(times) {
				to = times[k+1]
			}
			breaks = append(breaks[:0], times[k])
			breaks = inOrder(t.breaks(i, &choices[k], breaks, to))
			for n := current(breaks, start); n < len(breaks); n++ {
				until := to
				if n+1 < len(breaks) {
					until = breaks[n+1]
				}
				if !yield(t.moment(i, &choices[k], breaks[n], until)) {
					return
				}
			}
		}
	}
}

// breaks adds the times within a segment at which an entity changes.
func (t *Timeline) breaks(i int, c *choice, all []worktime.Time, to worktime.Time) []worktime.Time {
	from := all[0]
	if b, phase := t.by(c[look]); b != nil && phase == during && t.profiles[b.profile].growing {
		grows := t.growth(b, t.profiles[b.profile].Active.Growth)
		all = grows.breaks(all, from, to)
	}
	if b, phase := t.by(c[path]); b != nil && phase == during {
		moves := t.stretch(b)
		all = moves.breaks(all, from, to)
	}
	if shown := t.entities[i].shown; shown != none {
		all = t.statuses[shown].breaks(all, from, to)
	}
	return all
}

// moment is one from a time until another one, at which nothing changes in between.
func (t *Timeline) moment(i int, c *choice, from, to worktime.Time) Moment {
	m := Moment{Time: from}
	t.state(i, c, from, from, &m.State)
	if !t.moves(c) {
		m.Until = Until{Transparency: m.Transparency, Share: m.Growth.Share, Offset: m.Growth.Plane.Offset}
		return m
	}
	var end State
	t.state(i, c, to, from, &end)
	m.Until = Until{Transparency: end.Transparency, Share: end.Growth.Share, Offset: end.Growth.Plane.Offset}
	b, phase := t.by(c[path])
	if b == nil || phase != during {
		return m
	}
	placed := Identity
	if p, _ := t.by(c[place]); p != nil {
		placed = t.transforms[p.transform]
	}
	moves := t.stretch(b)
	motion := t.motion(b, &placed)
	motion.From, motion.To = moves.share(from), moves.share(to)
	if moves.jumps() {
		motion.To = motion.From
	}
	m.Until.Motion = &motion
	return m
}

// moves reports whether anything may move within a segment.
func (t *Timeline) moves(c *choice) bool {
	return c[look] != none && c[look]&3 == during || c[path] != none && c[path]&3 == during
}
