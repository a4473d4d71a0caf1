package server

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// repairCommand saves what is whole in a damaged store.
func repairCommand() job {
	return job{
		options:  nil,
		examples: []usage.Example{{Call: "twinplatform repair twin.db repaired.db"}},
		run:      repair,
	}
}

// repair writes what is whole in a damaged store or backup to another file.
func repair(_ context.Context, _ *server, operands []string, stdout io.Writer) error {
	kept, err := buntdb.Repair(operands[0], operands[1])
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s holds %d records of %d transactions\n", operands[1], kept.Records, kept.Transactions)
	switch d := kept.Damage; {
	case d != nil && d.Offset < 0:
		fmt.Fprintf(stdout, "left out is what does not fit here, %d records: %v\n", d.Later, d)
	case d != nil:
		fmt.Fprintf(stdout, "%v\n", d)
		fmt.Fprintf(stdout, "left out is what is damaged or missing, at least %d transactions: what they changed is "+
			"as the others left it\n", d.Lost)
	case kept.Torn > 0:
		fmt.Fprintf(stdout, "left out is a write at the end that was not finished: of %d bytes, all but %d whole "+
			"transactions\n", kept.Torn, kept.LaterTransactions)
	default:
		fmt.Fprintln(stdout, "nothing had to be left out")
	}
	return nil
}
