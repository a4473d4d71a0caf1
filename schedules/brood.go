package schedules

import "github.com/seed-933f9a09/twinplatform/internal/refuse"

// lineage is the id of a record asked for and of its parent, which is empty for
// none.
type lineage struct{ id, parentID string }

// brood is a batch of records that may be each other's parents.
type brood struct {
	place map[string]int // of an id in the batch
	order []int          // of making them: parents before children
}

// newBrood orders a batch. noun and list are what errors call the records and
// the batch.
func newBrood(noun, list string, batch []lineage) (*brood, error) {
	b := &brood{place: make(map[string]int, len(batch)), order: make([]int, 0, len(batch))}
	for i, l := range batch {
		if _, twice := b.place[l.id]; twice {
			return nil, refuse.Taken(noun, l.id)
		}
		b.place[l.id] = i
	}
	// met holds when a record was met: on the walk from the record i it is i+1.
	// A walk that meets itself has gone round in a circle.
	met := make([]int, len(batch))
	for i := range batch {
		var chain []int
		for at := i; met[at] == 0; {
			met[at] = i + 1
			chain = append(chain, at)
			parent, inBatch := b.place[batch[at].parentID]
			if !inBatch {
				break
			}
			if met[parent] == i+1 {
				var c refuse.Checks
				c.At(list, at)
				c.Bad("parentId", "The %s would be its own ancestor.", noun)
				return nil, c.Err(InvalidRequest)
			}
			at = parent
		}
		b.order = append(b.order, reversed(chain)...)
	}
	return b, nil
}
