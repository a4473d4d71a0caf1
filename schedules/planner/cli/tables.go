package cli

import (
	"flag"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
)

// tableFlags defines the flags of a command that writes tables of a plan: of a workbook all, each on its sheet,
// and as CSV the first.
func tableFlags(tables ...func(*dated.Plan) *table.Table) func(*command, *flag.FlagSet) func([]string) error {
	return func(c *command, set *flag.FlagSet) func([]string) error {
		set.BoolFunc("csv", "write CSV, also to standard output", func(string) error {
			c.format = "csv"
			return nil
		})
		return func(files []string) error {
			if len(files) > 1 {
				return fmt.Errorf("a table is of one file: %w", errUsage)
			}
			s, d, err := c.dated(files[0])
			if err != nil {
				return err
			}
			for _, line := range append(texts(s.Plan.Warnings), texts(s.Warnings)...) {
				fmt.Fprintln(c.errs, c.program+": warning:", line)
			}
			all := make([]*table.Table, len(tables))
			for i, of := range tables {
				all[i] = of(d)
			}
			return c.tables(all...)
		}
	}
}

// tables writes a workbook, or the first as CSV.
func (c *command) tables(all ...*table.Table) error {
	if c.format == "xlsx" {
		return table.XLSX(c.out, all...)
	}
	return table.CSV(c.out, all[0])
}
