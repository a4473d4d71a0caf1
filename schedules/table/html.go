package table

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strconv"
)

// HTML writes a table as an element of a page, most rows of it at most, and says how many more there are.
// A number and a date have the class number.
//
// It fails as the writer does.
func HTML(w io.Writer, t *Table, most int) error {
	out := bufio.NewWriter(w) // which keeps the first failure for Flush
	fmt.Fprint(out, "<table>\n<thead><tr>")
	for _, name := range t.names {
		fmt.Fprintf(out, "<th>%s</th>", html.EscapeString(name))
	}
	fmt.Fprint(out, "</tr></thead>\n<tbody>\n")
	rows := 0
	for line := range t.rows {
		if rows++; rows > most {
			continue
		}
		fmt.Fprint(out, "<tr>")
		for _, c := range line {
			if c.kind == number || c.kind == date {
				fmt.Fprintf(out, `<td class="number">%s</td>`, c.shown())
			} else {
				fmt.Fprintf(out, "<td>%s</td>", html.EscapeString(c.text))
			}
		}
		fmt.Fprint(out, "</tr>\n")
	}
	fmt.Fprint(out, "</tbody></table>\n")
	if rows > most {
		fmt.Fprintf(out, "<p>%d more rows are not shown.</p>\n", rows-most)
	}
	return out.Flush()
}

// shown is a number or a date as people read it.
func (c cell) shown() string {
	if c.kind == number {
		return strconv.FormatFloat(c.number, 'f', -1, 64)
	}
	return c.text
}
