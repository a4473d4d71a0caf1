package animated

import (
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// interval is a time in which a state holds, or moves linearly.
type interval struct {
	*fourd.Moment
	begin    worktime.Time // when the state began, or from when on it is played
	from, to float64       // when it is played, in seconds
	// first and last are which part of the way from the moment to the next is played, from 0 to 1.
	first, last float64
}

// mix is what a value is at a share of the way between two.
func mix(a, b, share float64) float64 {
	if share == 0 {
		return a
	}
	return a + (b-a)*share
}

// intervals are the times of an entity that are played, each behind the one before. The last may take no time.
func (b *builder) intervals(entity string) (list []interval) {
	i, found := b.timeline.Find(entity)
	if !found {
		return nil
	}
	var last *fourd.Moment
	for m := range b.timeline.Moments(i) {
		if last != nil {
			list = b.between(list, last, m.Time, false)
		}
		last = &m
	}
	if last != nil {
		list = b.between(list, last, max(b.clock.to, last.Time), true)
	}
	return list
}

// between adds the time from one moment until another, as far as it is played.
func (b *builder) between(list []interval, m *fourd.Moment, next worktime.Time, rests bool) []interval {
	from, to := max(m.Time, b.clock.from), min(next, b.clock.to)
	if m.Time > b.clock.to || !rests && (next <= b.clock.from || next <= m.Time) {
		return list
	}
	x := interval{Moment: m, begin: from, from: b.clock.at(from), to: b.clock.at(max(from, to))}
	if !rests {
		all := float64(next) - float64(m.Time)
		x.first, x.last = float64(from-m.Time)/all, float64(max(from, to)-m.Time)/all
	}
	return append(list, x)
}
