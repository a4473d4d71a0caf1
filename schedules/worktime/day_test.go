package worktime_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func TestADayIsAnAverageOfTheWorkingDaysOfTheWeek(t *testing.T) {
	t.Parallel()
	long := worktime.Hours{{From: 8 * worktime.Hour, To: 18 * worktime.Hour}}
	short := worktime.Hours{{From: 8 * worktime.Hour, To: 14 * worktime.Hour}}
	week := worktime.EachWeekday(long)
	week[5] = short
	c, err := worktime.New(worktime.Definition{Week: week})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Day(); got != (4*10+6)*worktime.Hour/5 {
		t.Errorf("%d seconds", got)
	}
	if got := worktime.Continuous.Day(); got != worktime.Day {
		t.Errorf("%d seconds where work never stops", got)
	}
}
