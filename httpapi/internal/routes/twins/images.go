package twins

import (
	"context"
	"io"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// pictured is a twin with the address of its image.
func pictured(x *cycle.Exchange, t *twins.Twin, stored []byte) ([]byte, error) {
	return x.Rerooted(stored, "image", string(t.Image)), nil
}

// sized is an image with the addresses of its sizes.
func sized(x *cycle.Exchange, i *twins.TwinImage, _ []byte) ([]byte, error) {
	out := *i
	out.SmallImageURL, out.LargeImageURL = x.FromRoot(i.SmallImageURL), x.FromRoot(i.LargeImageURL)
	return wire.Marshal(out)
}

func imageRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{Path: route.Twins + "/{twinId}/image", One: "image", Name: "twinImages"}
	image := reflect.TypeFor[twins.TwinImage]()
	set := &cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: n.Operation("set", http.MethodPut, n.Path, "Set the image of a twin"),
		Raw:       true,
		Replies:   []cycle.Reply{route.RecordReply(image, http.StatusCreated, n.One, "ETag")},
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			var rec twinplatform.Record[twins.TwinImage]
			err := x.Take(twins.MaxImageBytes, func(body io.Reader) (err error) {
				rec, err = svc.SetTwinImage(ctx, x.Nth(0), body, x.Preconditions()...)
				return err
			})
			out, err := route.RecordOf(x, &rec, err)
			if err != nil {
				return err
			}
			return x.SendRecord(http.StatusCreated, n.One, out)
		},
	}
	get := route.GetRoute(n.Operation("get", http.MethodGet, n.Path, "Get the image of a twin"), n.One, image,
		route.Getting(svc.TwinImage))
	read := &cycle.Route{
		PaidBy: cycle.ByRequest,
		Operation: n.Operation("read", http.MethodGet, twins.ImagePath+"/{imageName}",
			"Read the bytes of an image of a twin"),
		Replies: cycle.Bytes([]string{"image/jpeg", "image/png"}, "Content-Disposition"),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			f, err := svc.OpenImage(ctx, x.Nth(0))
			if err != nil {
				return err
			}
			return x.Give(cycle.Download{Reader: f, Name: f.Name, MediaType: f.Type, Size: f.Size})
		},
	}
	read.Scopes = []string{}
	return cycle.Routes{
		route.Completed(set, sized), route.Completed(get, sized), read.Needs("none"),
		route.Discard(n, svc.DeleteTwinImage).As(n.Operation("delete", http.MethodDelete, n.Path,
			"Delete the image of a twin")),
	}
}
