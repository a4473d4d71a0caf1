package compare_test

import (
	"fmt"
	"log"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func ExamplePlans() {
	office, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 9 * worktime.Hour, To: 17 * worktime.Hour}})})
	if err != nil {
		log.Fatal(err)
	}
	friday := worktime.Date(2026, time.January, 9, 9, 0, 0)
	plan := func(dig int64) *dated.Plan {
		task := dated.Task{ID: "dig", Parent: dated.None, Duration: dig, Dates: cpm.Dates{Start: friday, Finish: office.Add(friday, dig)}}
		return &dated.Plan{Projects: []dated.Project{{Calendar: office}}, Tasks: []dated.Task{task}}
	}
	c := compare.Plans(plan(8*worktime.Hour), plan(12*worktime.Hour))
	t := c.Tasks[0]
	fmt.Println(t.ID, t.Change, t.Baseline.Finish, t.Plan.Finish, t.Variance.Finish/worktime.Hour, "hours later")
	// Output:
	// dig Changed 2026-01-09T17:00:00 2026-01-12T13:00:00 4 hours later
}
