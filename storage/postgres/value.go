package postgres

import (
	"fmt"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// mark begins a value that is not stored as it is. The number of the dictionary follows by
// which it is read, and the rest; with the number 0 the rest is the value, whose own first byte is
// mark.
const mark = 0xff

// encode is a value as it is stored.
func encode(value []byte) []byte {
	if len(value) >= leastCoded && len(value) <= mostCoded {
		coded := dictionaries()[newest].compress(append(make([]byte, 0, len(value)), mark, newest), value)
		if len(coded) < len(value) {
			return coded
		}
	}
	if len(value) > 0 && value[0] == mark {
		return append([]byte{mark, 0}, value...)
	}
	return value
}

// isCoded reports whether a stored value is not the value itself.
func isCoded(stored []byte) bool { return len(stored) > 0 && stored[0] == mark }

// decode is a value that is stored, in a slice of its own that is not nil.
func decode(stored []byte) ([]byte, error) {
	switch {
	case !isCoded(stored):
		return append([]byte{}, stored...), nil
	case len(stored) > 1 && stored[1] == 0:
		return append([]byte{}, stored[2:]...), nil
	case len(stored) > 1 && stored[1] > newest:
		return nil, fmt.Errorf("%w: postgres: a value was written with dictionary %d, and this version knows %d: "+
			"open the store with a later one",
			storage.ErrUnavailable, stored[1], newest)
	case len(stored) > 1:
		if value, ok := dictionaries()[stored[1]].expand(stored[2:]); ok {
			return value, nil
		}
	}
	return nil, fmt.Errorf("%w: postgres: a stored value is damaged", storage.ErrUnavailable)
}
