package storagetest

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// promise is one sentence of package storage with the check that it holds.
type promise struct {
	name  string
	text  string
	check func(t *testing.T, s storage.Store)
}

// Run checks every promise of package storage, each on a separate store and under its own
// name; a failure prints the promise that was broken. A promise at which nothing
// continues any more fails after 5 seconds, or Engine.Patience; its store is then left
// open.
func Run(t *testing.T, engine Engine) {
	t.Helper()
	run(t, engine, [][]promise{
		readPromises, scanPromises, prefetchPromises, updatePromises, isolationPromises, inOneStore(serialPromises),
		limitPromises, historyPromises, closePromises, togetherPromises,
	})
}

// RunTogether checks those of the promises alone that are about Updates which wait for one key
// of storage.WithContention, for engines that make them in one transaction.
func RunTogether(t *testing.T, engine Engine) {
	t.Helper()
	run(t, engine, [][]promise{togetherPromises})
}

func run(t *testing.T, engine Engine, groups [][]promise) {
	t.Helper()
	for _, group := range groups {
		for _, p := range group {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				s, hangs := engine.New(t), false
				t.Cleanup(func() {
					if t.Failed() {
						t.Logf("broken promise: %s", p.text)
					}
					if hangs {
						return
					}
					if err := s.Close(); err != nil {
						t.Errorf("Close: %v", err)
					}
				})
				dog := new(watchdog)
				hangs = dog.watch(t, engine, func() { p.check(t, dog.over(s)) })
			})
		}
	}
}
