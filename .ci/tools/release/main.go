// Command release prepares, checks and builds a release of all modules of this repository:
//
//	release check VERSION                 what stands against releasing HEAD as VERSION
//	release set VERSION                   writes VERSION into the requirements of nested modules
//	release proxy VERSION DIR             the modules of HEAD, as a proxy serves them, below DIR
//	release dist VERSION DIR [PLATFORM…]  programs for each platform, with all that goes with them
//	release tags VERSION                  the tags of a release, one a line
//
// It runs in the root of the repository and asks git for what HEAD holds.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"golang.org/x/mod/semver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("call it as check VERSION, set VERSION, proxy VERSION DIR, dist VERSION DIR [PLATFORM…] or " +
	"tags VERSION")

func run(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return errUsage
	}
	verb, version, rest := args[0], args[1], args[2:]
	if semver.Canonical(version) != version || semver.Build(version) != "" {
		return fmt.Errorf("%q is no version of a Go module, such as v0.5.0", version)
	}
	r, err := open(ctx, ".", version)
	if err != nil {
		return err
	}
	switch {
	case verb == "check" && len(rest) == 0:
		return r.check()
	case verb == "set" && len(rest) == 0:
		return r.setRequirements()
	case verb == "tags" && len(rest) == 0:
		for _, m := range r.released() {
			fmt.Println(m.tag(version))
		}
		return nil
	case verb == "proxy" && len(rest) == 1:
		return r.proxy(rest[0])
	case verb == "dist" && len(rest) > 0:
		dir, err := filepath.Abs(rest[0])
		if err != nil {
			return err
		}
		if rest = rest[1:]; len(rest) == 0 {
			rest = platforms
		}
		return r.dist(dir, rest)
	}
	return errUsage
}
