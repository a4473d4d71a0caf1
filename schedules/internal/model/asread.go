package model

import "github.com/seed-933f9a09/twinplatform"

// AsRead are the members of a record that no patch changes. A patch may hold them
// as they are; null says nothing.
type AsRead struct {
	ID      twinplatform.Optional[string] `json:"id,omitzero"`      // that of the path
	Deleted twinplatform.Optional[bool]   `json:"deleted,omitzero"` // false
}
