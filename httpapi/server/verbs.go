package server

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// verb is a part of a command that has flags of its own.
type verb struct {
	name, operands string // operands that end in … may be several
	text           string
	example        string
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
				verbsHelp(p.Stdout, command, text, verbs)
				return flag.ErrHelp
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
		v.help(p.Stdout, command, set)
		return err
	case err != nil:
		return wrongly{err}
	}
	want := strings.Fields(v.operands)
	if several := strings.HasSuffix(v.operands, "…"); len(operands) < len(want) || len(operands) > len(want) && !several {
		return wrongly{fmt.Errorf("%s wants %s, %w", strings.TrimSpace(command+" "+v.name), orNothing(v.operands), errCalled)}
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

// parseAmong reads flags that stand before, behind and between operands.
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

// verbsHelp tells a person at a terminal what the verbs of a command do.
func verbsHelp(w io.Writer, command, text string, verbs []verb) {
	fmt.Fprintf(w, "Usage: twinplatform %s VERB [flags]\n\n%s.\n\n", command, sentence(plain(text)))
	for _, v := range verbs {
		fmt.Fprintf(w, "  %s\n    \t%s\n", v.usage(command), v.text)
	}
	fmt.Fprintf(w, "\n\"twinplatform %s VERB -h\" tells more of one.\n", command)
}

// help tells a person at a terminal what a verb does, and with which flags.
func (v *verb) help(w io.Writer, command string, set *flag.FlagSet) {
	fmt.Fprintf(w, "Usage: %s\n\n%s.\n\nExample:\n\n  %s\n", v.usage(command), sentence(v.text), v.example)
	head := "\nFlags:\n\n"
	set.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "%s  %s\n    \t%s\n", head, strings.TrimSpace("-"+f.Name+" "+value), text)
		head = ""
	})
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
