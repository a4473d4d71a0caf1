package schedules

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

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
	// MaxFileMetadata is the length of what is said of a file, in bytes.
	MaxFileMetadata = 4 << 10
)

// File is one that is uploaded to a schedule, to be imported from. It comes in as many
// parts as its sender makes of it, and an upload that was cut off goes on where it was.
type File struct {
	CreatedAt twinplatform.DateTime `json:"createdAt"` // when it was asked for
	ExpiresAt twinplatform.DateTime `json:"expiresAt"` // when it is forgotten, whole or not, unless it is used before
	ID        string                `json:"id"`        // chosen by the platform
	Length    int64                 `json:"length"`    // in bytes, of the whole
	Metadata  string                `json:"metadata"`  // as it was sent: keys, each with a value in base64, separated by commas
	Offset    int64                 `json:"offset"`    // how many bytes are there

	holder records.Scope // of the schedule
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

// hiddenFile is what is stored of a file beside its wire form.
type hiddenFile struct {
	Holder *records.Scope `json:"holder"`
}

var fileRecords = records.Collection[File]{
	Name: "files", Unversioned: true,
	ID:     func(f *File) string { return f.ID },
	Hidden: func(f *File) any { return &hiddenFile{&f.holder} },
	Indexes: []records.Index[File]{
		{Name: fileHolder, Value: func(f *File) string { return string(f.holder) }},
		{Name: fileExpiry, Value: func(f *File) string { return expiryOf(f.ExpiresAt.Time) }},
	},
}

// expiryOf is a time as the index has it, which sorts as the times do.
func expiryOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

var fileMissing = problem.NotFound("FileNotFound", "fileId", "file")

// bytes is where the bytes of a file are: in pieces of blob.PieceBytes, but for the last.
func (f *File) bytes() records.Scope { return records.Scope("plannerfile-" + f.ID) }

func (f *File) pieces() int { return int((f.Offset + blob.PieceBytes - 1) / blob.PieceBytes) }

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
		c.Bad("Upload-Metadata", "What is said of a file has at most %d bytes.", MaxFileMetadata)
	}
}

var errTooManyFiles = problem.Conflict("FileQuotaExceeded", "",
	"The files of the schedule are as many or as large as it has room for. They are forgotten a day after they were last used.")

// CreateFile begins the upload of a file (POST …/files): AppendFile brings its bytes. It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that
// is not of type v10 or InvalidValue (Upload-Length, Upload-Metadata); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; FileQuotaExceeded beyond MaxFiles and
// MaxFilesBytes.
func (s *Service) CreateFile(ctx context.Context, scheduleID string, n NewFile) (rec twinplatform.Record[File], err error) {
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return rec, err
	}
	err = s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		sc, err := s.changeable(u, j, scheduleID)
		if err == nil {
			err = v10Only(sc)
		}
		if err == nil {
			_, err = s.ready(u, sc.place(), false)
		}
		if err == nil {
			err = roomForFile(u, sc.scope(), n.Length)
		}
		if err != nil {
			return err
		}
		now := s.now()
		rec, err = fileRecords.Insert(u, inFiles, &File{
			CreatedAt: now, ExpiresAt: twinplatform.At(now.Add(FileTime)), ID: s.env.NewID(),
			Length: n.Length, Metadata: n.Metadata, holder: sc.scope(),
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
func (s *Service) File(ctx context.Context, scheduleID, fileID string) (rec twinplatform.Record[File], err error) {
	err = s.read(ctx, scheduleID, scheduleMissing, func(v *records.View, sc *Schedule) error {
		rec, err = fileRecords.Get(v, inFiles, fileID)
		if err == nil && (rec.Value.holder != sc.scope() || s.expired(&rec.Value)) {
			err = records.ErrNotFound
		}
		return fileMissing.Or(err)
	})
	if err != nil {
		return twinplatform.Record[File]{}, err
	}
	return rec, nil
}

func (s *Service) expired(f *File) bool { return !s.env.Now().Before(f.ExpiresAt.Time) }

// fileOf is a file of a schedule that is kept.
func (s *Service) fileOf(tx records.Reading, holder records.Scope, id string) (*File, error) {
	f, err := fileRecords.Value(tx, inFiles, id)
	if err == nil && (f.holder != holder || s.expired(f)) {
		err = records.ErrNotFound
	}
	return f, err
}

// bytesPerAppend is how many bytes of a file one transaction writes.
const bytesPerAppend = 4 * blob.PieceBytes

// AppendFile adds to a file what content has, behind the first offset bytes, which are
// those that are there (PATCH …/files/{fileId}). What has come is kept whatever happens
// behind it: when content fails, or ctx ends, the file has what was read until then, and
// the next call goes on at its Offset. An error of content is returned as it is. It needs
// PermissionModify.
//
// Errors: ScheduleNotFound; FileNotFound, also once it is forgotten;
// InsufficientPermissions; ScheduleNotInitialized; UploadOffsetMismatch when the file has more or fewer bytes than
// offset, also when somebody else adds to it at once; InvalidSchedulesRequest with
// InvalidValue (Upload-Offset) for less than 0, or for more bytes than the file is to have,
// of which those that it has room for are kept.
func (s *Service) AppendFile(ctx context.Context, scheduleID, fileID string, offset int64, content io.Reader) (rec twinplatform.Record[File], err error) {
	if offset < 0 {
		return rec, invalid(problem.BadValue("Upload-Offset", "An offset is 0 or more."))
	}
	// Neither offset nor rights are found out by sending: the first look takes nothing.
	if rec, err = s.appendFile(ctx, scheduleID, fileID, offset, nil); err != nil {
		return rec, err
	}
	buffer := make([]byte, bytesPerAppend)
	for end := error(nil); end == nil; {
		room := buffer[:min(bytesPerAppend-offset%blob.PieceBytes, rec.Value.Length-offset+1)]
		var n int
		n, end = fill(content, room)
		over := int64(n) > rec.Value.Length-offset
		if over {
			n--
		}
		if n > 0 {
			kept, err := s.appendFile(context.WithoutCancel(ctx), scheduleID, fileID, offset, room[:n])
			if err != nil {
				return rec, err
			}
			rec, offset = kept, offset+int64(n)
		}
		if over {
			return rec, invalid(problem.BadValue("Upload-Offset", "The file has %d bytes, and there came more.", rec.Value.Length))
		}
		if end != nil && !errors.Is(end, io.EOF) {
			return rec, end
		}
	}
	return rec, ctx.Err()
}

// fill reads until a buffer is full. The error is the reader's own.
func fill(r io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var some int
		some, err = r.Read(buffer[n:])
		n += some
	}
	return n, err
}

var errOffset = problem.Conflict("UploadOffsetMismatch", "Upload-Offset",
	"The file has another number of bytes than the offset says. Ask for its offset, and go on there.")

// changeableFile is a file of a schedule whose files the caller may change now.
func (s *Service) changeableFile(u *records.Update, j *judge.Judge, scheduleID, fileID string) (*File, error) {
	sc, err := s.changeable(u, j, scheduleID)
	if err == nil {
		_, err = s.ready(u, sc.place(), false)
	}
	if err != nil {
		return nil, err
	}
	f, err := s.fileOf(u, sc.scope(), fileID)
	return f, fileMissing.Or(err)
}

// appendFile adds some bytes in a transaction.
func (s *Service) appendFile(ctx context.Context, scheduleID, fileID string, offset int64, content []byte) (rec twinplatform.Record[File], err error) {
	err = s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		f, err := s.changeableFile(u, j, scheduleID, fileID)
		if err != nil {
			return err
		}
		if f.Offset != offset {
			return errOffset
		}
		if len(content) == 0 {
			rec, err = fileRecords.Get(u, inFiles, fileID)
			return err
		}
		if err := f.put(u, content); err != nil {
			return err
		}
		f.Offset += int64(len(content))
		f.ExpiresAt = twinplatform.At(s.env.Now().Add(FileTime))
		rec, err = fileRecords.Put(u, inFiles, f)
		return err
	})
	return rec, err
}

