package records

import (
	"bytes"
	"encoding/json"
)

// Upgrade turns the hidden and the wire part of one version into the next.
type Upgrade func(hidden, wire []byte) (newHidden, newWire []byte, err error)

// Added is the upgrade of a collection whose type has got a member: records
// from before carry it with a value, which is JSON. Only they pay for it: what
// is stored since is copied as it is.
func Added(member, value string) Upgrade {
	key := []byte(`"` + member + `":`)
	return func(hidden, wire []byte) ([]byte, []byte, error) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(wire, &members); err != nil {
			return nil, nil, err
		}
		if _, ok := members[member]; ok {
			return hidden, wire, nil
		}
		added := append([]byte{'{'}, key...)
		added = append(added, value...)
		if rest := bytes.TrimPrefix(wire, []byte("{")); len(members) > 0 {
			added = append(append(added, ','), rest...)
		} else {
			added = append(added, rest...)
		}
		return hidden, added, nil
	}
}

// Rewritten is the upgrade of a collection whose type writes a member in another
// form: records from before are read and written again.
func Rewritten[T any]() Upgrade {
	return func(hidden, wire []byte) ([]byte, []byte, error) {
		v := new(T)
		if err := decode(wire, v); err != nil {
			return nil, nil, err
		}
		wire, err := encode(v)
		return hidden, wire, err
	}
}
