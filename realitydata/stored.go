package realitydata

import (
	"bytes"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// hidden is what is kept of reality data in addition to their wire form.
type hidden struct {
	TwinIDs   *[]string                `json:"twinIds"`
	AccountID *string                  `json:"accountId"`
	CopyOf    records.OmitZero[string] `json:"copyOf,omitzero"`
	Complete  records.OmitZero[bool]   `json:"complete,omitzero"`
}

func hiddenOf(d *RealityData) any {
	return &hidden{&d.TwinIDs, &d.AccountID, records.OmitZero[string]{Of: &d.copyOf}, records.OmitZero[bool]{Of: &d.complete}}
}

// upgrades lift stored reality data, version by version.
var upgrades = []records.Upgrade{
	// Version 0 had null where nothing was given.
	func(hidden, wire []byte) ([]byte, []byte, error) {
		var d map[string]json.RawMessage
		if err := json.Unmarshal(wire, &d); err != nil {
			return nil, nil, err
		}
		for _, name := range []string{"acquisition", "crs"} {
			if err := withoutNulls(d, name); err != nil {
				return nil, nil, err
			}
		}
		wire, err := withoutNullMembers(d)
		return hidden, wire, err
	},
}

// withoutNulls removes the null members of a member.
func withoutNulls(d map[string]json.RawMessage, name string) error {
	var inner map[string]json.RawMessage
	err := json.Unmarshal(d[name], &inner)
	if err == nil && inner != nil {
		d[name], err = withoutNullMembers(inner)
	}
	return err
}

// withoutNullMembers is an object without its null members, in the order of the wire,
// which is that of the alphabet.
func withoutNullMembers(members map[string]json.RawMessage) ([]byte, error) {
	for name, value := range members {
		if bytes.Equal(value, []byte("null")) {
			delete(members, name)
		}
	}
	return wire.Marshal(members)
}
