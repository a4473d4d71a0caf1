package forms

import (
	"context"
	"mime"
	"path"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Attachment is a file that is attached to a form.
type Attachment struct {
	// Binding says to which part of the form the file belongs, if to any.
	Binding         twinplatform.NullString `json:"binding"`
	Caption         twinplatform.NullString `json:"caption"`         // null when there is none
	CreatedBy       string                  `json:"createdBy"`       // the name of who added it
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // when it was announced, before its bytes
	FileName        string                  `json:"fileName"`        // 1 to MaxName characters, without any path
	ID              string                  `json:"id"`              // chosen by the platform
	// Size is in bytes; null until the bytes were written.
	Size *int64 `json:"size"`
	// Type is the media type of the file's extension, or else application/octet-stream.
	Type string `json:"type"`

	content string // names the bytes in force; empty until they were written
	chunks  int    // of the bytes in force
}

// hiddenAttachment is what is stored of an attachment in addition to its wire form.
type hiddenAttachment struct {
	Chunks  *int    `json:"chunks"`
	Content *string `json:"content"`
}

var attachmentRecords = records.Collection[Attachment]{
	Name: "attachments", Untracked: true,
	ID:     func(a *Attachment) string { return a.ID },
	Hidden: func(a *Attachment) any { return &hiddenAttachment{&a.chunks, &a.content} },
}

// mediaType is the media type of a file's extension. Those of the files that forms
// usually carry do not depend on the machine.
func mediaType(fileName string) string {
	switch ext := strings.ToLower(path.Ext(fileName)); ext {
	case ".txt", ".log":
		return "text/plain; charset=utf-8"
	case ".csv":
		return "text/csv; charset=utf-8"
	case ".doc":
		return "application/msword"
	case ".docx":
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case ".xls":
		return "application/vnd.ms-excel"
	case ".xlsx":
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case ".zip":
		return "application/zip"
	case ".mp4":
		return "video/mp4"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
	}
	return "application/octet-stream"
}

// NewAttachment asks for an attachment.
type NewAttachment struct {
	Binding twinplatform.NullString `json:"binding"` // up to MaxText characters
	Caption twinplatform.NullString `json:"caption"` // up to MaxText characters
	// FileName is required, without any path.
	FileName string `json:"fileName"`
}

var attachmentKind = entity.Kind[Attachment, NewAttachment, entity.None]{
	Records: &attachmentRecords, One: "attachment", Many: "attachments", Resource: "attachment",
	Missing: attachmentMissing, Bad: &InvalidRequest,
	Members: func(a *Attachment, n *NewAttachment, _ *entity.None) []entity.Member {
		return []entity.Member{
			entity.Text("fileName", &a.FileName, &n.FileName, nil).Max(MaxName).Required().Valid(checkFileName),
			entity.Text("caption", &a.Caption, &n.Caption, nil).Max(MaxText),
			entity.Text("binding", &a.Binding, &n.Binding, nil).Max(MaxText),
		}
	},
	AfterCreate: func(a *Attachment, _ *NewAttachment, _ *problem.Checks) { a.Type = mediaType(a.FileName) },
}

func checkFileName(c *problem.Checks, name, v string) {
	if !problem.Printable(v) || strings.ContainsAny(v, `/\`) || v == "." || v == ".." {
		c.Bad(name, "A file name has printable characters and no path.")
	}
}

// Attachments lists the attachments of a form (GET /forms/{id}/attachments).
// Pages have at most 50 attachments.
//
// Errors: FormDataNotFound; InvalidFormDataRequest with InvalidValue (top,
// continuation).
func (s *Service) Attachments(ctx context.Context, formID string,
	o twinplatform.ListOptions,
) (twinplatform.Page[Attachment], error) {
	return listInner(ctx, s, formID, &attachmentRecords, o)
}

// CreateAttachment makes an attachment without its bytes, which WriteAttachment
// adds (POST /forms/{id}/attachments). It needs PermissionComment.
//
// Errors: FormDataNotFound; InsufficientPermissions; InvalidFormDataRequest with
// MissingRequiredProperty (fileName) or InvalidValue (fileName, caption,
// binding).
func (s *Service) CreateAttachment(ctx context.Context, formID string,
	n NewAttachment,
) (res twinplatform.Result[Attachment], err error) {
	att, err := attachmentKind.Make(n)
	if err != nil {
		return res, err
	}
	att.ID, att.CreatedBy, att.CreatedDateTime = s.env.NewID(), callerOf(ctx).DisplayName, s.now()
	ctx = s.reading(ctx, formID, nil, func(_ records.Reading, in records.Scope) []records.Need {
		return attachmentRecords.NeedsOfNew(in, att.ID)
	})
	return write(ctx, s, func(u *records.Update, j *judge) (rec twinplatform.Record[Attachment], err error) {
		a, err := j.permittedForm(formID, PermissionComment)
		if err != nil {
			return rec, err
		}
		return attachmentKind.Insert(u, a.inner(), &att, new(problem.Checks))
	})
}

// DeleteAttachment removes an attachment with its bytes (DELETE
// /forms/{id}/attachments/{attachmentId}). It needs PermissionComment.
//
// Errors: FormDataNotFound, AttachmentNotFound, InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteAttachment(ctx context.Context, formID, attachmentID string,
	pre ...twinplatform.Precondition,
) error {
	ctx = s.reading(ctx, formID, nil, func(_ records.Reading, in records.Scope) []records.Need {
		return append(attachmentRecords.NeedsOfChange(in, attachmentID), needsOfContents(in, attachmentID)...)
	})
	return s.update(ctx, func(u *records.Update, j *judge) error {
		a, err := j.writableAttachment(formID, attachmentID)
		if err != nil {
			return err
		}
		if err := attachmentKind.Erase(u, a.inner(), attachmentID, twinplatform.ConditionOf(pre...), nil); err != nil {
			return err
		}
		_, err = eraseContents(u, a.inner(), attachmentID)
		return err
	})
}

// attachment returns an attachment of a form that the caller may view.
func (j *judge) attachment(formID, attachmentID string) (*formAccess, *Attachment, error) {
	records.Declare(j.tx, attachmentRecords.Needs(inForm(formID), attachmentID)...)
	a, err := j.visibleForm(formID)
	if err != nil {
		return nil, nil, err
	}
	att, err := attachmentRecords.Value(j.tx, a.inner(), attachmentID)
	return a, att, attachmentMissing.Or(err)
}

// writableAttachment returns the form of an attachment that the caller may
// write and remove.
func (j *judge) writableAttachment(formID, attachmentID string) (*formAccess, error) {
	a, _, err := j.attachment(formID, attachmentID)
	if err != nil {
		return nil, err
	}
	return a, a.need(PermissionComment)
}
