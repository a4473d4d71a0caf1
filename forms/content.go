package forms

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

const (
	// chunksPerStep is how many pieces one transaction writes.
	chunksPerStep = 16
	// maxChunks is how many pieces the largest attachment has.
	maxChunks = MaxAttachmentBytes / blob.PieceBytes
	// contentsPerStep is how many contents one transaction removes.
	contentsPerStep = 16
)

// These lines do not compile when the pieces grow out of the store's limits.
var (
	_ [storage.MaxTxBytes - chunksPerStep*storage.MaxValueBytes]struct{}
	_ [storage.MaxTxWrites - contentsPerStep*2*maxChunks - 1<<10]struct{}
)

// upload records that there are bytes of an attachment, current or being written, so that
// none stay behind when the writing of some was broken off.
type upload struct {
	AttachmentID string `json:"attachmentId"`
	Content      string `json:"content"`
}

var uploads = records.Collection[upload]{
	Name: "uploads", Untracked: true,
	ID: func(up *upload) string { return records.Join(up.AttachmentID, up.Content) },
}

// contentScope holds the pieces of one content.
func contentScope(content string) records.Scope { return records.Scope("formfile-" + content) }

// eraseContents removes the contents of an attachment, but not those that are to
// be kept; without an attachment, those of all of the form. It reports whether
// there are more than one transaction should remove.
func eraseContents(u *records.Update, inner records.Scope, attachmentID string, keep ...string) (more bool, err error) {
	prefix := attachmentID
	if prefix != "" {
		prefix += "/"
	}
	n := 0
	for up, err := range uploads.All(u, inner, prefix) {
		switch {
		case err != nil:
			return false, err
		case slices.Contains(keep, up.Content):
			continue
		case n == contentsPerStep:
			return true, nil
		}
		if err := blob.Erase(u, contentScope(up.Content)); err != nil {
			return false, err
		}
		if err := uploads.Erase(u, inner, uploads.ID(up)); err != nil {
			return false, err
		}
		n++
	}
	return false, nil
}

var errOverwritten = problem.Conflict("AttachmentOverwritten", "attachmentId",
	"The attachment was written by another caller meanwhile.")

var errAttachmentTooLarge = problem.With(InvalidRequest,
	problem.BadValue("content", "An attachment has at most %d bytes.", MaxAttachmentBytes))

// WriteAttachment sets the bytes of an attachment, in place of any that it had (PUT
// /forms/{id}/attachments/{attachmentId}). It needs PermissionComment. Readers see the
// bytes before or those after, never a part of them. An error of content is returned as
// it is.
//
// Errors: FormDataNotFound; AttachmentNotFound; InsufficientPermissions;
// AttachmentOverwritten when two callers write at the same time;
// InvalidFormDataRequest with InvalidValue (content) for more than 50 MiB, and with
// MissingRequiredProperty (content) for a nil one; VersionMismatch; AccountStorageFull and
// StorageFull where Env.Bytes has no room.
func (s *Service) WriteAttachment(
	ctx context.Context, formID, attachmentID string, content io.Reader, pre ...twinplatform.Precondition,
) (rec twinplatform.Record[Attachment], err error) {
	if content == nil {
		return rec, problem.With(InvalidRequest, problem.Missing("content"))
	}
	w := writing{
		s: s, formID: formID, condition: twinplatform.ConditionOf(pre...),
		upload: upload{AttachmentID: attachmentID, Content: s.env.NewID()},
	}
	if err := w.begin(ctx); err != nil {
		return rec, err
	}
	defer func() { w.draft.Discard(ctx) }()
	content = io.LimitReader(content, MaxAttachmentBytes+1)
	if w.draft == nil {
		err = w.copy(ctx, content)
	} else {
		err = w.copyOutside(ctx, content)
	}
	if err == nil {
		rec, err = w.finish(ctx)
	}
	if err != nil {
		return rec, errors.Join(err, w.undo(context.WithoutCancel(ctx)))
	}
	return rec, nil
}

// writing is a new content of an attachment on its way into the store.
type writing struct {
	s         *Service
	formID    string
	condition twinplatform.Condition // of the attachment, until it has the bytes
	upload
	chunks int
	size   int64
	draft  *blob.Draft // of what goes outside the store; nil where it goes into it
}

// inner is where what belongs to the form is.
func (w *writing) inner() records.Scope { return inForm(w.formID) }

// begin notes that there will be bytes.
func (w *writing) begin(ctx context.Context) error {
	ctx = w.s.reading(ctx, w.formID, nil, func(_ records.Reading, in records.Scope) []records.Need {
		return uploads.NeedsOfNew(in, uploads.ID(&w.upload))
	})
	return w.s.update(ctx, func(u *records.Update, j *judge) error {
		a, err := j.writableAttachment(w.formID, w.AttachmentID)
		if err == nil {
			err = attachmentMissing.Or(attachmentRecords.Check(u, w.inner(), w.AttachmentID, w.condition))
		}
		if err == nil && w.s.blobs.Outside() {
			w.draft, err = w.s.blobs.Begin(u, a.definition.AccountID)
		}
		if err == nil {
			_, err = uploads.Insert(u, w.inner(), &w.upload)
		}
		return err
	})
}

