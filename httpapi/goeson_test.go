package httpapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestWorkWhoseStoreIsLostBehindItsFirstStepIsAnsweredAsAccepted deletes more tasks than a step
// takes. A client that is answered that nothing was done sends the request again.
func TestWorkWhoseStoreIsLostBehindItsFirstStepIsAnsweredAsAccepted(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	svc := schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	ctx := twinplatform.WithPrincipal(t.Context(), root)
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}); err != nil {
		t.Fatal(err)
	}
	tasks := make([]schedules.NewTask, 1_000)
	for part := range 4 {
		for i := range tasks {
			tasks[i] = schedules.NewTask{ID: fmt.Sprint(part, "-", i), Name: "Dig", Type: schedules.Work}
		}
		if _, err := svc.In("plan").CreateTasks(ctx, tasks); err != nil {
			t.Fatal(err)
		}
	}
	h, err := httpapi.New(httpapi.Config{Schedules: svc, Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": root})})
	if err != nil {
		t.Fatal(err)
	}
	store.FailAfter(2, fmt.Errorf("network: %w", storage.ErrUnavailable))
	w := ask(h, "POST", "/schedules/plan/clone", `{"id":"copy","name":"Copy"}`, "Authorization: Bearer root")
	at := w.Header().Get("Operation-Location")
	if w.Code != 202 || at == "" {
		t.Fatalf("answered with %d %s", w.Code, w.Body)
	}
	store.Rest()
	run, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- svc.Run(run) }()
	op, err := svc.In(strings.Split(at, "/")[4]).Wait(ctx, w.Header().Get("Operation-Id"))
	if err != nil || op.Status != twinplatform.OperationSucceeded {
		t.Errorf("it ended with %+v, %v", op, err)
	}
	cancel()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// A client that is refused since the store cannot be reached learns when to come again.
func TestLostStoreAnswersWithRetryAfter(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	svc := schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	h, err := httpapi.New(httpapi.Config{Schedules: svc, Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": root})})
	if err != nil {
		t.Fatal(err)
	}
	store.FailAfter(0, fmt.Errorf("network: %w", storage.ErrUnavailable))
	w := ask(h, "POST", "/schedules", `{"id":"plan","name":"Plan","twinId":"tower"}`, "Authorization: Bearer root")
	if after := w.Header().Get("Retry-After"); w.Code != 503 || !strings.Contains(w.Body.String(), "StoreUnavailable") || after != "1" {
		t.Errorf("answered with %d %s and Retry-After %q", w.Code, w.Body, after)
	}
}
