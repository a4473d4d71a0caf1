package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/schedules/planner/cli"
)

// Process is what a command has of the process that it runs in.
type Process struct {
	Args           []string // without the name of the program
	Env            []string // as os.Environ has it
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Engines adds engines for addresses of -db: see [Config.Engines].
	Engines map[string]Engine
}

// Main does what the arguments say, as the program twinplatform does, and returns the exit
// code. What it serves it serves until ctx is done.
func Main(ctx context.Context, p Process) (exitCode int) {
	return p.Exit(p.run(ctx))
}

// Parse returns the configuration that the flags and the environment say, as those of
// "twinplatform serve" do; -config files are read for the rest. It prints the help to Stdout
// where that is asked for, and returns flag.ErrHelp then. Banner and log go to Stdout and
// Stderr.
func Parse(p Process) (Config, error) {
	serve := commands()[0]
	cfg, _, err := serve.parse(p)
	return cfg, err
}

// Exit prints an error to Stderr, and returns the exit code for it: 0 for nil and for
// flag.ErrHelp, 2 for a wrong call and a comparison that could not be made, those of [cli.ExitCode] for others.
func (p Process) Exit(err error) (exitCode int) {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(p.Stderr, "twinplatform:", err)
	if _, ok := errors.AsType[wrongly](err); ok {
		return exitWrongly
	}
	return cli.ExitCode(err)
}
