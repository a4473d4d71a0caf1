package worktime_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestCombinedCalendarsWorkWhenBothOrOneOfTheirsDo compares them with the calendars that
// they are made of, hour by hour.
func TestCombinedCalendarsWorkWhenBothOrOneOfTheirsDo(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	begin := worktime.Date(2026, time.January, 1, 0, 0, 0)
	hours := func() (h worktime.Hours) {
		for at := r.IntN(8); at < 23; at += 2 + r.IntN(6) {
			h = append(h, worktime.Period{From: at * worktime.Hour, To: (at + 1) * worktime.Hour})
		}
		return h
	}
	random := func() *worktime.Calendar {
		d := worktime.Definition{Week: worktime.Week{}}
		for i := range 7 {
			d.Week[time.Weekday(i)] = hours()
		}
		for range r.IntN(5) {
			first := begin + worktime.Time(r.IntN(40)*worktime.Day)
			d.Exceptions = append(d.Exceptions, worktime.Exception{First: first, Last: first + worktime.Time(r.IntN(3)*worktime.Day), Hours: hours()})
		}
		c, err := worktime.New(d)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for range 20 {
		a, b := random(), random()
		both, err := worktime.Both(a, b)
		if err != nil && !errors.Is(err, worktime.ErrNoWork) {
			t.Fatal(err)
		}
		either := worktime.Either(a, b)
		for at := begin - worktime.Day; at < begin+60*worktime.Day; at += worktime.Hour {
			works := func(c *worktime.Calendar) bool { return c.Between(at, at+worktime.Hour) > 0 }
			if both != nil && works(both) != (works(a) && works(b)) || works(either) != (works(a) || works(b)) {
				t.Fatalf("%v: %t and %t", at, works(a), works(b))
			}
		}
	}
}

func TestCalendarsThatNeverWorkTogetherHaveNoneOfBoth(t *testing.T) {
	t.Parallel()
	day, err := worktime.New(worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 8 * worktime.Hour, To: 16 * worktime.Hour}})})
	if err != nil {
		t.Fatal(err)
	}
	night, err := worktime.New(worktime.Definition{Week: worktime.EveryDay(worktime.Hours{{From: 16 * worktime.Hour, To: 24 * worktime.Hour}})})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := worktime.Both(day, night); !errors.Is(err, worktime.ErrNoWork) {
		t.Errorf("%v, %v", c, err)
	}
}
