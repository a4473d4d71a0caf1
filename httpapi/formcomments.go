package httpapi

import (
	"context"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

func formCommentRows(svc *forms.Service) rows {
	n := &noun{path: eachForm + "/comments", many: "comments", one: "comment", things: "the comments on a form", thing: "a comment on a form", name: "formComments"}
	return rows{
		listOf(n, tokenForward, reflect.TypeFor[forms.Comment](), func(ctx context.Context, x *exchange, q forms.CommentQuery) (page, error) {
			return remade(x, linkedComment)(svc.Comments(ctx, x.path("formId"), q))
		}, whole(func(q *forms.CommentQuery) *bool { return &q.Representation })),
		writes(n.creates(), created(n.one), func(ctx context.Context, x *exchange, b forms.NewComment) (twinplatform.Result[forms.Comment], error) {
			return rewritten(x, linkedComment)(svc.CreateComment(ctx, x.path("formId"), b))
		}).says("Comment on a form").needs(forms.PermissionComment),
		discardIn(n, svc.DeleteComment).needs(forms.PermissionComment + " for the caller's own, " + forms.PermissionFull + " for all"),
	}
}

// linkedComment is a comment with a link to its author.
func linkedComment(x *exchange, rec twinplatform.Record[forms.Comment]) ([]byte, error) {
	if rec.Value.AuthorID == "" {
		return rec.JSON, nil
	}
	return withLinks(rec.JSON, hrefs{"author": x.to("/users", rec.Value.AuthorID)}), nil
}
