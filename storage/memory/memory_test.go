package memory_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

var engine = storagetest.Engine{New: func(testing.TB) storage.Store { return memory.New() }}

func TestConformance(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, engine)
}

func TestModel(t *testing.T) {
	t.Parallel()
	storagetest.RunModel(t, engine)
}

func TestReruns(t *testing.T) {
	t.Parallel()
	storagetest.RunReruns(t, engine)
}

// open hands the same store out twice; closing one of its handles leaves the other.
type open struct{ storage.Store }

func (open) Close() error { return nil }

func TestHandles(t *testing.T) {
	t.Parallel()
	storagetest.RunHandles(t, func(testing.TB) func() storage.Store {
		s := memory.New()
		return func() storage.Store { return open{s} }
	})
}
