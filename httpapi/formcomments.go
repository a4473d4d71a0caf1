package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

func formCommentRows(svc *forms.Service) []*row {
	const path = eachForm + "/comments"
	return []*row{
		list(Operation{ID: "formComments.list", Method: http.MethodGet, Path: path, Summary: "List the comments on a form", Addition: true, Prefers: true},
			tokenForward, "comments",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[forms.Comment], error) {
				page, err := svc.Comments(ctx, x.path("formId"), forms.CommentQuery{ListOptions: o, Representation: x.wantsAll()})
				if err != nil {
					return page, err
				}
				return remade(page, x.linkedComment)
			}),
		create(Operation{
			ID: "formComments.create", Method: http.MethodPost, Path: path, Summary: "Comment on a form", Permission: forms.PermissionComment, Addition: true,
		}, "comment", func(c forms.Comment) string { return c.ID },
			func(ctx context.Context, x *exchange, n forms.NewComment) (twinplatform.Result[forms.Comment], error) {
				res, err := svc.CreateComment(ctx, x.path("formId"), n)
				for i := range res.Records {
					res.Records[i] = x.linkedComment(res.Records[i])
				}
				return res, err
			}),
		discard(Operation{
			ID: "formComments.delete", Method: http.MethodDelete, Path: path + "/{commentId}", Summary: "Delete a comment on a form", Addition: true,
			Permission: forms.PermissionComment + " for the caller's own, " + forms.PermissionFull + " for all",
		}, func(ctx context.Context, x *exchange) error {
			return svc.DeleteComment(ctx, x.path("formId"), x.path("commentId"))
		}),
	}
}

// linkedComment is a comment with a link to its author.
func (x *exchange) linkedComment(rec twinplatform.Record[forms.Comment]) twinplatform.Record[forms.Comment] {
	if rec.Value.AuthorID != "" {
		rec.JSON = withLinks(rec.JSON, hrefs{"author": x.to("/users", rec.Value.AuthorID)})
	}
	return rec
}
