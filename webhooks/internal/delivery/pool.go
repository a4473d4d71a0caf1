package delivery

import "maps"

// Every attempt may take as long as Config.Timeout, and no attempt under way is
// broken off for another's sake. So that some worker is always near to being
// free, an account gets another worker only while more are free than it has
// already: one account alone holds half of them, a second one half of the rest,
// and so on. Slow endpoints, of all accounts together, get half of the workers,
// shared out among accounts by the same rule.

// pool counts the workers of each flow.
type pool struct {
	size int
	busy map[flow]int
}

func newPool(size int) pool { return pool{size: size, busy: make(map[flow]int)} }

func (p pool) clone() pool {
	c := newPool(p.size)
	maps.Copy(c.busy, p.busy)
	return c
}

func (p pool) take(f flow) { p.busy[f]++ }

func (p pool) release(f flow) {
	if p.busy[f]--; p.busy[f] == 0 {
		delete(p.busy, f)
	}
}

// total is how many are busy, of a class when one is given.
func (p pool) total(c class) (n int) {
	for f, busy := range p.busy {
		if c == "" || f.class == c {
			n += busy
		}
	}
	return n
}

// available reports whether a class may get a worker at all.
func (p pool) available(c class) bool {
	return p.total("") < p.size && (c != slow || p.total(slow) < p.slowSize())
}

// slowSize is how many workers slow endpoints may have.
func (p pool) slowSize() int { return max(p.size/2, 1) }

// grants reports whether a flow may get another worker.
func (p pool) grants(f flow) bool {
	if !p.available(f.class) {
		return false
	}
	held := p.busy[flow{quick, f.tenant}] + p.busy[flow{slow, f.tenant}]
	if held >= p.size-p.total("") {
		return false
	}
	return f.class != slow || p.busy[f] < p.slowSize()-p.total(slow)
}
