package records

import "sync"

// orders keep, of lists that were read whole to be put in order, the ids in that order:
// the pages behind the first one cost what they hold for as long as nothing is written
// in the scope. The zero value is ready.
type orders struct {
	mu   sync.Mutex
	m    map[ordered][]string
	size int // of all in ids
}

// ordered names a list of one state.
type ordered struct {
	history, collection, bind string
	revision, common          uint64
}

// maxOrdered is how many ids are kept. When there are more all are forgotten, and one
// list with more than that is not kept.
const maxOrdered = 1 << 17

func (o *orders) get(list ordered) (ids []string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	ids, ok = o.m[list]
	return ids, ok
}

func (o *orders) put(list ordered, ids []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(ids) > maxOrdered {
		return
	}
	if o.m == nil || o.size+len(ids) > maxOrdered {
		o.m, o.size = make(map[ordered][]string), 0
	}
	o.m[list] = ids
	o.size += len(ids) + 1
}
