package httpapi

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/transform"
)

// viewImageBody is an image as a data URL.
type viewImageBody struct {
	// Image is "data:image/png;base64," or "data:image/jpeg;base64," with the bytes
	// behind it.
	Image string `json:"image"`
}

// bytes are those of the image.
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

func viewImageRows(svc *transform.Service) rows {
	n := &noun{path: allSavedViews + "/{savedViewId}/image", one: "image", name: "savedViewImages"}
	address := func(x *exchange, img transform.ViewImage, err error) (href, error) {
		if err != nil {
			return href{}, err
		}
		return href{x.fromRoot(img.URL)}, nil
	}
	get := n.operation("get", http.MethodGet, n.path, "Get the address of the image of a saved view")
	get.Query = []Parameter{{Name: "size", Description: "full or thumbnail; both are the image as it was set."}}
	read := &row{
		cost:      byRequest,
		Operation: n.operation("read", http.MethodGet, transform.ViewImagePath+"/{viewImageName}", "Read the bytes of an image of a saved view"),
		replies:   []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
		serve: func(ctx context.Context, x *exchange) error {
			f, err := svc.OpenViewImage(ctx, x.nth(0))
			if err != nil {
				return err
			}
			return x.give(download{f, f.Name, f.Type, f.Size})
		},
	}
	read.Scopes = []string{}
	return rows{
		answer(get, http.StatusOK, func(ctx context.Context, x *exchange, _ nothing) (href, error) {
			if size := x.query("size"); size != "" && size != "full" && size != "thumbnail" {
				return href{}, x.row.invalid(problem.BadValue("size", "The size is full or thumbnail."))
			}
			img, err := svc.ViewImage(ctx, x.nth(0))
			return address(x, img, err)
		}),
		answer(n.operation("set", http.MethodPut, n.path, "Set the image of a saved view"), http.StatusOK,
			func(ctx context.Context, x *exchange, b viewImageBody) (href, error) {
				if !b.wellFormed() {
					return href{}, x.row.invalid(problem.BadValue("image", "The image is a data URL of bytes in base64."))
				}
				img, err := svc.SetViewImage(ctx, x.nth(0), b.bytes(), x.preconditions()...)
				return address(x, img, err)
			}),
		read.needs("none"),
	}
}
