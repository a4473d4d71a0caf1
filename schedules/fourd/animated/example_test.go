package animated_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// A wall grows while its task is under way. The file is one that viewers of glTF play.
func Example() {
	draft := gltf.NewDraft()
	mesh := draft.AddBlock("wall", gltf.Box{Max: [3]float64{4, 3, 0.3}}, gltf.None)
	draft.Show(draft.AddNode(gltf.NewNode{Name: "wall", TRS: gltf.Rest, Mesh: mesh}))
	var made, built bytes.Buffer
	if err := draft.Write(&made); err != nil {
		log.Fatal(err)
	}
	model, err := gltf.Read(&made, gltf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	entity := func(node int) string { return model.Nodes[node].Name }
	start := worktime.Date(2026, time.May, 4, 8, 0, 0)
	timeline, err := fourd.New(&fourd.Site{
		Tasks:    []fourd.Task{{ID: "A100", Planned: fourd.Span{Start: start, Finish: start + 5*worktime.Day}}},
		Bindings: []fourd.Binding{{ID: "1", EntityID: "wall", TaskID: "A100", ProfileID: "build"}},
		Profiles: []fourd.Profile{{
			ID: "build", Action: fourd.Install,
			Active: &fourd.ActiveLook{Color: "#3fae5a", Growth: &fourd.GrowthRule{Mode: fourd.BottomTop}},
		}},
		Box: animated.Boxes(model, entity),
	})
	if err != nil {
		log.Fatal(err)
	}
	report, err := animated.Write(context.Background(), &built, model, timeline, animated.Options{Entity: entity, Day: time.Second})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d node from %v to %v in %v\n", report.Nodes, report.From, report.To, report.Played)
	_, err = animated.Write(context.Background(), &built, model, timeline, animated.Options{Entity: entity, Day: 24 * time.Hour})
	fmt.Println(err)
	// Output:
	// 1 node from 2026-05-04T08:00:00 to 2026-05-09T08:00:00 in 5s
	// animated: the options are wrong: the 5 days from 2026-05-04T08:00:00 to 2026-05-09T08:00:00 would take 432000 s to play, and at most 86400; let a day take less
}
