package entity

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Patched is a patch of one record on its way into the journal.
type Patched[P any] struct {
	ID      string                 `json:"id"`
	Patch   P                      `json:"patch"`
	IfMatch twinplatform.Condition `json:"ifMatch"`
}

// Requested checks a request, gives it an id where it has none, and returns the id.
func (k *Kind[T, N, P]) Requested(n *N, newID func() string) (id string, err error) {
	var c problem.Checks
	k.CheckNew(n, &c)
	if err := c.Err(*k.Bad); err != nil {
		return "", err
	}
	return k.Identify(n, newID), nil
}

// RequestedEach is Requested for a batch, which errors call list.
func (k *Kind[T, N, P]) RequestedEach(list string, batch []N, newID func() string) (ids []string, err error) {
	var c problem.Checks
	ids = make([]string, len(batch))
	for i := range batch {
		c.At(list, i)
		k.CheckNew(&batch[i], &c)
		ids[i] = k.Identify(&batch[i], newID)
	}
	return ids, c.Err(*k.Bad)
}

// Patching checks a patch of the record with an id.
func (k *Kind[T, N, P]) Patching(id string, p *P) error {
	var c problem.Checks
	k.CheckPatch(id, p, &c)
	return c.Err(*k.Bad)
}

// Get returns a record.
func (k *Kind[T, N, P]) Get(tx records.Reading, s records.Scope, id string) (twinplatform.Record[T], error) {
	rec, err := k.Records.Get(tx, s, id)
	return rec, k.Missing.Or(err)
}
