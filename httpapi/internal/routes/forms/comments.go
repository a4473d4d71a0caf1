package forms

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
)

func formCommentRoutes(svc *forms.Service, of *route.Resource, at filing) cycle.Routes {
	n := &route.Resource{
		Path: of.Each() + "/comments", Many: "comments", One: "comment",
		Plural: "the comments on " + of.Singular, Singular: "a comment on " + of.Singular, Name: at.part + "Comments",
	}
	return cycle.Routes{
		route.ListOf(n, cycle.TokenForward, reflect.TypeFor[forms.Comment](),
			func(ctx context.Context, x *cycle.Exchange, q forms.CommentQuery) (cycle.Page, error) {
				found, err := svc.Comments(ctx, x.Nth(0), q)
				if err != nil {
					return cycle.Page{}, err
				}
				return route.MapPage(x, found, linkedComment)
			}, route.Whole(func(q *forms.CommentQuery) *bool { return &q.Representation })),
		route.Completed(route.PostIn(n, route.Announced(http.StatusCreated, n.One), route.Makes(svc.CreateComment)),
			linkedComment).Summarized("Comment on " + of.Singular).Needs(forms.PermissionComment),
		route.DiscardIn(n, svc.DeleteComment).Needs(forms.PermissionComment + " for the caller's own, " +
			forms.PermissionFull + " for all"),
	}
}

// linkedComment is a comment with a link to its author.
func linkedComment(x *cycle.Exchange, c *forms.Comment, stored []byte) ([]byte, error) {
	if c.AuthorID == "" {
		return stored, nil
	}
	return cycle.WithLinks(stored, cycle.Links{"author": x.To("/users", c.AuthorID)}), nil
}
