package fourd

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// resourceStatuses say which status of a resource is shown from when on.
type resourceStatuses struct {
	times []worktime.Time
	shown []shownStatus
}

// shownStatus is the place of a status, and whether it is critical then.
type shownStatus struct {
	at       int32
	critical bool
}

// show puts the status of a time on top of a state.
func (r *resourceStatuses) show(all []Status, at worktime.Time, into *State) {
	if len(r.times) == 0 || r.times[0] > at {
		return
	}
	shown := r.shown[current(r.times, at)]
	s := &all[shown.at]
	into.Why.StatusItemID, into.Critical = s.ItemID, shown.critical
	if s.Color != "" {
		into.Color = s.Color
	}
	into.Transparency, into.OriginalTransparency = percent(s.Transparency), s.OriginalTransparency
	if s.OriginalTransparency {
		into.Transparency = 0
	}
	into.Present = into.Present && s.Visible
}

func (r *resourceStatuses) breaks(all []worktime.Time, from, to worktime.Time) []worktime.Time {
	for i := current(r.times, from); i < len(r.times) && r.times[i] < to; i++ {
		if r.times[i] > from {
			all = append(all, r.times[i])
		}
	}
	return all
}

// resources finds the statuses of the resources that entities show.
func (b *builder) resources() {
	if !b.site.showsProgress() {
		return
	}
	of := make(map[string][]int32)
	for i := range b.site.Statuses {
		s := &b.site.Statuses[i]
		if s.Date == 0 {
			b.warn(StatusUnusable, ResourceSort, s.ResourceID)
			continue
		}
		of[s.ResourceID] = append(of[s.ResourceID], int32(i))
	}
	if len(of) == 0 {
		return
	}
	made, first := make(places), make(map[string]string)
	for i := range b.bounds {
		n := &b.site.Bindings[b.bounds[i].binding]
		if n.ResourceID == "" {
			continue
		}
		switch had, shows := first[n.EntityID]; {
		case !shows:
			first[n.EntityID] = n.ResourceID
		case had != n.ResourceID:
			b.warn(SeveralResources, EntitySort, n.EntityID)
		}
	}
	for i := range b.entities {
		resource := first[b.entities[i].id]
		statuses := of[resource]
		if len(statuses) == 0 {
			continue
		}
		at, ok := made[resource]
		if !ok {
			at = int32(len(b.statuses))
			made[resource] = at
			b.statuses = append(b.statuses, b.show(statuses))
		}
		b.entities[i].shown = at
	}
}

// show finds which of the statuses of a resource is shown when: a critical one before the others,
// and of several the newest.
func (b *builder) show(statuses []int32) (r resourceStatuses) {
	all := b.site.Statuses
	slices.SortStableFunc(statuses, func(x, y int32) int { return cmp.Compare(all[x].Date, all[y].Date) })
	look := statusLook{all: all, newest: make(map[string]int32)}
	for _, at := range changes(all, statuses) {
		for ; look.seen < len(statuses) && all[statuses[look.seen]].Date <= at; look.seen++ {
			look.add(statuses[look.seen])
		}
		shown := look.shown(statuses[look.seen-1], at)
		if n := len(r.shown); n == 0 || r.shown[n-1] != shown {
			r.times, r.shown = append(r.times, at), append(r.shown, shown)
		}
	}
	return r
}

// changes are the times at which a status begins, or is critical no longer.
func changes(all []Status, statuses []int32) []worktime.Time {
	times := make([]worktime.Time, 0, len(statuses))
	for _, i := range statuses {
		if times = append(times, all[i].Date); all[i].Critical && all[i].CriticalUntil > all[i].Date {
			times = append(times, all[i].CriticalUntil)
		}
	}
	return inOrder(times)
}

// statusLook goes through the statuses of a resource in the order of their dates.
type statusLook struct {
	all      []Status
	seen     int
	newest   map[string]int32 // by category
	critical []int32          // those that may be shown yet, the newest on top
}

func (l *statusLook) add(i int32) {
	l.newest[l.all[i].CategoryID] = i
	if l.all[i].Critical {
		l.critical = append(l.critical, i)
	}
}

// shown is the status that is shown at a time, at which newest is the newest of all.
func (l *statusLook) shown(newest int32, at worktime.Time) shownStatus {
	for n := len(l.critical); n > 0; n-- {
		i := l.critical[n-1]
		if l.newest[l.all[i].CategoryID] == i && l.all[i].isCritical(at) {
			return shownStatus{i, true}
		}
		l.critical = l.critical[:n-1]
	}
	return shownStatus{at: newest}
}

// isCritical reports whether the status is marked critical at a time behind its date.
func (s *Status) isCritical(at worktime.Time) bool {
	return s.Critical && (s.CriticalUntil == 0 || at < s.CriticalUntil)
}
