package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// seededPrefix is where the store keeps how far each part of a seed has come. No
// scope of the platform's own records begins like that.
const seededPrefix = "examples/server/seeded/"

// The marks under it.
const (
	seedBegun = "begun" // being made; what is there may not be whole
	seedDone  = "done"  // belongs to the users now
)

func markOf(list, id string) string {
	sum := sha256.Sum256([]byte(id))
	return seededPrefix + list + "/" + hex.EncodeToString(sum[:])
}

// mark returns what is kept under a name; nothing where there is none.
func (p *Platform) mark(ctx context.Context, name string) (mark string, err error) {
	err = p.store.View(ctx, func(r storage.Reader) error {
		value, err := r.Get(name)
		if mark = string(value); errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	})
	return mark, err
}

func (p *Platform) setMark(ctx context.Context, name, mark string) error {
	return p.store.Update(ctx, func(w storage.Writer) error { return w.Put(name, []byte(mark)) })
}
