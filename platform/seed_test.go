package platform_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const tower = "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"

// The worlds that come with the example server.
const (
	j30File    = "../examples/server/testdata/world-j30.json"
	bridgeFile = "../examples/server/testdata/world-bridge.json"
)

var owner = platform.SeedOptions{Owner: twinplatform.Principal{ID: "11111111-1111-4111-8111-111111111111", AccountID: account, Kind: twinplatform.User}}

func worldFrom(t *testing.T, file string) *platform.World {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := platform.ReadWorld(f)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func seed(t *testing.T, p *platform.Platform, w *platform.World) {
	t.Helper()
	if err := p.Seed(t.Context(), w, owner); err != nil {
		t.Fatal(err)
	}
}

// towerWorld is a twin with one schedule.
func towerWorld(plan platform.Schedule) *platform.World {
	plan.ID, plan.Name, plan.TwinID = "s", "Plan", tower
	return &platform.World{Twins: []platform.Twin{{ID: tower}}, Schedules: []platform.Schedule{plan}}
}

func count(t *testing.T, svc *schedules.Service, scheduleID string) (tasks, links int) {
	t.Helper()
	top := schedules.MaxTop
	all := twinplatform.ListOptions{Top: top}
	taskPage, err := svc.In(scheduleID).Tasks(t.Context(), schedules.TaskQuery{ListOptions: all})
	if err != nil {
		t.Fatal(err)
	}
	linkPage, err := svc.In(scheduleID).TaskLinks(t.Context(), schedules.TaskLinkQuery{ListOptions: all})
	if err != nil {
		t.Fatal(err)
	}
	return taskPage.Len(), linkPage.Len()
}

func TestLargeSeedGoesInBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	// 2,500 tasks in chains of 50, each child long before its parent.
	var plan platform.Schedule
	for i := range 2500 {
		task := schedules.NewTask{ID: fmt.Sprintf("t%d", i), Name: "Task", Type: schedules.Work}
		if i%50 != 49 {
			task.ParentID = fmt.Sprintf("t%d", i+1)
		}
		plan.Tasks = append(plan.Tasks, task)
		if i >= 50 {
			plan.TaskLinks = append(plan.TaskLinks, schedules.TaskLinkSeed{NewTaskLink: schedules.NewTaskLink{
				PredecessorID: fmt.Sprintf("t%d", i-50), SuccessorID: task.ID, Type: schedules.FinishToStart,
			}})
		}
	}
	p := opened(t, platform.Config{})
	seed(t, p, towerWorld(plan))
	if tasks, links := count(t, p.Schedules, "s"); tasks != 2500 || links != 2450 {
		t.Errorf("the schedule has %d tasks and %d links, want 2500 and 2450", tasks, links)
	}
}

func TestInterruptedSeedIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	w := worldFrom(t, j30File)
	died := errors.New("died")
	finished := false
	for n := 0; !finished; n += testsize.Of(1, 4) {
		store := memory.New()
		mortal := storetest.Over(store)
		mortal.FailAfter(n, died)
		first, err := platform.New(mortal, platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		err = first.Seed(t.Context(), w, owner)
		if finished = err == nil; !finished && twinplatform.Cause(err) == nil {
			t.Fatalf("after %d writes: %v", n, err)
		}
		second := over(t, store, platform.Config{})
		if err := second.Seed(t.Context(), w, owner); err != nil {
			t.Fatalf("after %d writes: %v", n, err)
		}
		if tasks, links := count(t, second.Schedules, w.Schedules[0].ID); tasks != 64 || links != 96 {
			t.Fatalf("after %d writes the schedule has %d tasks and %d links", n, tasks, links)
		}
	}
}

func TestSeedIsAppliedOnceAndLeavesUsersTheirOwn(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{})
	w := worldFrom(t, bridgeFile)
	seed(t, p, w)
	if err := p.Forms.DeleteForm(t.Context(), "rfi-access"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Schedules.In("nb-plan").DeleteTasks(t.Context(), []string{"dig"}); err != nil {
		t.Fatal(err)
	}
	before := exported(t, p)
	seed(t, p, w)
	if diff := cmp.Diff(before, exported(t, p)); diff != "" {
		t.Errorf("the second seeding changed (-before +after):\n%s", diff)
	}
}

