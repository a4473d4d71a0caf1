package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a member of an answer that is an object.
func (p *probe) object(a *answer, name string) object {
	o, ok := a.body[name].(object)
	if !ok {
		p.giveUp("The specification asks for an object %s.\n\t%v", name, a)
	}
	return o
}

// text is a member of a record that is a text with something in it.
func (p *probe) text(a *answer, record object, name string) string {
	s, _ := record[name].(string)
	if s == "" {
		p.giveUp("The specification asks for a text in %s.\n\t%v", name, a)
	}
	return s
}

// records is a member of an answer that is a list of objects.
func (p *probe) records(a *answer, name string) []object {
	list, ok := a.body[name].([]any)
	if !ok {
		p.giveUp("The specification asks for a list %s.\n\t%v", name, a)
	}
	out := make([]object, len(list))
	for i, v := range list {
		if out[i], ok = v.(object); !ok {
			p.giveUp("The specification asks for objects in %s.\n\t%v", name, a)
		}
	}
	return out
}

// wantMembers checks members of a record. A value is compared as JSON; null means
// that the member is there and null, [absent] that it is not there.
func (p *probe) wantMembers(a *answer, record, want object) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		came, there := record[name]
		switch {
		case want[name] == absent:
			if there {
				p.failf("The specification leaves %s out where it is not set, and %v came.\n\t%v", name, came, a)
			}
		case !there:
			p.failf("The specification asks for the member %s, if only as null.\n\t%v", name, a)
		case !alike(want[name], came):
			p.failf("The specification asks for %s to be %s, and %s came.\n\t%v", name, encoded(want[name]),
				encoded(came), a)
		}
	}
}

// absence is the type of absent.
type absence struct{}

// absent stands for a member that is not there.
var absent = absence{}

// wantOnly checks that a record has no members but these.
func (p *probe) wantOnly(a *answer, record object, members string) {
	documented := strings.Fields(members)
	for _, name := range documented {
		if _, ok := record[name]; !ok {
			p.failf("The specification asks for the member %s, if only as null.\n\t%v", name, a)
		}
	}
	for name := range record {
		if !slices.Contains(documented, name) {
			p.failf("The specification knows no member %s here.\n\t%v", name, a)
		}
	}
}

// alike compares two values as JSON.
func alike(want, came any) bool { return encoded(want) == encoded(came) }

// encoded is a value as JSON, members in order.
func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var plain any
	if json.Unmarshal(b, &plain) != nil {
		return string(b)
	}
	b, _ = json.Marshal(plain)
	return string(b)
}

// href is where a link of an object leads.
func href(o object, name string) string {
	links, _ := o["_links"].(object)
	link, _ := links[name].(object)
	to, _ := link["href"].(string)
	return to
}

// idsOf are the values of a member of records, in their order.
func idsOf(records []object, member string) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i], _ = r[member].(string)
	}
	return out
}
