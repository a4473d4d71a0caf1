package proof_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// faults are what happens to a node that is not killed: it is stopped and continues, or
// nothing passes between it and the database, both ways or one way.
var faults = []struct {
	name       string
	begin, end func(n *node)
}{
	{"standing still", (*node).pause, (*node).wake},
	{"cut off", func(n *node) { n.wire.cut(toDatabase, fromDatabase) }, func(n *node) { n.wire.join(toDatabase, fromDatabase) }},
	{"unheard", func(n *node) { n.wire.cut(toDatabase) }, func(n *node) { n.wire.join(toDatabase) }},
	{"deaf", func(n *node) { n.wire.cut(fromDatabase) }, func(n *node) { n.wire.join(fromDatabase) }},
}

const (
	// longestFault is longer than a lease, and than any call waits for the database.
	longestFault = 9 * time.Second
	// shutOut is how long a request to a node may take while the other one has a fault:
	// twice the seven seconds for which records may be shut off, and time for a busy machine.
	shutOut = 20 * time.Second
)

// Two nodes over one PostgreSQL stand still and are cut off at random while clients write in
// all areas: nothing that was acknowledged is lost, nothing that was refused is done, nothing
// is done twice, and the other node continues.
//
//nolint:paralleltest // it has the machine for itself
func TestNodesThatStandStillOrAreCutOffLoseNothing(t *testing.T) {
	if testing.Short() || testsize.Raced {
		t.Skip("stops processes for more than a minute")
	}
	for series := range storagetest.Scale(1) {
		t.Run(fmt.Sprint(series), faultsUnderLoad)
	}
}

func faultsUnderLoad(t *testing.T) {
	l := newLoad(startPair(t, true), 1)
	l.begin()
	for _, i := range []int{number(4), 0, 1, 2, 3} { // one of them twice
		fault, victim := faults[i], number(2)
		n := l.pair.nodes[victim]
		lasts := longestFault * time.Duration(1+number(10)) / 10
		healed := make(chan struct{})
		took, found := l.takeover(victim, 1, time.Duration(number(400))*time.Millisecond, fmt.Sprint(time.Now().UnixMilli()), func() {
			l.failing[victim].Store(true)
			fault.begin(n)
			time.AfterFunc(lasts, func() {
				fault.end(n)
				l.failing[victim].Store(false)
				close(healed)
			})
		})
		<-healed
		if t.Logf("node %d is %s for %v", victim, fault.name, lasts); found {
			t.Logf("what it was at, a clone of %d tasks, is ended after %v", 1000*l.thousands, took.Round(10*time.Millisecond))
		}
		<-time.After(time.Duration(500+number(1500)) * time.Millisecond)
	}
	l.end()
	l.check()
	if t.Logf("while the other node had a fault, the longest request took %v: %s", l.longest.took, l.longest.what); l.longest.took > shutOut {
		t.Error("a node with a fault shuts the other one out")
	}
	l.report()
}

// A node that is cut off from its database says so as soon as a journey has broken.
func TestANodeThatIsCutOffIsNotReady(t *testing.T) {
	t.Parallel()
	if testing.Short() || testsize.Raced {
		t.Skip("starts processes")
	}
	p := startPair(t, false)
	c := newClients(p)
	ready := func() answer { return c.exchange(0, request{method: "GET", path: "/readyz"}) }
	twin := func() answer {
		return c.exchange(0, request{method: "POST", path: "/twins", body: map[string]any{"class": "Thing", "displayName": "Tower"}})
	}
	if a := ready(); a.status != http.StatusOK {
		t.Fatalf("/readyz: %d %s", a.status, a.raw)
	}
	p.nodes[0].wire.cut(toDatabase, fromDatabase)
	began := time.Now()
	answered := make(chan answer, 1)
	go func() { answered <- twin() }()
	var noticed time.Duration // since the cut
	for noticed == 0 && time.Since(began) < 30*time.Second {
		pause()
		if a := ready(); a.status != http.StatusOK {
			noticed = time.Since(began)
			if a.header.Get("Retry-After") == "" || a.status != http.StatusServiceUnavailable {
				t.Errorf("/readyz: %d %v %s", a.status, a.header, a.raw)
			}
		}
	}
	if noticed == 0 || noticed > 15*time.Second { // 5 s of patience, 1 s between checks, 2 s of one
		t.Errorf("the node is not ready after %v", noticed)
	}
	a := <-answered
	if took := time.Since(began); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || took > 30*time.Second {
		t.Errorf("a change is answered after %v with %d %v %s", took, a.status, a.header, a.raw)
	}
	t.Logf("not ready after %v, and a change refused after %v", noticed, time.Since(began))
	p.nodes[0].wire.join(toDatabase, fromDatabase)
	for began := time.Now(); ready().status != http.StatusOK; pause() {
		if time.Since(began) > 30*time.Second {
			t.Fatal("the node is not ready again")
		}
	}
	if a := twin(); a.outcome != made {
		t.Errorf("a change afterwards: %d %s", a.status, a.raw)
	}
}
