package fourd_test

import (
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// A wall is poured within ten days, from the bottom to the top.
func ExampleTimeline_At() {
	day := func(n int) worktime.Time { return worktime.Date(2026, time.May, n, 8, 0, 0) }
	timeline, err := fourd.New(&fourd.Site{
		Tasks:    []fourd.Task{{ID: "pour", Planned: fourd.Span{Start: day(4), Finish: day(14)}}},
		Bindings: []fourd.Binding{{ID: "1", EntityID: "wall", TaskID: "pour", ProfileID: "install"}},
		Profiles: []fourd.Profile{{
			ID: "install", Action: fourd.Install,
			Active: &fourd.ActiveLook{Color: "#00ff00", Growth: &fourd.GrowthRule{Mode: fourd.BottomTop}},
		}},
		Box: func(string) (fourd.Box, bool) { return fourd.Box{Max: fourd.Vector{X: 8, Y: 1, Z: 4}}, true },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range []int{1, 9, 20} {
		for entity, s := range timeline.At(day(n)) {
			fmt.Println(entity, s.Present, s.Color, s.Growth.Share, s.Growth.Plane.Offset, s.Why.Phase)
		}
	}
	// Output:
	// wall false  0 0 Before
	// wall true #00ff00 0.5 2 During
	// wall true  0 0 After
}
