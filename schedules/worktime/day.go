package worktime

// Day is the working time in seconds of a working day, on average of the week: what
// planners mean when they give a duration in days.
func (c *Calendar) Day() int64 {
	var days int64
	for _, h := range c.days {
		if len(h) > 0 {
			days++
		}
	}
	return c.week() / days
}
