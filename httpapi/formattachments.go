package httpapi

import (
	"net/http"

	"github.com/seed-933f9a09/twinplatform/forms"
)

func formAttachmentRows(svc *forms.Service, of *noun, at filing) rows {
	n := &noun{
		path: of.each() + "/attachments", many: "attachments", one: "attachment",
		things: "the attachments of " + of.thing, thing: "an attachment of " + of.thing, name: at.part + "Attachments",
	}
	return rows{
		listIn(n, tokenForward, svc.Attachments),
		createIn(n, svc.CreateAttachment).says("Attach a file to " + of.thing + "; its bytes are put to the Location").needs(forms.PermissionComment),
		takesBytes(n, forms.MaxAttachmentBytes, svc.WriteAttachment).
			as(n.operation("write", http.MethodPut, n.each(), "Write the bytes of an attachment, over those that it has")).needs(forms.PermissionComment),
		givesBytes(n, svc.OpenAttachment).as(n.operation("read", http.MethodGet, n.each(), "Read the bytes of an attachment")),
		discardIn(n, svc.DeleteAttachment).needs(forms.PermissionComment),
	}
}
