package server

import (
	"context"
	"errors"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// serveCommand is the server.
func serveCommand() job {
	return job{
		options: everyOption(),
		examples: []usage.Example{
			{Call: "twinplatform serve", Does: "In memory, with a demo token."},
			{
				Call: "twinplatform serve -db twin.db -tokens tokens.json",
				Does: "Keeps its data in a file; tokens.json says who may call.",
			},
			{Call: "twinplatform serve -import plan.xer", Does: "With the schedule of a planner file, in memory."},
			{
				Call: "twinplatform serve -test-controls -addr 127.0.0.1:0 -addr-file addr",
				Does: "For the tests of a client in any language.",
			},
		},
		run: serveAll,
	}
}

// serveAll serves, or writes the seed that -export asks for, or says the version.
func serveAll(ctx context.Context, s *server, _ []string, stdout io.Writer) (err error) {
	if s.cfg.version {
		return printVersion(ctx, s, nil, stdout)
	}
	s.tokensRead = stampOf(s.cfg.TokensFile) // as it is before it is read
	if err := s.cfg.read(); err != nil {
		return withCure(err)
	}
	defer func() {
		if s.Platform != nil {
			err = errors.Join(err, s.Close())
		}
		err = withCure(err)
	}()
	if s.cfg.export != "" {
		return s.writeExport(ctx, stdout)
	}
	return s.serve(ctx, stdout)
}
