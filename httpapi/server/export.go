package server

import (
	"context"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// exportCommand writes the store of -db as a seed.
func exportCommand() job {
	return job{
		options:  worldOptions,
		examples: []usage.Example{{Call: "twinplatform export -db twin.db world.json"}},
		run:      export,
	}
}

// export writes what the store of -db holds as a seed.
func export(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	s.cfg.export = operands[0]
	return serveAll(ctx, s, nil, stdout)
}
