package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
)

// Process is what a command has of the process that it runs in.
type Process struct {
	Args           []string // without the name of the program
	Env            []string // as os.Environ has it
	Stdout, Stderr io.Writer
}

// Main does what the arguments say, as the program twinplatform does, and returns the exit
// code. What it serves it serves until ctx is done. It prints to Stdout; logs, and the error
// of what failed, go to Stderr.
func Main(ctx context.Context, p Process) (exitCode int) {
	err := run(ctx, p.Args, p.Env, p.Stdout, p.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(p.Stderr, "twinplatform:", err)
	return 1
}
