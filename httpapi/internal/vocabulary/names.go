package vocabulary

import (
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Name is a name of the specification that a vocabulary may have another one for.
type Name struct {
	Area  string // empty: what belongs to no area
	Table string
	Name  string
}

// NamesOf lists the names of operations by area, table and name. Headers are the platform's.
func NamesOf(all []Operation, headers []string) (out []Name) {
	for _, name := range slices.Sorted(slices.Values(headers)) {
		out = append(out, Name{"", "headers", name})
	}
	for _, kind := range event.Catalogue() {
		out = append(out, Name{"", "events", kind.Type()})
	}
	areas := make(map[string][]Operation)
	for _, o := range all {
		areas[o.Area] = append(areas[o.Area], o)
	}
	known := knownIn(all)
	for _, name := range slices.Sorted(maps.Keys(known.contents)) {
		out = append(out, Name{"", "contents", name})
	}
	for _, area := range slices.Sorted(maps.Keys(areas)) {
		k := knownIn(areas[area])
		for _, t := range []struct {
			table string
			names map[string]bool
		}{
			{"segments", k.segments},
			{"members", k.members},
			{"query", k.query},
			{"codes", k.codes},
			{"values", k.values},
			{"permissions", k.permissions},
		} {
			for _, name := range slices.Sorted(maps.Keys(t.names)) {
				if name != "" && name[0] != '{' && !(t.table == "values" && isEvent(name)) {
					out = append(out, Name{area, t.table, name})
				}
			}
		}
	}
	return out
}
