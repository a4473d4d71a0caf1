package server

import (
	"context"
	"io"
)

// exportCommand writes the store of -db as a seed.
func exportCommand() job {
	return job{
		options: worldOptions,
		example: "twinplatform export -db twin.db world.json",
		run:     export,
	}
}

// export writes what the store of -db holds as a seed.
func export(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	s.cfg.export = operands[0]
	return serveAll(ctx, s, nil, stdout)
}
