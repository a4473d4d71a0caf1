package planner

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The namespaces of the XML of Microsoft Project and of P6 begin so, or have that within them.
const (
	mspdiSpace = "http://schemas.microsoft.com/project"
	p6Space    = "primavera"
)

// signatures are how files begin that people take for plans, with what these are.
var signatures = []struct{ begin, is string }{
	{"PK\x03\x04", "a ZIP, as workbooks of Excel and files of Asta Powerproject are; unpack it, or export XER or XML"},
	{"\x1F\x8B", "compressed by gzip; unpack it"},
	{"SQLite format 3", "a database of SQLite, as those of P6 and Asta Powerproject are; export XER or XML from the " +
		"tool"},
	{"\x00\x01\x00\x00Standard", "a database of Access; export XML from the tool"},
	{"\xAC\xED", "of ProjectLibre (*.pod); save it there as XML of Microsoft Project"},
	{"%PDF", "a PDF; export XER or XML from the tool"},
	{"{\\rtf", "a text in RTF"},
	{"{", "JSON"},
	{"[", "JSON"},
	{"BEGIN:VCALENDAR", "a calendar (iCalendar)"},
	{"MPX", "an MPX of Microsoft Project 98; save it as XML in Microsoft Project"},
	{"ermhdr", "an XER whose first line is not as P6 writes it"},
	{"%T\t", "an XER without its first line, ERMHDR; export it once more"},
}

// noPlan is what a file fails with that is of one of the formats and holds no plan. It is an
// ErrFormat.
type noPlan string

func (e noPlan) Error() string { return "planner: the file holds no plan: " + string(e) }

// Is reports whether it is an ErrFormat.
func (noPlan) Is(target error) bool { return target == ErrFormat }

// foreign is why a file is refused that is of no format that is read.
func foreign(begin []byte) error {
	if len(begin) == 0 {
		return fmt.Errorf("%w: it is empty", ErrFormat)
	}
	for _, s := range signatures {
		if bytes.HasPrefix(begin, []byte(s.begin)) {
			return fmt.Errorf("%w: it is %s", ErrFormat, s.is)
		}
	}
	if bytes.IndexByte(begin, 0) >= 0 {
		return fmt.Errorf("%w: it is no text", ErrFormat)
	}
	line, _, _ := bytes.Cut(begin, []byte("\n"))
	if len(line) > maxQuoted {
		line = line[:maxQuoted]
	}
	kind := "text"
	if bytes.Count(line, []byte(",")) > 2 || bytes.Count(line, []byte(";")) > 2 || bytes.Count(line, []byte("\t")) > 2 {
		kind = "a table of text, such as CSV"
	}
	return fmt.Errorf("%w: it is %s that begins with %s", ErrFormat, kind,
		quoted(strings.ToValidUTF8(string(line), string(utf8.RuneError))))
}

// roots are the first elements of files that people take for plans, in lower case.
var roots = map[string]string{
	"project": "of another tool, as GanttProject and GNOME Planner are; export XML of Microsoft Project from it",
	"html":    "a page of HTML; the answer of a server may have been saved in place of a file", "svg": "a picture",
	"workbook":           "a workbook of Excel; export XER or XML from the tool",
	"plan":               "of Calligra Plan; export XML of Microsoft Project from it",
	"kplato":             "of KPlato; export XML of Microsoft Project from it",
	"apibusinessobjects": "of no version of P6 that is known",
}

// foreignRoot is why an XML is refused whose first element is none that is read.
func foreignRoot(root xml.StartElement) error {
	is := ""
	switch {
	case strings.Contains(root.Name.Space, "developer/msbuild"):
		is = "; it is a project of MSBuild"
	case roots[strings.ToLower(root.Name.Local)] != "":
		is = "; it is " + roots[strings.ToLower(root.Name.Local)]
	}
	space := ""
	if root.Name.Space != "" {
		space = " of the namespace " + quoted(root.Name.Space)
	}
	return fmt.Errorf("%w: it begins with <%s>%s%s", ErrFormat, cutName(root.Name.Local), space, is)
}

// foreignProject says why an XML is refused that begins like a plan of Microsoft Project
// but has no list of tasks. MSBuild, for one, uses the same first element.
func foreignProject(root xml.StartElement, found string) error {
	for _, a := range root.Attr {
		if a.Name.Local == "Sdk" || a.Name.Local == "ToolsVersion" || a.Name.Local == "DefaultTargets" {
			return noPlan("it is a project of MSBuild")
		}
	}
	for _, name := range []string{"PropertyGroup", "ItemGroup", "Import", "Target"} {
		if strings.Contains(found, name) {
			return noPlan("it is a project of MSBuild; it has " + found)
		}
	}
	return noPlan("it has no Tasks, which the tasks of a plan are in; it has " + found)
}

// cutName is a name of a file for an error.
func cutName(name string) string {
	name = quoted(name)
	return name[1 : len(name)-1]
}

// understood refuses a plan of whose tasks none could be read, so that it is not taken for one without
// tasks.
func (p *Plan) understood(rows int) (*Plan, error) {
	held := len(p.Tasks)
	for i := range p.Baselines {
		held += len(p.Baselines[i].Tasks)
	}
	if rows == 0 || held > 0 {
		if rows == 0 {
			p.warn("file", "It has no tasks.")
		}
		return p, nil
	}
	why := ""
	if len(p.Warnings) > 0 {
		why = "; the first is: " + p.Warnings[0].What + ": " + p.Warnings[0].Text
	}
	return nil, fmt.Errorf("%w: none of its %d tasks can be read%s", ErrMalformed, rows, why)
}
