package records

import (
	"iter"
	"slices"
	"strings"
)

// Stores are read forward. What is last in them is found by halving the keys, so that a
// page costs a multiple of what is on it, however much lies before; and a list that is
// followed to its end a multiple of what it holds.

// How many records are read at once to be listed the other way round: few for the first,
// since that is what looking for the end costs at each step, and more for each that follow.
const (
	firstChunk = 32
	chunk      = 256
)

// descending yields the records of the keys with a prefix and before the page before, the
// last first.
func (l *lister) descending(base, prefix string, failed *error) iter.Seq2[string, envelope] {
	before := prefix + "\xff" // ids are valid UTF-8
	if l.from.after != "" {
		before = base + l.from.after
	}
	return func(yield func(string, envelope) bool) {
		d := descent{l: l, prefix: prefix, before: before, most: firstChunk}
		for e := range d.all() {
			opened, err := l.candidate(e.value)
			if err != nil {
				*failed = err
				return
			}
			if !yield(e.key[len(base):], opened) {
				return
			}
		}
	}
}

type entry struct {
	key   string
	value []byte
}

// descent goes through the keys with a prefix from the last one before a key to the first.
type descent struct {
	l              *lister
	prefix, before string
	most           int // how many are read at once
	found          []entry
}

// all yields what is there. It divides the keys at marks, of which each has fewer behind
// it than the one below, until those behind the last are few enough to be turned round.
func (d *descent) all() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		marks, end := []string{""}, d.before
		for len(marks) > 0 {
			mark := marks[len(marks)-1]
			found := d.between(mark, end)
			if n := len(found); n > d.most {
				marks = append(marks, found[n/2].key)
				if last := found[n-1].key; last < end {
					marks = append(marks, middle(last, end))
				}
				continue
			}
			for _, e := range slices.Backward(found) {
				if !yield(e) {
					return
				}
			}
			marks, end = marks[:len(marks)-1], mark
			if len(found) > 0 {
				d.most = min(2*d.most, chunk)
			}
		}
	}
}

// between are the entries behind a key up to another one, or one more of them than most.
// They are good until it is called again.
func (d *descent) between(after, end string) []entry {
	found := d.found[:0]
	for key, value := range d.l.tx.view().r.Scan(d.prefix, after) {
		if key > end || key >= d.before {
			break
		}
		if found = append(found, entry{key, value}); len(found) > d.most {
			break
		}
	}
	d.found = found
	return found
}

// middle is a text about half-way between two: not before the first, and before the other
// one.
func middle(low, high string) string {
	n := max(len(low), len(high)) + 1
	sum := make([]byte, n)
	carry := 0
	for i := n - 1; i >= 0; i-- {
		carry += digit(low, i) + digit(high, i)
		sum[i], carry = byte(carry), carry>>8
	}
	for i, rest := 0, carry; i < n; i++ {
		rest = rest<<8 | int(sum[i])
		sum[i], rest = byte(rest>>1), rest&1
	}
	return strings.TrimRight(string(sum), "\x00")
}

// digit is a byte of a text that continues with zeros for ever.
func digit(s string, i int) int {
	if i < len(s) {
		return int(s[i])
	}
	return 0
}
