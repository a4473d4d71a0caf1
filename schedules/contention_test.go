package schedules_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// hinted records the contention keys of Updates.
type hinted struct {
	storage.Store
	mu   sync.Mutex
	keys []string
}

func (s *hinted) Update(ctx context.Context, fn func(storage.Writer) error) error {
	s.mu.Lock()
	s.keys = append(s.keys, storage.Contention(ctx))
	s.mu.Unlock()
	return s.Store.Update(ctx, fn)
}

func TestChangesOfOneScheduleContend(t *testing.T) {
	t.Parallel()
	store := &hinted{Store: memory.New()}
	svc := newService(store, schedules.Config{})
	for _, id := range []string{"one", "other"} {
		if _, err := svc.CreateSchedule(t.Context(), schedules.NewSchedule{ID: id, Name: id, TwinID: "twin", Elapsed: true}); err != nil {
			t.Fatal(err)
		}
	}
	store.keys = nil
	for _, id := range []string{"one", "other", "one"} {
		if _, err := svc.CreateTask(t.Context(), id, schedules.NewTask{Name: "Dig", Type: schedules.Work}); err != nil {
			t.Fatal(err)
		}
	}
	keys := slices.Compact(store.keys)
	if len(keys) != 3 || keys[0] != keys[2] || keys[0] == keys[1] || slices.Contains(keys, "") {
		t.Errorf("changes of one, the other and the first schedule contend by %q", keys)
	}
}
