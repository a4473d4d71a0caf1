// Package conversations has the recorded conversations with the API: requests, each
// with the answer to it, in a file for each operation.
//
//	What the conversation is about.
//
//	-- a title --
//	covers: Task as requested (S11): field name
//	as reader
//	PATCH /schedules/plan/tasks/dig
//	If-Match: {{etag}}
//
//	{"name": "Dig"}
//	-- answer --
//	200
//	ETag: {{etag}}
//
//	{…}
//
// The line with the caller may be left out; it is the writer then. Lines with what a
// step covers of the specification come first. {{next}}, {{delta}} and {{etag}} stand
// for the tokens and the version of the latest answer that had any, {{secret}} for a
// generated secret, {{png}} for an image and {{wide}} for one with too long a side.
//
// The tests of package httpapi play them in worlds of their own, each answer to the
// letter, and record them anew with -update. Package httpapitest plays those
// of an area with a World to any server. Nothing that people install has them in it.
package conversations

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Folder is where the files are, below the folder of package httpapi.
const Folder = "internal/conversations"

//go:embed */*.txtar
var files embed.FS

// Conversation is what is in a file.
type Conversation struct {
	// Path is that of the file, below Folder: schedules/tasks.create.txtar.
	Path  string
	About string
	Steps []Step
}

// Step is a request with the answer to it.
type Step struct {
	Title string
	// Covers are rows of the specification.
	Covers []string
	// Request begins with the caller, where one is named, and the request line.
	Request string
	// Answer begins with the status.
	Answer string
}

// World is the conversation in which a client makes the world of an area, as far as
// clients can: requests without answers. It is nil where there is none.
func World(area string) *Conversation {
	path := worlds + "/" + area + ".txtar"
	text, err := files.ReadFile(path)
	if err != nil {
		return nil
	}
	return Parse(path, string(text))
}

const worlds = "worlds"

// All are all conversations, by folder and name.
func All() (all []*Conversation) {
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, worlds+"/") {
			return err
		}
		text, err := files.ReadFile(path)
		if err == nil {
			all = append(all, Parse(path, string(text)))
		}
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
}

// Parse reads a file.
func Parse(path, text string) *Conversation {
	c := &Conversation{Path: path}
	into := &c.About
	var last *Step
	for line := range strings.Lines(text) {
		title, isTitle := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		title, closed := strings.CutSuffix(title, " --")
		row, covers := strings.CutPrefix(line, "covers: ")
		switch {
		case isTitle && closed && title == "answer" && last != nil:
			into = &last.Answer
		case isTitle && closed:
			c.Steps = append(c.Steps, Step{Title: title})
			last = &c.Steps[len(c.Steps)-1]
			into = &last.Request
		case covers && last != nil && into == &last.Request && *into == "":
			last.Covers = append(last.Covers, strings.TrimSpace(row))
		default:
			*into += line
		}
	}
	return c
}

// String is the text of the file.
func (c *Conversation) String() string {
	var b strings.Builder
	b.WriteString(c.About)
	for _, s := range c.Steps {
		fmt.Fprintf(&b, "-- %s --\n", s.Title)
		for _, row := range s.Covers {
			fmt.Fprintf(&b, "covers: %s\n", row)
		}
		fmt.Fprintf(&b, "%s-- answer --\n%s", s.Request, s.Answer)
	}
	return b.String()
}

// Operation is the operation that the conversation is about, which its file is named
// after.
func (c *Conversation) Operation() string { return strings.TrimSuffix(path.Base(c.Path), ".txtar") }

// Area is the folder.
func (c *Conversation) Area() string { return path.Dir(c.Path) }
