package planner_test

import (
	"fmt"
	"log"
	"os"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func ExampleRead() {
	f, err := os.Open("testdata/mspdi-mp_j30_a2_nr1.xml")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	plan, err := planner.Read(f)
	if err != nil {
		log.Fatal(err)
	}
	s, err := plan.Schedule()
	if err != nil {
		log.Fatal(err)
	}
	for i, task := range plan.Tasks[:3] {
		d := s.Dates(i)
		fmt.Println(task.Name, d.Start, d.Finish, d.TotalFloat/worktime.Hour, d.Critical)
	}
	// Output:
	// P1-Task 1 2026-01-01T09:00:00 2026-01-01T09:00:00 0 true
	// P1-Task 2 2026-01-01T09:00:00 2026-01-08T19:00:00 40 false
	// P1-Task 3 2026-01-01T09:00:00 2026-01-12T19:00:00 0 true
}
