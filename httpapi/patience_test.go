package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestImportThatTakesLongIsAnsweredWithItsOperationInSeconds imports and exports a plan over
// a store every write to which takes three seconds, in the default mode.
func TestImportThatTakesLongIsAnsweredWithItsOperationInSeconds(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../schedules/planner/testdata/mspdi-mp_j30_a2_nr1.xml")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Alone(memory.New())
		svc := schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
		root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
		ctx := twinplatform.WithPrincipal(t.Context(), root)
		if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}); err != nil {
			t.Fatal(err)
		}
		kept := files.In(svc.In("plan"))
		file, err := kept.CreateFile(ctx, files.NewFile{Length: int64(len(content))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kept.AppendFile(ctx, file.Value.ID, 0, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		h, err := httpapi.New(httpapi.Config{Schedules: svc, Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": root})})
		if err != nil {
			t.Fatal(err)
		}
		run, cancel := context.WithCancel(t.Context())
		stopped := make(chan error)
		go func() { stopped <- svc.Run(run) }()
		store.Before(func() error {
			time.Sleep(3 * time.Second)
			return nil
		})
		for path, body := range map[string]string{"imports": `{"fileId":"` + file.Value.ID + `"}`, "exports": `{"format":"MSPDI"}`} {
			began := time.Now()
			w := ask(h, http.MethodPost, "/schedules/plan/"+path+"/planner", body, "Authorization: Bearer root")
			id := w.Header().Get("Operation-Id")
			if took := time.Since(began); w.Code != 202 || id == "" || took != 5*time.Second {
				t.Fatalf("%s: after %s answered with %d %s", path, took, w.Code, w.Body)
			}
			if at, want := w.Header().Get("Operation-Location"), fmt.Sprintf("http://example.com/schedules/plan/operations/%s", id); at != want {
				t.Errorf("%s: the operation is at %s, want %s", path, at, want)
			}
			if op, err := svc.In("plan").Wait(ctx, id); err != nil || op.Status != twinplatform.OperationSucceeded {
				t.Errorf("%s: it ended with %+v, %v", path, op, err)
			}
		}
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}

// TestChangesOfAnAutomaticPlanAreAnsweredWhileItIsRescheduled changes a task over a store every
// write to which takes a second, and changes another task while the first is followed.
func TestChangesOfAnAutomaticPlanAreAnsweredWhileItIsRescheduled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Alone(memory.New())
		svc := schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
		root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
		ctx := twinplatform.WithPrincipal(t.Context(), root)
		if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}); err != nil {
			t.Fatal(err)
		}
		plan, day := svc.In("plan"), int32(86_400)
		begin := twinplatform.At(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC))
		for _, id := range []string{"dig", "pour"} {
			if _, err := svc.CreateTask(ctx, "plan", schedules.NewTask{ID: id, Name: id, Type: schedules.Work, PlannedStart: begin, PlannedDuration: &day}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := plan.CreateTaskLinks(ctx, []schedules.NewTaskLink{{PredecessorID: "dig", SuccessorID: "pour", Type: schedules.FinishToStart}}); err != nil {
			t.Fatal(err)
		}
		if _, err := plan.UpdateProjectScheduling(ctx, schedules.ProjectSchedulingPatch{IsAutomatic: twinplatform.Set(true)}); err != nil {
			t.Fatal(err)
		}
		h, err := httpapi.New(httpapi.Config{Schedules: svc, Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": root})})
		if err != nil {
			t.Fatal(err)
		}
		run, cancel := context.WithCancel(t.Context())
		stopped := make(chan error)
		go func() { stopped <- svc.Run(run) }()
		store.Before(func() error {
			time.Sleep(time.Second)
			return nil
		})
		var operations []string
		for _, task := range []string{"dig", "pour"} {
			began := time.Now()
			w := ask(h, http.MethodPatch, "/schedules/plan/tasks/"+task, `{"plannedDuration":172800}`, "Authorization: Bearer root")
			if took := time.Since(began); w.Code != http.StatusAccepted || took > 3*time.Second {
				t.Fatalf("%s: after %s answered with %d %s", task, took, w.Code, w.Body)
			}
			operations = append(operations, w.Header().Get("Operation-Id"))
		}
		if operations[0] == "" || operations[0] != operations[1] {
			t.Errorf("two changes are followed by %v, want one operation", operations)
		}
		if op, err := plan.Wait(ctx, operations[0]); err != nil || op.Status != twinplatform.OperationSucceeded {
			t.Errorf("it ended with %+v, %v", op, err)
		}
		task, err := plan.Task(ctx, "pour")
		// Six days of work, from a Monday on.
		if want := twinplatform.At(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)); err != nil || !task.Value.PlannedStart.Equal(want.Time) {
			t.Errorf("the next task begins at %s, want %s (%v)", task.Value.PlannedStart, want, err)
		}
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}
