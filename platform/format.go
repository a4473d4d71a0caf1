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
// records. It grows with each format that an area adds, and every earlier one is read.
const StoredFormat = 62

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

// readFormat reads what a store records of its format. It fails where this version does
// not read such a store.
func readFormat(stored []byte) (f format, err error) {
	if err := json.Unmarshal(stored, &f); err != nil {
		return f, fmt.Errorf("platform: the format of the store: %w", err)
	}
	if f.Format > StoredFormat {
		return f, &FormatError{Format: f.Format, Version: f.Version}
	}
	return f, nil
}

// FormatError reports that a store has been written to by a later version of the module,
// with records that this one may not be able to read.
type FormatError struct {
	Format  int    // of the store
	Version string // of the program that wrote in it: it, and later ones, can open the store
}

// Error implements error.
func (e *FormatError) Error() string {
	return fmt.Sprintf("platform: the store has format %d and was written to by version %s; this version reads up to format %d: open it with %s or a later one",
		e.Format, e.Version, StoredFormat, e.Version)
}

// ClaimFormat notes in the store that this version writes to it, under the name that the
// program gives it, so that an earlier one does not take it for its own. It fails with a
// [*FormatError], and changes nothing, when a later one has done so. A program calls it
// before anything else of the platform.
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
			_, err := readFormat(stored)
			return err
		})
	}
	if !rising {
		return nil
	}
	env := p.cfg.Env.WithDefaults()
	env.Logger.InfoContext(ctx, "waiting for processes of an earlier version to end", "format", StoredFormat, "for", env.Lease)
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
		var was format
		stored, err := w.Get(formatKey)
		if err == nil {
			was, err = readFormat(stored)
		}
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		now := format{Format: StoredFormat, Version: version}
		if was.Format == StoredFormat {
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
				_, err = readFormat(stored)
			}
			return err
		})
		if later, ok := errors.AsType[*FormatError](err); ok { // any other is met by those who have something to do
			return later
		}
	}
}
