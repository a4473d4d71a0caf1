// Package cli is the command line over planner files, those of Primavera P6 (XER and XML) and
// of Microsoft Project (XML), without a server and without a store: the verbs of
// "twinplatform plan".
//
//	twinplatform plan show plan.xer                   its critical path, and a page with its chart
//	twinplatform plan info plan.xer                   what is in the file
//	twinplatform plan analyze plan.xml                which dates its logic gives, next to its own
//	twinplatform plan check plan.xer                  how sound it is, by the 14 points of DCMA
//	twinplatform plan gantt -o plan.svg plan.xer      a picture of it
//	twinplatform plan compare baseline.xer plan.xer   how it differs from another plan
//	twinplatform plan tasks -o plan.xlsx plan.xer     its tasks for Excel; also links and resources
//	twinplatform plan series *.xer                    its trend over all updates
//	twinplatform plan progress plan.xer               how far it is: S-curve, use of resources, progress line
//	twinplatform plan risk plan.xer                   when it may end if durations are uncertain
//	twinplatform plan convert -o plan.xml plan.xer    the same as a file of the other tool
//	twinplatform plan animate -model site.glb -o built.glb plan.xer   a 3D model that shows how it is built
package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
)

// Streams are where the verbs read and write. Progress of long work is shown on Err where
// that is a terminal.
type Streams struct {
	In       io.Reader // the file named -
	Out, Err io.Writer
}

// Run does what args ask for; program is how it is called, for its help, such as
// "twinplatform plan". Its error has an exit code.
func Run(program string, args []string, s Streams) error {
	progress := bar{out: s.Err, now: time.Now}
	if f, ok := s.Err.(*os.File); ok {
		progress.shown = isTerminal(f)
	}
	c := command{program: program, in: s.In, out: s.Out, errs: s.Err, bar: progress}
	return c.run(args)
}

// errUsage is what a wrong call fails with, errUnsound a plan that fails a point.
var (
	errUsage   = errors.New("see -h")
	errUnsound = errors.New("the plan fails some points")
)

// ExitCode returns the exit code of the process for an error of Run: 0 for nil, 1 where a
// file could not be read, scheduled or written, 2 where the call was wrong, 3 where check
// found a point that a plan fails.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		return 2
	case errors.Is(err, errUnsound):
		return 3
	}
	return 1
}

// command is what the user asks for.
type command struct {
	program   string
	in        io.Reader
	out, errs io.Writer
	bar       bar

	json    bool
	format  string
	to      string
	project string
	read    planner.Options
}

// verb is a command by its name.
type verb struct {
	name, usage, short string
	example            string // a call, without the program and the name
	json, project      bool   // whether it takes the flags of these names
	// formats lists the formats in which it writes besides JSON, the usual one first;
	// convert has its own.
	formats []string
	// flags defines the flags that this command has besides the common ones, and returns
	// what it does with the files.
	flags func(*command, *flag.FlagSet) func(files []string) error
}

// verbs lists the commands in the order in which help shows them.
func verbs() []verb {
	return []verb{
		{
			name: "show", usage: "FILE", short: "print the critical path, and show the plan as a page in the browser",
			example: "plan.xer", project: true, flags: showFlags, formats: []string{"html"},
		},
		{
			name: "info", usage: "FILE…", short: "say what is in files", example: "plan.xer", json: true,
			flags: infoFlags, formats: []string{"text"},
		},
		{
			name: "analyze", usage: "FILE…",
			short:   "schedule files from their logic and compare the dates with those in them",
			example: "-differing plan.xml", json: true, project: true, flags: analyzeFlags, formats: []string{"text"},
		},
		{
			name: "check", usage: "FILE…", short: "check plans by the 14 points of DCMA", example: "-v plan.xer",
			json: true, project: true, flags: checkFlags, formats: []string{"text"},
		},
		{
			name: "gantt", usage: "FILE", short: "draw a plan as a Gantt chart", example: "-o plan.svg plan.xer",
			project: true, flags: ganttFlags, formats: []string{"svg", "mermaid", "pdf"},
		},
		{
			name: "progress", usage: "FILE", short: "show progress: S-curve, use of resources, progress line",
			example: "-by duration -o curve.svg plan.xer", json: true, project: true, flags: progressFlags,
			formats: []string{"csv", "svg", "pdf", "xlsx"},
		},
		{
			name: "risk", usage: "FILE…", short: "estimate when plans end if durations are uncertain",
			example: "-runs 10000 -pessimistic 150 plan.xer", json: true, project: true, flags: riskFlags,
			formats: []string{"text", "svg", "pdf"},
		},
		{
			name: "convert", usage: "FILE", short: "convert a plan to another format", example: "-o plan.xml plan.xer",
			flags: convertFlags,
		},
		{
			name: "compare", usage: "[BASELINE] FILE", short: "compare a plan with another, or with its baseline",
			example: "baseline.xer plan.xer", json: true, project: true, flags: compareFlags,
			formats: []string{"text", "html", "csv", "xlsx"},
		},
		{
			name: "tasks", usage: "FILE", short: "write the tasks as a table for Excel",
			example: "-o tasks.xlsx plan.xer", project: true, flags: tableFlags(table.Tasks), formats: tableFormats,
		},
		{
			name: "links", usage: "FILE", short: "write the links as a table for Excel",
			example: "-o links.xlsx plan.xer", project: true, flags: tableFlags(table.Links), formats: tableFormats,
		},
		{
			name: "resources", usage: "FILE", short: "write the resources and their assignments as tables for Excel",
			example: "-o resources.xlsx plan.xer", project: true, formats: tableFormats,
			flags: tableFlags(table.Resources, table.Assignments),
		},
		{
			name: "series", usage: "FILE…",
			short:   "follow a plan over its updates: finish, slippage, added and removed work",
			example: "-o trend.svg update-*.xer", json: true, project: true, flags: seriesFlags,
			formats: []string{"text", "csv", "xlsx", "svg", "pdf"},
		},
		{
			name: "animate", usage: "FILE", short: "write a 3D model that shows how a plan builds it",
			example: "-model site.glb -o built.glb plan.xer", json: true, project: true, flags: animateFlags,
			formats: []string{"glb"},
		},
	}
}

