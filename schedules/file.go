package schedules

import (
	"bytes"
	"cmp"
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
func (p Plan) CreateFile(ctx context.Context, n NewFile) (rec twinplatform.Record[File], err error) {
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return rec, err
	}
	err = p.s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		sc, err := p.s.changeable(u, j, p.id)
		if err == nil {
			err = v10Only(sc)
		}
		if err == nil {
			_, err = p.s.ready(u, sc.place(), false)
		}
		if err == nil {
			err = roomForFile(u, sc.scope(), n.Length)
		}
		if err != nil {
			return err
		}
		now := p.s.now()
		rec, err = fileRecords.Insert(u, inFiles, &File{
			CreatedAt: now, ExpiresAt: twinplatform.At(now.Add(FileTime)), ID: p.s.env.NewID(),
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
func (p Plan) File(ctx context.Context, fileID string) (rec twinplatform.Record[File], err error) {
	err = p.s.read(ctx, p.id, scheduleMissing, func(v *records.View, sc *Schedule) error {
		rec, err = fileRecords.Get(v, inFiles, fileID)
		if err == nil && (rec.Value.holder != sc.scope() || p.s.expired(&rec.Value)) {
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
// of which those that it has room for are kept, and with MissingRequiredProperty (content)
// for a nil content; VersionMismatch; AccountStorageFull and StorageFull where Env.Bytes has
// no room.
func (p Plan) AppendFile(ctx context.Context, fileID string, offset int64, content io.Reader, pre ...twinplatform.Precondition) (rec twinplatform.Record[File], err error) {
	if offset < 0 {
		return rec, invalid(problem.BadValue("Upload-Offset", "An offset is 0 or more."))
	}
	if content == nil {
		return rec, invalid(problem.Missing("content"))
	}
	// Neither offset nor rights are found out by sending: the first look takes nothing.
	end := fileEnd{p.id, fileID, offset, twinplatform.ConditionOf(pre...)}
	err = end.at(ctx, p.s, func(u *records.Update, _ *Schedule, _ *File) (err error) {
		rec, err = fileRecords.Get(u, inFiles, fileID)
		return err
	})
	if err != nil {
		return rec, err
	}
	in := &fileSource{from: content, room: rec.Value.Length - offset}
	for buffer := make([]byte, bytesPerAppend); in.end == nil; {
		kept, err := end.addPart(context.WithoutCancel(ctx), p.s, in, buffer)
		if err != nil {
			return rec, err
		}
		if kept.ETag != "" {
			rec, end.offset = kept, kept.Value.Offset
			end.condition = "" // the file is of another version now, which the offset tells
		}
		if in.over {
			return rec, invalid(problem.BadValue("Upload-Offset", "The file has %d bytes, and there came more.", rec.Value.Length))
		}
	}
	if !errors.Is(in.end, io.EOF) {
		return rec, in.end
	}
	return rec, ctx.Err()
}

// fileSource is what comes of a file.
type fileSource struct {
	from io.Reader
	end  error // of what comes: what came before it is kept
	room int64 // how many bytes the file has room for
	over bool  // there came more
}

// read reads until a buffer is full, or what comes is at its end.
func (f *fileSource) read(buffer []byte) (n int) {
	if int64(len(buffer)) > f.room {
		buffer = buffer[:f.room+1] // one byte more tells that too many come
	}
	for n < len(buffer) && f.end == nil {
		var some int
		some, f.end = f.from.Read(buffer[n:])
		n += some
	}
	if f.over = int64(n) > f.room; f.over {
		n--
	}
	f.room -= int64(n)
	return n
}

// partTime is how long a part outside the store is added to before it is put in force, so
// that little is lost of what comes slowly when the process dies.
const partTime = 30 * time.Second

// part reads so many bytes at most, for a while at most.
func (f *fileSource) part(most int) io.Reader {
	until := time.Now().Add(partTime)
	return readerFunc(func(b []byte) (n int, err error) {
		if f.end == nil && !f.over && most > 0 && time.Now().Before(until) {
			n = f.read(b[:min(len(b), most)])
			most -= n
		}
		if n == 0 {
			err = io.EOF
		}
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

var errOffset = problem.Conflict("UploadOffsetMismatch", "Upload-Offset",
	"The file has another number of bytes than the offset says. Ask for its offset, and go on there.")

// changeableFile is a file of a schedule whose files the caller may change now.
func (s *Service) changeableFile(u *records.Update, j *judge.Judge, scheduleID, fileID string) (*Schedule, *File, error) {
	sc, err := s.changeable(u, j, scheduleID)
	if err == nil {
		_, err = s.ready(u, sc.place(), false)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := s.fileOf(u, sc.scope(), fileID)
	return sc, f, fileMissing.Or(err)
}

// fileEnd is where bytes are added to a file.
type fileEnd struct {
	scheduleID, fileID string
	offset             int64
	condition          twinplatform.Condition // on the file as it is before the first bytes are added
}

// at runs fn in a transaction while the file ends there.
func (e fileEnd) at(ctx context.Context, s *Service, fn func(*records.Update, *Schedule, *File) error) error {
	return s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		sc, f, err := s.changeableFile(u, j, e.scheduleID, e.fileID)
		if err == nil {
			err = fileMissing.Or(fileRecords.Check(u, inFiles, e.fileID, e.condition))
		}
		if err == nil && f.Offset != e.offset {
			err = errOffset
		}
		if err != nil {
			return err
		}
		return fn(u, sc, f)
	})
}

// add adds n bytes, which put puts in force.
func (e fileEnd) add(ctx context.Context, s *Service, n int64, put func(*records.Update, *File) error) (rec twinplatform.Record[File], err error) {
	err = e.at(ctx, s, func(u *records.Update, _ *Schedule, f *File) error {
		if err := put(u, f); err != nil {
			return err
		}
		f.Offset += n
		f.ExpiresAt = twinplatform.At(s.env.Now().Add(FileTime))
		rec, err = fileRecords.Put(u, inFiles, f)
		return err
	})
	return rec, err
}

// addPart adds the next part of what comes. The record is the zero one where nothing came.
func (e fileEnd) addPart(ctx context.Context, s *Service, in *fileSource, buffer []byte) (rec twinplatform.Record[File], err error) {
	if !s.blobs.Outside() {
		buffer = buffer[:bytesPerAppend-e.offset%blob.PieceBytes]
	}
	head := buffer[:in.read(buffer)]
	switch {
	case len(head) == 0:
		return rec, nil
	case s.blobs.Outside():
		return e.addOutside(ctx, s, io.MultiReader(bytes.NewReader(head), in.part(blob.PartBytes-len(head))))
	}
	return e.add(ctx, s, int64(len(head)), func(u *records.Update, f *File) error { return f.put(u, head) })
}

// addOutside adds what comes as an object outside the store.
func (e fileEnd) addOutside(ctx context.Context, s *Service, content io.Reader) (rec twinplatform.Record[File], err error) {
	var d *blob.Draft
	err = e.at(ctx, s, func(u *records.Update, sc *Schedule, f *File) (err error) {
		d, err = s.blobs.Append(u, sc.AccountID, f.bytes())
		return err
	})
	if err != nil {
		return rec, err
	}
	defer d.Discard(ctx)
	if err := d.Write(ctx, content); err != nil {
		return rec, err
	}
	return e.add(ctx, s, d.Size(), func(u *records.Update, f *File) error {
		_, err := d.Put(u, f.bytes(), f.Offset, 0)
		return err
	})
}

// put writes bytes behind those that are there. The last piece is filled up first.
func (f *File) put(u *records.Update, content []byte) error {
	if inside, err := blob.Inside(u, f.bytes()); !inside || err != nil {
		return cmp.Or(err, blob.ErrOutside)
	}
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
func (p Plan) OpenFile(ctx context.Context, fileID string) (io.Reader, error) {
	rec, err := p.File(ctx, fileID)
	if err != nil {
		return nil, err
	}
	return p.s.openFile(ctx, &rec.Value), nil
}

func (s *Service) openFile(ctx context.Context, f *File) *blob.Reader {
	return blob.NewReader(ctx, s.db, f.bytes(), f.Offset, fileMissing.Err())
}

// DeleteFile removes a file of a schedule before its time (DELETE …/files/{fileId}). An
// import that reads it fails. It needs PermissionModify.
//
// Errors: ScheduleNotFound; FileNotFound; InsufficientPermissions; ScheduleNotInitialized;
// VersionMismatch.
func (p Plan) DeleteFile(ctx context.Context, fileID string, pre ...twinplatform.Precondition) error {
	return p.s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		_, f, err := p.s.changeableFile(u, j, p.id, fileID)
		if err != nil {
			return err
		}
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
