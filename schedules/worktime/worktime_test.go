package worktime_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const hour = worktime.Hour

var (
	office = worktime.Hours{{From: 9 * hour, To: 17 * hour}}
	pieces = worktime.Hours{{From: 9 * hour, To: 13 * hour}, {From: 15 * hour, To: 19 * hour}}
)

func calendar(t *testing.T, d worktime.Definition) *worktime.Calendar {
	t.Helper()
	c, err := worktime.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func at(t *testing.T, s string) worktime.Time {
	t.Helper()
	u, err := worktime.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestWorkEndsWhereItsWorkingTimeIsOver(t *testing.T) {
	t.Parallel()
	holiday := worktime.Exception{First: worktime.Date(2026, time.January, 6, 0, 0, 0), Last: worktime.Date(2026, time.January, 7, 0, 0, 0)}
	short := worktime.Exception{First: holiday.First, Last: holiday.First, Hours: worktime.Hours{{From: 10 * hour, To: 12 * hour}}}
	for name, c := range map[string]struct {
		definition worktime.Definition
		start      string
		seconds    int64
		want       string
	}{
		"over sixteen months":                   {worktime.Definition{Week: worktime.EachWeekday(office)}, "2024-05-20T09:00:00", 9_866_640, "2025-09-10T13:44:00"},
		"over a summer":                         {worktime.Definition{Week: worktime.EachWeekday(office)}, "2024-05-20T09:00:00", 4_498_740, "2024-12-24T10:39:00"},
		"at the end of a day, not of a night":   {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-05T09:00:00", 8 * hour, "2026-01-05T17:00:00"},
		"from before work on":                   {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-03T12:00:00", 1, "2026-01-05T09:00:01"},
		"over a noon":                           {worktime.Definition{Week: worktime.EachWeekday(pieces)}, "2026-01-05T09:00:00", 5 * hour, "2026-01-05T16:00:00"},
		"over a holiday":                        {worktime.Definition{Week: worktime.EachWeekday(office), Exceptions: []worktime.Exception{holiday}}, "2026-01-05T09:00:00", 9 * hour, "2026-01-08T10:00:00"},
		"in the hours of an exceptional day":    {worktime.Definition{Week: worktime.EachWeekday(office), Exceptions: []worktime.Exception{holiday, short}}, "2026-01-05T09:00:00", 10 * hour, "2026-01-06T12:00:00"},
		"of no work where it begins":            {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-04T12:00:00", 0, "2026-01-04T12:00:00"},
		"backwards, where it begins":            {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-12T17:00:00", -8 * hour, "2026-01-12T09:00:00"},
		"backwards over a weekend":              {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-12T09:00:00", -8 * hour, "2026-01-09T09:00:00"},
		"backwards, at a start, not at a end":   {worktime.Definition{Week: worktime.EachWeekday(pieces)}, "2026-01-05T19:00:00", -4 * hour, "2026-01-05T15:00:00"},
		"through midnight":                      {worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 0, To: 3 * hour}, {From: 23 * hour, To: 24 * hour}})}, "2026-01-05T23:00:00", 4 * hour, "2026-01-06T03:00:00"},
		"elapsed":                               {worktime.Definition{Week: worktime.EveryDay(worktime.AllDay)}, "2026-01-05T23:00:00", 25 * hour, "2026-01-07T00:00:00"},
		"never beyond the last time":            {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-05T09:00:00", 1 << 62, "9999-12-30T17:00:00"},
		"never before the first time":           {worktime.Definition{Week: worktime.EachWeekday(office)}, "2026-01-05T09:00:00", -1 << 63, "0001-01-01T09:00:00"},
		"in the weekdays of a base":             {worktime.Definition{Base: &worktime.Definition{Week: worktime.EachWeekday(office)}, Week: worktime.Week{time.Monday: {}}}, "2026-01-05T09:00:00", hour, "2026-01-06T10:00:00"},
		"not on a holiday of a base":            {worktime.Definition{Base: &worktime.Definition{Exceptions: []worktime.Exception{holiday}}, Week: worktime.EachWeekday(office)}, "2026-01-06T09:00:00", hour, "2026-01-08T10:00:00"},
		"on a holiday of a base that is worked": {worktime.Definition{Base: &worktime.Definition{Exceptions: []worktime.Exception{holiday}}, Week: worktime.EachWeekday(office), Exceptions: []worktime.Exception{short}}, "2026-01-06T09:00:00", hour, "2026-01-06T11:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := calendar(t, c.definition).Add(at(t, c.start), c.seconds).String(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestAStartIsAfterAPauseAndAFinishBeforeIt(t *testing.T) {
	t.Parallel()
	c := calendar(t, worktime.Definition{Week: worktime.EachWeekday(pieces)})
	for in, want := range map[string][2]string{
		"2026-01-05T10:30:00": {"2026-01-05T10:30:00", "2026-01-05T10:30:00"},
		"2026-01-05T13:00:00": {"2026-01-05T15:00:00", "2026-01-05T13:00:00"},
		"2026-01-05T14:00:00": {"2026-01-05T15:00:00", "2026-01-05T13:00:00"},
		"2026-01-05T15:00:00": {"2026-01-05T15:00:00", "2026-01-05T13:00:00"},
		"2026-01-10T00:00:00": {"2026-01-12T09:00:00", "2026-01-09T19:00:00"},
	} {
		if diff := cmp.Diff(want, [2]string{c.Start(at(t, in)).String(), c.Finish(at(t, in)).String()}); diff != "" {
			t.Errorf("%s (-want +got)\n%s", in, diff)
		}
	}
}

// model is a calendar that looks at each quarter of an hour.
type model func(worktime.Time) bool

const quarter = 15 * worktime.Minute

func (m model) between(from, to worktime.Time) (n int64) {
	for ; from < to; from += quarter {
		if m(from) {
			n += quarter
		}
	}
	return n
}

// TestCalendarsAgreeWithCountingQuartersOfAnHour holds random calendars to what a count
// over time says.
func TestCalendarsAgreeWithCountingQuartersOfAnHour(t *testing.T) {
	t.Parallel()
	begin := worktime.Date(2025, time.December, 22, 0, 0, 0)
	for seed := range testsize.Of[uint64](25, 6) {
		r := rand.New(rand.NewPCG(seed, 1))
		d, works := randomCalendar(r, begin)
		c := calendar(t, d)
		for range 200 {
			from := begin + worktime.Time(r.IntN(40*24*4))*quarter
			to := from + worktime.Time(r.IntN(20*24*4))*quarter
			work := works.between(from, to)
			if got := c.Between(from, to); got != work {
				t.Fatalf("seed %d: %d seconds from %v to %v, want %d", seed, got, from, to, work)
			}
			if work == 0 {
				continue
			}
			finish, start := c.Add(from, work), c.Add(to, -work)
			if finish > to || works.between(from, finish) != work || !works(finish-1) {
				t.Fatalf("seed %d: %d seconds from %v end %v", seed, work, from, finish)
			}
			if start < from || works.between(start, to) != work || !works(start) {
				t.Fatalf("seed %d: %d seconds until %v begin %v", seed, work, to, start)
			}
			if c.Start(finish) < finish || !works(c.Start(finish)) || c.Between(finish, c.Start(finish)) != 0 || c.Finish(c.Start(finish)) != finish {
				t.Fatalf("seed %d: the finish %v and the start %v are two instants", seed, finish, c.Start(finish))
			}
		}
	}
}

func randomCalendar(r *rand.Rand, begin worktime.Time) (worktime.Definition, model) {
	d := worktime.Definition{Week: worktime.Week{}}
	for day := range 7 {
		if r.IntN(4) > 0 {
			d.Week[time.Weekday(day)] = randomHours(r)
		}
	}
	d.Week[time.Weekday(r.IntN(7))] = worktime.Hours{{From: 8 * hour, To: 12*hour + quarter}}
	for range r.IntN(12) {
		first := begin + worktime.Time(r.IntN(60)-10)*worktime.Day
		d.Exceptions = append(d.Exceptions, worktime.Exception{First: first + 7*hour, Last: first + worktime.Time(r.IntN(4))*worktime.Day, Hours: randomHours(r)})
		last := &d.Exceptions[len(d.Exceptions)-1]
		last.Last = max(last.Last, last.First)
	}
	return d, func(t worktime.Time) bool {
		h := d.Week[t.Weekday()]
		for _, x := range d.Exceptions {
			if t >= x.First.Midnight() && t < x.Last.Midnight()+worktime.Day {
				h = x.Hours
			}
		}
		second := int(t - t.Midnight())
		return slices.ContainsFunc(h, func(p worktime.Period) bool { return second >= p.From && second < p.To })
	}
}

func randomHours(r *rand.Rand) (h worktime.Hours) {
	at := 0
	for range r.IntN(4) {
		from := at + r.IntN(20)*quarter
		to := from + (1+r.IntN(20))*quarter
		if to > worktime.Day {
			break
		}
		if len(h) > 0 && h[len(h)-1].To == from {
			from += quarter
		}
		if from < to {
			h = append(h, worktime.Period{From: from, To: to})
		}
		at = to
	}
	return h
}

func TestExceptionsRepeat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		repeat worktime.Repeat
		want   []string // days off of 2026
	}{
		"every hundred days":                    {worktime.Repeat{Every: worktime.Daily, Interval: 100}, []string{"01-01", "04-11", "07-20", "10-28"}},
		"in every twentieth week on two days":   {worktime.Repeat{Every: worktime.Weekly, Interval: 20, Weekdays: []time.Weekday{time.Monday, time.Friday}}, []string{"01-02", "05-18", "05-22", "10-05", "10-09"}},
		"on the last day of long months":        {worktime.Repeat{Every: worktime.Monthly, Day: 31}, []string{"01-31", "03-31", "05-31", "07-31", "08-31", "10-31", "12-31"}},
		"on the second Tuesday of each quarter": {worktime.Repeat{Every: worktime.Monthly, Interval: 3, Position: 2, Weekdays: []time.Weekday{time.Tuesday}}, []string{"01-13", "04-14", "07-14", "10-13"}},
		"on the last working day of a half":     {worktime.Repeat{Every: worktime.Monthly, Interval: 6, Position: 5, Weekdays: []time.Weekday{1, 2, 3, 4, 5}}, []string{"01-30", "07-31"}},
		"on a day of the year":                  {worktime.Repeat{Every: worktime.Yearly, Month: time.May, Day: 1}, []string{"05-01"}},
		"on the fourth Thursday of November":    {worktime.Repeat{Every: worktime.Yearly, Month: time.November, Position: 4, Weekdays: []time.Weekday{time.Thursday}}, []string{"11-26"}},
		"every other year, not this one again":  {worktime.Repeat{Every: worktime.Yearly, Interval: 2, Month: time.May, Day: 1}, []string{"05-01"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, last := worktime.Date(2026, time.January, 1, 0, 0, 0), worktime.Date(2026, time.December, 31, 0, 0, 0)
			cal := calendar(t, worktime.Definition{Week: worktime.EveryDay(office), Exceptions: []worktime.Exception{{First: first, Last: last, Repeat: &c.repeat}}})
			var got []string
			for day := first; day <= last; day += worktime.Day {
				if len(cal.Hours(day)) == 0 {
					got = append(got, day.String()[5:10])
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestRepetitionsAgreeWithLookingAtEachDay holds random repetitions, also from before
// 1970, to each day on its own.
func TestRepetitionsAgreeWithLookingAtEachDay(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](400, 100) {
		r := rand.New(rand.NewPCG(seed, 2))
		x := worktime.Repeat{
			Every: worktime.Frequency(1 + r.IntN(4)), Interval: r.IntN(5), Month: time.Month(1 + r.IntN(12)), Day: 1 + r.IntN(31),
			Weekdays: []time.Weekday{time.Weekday(r.IntN(7)), time.Weekday(r.IntN(7))}, Position: r.IntN(6),
		}
		first := worktime.Date(1950+r.IntN(40), time.Month(1+r.IntN(12)), 1+r.IntN(28), 7, 0, 0)
		last := first + worktime.Time(r.IntN(3_000))*worktime.Day
		c := calendar(t, worktime.Definition{Week: worktime.EveryDay(office), Exceptions: []worktime.Exception{{First: first, Last: last, Repeat: &x}}})
		for day := first - 40*worktime.Day; day <= last+40*worktime.Day; day += worktime.Day {
			want := day >= first && day <= last && hits(x, first, day)
			if got := len(c.Hours(day)) == 0; got != want {
				t.Fatalf("seed %d: %+v from %v hits %v: %t, want %t", seed, x, first, day, got, want)
			}
		}
	}
}

// hits is the result for one day.
func hits(r worktime.Repeat, first, day worktime.Time) bool {
	date := func(t worktime.Time) time.Time { return time.Unix(int64(t.Midnight()), 0).UTC() }
	f, d := date(first), date(day)
	days, months := int(d.Sub(f).Hours())/24, (d.Year()-f.Year())*12+int(d.Month()-f.Month())
	inMonth := d.Day() == r.Day
	if r.Position > 0 {
		var all []int
		for e := d.AddDate(0, 0, 1-d.Day()); e.Month() == d.Month(); e = e.AddDate(0, 0, 1) {
			if slices.Contains(r.Weekdays, e.Weekday()) {
				all = append(all, e.Day())
			}
		}
		at := slices.Index(all, d.Day()) + 1
		inMonth = at > 0 && (at == r.Position && at < 5 || r.Position == 5 && at == len(all))
	}
	every := max(r.Interval, 1)
	switch r.Every {
	case worktime.Weekly:
		return slices.Contains(r.Weekdays, d.Weekday()) && (days+int(f.Weekday()))/7%every == 0
	case worktime.Monthly:
		return inMonth && months%every == 0
	case worktime.Yearly:
		return inMonth && d.Month() == r.Month && (d.Year()-f.Year())%every == 0
	default:
		return days%every == 0
	}
}

func TestCalendarsWithoutEndOrSenseAreRefused(t *testing.T) {
	t.Parallel()
	week := worktime.EachWeekday(office)
	day := worktime.Date(2026, time.January, 1, 0, 0, 0)
	loop := worktime.Definition{Week: week}
	loop.Base = &loop
	for name, c := range map[string]struct {
		d    worktime.Definition
		want error
	}{
		"no hours":                      {worktime.Definition{}, worktime.ErrNoWork},
		"days off only":                 {worktime.Definition{Week: worktime.EveryDay(nil)}, worktime.ErrNoWork},
		"work on exceptional days only": {worktime.Definition{Exceptions: []worktime.Exception{{First: day, Last: day, Hours: office}}}, worktime.ErrNoWork},
		"hours that overlap":            {worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 1, To: 3}, {From: 2, To: 4}})}, worktime.ErrHours},
		"hours out of order":            {worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 5, To: 6}, {From: 2, To: 4}})}, worktime.ErrHours},
		"hours of nothing":              {worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 5, To: 5}})}, worktime.ErrHours},
		"hours behind midnight":         {worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 5, To: worktime.Day + 1}})}, worktime.ErrHours},
		"hours before midnight":         {worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: -5, To: 5}})}, worktime.ErrHours},
		"hours of an exception":         {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day, Last: day, Hours: worktime.Hours{{From: 5, To: 5}}}}}, worktime.ErrHours},
		"an exception that ends first":  {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day, Last: day - worktime.Day}}}, worktime.ErrExceptions},
		"an exception without end":      {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day, Last: worktime.MaxTime}}}, worktime.ErrExceptions},
		"an exception before time":      {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: worktime.MinTime - worktime.Day, Last: worktime.MinTime}}}, worktime.ErrExceptions},
		"a base that is itself":         {loop, worktime.ErrBases},
		"no frequency":                  {repeating(worktime.Repeat{}), worktime.ErrRepeat},
		"no weekday of a week":          {repeating(worktime.Repeat{Every: worktime.Weekly}), worktime.ErrRepeat},
		"no day of a month":             {repeating(worktime.Repeat{Every: worktime.Monthly}), worktime.ErrRepeat},
		"a sixth Monday":                {repeating(worktime.Repeat{Every: worktime.Monthly, Position: 6, Weekdays: []time.Weekday{time.Monday}}), worktime.ErrRepeat},
		"no month of a year":            {repeating(worktime.Repeat{Every: worktime.Yearly, Day: 1}), worktime.ErrRepeat},
		"an interval below none":        {repeating(worktime.Repeat{Every: worktime.Daily, Interval: -1}), worktime.ErrRepeat},
	} {
		if _, err := worktime.New(c.d); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func repeating(r worktime.Repeat) worktime.Definition {
	day := worktime.Date(2026, time.January, 1, 0, 0, 0)
	return worktime.Definition{Week: worktime.EachWeekday(office), Exceptions: []worktime.Exception{{First: day, Last: day, Repeat: &r}}}
}

func TestTheClockOfAZoneIsReadAndSet(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("this system knows no zones: ", err)
	}
	for shown, want := range map[string]string{
		"2026-01-05T09:00:00": "2026-01-05T08:00:00Z",
		"2026-07-06T09:00:00": "2026-07-06T07:00:00Z",
		"2026-03-29T02:30:00": "2026-03-29T01:30:00Z", // no clock shows it
		"2026-10-25T02:30:00": "2026-10-25T00:30:00Z", // shown twice
	} {
		if got := at(t, shown).In(berlin).UTC().Format(time.RFC3339); got != want {
			t.Errorf("%s is %s, want %s", shown, got, want)
		}
	}
	for day := worktime.Date(2026, time.January, 1, 9, 0, 0); day < worktime.Date(2027, time.January, 1, 0, 0, 0); day += worktime.Day {
		if got := worktime.Of(day.In(berlin), berlin); got != day {
			t.Errorf("the clock shows %v, want %v", got, day)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	d := worktime.Definition{Week: worktime.EachWeekday(pieces)}
	for i := range 400 {
		day := worktime.Date(2026, time.January, 1+9*i, 0, 0, 0)
		d.Exceptions = append(d.Exceptions, worktime.Exception{First: day, Last: day})
	}
	c, err := worktime.New(d)
	if err != nil {
		b.Fatal(err)
	}
	start := worktime.Date(2026, time.January, 5, 9, 0, 0)
	for i := 0; b.Loop(); i++ {
		c.Add(start, int64(i%100_000)*hour/4)
	}
}
