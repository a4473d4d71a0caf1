package twins_test

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// picture is a PNG of a size in pixels.
func picture(width, height int) string {
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.String()
}

// covers: operations twinImages.set twinImages.get twinImages.read twinImages.delete
func TestImageOfATwinIsServedByItsNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	_, err := w.TwinImage(admin(t), twin.ID)
	wantProblem(t, err, twinplatform.NotFound, "twinImageNotFound twinId:")
	rec, err := w.SetTwinImage(admin(t), twin.ID, iotest.HalfReader(strings.NewReader(picture(5, 1))))
	if err != nil {
		t.Fatal(err)
	}
	id := rec.Value.ID
	want := `{"id":"` + id + `","largeImageName":"` + id + `-large.png","largeImageUrl":"/twin-images/` + id + `-large.png","smallImageName":"` + id + `-small.png","smallImageUrl":"/twin-images/` + id + `-small.png"}`
	if got, err := w.TwinImage(admin(t), twin.ID); err != nil || string(got.JSON) != want || got.ETag != rec.ETag {
		t.Errorf("%s, %v\nwant %s", got.JSON, err, want)
	}
	got, err := w.Twin(admin(t), twin.ID)
	if err != nil || string(got.Value.Image) != rec.Value.SmallImageURL || string(got.Value.ImageName) != rec.Value.SmallImageName {
		t.Errorf("%+v, %v", got.Value, err)
	}
	for _, name := range []string{rec.Value.SmallImageName, rec.Value.LargeImageName} {
		f, err := w.OpenImage(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(f)
		if err != nil || string(content) != picture(5, 1) || f.Size != int64(len(content)) || f.Type != "image/png" || f.Name != name {
			t.Errorf("%d bytes of %+v, %v", len(content), f, err)
		}
	}
	if err := w.DeleteTwinImage(admin(t), twin.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.OpenImage(t.Context(), rec.Value.SmallImageName)
	wantProblem(t, err, twinplatform.NotFound, "twinImageNotFound imageName:")
	wantProblem(t, w.DeleteTwinImage(admin(t), twin.ID), twinplatform.NotFound, "twinImageNotFound twinId:")
	if got, err = w.Twin(admin(t), twin.ID); err != nil || got.Value.Image != "" || got.Value.ImageName != "" {
		t.Errorf("%+v, %v", got.Value, err)
	}
}

func TestImageIsAPictureOfBoundedSizeAndShape(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	var photo strings.Builder
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 8, 9)), nil); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"a JPEG": photo.String(), "a PNG of 64 megapixels": claimed(8_000, 8_000), "five times as high as wide": picture(1, 5), "the largest": picture(2, 2) + strings.Repeat("x", twins.MaxImageBytes-len(picture(2, 2))),
	} {
		if _, err := w.SetTwinImage(admin(t), twin.ID, strings.NewReader(content)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, content := range map[string]string{
		"nothing": "", "text": "a picture", "a GIF": "GIF89a\x01\x00\x01\x00\x00\x00\x00", "too wide": picture(11, 2), "too high": picture(2, 11),
		"a PNG of more than 64 megapixels": claimed(8_000, 8_001), "a PNG of four billion pixels": claimed(65_535, 65_535), "a PNG of the largest sides": claimed(1<<31-1, 1<<31-1),
		"a JPEG of four billion pixels": "\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00",
		"too large":                     picture(2, 2) + strings.Repeat("x", twins.MaxImageBytes),
	} {
		_, err := w.SetTwinImage(admin(t), twin.ID, strings.NewReader(content))
		if err == nil {
			t.Errorf("%s is taken", name)
			continue
		}
		wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue image")
	}
	_, err := w.SetTwinImage(admin(t), twin.ID, nil)
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue image")
	broken := errors.New("the line is dead")
	if _, err := w.SetTwinImage(admin(t), twin.ID, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if _, err := w.TwinImage(admin(t), twin.ID); err != nil {
		t.Errorf("what is refused takes the image along: %v", err)
	}
}

func TestImagesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	set := func() string {
		rec, err := w.SetTwinImage(admin(t), twin.ID, strings.NewReader(picture(2, 2)+strings.Repeat("x", 2<<20)))
		if err != nil {
			t.Fatal(err)
		}
		return rec.Value.LargeImageName
	}
	kept := func() (n int) {
		err := w.store.View(t.Context(), func(r storage.Reader) error {
			n = 0
			for key := range r.Scan("twin", "") {
				if strings.HasPrefix(key, "twinimage-") || strings.HasPrefix(key, "twins/images/") {
					n++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := set()
	once := kept()
	f, err := w.OpenImage(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	set()
	if again := kept(); again != once || once < 8 {
		t.Errorf("%d keys with another image, %d with the first", again, once)
	}
	_, err = io.ReadAll(f)
	wantProblem(t, err, twinplatform.NotFound, "twinImageNotFound imageName:")
	if err := w.DeleteTwin(admin(t), twin.ID); err != nil {
		t.Fatal(err)
	}
	if after := kept(); after != 0 {
		t.Errorf("%d keys once the twin is gone", after)
	}
}

// claimed is the header of a PNG of such sides.
func claimed(width, height uint32) string {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, width)
	header = binary.BigEndian.AppendUint32(header, height)
	header = append(header, 8, 2, 0, 0, 0)
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(header))
	return "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" + string(header) + string(sum)
}
