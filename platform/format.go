package platform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// StoredFormat is the number of the format in which this version of the module stores
// records. It grows with each format that an area adds, and every earlier one is read.
const StoredFormat = 42

// formatKey is where a store keeps in which format there may be records in it. No scope
// of the platform's own records begins like that.
const formatKey = "stored/format"

// format is what a store says of itself.
type format struct {
	Format  int    `json:"format"`
	Version string `json:"version"` // of the program that has written in it
}

// readFormat reads what a store says of itself. It fails where this version does not read
// such a store.
func readFormat(stored []byte) (f format, err error) {
	if err := json.Unmarshal(stored, &f); err != nil {
		return f, fmt.Errorf("platform: the format of the store: %w", err)
	}
	if f.Format > StoredFormat {
		return f, &FormatError{Format: f.Format, Version: f.Version}
	}
	return f, nil
}

// FormatError says that a store has been written to by a later version of the module,
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
func (p *Platform) ClaimFormat(ctx context.Context, version string) error {
	return p.store.Update(ctx, func(w storage.Writer) error {
		var was format
		stored, err := w.Get(formatKey)
		if err == nil {
			was, err = readFormat(stored)
		}
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		if was.Format == StoredFormat {
			return nil
		}
		text, err := json.Marshal(format{StoredFormat, version})
		if err != nil {
			return err
		}
		return w.Put(formatKey, text)
	})
}
