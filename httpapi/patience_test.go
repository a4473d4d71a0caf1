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
	"github.com/seed-933f9a09/twinplatform/schedules/files"
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
		svc := schedules.New(store, schedules.Config{Twins: worldTwins})
		root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []string{twinplatform.AccountAdministrator}}
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
