package worktime

import "slices"

// MaxKnownRuns is how many runs that repetitions make are kept of all time.
const MaxKnownRuns = 4_096

// horizon is how many days before and behind a time that is asked for are kept at least of
// more runs: ten years together.
const horizon = 1_826

// begin keeps all runs, or none where repetitions make so many that rules are better.
func (c *Calendar) begin(runs []run) {
	c.runs = len(runs)
	var gained int64
	for i := range runs {
		c.exceptional += int(runs[i].last-runs[i].first) + 1
	}
	if n := len(runs); n > 0 {
		last := &runs[n-1]
		gained = last.through - c.regular(int64(last.last)+1)
	}
	all := whole(runs, gained)
	c.known.Store(all)
	c.least, c.most = c.Worked(MinTime), c.Worked(MaxTime)
	if n := len(c.rules); n > 0 && len(runs) > max(MaxKnownRuns, 2*n) {
		c.known.Store(&span{from: 1, to: 0, least: 1, most: 0})
		return
	}
	c.rules = nil
}

// all are all runs of the calendar.
func (c *Calendar) all() *span {
	if c.rules == nil {
		return c.known.Load()
	}
	runs, err := c.expand()
	if err != nil {
		panic(err) // New has expanded the same rules
	}
	last := &runs[len(runs)-1]
	return whole(runs, last.through-c.regular(int64(last.last)+1))
}

// around makes a day and those around it known.
func (c *Calendar) around(day int64) *span {
	return c.extend(c.all(), day)
}

// reaching makes the day known until whose end so much was worked.
func (c *Calendar) reaching(worked int64) *span {
	all := c.all()
	return c.extend(all, c.dayIn(all, worked))
}

// extend makes what is known reach to a day, and doubles it where it is known already what
// is around another.
func (c *Calendar) extend(all *span, day int64) *span {
	c.grow.Lock()
	defer c.grow.Unlock()
	now := c.known.Load()
	if now.from <= day && day <= now.to {
		return now
	}
	from, to := day-horizon, day+horizon
	if now.from <= now.to {
		if width := now.to - now.from; day < now.from {
			from, to = min(from, now.from-width), now.to
		} else {
			from, to = now.from, max(to, now.to+width)
		}
	}
	next := c.cut(all, from, to)
	c.known.Store(next)
	return next
}

// cut is what is known of all runs from one day to another.
func (c *Calendar) cut(all *span, from, to int64) *span {
	first, behind := all.find(from), all.find(to+1)
	if behind < len(all.runs) && int64(all.runs[behind].first) <= to {
		behind++
	}
	s := &span{from: from, to: to, runs: slices.Clone(all.runs[first:behind]), gained: all.gained}
	if behind < len(all.runs) {
		s.gained = all.runs[behind].gained
	}
	whole := Calendar{days: c.days, before: c.before, hours: c.hours}
	whole.known.Store(all)
	s.least, _ = whole.at(from)
	s.most, _ = whole.at(to + 1)
	return s
}
