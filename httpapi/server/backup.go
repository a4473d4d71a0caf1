package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// errNoFile reports that a command is for a store in a file.
var errNoFile = errors.New("-db names no file")

// backupCommand copies the store of -db.
func backupCommand() job {
	return job{
		options:  []string{"config", "db"},
		examples: []usage.Example{{Call: "twinplatform backup -db twin.db monday.backup"}},
		run:      backUp,
	}
}

// backUp writes everything that the store of -db holds to a file, whether or not a server
// has it open.
func backUp(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	if s.cfg.DB == inMemory {
		return errNoFile
	}
	part := operands[0] + ".part"
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	held := ""
	if s.cfg.shared() {
		held, err = "all", s.copyShared(ctx, out)
	} else {
		var copied buntdb.Checked
		copied, err = buntdb.CopyTo(ctx, s.cfg.DB, out)
		held = fmt.Sprintf("the %d records", copied.Records)
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(part, operands[0])
	}
	if err != nil {
		_ = os.Remove(part)
		return fmt.Errorf("backing up %s: %w", s.cfg.storeName(), err)
	}
	_, err = fmt.Fprintf(stdout, "%s holds %s of %s\n", operands[0], held, s.cfg.storeName())
	return err
}

// copyShared writes everything that a store which servers share holds, as it is at one moment.
func (s *server) copyShared(ctx context.Context, out io.Writer) error {
	store, err := s.cfg.openShared(ctx, s.log)
	if err != nil {
		return err
	}
	return errors.Join(storage.Backup(ctx, store, out), store.Close())
}
