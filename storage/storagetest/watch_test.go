package storagetest_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// hanging names, in the environment, the engine that TestHangingEngine runs.
const hanging = "STORAGETEST_HANGING"

// neverClosed lets its callers go on for ever once it is to be closed.
type neverClosed struct{ storage.Store }

func (neverClosed) Close() error { select {} }

// locking lets readers wait for the writer.
type locking struct {
	storage.Store
	mu *sync.RWMutex
}

func (l locking) View(ctx context.Context, fn func(storage.Reader) error) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.Store.View(ctx, fn)
}

func (l locking) Update(ctx context.Context, fn func(storage.Writer) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Store.Update(ctx, fn)
}

var hangingEngines = map[string]func() storage.Store{
	"neverClosed": func() storage.Store { return neverClosed{memory.New()} },
	"locking":     func() storage.Store { return locking{memory.New(), new(sync.RWMutex)} },
}

// TestHangingEngine is not a test: TestRunNamesThePromiseThatHangs starts it in a
// process of its own, where it may fail.
func TestHangingEngine(t *testing.T) {
	t.Parallel()
	engine, ok := hangingEngines[os.Getenv(hanging)]
	if !ok {
		t.Skip("started by TestRunNamesThePromiseThatHangs alone")
	}
	storagetest.Run(t, storagetest.Engine{
		New:      func(testing.TB) storage.Store { return engine() },
		Patience: 200 * time.Millisecond,
	})
}

func TestRunNamesThePromiseThatHangs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, promise, text string }{
		{"neverClosed", "CloseWaitsForCalls", "Close waits for the calls under way, which finish undisturbed."},
		{"locking", "NobodySeesAnUnfinishedUpdate", "readers do not wait for it."},
		{"locking", "ViewIsOneState", "View sees one committed state from beginning to end."},
	} {
		t.Run(c.engine+c.promise, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			run := exec.CommandContext(ctx, os.Args[0], "-test.v", "-test.run=^TestHangingEngine$/^"+c.promise+"$")
			run.Env = append(os.Environ(), hanging+"="+c.engine)
			out, err := run.CombinedOutput()
			for _, want := range []string{"--- FAIL: TestHangingEngine/" + c.promise, "hangs: ", "broken promise: ", c.text} {
				if !strings.Contains(string(out), want) {
					t.Errorf("it ends with %v and does not say %q:\n%s", err, want, out)
				}
			}
		})
	}
}
