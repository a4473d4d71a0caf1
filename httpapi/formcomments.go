package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/forms"
)

func formCommentRows(svc *forms.Service, of *noun, at filing) rows {
	n := &noun{path: of.each() + "/comments", many: "comments", one: "comment", things: "the comments on " + of.thing, thing: "a comment on " + of.thing, name: at.part + "Comments"}
	return rows{
		listOf(n, tokenForward, reflect.TypeFor[forms.Comment](), func(ctx context.Context, x *exchange, q forms.CommentQuery) (page, error) {
			found, err := svc.Comments(ctx, x.nth(0), q)
			if err != nil {
				return page{}, err
			}
			return remade(x, found, linkedComment)
		}, whole(func(q *forms.CommentQuery) *bool { return &q.Representation })),
		completed(postIn(n, announced(http.StatusCreated, n.one), svc.CreateComment), linkedComment).says("Comment on " + of.thing).needs(forms.PermissionComment),
		discardIn(n, svc.DeleteComment).needs(forms.PermissionComment + " for the caller's own, " + forms.PermissionFull + " for all"),
	}
}

// linkedComment is a comment with a link to its author.
func linkedComment(x *exchange, c *forms.Comment, stored []byte) ([]byte, error) {
	if c.AuthorID == "" {
		return stored, nil
	}
	return withLinks(stored, hrefs{"author": x.to("/users", c.AuthorID)}), nil
}
