package server

import (
	"context"
	"errors"
	"io"
)

// serveCommand is the server.
func serveCommand() job {
	return job{
		options: everyOption(),
		example: "twinplatform serve -db twin.db -tokens tokens.json",
		run:     serveAll,
	}
}

// serveAll serves, or writes the seed that -export asks for, or says the version.
func serveAll(ctx context.Context, s *server, _ []string, stdout io.Writer) (err error) {
	if s.cfg.version {
		return sayVersion(ctx, s, nil, stdout)
	}
	s.tokensRead = stampOf(s.cfg.TokensFile) // as it is before it is read
	if err := s.cfg.read(); err != nil {
		return err
	}
	defer func() {
		if s.Platform != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.cfg.export != "" {
		return s.writeExport(ctx, stdout)
	}
	return s.serve(ctx, stdout)
}