var tableFormats = []string{"csv", "xlsx"}

// Verbs are the names of what Run does, for completions.
func Verbs() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// run does what the arguments ask for.
func (c *command) run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("there is no command: %w", errUsage)
	}
	name, args := args[0], args[1:]
	if slices.Contains([]string{"help", "-h", "-help", "--help"}, name) {
		if len(args) == 0 {
			return c.help().Write(c.out)
		}
		name, args = args[0], []string{"-h"}
	}
	for _, v := range verbs() {
		if v.name == name {
			return c.call(&v, args)
		}
	}
	if name == "demo" && len(args) == 0 {
		return c.demonstrate()
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return c.run(append([]string{"show", name}, args...))
	}
	return fmt.Errorf("there is no command and no file %q: %w", name, errUsage)
}

// call reads the arguments of a command, among which files and flags may be in any
// order, and does it.
func (c *command) call(v *verb, args []string) error {
	set := flag.NewFlagSet(v.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	if v.json {
		set.BoolVar(&c.json, "json", false, "print JSON, for programs")
	}
	set.StringVar(&c.to, "o", "", "write to this `file` in place of standard output")
	if len(v.formats) > 1 {
		set.StringVar(&c.format, "format", "", "`format` to write: "+strings.Join(v.formats, " or ")+
			" (default: by the name of -o, else "+v.formats[0]+")")
	}
	if v.project {
		set.StringVar(&c.project, "project", "", "take only the project with this `id` or code")
	}
	set.Func("codepage", "code `page` of an XER file that is not UTF-8, such as windows-1251",
		func(s string) (err error) {
			c.read.Page, err = planner.ParseCodePage(s)
			return err
		})
	do := v.flags(c, set)
	var files []string
	for {
		if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
			return c.helpOf(v, set).Write(c.out)
		} else if err != nil {
			return fmt.Errorf("%s: %w", flagError(err), errUsage)
		}
		if set.NArg() == 0 {
			break
		}
		files, args = append(files, set.Arg(0)), set.Args()[1:]
	}
	if len(files) == 0 {
		return fmt.Errorf("%s needs a file: %w", v.name, errUsage)
	}
	if err := c.choose(v); err != nil {
		return err
	}
	if c.to == "" {
		if f, ok := c.out.(*os.File); ok && binary[c.format] && isTerminal(f) {
			return fmt.Errorf("a terminal does not show %s: name a file by -o: %w", c.format, errUsage)
		}
		return do(files)
	}
	out, b := c.out, bytes.Buffer{}
	c.out = &b
	err := do(files)
	if c.out = out; err != nil && !errors.Is(err, errUnsound) {
		return err
	}
	return errors.Join(os.WriteFile(c.to, b.Bytes(), 0o644), err)
}

// endings are how the names of files end by what is in them.
var endings = map[string][]string{
	"csv": {".csv"}, "glb": {".glb"}, "html": {".html", ".htm"}, "json": {".json"},
	"mermaid": {".mmd", ".mermaid", ".md"}, "pdf": {".pdf"}, "svg": {".svg"},
	"text": {".txt", ".md", ".log"}, "xlsx": {".xlsx"},
}

