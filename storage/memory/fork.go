package memory

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Fork returns another store that begins as s is at this moment, in the same
// history; from then on neither sees what is written to the other. It takes
// constant time, however much s holds: both share what neither has changed. s is
// a store of this package that is not closed.
func Fork(s storage.Store) (storage.Store, error) {
	from, ok := s.(*store)
	if !ok {
		return nil, errors.New("memory: only a store in memory can be forked")
	}
	if err := from.Gate.Enter(context.Background()); err != nil {
		return nil, err
	}
	defer from.Gate.Leave()
	fork := over(from.state.Fork())
	fork.bytes.Store(from.bytes.Load())
	return fork, nil
}
