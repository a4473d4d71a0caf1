package webhooks

import "maps"

// Every attempt may take as long as Config.Timeout, and no attempt under way is
// broken off for another's sake. So that some worker is always near to being
// free, an account gets another worker only while more are free than it has
// already: one account alone holds half of them, a second one half of the rest,
// and so on. Slow endpoints, of all accounts together, get half of the workers,
// shared out among accounts by the same rule.

// workers counts who has them.
type workers struct {
	pool int
	busy map[row]int
}

func newWorkers(pool int) workers { return workers{pool: pool, busy: make(map[row]int)} }

func (w workers) clone() workers {
	c := newWorkers(w.pool)
	maps.Copy(c.busy, w.busy)
	return c
}

func (w workers) take(r row) { w.busy[r]++ }

func (w workers) giveBack(r row) {
	if w.busy[r]--; w.busy[r] == 0 {
		delete(w.busy, r)
	}
}

// total is how many are busy, of a class when one is given.
func (w workers) total(c class) (n int) {
	for r, busy := range w.busy {
		if c == "" || r.class == c {
			n += busy
		}
	}
	return n
}

// open reports whether a class may get a worker at all.
func (w workers) open(c class) bool {
	return w.total("") < w.pool && (c != slow || w.total(slow) < w.slowPool())
}

// slowPool is how many workers slow endpoints may have.
func (w workers) slowPool() int { return max(w.pool/2, 1) }

// share reports whether a row may get another worker.
func (w workers) share(r row) bool {
	if !w.open(r.class) {
		return false
	}
	held := w.busy[row{quick, r.tenant}] + w.busy[row{slow, r.tenant}]
	if held >= w.pool-w.total("") {
		return false
	}
	return r.class != slow || w.busy[r] < w.slowPool()-w.total(slow)
}
