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
	"path/filepath"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// errNoFile says that a command is for a store in a file.
var errNoFile = errors.New("-db names no file")

// backUp writes everything that the store of -db holds to a file, whether or not a server
// has it open.
func backUp(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	if s.db == inMemory {
		return errNoFile
	}
	part := operands[0] + ".part"
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	held, err := buntdb.CopyTo(ctx, s.db, out)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(part, operands[0])
	}
	if err != nil {
		_ = os.Remove(part)
		return fmt.Errorf("backing up %s: %w", s.db, err)
	}
	_, err = fmt.Fprintf(stdout, "%s holds the %d records of %s\n", operands[0], held.Records, s.db)
	return err
}

// restore replaces everything in the store of -db by a backup: through its server where
// one has it open and lets operators in, and else by itself.
func restore(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	if s.db == inMemory {
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
	store, err := buntdb.Open(s.db, buntdb.Options{Logger: s.log})
	if errors.Is(err, buntdb.ErrLocked) {
		return s.restoreServed(ctx, backup, stdout)
	}
	if err == nil {
		err = errors.Join(platform.Restore(ctx, store, backup), store.Close())
	} else if _, damaged := errors.AsType[*buntdb.DamageError](err); damaged {
		err = fmt.Errorf("%w; to have the backup in its place, move %s and its .lock file away", repairable(s.db, err), s.db)
	}
	if err != nil {
		return fmt.Errorf("restoring %s: %w", operands[0], err)
	}
	_, err = fmt.Fprintln(stdout, "restored: clients are told to list anew")
	return err
}

// restoreServed has the server that has the store open restore a backup.
func (s *server) restoreServed(ctx context.Context, backup io.Reader, stdout io.Writer) error {
	text, err := os.ReadFile(s.doorFile())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("a server has %s open and lets no operators in: start it with -admin, or stop it", s.db)
	}
	var d door
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.doorFile(), err)
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
		return fmt.Errorf("the server restores nothing: %s", bytes.TrimSpace(answer))
	}
	_, err = stdout.Write(answer)
	return err
}

// check says what a store's file, or a backup, holds, and fails where a server would not
// open it or a restoration not take it.
func check(_ context.Context, _ *server, operands []string, stdout io.Writer) error {
	c, err := buntdb.Check(operands[0])
	if err != nil {
		return err
	}
	if c.Damage != nil {
		return repairable(operands[0], c.Damage)
	}
	fmt.Fprintf(stdout, "%s: %d records of %d bytes, in %d transactions and a file of %d bytes\n", operands[0], c.Records, c.LiveBytes, c.Transactions, c.FileBytes)
	switch {
	case c.Torn > 0:
		fmt.Fprintf(stdout, "the last %d bytes are a write that was not finished; opening the store keeps them in %s.cut-TIME and cuts them off\n", c.Torn, operands[0])
	case c.Backup:
		fmt.Fprintln(stdout, "a backup, and it is whole")
	default:
		fmt.Fprintln(stdout, "it is whole")
	}
	return nil
}

// repairable adds to the error of a damaged store what can be done about it.
func repairable(file string, err error) error {
	if _, damaged := errors.AsType[*buntdb.DamageError](err); !damaged {
		return err
	}
	return fmt.Errorf("%w; \"twinplatform repair %s TARGET\" writes them to another file", err, file)
}

// repair writes what is whole in a damaged store or backup to another file.
func repair(_ context.Context, _ *server, operands []string, stdout io.Writer) error {
	kept, err := buntdb.Repair(operands[0], operands[1])
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s holds %d records of %d transactions\n", operands[1], kept.Records, kept.Transactions)
	switch d := kept.Damage; {
	case d != nil && d.Offset < 0:
		fmt.Fprintf(stdout, "left out is what does not fit here, %d records: %v\n", d.Later, d)
	case d != nil:
		fmt.Fprintf(stdout, "%v\n", d)
		fmt.Fprintf(stdout, "left out is what is damaged or missing, at least %d transactions: what they changed is as the others left it\n", d.Lost)
	case kept.Torn > 0:
		fmt.Fprintf(stdout, "left out is a write at the end that was not finished: of %d bytes, all but %d whole transactions\n", kept.Torn, kept.LaterTransactions)
	default:
		fmt.Fprintln(stdout, "nothing had to be left out")
	}
	return nil
}

// export writes what the store of -db holds as a seed.
func export(ctx context.Context, s *server, operands []string, stdout io.Writer) error {
	s.config.export = operands[0]
	return serveAll(ctx, s, nil, stdout)
}

// bring applies a seed, or imports a planner file, to the store of -db.
func bring(ctx context.Context, s *server, operands []string, stdout io.Writer) (err error) {
	if s.db == inMemory {
		return errNoFile
	}
	text, err := os.ReadFile(operands[0])
	if err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		s.seed = operands[0]
	} else {
		s.imports = append(s.imports, operands[0])
	}
	if err := s.read(); err != nil {
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
	for _, p := range s.plans {
		fmt.Fprintf(stdout, "schedule %s: %d tasks, %d warnings\n", p.schedule, p.tasks, p.warnings)
	}
	_, err = fmt.Fprintf(stdout, "%s is in %s\n", filepath.Base(operands[0]), s.db)
	return err
}
