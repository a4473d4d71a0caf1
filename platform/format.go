package platform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// StoredFormat is the number of the format in which this version of the module stores
// records. It grows with each format that an area adds, and those from OldestFormat on are
// read.
const StoredFormat = 63

// OldestFormat is the number of the first release. Stores with lower numbers are of states
// that were never released.
const OldestFormat = 63

// formatKey is where a store keeps in which format there may be records in it. No scope
// of the platform's own records begins like that.
const formatKey = "stored/format"

// format is what a store records of its format.
type format struct {
	Format  int    `json:"format"`
	Version string `json:"version"` // of the program that has written in it
	// Rising reports that programs which read no more than an earlier format may still be
	// writing.
	Rising bool `json:"rising,omitempty"`
}

// formats is the range of formats that a version reads, both ends included. It writes
// newest.
type formats struct{ oldest, newest int }

// ours holds the oldest format that this version reads, and the one that it writes.
var ours = formats{OldestFormat, StoredFormat}

// read reads what a store records of its format. It fails where the version does not read
// such a store.
func (of formats) read(stored []byte) (f format, err error) {
	if err := json.Unmarshal(stored, &f); err != nil {
		return f, fmt.Errorf("platform: the format of the store: %w", err)
	}
	if f.Format > of.newest || f.Format < of.oldest {
		return f, &FormatError{Format: f.Format, Version: f.Version}
	}
	return f, nil
}

// checkRecords fails with a *FormatError where the format of the records of a store, as
// records.FormatKey holds it, is not the one of this version: also where no program has
// claimed the store.
func checkRecords(value []byte) error {
	if err := records.ReadFormat(value); err != nil {
		return fmt.Errorf("%w: %w", &FormatError{}, err)
	}
	return nil
}

// FormatError reports that a store has been written to by a later version of the module,
// with records that this one may not be able to read, or before the first release.
type FormatError struct {
	Format int // of the store; 0 where it records none
	// of the program that wrote in it: it, and later ones, can open a store with a format beyond StoredFormat
	Version string
}

// Error implements error.
func (e *FormatError) Error() string {
	switch {
	case e.Format == 0:
		return "platform: the store has records that this version does not read"
	case e.Format < OldestFormat:
		return fmt.Sprintf("platform: the store has format %d: %v", e.Format, storage.ErrUnreleased)
	}
	return fmt.Sprintf("platform: the store has format %d and was written to by version %s; this version reads up to "+
		"format %d: open it with %s or a later one",
		e.Format, e.Version, StoredFormat, e.Version)
}

// ClaimFormat notes in the store that this version writes to it, under the name that the
// program gives it, so that an earlier one does not take it for its own. It fails with a
// [*FormatError], and changes nothing, when a later one has done so, and where the store was
// written before the first release. A program calls it before anything else of the platform.
//
// Where several processes have the store open, and an earlier version has written in it,
// the call takes as long as a lease (Env.Lease): processes of that version look five times
// as often, and their Run ends.
//
// From then on a process that stood still meanwhile writes nothing in the earlier format,
// where the store is a storage.Fenced one: each Update reads the format as it begins.
func (p *Platform) ClaimFormat(ctx context.Context, version string) error {
	rising, err := p.claim(ctx, version, storage.Epoch(p.store) == "")
	if err != nil {
		return err
	}
	if store, ok := p.store.(storage.Fenced); ok {
		store.Fence(formatKey, func(stored []byte) error {
			if stored == nil {
				return nil
			}
			_, err := p.formats.read(stored)
			return err
		})
	}
	if !rising {
		return nil
	}
	env := p.cfg.Env.WithDefaults()
	env.Logger.InfoContext(ctx, "waiting for processes of an earlier version to end", "format", p.formats.newest, "for",
		env.Lease)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(env.Lease):
	}
	_, err = p.claim(ctx, version, false)
	return err
}

// claim makes the store one of this version's format. With others it is on the rise where
// it has been of an earlier one.
func (p *Platform) claim(ctx context.Context, version string, others bool) (rising bool, err error) {
	err = p.store.Update(ctx, func(w storage.Writer) error {
		was, err := p.formatIn(w)
		if err != nil {
			return err
		}
		now := format{Format: p.formats.newest, Version: version}
		if was.Format == p.formats.newest {
			now.Version, now.Rising = was.Version, was.Rising && others
		} else {
			now.Rising = was.Format > 0 && others
		}
		if rising = now.Rising; now == was {
			return nil
		}
		text, err := json.Marshal(now)
		if err != nil {
			return err
		}
		return w.Put(formatKey, text)
	})
	return rising, err
}

// formatIn is what a store records of its format; the zero format where it records nothing. It fails
// where this version does not read the store.
func (p *Platform) formatIn(r storage.Reader) (was format, err error) {
	if err := storage.Prefetch(r, []string{formatKey, records.FormatKey}); err != nil {
		return was, err
	}
	stored, err := r.Get(formatKey)
	if err == nil {
		was, err = p.formats.read(stored)
	}
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return was, err
	}
	value, err := r.Get(records.FormatKey)
	if errors.Is(err, storage.ErrNotFound) { // nothing was stored so far
		return was, nil
	}
	if err == nil {
		err = checkRecords(value)
	}
	return was, err
}

// watchFormat returns a *FormatError once a later version has claimed a store that several
// processes have open, and nil when ctx is done.
func (p *Platform) watchFormat(ctx context.Context) error {
	if storage.Epoch(p.store) != "" {
		<-ctx.Done()
		return nil
	}
	every := p.cfg.Env.WithDefaults().Lease / 5
	tick := time.NewTimer(records.NextPoll(every))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			tick.Reset(records.NextPoll(every))
		}
		err := records.PollStore(ctx, p.polled, func(r storage.Reader) error {
			stored, err := r.Get(formatKey)
			if err == nil {
				_, err = p.formats.read(stored)
			}
			return err
		})
		if later, ok := errors.AsType[*FormatError](err); ok { // any other is met by those who have something to do
			return later
		}
	}
}
