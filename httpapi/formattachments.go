package httpapi

import (
	"net/http"

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
		takesBytes(n, forms.MaxAttachmentBytes, svc.WriteAttachment).
			as(n.operation("write", http.MethodPut, n.each(), "Write the bytes of an attachment, over those that it has")).needs(forms.PermissionComment),
		givesBytes(n, svc.OpenAttachment).as(n.operation("read", http.MethodGet, n.each(), "Read the bytes of an attachment")),
		discardIn(n, svc.DeleteAttachment).needs(forms.PermissionComment),
	}
}
