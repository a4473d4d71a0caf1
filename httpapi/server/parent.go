package server

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// parentEvery is how often the program looks whether the go command is still there.
const parentEvery = 250 * time.Millisecond

// whileWanted is ctx, which also ends once the go command is gone that has built and started
// this program, as go run does: killed, it could not pass anything on, and the program would
// keep its address and its store.
func whileWanted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	parent := os.Getppid()
	if parent <= 1 || !builtToRun(os.Executable()) {
		return ctx, stop
	}
	looks := time.NewTicker(parentEvery)
	go func() {
		defer looks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-looks.C:
				if os.Getppid() != parent {
					stop()
					return
				}
			}
		}
	}()
	return ctx, stop
}

// builtToRun reports whether a program lies where go run puts one: in a folder of a build,
// or in the cache of builds.
func builtToRun(program string, err error) bool {
	if err != nil {
		return false
	}
	folders := strings.Split(filepath.ToSlash(filepath.Dir(program)), "/")
	return slices.ContainsFunc(folders, func(name string) bool { return strings.HasPrefix(name, "go-build") })
}
