package buntdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// adopt goes on with a file that buntdb itself wrote. Having no checksums, such
// a file can only be checked for being made of whole commands; the original is
// kept beside the new journal.
func (s *store) adopt(f disk.File) error {
	read, err := loadStock(f, s.path)
	if err == nil && read.fault != nil {
		s.logger.Warn("buntdb: left out a write that was never finished", "path", s.path,
			"offset", read.fault.Offset, "bytes", read.size-read.fault.Offset, "reason", read.fault.Reason)
	}
	if err == nil {
		err = s.keep(f, s.path+".stock", read.size)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return s.begin(read.tree, read.bytes, journal.NewID())
}

// loadStock reads a file of buntdb's up to its end or to a command that was
// torn. Whatever else is not a command is a *DamageError.
func loadStock(f disk.File, path string) (*loaded, error) {
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("buntdb: %w", err)
	}
	read := &loaded{tree: new(txn.Tree), size: size}
	commands := uint64(0)
	good, err := journal.ReadStock(io.NewSectionReader(f, 0, size), size, time.Now(), func(rec journal.Record) {
		read.apply(rec)
		commands++
	})
	fault, ok := errors.AsType[*journal.Fault](err)
	if err != nil && !ok {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	read.fault = fault
	if fault == nil {
		return read, nil
	}
	later, err := countCommands(io.NewSectionReader(f, good+1, size-good-1))
	if err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	if commands == 0 || later > 0 || !fault.Cut() {
		return read, &DamageError{
			Path: path, Offset: good, Reason: fault.Reason, Transactions: commands, Later: later,
		}
	}
	return read, nil
}

// countCommands counts what looks like a command. A torn command has none
// behind it; a damaged length swallows some.
func countCommands(r io.Reader) (int, error) {
	rest, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, verb := range []string{"\r\n*3\r\n$3\r\nset\r\n$", "\r\n*5\r\n$3\r\nset\r\n$", "\r\n*2\r\n$3\r\ndel\r\n$"} {
		n += bytes.Count(rest, []byte(verb))
	}
	return n, nil
}

// keep copies a file under another name.
func (s *store) keep(f disk.File, name string, size int64) error {
	out, err := s.fs.Create(name)
	if err != nil {
		return fmt.Errorf("buntdb: %w", err)
	}
	_, err = io.Copy(io.NewOffsetWriter(out, 0), io.NewSectionReader(f, 0, size))
	if err == nil {
		err = out.Sync()
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("buntdb: keep %s: %w", name, err)
	}
	return nil
}
