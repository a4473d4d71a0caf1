package files

import (
	"bytes"
	"context"
	"encoding/base64"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Exported is a file that an export makes.
type Exported struct {
	// Holder is the scope of the schedule, and AccountID whose it is.
	Holder    records.Scope
	AccountID string
	// SynchronizerID is the synchronizer of the export.
	SynchronizerID string
	Name           string
	Content        []byte
}

// fileName is the key of the name of a file in its metadata, as the upload protocol has it.
const fileName = "filename "

// Room checks that a schedule has room for one more file.
func (s Store) Room(tx records.Reading, holder records.Scope) error {
	return roomForFile(tx, holder, 1)
}

// Keep keeps a file that an export has made, for FileTime. One that is interrupted leaves
// a file that is not whole, and forgotten as others are.
func (s Store) Keep(ctx context.Context, e *Exported) error {
	now := twinplatform.At(s.area.Env.Now())
	f := &File{
		CreatedAt: now, ExpiresAt: s.expiry(), ID: s.area.Env.NewID(), Length: int64(len(e.Content)),
		Metadata: fileName + base64.StdEncoding.EncodeToString([]byte(e.Name)), holder: e.Holder,
		export: e.SynchronizerID,
	}
	err := s.area.DB.Update(ctx, func(u *records.Update) error {
		if err := roomForFile(u, e.Holder, f.Length); err != nil {
			return err
		}
		_, err := fileRecords.Insert(u, inFiles, f)
		return err
	})
	if err == nil && s.area.Blobs.Outside() {
		return s.keepOutside(ctx, f, e)
	}
	for rest := e.Content; len(rest) > 0 && err == nil; {
		part := rest[:min(len(rest), bytesPerAppend)]
		err = s.grow(ctx, f, int64(len(part)), func(u *records.Update, f *File) error { return f.put(u, part) })
		rest = rest[len(part):]
	}
	return err
}

func (s Store) keepOutside(ctx context.Context, f *File, e *Exported) error {
	var d *blob.Draft
	err := s.area.DB.Update(ctx, func(u *records.Update) (err error) {
		d, err = s.area.Blobs.Append(u, e.AccountID, f.bytes())
		return err
	})
	if err != nil {
		return err
	}
	defer d.Discard(ctx)
	if err := d.Write(ctx, bytes.NewReader(e.Content)); err != nil {
		return err
	}
	return s.grow(ctx, f, f.Length, func(u *records.Update, f *File) error {
		_, err := d.Put(u, f.bytes(), 0, 0)
		return err
	})
}

// grow adds n bytes to a file, which put puts in force.
func (s Store) grow(ctx context.Context, f *File, n int64, put func(*records.Update, *File) error) error {
	return s.area.DB.Update(ctx, func(u *records.Update) error {
		now, err := s.Find(u, f.holder, f.ID)
		if err == nil {
			err = put(u, now)
		}
		if err != nil {
			return fileMissing.Or(err)
		}
		now.Offset += n
		_, err = fileRecords.Put(u, inFiles, now)
		return err
	})
}

// Export is the newest file of a schedule that is whole and that an export has made, that
// has a synchronizer; records.ErrNotFound where there is none.
func (s Store) Export(tx records.Reading, holder records.Scope, synchronizerID string) (*File, error) {
	var found *File
	for f, err := range fileRecords.Find(tx, inFiles, fileHolder, string(holder)) {
		if err != nil {
			return nil, err
		}
		exported := f.export != "" && f.export == synchronizerID && f.Whole() && !s.expired(f)
		if exported && (found == nil || !f.CreatedAt.Before(found.CreatedAt.Time)) {
			last := *f
			found = &last
		}
	}
	if found == nil {
		return nil, records.ErrNotFound
	}
	return found, nil
}

// Name is what the file is called, as its metadata say; empty where they do not.
func (f *File) Name() string {
	for pair := range strings.SplitSeq(f.Metadata, ",") {
		if encoded, ok := strings.CutPrefix(strings.TrimSpace(pair), fileName); ok {
			name, err := base64.StdEncoding.DecodeString(encoded)
			if err == nil {
				return string(name)
			}
		}
	}
	return ""
}
