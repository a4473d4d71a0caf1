package model

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// AsRead are the members of a record that no patch changes. A patch may hold them
// unchanged; null is ignored.
type AsRead struct {
	ID      twinplatform.Optional[string] `json:"id,omitzero"`      // that of the path
	Deleted twinplatform.Optional[bool]   `json:"deleted,omitzero"` // false
}

// AsIsDate is problem.AsIs for an instant.
func AsIsDate(c *problem.Checks, target string, sent twinplatform.Optional[twinplatform.DateTime],
	is twinplatform.DateTime,
) {
	if v, given := sent.Get(); given && !v.Equal(is.Time) {
		problem.AsIs(c, target, sent)
	}
}
