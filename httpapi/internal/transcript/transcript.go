// Package transcript is the format of conversations with the API: requests, each with the
// answer to it.
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
// The line with the caller may be left out; it is the writer then. Lines with what a step
// covers of the specification come first. {{next}}, {{delta}} and {{etag}} stand for the
// tokens and the version of the latest answer that had any. Recordings also have their
// own names between braces: what an answer has in such a place is what later requests
// send there.
package transcript

import (
	"fmt"
	"path"
	"strings"
)

// Conversation is what is in a file.
type Conversation struct {
	// Path is the path of the file below the folder of all conversations:
	// schedules/tasks.create.txtar.
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

// Head is the caller, the method and the target of the request of a step.
func Head(request string) (caller, method, target string) {
	caller = "writer"
	line, rest, _ := strings.Cut(request, "\n")
	if as, ok := strings.CutPrefix(line, "as "); ok {
		caller = as
		line, _, _ = strings.Cut(rest, "\n")
	}
	method, target, _ = strings.Cut(line, " ")
	return caller, method, target
}