func TestScheduleOfTheUsersIsNotSeededOver(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{})
	w := towerWorld(platform.Schedule{})
	seed(t, p, &platform.World{Twins: w.Twins})
	if _, err := p.Schedules.CreateSchedule(as(t, "ada", "Account Administrator"), w.Schedules[0].NewSchedule); err != nil {
		t.Fatal(err)
	}
	err := p.Seed(t.Context(), w, owner)
	if err == nil || !strings.Contains(err.Error(), "does not come from a seed") {
		t.Errorf("Seed returns %v", err)
	}
}

// Whatever is wrong with a world, and however late in it, nothing of it is made.
func TestSeedThatIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p := over(t, store, platform.Config{})
	seed(t, p, &platform.World{Twins: []platform.Twin{{ID: "c0000000-0000-4000-8000-000000000001"}}})
	before := contents(t, store)
	for name, spoil := range map[string]func(*platform.World){
		"a link to nowhere": func(w *platform.World) { w.Schedules[0].TaskLinks[0].SuccessorID = "nowhere" },
		"a task below itself": func(w *platform.World) {
			w.Schedules[0].Tasks[1].ParentID = w.Schedules[0].Tasks[0].ID
			w.Schedules[0].Tasks[0].ParentID = w.Schedules[0].Tasks[1].ID
		},
		"a schedule of no twin":          func(w *platform.World) { w.Schedules[0].TwinID = "c0000000-0000-4000-8000-000000000009" },
		"a member without its role":      func(w *platform.World) { w.Members[0].Roles = []string{"Pilot"} },
		"a form in an unknown status":    func(w *platform.World) { w.Forms[0].Status = twinplatform.Set("Eaten") },
		"a form of no definition":        func(w *platform.World) { w.FormDefinitions = nil },
		"an id twice":                    func(w *platform.World) { w.Schedules = append(w.Schedules, w.Schedules[0]) },
		"a state that there is not":      func(w *platform.World) { w.Schedules[0].State = "Sleeping" },
		"a part of no element":           func(w *platform.World) { w.Models[0].Changesets[1].Inserted[0].ParentID = "nowhere" },
		"an element that was there":      func(w *platform.World) { w.Models[0].Changesets[1].Inserted[0].ID = "pier-1" },
		"a version of no changeset":      func(w *platform.World) { w.Models[0].NamedVersions[0].ChangesetID = "none" },
		"a view of no changeset":         func(w *platform.World) { w.SavedViews[0].ChangesetID = twinplatform.Set("none") },
		"a member of a model in no role": func(w *platform.World) { w.Models[0].Members[0].Roles = []string{"Pilot"} },
		"a configuration of no model":    func(w *platform.World) { w.Configurations[0].TargetModelID = "none" },
		"a transformation that runs":     func(w *platform.World) { w.Configurations[0].Transformations[0].Status = "Started" },
		"a detector version out of form": func(w *platform.World) { w.Detectors[0].Versions[1].VersionNumber = "new" },
	} {
		w := worldFrom(t, bridgeFile)
		spoil(w)
		if err := p.Seed(t.Context(), w, owner); err == nil {
			t.Errorf("%s is taken", name)
		}
		if diff := cmp.Diff(before, contents(t, store)); diff != "" {
			t.Fatalf("%s: the store is not as before (-before +after):\n%s", name, diff)
		}
	}
	seed(t, p, worldFrom(t, bridgeFile))
}

// contents is everything in a store.
func contents(t *testing.T, store storage.Store) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := store.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			all[key] = string(value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWorldWithUnknownMembersIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"empty", ``, "empty"},
		{"of another type", `[]`, "at byte"},
		{"with an unknown list", `{"towers": []}`, `unknown field "towers"`},
		{"with an unknown member", `{"schedules": [{"id": "s", "twinId": "t", "taskss": []}]}`, `unknown field "taskss"`},
		{"with two values", `{"twins": [{"id": "t"}]} {}`, "more than one value"},
		{"cut off", `{"twins": [{"id": "t"}`, "at byte"},
		{"with an id twice", `{"twins": [{"id": "t"}, {"id": "T"}]}`, "is there twice"},
		{"without an id", `{"schedules": [{"name": "s"}]}`, "is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := platform.ReadWorld(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadWorld says %v, want %q in it", err, tt.want)
			}
		})
	}
}

func exported(t *testing.T, p *platform.Platform) string {
	t.Helper()
	w, err := p.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := w.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
