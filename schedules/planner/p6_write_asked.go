package planner

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// P6 refuses a file without some things that plans of other tools, and schedules, do not have, or
// takes something else for them.

// notes is the topic of notes that have none, without which P6 takes no note.
const notes = "Notes"

// topicOf is the topic of a note as P6 has it, and untopic the note's own.
func topicOf(n Note) string { return cmp.Or(n.Topic, notes) }

func untopic(topic string) string {
	if topic == notes {
		return ""
	}
	return topic
}

// currency is the currency in which all amounts of a file are counted.
type currency struct {
	id, code, name, symbol, decimals string
	comma                            bool // is the decimal symbol
}

// currencyOf is the currency that the plan has, or else US dollars.
func (p *Plan) currencyOf() currency {
	c := currency{id: "1", code: "USD", name: "US Dollar", symbol: "$", decimals: "2"}
	member := func(table, field string) string {
		for i := range p.Tables {
			if t := &p.Tables[i]; t.Name == table && len(t.Rows) > 0 {
				for at, value := range strings.Split(t.Rows[0], "\t") {
					if at < len(t.Fields) && t.Fields[at] == field {
						return value
					}
				}
			}
		}
		return ""
	}
	take := func(table, id, code, name, symbol, decimals string) {
		c.name = cmp.Or(member(table, name), member(table, code))
		c.id, c.code = cmp.Or(member(table, id), c.id), member(table, code)
		c.symbol, c.decimals = cmp.Or(member(table, symbol), c.code), cmp.Or(member(table, decimals), c.decimals)
	}
	switch {
	case p.Format == XER && member("CURRTYPE", "curr_short_name") != "":
		take("CURRTYPE", "curr_id", "curr_short_name", "curr_type", "curr_symbol", "decimal_digit_cnt")
		c.comma = member("CURRTYPE", "decimal_symbol") == ","
	case p.Format == P6XML && member("Currency", "Id") != "":
		take("Currency", "ObjectId", "Id", "Name", "Symbol", "DecimalPlaces")
		c.comma = member("Currency", "DecimalSymbol") == "Comma"
	case p.Format == MSPDI && member("Project", "CurrencyCode") != "":
		take("Project", "", "CurrencyCode", "", "CurrencySymbol", "CurrencyDigits")
	}
	return c
}

// weekHours are how many hours a calendar works on a day of its week, and in the week.
func (w *writer) weekHours(c *Calendar) (day, week float64) {
	hours, _ := w.flat(c)
	days := 0
	for _, h := range hours {
		worked := 0
		for _, p := range h {
			worked += p.To - p.From
		}
		if worked > 0 {
			days++
		}
		week += float64(worked) / worktime.Hour
	}
	if days == 0 {
		return 8, 40 // which P6 gives a new calendar
	}
	return round(week / float64(days)), round(week)
}

// round is a number of two decimals.
func round(n float64) float64 { return math.Round(100*n) / 100 }

// spans are how many hours a day, a week, a month and a year of a calendar have.
func (w *writer) spans(c *Calendar) [4]string {
	day, week := w.weekHours(c)
	return [4]string{decimal(day), decimal(week), decimal(round(week * 52 / 12)), decimal(round(week * 52))}
}

// defaultCalendar is the id of the calendar that P6 gives what is new: that of the first project, or
// the first one.
func (w *writer) defaultCalendar() string {
	if len(w.Projects) > 0 && w.Projects[0].CalendarID != "" {
		return w.Projects[0].CalendarID
	}
	if len(w.Calendars) > 0 {
		return w.Calendars[0].ID
	}
	return ""
}

// usualLength is how many characters a value of a code of P6 has at most, unless there is a longer one.
const usualLength = 7

// lengths are how many characters the values of codes have at most, by the ids of the codes.
func (w *writer) lengths() map[string]string {
	longest := make(map[string]int, len(w.Codes))
	for i := range w.CodeValues {
		v := &w.CodeValues[i]
		longest[v.CodeID] = max(longest[v.CodeID], utf8.RuneCountInString(v.Name))
	}
	all := make(map[string]string, len(w.Codes))
	for i := range w.Codes {
		all[w.Codes[i].ID] = strconv.Itoa(max(longest[w.Codes[i].ID], usualLength))
	}
	return all
}

// durationType is what of a task P6 keeps when another value of it changes, as an XER calls it: what
// Microsoft Project keeps, or the duration and the units.
func (x *p6Writer) durationType(t *Task) string {
	if x.Format == MSPDI {
		switch x.typeOf.member(t.ID, "Type") {
		case "0":
			return "DT_FixedRate"
		case "1":
			return "DT_FixedDrtn"
		case "2":
			return "DT_FixedQty"
		}
	}
	return "DT_FixedDUR2"
}

// p6DurationTypes are the types of durations by how an XER calls them.
var p6DurationTypes = map[string]string{
	"DT_FixedRate": "Fixed Units/Time", "DT_FixedDrtn": "Fixed Duration and Units/Time", "DT_FixedQty": "Fixed Units",
	"DT_FixedDUR2": "Fixed Duration & Units",
}

// planned are the dates that P6 has as planned ones: what the file has as such, or else where the task
// is, without which P6 puts it at the day of the import. One that has no dates, as an inactive one has
// none, is planned with its project.
func (x *p6Writer) planned(place int) (start, finish worktime.Time) {
	d := &x.Tasks[place].File
	start, finish = d.PlannedStart, d.PlannedFinish
	if x.same() {
		return start, finish
	}
	start, finish = cmp.Or(start, d.Start, d.EarlyStart), cmp.Or(finish, d.Finish, d.EarlyFinish)
	if x.scheduled != nil && (start == 0 || finish == 0) {
		t, found := &x.Tasks[place], x.scheduled.Dates(place)
		if start == 0 && finish == 0 {
			finish = found.Finish
		}
		if start = cmp.Or(start, found.Start, t.ActualStart); start == 0 {
			if p := x.project(t.ProjectID); p != nil {
				start = p.Start
			}
			start = cmp.Or(start, x.scheduled.options.Start)
		}
		if finish < start {
			finish = x.scheduled.calendars.worked(t).Add(start, t.Duration)
		}
	}
	return start, finish
}
