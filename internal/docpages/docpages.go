// Package docpages reads pages of the documentation and runs what they show, for tests.
//
// A block of code says behind its fence what becomes of it:
//
//	sh          is pasted into one bash for the whole page; each of its commands must succeed
//	sh serves   is a server: it keeps running while the rest of the page is typed, until
//	            the next such block takes its place
//	console     holds commands behind "$ ", each with what it prints below it
//	text        is what the block of sh before it prints
//
// In what is printed … stands for the rest of a line or for a part of one, and a line that
// is nothing else for any number of lines.
package docpages

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Address is where servers are in the pages. Tests have them elsewhere.
const Address = "127.0.0.1:4790"

// Block is a block of code of a page.
type Block struct {
	Line int    // of the opening fence, from 1
	Info string // what is behind the fence, such as "sh"
	Text string
}

// Read returns the blocks of code of a page, in their order.
func Read(t testing.TB, page string) []Block {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []Block
	open := false
	for i, line := range strings.SplitAfter(string(text), "\n") {
		info, fence := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "```")
		switch {
		case fence && !open:
			blocks = append(blocks, Block{Line: i + 1, Info: info})
			open = true
		case fence:
			open = false
		case open:
			blocks[len(blocks)-1].Text += line
		}
	}
	return blocks
}

// Texts returns what is in the blocks of one kind, and fails the test where the page has
// none.
func Texts(t testing.TB, page, info string) []string {
	t.Helper()
	var out []string
	for _, b := range Read(t, page) {
		if b.Info == info {
			out = append(out, b.Text)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no block of %s", page, info)
	}
	return out
}

// Same reports whether something prints what a page shows.
func Same(shown, printed string) bool {
	pattern := regexp.QuoteMeta(strings.TrimRight(shown, "\n") + "\n")
	pattern = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(pattern, `(?s:.*)`)
	pattern = strings.ReplaceAll(pattern, "…", `[^\n]*`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(strings.TrimRight(printed, "\n") + "\n")
}

// Typed is a command that a block shows, and what the block says that it prints.
type Typed struct {
	Command, Output string
	Shown           bool // whether the page shows an output
}

// Commands lists the commands of a console block: each begins behind "$ " and continues in
// lines behind "> ".
func (b Block) Commands() (commands []Typed) {
	for line := range strings.Lines(b.Text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, Typed{Command: command, Shown: true})
			continue
		}
		if len(commands) == 0 {
			continue
		}
		last := &commands[len(commands)-1]
		if more, ok := strings.CutPrefix(line, "> "); ok && last.Output == "" {
			last.Command += more
			continue
		}
		last.Output += line
	}
	return commands
}
