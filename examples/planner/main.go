// Command planner looks into the files of planning tools: those of Primavera P6 (XER and
// XML) and of Microsoft Project (XML).
//
//	go run ./examples/planner info plan.xer
//	go run ./examples/planner analyze plan.xml
//	go run ./examples/planner analyze -json -project 17 plan.xer
//
// info says what is in files. analyze schedules them from their logic alone, by the
// rules of the tool that wrote them, and shows what came of it beside what the file
// says; with -recalculate only the tasks for which the two differ.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "planner:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: planner info|analyze [-json] [-project ID] [-recalculate] [-codepage PAGE] FILE…")

// command is what the user asks for.
type command struct {
	json, differing bool
	project         string
	read            planner.Options
	out             io.Writer
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	c, page := command{out: out}, ""
	set := flag.NewFlagSet(args[0], flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.BoolVar(&c.json, "json", false, "print JSON")
	set.StringVar(&c.project, "project", "", "only the project with this id or code")
	set.BoolVar(&c.differing, "recalculate", false, "only tasks whose dates differ from those of the file")
	set.StringVar(&page, "codepage", "", "of an XER that is not in UTF-8")
	if err := set.Parse(args[1:]); err != nil || set.NArg() == 0 {
		return errors.Join(err, errUsage)
	}
	c.read.Page = planner.CodePage(page)
	do, ok := map[string]func(*planner.Plan) error{"info": c.info, "analyze": c.analyze}[args[0]]
	if !ok {
		return errUsage
	}
	for _, name := range set.Args() {
		if err := c.file(name, do); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// file reads a file and does with it what is asked for.
func (c *command) file(name string, do func(*planner.Plan) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	plan, err := c.read.Read(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return do(plan)
}
