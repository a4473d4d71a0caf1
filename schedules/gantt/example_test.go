package gantt_test

import (
	"log"
	"os"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func ExampleMermaid() {
	start := worktime.Date(2026, time.January, 5, 9, 0, 0)
	plan := &dated.Plan{Name: "Bridge", Tasks: []dated.Task{
		{ID: "dig", Name: "Dig", Parent: dated.None, Dates: cpm.Dates{Start: start, Finish: start + 8*worktime.Hour}},
		{ID: "open", Name: "Open", Parent: dated.None, Kind: cpm.FinishMilestone, Dates: cpm.Dates{Start: start + worktime.Day, Finish: start + worktime.Day}},
	}}
	if err := gantt.Mermaid(os.Stdout, plan, gantt.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// gantt
	//     title Bridge
	//     dateFormat YYYY-MM-DDTHH:mm:ss
	//     axisFormat %d %b %y
	//     todayMarker off
	//     dig Dig :t0, 2026-01-05T09:00:00, 2026-01-05T17:00:00
	//     open Open :milestone, t1, 2026-01-06T09:00:00, 0d
}
