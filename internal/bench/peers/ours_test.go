//go:build peers

package peers_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// ours is this server over the memory engine, with its token, limit and permissions.
func ours(tb testing.TB) *peer {
	tb.Helper()
	me := twinplatform.Principal{
		ID: "me", AccountID: "cccccccc-cccc-4ccc-8ccc-cccccccccccc", Kind: twinplatform.User,
		AdministratorRoles: []string{twinplatform.AccountAdministrator}, Scopes: []string{twinplatform.ScopePlatform},
	}
	svc := schedules.New(memory.New(), schedules.Config{})
	ctx := twinplatform.WithPrincipal(tb.Context(), me)
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}); err != nil {
		tb.Fatal(err)
	}
	for from := 0; from < tasks; from += schedules.MaxBatch {
		var batch []schedules.NewTask
		for i := from; i < min(from+schedules.MaxBatch, tasks); i++ {
			batch = append(batch, planned(i))
		}
		if _, err := svc.In("s").CreateTasks(ctx, batch); err != nil {
			tb.Fatal(err)
		}
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{bearer: me}), Schedules: svc, Rate: 1 << 30,
	})
	if err != nil {
		tb.Fatal(err)
	}
	server := httptest.NewServer(h)
	tb.Cleanup(server.Close)
	return &peer{
		name: "ours", address: server.URL, get: "/schedules/s/tasks/" + planned(42).ID, create: "/schedules/s/tasks",
		page: "/schedules/s/tasks?$top=100", all: fmt.Sprint("/schedules/s/tasks?$top=", tasks),
	}
}

func planned(i int) schedules.NewTask {
	return schedules.NewTask{
		ID: fmt.Sprintf("task%011d", i), Name: "Pour the floor of the third storey", Type: schedules.Work, Comment: "C25/30",
		PlannedStart: twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)), PlannedDuration: new(schedules.Seconds(8 * time.Hour)),
	}
}

// records are the tasks as all servers hold them.
func records(tb testing.TB) []map[string]any {
	tb.Helper()
	svc := schedules.New(memory.New(), schedules.Config{})
	if _, err := svc.CreateSchedule(tb.Context(), schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}); err != nil {
		tb.Fatal(err)
	}
	made, err := svc.In("s").CreateTasks(tb.Context(), []schedules.NewTask{planned(0)})
	if err != nil {
		tb.Fatal(err)
	}
	out := make([]map[string]any, tasks)
	for i := range out {
		if err := json.Unmarshal(made.Records[0].JSON, &out[i]); err != nil {
			tb.Fatal(err)
		}
		out[i]["id"] = planned(i).ID
	}
	return out
}
