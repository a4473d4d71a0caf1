package realitydata

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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

// plainText checks a text that may hold no control sequences. multiline allows tabs
// and line breaks.
func plainText(c *refuse.Checks, target, text string, limit int, multiline bool) {
	readable(c, target, text, limit, multiline)
	if controlSequence.MatchString(text) {
		c.Bad(target, "The value of '%s' may not contain control sequences such as a URL or code.", target)
	}
}

// readable checks the length of a text and that it is readable.
func readable(c *refuse.Checks, target, text string, limit int, multiline bool) {
	if utf8.RuneCountInString(text) > limit {
		c.Bad(target, "The value of '%s' has more than %d characters.", target, limit)
	}
	unreadable := func(r rune) bool {
		if multiline && (r == '\n' || r == '\r' || r == '\t') {
			return false
		}
		return r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
	}
	if strings.ContainsFunc(text, unreadable) {
		c.Bad(target, "The value of '%s' contains control characters.", target)
	}
}

// tagMarks are the characters that no tag may have.
const tagMarks = `\/:*?,"<>|`

// checkTags returns tags in lower case, and checks them.
func checkTags(c *refuse.Checks, tags []string) []string {
	if len(tags) > MaxTags {
		c.Bad("tags", "There can be at most %d tags.", MaxTags)
	}
	out := make([]string, len(tags))
	for i, tag := range tags {
		out[i] = strings.ToLower(tag)
		switch {
		case strings.TrimSpace(tag) == "":
			c.Bad("tags", "A tag may not be empty.")
		case strings.ContainsAny(tag, tagMarks):
			c.Bad("tags", `The tag '%s' has one of the characters %s.`, tag, tagMarks)
		}
		readable(c, "tags", out[i], MaxTag, false)
	}
	return out
}
