// Command planner shows the plans in files of Primavera P6 (XER and XML) and of Microsoft Project (XML): what is
// critical, what moved and why, as text, pictures, tables and files of the other tool. It needs no server.
//
//	planner demo                      a plan that it has with it
//	planner plan.xer                  the critical path, and a page with the chart in the browser
//	planner compare old.xer new.xer   what moved, and why the finish did
//	planner help                      all of its commands
//
// The program twinplatform has the same commands: twinplatform plan compare old.xer new.xer.
package main

import (
	"fmt"
	"os"

	"github.com/seed-933f9a09/twinplatform/schedules/planner/cli"
)

func main() {
	err := cli.Run("planner", os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "planner:", err)
	}
	os.Exit(cli.ExitCode(err))
}
