// Command planner looks into the files of planning tools: those of Primavera P6 (XER and
// XML) and of Microsoft Project (XML).
//
//	go run ./examples/planner info plan.xer
//	go run ./examples/planner help
//
// The program ./cmd/twinplatform has the same verbs: twinplatform plan info plan.xer.
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
