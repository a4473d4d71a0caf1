package records

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// The codec is compared with encoding/json from outside.
var (
	Encode = encode
	Decode = decode
)

// Ahead is a store of which every update is made ahead of its turn.
type Ahead struct{ storage.Store }

// Update implements storage.Store.
func (s Ahead) Update(ctx context.Context, fn func(storage.Writer) error) error {
	for {
		d := &draft{}
		if err := s.View(ctx, func(r storage.Reader) error {
			*d = draft{r: r}
			return fn(d)
		}); err != nil {
			return err
		}
		err := s.Store.Update(ctx, func(w storage.Writer) error {
			if err := d.stands(w); err != nil {
				return err
			}
			return d.writeTo(w)
		})
		if !errors.Is(err, errOvertaken) {
			return err
		}
	}
}
