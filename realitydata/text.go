package realitydata

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Names and descriptions are shown as they are, in many programs. They may not
// carry what such a program could take for more than text:
//
//   - control characters, and the invisible ones that change the direction or
//     the joining of text; a description may have tabs and line breaks;
//   - addresses: a scheme followed by "://", the schemes javascript:, data:,
//     vbscript: and mailto:, and names that begin with "www.";
//   - code: tags and comments of HTML, XML and of server pages (a "<" before a
//     letter, "/", "!", "?" or "%"), template expressions ("${", "{{", "{%",
//     "#{") and back quotes.
var controlSequence = regexp.MustCompile("(?i)" + strings.Join([]string{
	`[a-z][a-z0-9+.-]*://`,
	`\b(?:javascript|data|vbscript|mailto):\S`,
	`\bwww\.\S`,
	`<[a-z/!?%]`,
	`\$\{`, `\{\{`, `\{%`, `#\{`,
	"`",
}, "|"))

// check is one of a text of a record.
type check = func(c *problem.Checks, name, text string)

// line checks a text in one line, of so many characters at most, and lines one that
// may have several.
func line(limit int) check {
	return func(c *problem.Checks, name, text string) { checkText(c, name, text, limit, "") }
}

func lines(limit int) check {
	return func(c *problem.Checks, name, text string) { checkText(c, name, text, limit, "\n\r\t") }
}

// plainLine and plainLines check texts that have no control sequences either.
func plainLine(limit int) check  { return plain(line(limit)) }
func plainLines(limit int) check { return plain(lines(limit)) }

func plain(other check) check {
	return func(c *problem.Checks, name, text string) {
		other(c, name, text)
		if controlSequence.MatchString(text) {
			c.Bad(name, "The value of '%s' may not contain control sequences such as a URL or code.", name)
		}
	}
}

// checkText checks the length of a text and that it can be read. Of all control
// characters it may have some.
func checkText(c *problem.Checks, name, text string, limit int, controls string) {
	c.Holds(schema.May(name, schema.AtMost(limit)))
	if utf8.RuneCountInString(text) > limit {
		c.Bad(name, "The value of '%s' has more than %d characters.", name, limit)
	}
	unreadable := func(r rune) bool {
		return r == utf8.RuneError || (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) &&
			!strings.ContainsRune(controls, r)
	}
	if strings.ContainsFunc(text, unreadable) {
		c.Bad(name, "The value of '%s' contains control characters.", name)
	}
}

// tagMarks are the characters that no tag may have.
const tagMarks = `\/:*?,"<>|`

func checkTags(c *problem.Checks, name string, tags []string) {
	c.Holds(schema.May(name, schema.List(0, MaxTags, schema.Length(1, MaxTag))))
	if len(tags) > MaxTags {
		c.Bad(name, "There can be at most %d tags.", MaxTags)
	}
	for _, tag := range tags {
		switch {
		case strings.TrimSpace(tag) == "":
			c.Bad(name, "A tag may not be empty.")
		case strings.ContainsAny(tag, tagMarks):
			c.Bad(name, `The tag '%s' has one of the characters %s.`, tag, tagMarks)
		}
		line(MaxTag)(c, name, strings.ToLower(tag))
	}
}

// lower is tags as they are kept: in lower case, each once, and never nil.
func lower(tags []string) []string {
	out := make([]string, len(tags))
	for i, tag := range tags {
		out[i] = strings.ToLower(tag)
	}
	return entity.Once(out)
}
