package worktime

// Both is the calendar of the time at which both calendars work. It fails with ErrNoWork
// where no week has such time.
func Both(a, b *Calendar) (*Calendar, error) { return combine(a, b, Hours.both) }

// Either is the calendar of the time at which one of the calendars works, or both.
func Either(a, b *Calendar) *Calendar {
	c, err := combine(a, b, Hours.either)
	if err != nil {
		panic(err) // each of them works in some hours of a week
	}
	return c
}

// combine is the calendar whose hours of each day a function makes of theirs.
func combine(a, b *Calendar, hours func(Hours, Hours) Hours) (*Calendar, error) {
	if a == b {
		return a, nil
	}
	c, days := new(Calendar), make([]dated, 0, len(a.exceptions)+len(b.exceptions))
	for i := range c.days {
		c.days[i] = hours(a.days[i], b.days[i])
		c.before[i+1] = c.before[i] + c.days[i].total()
	}
	if c.week() == 0 {
		return nil, ErrNoWork
	}
	for _, x := range a.exceptions {
		_, other := b.at(x.day)
		days = append(days, dated{x.day, hours(x.hours, other)})
	}
	for _, x := range b.exceptions {
		_, other := a.at(x.day)
		days = append(days, dated{x.day, hours(other, x.hours)})
	}
	c.except(inOrder(days))
	c.least, c.most = c.Worked(MinTime), c.Worked(MaxTime)
	return c, nil
}

// both are the hours that are in both days.
func (h Hours) both(other Hours) (out Hours) {
	for len(h) > 0 && len(other) > 0 {
		if from, to := max(h[0].From, other[0].From), min(h[0].To, other[0].To); from < to {
			out = append(out, Period{from, to})
		}
		if h[0].To < other[0].To {
			h = h[1:]
		} else {
			other = other[1:]
		}
	}
	return out
}

// either are the hours that are in one of the days, or in both.
func (h Hours) either(other Hours) (out Hours) {
	for len(h)+len(other) > 0 {
		next := &h
		if len(h) == 0 || len(other) > 0 && other[0].From < h[0].From {
			next = &other
		}
		p := (*next)[0]
		*next = (*next)[1:]
		if n := len(out); n > 0 && p.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, p.To)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// Exceptions is how many days of the calendar are not as its week has them.
func (c *Calendar) Exceptions() int { return len(c.exceptions) }
