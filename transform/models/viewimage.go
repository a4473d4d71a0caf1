package models

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/picture"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// MaxViewImageBytes is the size of the image of a saved view. In base64 it fits into a
// request body of the REST API.
const MaxViewImageBytes = 512 << 10

// MaxViewImagePixels is how many pixels the image of a view claims at most.
const MaxViewImagePixels = picture.MaxPixels

// ViewImagePath is where the REST API serves images of saved views by their names.
const ViewImagePath = "/saved-view-images"

// ViewImage is the image of a saved view.
type ViewImage struct {
	// URL begins with a slash and is relative to the root of the REST API, which serves
	// it without a token for as long as the view has the image.
	URL string
}

// storedImage is what is stored of an image in addition to its bytes.
type storedImage struct {
	Format string `json:"format"` // png or jpeg
	ID     string `json:"id"`     // a GUID, of this image alone
	Pieces int    `json:"pieces"`
	Size   int64  `json:"size"`
	View   string `json:"view"` // its key
}

const imageIndex = "image"

var viewImageRecords = records.Collection[storedImage]{
	Name: "view-images", Untracked: true,
	ID:      func(i *storedImage) string { return i.View },
	Indexes: []records.Index[storedImage]{{Name: imageIndex, Value: func(i *storedImage) string { return i.ID }}},
}

// bytesOf is where the bytes of an image are kept.
func (i *storedImage) bytesOf() records.Scope { return records.Scope("viewimage-" + i.ID) }

func (i *storedImage) name() string { return i.ID + "." + i.Format }

func (i *storedImage) image() ViewImage { return ViewImage{URL: ViewImagePath + "/" + i.name()} }

var (
	viewImageMissing = problem.NotFound("SavedViewImageNotFound", "savedViewId", "image of the saved view")
	viewImageGone    = problem.NotFound("SavedViewImageNotFound", "viewImageName", "image of a saved view")
)

// SetViewImage gives a saved view an image, in place of any that it has (PUT
// /saved-views/{savedViewId}/image). It needs PermissionModelsWrite on the model or its
// twin. An error of content is returned as it is.
//
// Errors: InvalidSavedViewRequest with InvalidValue (image) for more than
// MaxViewImageBytes or MaxViewImagePixels and for what is neither PNG nor JPEG; SavedViewNotFound;
// InsufficientPermissions; VersionMismatch; AccountStorageFull and StorageFull where Env.Bytes
// has no room.
func (s *Service) SetViewImage(ctx context.Context, savedViewID string, content io.Reader,
	pre ...twinplatform.Precondition,
) (img ViewImage, err error) {
	if content == nil {
		content = bytes.NewReader(nil)
	}
	read, err := io.ReadAll(io.LimitReader(content, MaxViewImageBytes+1))
	if err != nil {
		return img, err
	}
	format, bad := viewImageFormat(read)
	if bad != nil {
		read = nil // and is refused by the caller that may see the view alone
	}
	staged, err := s.stageViewImage(ctx, savedViewID, read)
	if err != nil {
		return img, err
	}
	defer staged.Discard(ctx)
	err = s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		c := caller{Judge: j, s: s, tx: u}
		c.expectImage(savedViewID)
		view, err := savedViews.changeable(c, savedViewID)
		switch {
		case err != nil:
			return err
		case bad != nil:
			return bad
		}
		if err := viewImageRecords.CheckPut(u, view.scope(), view.key(), twinplatform.ConditionOf(pre...)); err != nil {
			return problem.Precondition(err)
		}
		if err := eraseViewImage(u, view.scope(), view.key()); err != nil {
			return err
		}
		stored := &storedImage{Format: format, ID: s.env.NewGUID(), Size: int64(len(read)), View: view.key()}
		if stored.Pieces, err = staged.Put(u, stored.bytesOf(), 0, 0); err != nil {
			return err
		}
		_, err = viewImageRecords.Insert(u, view.scope(), stored)
		img = stored.image()
		return err
	})
	return img, err
}

// viewImageFormat is the format of an image of a view, or why it is refused.
func viewImageFormat(content []byte) (string, error) {
	p, ok := picture.Of(content)
	switch {
	case ok && p.TooLarge():
		return "", problem.With(InvalidSavedViewRequest,
			problem.BadValue("image", "An image has at most %d pixels.", MaxViewImagePixels))
	case !ok, len(content) > MaxViewImageBytes:
		return "", problem.With(InvalidSavedViewRequest,
			problem.BadValue("image", "An image is a PNG or a JPEG of at most %d bytes.", MaxViewImageBytes))
	}
	return p.Format, nil
}

// stageViewImage readies the bytes of an image for a view that the caller may change.
func (s *Service) stageViewImage(ctx context.Context, savedViewID string, content []byte) (staged *blob.Draft,
	err error,
) {
	err = s.bench.Call(ctx, func(j *judge.Judge) error {
		staged, err = s.blobs.Stage(ctx, content, func(u *records.Update) (string, error) {
			p, err := savedViews.changeable(caller{Judge: j.In(u), s: s, tx: u}, savedViewID)
			return p.accountID, err
		})
		return err
	})
	return staged, err
}

// eraseViewImage removes the image of a view, if it has one.
func eraseViewImage(u *records.Update, s records.Scope, viewKey string) error {
	stored, err := viewImageRecords.Lookup(u, s, viewKey)
	if stored == nil || err != nil {
		return err
	}
	if err := blob.Erase(u, stored.bytesOf()); err != nil {
		return err
	}
	return viewImageRecords.Erase(u, s, viewKey)
}

// ViewImage returns the image of a saved view (GET /saved-views/{savedViewId}/image). It
// needs PermissionModelsRead on the model or its twin. Errors: SavedViewNotFound;
// SavedViewImageNotFound for a view without one.
func (s *Service) ViewImage(ctx context.Context, savedViewID string) (ViewImage, error) {
	return read(ctx, s, func(c caller) (img ViewImage, err error) {
		c.expectImage(savedViewID)
		p, err := savedViews.visible(c, savedViewID)
		if err != nil {
			return img, err
		}
		stored, err := viewImageRecords.Lookup(c.tx, p.scope(), p.key())
		if err := viewImageMissing.Unless(stored != nil, err); err != nil {
			return img, err
		}
		return stored.image(), nil
	})
}

// ViewImageFile is the bytes of an image of a saved view, which are read piece by piece.
type ViewImageFile struct {
	Name string // without any path
	Type string // media type
	Size int64  // in bytes

	bytes *blob.Reader
}

// Read implements io.Reader.
func (f *ViewImageFile) Read(p []byte) (int, error) { return f.bytes.Read(p) }

// OpenViewImage returns the bytes of an image of a saved view by its name, the last part of
// its address. It asks for no permission: the name is known to the caller that may see the
// view, or was given by one of them, and to no other caller. They are read while ctx lasts.
//
// Errors: SavedViewImageNotFound, also while reading, once the view has another image.
func (s *Service) OpenViewImage(ctx context.Context, name string) (*ViewImageFile, error) {
	id, _, _ := strings.Cut(name, ".")
	n, bytes, err := blob.Open(ctx, s.db, &viewImageRecords, area.AllAccounts, imageIndex, id, name,
		viewImageGone.Err(), func(i *storedImage) blob.Named {
			return blob.Named{Name: i.name(), Type: "image/" + i.Format, Size: i.Size, Scope: i.bytesOf()}
		})
	if err != nil {
		return nil, err
	}
	return &ViewImageFile{Name: n.Name, Type: n.Type, Size: n.Size, bytes: bytes}, nil
}
