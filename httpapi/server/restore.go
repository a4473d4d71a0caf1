package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// restoreCommand puts a backup in place of the store of -db.
func restoreCommand() job {
	return job{
		options:  storeOptions,
		examples: []usage.Example{{Call: "twinplatform restore -db twin.db monday.backup"}},
		run:      restore,
	}
}

// restore replaces everything in the store of -db by a backup: through its server where
// one has it open and lets operators in, and else by itself.
func restore(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	if s.cfg.DB == inMemory {
		return errNoFile
	}
	backup, err := os.Open(operands[0])
	if err != nil {
		return err
	}
	defer func() { _ = backup.Close() }()                                  // nothing was written
	if info, err := backup.Stat(); err == nil && info.Mode().IsRegular() { // or it is read once
		if err = platform.CheckBackup(ctx, backup); err == nil {
			_, err = backup.Seek(0, io.SeekStart)
		}
		if err != nil {
			return fmt.Errorf("restoring %s: %w", operands[0], err)
		}
	}
	if s.cfg.shared() {
		return s.restoreShared(ctx, backup, stdout)
	}
	store, err := buntdb.Open(s.cfg.DB, buntdb.Options{Logger: s.log})
	if errors.Is(err, buntdb.ErrLocked) {
		return s.restoreServed(ctx, backup, stdout)
	}
	if err == nil {
		err = errors.Join(platform.Restore(ctx, store, backup), store.Close())
	} else if _, damaged := errors.AsType[*buntdb.DamageError](err); damaged {
		err = fmt.Errorf("%w; to have the backup in its place, move %s and its .lock file away",
			repairable(s.cfg.DB, err), s.cfg.DB)
	}
	if err != nil {
		return fmt.Errorf("restoring %s: %w", operands[0], err)
	}
	return printRestored(stdout)
}

func printRestored(stdout io.Writer) error {
	_, err := fmt.Fprintln(stdout, "restored: clients are asked to list again")
	return err
}

// restoreShared restores a backup into a store that servers share, which should not run
// meanwhile: they would see some of the old records and some of the new ones.
func (s *server) restoreShared(ctx context.Context, backup io.Reader, stdout io.Writer) error {
	store, err := s.cfg.openShared(ctx, s.log)
	if err == nil {
		err = errors.Join(platform.Restore(ctx, store, backup), store.Close())
	}
	if err != nil {
		return fmt.Errorf("restoring into %s: %w", s.cfg.storeName(), err)
	}
	return printRestored(stdout)
}

// restoreServed has the server that has the store open restore a backup.
func (s *server) restoreServed(ctx context.Context, backup io.Reader, stdout io.Writer) error {
	text, err := os.ReadFile(s.cfg.doorFile())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("a server without -admin has %s open: start it with -admin, or stop it", s.cfg.DB)
	}
	var d door
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.cfg.doorFile(), err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+d.Address+"/restore", backup)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+d.Secret)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server refused the backup: %s", bytes.TrimSpace(answer))
	}
	_, err = stdout.Write(answer)
	return err
}
