package records

// Beside is something of which there is one beside each DB, for all transactions over
// it: caches of what is computed of records. Like a Collection it is a constant of its
// domain, and its zero value is ready. A T is safe for concurrent use as its zero value.
type Beside[T any] struct{ _ byte } // each has an address of its own

// Of is what there is beside the DB of a transaction.
func (b *Beside[T]) Of(tx Reading) *T { return b.In(tx.view().db) }

// In is what there is beside a DB.
func (b *Beside[T]) In(db *DB) *T {
	all := &db.beside
	if v, ok := all.Load(b); ok {
		return v.(*T)
	}
	v, _ := all.LoadOrStore(b, new(T))
	return v.(*T)
}
