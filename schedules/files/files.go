// Package files keeps the files that are uploaded to a schedule, to be imported from.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	file, err := files.In(plan).CreateFile(ctx, files.NewFile{Length: size})
package files

import (
	"context"
	"io"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Feature is what the service of schedules knows of files.
var Feature = model.Feature{
	Kinds: []entity.Stored{entity.Passes(&fileRecords)},
	GC:    func(area model.Area) jobs.GC { return Of(area).forget },
}

// Plan is the files of one schedule.
type Plan struct {
	files Store
	id    string
}

// In are the files of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{Of(plan.Area()), plan.ID()} }

// Limits of files.
const (
	// MaxFileBytes is how large a file is.
	MaxFileBytes = 256 << 20
	// MaxFiles is how many files a schedule has at once, and MaxFilesBytes how large they
	// are together, with what is still to come of them.
	MaxFiles      = 100
	MaxFilesBytes = 1 << 30
	// FileTime is how long a file is kept after the last of its bytes came, or after the
	// last import that read it.
	FileTime = 24 * time.Hour
	// MaxFileMetadata is the length of the metadata of a file, in bytes.
	MaxFileMetadata = 4 << 10
)

// File is one that is uploaded to a schedule, to be imported from. It comes in as many
// parts as its sender makes of it, and an upload that was cut off continues where it was.
type File struct {
	CreatedAt twinplatform.DateTime `json:"createdAt"` // when it was asked for
	ExpiresAt twinplatform.DateTime `json:"expiresAt"` // when it is forgotten, whole or not, unless it is used before
	ID        string                `json:"id"`        // chosen by the platform
	Length    int64                 `json:"length"`    // in bytes, of the whole
	// as it was sent: keys, each with a value in base64, separated by commas
	Metadata string `json:"metadata"`
	Offset   int64  `json:"offset"` // how many bytes are there

	holder records.Scope // of the schedule
	export string        // the synchronizer of the export that made it; empty for one that was uploaded
}

// Whole reports whether all of the file is there.
func (f *File) Whole() bool { return f.Offset == f.Length }

// inFiles is where the files of all schedules are, so that they are forgotten in the
// order of their times.
const inFiles records.Scope = "plannerfiles"

// Names of the indexes of files.
const (
	fileHolder = "holder"
	fileExpiry = "expiry"
)

// hiddenFile is what is stored of a file in addition to its wire form.
type hiddenFile struct {
	Holder *records.Scope           `json:"holder"`
	Export records.OmitZero[string] `json:"export,omitzero"`
}

var fileRecords = records.Collection[File]{
	Name: "files", Unversioned: true,
	ID:     func(f *File) string { return f.ID },
	Hidden: func(f *File) any { return &hiddenFile{&f.holder, records.OmitZero[string]{Of: &f.export}} },
	Indexes: []records.Index[File]{
		{Name: fileHolder, Value: func(f *File) string { return string(f.holder) }},
		{Name: fileExpiry, Value: func(f *File) string { return expiryOf(f.ExpiresAt.Time) }},
	},
}

// expiryOf is a time as the index has it, which sorts as the times do.
func expiryOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

var fileMissing = problem.NotFound("FileNotFound", "fileId", "file")

// bytes is where the bytes of a file are: in pieces of blob.PieceBytes, but for the last, or
// in objects outside the store.
func (f *File) bytes() records.Scope { return records.Scope("plannerfile-" + f.ID) }

// NewFile asks for a file.
type NewFile struct {
	// Length is how many bytes it will have: 1 to MaxFileBytes.
	Length int64
	// Metadata says whatever its sender will: keys, each with a value in base64 behind a
	// blank, separated by commas; up to MaxFileMetadata bytes. It is kept as it is.
	Metadata string
}

func (n *NewFile) check(c *problem.Checks) {
	if n.Length < 1 || n.Length > MaxFileBytes {
		c.Bad("Upload-Length", "A file has 1 to %d bytes.", MaxFileBytes)
	}
	if len(n.Metadata) > MaxFileMetadata {
		c.Bad("Upload-Metadata", "The metadata of an upload has at most %d bytes.", MaxFileMetadata)
	}
}

var errTooManyFiles = problem.Conflict("FileQuotaExceeded", "",
	"The files of the schedule are as many or as large as it has room for. "+
		"They are forgotten a day after they were last used.")

// CreateFile begins the upload of a file (POST …/files): AppendFile brings its bytes. It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that
// is not of type v10 or InvalidValue (Upload-Length, Upload-Metadata); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; FileQuotaExceeded beyond MaxFiles and
// MaxFilesBytes.
func (p Plan) CreateFile(ctx context.Context, n NewFile) (rec twinplatform.Record[File], err error) {
	var c problem.Checks
	n.check(&c)
	if err := c.Err(model.InvalidRequest); err != nil {
		return rec, err
	}
	env := &p.files.area.Env
	err = p.files.area.Change(ctx, p.id, model.V10Only, func(u *records.Update, sc *model.Schedule) error {
		if err := roomForFile(u, sc.Scope, n.Length); err != nil {
			return err
		}
		now := twinplatform.At(env.Now())
		rec, err = fileRecords.Insert(u, inFiles, &File{
			CreatedAt: now, ExpiresAt: twinplatform.At(now.Add(FileTime)), ID: env.NewID(),
			Length: n.Length, Metadata: n.Metadata, holder: sc.Scope,
		})
		return err
	})
	return rec, err
}

// roomForFile checks that a schedule has room for one more file.
func roomForFile(tx records.Reading, holder records.Scope, length int64) error {
	files := 1
	for f, err := range fileRecords.Find(tx, inFiles, fileHolder, string(holder)) {
		if err != nil {
			return err
		}
		files++
		length += f.Length
	}
	if files > MaxFiles || length > MaxFilesBytes {
		return errTooManyFiles
	}
	return nil
}

// File returns a file of a schedule, without its bytes (GET and HEAD …/files/{fileId}).
//
// Errors: ScheduleNotFound; FileNotFound, also once it is forgotten.
func (p Plan) File(ctx context.Context, fileID string) (rec twinplatform.Record[File], err error) {
	err = p.files.area.Read(ctx, p.id, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		rec, err = fileRecords.Get(v, inFiles, fileID)
		if err == nil && (rec.Value.holder != sc.Scope || p.files.expired(&rec.Value)) {
			err = records.ErrNotFound
		}
		return fileMissing.Or(err)
	})
	if err != nil {
		return twinplatform.Record[File]{}, err
	}
	return rec, nil
}

