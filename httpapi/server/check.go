package server

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// checkCommand reads a store or a backup to its end.
func checkCommand() job {
	return job{
		options:  nil,
		examples: []usage.Example{{Call: "twinplatform check twin.db"}},
		run:      check,
	}
}

// check reports what a store's file, or a backup, holds, and fails where a server would
// not open it or a restoration not take it.
func check(_ context.Context, _ *server, operands []string, stdout io.Writer) error {
	c, err := buntdb.Check(operands[0])
	if err != nil {
		return err
	}
	if c.Damage != nil {
		return repairable(operands[0], c.Damage)
	}
	fmt.Fprintf(stdout, "%s: %d records of %d bytes, in %d transactions and a file of %d bytes\n", operands[0],
		c.Records, c.LiveBytes, c.Transactions, c.FileBytes)
	switch {
	case c.Torn > 0:
		fmt.Fprintf(stdout, "the last %d bytes are a write that was not finished; opening the store keeps them in "+
			"%s.cut-TIME and cuts them off\n", c.Torn, operands[0])
	case c.Backup:
		fmt.Fprintln(stdout, "a backup, and it is whole")
	default:
		fmt.Fprintln(stdout, "it is whole")
	}
	return nil
}

// repairable adds to the error of a damaged store what can be done about it.
func repairable(file string, err error) error {
	if _, damaged := errors.AsType[*buntdb.DamageError](err); !damaged {
		return err
	}
	return fmt.Errorf("%w; \"twinplatform repair %s TARGET\" writes them to another file", err, file)
}
