package storage_test

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// counting is an engine over another one: it counts what is committed. An engine of
// one's own implements the same three methods.
type counting struct {
	storage.Store
	commits *atomic.Int64
}

// Update implements storage.Store.
func (c counting) Update(ctx context.Context, fn func(storage.Writer) error) error {
	err := c.Store.Update(ctx, fn)
	if err == nil {
		c.commits.Add(1)
	}
	return err
}

// An engine of one's own is what services are made over.
func ExampleStore() {
	ctx := context.Background()
	engine := counting{memory.New(), new(atomic.Int64)}
	svc := schedules.New(engine, schedules.Config{})
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(engine.commits.Load() > 0)

	// Whether it keeps its promises is what storagetest says, each by its name.
	testEngine := func(t *testing.T) {
		storagetest.Run(t, storagetest.Engine{New: func(testing.TB) storage.Store {
			return counting{memory.New(), new(atomic.Int64)}
		}})
	}
	// go test does this for a function TestEngine.
	fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestEngine", F: testEngine}}))
	// Output:
	// true
	// true
}
