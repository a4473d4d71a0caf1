package console

import (
	"cmp"
	"strconv"
	"time"
)

// Layouts of times in forms: as browsers send what is picked, and as people type it.
var pickedLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05"}

// pickedLayout is how an input of a date with a time has its value.
const pickedLayout = "2006-01-02T15:04"

// planSettings are by what the schedule of the page is scheduled; empty where that is not to be had.
func (r *request) planSettings() object {
	if r.settings == nil {
		var body object
		if r.PathValue("schedule") == "" {
			return object{}
		}
		if _, err := r.get(r.schedule()+"/project-scheduling", &body); err == nil {
			r.settings = body.object("projectScheduling")
		}
		if r.settings == nil {
			r.settings = object{}
		}
	}
	return r.settings
}

// zone is that of the clocks of the schedule. UTC where it is not known.
func (r *request) zone() *time.Location {
	if r.location == nil {
		name, _ := r.planSettings().at("timeZone").(string)
		at, err := time.LoadLocation(name)
		if err != nil {
			at = time.UTC
		}
		r.location = at
	}
	return r.location
}

// clock is a time of the API as the clocks of the schedule show it; what is none stays as it is.
func (r *request) clock(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	return t.In(r.zone()).Format("2 Jan 2006 15:04")
}

// picked is a time of the API as the value of an input.
func (r *request) picked(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return ""
	}
	return t.In(r.zone()).Format(pickedLayout)
}

// pickedTime reads what was picked or typed by the clocks of the schedule.
func (r *request) pickedTime(s string) (t time.Time, ok bool) {
	for _, layout := range pickedLayouts {
		if t, err := time.ParseInLocation(layout, s, r.zone()); err == nil {
			return t, true
		}
	}
	return t, false
}

// later are days by which something is later, with their sign; empty for none.
func later(days float64) string {
	text := oneDecimal(strconv.FormatFloat(days, 'f', 2, 64))
	switch {
	case text == "0", text == "-0":
		return ""
	case days > 0:
		text = "+" + text
	}
	return text + " d"
}

// laterBy is how many days of the calendar lie between two times of the API.
func laterBy(from, to string) float64 {
	a, err := time.Parse(time.RFC3339Nano, from)
	b, failed := time.Parse(time.RFC3339Nano, to)
	if cmp.Or(err, failed) != nil {
		return 0
	}
	return b.Sub(a).Hours() / 24
}
