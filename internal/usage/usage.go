// Package usage writes the help of a command line as plain text of 80 columns.
package usage

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// width is how many columns a line has.
const width = 80

// Page is the help of a command.
type Page struct {
	Call     string // how it is called
	Text     string // what it does, in sentences; a line break ends a paragraph
	Examples []Example
	Commands []Command // those that it has
	Flags    []Flag
	Notes    []string // paragraphs at the end
}

// Example is a call, and what it does: nothing where that is plain.
type Example struct{ Call, Does string }

// Command is a line of the list of commands. Those of a group follow each other.
type Command struct{ Group, Name, Does string }

// Flag is one flag. Those of a group follow each other.
type Flag struct {
	Group, Name string
	Value       string // such as file; empty for a flag that is given or not
	Does        string
	Default     string // empty where there is none
}

// Flags lists the flags of a set in the order of their names.
func Flags(set *flag.FlagSet) (flags []Flag) {
	set.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		without := f.DefValue
		if slices.Contains([]string{"false", "0"}, without) {
			without = ""
		}
		flags = append(flags, Flag{Name: f.Name, Value: strings.ToLower(value), Does: text, Default: without})
	})
	return flags
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n", p.Call)
	for paragraph := range strings.SplitSeq(p.Text, "\n") {
		fmt.Fprintf(&b, "\n%s\n", wrapped(paragraph, 0, 0))
	}
	for i, e := range p.Examples {
		if i == 0 {
			b.WriteString("\n" + plural("Example", len(p.Examples)) + ":\n\n")
		}
		fmt.Fprintf(&b, "  %s\n", e.Call)
		if e.Does != "" {
			fmt.Fprintf(&b, "      %s\n", wrapped(e.Does, 6, 6))
		}
	}
	var rows []row
	for _, c := range p.Commands {
		rows = append(rows, row{cmp.Or(c.Group, "Commands"), c.Name, c.Does})
	}
	table(&b, rows)
	rows = rows[:0]
	for _, f := range p.Flags {
		rows = append(rows, row{cmp.Or(f.Group, "Flags"), strings.TrimSpace("-" + f.Name + " " + f.Value), f.line()})
	}
	table(&b, rows)
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "\n%s\n", wrapped(note, 0, 0))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plural(word string, n int) string {
	if n > 1 {
		return word + "s"
	}
	return word
}

// line is the help of a flag.
func (f *Flag) line() string {
	if f.Default == "" {
		return f.Does
	}
	return f.Does + " (default: " + f.Default + ")"
}

// row is a line of a table: a name and its description.
type row struct{ group, name, text string }

// table writes rows in two columns, under a heading for each group. A name that is wider than
// its column has its text below it.
func table(b *strings.Builder, rows []row) {
	column := 0
	for _, r := range rows {
		if n := utf8.RuneCountInString(r.name); n <= 24 {
			column = max(column, n)
		}
	}
	group := ""
	for _, r := range rows {
		if r.group != group {
			fmt.Fprintf(b, "\n%s:\n\n", r.group)
			group = r.group
		}
		indent := column + 4
		if utf8.RuneCountInString(r.name) > column {
			fmt.Fprintf(b, "  %s\n%s%s\n", r.name, strings.Repeat(" ", indent), wrapped(r.text, indent, indent))
			continue
		}
		fmt.Fprintf(b, "  %-*s  %s\n", column, r.name, wrapped(r.text, indent, indent))
	}
}

// wrapped is a text in lines that begin at a column, the first one at column at.
func wrapped(text string, at, indent int) string {
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		case i > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
