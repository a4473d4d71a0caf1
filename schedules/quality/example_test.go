package quality_test

import (
	"fmt"
	"log"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/quality"
)

func ExampleAnalyze() {
	plan := &dated.Plan{
		Tasks: []dated.Task{{ID: "dig", Parent: dated.None, Duration: 28800}, {ID: "pour", Parent: dated.None, Duration: 28800}},
		Links: []dated.Link{{ID: "1", Predecessor: 0, Successor: 1, Type: cpm.StartToStart}},
	}
	report, err := quality.Analyze(plan, quality.Options{Only: []quality.Point{quality.Logic, quality.RelationshipTypes, quality.MissedTasks}})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range report {
		fmt.Println(r.Number, r.Point, r.State, len(r.Violations), r.Checked)
	}
	// Output:
	// 1 Logic Failed 2 2
	// 4 RelationshipTypes Failed 1 1
	// 11 MissedTasks NotApplicable 0 0
}
