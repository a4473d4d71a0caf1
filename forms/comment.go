package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Comment is a remark that a person made on a form.
type Comment struct {
	AuthorDisplayName string `json:"authorDisplayName"` // as it was when the comment was made
	// AuthorEmail is there in representation alone, where it is known.
	AuthorEmail     string                `json:"authorEmail,omitempty"`
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // set by the platform
	ID              string                `json:"id"`              // chosen by the platform; sorts by creation
	Text            string                `json:"text"`            // 1 to MaxDescription characters

	// AuthorID is empty for the system. It is not on the wire.
	AuthorID string `json:"-"`

	place string
}

// hiddenComment is what is stored of a comment in addition to its wire form.
type hiddenComment struct {
	AuthorID *string `json:"authorId"`
	Place    *string `json:"place"`
}

const byID = "id"

var commentRecords = records.Collection[Comment]{
	Name: "comments", Untracked: true,
	ID:      func(c *Comment) string { return c.place },
	Hidden:  func(c *Comment) any { return &hiddenComment{&c.AuthorID, &c.place} },
	Indexes: []records.Index[Comment]{{Name: byID, Value: func(c *Comment) string { return c.ID }}},
}

// NewComment asks for a comment.
type NewComment struct {
	// Text is required, at most 32,000 characters.
	Text string `json:"text"`
}

var commentKind = entity.Kind[Comment, NewComment, entity.None]{
	Records: &commentRecords, One: "comment", Many: "comments", Resource: "comment",
	Missing: commentMissing, Bad: &InvalidRequest,
	Members: func(v *Comment, n *NewComment, _ *entity.None) []entity.Member {
		return []entity.Member{
			entity.Text("text", &v.Text, &n.Text, nil).Max(MaxDescription).Required(),
		}
	},
}

// CommentQuery selects the comments to list.
type CommentQuery struct {
	twinplatform.ListOptions
	// Representation adds the authors' e-mail addresses.
	Representation bool
}

// Comments lists the comments on a form, newest first (GET
// /forms/{id}/comments). Pages have at most 50 comments.
//
// Errors: FormDataNotFound; InvalidFormDataRequest with InvalidValue (top,
// continuation).
func (s *Service) Comments(ctx context.Context, formID string, q CommentQuery) (page twinplatform.Page[Comment],
	err error,
) {
	if q.Representation {
		q.IfNoneMatch = ""
	}
	page, err = listInner(ctx, s, formID, &commentRecords, q.ListOptions)
	if err != nil || !q.Representation || s.cfg.Mailboxes == nil {
		return page, err
	}
	known := make(map[string]string)
	return page.Map(func(rec twinplatform.Record[Comment]) (_ twinplatform.Record[Comment], err error) {
		id := rec.Value.AuthorID
		if _, ok := known[id]; !ok && id != "" {
			if known[id], err = s.cfg.Mailboxes.Email(ctx, id); err != nil {
				return rec, err
			}
		}
		rec.Value.AuthorEmail = known[id]
		rec.JSON, err = wire.Marshal(rec.Value)
		return rec, err
	})
}

// CreateComment comments on a form (POST /forms/{id}/comments). It needs
// PermissionComment.
//
// Errors: FormDataNotFound; InsufficientPermissions; InvalidFormDataRequest with
// MissingRequiredProperty or InvalidValue (text).
func (s *Service) CreateComment(ctx context.Context, formID string, n NewComment) (res twinplatform.Result[Comment],
	err error,
) {
	comment, err := commentKind.Make(n)
	if err != nil {
		return res, err
	}
	author := callerOf(ctx)
	comment.ID, comment.CreatedDateTime = s.env.NewID(), s.now()
	comment.AuthorDisplayName, comment.AuthorID = author.DisplayName, author.ID
	ctx = s.reading(ctx, formID, nil, revisionOf)
	return write(ctx, s, func(u *records.Update, j *judge) (rec twinplatform.Record[Comment], err error) {
		a, err := j.permittedForm(formID, PermissionComment)
		if err != nil {
			return rec, err
		}
		revision, err := a.inner().Revision(u)
		if err != nil {
			return rec, err
		}
		comment.place = newestFirst(revision, 0)
		return commentRecords.Append(u, a.inner(), &comment) // no other is written at the revision
	})
}

// DeleteComment removes a comment (DELETE /forms/{id}/comments/{commentId}). Its
// author needs PermissionComment, everybody else PermissionFull.
//
// Errors: FormDataNotFound, CommentNotFound, InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteComment(ctx context.Context, formID, commentID string, pre ...twinplatform.Precondition) error {
	ctx = s.reading(ctx, formID, nil, func(tx records.Reading, in records.Scope) []records.Need {
		return append(commentRecords.NeedsIndexed(in, byID, commentID), revisionOf(tx, in)...)
	})
	return s.update(ctx, func(u *records.Update, j *judge) error {
		a, err := j.visibleForm(formID)
		if err != nil {
			return err
		}
		c, err := comment(u, a.inner(), commentID)
		if err != nil {
			return err
		}
		permission := PermissionFull
		if c.AuthorID != "" && c.AuthorID == j.caller.ID {
			permission = PermissionComment
		}
		if err := a.need(permission); err != nil {
			return err
		}
		return commentKind.Erase(u, a.inner(), c.place, twinplatform.ConditionOf(pre...), nil)
	})
}

// comment returns a comment on a form.
func comment(tx records.Reading, inner records.Scope, commentID string) (*Comment, error) {
	for c, err := range commentRecords.Find(tx, inner, byID, commentID) {
		return c, err
	}
	return nil, commentMissing.Err()
}
