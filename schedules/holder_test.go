package schedules_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestShowsWhetherATwinHasSchedules(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	svc := newService(store, schedules.Config{})
	want := func(twinID, what string) {
		t.Helper()
		if got, err := svc.HoldsOf(t.Context(), twinID); got != what || err != nil {
			t.Errorf("HoldsOf(%s) is %q, %v; want %q", twinID, got, err, what)
		}
	}
	want("tower", "")
	made, err := svc.CreateSchedule(t.Context(), schedules.NewSchedule{Name: "Shell", TwinID: "tower"})
	if err != nil {
		t.Fatal(err)
	}
	want("tower", "schedules")
	want("bridge", "")
	if err := svc.DeleteSchedule(t.Context(), made.Value().ID); err != nil {
		t.Fatal(err)
	}
	want("tower", "")
}
