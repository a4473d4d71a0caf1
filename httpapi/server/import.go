package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// importCommand brings a seed or a planner file into the store of -db.
func importCommand() job {
	return job{
		options: append(slices.Clip(worldOptions), "preview"),
		examples: []usage.Example{
			{Call: "twinplatform import -db twin.db world.json", Does: "Reads a seed."},
			{
				Call: "twinplatform import -db twin.db plan.xer",
				Does: "Makes a schedule of a planner file, or brings that up to it.",
			},
			{Call: "twinplatform import -db twin.db -preview plan.xer", Does: "Says what that would change."},
		},
		run: bring,
	}
}

// bring applies a seed, or imports a planner file, to the store of -db.
func bring(ctx context.Context, s *server, operands []string, stdout io.Writer) (err error) {
	if s.cfg.DB == inMemory {
		return errNoFile
	}
	s.cfg.bringing = true
	text, err := os.ReadFile(operands[0])
	if err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		if s.cfg.preview {
			return errors.New("-preview is for planner files: a seed has none")
		}
		s.cfg.SeedFile = operands[0]
	} else {
		s.cfg.Imports = append(s.cfg.Imports, operands[0])
	}
	if err := s.cfg.read(); err != nil {
		return err
	}
	defer func() {
		if s.Platform != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.openAll(ctx, demoToken); err != nil {
		return err
	}
	if s.cfg.preview {
		return s.printPreviews(stdout)
	}
	for _, p := range s.plans {
		fmt.Fprintf(stdout, "schedule %s: %d tasks, %d warnings\n", p.schedule, p.tasks, p.warnings)
	}
	_, err = fmt.Fprintf(stdout, "%s is in %s\n", filepath.Base(operands[0]), s.cfg.storeName())
	return err
}
