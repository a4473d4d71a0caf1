package cli

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// formats are the formats that convert writes, by name and by file extension. P6 and
// Microsoft Project share ".xml": without -format such a file is written for Microsoft
// Project.
var formats = map[string]planner.Format{
	"xer": planner.XER, "p6xml": planner.P6XML, "mspdi": planner.MSPDI, ".xer": planner.XER, ".xml": planner.MSPDI,
}

// convertFlags defines the flags of convert. It takes the format from the name of -o where
// -format names none, and warns of all that the format cannot hold.
func convertFlags(c *command, set *flag.FlagSet) func([]string) error {
	name := ""
	set.StringVar(&name, "format", "",
		"`format` to write: xer or p6xml (Primavera P6), or mspdi (XML of Microsoft Project) (default: by the name "+
			"of -o)")
	return func(files []string) error {
		if len(files) > 1 {
			return fmt.Errorf("convert takes one file: %w", errUsage)
		}
		if name == "" {
			name = filepath.Ext(c.to)
		}
		format, ok := formats[strings.ToLower(name)]
		if !ok {
			return fmt.Errorf("there is no format to write, -format xer, -format p6xml or -format mspdi: %w", errUsage)
		}
		p, err := c.plan(files[0])
		if err != nil {
			return err
		}
		done := c.bar.begin("writing", 0)
		defer done()
		lost, err := c.read.Write(c.bar.writer(c.out), p, format)
		if err != nil {
			return err
		}
		for _, line := range append(texts(p.Warnings), texts(lost)...) {
			fmt.Fprintln(c.errs, c.program+": warning:", line)
		}
		return nil
	}
}
