// Command server runs the twin platform as an HTTP server: over memory to try
// it out, over a file to keep what it is told.
//
//	go run ./examples/server -seed examples/server/testdata/world-j30.json
//
// Every flag can also be set in the environment: -addr-file is TWIN_ADDR_FILE,
// and so on. A flag wins over the environment. An interrupt or SIGTERM lets the
// requests under way finish, closes the store and exits with 0.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// From the first signal on a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "twinplatform:", err)
		os.Exit(1)
	}
}