// binary lists the formats that are no text.
var binary = map[string]bool{"glb": true, "pdf": true, "xlsx": true}

// choose chooses the format: the one that was asked for, or else the one that the name of -o ends with. A name that
// ends as no file of the format does is refused, since another program would not open it.
func (c *command) choose(v *verb) error {
	if len(v.formats) == 0 {
		return nil
	}
	ending, has := strings.ToLower(filepath.Ext(c.to)), v.formats
	if v.json {
		has = append(slices.Clone(has), "json")
	}
	switch {
	case c.json || c.format == "" && v.json && ending == ".json":
		c.json, c.format = true, "json"
	case c.format == "":
		c.format = has[0]
		if i := slices.IndexFunc(has, func(f string) bool { return slices.Contains(endings[f], ending) }); i > 0 {
			c.format = has[i]
		}
	case !slices.Contains(v.formats, c.format):
		return fmt.Errorf("there is no format %q, but %s: %w", c.format, strings.Join(has, ", "), errUsage)
	}
	if ending == "" || slices.Contains(endings[c.format], ending) {
		return nil
	}
	var names []string
	for _, f := range has {
		names = append(names, f+" in "+strings.Join(endings[f], ", "))
	}
	hint := ""
	if slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, ending) && slices.Contains(has, "svg") {
		hint = "; rsvg-convert makes pixels of an .svg, and pdftoppm of a .pdf"
	}
	return fmt.Errorf("-o %s: no file of %s ends in %s; %s writes %s%s: %w", c.to, c.format, ending, v.name,
		strings.Join(names, "; "), hint, errUsage)
}

// help makes the page that lists all commands.
func (c *command) help() *usage.Page {
	page := &usage.Page{
		Call:     c.program + " COMMAND [flags] FILE…",
		Text:     "Looks into the files of Primavera P6 (XER, XML) and Microsoft Project (XML).",
		Examples: []usage.Example{{Call: c.program + " check plan.xer"}},
		Notes: []string{
			"A file without a command is shown; \"" + c.program + " demo\" shows a plan that the program has with it.",
			"A file named - is standard input. \"" + c.program +
				" help COMMAND\" lists the flags of a command, with an example.",
			"Exit codes: 1 if a file cannot be read, scheduled or written, 2 for a wrong call, 3 if check finds a " +
				"point that a plan fails.",
		},
	}
	for _, v := range verbs() {
		page.Commands = append(page.Commands, usage.Command{Name: v.name, Does: v.short})
	}
	return page
}

// helpOf is the help of a command.
func (c *command) helpOf(v *verb, set *flag.FlagSet) *usage.Page {
	return &usage.Page{
		Call: c.program + " " + v.name + " [flags] " + v.usage, Text: strings.ToUpper(v.short[:1]) + v.short[1:] + ".",
		Examples: []usage.Example{{Call: c.program + " " + v.name + " " + v.example}}, Flags: usage.Flags(set),
	}
}

// plan reads a file.
func (c *command) plan(name string) (*planner.Plan, error) {
	in, size := c.in, int64(0)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // it was only read
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
		in = f
	}
	done := c.bar.begin("reading "+name, size)
	defer done()
	p, err := c.read.Read(c.bar.reader(in))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// scheduled reads a file and schedules what is in it.
func (c *command) scheduled(name string) (*planner.Scheduled, error) {
	p, err := c.plan(name)
	if err != nil {
		return nil, err
	}
	done := c.bar.begin("scheduling "+name, 0)
	defer done()
	s, err := p.Schedule()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// dated reads and schedules a file, and keeps the project that was asked for.
func (c *command) dated(name string) (*planner.Scheduled, *dated.Plan, error) {
	s, err := c.scheduled(name)
	if err != nil {
		return nil, nil, err
	}
	d, err := c.only(s, s.Dated())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, d, nil
}

// only keeps the project that was asked for.
func (c *command) only(s *planner.Scheduled, d *dated.Plan) (*dated.Plan, error) {
	if c.project == "" {
		return d, nil
	}
	for i, p := range s.Plan.Projects {
		if c.project == p.ID || c.project == p.Code {
			return d.Only(i), nil
		}
	}
	return nil, fmt.Errorf("there is no project %s", c.project)
}

// each is what is done with one file after the other.
func each(do func(name string) error) func([]string) error {
	return func(files []string) error {
		var unsound error
		for _, name := range files {
			if err := do(name); errors.Is(err, errUnsound) {
				unsound = err
			} else if err != nil {
				return err
			}
		}
		return unsound
	}
}

// flagError is what is wrong with the flags of a call.
func flagError(err error) string {
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: "); unknown {
		return "unknown flag " + name
	}
	return err.Error()
}
