package server

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
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

// overview is the help of the program.
func overview() *usage.Page {
	page := &usage.Page{
		Call: "twinplatform [COMMAND] [flags]",
		Text: "An emulator of a digital-twin platform: serves its REST APIs, and looks after what it keeps.",
		Examples: []usage.Example{
			{Call: "twinplatform", Does: "Serves in memory, with a demo token, at " + defaultAddr + "."},
			{Call: "twinplatform -import plan.xer", Does: "Serves the schedule of a planner file."},
			{Call: "twinplatform help serve", Does: "Lists the flags of the server."},
		},
		Notes: []string{`"twinplatform help COMMAND" lists the flags of a command, with examples.`},
	}
	for _, c := range commands() {
		page.Commands = append(page.Commands, usage.Command{Group: c.group, Name: c.name, Does: c.short})
	}
	for _, code := range exitCodes {
		page.Commands = append(page.Commands,
			usage.Command{Group: "Exit codes", Name: strconv.Itoa(code.code), Does: code.means})
	}
	return page
}

// help makes the help page of a command.
func (c *command) help() *usage.Page {
	page := &usage.Page{Call: c.usage(), Text: plain(c.text), Examples: c.job().examples}
	for _, group := range optionGroups {
		for _, o := range new(Config).options() {
			if o.group == group && slices.Contains(c.job().options, o.name) {
				page.Flags = append(page.Flags,
					usage.Flag{Group: group, Name: o.name, Value: o.value, Does: plain(o.text), Default: o.shown()})
			}
		}
	}
	if len(page.Flags) > 0 {
		page.Notes = []string{"Each flag has a variable of the environment: -addr-file is " + variable("addr-file") +
			". A flag overrides its variable, and that the file of -config."}
	}
	return page
}

// shown is the default of an option, as far as the help shows it.
func (o *option) shown() string {
	if o.without == "none" || o.without == "off" {
		return ""
	}
	return plain(o.without)
}

var link = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// plain is a text without the marks of Markdown: a terminal shows neither code nor where a
// link leads.
func plain(text string) string {
	return link.ReplaceAllString(strings.ReplaceAll(text, "`", ""), "$1")
}
