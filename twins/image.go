package twins

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
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// TwinImage is the image of a twin. Both of its sizes are the image as it was set.
type TwinImage struct {
	ID             string `json:"id"`             // a GUID, of this image alone
	LargeImageName string `json:"largeImageName"` // has the id in it
	// LargeImageURL and SmallImageURL begin with a slash and are relative to the root of
	// the REST API, which serves them without a token for as long as the twin has the
	// image.
	LargeImageURL  string `json:"largeImageUrl"`
	SmallImageName string `json:"smallImageName"` // has the id in it
	SmallImageURL  string `json:"smallImageUrl"`

	twinID string
	format string // png or jpeg
	pieces int
	size   int64
}

// hiddenImage is what is stored of an image in addition to its wire form.
type hiddenImage struct {
	Format *string `json:"format"`
	Pieces *int    `json:"pieces"`
	Size   *int64  `json:"size"`
	TwinID *string `json:"twinId"`
}

const indexImage = "image"

var imageRecords = records.Collection[TwinImage]{
	Name: "images", Untracked: true,
	ID:      func(i *TwinImage) string { return recordID(i.twinID, "") },
	Hidden:  func(i *TwinImage) any { return &hiddenImage{&i.format, &i.pieces, &i.size, &i.twinID} },
	Indexes: []records.Index[TwinImage]{{Name: indexImage, Value: func(i *TwinImage) string { return i.ID }}},
}

// bytesOf is where the bytes of an image are kept.
func (i *TwinImage) bytesOf() records.Scope { return records.Scope("twinimage-" + i.ID) }

// ImagePath is where the REST API serves images by their names.
const ImagePath = "/twin-images"

// The bounds of an image.
const (
	// MaxImageBytes is the size of the image of a twin.
	MaxImageBytes = 5 << 20
	// MaxImagePixels is how many pixels an image claims at most.
	MaxImagePixels = picture.MaxPixels
	// MaxImageRatio is how many times as long as the other its one side is at most.
	MaxImageRatio = 5
)

var (
	imageMissing = problem.NotFound("twinImageNotFound", "twinId", "image")
	imageGone    = problem.NotFound("twinImageNotFound", "imageName", "image")
)

// errNoImage refuses bytes that are no image of a twin.
func errNoImage(format string, args ...any) error {
	return problem.With(InvalidRequest, problem.BadValue("image", format, args...))
}

// imageOf is the image that bytes are.
func imageOf(content []byte) (*TwinImage, error) {
	p, ok := picture.Of(content)
	switch {
	case len(content) > MaxImageBytes:
		return nil, errNoImage("An image has at most %d bytes.", MaxImageBytes)
	case !ok:
		return nil, errNoImage("An image is a PNG or a JPEG.")
	case p.TooLarge():
		return nil, errNoImage("An image has at most %d pixels.", MaxImagePixels)
	case p.Width > MaxImageRatio*p.Height, p.Height > MaxImageRatio*p.Width:
		return nil, errNoImage("No side of an image is more than %d times as long as the other.", MaxImageRatio)
	}
	return &TwinImage{format: p.Format, size: int64(len(content))}, nil
}

// name gives an image its id, and the names and addresses that follow from it.
func (i *TwinImage) name(id, twinID string) {
	i.ID, i.twinID = id, twinID
	i.SmallImageName, i.LargeImageName = id+"-small."+i.format, id+"-large."+i.format
	i.SmallImageURL, i.LargeImageURL = ImagePath+"/"+i.SmallImageName, ImagePath+"/"+i.LargeImageName
}

// TwinImage returns the image of a twin (GET /twins/{id}/image). Errors:
// twinImageNotFound where it has none; twinNotFound.
func (s *Service) TwinImage(ctx context.Context, twinID string) (rec twinplatform.Record[TwinImage], err error) {
	err = s.read(ctx, twinID, func(v *records.View, _ twinplatform.Record[Twin]) error {
		rec, err = imageRecords.Get(v, allAccounts, recordID(twinID, ""))
		return imageMissing.Or(err)
	})
	return rec, err
}

// SetTwinImage gives a twin an image, in place of any that it has (PUT
// /twins/{id}/image). Twin.Image and Twin.ImageName are of its small size then. It needs
// PermissionModify. An error of content is returned as it is.
//
// Errors: twinNotFound; InsufficientPermissions; InvalidTwinsRequest with InvalidValue
// (image) for more than MaxImageBytes or MaxImagePixels, for what is neither PNG nor JPEG, such
// as a nil content, and for sides whose ratio is over MaxImageRatio; VersionMismatch;
// AccountStorageFull and StorageFull where Env.Bytes has no room.
func (s *Service) SetTwinImage(ctx context.Context, twinID string, content io.Reader,
	pre ...twinplatform.Precondition,
) (rec twinplatform.Record[TwinImage], err error) {
	if content == nil {
		content = bytes.NewReader(nil)
	}
	read, err := io.ReadAll(io.LimitReader(content, MaxImageBytes+1))
	if err != nil {
		return rec, err
	}
	made, bad := imageOf(read)
	if bad != nil {
		read = nil // and is refused by the principal that may see the twin alone
	}
	staged, err := s.stageImage(ctx, twinID, read)
	if err != nil {
		return rec, err
	}
	defer staged.Discard(ctx)
	may := func(u *records.Update, t *Twin) error {
		return problem.Precondition(imageRecords.CheckPut(u, t.scope(), recordID(twinID, ""),
			twinplatform.ConditionOf(pre...)))
	}
	err = s.changeImage(ctx, twinID, may, func(u *records.Update, t *Twin) error {
		if bad != nil {
			return bad
		}
		made.name(s.env.NewGUID(), twinID)
		t.Image, t.ImageName = twinplatform.NullString(made.SmallImageURL), twinplatform.NullString(made.SmallImageName)
		if made.pieces, err = staged.Put(u, made.bytesOf(), 0, 0); err != nil {
			return err
		}
		rec, err = imageRecords.Insert(u, t.scope(), made)
		return err
	})
	return rec, err
}

