package records

import (
	"fmt"
	"reflect"
	"strings"
)

// Peek returns what of takes from a record of which one member alone is read, by its name on the
// wire, or fails with ErrNotFound. It is for those who walk up a tree, or ask for a flag: to read
// all of a record takes several times as long.
func Peek[T, M any](c *Collection[T], tx Reading, s Scope, id, member string, of func(*T) M) (m M, err error) {
	err = c.Table().peek(tx, s, id, member, func(v any) { m = of(v.(*T)) })
	return m, err
}

// peek gives what looks a record of which one member alone is read.
func (t *Table) peek(tx Reading, s Scope, id, member string, look func(v any)) error {
	e, err := t.load(tx, s, "r", id)
	if err != nil {
		return err
	}
	v := t.Scratch()
	if err = peek(e.wire, member, v); err == nil {
		look(v)
	} else {
		err = fmt.Errorf("reading %s of a record of %s: %w", member, t.name, err)
	}
	t.Release(v)
	return err
}

// peek reads a member into what v points at, a zero value, or all of them where the data are not as
// encode writes them.
func peek(data []byte, member string, v any) error {
	p := reflect.ValueOf(v).Elem()
	fields := codecOf(p.Type()).fields
	for i := range fields {
		if f := &fields[i]; f.name == member {
			if f.readFrom(string(data), p) {
				return nil
			}
			p.Field(f.index).SetZero()
		}
	}
	return decode(data, v)
}

// readFrom reads the field out of an object up to there, and leaves it as it is where the object
// does not have it. It is false where the object is not as it would have been written.
func (f *field) readFrom(b string, v reflect.Value) bool {
	if b == "{}" {
		return true
	}
	for before := byte('{'); len(b) > 0 && b[0] == before; before = ',' {
		b = b[1:]
		if value, is := strings.CutPrefix(b, f.key[1:]); is {
			_, ok := f.read(value, v.Field(f.index))
			return ok
		}
		name, rest, ok := plainString(b)
		if !ok || !strings.HasPrefix(rest, ":") || strings.EqualFold(name, f.name) {
			return false
		}
		if _, b, ok = rawValue(rest[1:]); !ok {
			return false
		}
	}
	return b == "}"
}
