package storagetest

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// serialPromises are histories that snapshots alone would let happen, and no order of whole Updates
// has. The Updates meet behind their reads, so that an engine without an order fails each time. They
// are made through one handle, or through two of one store.
var serialPromises = []handlePromise{
	{
		"NoWriteSkew", "Of two Updates that each read what the other changes, one sees what the other has written.",
		func(t *testing.T, a, b storage.Store) {
			put(t, a, "0", "1", "1", "1")
			m := newMeeting()
			together(func(i int) { // each leaves unless the other has left
				own := strconv.Itoa(i)
				errorIf(t, []storage.Store{a, b}[i].Update(t.Context(), func(w storage.Writer) error {
					both := number(t, w, "0")+number(t, w, "1") == 2
					m.wait(i)
					if !both {
						return nil
					}
					return w.Put(own, []byte("0"))
				}))
			})
			view(t, a, func(r storage.Reader) {
				if on := number(t, r, "0") + number(t, r, "1"); on != 1 {
					t.Errorf("%d of two stayed, want 1", on)
				}
			})
		},
	},
	{
		"ARangeThatGrewIsNoticed",
		"Of two Updates that each write into a range which the other has read, one sees what the other has written.",
		func(t *testing.T, a, b storage.Store) {
			m := newMeeting()
			together(func(i int) { // each takes the next seat
				errorIf(t, []storage.Store{a, b}[i].Update(t.Context(), func(w storage.Writer) error {
					taken := len(keysOf(w, "seat ", ""))
					m.wait(i)
					return w.Put(fmt.Sprintf("seat %d of %d", taken, i), nil)
				}))
			})
			view(t, a, func(r storage.Reader) {
				for n, key := range keysOf(r, "seat ", "") {
					if want := fmt.Sprintf("seat %d of", n); !strings.HasPrefix(key, want) {
						t.Errorf("%q, want %q: a seat was taken twice", key, want)
					}
				}
			})
		},
	},
	{
		"AnUpdateThatOnlyReadsIsInTheOrder",
		"What an Update has read that writes nothing holds for those that are committed after it.",
		func(t *testing.T, a, b storage.Store) {
			// Who takes 10 of less than 10 pays 1 besides. Where the report sees that 20 were paid in and nothing
			// was taken, what is taken comes later, finds the 20 and costs nothing.
			put(t, a, "current", "0", "savings", "0")
			m, seen := newMeeting(), [2]int{}
			take := func(w storage.Writer) error {
				current, savings := number(t, w, "current"), number(t, w, "savings")
				m.wait(0)
				if current -= 10; current+savings < 0 {
					current--
				}
				return w.Put("current", []byte(strconv.Itoa(current)))
			}
			report := func(w storage.Writer) error {
				seen = [2]int{number(t, w, "current"), number(t, w, "savings")}
				return nil
			}
			together(func(i int) {
				if i == 0 {
					errorIf(t, a.Update(t.Context(), take))
					return
				}
				m.follow(0)
				put(t, b, "savings", "20")
				errorIf(t, b.Update(t.Context(), report))
				m.wait(1)
			})
			view(t, a, func(r storage.Reader) {
				if current := number(t, r, "current"); seen == [2]int{0, 20} && current != -10 {
					t.Errorf("current is %d, want -10: there were 20 before anything was taken", current)
				}
			})
		},
	},
}

// number is the number that is kept under a key.
func number(t *testing.T, r storage.Reader, key string) int {
	t.Helper()
	n, err := numberIn(r.Get(key))
	errorIf(t, err)
	return n
}

// A meeting is where two transactions, 0 and 1, wait for each other behind their reads.
type meeting struct {
	read [2]chan struct{} // closed once that one has read
	once [2]sync.Once
}

// apart is how long a transaction waits for one that the engine lets begin only behind it.
const apart = 500 * time.Millisecond

func newMeeting() *meeting {
	return &meeting{read: [2]chan struct{}{make(chan struct{}), make(chan struct{})}}
}

// together calls a function for each of the two, and returns once both have.
func together(both func(i int)) {
	var group sync.WaitGroup
	for i := range 2 {
		group.Go(func() { both(i) })
	}
	group.Wait()
}

// wait says that one has read, and waits for the other.
func (m *meeting) wait(i int) {
	m.once[i].Do(func() { close(m.read[i]) })
	m.follow(1 - i)
}

// follow waits until one has read.
func (m *meeting) follow(i int) {
	select {
	case <-m.read[i]:
	case <-time.After(apart):
	}
}

// inOneStore are the promises as they hold of one handle.
func inOneStore(promises []handlePromise) (all []promise) {
	for _, p := range promises {
		all = append(all, promise{p.name, p.text, func(t *testing.T, s storage.Store) { p.check(t, s, s) }})
	}
	return all
}
