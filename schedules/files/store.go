package files

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Store is the files of all schedules, for the imports of the core that read them.
type Store struct{ area model.Area }

// Of are the files of an area.
func Of(area model.Area) Store { return Store{area} }

// Find returns a file of the schedule that has a scope; records.ErrNotFound also for one
// whose time is over.
func (s Store) Find(tx records.Reading, holder records.Scope, id string) (*File, error) {
	f, err := fileRecords.Value(tx, inFiles, id)
	if err == nil && (f.holder != holder || s.expired(f)) {
		err = records.ErrNotFound
	}
	return f, err
}

// Extend keeps a file for FileTime from now on.
func (s Store) Extend(u *records.Update, f *File) error {
	f.ExpiresAt = s.expiry()
	_, err := fileRecords.Put(u, inFiles, f)
	return err
}

// Open reads the bytes of a file, as many as have come, while ctx lasts.
func (s Store) Open(ctx context.Context, f *File) *blob.Reader {
	return blob.NewReader(ctx, s.area.DB, f.bytes(), f.Offset, fileMissing.Err())
}

// expiry is when a file that is used now is forgotten.
func (s Store) expiry() twinplatform.DateTime { return twinplatform.At(s.area.Env.Now().Add(FileTime)) }

func (s Store) expired(f *File) bool { return !s.area.Env.Now().Before(f.ExpiresAt.Time) }

// forget removes one of the files that are no longer kept, and reports whether there
// may be more.
func (s Store) forget(ctx context.Context) (more bool, err error) {
	found, err := s.anyExpired(ctx)
	if err != nil || found == "" {
		return false, err
	}
	err = s.area.DB.Update(ctx, func(u *records.Update) error {
		more = true
		f, err := fileRecords.Lookup(u, inFiles, found)
		if f == nil || err != nil || s.area.DB.Believed().Before(f.ExpiresAt.Time) {
			return err
		}
		return eraseFile(u, f)
	})
	return more, err
}

// anyExpired is the id of a file that is no longer kept; empty when there is none.
func (s Store) anyExpired(ctx context.Context) (id string, err error) {
	until := expiryOf(s.area.DB.Believed())
	err = s.area.DB.View(ctx, func(v *records.View) error {
		id = ""
		for at := range fileRecords.ValuesFrom(v, inFiles, fileExpiry, "") {
			if at > until {
				return nil
			}
			for id = range fileRecords.IDs(v, inFiles, fileExpiry, at) {
				return nil
			}
		}
		return nil
	})
	return id, err
}
