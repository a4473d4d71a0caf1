package vocabulary

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// clashes collects what is wrong with a vocabulary.
type clashes struct {
	v     Vocabulary
	found []string
}

// maxClashes is how many an error lists.
const maxClashes = 10

func (c *clashes) add(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.found, text) {
		c.found = append(c.found, text)
	}
}

// err is what is wrong as one error.
func (c *clashes) err() error {
	if len(c.found) == 0 {
		return nil
	}
	slices.Sort(c.found)
	if more := len(c.found) - maxClashes; more > 0 {
		c.found = append(c.found[:maxClashes], fmt.Sprintf("and %d more", more))
	}
	return errors.New(strings.Join(c.found, "; "))
}

// note refuses a name that something else in the same place has already: met holds the
// names so far, folded to small letters, since no body may have two names that differ in
// case alone.
func (c *clashes) note(met map[string]string, operation, what, name, as string) {
	key := shape.Fold([]byte(as))
	if other, ok := met[key]; ok && other != name {
		first, second := min(name, other), max(name, other)
		c.add("the %s %q and %q of %s are both called %q", what, first, second, operation, as)
	}
	met[key] = name
}

// paths refuses paths that several operations or several resources have.
func (c *clashes) paths(table []Operation, words []*Wording) {
	taken, begins := make(map[string]string), make(map[string]string)
	for i, o := range table {
		spec, own := placesIn(o.Path), placesIn(words[i].At)
		for n := range min(len(spec), len(own)) {
			// Counted from the end, a beginning with its own name is one place.
			at, of := strings.Join(own[:len(own)-n], "/"), strings.Join(spec[:len(spec)-n], "/")
			if other, ok := begins[at]; ok && other != of {
				c.add("the paths /%s and /%s are both called /%s", min(of, other), max(of, other), at)
			}
			begins[at] = of
		}
	}
	if len(c.found) > 0 {
		return // all that is below would be named too
	}
	for i := range table {
		c.noteRoute(taken, &table[i], words[i])
	}
}

func (c *clashes) noteRoute(taken map[string]string, o *Operation, w *Wording) {
	route := o.Method + " /" + strings.Join(placesIn(w.At), "/")
	if other, ok := taken[route]; ok {
		c.add("the operations %s and %s are both called %s", other, o.ID, route)
	}
	taken[route] = o.ID
}

// placesIn are the segments of a path, with all names in braces alike.
func placesIn(path string) []string {
	out := strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range out {
		if strings.HasPrefix(segment, "{") {
			out[i] = "{}"
		}
	}
	return out
}
