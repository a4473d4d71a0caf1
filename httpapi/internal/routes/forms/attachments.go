package forms

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
)

func formAttachmentRoutes(svc *forms.Service, of *route.Resource, at filing) cycle.Routes {
	n := &route.Resource{
		Path: of.Each() + "/attachments", Many: "attachments", One: "attachment",
		Plural: "the attachments of " + of.Singular, Singular: "an attachment of " + of.Singular, Name: at.part +
			"Attachments",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.TokenForward, svc.Attachments),
		route.CreateIn(n, route.Makes(svc.CreateAttachment)).
			Summarized("Attach a file to " + of.Singular).Needs(forms.PermissionComment),
		route.TakesBytes(n, forms.MaxAttachmentBytes, svc.WriteAttachment).
			As(n.Operation("write", http.MethodPut, n.Each(),
				"Write the bytes of an attachment, over those that it has")).Needs(forms.PermissionComment),
		givesBytes(n, svc.OpenAttachment).As(n.Operation("read", http.MethodGet, n.Each(),
			"Read the bytes of an attachment")),
		route.DiscardIn(n, svc.DeleteAttachment).Needs(forms.PermissionComment),
	}
}

// givesBytes is a route that answers with the bytes of what another record holds.
// Browsers are made to save them as a file: their author is not to run anything in the
// name of the API.
func givesBytes(n *route.Resource, open func(ctx context.Context, in, id string) (*forms.Content, error)) *cycle.Route {
	return &cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: n.Gets(),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			c, err := open(ctx, x.Nth(0), x.Nth(1))
			if err != nil {
				return err
			}
			return x.Give(cycle.Download{Reader: c, Name: c.FileName, MediaType: c.Type, Size: *c.Size})
		},
		Replies: cycle.Bytes([]string{"*/*"}, "Content-Disposition"),
	}
}
