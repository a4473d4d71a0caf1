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

// neverClosed lets its callers continue forever once it is to be closed.
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

// writing changes the disk with each update.
type writing struct {
	storage.Store
	disk *storagetest.Disk
}

func (w writing) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if _, err := w.disk.Create("/file"); err != nil {
		return err
	}
	return w.Store.Update(ctx, fn)
}

// stuck opens on an empty disk alone.
func stuck(disk *storagetest.Disk) (storage.Store, error) {
	if len(disk.Files()) > 0 {
		select {}
	}
	return writing{memory.New(), disk}, nil
}

var hangingEngines = map[string]storagetest.Engine{
	"neverClosed": {
		New:    func(testing.TB) storage.Store { return neverClosed{memory.New()} },
		OpenOn: func(*storagetest.Disk) (storage.Store, error) { return neverClosed{memory.New()}, nil },
	},
	"locking": {New: func(testing.TB) storage.Store { return locking{memory.New(), new(sync.RWMutex)} }},
	"stuck":   {OpenOn: stuck},
}

// TestHangingEngine is not a test: TestWhatHangsIsNamed starts it in a separate process,
// where it may fail.
func TestHangingEngine(t *testing.T) {
	t.Parallel()
	engine, ok := hangingEngines[os.Getenv(hanging)]
	if !ok {
		t.Skip("started by TestWhatHangsIsNamed alone")
	}
	engine.Patience = 3 * time.Second // far beyond what a busy machine lets a call wait
	for name, suite := range map[string]func(*testing.T, storagetest.Engine){
		"Run": storagetest.Run, "RunModel": storagetest.RunModel, "RunCrash": storagetest.RunCrash,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, engine)
		})
	}
}

func TestWhatHangsIsNamed(t *testing.T) {
	t.Parallel()
	const promise = "broken promise: "
	for _, c := range []struct{ engine, test, text string }{
		{"neverClosed", "Run/CloseWaitsForCalls", promise + "Close waits for the calls under way, which finish undisturbed."},
		{"locking", "Run/NobodySeesAnUnfinishedUpdate", "readers do not wait for it."},
		{"locking", "Run/ViewIsOneState", promise + "View sees one committed state from beginning to end."},
		{"neverClosed", "RunModel", "hangs: Close got nowhere for 3s"},
		{"neverClosed", "RunCrash", "hangs: Close got nowhere for 3s"},
		{"stuck", "RunCrash", "hangs: OpenOn got nowhere for 3s"},
	} {
		t.Run(c.engine+"/"+c.test, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			pattern := "^TestHangingEngine$/^" + strings.ReplaceAll(c.test, "/", "$/^") + "$"
			run := exec.CommandContext(ctx, os.Args[0], "-test.v", "-test.run="+pattern)
			run.Env = append(os.Environ(), hanging+"="+c.engine)
			out, err := run.CombinedOutput()
			for _, want := range []string{"--- FAIL: TestHangingEngine/" + c.test, "hangs: ", c.text} {
				if !strings.Contains(string(out), want) {
					t.Errorf("it ends with %v and does not say %q:\n%s", err, want, out)
				}
			}
		})
	}
}
