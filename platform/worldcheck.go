package platform

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-933f9a09/twinplatform/twins"
)

// check finds what would make it unclear what a world has been applied to. All
// else is for the services to refuse.
func (w *World) check() error {
	c := checker{}
	check(&c, "twins", w.Twins, func(t *Twin) string { return t.key() })
	check(&c, "roles", w.Roles, func(r *Role) string { return key(r.TwinID, r.DisplayName) })
	check(&c, "members", w.Members, func(m *Member) string { return key(m.TwinID, m.ID) })
	check(&c, "models", w.Models, func(m *Model) string { return key(m.TwinID, m.ID) })
	check(&c, "savedViews", w.SavedViews, func(v *SavedView) string { return key(v.TwinID+"\n"+v.ModelID, v.ID) })
	check(&c, "formDefinitions", w.FormDefinitions, func(d *FormDefinition) string { return idPattern.FindString(d.ID) })
	check(&c, "forms", w.Forms, func(f *Form) string { return idPattern.FindString(f.ID) })
	check(&c, "realityData", w.RealityData, func(d *RealityData) string { return guidPattern.FindString(strings.ToLower(d.ID)) })
	check(&c, "detectors", w.Detectors, func(d *Detector) string { return key(d.AccountID+"\n", d.Name) })
	check(&c, "schedules", w.Schedules, func(s *Schedule) string { return key(s.TwinID, s.ID) })
	return c.err
}

// checker keeps the first thing that is wrong with a world.
type checker struct {
	err error
}

func check[T any](c *checker, name string, items []T, id func(*T) string) {
	seen := make(map[string]bool)
	for i := range items {
		got := id(&items[i])
		if c.err == nil && (got == "" || seen[got]) {
			c.err = fmt.Errorf("%s[%d]: the id %q is empty, malformed or stands there twice", name, i, got)
		}
		seen[got] = true
	}
}

// The ids that stand for one which the platform would choose.
var (
	idPattern   = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)
	guidPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

// key is the id of what has none of its own within a twin, or one that another
// account may have too; empty when a part is.
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
