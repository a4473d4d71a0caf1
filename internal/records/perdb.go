package records

// PerDB holds one value for each DB, shared by all transactions over it, such as a cache of
// what is computed from records. Like a Collection it is a constant of its domain, and its
// zero value is ready to use. The zero value of T must be safe for concurrent use.
type PerDB[T any] struct{ _ byte } // each has an address of its own

// Of returns the value for the DB of a transaction.
func (b *PerDB[T]) Of(tx Reading) *T { return b.In(tx.view().db) }

// In returns the value for a DB.
func (b *PerDB[T]) In(db *DB) *T {
	all := &db.perDB
	if v, ok := all.Load(b); ok {
		return v.(*T)
	}
	v, _ := all.LoadOrStore(b, new(T))
	return v.(*T)
}
