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

// Remote tells [RunSevered] how to get at an engine behind a network.
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

// RunSevered cuts the way to a server at every message of a few Updates, in three ways:
// the connection breaks; it breaks, and what was on its way to the server arrives after
// the calls have returned; it breaks, and there is no other for a while. Whatever
// happens, what was acknowledged is there once, what was refused is not there and never
// comes, and with storage.ErrUnknown it is one of the two.
func RunSevered(t *testing.T, remote func(t testing.TB) Remote) {
	t.Helper()
	for _, way := range []severance{cutShort, cutLate, cutOff} {
		t.Run(way.String(), func(t *testing.T) {
			t.Parallel()
			r := remote(t)
			direct := r.Open(t, r.Address)
			defer direct.Close()
			every := 1
			if way == cutOff {
				every = 5 // each of which waits for the engine to give up
			}
			if testing.Short() {
				every *= 7
			}
			last, all := severedRun(t, r, direct, math.MaxInt, way) // which cuts nothing
			for n := 1; n <= last; n += every {
				_, seen := severedRun(t, r, direct, n, way)
				if t.Failed() {
					t.Fatalf("cut at message %d", n)
				}
				all.add(seen)
			}
			t.Logf("cut at %d messages: %v", last, all)
			if all.acknowledged == 0 || last < 4 {
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

// severedRun cuts at the message with number n and returns how many there were.
func severedRun(t *testing.T, remote Remote, direct storage.Store, n int, way severance) (counted int, seen answers) {
	t.Helper()
	p := newProxy(t, remote)
	defer p.close()
	clearOut(t, direct)
	s := remote.Open(t, p.address())
	Dump(t.Context(), s) // by which it has a connection
	p.arm(n, way)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	results := make([]error, severedUpdates)
	for i := range results {
		results[i] = s.Update(ctx, func(w storage.Writer) error { return severedStep(w, i) })
	}
	counted = p.disarm()
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}

	content, err := Dump(ctx, direct)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for i, err := range results {
		_, there := content[step(i)]
		if there {
			made++
		}
		switch {
		case err == nil:
			seen.acknowledged++
			if !there {
				t.Errorf("Update %d was acknowledged and is gone", i)
			}
		case errors.Is(err, storage.ErrUnknown):
			seen.unknown++
		default:
			seen.refused++
			if there {
				t.Errorf("Update %d was refused and is there: %v", i, err)
			}
		}
	}
	if total, _ := strconv.Atoi(content["made"]); total != made {
		t.Errorf("%d Updates are there, which were made %d times", made, total)
	}
	return counted, seen
}

func step(i int) string { return "step " + strconv.Itoa(i) }

// severedStep leaves a key of its own and counts.
func severedStep(w storage.Writer, i int) error {
	value, err := w.Get("made")
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	made, _ := strconv.Atoi(string(value))
	return errors.Join(w.Put("made", []byte(strconv.Itoa(made+1))), w.Put(step(i), nil))
}

// clearOut empties a store.
func clearOut(t *testing.T, s storage.Store) {
	t.Helper()
	err := s.Update(t.Context(), func(w storage.Writer) error {
		for key := range w.Scan("", "") {
			if err := w.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
