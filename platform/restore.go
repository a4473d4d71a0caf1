package platform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// CheckBackup reads a backup to its end. It fails with a [*FormatError] for one of a store
// that a later version of the module has written to, or that was written before the first
// release, and with storage.ErrBadBackup for
// what is not a whole one.
func CheckBackup(ctx context.Context, r io.Reader) error {
	if r == nil {
		r = bytes.NewReader(nil)
	}
	return storage.ReadBackup(ctx, r, func(key string, value []byte) error {
		switch key {
		case formatKey:
			_, err := ours.read(value)
			return err
		case records.FormatKey:
			return checkRecords(value)
		}
		return nil
	})
}

// Restore replaces everything that a store holds by a backup, as [storage.Restore] does,
// unless CheckBackup refuses it: then nothing is changed. A program that claims the
// format of its store does so again afterwards, see [Platform.ClaimFormat].
//
// For an engine that is no [storage.Restorer] the backup is written to a temporary file
// first, in the folder of [os.TempDir].
func Restore(ctx context.Context, s storage.Store, r io.Reader) error {
	if r == nil {
		r = bytes.NewReader(nil)
	}
	if _, ok := s.(storage.Restorer); !ok {
		return restoreViaFile(ctx, s, r)
	}
	checked := check(ctx, r)
	err := storage.Restore(ctx, s, checked)
	checked.end()
	if checked.refused != nil {
		return checked.refused
	}
	return err
}

// restoreViaFile restores a backup from a file, in which it was checked.
func restoreViaFile(ctx context.Context, s storage.Store, r io.Reader) (err error) {
	f, err := os.CreateTemp("", "twinplatform-restore-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if err := CheckBackup(ctx, io.TeeReader(r, f)); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return storage.Restore(ctx, s, f)
}

// checkedBackup is a backup that is checked while it is read. Its end is not reported
// before all of it was checked, so a reader that needs all of it accepts nothing else.
type checkedBackup struct {
	from    io.Reader
	to      *io.PipeWriter // of the check; nil once that has come to its end
	verdict chan error
	refused error
}

func check(ctx context.Context, r io.Reader) *checkedBackup {
	out, in := io.Pipe()
	c := &checkedBackup{from: r, to: in, verdict: make(chan error, 1)}
	go func() {
		err := CheckBackup(ctx, out)
		_ = out.CloseWithError(errChecked)
		c.verdict <- err
	}()
	return c
}

// errChecked ends what is written to a check that needs no more.
var errChecked = errors.New("platform: the backup is checked")

// Read implements io.Reader.
func (c *checkedBackup) Read(p []byte) (n int, err error) {
	if c.refused != nil {
		return 0, c.refused
	}
	n, err = c.from.Read(p)
	if c.to == nil {
		return n, err
	}
	if _, failed := c.to.Write(p[:n]); failed != nil || errors.Is(err, io.EOF) {
		c.end()
	}
	if c.refused != nil {
		return 0, c.refused
	}
	return n, err
}

// end waits for the end of the check. Its reader reports a backup that is not whole.
func (c *checkedBackup) end() {
	if c.to == nil {
		return
	}
	_ = c.to.Close()
	c.to = nil
	err := <-c.verdict
	if err != nil && !errors.Is(err, storage.ErrBadBackup) && !errors.Is(err, context.Canceled) &&
		!errors.Is(err, context.DeadlineExceeded) {
		c.refused = fmt.Errorf("platform: the backup is not restored: %w", err)
	}
}