// put writes bytes behind those that are there. The last piece is filled up first.
func (f *File) put(u *records.Update, content []byte) error {
	whole, begun := int(f.Offset/blob.PieceBytes), int(f.Offset%blob.PieceBytes)
	if begun > 0 {
		last, err := blob.Pieces.Value(u, f.bytes(), blob.Place(whole))
		if err != nil {
			return err
		}
		n := min(len(content), blob.PieceBytes-begun)
		filled := append(last.Bytes[:begun:begun], content[:n]...)
		if _, err := blob.Pieces.Put(u, f.bytes(), &blob.Piece{Bytes: filled, Place: blob.Place(whole)}); err != nil {
			return err
		}
		content, whole = content[n:], whole+1
	}
	_, err := blob.Put(u, f.bytes(), whole, content)
	return err
}

// OpenFile returns the bytes of a file, as many as have come. They are read while ctx
// lasts, and reading fails with FileNotFound once the file is forgotten. The REST API has
// no operation for it.
//
// Errors: as File.
func (s *Service) OpenFile(ctx context.Context, scheduleID, fileID string) (io.Reader, error) {
	rec, err := s.File(ctx, scheduleID, fileID)
	if err != nil {
		return nil, err
	}
	return s.openFile(ctx, &rec.Value), nil
}

func (s *Service) openFile(ctx context.Context, f *File) io.Reader {
	return blob.NewReader(ctx, s.db, f.bytes(), f.pieces(), fileMissing.Err())
}

// DeleteFile removes a file of a schedule before its time (DELETE …/files/{fileId}). An
// import that reads it fails. It needs PermissionModify.
//
// Errors: ScheduleNotFound; FileNotFound; InsufficientPermissions; ScheduleNotInitialized.
func (s *Service) DeleteFile(ctx context.Context, scheduleID, fileID string) error {
	return s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		f, err := s.changeableFile(u, j, scheduleID, fileID)
		if err != nil {
			return err
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

// forgetFiles removes one of the files that are no longer kept, and reports whether there
// may be more.
func (s *Service) forgetFiles(ctx context.Context) (more bool, err error) {
	found, err := s.expiredFile(ctx)
	if err != nil || found == "" {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		more = true
		f, err := fileRecords.Lookup(u, inFiles, found)
		if f == nil || err != nil || !s.expired(f) {
			return err
		}
		return eraseFile(u, f)
	})
	return more, err
}

// expiredFile is the id of a file that is no longer kept; empty when there is none.
func (s *Service) expiredFile(ctx context.Context) (id string, err error) {
	until := expiryOf(s.env.Now())
	err = s.db.View(ctx, func(v *records.View) error {
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
