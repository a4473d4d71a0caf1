package cpm_test

import (
	"fmt"
	"log"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func ExampleSchedule() {
	office, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 9 * worktime.Hour, To: 17 * worktime.Hour}})})
	if err != nil {
		log.Fatal(err)
	}
	n := cpm.NewNetwork()
	dig := n.Add(cpm.Task{ID: "dig", Duration: 24 * worktime.Hour})
	form := n.Add(cpm.Task{ID: "form", Duration: 8 * worktime.Hour})
	pour := n.Add(cpm.Task{ID: "pour", Duration: 8 * worktime.Hour})
	n.Join(cpm.Link{Predecessor: dig, Successor: pour, Lag: 8 * worktime.Hour})
	n.Join(cpm.Link{Predecessor: form, Successor: pour})
	r, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: office, Start: worktime.Date(2026, time.January, 5, 9, 0, 0)}})
	if err != nil {
		log.Fatal(err)
	}
	for _, task := range []int{dig, form, pour} {
		d := r.Dates(task)
		fmt.Println(n.ID(task), d.Start, d.Finish, d.TotalFloat/worktime.Hour, d.Critical)
	}
	// Output:
	// dig 2026-01-05T09:00:00 2026-01-07T17:00:00 0 true
	// form 2026-01-05T09:00:00 2026-01-05T17:00:00 24 false
	// pour 2026-01-09T09:00:00 2026-01-09T17:00:00 0 true
}
