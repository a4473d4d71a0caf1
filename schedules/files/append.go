package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// bytesPerAppend is how many bytes of a file one transaction writes.
const bytesPerAppend = 4 * blob.PieceBytes

// AppendFile adds content to a file behind its last byte; offset must be how many bytes it
// has so far (PATCH …/files/{fileId}). What has come is kept whatever happens behind it:
// when content fails, or ctx ends, the file has what was read until then, and the next call
// continues at its Offset. An error of content is returned as it is. It needs
// PermissionModify.
//
// Errors: ScheduleNotFound; FileNotFound, also once it is forgotten; InsufficientPermissions;
// ScheduleNotInitialized; UploadOffsetMismatch when the file has more or fewer bytes than offset,
// also when someone else adds to it at once; InvalidSchedulesRequest with InvalidValue
// (Upload-Offset) for less than 0, or for more bytes than the file is to have, of which those that
// it has room for are kept, and with MissingRequiredProperty (content) for a nil content;
// VersionMismatch; AccountStorageFull and StorageFull where Env.Bytes has no room.
func (p Plan) AppendFile(
	ctx context.Context, fileID string, offset int64, content io.Reader, pre ...twinplatform.Precondition,
) (rec twinplatform.Record[File], err error) {
	if offset < 0 {
		return rec, model.Invalid(problem.BadValue("Upload-Offset", "An offset is 0 or more."))
	}
	if content == nil {
		return rec, model.Invalid(problem.Missing("content"))
	}
	// Neither offset nor rights are found out by sending: the first look takes nothing.
	end := fileEnd{p, fileID, offset, twinplatform.ConditionOf(pre...)}
	err = end.at(ctx, func(u *records.Update, _ *model.Schedule, _ *File) (err error) {
		rec, err = fileRecords.Get(u, inFiles, fileID)
		return err
	})
	if err != nil {
		return rec, err
	}
	in := &fileSource{from: content, room: rec.Value.Length - offset}
	for buffer := make([]byte, bytesPerAppend); in.end == nil; {
		kept, err := end.addPart(context.WithoutCancel(ctx), in, buffer)
		if err != nil {
			return rec, err
		}
		if kept.ETag != "" {
			rec, end.offset = kept, kept.Value.Offset
			end.condition = "" // the file is of another version now, as the offset shows
		}
		if in.over {
			return rec, model.Invalid(
				problem.BadValue("Upload-Offset", "The file has %d bytes, and there came more.", rec.Value.Length))
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
		buffer = buffer[:f.room+1] // one byte more shows that too many come
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
	"The offset is not the length of the file so far. Ask for its offset, and continue there.")

// change runs fn over a file of a schedule whose files the caller may change now.
func (p Plan) change(ctx context.Context, fileID string, fn func(*records.Update, *model.Schedule, *File) error) error {
	return p.files.area.Change(ctx, p.id, nil, func(u *records.Update, sc *model.Schedule) error {
		f, err := p.files.Find(u, sc.Scope, fileID)
		if err != nil {
			return fileMissing.Or(err)
		}
		return fn(u, sc, f)
	})
}

// fileEnd is where bytes are added to a file.
type fileEnd struct {
	Plan

	fileID    string
	offset    int64
	condition twinplatform.Condition // on the file as it is before the first bytes are added
}

// at runs fn in a transaction while the file ends there.
func (e fileEnd) at(ctx context.Context, fn func(*records.Update, *model.Schedule, *File) error) error {
	return e.change(ctx, e.fileID, func(u *records.Update, sc *model.Schedule, f *File) error {
		err := fileMissing.Or(fileRecords.Check(u, inFiles, e.fileID, e.condition))
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
func (e fileEnd) add(
	ctx context.Context, n int64, put func(*records.Update, *File) error,
) (rec twinplatform.Record[File], err error) {
	err = e.at(ctx, func(u *records.Update, _ *model.Schedule, f *File) error {
		if err := put(u, f); err != nil {
			return err
		}
		f.Offset += n
		f.ExpiresAt = e.files.expiry()
		rec, err = fileRecords.Put(u, inFiles, f)
		return err
	})
	return rec, err
}

// addPart adds the next part of what comes. The record is the zero one where nothing came.
func (e fileEnd) addPart(
	ctx context.Context, in *fileSource, buffer []byte,
) (rec twinplatform.Record[File], err error) {
	outside := e.files.area.Blobs.Outside()
	if !outside {
		buffer = buffer[:bytesPerAppend-e.offset%blob.PieceBytes]
	}
	head := buffer[:in.read(buffer)]
	switch {
	case len(head) == 0:
		return rec, nil
	case outside:
		return e.addOutside(ctx, io.MultiReader(bytes.NewReader(head), in.part(blob.PartBytes-len(head))))
	}
	return e.add(ctx, int64(len(head)), func(u *records.Update, f *File) error { return f.put(u, head) })
}

// addOutside adds what comes as an object outside the store.
func (e fileEnd) addOutside(ctx context.Context, content io.Reader) (rec twinplatform.Record[File], err error) {
	var d *blob.Draft
	err = e.at(ctx, func(u *records.Update, sc *model.Schedule, f *File) (err error) {
		d, err = e.files.area.Blobs.Append(u, sc.AccountID, f.bytes())
		return err
	})
	if err != nil {
		return rec, err
	}
	defer d.Discard(ctx)
	if err := d.Write(ctx, content); err != nil {
		return rec, err
	}
	return e.add(ctx, d.Size(), func(u *records.Update, f *File) error {
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