// update does a part of the writing, unless the caller may no more or someone else was
// faster.
func (w *writing) update(ctx context.Context, reads needs, fn func(*records.Update) error) error {
	ctx = w.s.reading(ctx, w.formID, nil, func(tx records.Reading, in records.Scope) []records.Need {
		return append(uploads.Needs(in, uploads.ID(&w.upload)), reads(tx, in)...)
	})
	return w.s.update(ctx, func(u *records.Update, j *judge) error {
		if _, err := j.writableAttachment(w.formID, w.AttachmentID); err != nil {
			return err
		}
		if has, err := uploads.Has(u, w.inner(), uploads.ID(&w.upload)); err != nil {
			return err
		} else if !has {
			return errOverwritten
		}
		return fn(u)
	})
}

// copy stores the bytes, as yet seen by no one.
func (w *writing) copy(ctx context.Context, content io.Reader) error {
	buf := make([]byte, blob.PieceBytes)
	for end := false; !end; {
		var step []blob.Piece
		var err error
		if step, end, err = w.read(content, buf); err != nil {
			return err
		}
		err = w.update(ctx, func(records.Reading, records.Scope) (all []records.Need) {
			for i := range step {
				all = append(all, blob.Pieces.NeedsOfNew(contentScope(w.Content), blob.Pieces.ID(&step[i]))...)
			}
			return all
		}, func(u *records.Update) error {
			for i := range step {
				if _, err := blob.Pieces.Insert(u, contentScope(w.Content), &step[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// copyOutside writes the bytes outside the store, as yet seen by no one.
func (w *writing) copyOutside(ctx context.Context, content io.Reader) error {
	if err := w.draft.Write(ctx, content); err != nil {
		return err
	}
	if w.size = w.draft.Size(); w.size > MaxAttachmentBytes {
		return errAttachmentTooLarge
	}
	return nil
}

// read takes what one transaction stores of the bytes, and reports whether that is
// the rest.
func (w *writing) read(content io.Reader, buf []byte) (step []blob.Piece, end bool, err error) {
	for !end && len(step) < chunksPerStep {
		n, err := io.ReadFull(content, buf)
		if end = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !end {
			return nil, false, err
		}
		if w.size += int64(n); w.size > MaxAttachmentBytes {
			return nil, false, errAttachmentTooLarge
		}
		if n > 0 {
			step = append(step, blob.Piece{Bytes: slices.Clone(buf[:n]), Place: blob.Place(w.chunks)})
			w.chunks++
		}
	}
	return step, end, nil
}

// finish puts the new bytes in force and removes all others of the attachment,
// also those that an earlier process did not come to finish.
func (w *writing) finish(ctx context.Context) (rec twinplatform.Record[Attachment], err error) {
	err = w.update(ctx, func(_ records.Reading, in records.Scope) []records.Need {
		return append(attachmentRecords.NeedsOfChange(in, w.AttachmentID), needsOfContents(in, w.AttachmentID)...)
	}, func(u *records.Update) error {
		rec, err = attachmentRecords.Modify(u, w.inner(), w.AttachmentID, w.condition, func(att *Attachment) error {
			att.content, att.chunks, att.Size = w.Content, w.chunks, &w.size
			return nil
		})
		if err != nil {
			return attachmentMissing.Or(err)
		}
		if w.draft != nil {
			_, err = w.draft.Put(u, contentScope(w.Content), 0, 0)
		}
		if err == nil {
			_, err = eraseContents(u, w.inner(), w.AttachmentID, w.Content)
		}
		return err
	})
	return rec, err
}

// undo removes what was stored without success.
func (w *writing) undo(ctx context.Context) error {
	return w.s.db.Update(ctx, func(u *records.Update) error {
		if err := blob.Erase(u, contentScope(w.Content)); err != nil {
			return err
		}
		return uploads.Erase(u, w.inner(), uploads.ID(&w.upload))
	})
}

// Content is the bytes of an attachment. It reads them piece by piece.
type Content struct {
	Attachment

	bytes *blob.Reader
}

// OpenAttachment returns the bytes of an attachment (GET
// /forms/{id}/attachments/{attachmentId}). They are read while ctx lasts.
//
// Errors: FormDataNotFound; AttachmentNotFound, also until the bytes were written.
// Reading fails with AttachmentOverwritten when they are written again meanwhile.
func (s *Service) OpenAttachment(ctx context.Context, formID, attachmentID string) (*Content, error) {
	var c *Content
	err := s.view(ctx, func(v *records.View, j *judge) error {
		_, att, err := j.attachment(formID, attachmentID)
		if err != nil {
			return err
		}
		if att.Size == nil {
			return attachmentMissing.Err()
		}
		c = &Content{
			Attachment: *att,
			bytes:      blob.NewReader(ctx, s.db, contentScope(att.content), *att.Size, errOverwritten),
		}
		return c.bytes.Find(v)
	})
	if err == nil {
		err = c.bytes.Begin()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Read implements io.Reader.
func (c *Content) Read(p []byte) (int, error) { return c.bytes.Read(p) }
