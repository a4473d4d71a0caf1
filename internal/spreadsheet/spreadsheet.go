// Package spreadsheet writes CSV that spreadsheets open without running any of it.
package spreadsheet

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"
)

// Cell is a field of a line.
type Cell struct{ field string }

// Text is a cell of text that a user has chosen. One that a spreadsheet would take
// for a formula, since it begins with = + - @ or their full-width forms, a tab, a carriage
// return or a line feed, gets an apostrophe before it.
func Text(s string) Cell {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@＝＋－＠\t\r\n", first) {
		return Cell{"'" + s}
	}
	return Cell{s}
}

// Plain is a cell that is written as it is: a number, also one below zero, a time, a word
// of the program. It is not for text that a user has chosen.
func Plain(s string) Cell { return Cell{s} }

// Writer writes lines.
type Writer struct{ lines *csv.Writer }

// NewWriter returns one that writes to w. What it has written is there after Flush.
func NewWriter(w io.Writer) *Writer { return &Writer{csv.NewWriter(w)} }

// Write writes a line. Flush returns its failure again.
func (w *Writer) Write(cells ...Cell) error {
	fields := make([]string, len(cells))
	for i, c := range cells {
		fields[i] = c.field
	}
	return w.lines.Write(fields)
}

// Names writes a line of words of the program.
func (w *Writer) Names(names ...string) error { return w.lines.Write(names) }

// Flush writes what is left, and returns the first failure.
func (w *Writer) Flush() error {
	w.lines.Flush()
	return w.lines.Error()
}
