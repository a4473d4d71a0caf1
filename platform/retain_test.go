package platform_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// What is deleted is remembered as long as the retention says, and no longer.
func TestDeletionsAndOperationsAreRememberedForTheRetention(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		retain       time.Duration
		still, later time.Duration // after the deletion
		forgets      bool
	}{
		"two seconds": {2 * time.Second, 2 * time.Second, 3 * time.Second, true},
		"by default":  {0, twinplatform.DefaultRetain, twinplatform.DefaultRetain + 2*time.Hour, true},
		"for ever":    {-1, twinplatform.DefaultRetain, 20 * twinplatform.DefaultRetain, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				p := over(t, store, platform.Config{Env: twinplatform.Env{Retain: tt.retain}, Webhooks: webhooks.Config{Poll: 24 * time.Hour}})
				done := make(chan error)
				go func() { done <- p.Run(t.Context()) }()
				ctx := t.Context()
				twin := newTwin(ctx, t, p)
				plan := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: twin})).Value().ID
				made[twinplatform.Result[schedules.Task]](t)(p.Schedules.CreateTask(ctx, plan, schedules.NewTask{ID: "a", Name: "A", Type: schedules.Work}))
				page := made[twinplatform.Page[schedules.Task]](t)(p.Schedules.In(plan).Tasks(ctx, schedules.TaskQuery{}))
				began := time.Now()
				op := made[twinplatform.Result[schedules.Task]](t)(p.Schedules.In(plan).DeleteTasks(ctx, []string{"a"}))
				look := func(after time.Duration, forgotten bool) {
					t.Helper()
					time.Sleep(after - time.Since(began))
					synctest.Wait()
					_, err := p.Schedules.In(plan).Tasks(ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}})
					if again := err != nil && strings.Contains(twinplatform.AsError(err).Error()+detailsOf(err), "anew"); again != forgotten {
						t.Errorf("after %v the delta says %v", after, err)
					}
					_, err = p.Schedules.In(plan).Operation(ctx, op.ID)
					if gone := err != nil; gone != forgotten {
						t.Errorf("after %v the operation: %v", after, err)
					}
				}
				look(tt.still-time.Millisecond, false)
				look(tt.later, tt.forgets)
				if tt.forgets {
					err := store.View(ctx, func(r storage.Reader) error {
						for key := range r.Scan("zended/", "") {
							t.Errorf("%s is left in the queue", key)
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func detailsOf(err error) (text string) {
	for _, d := range twinplatform.AsError(err).Details {
		text += d.Message
	}
	return text
}
