package server

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// manCommand prints the manual of the program in the form of man(7).
func manCommand() job {
	return job{
		examples: []usage.Example{{Call: "twinplatform man | man -l -"}},
		run: func(_ context.Context, _ *server, _ []string, stdout io.Writer) error {
			return manual(stdout)
		},
	}
}

// manual is the page twinplatform(1): the commands and flags that help shows, with what the
// exit codes mean.
func manual(w io.Writer) error {
	var b strings.Builder
	b.WriteString(".TH TWINPLATFORM 1\n.SH NAME\ntwinplatform \\- an implementation of the twin platform API\n")
	b.WriteString(".SH SYNOPSIS\n.B twinplatform\n[\\fICOMMAND\\fR] [\\fIFLAGS\\fR] [\\fIFILE\\fR]\n")
	b.WriteString(".SH DESCRIPTION\n" +
		roff("Serves the twin platform over HTTP, and looks after its stores. Without a command it serves.") + "\n")
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(c.usage()), roff(plain(c.text)))
	}
	b.WriteString(".SH FLAGS\n" + roff("twinplatform COMMAND -h says which of them a command takes.") + "\n")
	for _, o := range new(Config).options() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s (default: %s)\n", roff(strings.TrimSpace("-"+o.name+" "+o.value)),
			roff(plain(o.text)), roff(plain(o.without)))
	}
	b.WriteString(".SH ENVIRONMENT\n" + roff("Each flag has a variable: ") + "\n")
	for _, o := range new(Config).options() {
		b.WriteString(roff(variable(o.name)) + "\n.br\n")
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, code := range exitCodes {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s.\n", code.code, roff(code.means))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// exitWrongly is the exit code of a wrong call, as [cli.ExitCode] has it.
const exitWrongly = 2

// exitCodes lists the exit codes of the program. The table in docs/operating.md shows the
// same rows.
var exitCodes = []struct {
	code  int
	means string
}{
	{0, "Done, or help was printed"},
	{1, "Failed; standard error says why. Also: check found damage, compare found differences"},
	{exitWrongly, "Called wrongly: an unknown command or flag, a wrong value, or a missing argument. Also: compare " +
		"could not compare"},
	{3, "plan check: a plan fails one of its points"},
}

// roff is a text in which nothing is a command of man(7).
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}

// completionCommand prints what makes a shell complete commands and flags.
func completionCommand() job {
	return job{
		examples: []usage.Example{
			{Call: "source <(twinplatform completion bash)", Does: "Completes in this shell."},
			{Call: "twinplatform completion fish > ~/.config/fish/completions/twinplatform.fish"},
		},
		run: func(_ context.Context, _ *server, operands []string, stdout io.Writer) error {
			script := map[string]func() string{
				"bash": bashCompletion, "fish": fishCompletion,
				"zsh": zshCompletion,
			}[operands[0]]
			if script == nil {
				return fmt.Errorf("there are no completions for %q, only for bash, fish or zsh", operands[0])
			}
			_, err := io.WriteString(stdout, script())
			return err
		},
	}
}

// words are what may be behind a command: its flags, or its verbs.
func (c *command) words() []string {
	j := c.job()
	if j.verbs != nil {
		return j.words
	}
	words := make([]string, 0, len(j.options)+1)
	for _, name := range append(slices.Clone(j.options), "h") {
		words = append(words, "-"+name)
	}
	return words
}

func bashCompletion() string {
	var names []string
	var cases strings.Builder
	for _, c := range commands() {
		names = append(names, c.name)
		fmt.Fprintf(&cases, "\t%s) words=%q ;;\n", c.name, strings.Join(c.words(), " "))
	}
	return `_twinplatform() {
	local words
	COMPREPLY=()
	case ${COMP_WORDS[1]} in
` + cases.String() + `	esac
	[ "$COMP_CWORD" -gt 1 ] || words="` + strings.Join(append(names, "help"), " ") + `"
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _twinplatform twinplatform
`
}

// zshCompletion lets zsh read what is made for bash.
func zshCompletion() string {
	return "#compdef twinplatform\nautoload -U +X bashcompinit && bashcompinit\n" + strings.Replace(bashCompletion(),
		`mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")`,
		`COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))`, 1)
}

func fishCompletion() string {
	var b strings.Builder
	for _, c := range commands() {
		fmt.Fprintf(&b, "complete -c twinplatform -n __fish_use_subcommand -a %s -d '%s'\n", c.name, quoted(c.short))
		behind := "'__fish_seen_subcommand_from " + c.name + "'"
		for _, word := range c.words() {
			if flag, ok := strings.CutPrefix(word, "-"); ok {
				fmt.Fprintf(&b, "complete -c twinplatform -n %s -o %s\n", behind, flag)
			} else {
				fmt.Fprintf(&b, "complete -c twinplatform -n %s -a %s\n", behind, word)
			}
		}
	}
	return b.String()
}

// quoted is a text within single quotes of fish.
func quoted(text string) string {
	return strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text)
}
