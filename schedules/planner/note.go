package planner

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// note is one of an item, cut where it is too long, if there is any text in it.
func (p *Plan) note(what, topic, text string) (n Note, ok bool) {
	if text = plain(text); len(text) > MaxNote {
		for text = text[:MaxNote]; !utf8.ValidString(
			text[max(0, len(text)-utf8.UTFMax):],
		) && len(text) > MaxNote-utf8.UTFMax; {
			text = text[:len(text)-1]
		}
		p.warn(what, "A note of it is cut off behind its first 64 KiB.")
	}
	return Note{topic, text}, text != ""
}

var (
	// markup is how text begins that P6 keeps as HTML.
	markup = regexp.MustCompile(`(?i)^\s*<(!doctype|html|head|body|p|div|span|font|br)\b`)
	// unseen is what of HTML is no text, breaks are where it begins a new line.
	unseen = regexp.MustCompile(`(?is)<!--.*?-->|<(head|style|script)\b.*?</(head|style|script)\s*>`)
	breaks = regexp.MustCompile(`(?i)<(br|/p|/div|/li|/tr|/h[1-6])\b[^>]*>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`[ \t\r\n]+`)
	around = regexp.MustCompile(` *\n *`)
)

// plain is a text without its formatting. What lies far behind what is kept of a note is
// not looked at.
func plain(s string) string {
	if len(s) > 16*MaxNote {
		s = strings.ToValidUTF8(s[:16*MaxNote], "")
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, mark), "ï»¿") // which P6 has within fields
	if !markup.MatchString(s) {
		return strings.TrimSpace(s)
	}
	s = spaces.ReplaceAllString(unseen.ReplaceAllString(s, ""), " ")
	s = tags.ReplaceAllString(breaks.ReplaceAllString(s, "\n"), "")
	return strings.TrimSpace(html.UnescapeString(around.ReplaceAllString(s, "\n")))
}

// marked is a text that plain gives back, as HTML where it would be taken for that.
func marked(s string) string {
	if !markup.MatchString(s) {
		return s
	}
	return "<HTML><BODY>" + strings.NewReplacer(" ", "&#32;", "\n", "<BR>").Replace(html.EscapeString(s)) +
		"</BODY></HTML>"
}
