// Command twinplatform runs the twin platform as an HTTP server, over memory to try it out or
// over a file that keeps its data, and looks after its stores.
//
//	go run ./cmd/twinplatform -h
//
// An interrupt or SIGTERM lets the requests under way finish, closes the store and exits
// with 0.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/seed-933f9a09/twinplatform/httpapi/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// From the first signal on a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	code := server.Main(ctx, server.Process{
		Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout,
		Stderr: os.Stderr,
	})
	stop()
	os.Exit(code)
}
