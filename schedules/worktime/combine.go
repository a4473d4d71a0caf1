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
	c := new(Calendar)
	for i := range c.days {
		c.days[i] = hours(a.days[i], b.days[i])
	}
	if err := c.sum(); err != nil {
		return nil, err
	}
	m := combination{of: c, known: make(interned), hours: hours}
	all, other := a.all(), b.all()
	for i := range all.runs {
		m.add(&all.runs[i], a, b, other)
	}
	m.hours = func(y, x Hours) Hours { return hours(x, y) }
	for i := range other.runs {
		m.add(&other.runs[i], b, a, all)
	}
	c.begin(c.measure(resolve(m.all)))
	return c, nil
}

// combination collects the days on which a calendar is not as its week has them that is
// made of two.
type combination struct {
	of    *Calendar
	known interned
	hours func(Hours, Hours) Hours
	all   []stretch
}

// add adds the days of a run of one calendar, of which the other has runs too.
func (m *combination) add(r *run, own, other *Calendar, others *span) {
	h := own.hours[r.hours].hours
	for day, last := int64(r.first), int64(r.last); day <= last; {
		i, until := others.find(day), last
		if i < len(others.runs) && int64(others.runs[i].first) <= day {
			until = min(last, int64(others.runs[i].last))
			m.put(day, until, m.hours(h, other.hours[others.runs[i].hours].hours))
		} else {
			if i < len(others.runs) {
				until = min(last, int64(others.runs[i].first)-1)
			}
			m.regular(day, until, h, other)
		}
		day = until + 1
	}
}

// regular adds days on which the other calendar is as its week has it.
func (m *combination) regular(first, last int64, h Hours, other *Calendar) {
	var of [7]int32
	same := true
	for i := range of {
		of[i] = m.of.place(m.hours(h, other.days[i]), m.known)
		same = same && of[i] == of[0]
	}
	if same {
		m.all = append(m.all, stretch{first: int32(first), last: int32(last), hours: of[0]})
		return
	}
	for day := first; day <= last; day++ {
		m.all = append(m.all, stretch{first: int32(day), last: int32(day), hours: of[weekdayOf(day)]})
	}
}

func (m *combination) put(first, last int64, h Hours) {
	m.all = append(m.all, stretch{first: int32(first), last: int32(last), hours: m.of.place(h, m.known)})
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
func (c *Calendar) Exceptions() int { return c.exceptional }

// Runs is into how many runs of equal days they fall.
func (c *Calendar) Runs() int { return c.runs }
