package server

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// newHistoryCommand begins a new history of a database that was brought back to an earlier
// state.
func newHistoryCommand() job {
	return job{
		options:  storeOptions,
		examples: []usage.Example{{Call: "twinplatform new-history -db postgres://twin@db.example/twin"}},
		run:      newHistory,
	}
}

// newHistory begins a new history of the store of -db, also while servers have it open.
func newHistory(ctx context.Context, s *server, _ []string, stdout io.Writer) error {
	if !s.cfg.shared() {
		return errors.New("-db is not the address of a database: a store in a file detects by itself that it was " +
			"restored")
	}
	store, err := s.cfg.openShared(ctx, s.log)
	if err == nil {
		err = errors.Join(storage.BeginHistory(ctx, store), store.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.cfg.storeName(), err)
	}
	_, err = fmt.Fprintf(stdout, "%s: a new history has begun; clients are asked to list again\n", s.cfg.storeName())
	return err
}
