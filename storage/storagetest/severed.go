package storagetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Remote is how [RunSevered] gets at an engine behind a network.
type Remote struct {
	// Address is where the server listens: host and port.
	Address string

	// Open opens one empty store, the same with each call, by way of an address. It takes
	// care that a call gives an unreachable server up within a second or so.
	Open func(t testing.TB, address string) storage.Store

	// Message returns the length of the first message in b, which one side has sent to
	// the other, or 0 when it is not there wholly; first says that it is the first of its
	// connection, and fromServer who has sent it. nil takes whatever arrives at once for
	// a message.
	Message func(b []byte, fromServer, first bool) int
}

// RunSevered cuts the way to a server at every message of a few Updates, in five ways: the
// connection breaks; it breaks, and what was on its way to the server arrives after the
// calls have returned; it breaks, and there is no other for a while; nothing passes on it
// any more and neither side learns of its end, as where a process is suspended; nothing
// passes on any connection. Whatever happens, what was acknowledged is there once, what
// was refused is not there and never comes, and with storage.ErrUnknown it is one of the
// two. Every call returns within seconds, and a suspended process shuts others out of what
// it was writing for no longer.
func RunSevered(t *testing.T, remote func(t testing.TB) Remote) {
	t.Helper()
	for _, way := range []severance{cutShort, cutLate, cutOff, frozen, silent} {
		t.Run(way.String(), func(t *testing.T) {
			t.Parallel()
			r := remote(t)
			direct := r.Open(t, r.Address)
			defer direct.Close()
			every := 1
			switch way {
			case cutOff, frozen:
				every = 5 // each of which waits for the engine to give up
			case silent:
				every = 15 // and longer
			}
			if testing.Short() {
				every *= 7
			}
			whole := severedRun(t, r, direct, math.MaxInt, way) // which cuts nothing
			whole.check(t, direct)
			runs := []severed{whole}
			for n := 1; n <= whole.messages; n += every {
				run := severedRun(t, r, direct, n, way)
				run.check(t, direct)
				runs = append(runs, run)
			}
			// What was on its way when a run ended has come by now, or never does.
			var all answers
			for _, run := range runs {
				all.add(run.check(t, direct))
			}
			t.Logf("cut at %d messages: %v", whole.messages, all)
			if all.acknowledged == 0 || whole.messages < 4 {
				t.Error("nothing was cut, or nothing ever worked")
			}
		})
	}
}

// answers counts what calls have returned.
type answers struct{ acknowledged, refused, unknown int }

func (o *answers) add(other answers) {
	o.acknowledged += other.acknowledged
	o.refused += other.refused
	o.unknown += other.unknown
}

// String gives the figures.
func (o answers) String() string {
	return fmt.Sprintf("%d acknowledged, %d refused, %d unknown", o.acknowledged, o.refused, o.unknown)
}

// severedUpdates is how many Updates each run makes.
const severedUpdates = 2

// severed is a run that was cut at a message. Its records are its own: what comes late of
// one run never counts for another.
type severed struct {
	at       int // the number of the message
	messages int // how many there were
	results  []error
}

// cutPatience is how long a call may take over a way that is cut.
const cutPatience = 10 * time.Second

// severedRun cuts at the message with number n. direct is the way that others have.
func severedRun(t *testing.T, remote Remote, direct storage.Store, n int, way severance) severed {
	t.Helper()
	p := newProxy(t, remote)
	defer p.close()
	s := remote.Open(t, p.address())
	Dump(t.Context(), s) // by which it has a connection
	p.arm(n, way)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	run := severed{at: n, results: make([]error, severedUpdates)}
	for i := range run.results {
		began := time.Now()
		run.results[i] = s.Update(ctx, func(w storage.Writer) error { return run.update(w, i) })
		if took := time.Since(began); took > cutPatience {
			t.Errorf("cut at %d: Update %d took %v: %v", n, i, took, run.results[i])
		}
	}
	ctx, cancel = context.WithTimeout(t.Context(), cutPatience)
	defer cancel()
	if err := direct.Update(ctx, run.touch); err != nil {
		t.Errorf("cut at %d: another process is shut out: %v", n, err)
	}
	run.messages = p.disarm()
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	return run
}

func (r severed) count() string     { return fmt.Sprintf("cut at %d: made", r.at) }
func (r severed) step(i int) string { return fmt.Sprintf("cut at %d: step %d", r.at, i) }

// update leaves a separate key and counts.
func (r severed) update(w storage.Writer, i int) error {
	value, err := w.Get(r.count())
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	made, _ := strconv.Atoi(string(value))
	return errors.Join(w.Put(r.count(), []byte(strconv.Itoa(made+1))), w.Put(r.step(i), nil))
}

// touch writes what update counts, as it is.
func (r severed) touch(w storage.Writer) error {
	value, err := w.Get(r.count())
	if errors.Is(err, storage.ErrNotFound) {
		value, err = []byte("0"), nil
	}
	return errors.Join(err, w.Put(r.count(), value))
}

// check compares what the Updates have returned with what is there.
func (r severed) check(t *testing.T, direct storage.Store) (seen answers) {
	t.Helper()
	content, err := Dump(t.Context(), direct)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for i, err := range r.results {
		_, there := content[r.step(i)]
		if there {
			made++
		}
		switch {
		case err == nil:
			seen.acknowledged++
			if !there {
				t.Errorf("cut at message %d: Update %d was acknowledged and is gone", r.at, i)
			}
		case errors.Is(err, storage.ErrUnknown):
			seen.unknown++
		default:
			seen.refused++
			if there {
				t.Errorf("cut at message %d: Update %d was refused and is there: %v", r.at, i, err)
			}
		}
	}
	if total, _ := strconv.Atoi(content[r.count()]); total != made {
		t.Errorf("cut at message %d: %d Updates are there, which were made %d times; they returned %q", r.at, made,
			total, r.results)
	}
	return seen
}