// OpenFile returns the bytes of a file, as many as have come. They are read while ctx
// lasts, and reading fails with FileNotFound once the file is forgotten. The REST API has
// no operation for it.
//
// Errors: as File.
func (p Plan) OpenFile(ctx context.Context, fileID string) (io.Reader, error) {
	rec, err := p.File(ctx, fileID)
	if err != nil {
		return nil, err
	}
	return p.files.Open(ctx, &rec.Value), nil
}

// DeleteFile removes a file of a schedule before its time (DELETE …/files/{fileId}). An
// import that reads it fails. It needs PermissionModify.
//
// Errors: ScheduleNotFound; FileNotFound; InsufficientPermissions; ScheduleNotInitialized;
// VersionMismatch.
func (p Plan) DeleteFile(ctx context.Context, fileID string, pre ...twinplatform.Precondition) error {
	return p.change(ctx, fileID, func(u *records.Update, _ *model.Schedule, f *File) error {
		if err := fileRecords.Check(u, inFiles, fileID, twinplatform.ConditionOf(pre...)); err != nil {
			return fileMissing.Or(err)
		}
		return eraseFile(u, f)
	})
}

func eraseFile(u *records.Update, f *File) error {
	if err := blob.Erase(u, f.bytes()); err != nil {
		return err
	}
	return fileRecords.Erase(u, inFiles, f.ID)
}
