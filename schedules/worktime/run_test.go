package worktime_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// dayByDay is a calendar that keeps each day by itself.
type dayByDay struct {
	from   worktime.Time
	hours  []worktime.Hours
	before []int64 // the working time before each of them
}

// expanded is a definition for so many days from a time on.
func expanded(d worktime.Definition, from worktime.Time, days int) *dayByDay {
	var chain []*worktime.Definition
	for at := &d; at != nil; at = at.Base {
		chain = append(chain, at)
	}
	m := &dayByDay{from: from, hours: make([]worktime.Hours, days), before: make([]int64, days+1)}
	for _, d := range slices.Backward(chain) {
		for i := range m.hours {
			if h, ok := d.Week[(from + worktime.Time(i)*worktime.Day).Weekday()]; ok {
				m.hours[i] = h
			}
		}
	}
	for _, d := range slices.Backward(chain) {
		for _, x := range d.Exceptions {
			for i := range m.hours {
				day := from + worktime.Time(i)*worktime.Day
				if day >= x.First && day <= x.Last && (x.Repeat == nil || hits(*x.Repeat, x.First, day)) {
					m.hours[i] = x.Hours
				}
			}
		}
	}
	for i, h := range m.hours {
		m.before[i+1] = m.before[i] + total(h)
	}
	return m
}

func total(h worktime.Hours) (n int64) {
	for _, p := range h {
		n += int64(p.To - p.From)
	}
	return n
}

// worked is the working time until a time.
func (m *dayByDay) worked(t worktime.Time) int64 {
	day := int((t - m.from) / worktime.Day)
	n := m.before[day]
	second := int((t - m.from) % worktime.Day)
	for _, p := range m.hours[day] {
		n += int64(max(min(second, p.To)-p.From, 0))
	}
	return n
}

// agree holds a calendar to the model at random times.
func (m *dayByDay) agree(t *testing.T, r *rand.Rand, c *worktime.Calendar) {
	t.Helper()
	days := len(m.hours)
	for range 300 {
		day := r.IntN(days)
		at := m.from + worktime.Time(day)*worktime.Day
		want := m.hours[day]
		if got := c.Hours(at); !slices.Equal(got, want) {
			t.Fatalf("on %v work is done %v, want %v", at, got, want)
		}
		from, to := at+worktime.Time(r.IntN(worktime.Day)), m.from+worktime.Time(r.IntN(days*worktime.Day))
		work := m.worked(to) - m.worked(from)
		if got := c.Between(from, to); got != work {
			t.Fatalf("%d seconds from %v to %v, want %d", got, from, to, work)
		}
		if work == 0 {
			continue
		}
		if end := c.Add(from, work); c.Between(from, end) != work || work > 0 && end > to || work < 0 && end < to {
			t.Fatalf("%d seconds from %v end %v, and %v has as many", work, from, end, to)
		}
	}
}

// TestRunsOfDaysAgreeWithOneEntryForEachDay holds calendars whose exceptions overlap,
// repeat, come from bases and last for years to one that keeps each day by itself.
func TestRunsOfDaysAgreeWithOneEntryForEachDay(t *testing.T) {
	t.Parallel()
	const days = 6_000
	begin := worktime.Date(1962, time.March, 1, 0, 0, 0)
	for seed := range testsize.Of[uint64](60, 15) {
		r := rand.New(rand.NewPCG(seed, 3))
		kinds := []worktime.Hours{nil, office, pieces, worktime.AllDay}
		var d *worktime.Definition
		for range 1 + r.IntN(3) {
			own := worktime.Definition{Base: d, Week: worktime.Week{}}
			for weekday := range 7 {
				if r.IntN(3) > 0 {
					own.Week[time.Weekday(weekday)] = kinds[r.IntN(len(kinds))]
				}
			}
			own.Week[time.Wednesday] = office
			for range r.IntN(14) {
				first := begin + worktime.Time(r.IntN(days))*worktime.Day
				last := min(first+worktime.Time(r.IntN(1+r.IntN(days)))*worktime.Day, begin+(days-1)*worktime.Day)
				x := worktime.Exception{First: first, Last: last, Hours: kinds[r.IntN(len(kinds))]}
				if r.IntN(2) == 0 {
					x.Repeat = &worktime.Repeat{
						Every: worktime.Frequency(1 + r.IntN(4)), Interval: r.IntN(4), Month: time.Month(1 + r.IntN(12)), Day: 1 + r.IntN(31),
						Weekdays: []time.Weekday{time.Weekday(r.IntN(7)), time.Weekday(r.IntN(7))}, Position: r.IntN(6),
					}
				}
				own.Exceptions = append(own.Exceptions, x)
			}
			d = &own
		}
		expanded(*d, begin, days).agree(t, r, calendar(t, *d))
	}
}

