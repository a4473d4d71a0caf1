package platform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// A report in an order that no list has: what is planned, by its beginning; and
// the twins near a place.
func ExampleSnapshotRecords() {
	ctx := context.Background()
	store := memory.New()
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	planned(ctx, p)

	db, err := buntdb.Snapshot(ctx, store, buntdb.SnapshotOptions{Record: platform.SnapshotRecords("tasks", "twins")})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	if err := db.CreateIndex("start", "tasks/*", tidwall.IndexJSON("plannedStart")); err != nil {
		log.Fatal(err)
	}
	if err := db.CreateSpatialIndex("place", "twins/*", place); err != nil {
		log.Fatal(err)
	}
	err = db.View(func(tx *tidwall.Tx) error {
		err := tx.Ascend("start", func(_, wire string) bool {
			var task schedules.Task
			err := json.Unmarshal([]byte(wire), &task)
			fmt.Println(task.PlannedStart.Format(time.DateOnly), task.Name)
			return err == nil
		})
		if err != nil {
			return err
		}
		const town = `{"latitude": 60, "longitude": 24}`
		return tx.Nearby("place", town, func(_, wire string, _ float64) bool {
			var twin twins.Twin
			err := json.Unmarshal([]byte(wire), &twin)
			fmt.Println(twin.DisplayName)
			return err == nil
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2026-03-02 Dig
	// 2026-03-09 Pour
	// 2026-04-01 Paint
	// Tower
	// Bridge
}

// place is where a twin lies, for a spatial index; one without a place is in none.
func place(wire string) (from, to []float64) {
	var twin twins.Twin
	if json.Unmarshal([]byte(wire), &twin) != nil || twin.Latitude == nil || twin.Longitude == nil {
		return nil, nil
	}
	at := []float64{*twin.Longitude, *twin.Latitude}
	return at, at
}

// planned makes twins and the tasks of two schedules.
func planned(ctx context.Context, p *platform.Platform) {
	day := func(month time.Month, day int) twinplatform.DateTime {
		return twinplatform.At(time.Date(2026, month, day, 8, 0, 0, 0, time.UTC))
	}
	for _, twin := range []twins.NewTwin{
		{ID: bridgeTwin, DisplayName: "Bridge", Latitude: new(61.5), Longitude: new(23.75)},
		{ID: towerTwin, DisplayName: "Tower", Latitude: new(60.2), Longitude: new(24.9)},
		{ID: ideaTwin, DisplayName: "Idea"}, // is nowhere yet
	} {
		twin.Class = twins.Endeavor
		if _, err := p.Twins.CreateTwin(ctx, twin); err != nil {
			log.Fatal(err)
		}
	}
	for id, tasks := range map[string][]schedules.NewTask{
		bridgeTwin: {{ID: "paint", Name: "Paint", PlannedStart: day(4, 1)}, {ID: "dig", Name: "Dig", PlannedStart: day(3, 2)}},
		towerTwin:  {{ID: "pour", Name: "Pour", PlannedStart: day(3, 9)}},
	} {
		if _, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: id, Name: "Plan", TwinID: id}); err != nil {
			log.Fatal(err)
		}
		for i := range tasks {
			tasks[i].Type, tasks[i].PlannedDuration = schedules.Work, new(int32(3600))
		}
		if _, err := p.Schedules.In(id).CreateTasks(ctx, tasks); err != nil {
			log.Fatal(err)
		}
	}
}

const (
	bridgeTwin = "b1b1b1b1-b1b1-4b1b-8b1b-b1b1b1b1b1b1"
	towerTwin  = "70707070-7070-4070-8070-707070707070"
	ideaTwin   = "1dea1dea-1dea-41de-81de-1dea1dea1dea"
)

// What is deleted is in no snapshot, nor what it was not asked for.
func TestSnapshotHoldsTheRecordsThatItWasAskedFor(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p := over(t, store, platform.Config{})
	planned(t.Context(), p)
	made[twinplatform.Result[schedules.Task]](t)(p.Schedules.In(towerTwin).DeleteTasks(t.Context(), []string{"pour"}))
	db, err := buntdb.Snapshot(t.Context(), store, buntdb.SnapshotOptions{Record: platform.SnapshotRecords("tasks", "twins")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	want := map[string]any{}
	for _, id := range []string{bridgeTwin, towerTwin} {
		page := made[twinplatform.Page[schedules.Task]](t)(p.Schedules.In(id).Tasks(t.Context(), schedules.TaskQuery{}))
		for _, wire := range page.JSON() {
			want[string(wire)] = true
		}
	}
	got := map[string]any{}
	err = db.View(func(tx *tidwall.Tx) error {
		return tx.Ascend("", func(key, wire string) bool {
			if !strings.HasPrefix(key, "twins/") {
				got[wire] = true
			}
			return true
		})
	})
	if diff := cmp.Diff(want, got); err != nil || len(want) != 2 || diff != "" {
		t.Errorf("%v (-listed +snapshot):\n%s", err, diff)
	}
}
