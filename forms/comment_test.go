package forms_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

func TestCommentsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	for i := range 3 {
		o.now.Add(1)
		res, err := o.CreateComment(o.as("commenter"), f.ID, forms.NewComment{Text: fmt.Sprint(i)})
		c := done(t, res, err)
		sameJSON(t, fmt.Sprintf(`{"id":%q,"text":"%d","authorDisplayName":"Commenter","createdDateTime":"2026-01-05T09:00:0%dZ"}`, c.ID, i, i+1), res.Records[0].JSON)
	}
	res, err := o.CreateComment(o.system(), f.ID, forms.NewComment{Text: "3"})
	done(t, res, err)
	for _, size := range []int{1, 2, 50} {
		var got []string
		for c, err := range twinplatform.AllIn(o.as("viewer"), o.Comments, f.ID, forms.CommentQuery{ListOptions: top(size)}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c.Text+c.AuthorEmail)
		}
		if strings.Join(got, " ") != "3 2 1 0" {
			t.Errorf("by %d: %v", size, got)
		}
	}
	page, err := o.Comments(o.as("viewer"), f.ID, forms.CommentQuery{Representation: true, ListOptions: top(2)})
	if err != nil || page.Next == "" {
		t.Fatal(page.Next, err)
	}
	comments, err := page.Values()
	if err != nil || comments[0].AuthorEmail != "" || comments[1].AuthorEmail != "commenter@example.com" || comments[1].AuthorID != guid("commenter") {
		t.Errorf("%+v, %v", comments, err)
	}
	if wire := string(page.JSON()[1]); !strings.Contains(wire, `"authorEmail":"commenter@example.com"`) {
		t.Errorf("%s", wire)
	}
}

func TestCommentHasItsErrors(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	_, err := o.CreateComment(o.system(), f.ID, forms.NewComment{Text: " "})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "MissingRequiredProperty:text")
	_, err = o.CreateComment(o.system(), f.ID, forms.NewComment{Text: strings.Repeat("x", 32001)})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:text")
	_, err = o.Comments(o.system(), f.ID, forms.CommentQuery{ListOptions: top(51)})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:top")
	fails(t, o.DeleteComment(o.system(), f.ID, "missing"), twinplatform.NotFound, "CommentNotFound", "commentId")
}

func TestCommentIsDeletedByItsAuthor(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	o.held[guid("other")+" "+tower] = []string{forms.PermissionComment}
	add := func() string {
		res, err := o.CreateComment(o.as("commenter"), f.ID, forms.NewComment{Text: "t"})
		return done(t, res, err).ID
	}
	id := add()
	fails(t, o.DeleteComment(o.as("other"), f.ID, id), twinplatform.Forbidden, "InsufficientPermissions", "")
	if err := o.DeleteComment(o.as("commenter"), f.ID, id); err != nil {
		t.Error(err)
	}
	fails(t, o.DeleteComment(o.as("commenter"), f.ID, id), twinplatform.NotFound, "CommentNotFound", "commentId")
	if err := o.DeleteComment(o.as("full"), f.ID, add()); err != nil {
		t.Error(err)
	}
}
