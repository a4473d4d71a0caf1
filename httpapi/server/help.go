package server

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// usage is how a command is called.
func (c *command) usage() string {
	words := []string{"twinplatform", c.name}
	if len(c.job().options) > 0 {
		words = append(words, "[flags]")
	}
	if c.operands != "" {
		words = append(words, c.operands)
	}
	return strings.Join(words, " ")
}

// overview tells a person at a terminal what the program does.
func overview(w io.Writer) {
	fmt.Fprint(w, "twinplatform serves the twin platform over HTTP, and looks after its stores.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %s\n    \t%s\n", c.usage(), plain(c.text))
	}
	fmt.Fprint(w, "\n\"twinplatform COMMAND -h\" tells more of one. Without a command it serves, with these flags:\n\n")
	printOptions(w, everyOption())
	fmt.Fprint(w, "\nExit codes:\n\n")
	for _, code := range exitCodes {
		fmt.Fprintf(w, "  %d\n    \t%s\n", code.code, code.means)
	}
}

// help tells a person at a terminal what a command does, and what can be said to it.
func (c *command) help(w io.Writer) {
	text := plain(c.text)
	fmt.Fprintf(w, "Usage: %s\n\n%s.\n\nExample:\n\n  %s\n", c.usage(), sentence(text), c.job().example)
	if names := c.job().options; len(names) > 0 {
		fmt.Fprint(w, "\nFlags, with their names in the environment:\n\n")
		printOptions(w, names)
	}
}

func printOptions(w io.Writer, names []string) {
	for _, o := range new(Config).options() {
		if slices.Contains(names, o.name) {
			flag := strings.TrimSpace("-" + o.name + " " + o.value)
			fmt.Fprintf(w, "  %s\n    \t%s (default: %s) [%s]\n", flag, plain(o.text), plain(o.without), variable(o.name))
		}
	}
}

var link = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// plain is a text without the marks of Markdown: a terminal shows neither code nor where a
// link leads.
func plain(text string) string {
	return link.ReplaceAllString(strings.ReplaceAll(text, "`", ""), "$1")
}
