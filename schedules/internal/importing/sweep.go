package importing

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// sweep finds out what is to go: what came from the file before and is not in this one,
// and what was made here where the file takes the place of that.
func (c *kindDiff[P]) sweep() error {
	going, err := c.unseen()
	if err == nil && c.Mode == Synchronize {
		var others []P
		others, err = c.madeHere()
		going = append(going, others...)
	}
	if err != nil {
		return err
	}
	c.deepestFirst(going)
	out := make([]Change, 0, len(going))
	for _, v := range going {
		c.tally(Deleted, v)
		out = append(out, Change{Records: c.Records.Name(), Gone: c.Records.ID(v)})
	}
	c.Gone = append(c.Gone, out)
	return nil
}

// unseen are the records of what was imported before and is not in the file, which is to be
// forgotten.
func (c *kindDiff[P]) unseen() (going []P, err error) {
	if !c.sweeps() {
		return nil, nil
	}
	for i, item := range c.items.All {
		for _, next := range c.items.All[i : i+records.NextTogether(c.Tx, i, len(c.items.All))] {
			if c.leaves(next) {
				records.Declare(c.Tx, c.Records.Needs(c.Scope, next.RecordID)...)
			}
		}
		if !c.leaves(item) {
			continue
		}
		found, err := c.Records.Lookup(c.Tx, c.Scope, item.RecordID)
		if err != nil {
			return nil, err
		}
		if v, ok := found.(P); ok {
			c.kept[item.RecordID] = true // no one looks at it again
			if c.stays(v) {
				continue
			}
			going = append(going, v)
		}
		c.Forget(item)
	}
	return going, nil
}

// leaves reports whether an item is to be forgotten: it is not in the file, and its record is no other item's by now.
func (c *kindDiff[P]) leaves(item *Item) bool {
	return !item.claimed && (c.Mode != Integrate || item.SynchronizerID == c.Synchronizer) && !c.kept[item.RecordID]
}

// madeHere are the records of the kind that no item of any file has become.
func (c *kindDiff[P]) madeHere() (going []P, err error) {
	for found, err := range c.Records.From(c.Tx, c.Scope, "") {
		if err == nil {
			err = records.Interrupted(c.Tx)
		}
		if err != nil {
			return nil, err
		}
		v := found.(P)
		if !c.kept[c.Records.ID(v)] && (c.Holds == nil || c.Holds(v)) && !c.stays(v) {
			going = append(going, v)
		}
	}
	return going, nil
}

// stays reports whether a record cannot go, and warns of it.
func (c *kindDiff[P]) stays(v P) bool {
	if c.Protect == nil {
		return false
	}
	why := c.Protect(v)
	if why != "" {
		c.Warn("%s", why)
	}
	return why != ""
}

// deepestFirst puts records before those that they lie below.
func (c *kindDiff[P]) deepestFirst(going []P) {
	if c.Parent == nil {
		return
	}
	above := make(map[string]string, len(going))
	for _, v := range going {
		above[c.Records.ID(v)] = c.Parent(v)
	}
	depths := make(map[string]int, len(going))
	for id, at := range above {
		depth := 0
		for next, goes := above[at]; goes && depth <= len(going); next, goes = above[at] {
			at = next
			depth++
		}
		depths[id] = depth
	}
	slices.SortStableFunc(going, func(a, b P) int { return depths[c.Records.ID(b)] - depths[c.Records.ID(a)] })
}
