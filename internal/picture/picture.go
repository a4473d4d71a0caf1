// Package picture reports whether bytes are a picture that people may be shown.
package picture

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
)

// MaxPixels is how many pixels a picture claims at most. A file of a few kilobytes may
// claim billions, which every browser that shows it sets memory aside for.
const MaxPixels = 64_000_000

// Picture is what the header of a picture has of it.
type Picture struct {
	Format        string // png or jpeg
	Width, Height int    // in pixels, 1 or more
}

// TooLarge reports whether a picture claims more than MaxPixels.
func (p Picture) TooLarge() bool { return p.Width > MaxPixels/p.Height }

// Of reads the header of a PNG or a JPEG; ok reports whether the content is one.
func Of(content []byte) (p Picture, ok bool) {
	for format, read := range map[string]func(*bytes.Reader) (image.Config, error){
		"png":  func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) },
		"jpeg": func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) },
	} {
		c, err := read(bytes.NewReader(content))
		if err == nil && c.Width > 0 && c.Height > 0 {
			return Picture{format, c.Width, c.Height}, true
		}
	}
	return Picture{}, false
}
