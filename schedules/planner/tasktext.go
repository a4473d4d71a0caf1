package planner

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// taskText is a member of tasks that all formats have as a plain text, by what each calls it.
type taskText struct {
	xer, p6, mspdi string
	of             func(*Task) *string
}

// taskTexts lists the texts of tasks that every format reads and writes unchanged.
var taskTexts = []taskText{
	{"task_name", "Name", "Name", func(t *Task) *string { return &t.Name }},
	{"guid", "GUID", "GUID", func(t *Task) *string { return &t.ExternalID }},
}

func inXER(m *taskText) string   { return m.xer }
func inP6XML(m *taskText) string { return m.p6 }
func inMSPDI(m *taskText) string { return m.mspdi }

// readTexts gives the task what a file has under the names of a format.
func (t *Task) readTexts(in func(*taskText) string, take func(name string) string) {
	for i := range taskTexts {
		*taskTexts[i].of(t) = take(in(&taskTexts[i]))
	}
}

// writeTexts adds the texts of the task under the names of a format.
func (t *Task) writeTexts(in func(*taskText) string, v values) {
	for i := range taskTexts {
		v[in(&taskTexts[i])] = *taskTexts[i].of(t)
	}
}

// withTaskTexts are columns of the table of tasks in XER, with those of all texts.
func withTaskTexts(columns ...string) []string {
	for i := range taskTexts {
		if !slices.Contains(columns, taskTexts[i].xer) {
			columns = append(columns, taskTexts[i].xer)
		}
	}
	return columns
}

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
