package storagetest_test

import (
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// An engine is held to every promise by a test of a few lines. Engines with files
// continue with RunKill, RunCrash and the others.
func ExampleRun() {
	testEngine := func(t *testing.T) {
		engine := storagetest.Engine{New: func(testing.TB) storage.Store { return memory.New() }}
		t.Run("promises", func(t *testing.T) { storagetest.Run(t, engine) })
		t.Run("model", func(t *testing.T) { storagetest.RunModel(t, engine) })
	}
	// go test does this for a function TestEngine.
	fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestEngine", F: testEngine}}))
	// Output: true
}
