package storage

import "context"

// Compactor is implemented by engines that keep more on the disk than the
// records they hold.
type Compactor interface {
	// Compact gives back what deleted and replaced records take. Readers and
	// writers continue meanwhile.
	Compact(ctx context.Context) error
}

// Compact gives back the disk space of deleted and replaced records. It does
// nothing for an engine that has none to give back.
func Compact(ctx context.Context, s Store) error {
	if c, ok := s.(Compactor); ok {
		return c.Compact(ctx)
	}
	return nil
}
