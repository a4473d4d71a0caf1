package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/forms"
)

func formAttachmentRows(svc *forms.Service) rows {
	n := &noun{
		path: eachForm + "/attachments", many: "attachments", one: "attachment",
		things: "the attachments of a form", thing: "an attachment of a form", name: "formAttachments",
	}
	return rows{
		listIn(n, tokenForward, svc.Attachments),
		createIn(n, svc.CreateAttachment).says("Attach a file to a form; its bytes are put to the Location").needs(forms.PermissionComment),
		attachmentWrite(svc, n.operation("write", http.MethodPut, n.each(), "Write the bytes of an attachment, over those that it has")),
		attachmentRead(svc, n.operation("read", http.MethodGet, n.each(), "Read the bytes of an attachment")),
		discardIn(n, svc.DeleteAttachment).needs(forms.PermissionComment),
	}
}

// attachmentWrite takes the bytes of an attachment as they are, with a limit of
// their own.
func attachmentWrite(svc *forms.Service, o Operation) *row {
	r := discardRow(o, func(ctx context.Context, x *exchange) error {
		if x.r.ContentLength > forms.MaxAttachmentBytes {
			return errTooLarge
		}
		body := http.MaxBytesReader(x.w, x.r.Body, forms.MaxAttachmentBytes)
		_, err := svc.WriteAttachment(ctx, x.path("formId"), x.path("attachmentId"), body)
		_, tooLarge := errors.AsType[*http.MaxBytesError](err)
		switch {
		case tooLarge:
			return errTooLarge
		case errors.Is(err, io.ErrUnexpectedEOF):
			return x.row.invalid(badBody("", "The request body could not be read.")).Because(err)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return context.DeadlineExceeded
		}
		return err
	}).needs(forms.PermissionComment)
	r.raw = true
	return r
}

// attachmentRead answers with the bytes of an attachment. Browsers are told to
// keep them as a file: whoever wrote them is not to run anything in the name of
// the API.
func attachmentRead(svc *forms.Service, o Operation) *row {
	return &row{
		Operation: o,
		serve: func(ctx context.Context, x *exchange) error {
			c, err := svc.OpenAttachment(ctx, x.path("formId"), x.path("attachmentId"))
			if err != nil {
				return err
			}
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
		},
		replies: []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
	}
}
