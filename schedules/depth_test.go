package schedules_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A call that is followed by hand, from the method that a program calls to the function
// of the domain that works within the transaction, is short.
func TestAtMostFifteenFunctionsLeadToTheWork(t *testing.T) {
	t.Parallel()
	s := &depth{Store: memory.New()}
	p := newPlan(t, s, schedules.Config{})
	for _, call := range []struct {
		name string
		do   func() error
	}{
		{"CreateTask", func() error {
			_, err := p.in().CreateTask(p.ctx, schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work})
			return err
		}},
		{"Task", func() error {
			_, err := p.in().Task(p.ctx, "dig")
			return err
		}},
	} {
		s.deepest = nil
		if err := call.do(); err != nil {
			t.Fatal(err)
		}
		if n := len(s.deepest); n == 0 || n > 15 {
			t.Errorf("%s: %d functions, want 1 to 15:\n%s", call.name, n, strings.Join(s.deepest, "\n"))
		}
	}
}

// depth notes on which ways the calls of a service come to its store.
type depth struct {
	storage.Store
	deepest []string
}

func (s *depth) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.Store.View(ctx, func(r storage.Reader) error { return fn(depthReader{r, s}) })
}

func (s *depth) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error { return fn(depthWriter{w, s}) })
}

type depthReader struct {
	storage.Reader
	s *depth
}

func (r depthReader) Get(key string) ([]byte, error) {
	r.s.note()
	return r.Reader.Get(key)
}

type depthWriter struct {
	storage.Writer
	s *depth
}

func (w depthWriter) Put(key string, value []byte) error {
	w.s.note()
	return w.Writer.Put(key, value)
}

// note keeps the longest way from a service to what a domain does in a transaction:
// the functions of this module that are under way, the tests' own left out.
func (s *depth) note() {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var way []string
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		_, name, own := strings.Cut(f.Function, "/twinplatform/")
		if own && !strings.HasPrefix(name, "schedules_test.") {
			way = append(way, name)
		}
	}
	// Below the domain lies what writes any record.
	work := slices.IndexFunc(way, func(name string) bool { return strings.HasPrefix(name, "schedules.") })
	if way = way[max(work, 0):]; len(way) > len(s.deepest) {
		s.deepest = way
	}
}
