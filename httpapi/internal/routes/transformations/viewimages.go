package transformations

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// viewImageBody is an image as a data URL.
type viewImageBody struct {
	// Image is "data:image/png;base64," or "data:image/jpeg;base64," with the bytes
	// behind it.
	Image string `json:"image"`
}

// bytes decodes the bytes of the image from its data URL.
func (b viewImageBody) bytes() io.Reader {
	_, content, _ := strings.Cut(b.Image, ";base64,")
	return base64.NewDecoder(base64.StdEncoding, strings.NewReader(content))
}

// wellFormed reports whether the image is a data URL of bytes in base64.
func (b viewImageBody) wellFormed() bool {
	head, content, is := strings.Cut(b.Image, ";base64,")
	_, err := base64.StdEncoding.DecodeString(content)
	return is && err == nil && strings.HasPrefix(head, "data:image/")
}

func viewImageRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{Path: route.SavedViews + "/{savedViewId}/image", One: "image", Name: "savedViewImages"}
	address := func(x *cycle.Exchange, img models.ViewImage, err error) (cycle.Link, error) {
		if err != nil {
			return cycle.Link{}, err
		}
		return cycle.Link{Href: x.FromRoot(img.URL)}, nil
	}
	get := n.Operation("get", http.MethodGet, n.Path, "Get the address of the image of a saved view")
	get.Query = []cycle.Parameter{{Name: "size", Description: "full or thumbnail; both are the image as it was set."}}
	read := &cycle.Route{
		PaidBy: cycle.ByRequest,
		Operation: n.Operation("read", http.MethodGet, models.ViewImagePath+"/{viewImageName}",
			"Read the bytes of an image of a saved view"),
		Replies: cycle.Bytes([]string{"image/jpeg", "image/png"}, "Content-Disposition"),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			f, err := svc.OpenViewImage(ctx, x.Nth(0))
			if err != nil {
				return err
			}
			return x.Give(cycle.Download{Reader: f, Name: f.Name, MediaType: f.Type, Size: f.Size})
		},
	}
	read.Scopes = []string{}
	return cycle.Routes{
		route.Answer(get, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (cycle.Link, error) {
				if size := x.Query("size"); size != "" && size != "full" && size != "thumbnail" {
					return cycle.Link{}, x.Route.Invalid(problem.BadValue("size", "The size is full or thumbnail."))
				}
				img, err := svc.ViewImage(ctx, x.Nth(0))
				return address(x, img, err)
			}),
		route.Answer(n.Operation("set", http.MethodPut, n.Path, "Set the image of a saved view"), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, b viewImageBody) (cycle.Link, error) {
				if !b.wellFormed() {
					return cycle.Link{}, x.Route.Invalid(problem.BadValue("image",
						"The image is a data URL of bytes in base64."))
				}
				img, err := svc.SetViewImage(ctx, x.Nth(0), b.bytes(), x.Preconditions()...)
				return address(x, img, err)
			}),
		read.Needs("none"),
	}
}