// stageImage readies the bytes of an image for a twin that the caller may change.
func (s *Service) stageImage(ctx context.Context, twinID string, content []byte) (staged *blob.Draft, err error) {
	err = s.bench.Call(ctx, func(j *judge.Judge) error {
		staged, err = s.blobs.Stage(ctx, content, func(u *records.Update) (string, error) {
			t, err := permitted(u, j.In(u), twinID, PermissionModify)
			if err != nil {
				return "", err
			}
			return t.account(), nil
		})
		return err
	})
	return staged, err
}

// DeleteTwinImage takes the image from a twin (DELETE /twins/{id}/image). It needs
// PermissionModify.
//
// Errors: twinNotFound; InsufficientPermissions; twinImageNotFound where it has none;
// VersionMismatch.
func (s *Service) DeleteTwinImage(ctx context.Context, twinID string, pre ...twinplatform.Precondition) error {
	may := func(u *records.Update, t *Twin) error {
		return imageMissing.Or(imageRecords.Check(u, t.scope(), recordID(twinID, ""), twinplatform.ConditionOf(pre...)))
	}
	return s.changeImage(ctx, twinID, may, func(_ *records.Update, t *Twin) error {
		if t.Image == "" {
			return imageMissing.Err()
		}
		t.Image, t.ImageName = "", ""
		return nil
	})
}

// changeImage changes the image of a twin, once the image that it had is erased. may is
// asked before that.
func (s *Service) changeImage(ctx context.Context, twinID string, may, fn func(*records.Update, *Twin) error) error {
	return s.change(ctx, func(u *records.Update, j *judge.Judge) error {
		before, err := permitted(u, j, twinID, PermissionModify)
		if err != nil {
			return err
		}
		if err := may(u, before); err != nil {
			return err
		}
		if err := eraseImage(u, before); err != nil {
			return err
		}
		rec, err := twinRecords.Modify(u, before.scope(), twinID, "", func(t *Twin) error {
			t.LastModifiedBy, t.LastModifiedDateTime = twinplatform.NullString(callerID(j)), s.now()
			return fn(u, t)
		})
		if err != nil {
			return err
		}
		return j.Emit(u, rec.Value.target(), event.TwinUpdated(rec.Value.eventContent(j)))
	})
}

// eraseImage removes the image of a twin, if it has one.
func eraseImage(u *records.Update, t *Twin) error {
	img, err := found(imageRecords.Value(u, allAccounts, recordID(t.ID, "")))
	if img == nil || err != nil {
		return err
	}
	if err := blob.Erase(u, img.bytesOf()); err != nil {
		return err
	}
	return imageRecords.Erase(u, t.scope(), recordID(t.ID, ""))
}

// File is bytes that the REST API serves. It reads them piece by piece.
type File struct {
	Name string // without any path
	Type string // media type
	Size int64  // in bytes

	bytes *blob.Reader
}

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) { return f.bytes.Read(p) }

// OpenImage returns the bytes of an image by its small or its large name. It asks for no
// permission: the name is known to the principal that may see the twin, or was given by one
// of them, and to no other principal. They are read while ctx lasts.
//
// Errors: twinImageNotFound, also while reading, once the twin has another image or
// none.
func (s *Service) OpenImage(ctx context.Context, imageName string) (*File, error) {
	id, _, _ := strings.Cut(imageName, "-small.")
	id, _, _ = strings.Cut(id, "-large.")
	return open(ctx, s, &imageRecords, allAccounts, indexImage, id, imageName, imageGone.Err(),
		func(i *TwinImage) blob.Named {
			name := i.SmallImageName
			if imageName == i.LargeImageName {
				name = imageName
			}
			return blob.Named{Name: name, Type: "image/" + i.format, Size: i.size, Scope: i.bytesOf()}
		})
}

// open is blob.Open of a file.
func open[T any](ctx context.Context, s *Service, c *records.Collection[T], in records.Scope, index, value, name string,
	gone error, of func(*T) blob.Named,
) (*File, error) {
	n, bytes, err := blob.Open(ctx, s.db, c, in, index, value, name, gone, of)
	if err != nil {
		return nil, err
	}
	return &File{Name: n.Name, Type: n.Type, Size: n.Size, bytes: bytes}, nil
}
