package storage

// Reserving is implemented by the Writers of engines that set space aside for what makes room
// on a full disk.
type Reserving interface {
	Writer

	// UseReserve lets the transaction be made in that space, also where it makes the store
	// grow.
	UseReserve()
}

// UseReserve declares that a transaction is made to make room, as a deletion is, also where
// what it leaves of the deleted is more than it takes away: a tombstone, an operation, events.
// An engine that has set space aside for that, see [Reserving], gives it on a full disk. Others
// have no use for it.
func UseReserve(w Writer) {
	if engine, ok := w.(Reserving); ok {
		engine.UseReserve()
	}
}
