//go:build peers

package peers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// ours is this server over the memory engine, with its token, limit and permissions.
func ours(tb testing.TB) *peer {
	tb.Helper()
	p := started(tb, "here")
	p.get, p.create = "/schedules/s/tasks/"+planned(42).ID, "/schedules/s/tasks"
	p.page, p.all = "/schedules/s/tasks?$top=100", fmt.Sprint("/schedules/s/tasks?$top=", tasks)
	return p
}

func hereServes(tb testing.TB) http.Handler {
	tb.Helper()
	me := twinplatform.Principal{
		ID: "me", AccountID: "cccccccc-cccc-4ccc-8ccc-cccccccccccc", Kind: twinplatform.User,
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}, Scopes: []string{twinplatform.ScopePlatform},
	}
	svc := schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, exchange.Feature)
	ctx := twinplatform.WithPrincipal(tb.Context(), me)
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}); err != nil {
		tb.Fatal(err)
	}
	for from := 0; from < tasks; from += schedules.MaxBatch {
		if _, err := svc.In("s").CreateTasks(ctx, batch(from)); err != nil {
			tb.Fatal(err)
		}
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{bearer: me}), Schedules: svc, Rate: 1 << 30,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func planned(i int) schedules.NewTask {
	return schedules.NewTask{
		ID: fmt.Sprintf("task%011d", i), Name: fmt.Sprintf("Schalung Träger %d, Achse Ω", i), Type: schedules.Work, Comment: fmt.Sprintf("C%d/30", 25+i%10),
		PlannedStart:    twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute)),
		PlannedDuration: new(schedules.Seconds(time.Duration(1+i%40) * time.Hour)),
	}
}

// records are the tasks as all servers hold them.
func records(tb testing.TB) []map[string]any {
	tb.Helper()
	svc := schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, exchange.Feature)
	_, err := svc.CreateSchedule(tb.Context(), schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"})
	must(tb, err)
	out := make([]map[string]any, 0, tasks)
	for from := 0; from < tasks; from += schedules.MaxBatch {
		made, err := svc.In("s").CreateTasks(tb.Context(), batch(from))
		must(tb, err)
		for _, rec := range made.Records {
			var task map[string]any
			must(tb, json.Unmarshal(rec.JSON, &task))
			out = append(out, task)
		}
	}
	return out
}

// batch are the tasks from one on.
func batch(from int) (all []schedules.NewTask) {
	for i := from; i < min(from+schedules.MaxBatch, tasks); i++ {
		all = append(all, planned(i))
	}
	return all
}
