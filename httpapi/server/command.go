package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
)

// command is one of the things that the program does.
type command struct {
	name, operands, text string
	run                  func(ctx context.Context, s *server, operands []string, stdout io.Writer) error
}

// commands are all of them; the first is what is done when none is named.
func commands() []command {
	return []command{
		{"serve", "", "answers requests until it is told to stop", serveAll},
		{"backup", "FILE", "writes all that the -db file holds to another, also while a server has it open", backUp},
		{"restore", "FILE", "replaces all that the -db file holds by a backup, also while a server has it open", restore},
		{"check", "FILE", "reads a store, or a backup, to its end and says what it holds, or what is damaged and what a repair would keep", check},
		{"repair", "FILE TARGET", "writes what is whole in a damaged store or backup to another file", repair},
		{"export", "FILE", "writes what the -db file holds as a seed", export},
		{"import", "FILE", "applies a seed, or imports a planner file, to the -db file", bring},
		{"health", "", "asks the server at -addr whether it is ready", health},
		{"version", "", "says which version this is", sayVersion},
	}
}

// run does what the arguments say. What it serves it serves until ctx is done. It prints
// to stdout, and logs to stderr.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) error {
	all := commands()
	do := all[0]
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		at := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] })
		if at < 0 {
			return fmt.Errorf("unknown command %q: see -h", args[0])
		}
		do, args = all[at], args[1:]
	}
	cfg, operands, err := parseConfig(args, env)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
	}
	if err != nil {
		return err
	}
	if cfg.version {
		do = command{run: sayVersion}
	}
	if want := strings.Fields(do.operands); len(operands) != len(want) {
		if len(want) == 0 {
			return fmt.Errorf("unexpected argument %q: everything else is said with flags, see -h", operands[0])
		}
		return fmt.Errorf("%s wants %s, see -h", do.name, do.operands)
	}
	s := &server{config: cfg, args: args, env: env, controls: control.New(time.Now)}
	opts := &slog.HandlerOptions{Level: cfg.logLevel}
	s.log = slog.New(slog.NewTextHandler(stderr, opts))
	if cfg.log == "json" {
		s.log = slog.New(slog.NewJSONHandler(stderr, opts))
	}
	return do.run(ctx, s, operands, stdout)
}

func sayVersion(_ context.Context, _ *server, _ []string, stdout io.Writer) error {
	_, err := fmt.Fprintln(stdout, "twinplatform", admin.BuildVersion())
	return err
}

// serveAll serves, or writes the seed that -export asks for.
func serveAll(ctx context.Context, s *server, _ []string, stdout io.Writer) (err error) {
	if err := s.read(); err != nil {
		return err
	}
	defer func() {
		if s.Platform != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.export != "" {
		return s.writeExport(ctx, stdout)
	}
	return s.serve(ctx, stdout)
}
