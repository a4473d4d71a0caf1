// Package conversations has the recorded conversations with the API, in a file for each
// operation. Package transcript reads the files. In them {{secret}} stands for a generated
// secret, {{png}} for an image and {{wide}} for one with too long a side.
//
// The tests of package httpapi play them in their own worlds, each answer to the letter,
// and record them again with -update. Package httpapitest plays them to any server, in the
// World of their area. Nothing that people install has them in it.
package conversations

import (
	"embed"
	"image"
	"image/png"
	"io/fs"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// Folder is where the files are, below the folder of package httpapi.
const Folder = "internal/conversations"

//go:embed */*.txtar
var files embed.FS

// Conversation is what is in a file.
type Conversation = transcript.Conversation

// Step is a request with the answer to it.
type Step = transcript.Step

// World is the conversation in which a client makes the world of an area, as far as
// clients can: requests, whose answers name what else is to be known of it. It is nil where
// there is none.
func World(area string) *Conversation {
	path := worlds + "/" + area + ".txtar"
	text, err := files.ReadFile(path)
	if err != nil {
		return nil
	}
	return transcript.Parse(path, string(text))
}

const worlds = "worlds"

// Pictures is a request with the bytes of images for what stands for them.
func Pictures(request string) string {
	if !strings.Contains(request, "{{") {
		return request
	}
	return strings.NewReplacer("{{png}}", PNG(4, 2), "{{wide}}", PNG(11, 2)).Replace(request)
}

// PNG is an image of a size in pixels.
func PNG(width, height int) string {
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err) // b takes everything
	}
	return b.String()
}

// All are all conversations, by folder and name.
func All() (all []*Conversation) {
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, worlds+"/") {
			return err
		}
		text, err := files.ReadFile(path)
		if err == nil {
			all = append(all, transcript.Parse(path, string(text)))
		}
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
}
