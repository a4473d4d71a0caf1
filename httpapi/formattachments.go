package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

func formAttachmentRows(svc *forms.Service) []*row {
	const path = eachForm + "/attachments"
	return []*row{
		list(Operation{ID: "formAttachments.list", Method: http.MethodGet, Path: path, Summary: "List the attachments of a form", Addition: true},
			tokenForward, "attachments",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[forms.Attachment], error) {
				return svc.Attachments(ctx, x.path("formId"), o)
			}),
		create(Operation{
			ID: "formAttachments.create", Method: http.MethodPost, Path: path, Summary: "Attach a file to a form; its bytes are put to the Location",
			Permission: forms.PermissionComment, Addition: true,
		}, "attachment", func(a forms.Attachment) string { return a.ID },
			func(ctx context.Context, x *exchange, n forms.NewAttachment) (twinplatform.Result[forms.Attachment], error) {
				return svc.CreateAttachment(ctx, x.path("formId"), n)
			}),
		writeAttachmentRow(svc, path+"/{attachmentId}"),
		readAttachmentRow(svc, path+"/{attachmentId}"),
		discard(Operation{
			ID: "formAttachments.delete", Method: http.MethodDelete, Path: path + "/{attachmentId}", Summary: "Delete an attachment of a form",
			Permission: forms.PermissionComment, Addition: true,
		}, func(ctx context.Context, x *exchange) error {
			return svc.DeleteAttachment(ctx, x.path("formId"), x.path("attachmentId"))
		}),
	}
}

// writeAttachmentRow takes the bytes of an attachment as they are, with a limit
// of their own.
func writeAttachmentRow(svc *forms.Service, path string) *row {
	r := op(Operation{
		ID: "formAttachments.write", Method: http.MethodPut, Path: path, Summary: "Write the bytes of an attachment, over those that it has",
		Permission: forms.PermissionComment, Addition: true,
	}, func(x *exchange) (io.Reader, error) {
		if x.r.ContentLength > forms.MaxAttachmentBytes {
			return nil, errTooLarge
		}
		return http.MaxBytesReader(x.w, x.r.Body, forms.MaxAttachmentBytes), nil
	}, func(ctx context.Context, x *exchange, body io.Reader) (nothing, error) {
		_, err := svc.WriteAttachment(ctx, x.path("formId"), x.path("attachmentId"), body)
		_, tooLarge := errors.AsType[*http.MaxBytesError](err)
		switch {
		case tooLarge:
			return nothing{}, errTooLarge
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nothing{}, x.row.invalid(badBody("", "The request body could not be read.")).Because(err)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nothing{}, context.DeadlineExceeded
		}
		return nothing{}, err
	}, func(x *exchange, _ nothing) error { return x.sendNothing(http.StatusNoContent) })
	r.raw = true
	r.replies = []reply{{status: http.StatusNoContent}}
	return r
}

// readAttachmentRow answers with the bytes of an attachment. Browsers are told
// to keep them as a file: whoever wrote them is not to run anything in the name
// of the API.
func readAttachmentRow(svc *forms.Service, path string) *row {
	r := op(Operation{
		ID: "formAttachments.read", Method: http.MethodGet, Path: path, Summary: "Read the bytes of an attachment", Addition: true,
	}, decodeNothing, func(ctx context.Context, x *exchange, _ nothing) (*forms.Content, error) {
		return svc.OpenAttachment(ctx, x.path("formId"), x.path("attachmentId"))
	}, func(x *exchange, c *forms.Content) error {
		header := x.w.Header()
		header.Set("Content-Type", c.Type)
		header.Set("Content-Length", strconv.FormatInt(*c.Size, 10))
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": c.FileName}))
		header.Set("X-Content-Type-Options", "nosniff")
		x.status = http.StatusOK
		x.w.WriteHeader(http.StatusOK)
		if x.r.Method == http.MethodHead {
			return nil
		}
		if _, err := io.Copy(x.w, c); err != nil {
			panic(http.ErrAbortHandler) // part of a file must not be taken for all of it
		}
		return nil
	})
	r.replies = []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}}
	return r
}
