package server

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// verb is a part of a command that has its own flags.
type verb struct {
	name, operands string // operands that end in … may be several
	text           string // in sentences
	examples       []usage.Example
	// flags declares the flags and returns what is done with the operands.
	flags func(*flag.FlagSet) func(p Process, operands []string) error
}

// usage is how a verb is called.
func (v *verb) usage(command string) string {
	return strings.Join(strings.Fields("twinplatform "+command+" "+v.name+" [flags] "+v.operands), " ")
}

// errCalled is what a wrong call fails with.
var errCalled = errors.New("see -h")

// wrongly is an error of a call that the program does not understand, or cannot do as asked.
type wrongly struct{ error }

func (w wrongly) Unwrap() error { return w.error }

// runVerb does what the arguments of a command ask for. A verb without a name is the command
// itself.
func runVerb(command, text string, verbs []verb, p Process) error {
	args := p.Args
	if verbs[0].name != "" {
		if len(args) == 0 {
			return wrongly{fmt.Errorf("%s wants %s, %w", command, strings.Join(namesOf(verbs), ", "), errCalled)}
		}
		if slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
			if len(args) == 1 {
				return cmp.Or(verbsHelp(command, text, verbs).Write(p.Stdout), flag.ErrHelp)
			}
			args = []string{args[1], "-h"}
		}
	}
	v, args := verbs[0], args
	if v.name != "" {
		at := slices.IndexFunc(verbs, func(v verb) bool { return v.name == args[0] })
		if at < 0 {
			return wrongly{fmt.Errorf("%s: unknown verb %q, %w", command, args[0], errCalled)}
		}
		v, args = verbs[at], args[1:]
	}
	set := flag.NewFlagSet(v.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	do := v.flags(set)
	operands, err := parseAmong(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return cmp.Or(v.help(command, set).Write(p.Stdout), err)
	case err != nil:
		return wrongly{err}
	}
	want := strings.Fields(v.operands)
	if several := strings.HasSuffix(v.operands, "…"); len(operands) < len(want) ||
		len(operands) > len(want) && !several {
		return wrongly{fmt.Errorf("%s wants %s, %w", strings.TrimSpace(command+" "+v.name), orNothing(v.operands),
			errCalled)}
	}
	return do(p, operands)
}

func orNothing(operands string) string {
	if operands == "" {
		return "no arguments besides its flags"
	}
	return operands
}

func namesOf(verbs []verb) (names []string) {
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}

// parseAmong reads flags that are before, behind and between operands.
func parseAmong(set *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			// The log of a failed start is one line.
			return nil, errors.New(strings.Join(strings.Fields(err.Error()), " "))
		}
		if set.NArg() == 0 {
			return operands, nil
		}
		operands, args = append(operands, set.Arg(0)), set.Args()[1:]
	}
}

// verbsHelp is the help of a command with verbs.
func verbsHelp(command, text string, verbs []verb) *usage.Page {
	page := &usage.Page{
		Call: "twinplatform " + command + " VERB [flags]", Text: plain(text),
		Notes: []string{fmt.Sprintf("\"twinplatform %s VERB -h\" lists the flags of a verb, with examples.", command)},
	}
	for _, v := range verbs {
		first, _, _ := strings.Cut(v.text, ". ")
		page.Commands = append(page.Commands,
			usage.Command{Group: "Verbs", Name: strings.TrimSpace(v.name + " " + v.operands), Does: first})
	}
	return page
}

// help makes the help page of a verb.
func (v *verb) help(command string, set *flag.FlagSet) *usage.Page {
	return &usage.Page{Call: v.usage(command), Text: v.text, Examples: v.examples, Flags: usage.Flags(set)}
}
