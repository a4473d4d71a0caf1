package platform

import (
	"regexp"
	"strings"

	"github.com/seed-933f9a09/twinplatform/twins"
)

// The ids that stand for one which the platform would choose.
var (
	idPattern   = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)
	guidPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

// key is the id of a record without its own id within a twin, or one that another account
// may have too; empty when a part is.
func key(twinID, id string) string {
	if twinID == "" || id == "" {
		return ""
	}
	return twinID + "\n" + id
}

// key is the id of a twin as the platform keeps it.
func (t *Twin) key() string {
	if t.Class == twins.Account {
		return t.ID
	}
	return strings.ToLower(t.ID)
}
