package proof_test

import (
	"errors"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// failures are what happens to the primary of a database and to the Patroni that keeps it, and
// what brings both back once there is another primary.
var failures = []struct {
	name      string
	fail, end func(*postgrestest.Member) error
}{
	{"PostgreSQL is killed", (*postgrestest.Member).Kill, func(*postgrestest.Member) error { return nil }},
	{
		"PostgreSQL and its Patroni are killed",
		func(m *postgrestest.Member) error { return errors.Join(m.KillPatroni(), m.Kill()) },
		(*postgrestest.Member).Start,
	},
	{
		"PostgreSQL and its Patroni stand still, and wake one after the other",
		func(m *postgrestest.Member) error {
			return errors.Join(m.SignalPatroni(syscall.SIGSTOP), m.Signal(syscall.SIGSTOP))
		},
		func(m *postgrestest.Member) error {
			err := m.Signal(syscall.SIGCONT)
			<-time.After(time.Second) // it takes itself for the primary
			return errors.Join(err, m.SignalPatroni(syscall.SIGCONT))
		},
	},
}

// longestFailover is how long the database may take to have another primary: its ttl, two
// turns of its loop, and time for a busy machine.
const longestFailover = 30 * time.Second

// The primary of a database that Patroni keeps is killed, and killed along with its Patroni,
// and stands still and wakes, while clients write in all areas: nothing that was acknowledged
// is lost, nothing that was refused is done, nothing is done twice, every event is delivered,
// and nodes continue without a restart.
//
//nolint:paralleltest // it has the machine for itself
func TestNothingIsLostWhenTheDatabaseFailsOver(t *testing.T) {
	if testing.Short() || testsize.Raced {
		t.Skip("starts three servers and kills them for more than a minute")
	}
	began := time.Now()
	database, err := postgrestest.StartCluster("../patroni.yml", 3)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no database that Patroni keeps: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if t.Failed() {
			t.Log(database.Log())
		}
		database.Stop()
	}()
	l := newLoad(startPairOver(t, true, func(i int, _ *node) string {
		members := slices.Clone(database.Members)
		if i == 1 { // so that a node comes to each of them first
			slices.Reverse(members)
		}
		return database.URL(members...)
	}), 0)
	t.Logf("everything is up after %v", time.Since(began))
	l.begin()
	for _, f := range failures {
		primary, err := database.Whole(time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(500+number(500)) * time.Millisecond)
		l.observe()
		began := time.Now()
		if err := f.fail(primary); err != nil {
			t.Fatal(err)
		}
		next := l.failedOver(database, primary)
		took := time.Since(began)
		<-time.After(2 * time.Second)
		if err := f.end(primary); err != nil {
			t.Error(err)
		}
		<-time.After(2 * time.Second)
		t.Logf("%s of %s: %s is the primary after %.1f s: %v", f.name, primary.Name, next, took.Seconds(), l.observe())
	}
	if _, err := database.Whole(time.Minute); err != nil {
		t.Error(err)
	}
	l.end()
	l.check()
	l.report()
	t.Logf("all of it took %v", time.Since(began))
}

// failedOver waits until another member is the primary, and returns its name.
func (l *load) failedOver(database *postgrestest.Cluster, old *postgrestest.Member) string {
	for began := time.Now(); time.Since(began) < longestFailover; pause() {
		for _, m := range database.Members {
			if m != old && m.Primary() {
				return m.Name
			}
		}
	}
	l.t.Error("no other member became the primary")
	return ""
}
