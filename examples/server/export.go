package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// toStdout is the value of -export that writes to standard output.
const toStdout = "-"

// export writes what the store holds, after the seed where there is one, as a
// seed. The file appears with all of it or not at all, and is for its owner alone:
// it says who may do what.
func export(ctx context.Context, cfg config, in input, stdout io.Writer) (err error) {
	if in.who == nil {
		in.who = demoAccess(demoToken)
	}
	if cfg.db != inMemory && in.world == nil {
		if _, err := os.Stat(cfg.db); err != nil { // which opening would make
			return fmt.Errorf("-export: %w", err)
		}
	}
	s, err := open(cfg, in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.fill(ctx); err != nil {
		return err
	}
	w, err := s.Export(ctx)
	if err != nil {
		return err
	}
	if cfg.export == toStdout {
		return w.Write(stdout)
	}
	if err := writeWhole(w, cfg.export); err != nil {
		return fmt.Errorf("-export: %w", err)
	}
	return nil
}

func writeWhole(w *platform.World, file string) error {
	part, err := os.OpenFile(file+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(w.Write(part), part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
