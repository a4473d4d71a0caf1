package platform_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// The areas know of each other: a twin that holds something stays.
func Example() {
	ctx := context.Background()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	tower, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
	if err != nil {
		log.Fatal(err)
	}
	id := tower.Value().ID
	if _, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: id}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Twins.DeleteTwin(ctx, id))
	_, err = p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: "no such twin"})
	fmt.Println(err)
	// Output:
	// TwinNotEmpty: The twin is not empty. What it holds must be deleted or moved first.: TwinInUse (schedules) The twin has schedules.
	// InvalidSchedulesRequest: The request is invalid.: InvalidValue (twinId) The twin is not available: there is none with this id, or the caller may not see it. It takes 'schedules_modify' there.
}

// A mistake in the configuration is reported when the platform is made.
func ExampleNew_refused() {
	_, err := platform.New(memory.New(), platform.Config{Schedules: schedules.Config{Twins: noTwins{}}})
	fmt.Println(err)
	// Output: platform: Config.Schedules.Twins is the platform's to set
}

type noTwins struct{}

func (noTwins) TwinAccount(context.Context, string) (string, bool, error) { return "", false, nil }

// A world is put into a platform as a whole, and written out again.
func ExamplePlatform_Seed() {
	ctx := context.Background()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	world, err := platform.ReadWorld(strings.NewReader(`{"twins": [
		{"id": "b0000000-0000-4000-8000-000000000001", "class": "Account", "displayName": "River Works"},
		{"id": "b0000000-0000-4000-8000-000000000010", "class": "Thing", "displayName": "Bridge", "number": "NB-1", "twinAccountId": "b0000000-0000-4000-8000-000000000001"}
	]}`))
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Seed(ctx, world, platform.SeedOptions{}); err != nil {
		log.Fatal(err)
	}
	kept, err := p.Export(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, twin := range kept.Twins { // kept.Write writes a seed of it
		fmt.Println(twin.DisplayName, twin.Number)
	}
	// Output:
	// River Works b0000000-0000-4000-8000-000000000001
	// Bridge NB-1
}
