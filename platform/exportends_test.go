package platform_test

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Accounts may have any id; only twins with a GUID have forms.
func TestExportOfAnAccountWhoseIDIsNoGUIDIsSeeded(t *testing.T) {
	t.Parallel()
	store := memory.New()
	first := over(t, store, platform.Config{})
	w := towerWorld(platform.Schedule{})
	w.Twins[0].TwinAccountID = twinplatform.Set("acme")
	seed(t, first, w)
	sameAfterSeeding(t, "acme", store, first)
}

// An administrator of the account adds versions to the detectors of others.
func TestExportOfADetectorWithVersionsOfOthersIsSeeded(t *testing.T) {
	t.Parallel()
	store := memory.New()
	first := over(t, store, platform.Config{})
	seed(t, first, towerWorld(platform.Schedule{}))
	who := func(id string, roles ...twinplatform.AdministratorRole) context.Context {
		return twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: id, AccountID: account, Kind: twinplatform.User, AdministratorRoles: roles})
	}
	name := "@acme/rust"
	if _, err := first.RealityData.CreateDetector(who("ann"), realitydata.NewDetector{Name: name, Type: "PhotoSegmentationDetector"}); err != nil {
		t.Fatal(err)
	}
	for by, ctx := range map[string]context.Context{"1.0": who("ann"), "2.0": who("bob", twinplatform.AccountAdministrator)} {
		n := realitydata.NewDetectorVersion{
			VersionNumber: by, Capabilities: realitydata.Capabilities{Exports: []realitydata.DetectorExport{"Lines"}, Labels: []string{"rust"}},
		}
		if _, _, err := first.RealityData.CreateDetectorVersion(ctx, name, n); err != nil {
			t.Fatal(err)
		}
	}
	sameAfterSeeding(t, "versions of two people", store, first)
}

// What was cleared is null, also within parts, which no new form can say.
func TestExportOfAFormWithClearedPartsIsSeeded(t *testing.T) {
	t.Parallel()
	store := memory.New()
	first := over(t, store, platform.Config{})
	seed(t, first, towerWorld(platform.Schedule{}))
	definition := made[twinplatform.Result[forms.FormDefinition]](t)(first.Forms.CreateFormDefinition(t.Context(), forms.NewFormDefinition{
		TwinID: tower, DisplayName: "Defect", Type: "Defect", Status: forms.Approved,
	}))
	for _, parts := range []forms.FormFields{
		{Location: twinplatform.Set(forms.Location{Elevation: twinplatform.Null[float64]()})},
		{Location: twinplatform.Null[forms.Location](), BoundingBox: twinplatform.Null[forms.BoundingBox](), ModelPin: twinplatform.Null[forms.ModelPin](), ModelView: twinplatform.Null[forms.ModelView]()},
	} {
		point := twinplatform.Set(forms.Point3D{X: 1})
		n := forms.NewForm{FormID: definition.Value().ID, FormFields: forms.FormFields{
			Location: twinplatform.Set(forms.Location{
				Description: twinplatform.Set("yard"), Elevation: twinplatform.Set(12.5), Latitude: twinplatform.Set(60.0), Longitude: twinplatform.Set(24.0),
			}),
			BoundingBox: twinplatform.Set(forms.BoundingBox{LowerLeftPoint3D: point, UpperRightPoint3D: point}),
			ModelPin:    twinplatform.Set(forms.ModelPin{Description: twinplatform.Set("here"), Location: point}),
			ModelView: twinplatform.Set(forms.ModelView{
				CameraView: twinplatform.Set(forms.CameraView{Direction: point, Up: point, ViewPoint: point}), ModelJsView: twinplatform.Set("view"),
			}),
		}}
		form := made[twinplatform.Result[forms.Form]](t)(first.Forms.CreateForm(t.Context(), n))
		if _, err := first.Forms.UpdateForm(t.Context(), form.Value().ID, forms.FormPatch{FormFields: parts}); err != nil {
			t.Fatal(err)
		}
	}
	sameAfterSeeding(t, "cleared parts", store, first)
}

// A change of calendars moves a finish behind the last date that there is to that date.
func TestExportOfTasksThatEndWithTimeIsSeeded(t *testing.T) {
	t.Parallel()
	store := memory.New()
	first := over(t, store, platform.Config{})
	seed(t, first, towerWorld(platform.Schedule{}))
	plan := first.Schedules.In("s")
	seconds := int32(math.MaxInt32)
	_, err := plan.CreateTask(t.Context(), schedules.NewTask{
		ID: "long", Name: "Long", Type: schedules.Work, PlannedStart: twinplatform.At(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)), PlannedDuration: &seconds,
	})
	if err != nil {
		t.Fatal(err)
	}
	block := schedules.TimeBlock{StartTime: "08:00", EndTime: "08:01"}
	_, err = plan.CreateCalendar(t.Context(), schedules.NewCalendar{
		ID: "minute", Name: "Minute", DayTypes: []schedules.DayType{{ID: "work", Type: schedules.NormalDay, TimeBlocks: []schedules.TimeBlock{block}}},
		Week: schedules.CalendarWeek{MondayDayTypeID: "work"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.UpdateProjectScheduling(t.Context(), schedules.ProjectSchedulingPatch{CalendarID: twinplatform.Set("minute")}); err != nil {
		t.Fatal(err)
	}
	rec := made[twinplatform.Record[schedules.Task]](t)(plan.Task(t.Context(), "long"))
	if rec.Value.PlannedFinish.Year() != 9999 {
		t.Fatalf("the task finishes %v", rec.Value.PlannedFinish)
	}
	if _, err := plan.UpdateTask(t.Context(), "long", schedules.TaskPatch{PlannedFinish: twinplatform.Set(rec.Value.PlannedFinish), Name: twinplatform.Set("Longest")}); err != nil {
		t.Errorf("its name cannot be changed: %v", err)
	}
	sameAfterSeeding(t, "the end of time", store, first)
}

func TestExportOfAnAnimatedV65ScheduleIsSeeded(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../httpapi/httpapitest/testdata/animated.json")
	if err != nil {
		t.Fatal(err)
	}
	w, err := platform.ReadWorld(strings.NewReader(strings.Replace(string(raw), `"id": "tower", "name"`, `"id": "tower", "type": "v6.5", "name"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	store := memory.New()
	first := over(t, store, platform.Config{})
	if err := first.Seed(t.Context(), w, platform.SeedOptions{}); err != nil {
		t.Fatal(err)
	}
	sameAfterSeeding(t, "the animated schedule", store, first)
	if len(w.Schedules[0].Keyframes) == 0 || w.Schedules[0].Type != schedules.V65 {
		t.Errorf("the world has %d keyframes of a %s schedule", len(w.Schedules[0].Keyframes), w.Schedules[0].Type)
	}
}
