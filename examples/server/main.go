// Command server runs the twin platform as an HTTP server: over memory to try it
// out, over a file that keeps its data.
//
//	go run ./examples/server -seed examples/server/testdata/world-j30.json
//
// Every flag can also be set in the environment: -addr-file is TWIN_ADDR_FILE,
// and so on. A flag wins over the environment. An interrupt or SIGTERM lets the
// requests under way finish, closes the store and exits with 0. The program
// ./cmd/twinplatform takes the same flags, and looks after stores too.
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
	context.AfterFunc(ctx, stop) // from the first signal on a second one ends the process at once
	p := server.Process{Args: os.Args[1:], Env: os.Environ(), Stdout: os.Stdout, Stderr: os.Stderr}
	cfg, err := server.Parse(p) // a program with its own settings fills in a server.Config
	if err == nil {
		err = server.Run(ctx, cfg)
	}
	stop()
	os.Exit(p.Exit(err))
}