// TestLongRepetitionsAgreeWithOneEntryForEachDay asks calendars whose repetitions make
// more runs than are kept, at times that are years apart and by many at once.
func TestLongRepetitionsAgreeWithOneEntryForEachDay(t *testing.T) {
	t.Parallel()
	const days = 40_000
	begin := worktime.Date(1930, time.January, 1, 0, 0, 0)
	for name, repeat := range map[string]worktime.Repeat{
		"every other day":         {Every: worktime.Daily, Interval: 2},
		"two days of every week":  {Every: worktime.Weekly, Weekdays: []time.Weekday{time.Tuesday, time.Thursday}},
		"three days, other weeks": {Every: worktime.Weekly, Interval: 2, Weekdays: []time.Weekday{time.Monday, time.Wednesday, time.Sunday}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := worktime.Definition{Week: worktime.EachWeekday(office), Exceptions: []worktime.Exception{
				{First: begin + 400*worktime.Day, Last: begin + 39_000*worktime.Day, Hours: pieces, Repeat: &repeat},
				{First: begin + 9_000*worktime.Day, Last: begin + 9_400*worktime.Day},
			}}
			m := expanded(d, begin, days)
			c := calendar(t, d)
			if c.Runs() <= worktime.MaxKnownRuns {
				t.Fatalf("%d runs are all kept", c.Runs())
			}
			var asking sync.WaitGroup
			for seed := range uint64(4) {
				asking.Go(func() { m.agree(t, rand.New(rand.NewPCG(seed, 4)), c) })
			}
			asking.Wait()
			if first, last := c.Add(begin, -1<<62), c.Add(begin, 1<<62); first != at(t, "0001-01-01T09:00:00") || last != at(t, "9999-12-30T17:00:00") {
				t.Errorf("time goes from %v to %v", first, last)
			}
		})
	}
}

func TestEqualDaysOneBehindTheOtherAreOneRun(t *testing.T) {
	t.Parallel()
	day := func(n int) worktime.Time { return worktime.Date(2026, time.January, n, 0, 0, 0) }
	week := worktime.EachWeekday(office)
	for name, c := range map[string]struct {
		d          worktime.Definition
		runs, days int
	}{
		"no exceptions":                    {worktime.Definition{Week: week}, 0, 0},
		"centuries":                        {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(1), Last: day(98_600)}}}, 1, 98_600},
		"days by themselves":               {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(3), Last: day(3)}, {First: day(1), Last: day(1)}, {First: day(2), Last: day(2)}}}, 1, 3},
		"other hours between":              {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(1), Last: day(9)}, {First: day(4), Last: day(5), Hours: pieces}}}, 3, 9},
		"one day covered by a later one":   {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(4), Last: day(4), Hours: pieces}, {First: day(1), Last: day(9)}}}, 1, 9},
		"a repetition without gaps":        {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(1), Last: day(50_000), Repeat: &worktime.Repeat{Every: worktime.Daily}}}}, 1, 50_000},
		"a repetition with gaps":           {worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(1), Last: day(100), Repeat: &worktime.Repeat{Every: worktime.Daily, Interval: 2}}}}, 50, 50},
		"those of a base, and one of them": {worktime.Definition{Base: &worktime.Definition{Week: week, Exceptions: []worktime.Exception{{First: day(1), Last: day(9)}}}, Exceptions: []worktime.Exception{{First: day(3), Last: day(4)}}}, 1, 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cal := calendar(t, c.d)
			if diff := cmp.Diff([]int{c.runs, c.days}, []int{cal.Runs(), cal.Exceptions()}); diff != "" {
				t.Errorf("runs and days (-want +got)\n%s", diff)
			}
		})
	}
}

// TestCombiningLongRunsAgreesWithEachDay combines calendars with runs and repetitions of
// years, day by day.
func TestCombiningLongRunsAgreesWithEachDay(t *testing.T) {
	t.Parallel()
	begin := worktime.Date(2000, time.January, 1, 0, 0, 0)
	a := calendar(t, worktime.Definition{Week: worktime.EachWeekday(office), Exceptions: []worktime.Exception{
		{First: begin, Last: begin + 12_000*worktime.Day, Hours: pieces, Repeat: &worktime.Repeat{Every: worktime.Daily, Interval: 2}},
	}})
	b := calendar(t, worktime.Definition{Week: worktime.EveryDay(pieces), Exceptions: []worktime.Exception{
		{First: begin + 3_000*worktime.Day, Last: begin + 5_000*worktime.Day, Hours: office},
		{First: begin + 7_000*worktime.Day, Last: begin + 8_000*worktime.Day},
	}})
	both, err := worktime.Both(a, b)
	if err != nil {
		t.Fatal(err)
	}
	either := worktime.Either(a, b)
	for day := range worktime.Time(13_000) {
		at := begin + (day-500)*worktime.Day
		x, y := a.Between(at, at+worktime.Day), b.Between(at, at+worktime.Day)
		if sum := both.Between(at, at+worktime.Day) + either.Between(at, at+worktime.Day); sum != x+y {
			t.Fatalf("on %v both and either work %d seconds together, want %d", at, sum, x+y)
		}
	}
}

func BenchmarkBetween(b *testing.B) {
	start := worktime.Date(2026, time.January, 5, 9, 0, 0)
	for name, exceptions := range map[string][]worktime.Exception{
		"no-exceptions": nil,
		"holidays": {{
			First: start, Last: start + 3_650*worktime.Day, Repeat: &worktime.Repeat{Every: worktime.Yearly, Month: time.May, Day: 1},
		}},
		"every-other-day": {{First: start, Last: start + 90_000*worktime.Day, Repeat: &worktime.Repeat{Every: worktime.Daily, Interval: 2}}},
	} {
		b.Run(name, func(b *testing.B) {
			c, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(pieces), Exceptions: exceptions})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				c.Between(start, start+worktime.Time(i%100_000)*hour/4)
			}
		})
	}
}
