package server

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/schedules/planner/cli"
)

// planCommand looks into planner files, by verbs with their own flags.
func planCommand() job {
	return job{
		examples: []usage.Example{{Call: "twinplatform plan check plan.xer"}},
		words:    cli.Verbs(),
		verbs: func(_ context.Context, p Process) error {
			return cli.Run("twinplatform plan", p.Args, cli.Streams{In: p.Stdin, Out: p.Stdout, Err: p.Stderr})
		},
	}
}
