package buntdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// adopt continues a file that buntdb itself wrote; the original is kept next to the new
// journal.
func (s *store) adopt(f disk.File, read *loaded) error {
	if read.fault != nil {
		s.logger.Warn("buntdb: left out a write that was never finished", "path", s.path,
			"offset", read.fault.Offset, "bytes", read.size-read.fault.Offset, "reason", read.fault.Reason)
	}
	err := s.copyFile(f, s.path+".stock", read.size)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return s.startJournal(read.tree, read.bytes, journal.NewID())
}

// loadStock has buntdb read a file in buntdb's own format, from a copy in memory: a file
// that it opens it also cuts off where it stops reading. What it does not read to the end
// and what this engine cannot keep is a *DamageError, along with all the rest; but a torn
// tail is a fault, as in a journal.
func loadStock(f contents, path string, memory *memoryLimit) (*loaded, error) {
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("buntdb: %w", err)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, size), data); err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	read := &loaded{tree: new(txn.Tree), size: size, memory: memory}
	unfit := 0
	err = parseStock(data, func(tx *tidwall.Tx) (err error) {
		unfit, err = read.records(tx)
		return err
	})
	if at := lastCommand(data); errors.Is(err, io.ErrUnexpectedEOF) && unfit == 0 && parseStock(data[:at], nil) == nil {
		read.fault, err = &journal.Fault{Offset: int64(at), Reason: "cut short"}, nil
	}
	if err != nil {
		return read, &DamageError{
			Path: path, Offset: -1, Reason: err.Error(), Transactions: uint64(read.tree.Len()), Later: unfit,
			Records: read.tree.Len(), Kept: read.tree.Len(),
		}
	}
	return read, nil
}

// lastCommand returns where the last possible command begins.
func lastCommand(data []byte) int { return bytes.LastIndex(data, []byte("\r\n*")) + len("\r\n") }

// outsize is a length, as buntdb writes it, that may be more than the memory.
var outsize = regexp.MustCompile(`\r\n\$(\d{8,})\r\n`)

// parseStock has buntdb read the bytes of a file and shows what it understood to
// visit, which may be nil. buntdb makes room for any length before it reads on, so
// that a damaged one would end the process.
func parseStock(data []byte, visit func(*tidwall.Tx) error) (err error) {
	for _, found := range outsize.FindAllSubmatch(data, -1) {
		if n, err := strconv.Atoi(string(found[1])); err != nil || n > len(data) {
			return fmt.Errorf("a length of %s bytes in a file of %d", found[1], len(data))
		}
	}
	db, err := tidwall.Open(":memory:")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = loadInto(db, data)
	if visit != nil {
		err = errors.Join(err, db.View(visit))
	}
	return err
}

// loadInto has buntdb read the bytes of a file to their end.
func loadInto(db *tidwall.DB, data []byte) (err error) {
	defer func() {
		if cause := recover(); cause != nil { // as it does on an empty word
			err = fmt.Errorf("%w: %v", tidwall.ErrInvalid, cause)
		}
	}()
	if err := db.Load(bytes.NewReader(data)); err != nil {
		return err
	}
	if !bytes.HasSuffix(data, []byte("\r\n")) {
		return errors.New("zeros at the end") // which buntdb skips
	}
	return nil
}

// records takes over what buntdb shows. It counts the records that have no place
// in this engine, says why of the first, and leaves them out.
func (l *loaded) records(tx *tidwall.Tx) (unfit int, why error) {
	err := tx.Ascend("", func(key, value string) bool {
		if err := fits(tx, key, value); err == nil {
			l.apply(journal.Record{Key: []byte(key), Value: []byte(value)})
		} else if unfit++; unfit == 1 {
			why = fmt.Errorf("key %.64q: %w", key, err)
		}
		return true
	})
	return unfit, errors.Join(why, err)
}

// fits reports why this engine cannot hold a record of buntdb's.
func fits(tx *tidwall.Tx, key, value string) error {
	const never = -1 // the TTL of a value without expiry
	switch left, err := tx.TTL(key); {
	case err != nil || left != never:
		return errors.New("a value that expires")
	case key == "":
		return storage.ErrEmptyKey
	case len(key) > storage.MaxKeyBytes || len(value) > storage.MaxValueBytes:
		return storage.ErrTooLarge
	case strings.HasPrefix(key, journal.Reserved):
		return errors.New("a key that journals reserve")
	}
	return nil
}

// copyFile copies a file under another name.
func (s *store) copyFile(f disk.File, name string, size int64) error {
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
