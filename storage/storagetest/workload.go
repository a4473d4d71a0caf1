package storagetest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// workload is a row of transactions and the states they lead to, each the whole
// content of a store.
type workload struct {
	random *rand.Rand
	large  int  // bytes of the largest value
	lossy  bool // acknowledged transactions may be lost

	mu     sync.Mutex
	states []map[string]string // states[n] is the content after n transactions
	begun  int                 // transactions handed to the store
	acked  int                 // transactions it has acknowledged
	opened bool                // the store was opened
	seen   map[moment]bool     // what crashes have left
	name   string              // of the history that it is in
}

func newWorkload(seed uint64, large int) *workload {
	return &workload{
		random: rand.New(rand.NewPCG(seed, 1)), large: large,
		states: []map[string]string{{}}, seen: make(map[moment]bool),
	}
}

// moment is a state of the disk and what is asked of a store that finds it.
type moment struct {
	disk         uint64
	begun, acked int
	opened       bool
}

// unseen leaves out the disks that a store has been opened on before, when no
// more was asked of it.
func (h *workload) unseen(crashes iter.Seq2[string, *Disk]) iter.Seq2[string, *Disk] {
	return func(yield func(string, *Disk) bool) {
		for label, left := range crashes {
			now := moment{disk: left.sum(), begun: h.begun, acked: h.acked, opened: h.opened}
			if h.seen[now] {
				continue
			}
			h.seen[now] = true
			if !yield(label, left) {
				return
			}
		}
	}
}

// write is what a transaction does to a key.
type write struct {
	key, value string
	delete     bool
}

// next makes up a transaction and the state after it.
func (h *workload) next() []write {
	writes := make([]write, 2+h.random.IntN(5))
	state := maps.Clone(h.states[len(h.states)-1])
	// One key counts the transactions, so that no two states are equal.
	writes[0] = write{key: "count", value: fmt.Sprint(len(h.states))}
	for i := range writes {
		if i > 0 {
			writes[i] = h.write()
		}
		if writes[i].delete {
			delete(state, writes[i].key)
		} else {
			state[writes[i].key] = writes[i].value
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.states = append(h.states, state)
	return writes
}

func (h *workload) write() write {
	key := fmt.Sprintf("key %02d", h.random.IntN(24))
	if h.random.IntN(4) == 0 {
		key = awkward[h.random.IntN(len(awkward))]
	}
	if h.random.IntN(3) == 0 {
		return write{key: key, delete: true}
	}
	size := h.random.IntN(40)
	if h.random.IntN(6) == 0 {
		size = h.random.IntN(h.large + 1)
	}
	value := make([]byte, size)
	for i := range value {
		value[i] = "\x00\r\n$*3aset"[h.random.IntN(10)]
	}
	return write{key: key, value: string(value)}
}

// step hands the next transaction to a store.
func (h *workload) step(ctx context.Context, s storage.Store) error {
	writes := h.next()
	h.mu.Lock()
	h.begun = len(h.states) - 1
	h.mu.Unlock()
	err := s.Update(ctx, func(w storage.Writer) error { return apply(w, writes) })
	if err == nil {
		h.mu.Lock()
		h.acked = h.begun
		h.mu.Unlock()
	}
	return err
}

// forget drops the last transaction, of which nothing was written.
func (h *workload) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.states = h.states[:len(h.states)-1]
	h.begun = len(h.states) - 1
}

func apply(w storage.Writer, writes []write) error {
	for _, c := range writes {
		var err error
		if c.delete {
			err = w.Delete(c.key)
		} else {
			err = w.Put(c.key, []byte(c.value))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judge reports what is wrong with the content of a store after a crash: it must be a
// state between the last acknowledged and the last begun transaction.
func (h *workload) judge(content map[string]string) verdict {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n, state := range h.states {
		if maps.Equal(state, content) {
			if (n < h.acked && !h.lossy) || n > h.begun {
				return lost
			}
			return whole
		}
	}
	return wrong
}

// open notes that the store was opened.
func (h *workload) open(ctx context.Context, s storage.Store) (err error) {
	h.name, err = historyOf(ctx, s)
	h.opened = true
	return err
}

// judgeHistory reports what is wrong with the name of the history that a store is in
// after a crash: what was seen may be missing only from a new one, and a store that shows
// nothing before it is durable has no reason to begin one.
func (h *workload) judgeHistory(name string, content map[string]string) verdict {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.opened {
		return whole
	}
	if name != h.name {
		if h.lossy {
			return whole
		}
		return renewed
	}
	for _, state := range h.states[h.acked:] {
		if maps.Equal(state, content) {
			return whole
		}
	}
	return lost
}

// historyOf returns the name of the history that a store is in.
func historyOf(ctx context.Context, s storage.Store) (name string, err error) {
	err = s.View(ctx, func(r storage.Reader) error {
		name, err = storage.History(s, r)
		return err
	})
	return name, err
}

// verdict is what a store's content is worth after a crash.
type verdict int

const (
	whole   verdict = iota // a state it may have
	renewed                // a new history, with nothing missing that was seen
	lost                   // a state, but an acknowledged transaction is missing
	wrong                  // no state that ever was
	refused                // the store did not open
)

// tally counts the states that were tried and what came of them.
type tally struct {
	mu     sync.Mutex
	counts [5]int
	first  string // the first failure
}

// add counts a verdict; note says where it was reached.
func (c *tally) add(v verdict, note func() string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[v]++
	if v != whole && c.first == "" {
		c.first = note()
	}
}

func (c *tally) total() int {
	return c.counts[whole] + c.counts[renewed] + c.counts[lost] + c.counts[wrong] + c.counts[refused]
}

// String gives the figures.
func (c *tally) String() string {
	return fmt.Sprintf("%d points tried, %d half or wrong states, %d acknowledged lost, %d histories begun for "+
		"nothing, %d refused to open",
		c.total(), c.counts[wrong], c.counts[lost], c.counts[renewed], c.counts[refused])
}
