package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// fromRoot makes an address that the twins area gives, of a file below one of its paths,
// one that clients can follow.
func (x *exchange) fromRoot(address string) string {
	path, name, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	return x.to("/"+path, name).Href
}

// pictured is a twin with the address of its image.
func pictured(x *exchange, t *twins.Twin, stored []byte) ([]byte, error) {
	return x.rerooted(stored, "image", string(t.Image)), nil
}

// rerooted is a record with a member that holds an address below the root of the API as
// one that clients can follow. Within a text there are no quotes, and so nothing that
// looks like a member.
func (x *exchange) rerooted(stored []byte, member, address string) []byte {
	if address == "" {
		return stored
	}
	as := func(value string) []byte { return wire.AppendString([]byte(`"`+member+`":`), value) }
	return bytes.Replace(stored, as(address), as(x.fromRoot(address)), 1)
}

// sized is an image with the addresses of its sizes.
func sized(x *exchange, i *twins.TwinImage, _ []byte) ([]byte, error) {
	out := *i
	out.SmallImageURL, out.LargeImageURL = x.fromRoot(i.SmallImageURL), x.fromRoot(i.LargeImageURL)
	return wire.Marshal(out)
}

func imageRows(svc *twins.Service) rows {
	n := &noun{path: allTwins + "/{twinId}/image", one: "image", name: "twinImages"}
	image := reflect.TypeFor[twins.TwinImage]()
	set := &row{
		cost:      byRequest,
		Operation: n.operation("set", http.MethodPut, n.path, "Set the image of a twin"),
		raw:       true,
		replies:   []reply{recordReply(image, http.StatusCreated, n.one, "ETag")},
		serve: func(ctx context.Context, x *exchange) error {
			var rec twinplatform.Record[twins.TwinImage]
			err := x.take(twins.MaxImageBytes, func(body io.Reader) (err error) {
				rec, err = svc.SetTwinImage(ctx, x.nth(0), body, x.preconditions()...)
				return err
			})
			out, err := recordOf(x, &rec, err)
			if err != nil {
				return err
			}
			return x.sendRecord(http.StatusCreated, n.one, out)
		},
	}
	get := getRow(n.operation("get", http.MethodGet, n.path, "Get the image of a twin"), n.one, image, getting(svc.TwinImage))
	read := &row{
		cost:      byRequest,
		Operation: n.operation("read", http.MethodGet, twins.ImagePath+"/{imageName}", "Read the bytes of an image of a twin"),
		replies:   []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
		serve: func(ctx context.Context, x *exchange) error {
			f, err := svc.OpenImage(ctx, x.nth(0))
			if err != nil {
				return err
			}
			return x.give(download{f, f.Name, f.Type, f.Size})
		},
	}
	read.Scopes = []string{}
	return rows{
		completed(set, sized), completed(get, sized), read.needs("none"),
		discard(n, svc.DeleteTwinImage).as(n.operation("delete", http.MethodDelete, n.path, "Delete the image of a twin")),
	}
}
