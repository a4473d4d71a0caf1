package records_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// plainStore hides every optional ability of an engine.
type plainStore struct{ storage.Store }

// machine runs a store through backups, restores and losses of power.
type machine struct {
	*shelf
	path   string // of the file of a store that has one
	policy buntdb.Durability
	kept   int // bytes of the file that a loss of power leaves

	saved      []byte // the last backup
	savedTruth map[string]part
	versions   map[string]string // what each ETag stood for
	goneBack   int
}

func newMachine(t *testing.T, kind string) *machine {
	t.Helper()
	m := &machine{shelf: &shelf{t: t}, versions: make(map[string]string)}
	switch kind {
	case "memory":
		m.store = memory.New()
	case "plain":
		m.store = plainStore{memory.New()}
	default:
		m.path = filepath.Join(t.TempDir(), "records.db")
		m.policy = map[string]buntdb.Durability{"strict file": buntdb.SyncAlways, "loose file": buntdb.SyncNever}[kind]
	}
	m.open()
	return m
}

func (m *machine) open() {
	m.t.Helper()
	if m.path != "" {
		var err error
		m.store, err = buntdb.Open(m.path, buntdb.Options{Durability: m.policy, ReserveBytes: -1})
		if err != nil {
			m.t.Fatal(err)
		}
		m.kept = len(m.file(m.path))
	}
	m.db = records.New(m.store)
}

func (m *machine) close() {
	m.t.Helper()
	if err := m.store.Close(); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) file(name string) []byte {
	m.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		m.t.Fatal(err)
	}
	return data
}

func (m *machine) backup(truth map[string]part) {
	m.t.Helper()
	var b bytes.Buffer
	if err := storage.Backup(m.t.Context(), m.store, &b); err != nil {
		m.t.Fatal(err)
	}
	m.saved, m.savedTruth = b.Bytes(), maps.Clone(truth)
}

// restore goes back to the last backup, under the service that runs.
func (m *machine) restore() map[string]part {
	m.t.Helper()
	if err := storage.Restore(m.t.Context(), m.store, bytes.NewReader(m.saved)); err != nil {
		m.t.Fatal(err)
	}
	if m.path != "" {
		m.kept = len(m.file(m.path))
	}
	m.goneBack++
	return maps.Clone(m.savedTruth)
}

// cutPower ends the process and takes from the file what need not have reached
// the disk. It returns what is left of the truth.
func (m *machine) cutPower(rnd *rand.Rand, truth map[string]part) map[string]part {
	m.t.Helper()
	data, lock := m.file(m.path), m.file(m.path+".lock")
	m.close()
	if m.policy == buntdb.SyncAlways {
		data = append(data, data[:rnd.IntN(60)]...) // a write that was under way
	} else {
		data = data[:m.kept+rnd.IntN(len(data)-m.kept+1)]
		m.goneBack++
	}
	if err := errors.Join(os.WriteFile(m.path, data, 0o600), os.WriteFile(m.path+".lock", lock, 0o600)); err != nil {
		m.t.Fatal(err)
	}
	m.open()
	left := make(map[string]part)
	for p, err := range m.mustList(records.Query[part]{Op: "truth", ListOptions: top(1000)}).OnPage() {
		if err != nil {
			m.t.Fatal(err)
		}
		left[p.ID] = p
	}
	if m.policy == buntdb.SyncAlways && !maps.Equal(left, truth) {
		m.t.Fatal("the file lost what was acknowledged")
	}
	return left
}

// look reads a record and checks that its version stands for nothing else.
func (m *machine) look(rnd *rand.Rand) {
	m.t.Helper()
	rec, err := m.get(fmt.Sprintf("p%02d", rnd.IntN(24)))
	if errors.Is(err, records.ErrNotFound) {
		return
	}
	if err != nil {
		m.t.Fatal(err)
	}
	stood, now := m.versions[rec.ETag], fmt.Sprint(rec.Value)
	if stood != "" && stood != now {
		m.t.Fatalf("%s stands for %s and for %s", rec.ETag, stood, now)
	}
	m.versions[rec.ETag] = now
}

// change does something to the store and returns the truth afterwards.
func (m *machine) change(rnd *rand.Rand, truth map[string]part) map[string]part {
	m.t.Helper()
	switch n := rnd.IntN(24); {
	case n == 0:
		m.backup(truth)
	case n == 1 && m.saved != nil:
		return m.restore()
	case n == 2 && m.path != "":
		return m.cutPower(rnd, truth)
	case n == 3 && m.path != "":
		m.close()
		m.open()
	default:
		write(m.t.(*testing.T), rnd, m.shelf, truth)
	}
	return truth
}

// Whatever is written, backed up, restored and lost between any two calls, a
// copy that only pages, follows deltas and lists again when it has to equals
// the truth once it has come to the end, and no version ever stands for two
// things.
func TestCopyEqualsTheTruthOverRestoresAndLossesOfPower(t *testing.T) {
	t.Parallel()
	for kind, histories := range map[string]int{"memory": 400, "plain": 200, "strict file": 40, "loose file": 60} {
		if testing.Short() {
			histories /= 10
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			back, again := 0, 0
			for seed := range histories {
				rnd := rand.New(rand.NewPCG(uint64(seed), 11))
				m, truth, replicas := newMachine(t, kind), make(map[string]part), newReplicas()
				for range 20 + rnd.IntN(40) {
					truth = m.change(rnd, truth)
					m.look(rnd)
					for _, r := range replicas {
						if rnd.IntN(3) == 0 {
							r.step(t, m.shelf, 1+rnd.IntN(7))
						}
					}
				}
				for name, r := range replicas {
					if diff := r.catchUp(t, m.shelf, rnd, truth); diff != "" {
						t.Fatalf("history %d, copy of %s: %s", seed, name, diff)
					}
					again += r.again
				}
				back += m.goneBack
				m.close()
			}
			t.Logf("%d histories went back %d times, and copies listed again %d times", histories, back, again)
			if kind == "strict file" && again > 4*back {
				t.Error("copies listed anew although nothing they saw was lost")
			}
		})
	}
}

// What was handed out before a restore is refused under the service that runs,
// by the errors that tell a client what to do.
func TestRestoreEndsWhatWasHandedOutBefore(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"memory", "plain", "strict file"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, kind)
			defer m.close()
			for _, id := range []string{"a", "b", "c"} {
				m.put(part{ID: id})
			}
			m.backup(nil)
			q := records.Query[part]{Op: "list", ListOptions: top(2)}
			first := m.mustList(q)
			whole := m.mustList(records.Query[part]{Op: "list"})
			version := m.put(part{ID: "a", Name: "lost"}).ETag
			late := m.mustList(records.Query[part]{Op: "list"}).Delta
			m.restore()
			// The same revision is taken once more, for something else.
			if again := m.put(part{ID: "a", Name: "other"}).ETag; again == version {
				t.Errorf("%s stands for two versions", version)
			}
			rename := func(ifMatch string) error {
				return m.update(func(u *records.Update) error {
					_, err := parts.Modify(u, bin, "a", twinplatform.Condition(ifMatch), func(p *part) error { p.Name = "overwritten"; return nil })
					return err
				})
			}
			if err := rename(version); !errors.Is(err, records.ErrPrecondition) {
				t.Errorf("If-Match from before: %v, want ErrPrecondition", err)
			}
			for name, ask := range map[string]struct {
				q    records.Query[part]
				want error
			}{
				"continuation":                 {records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Continuation: first.Next}}, records.ErrContinuationExpired},
				"delta":                        {records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Delta: whole.Delta}}, records.ErrDeltaExpired},
				"later delta":                  {records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Delta: late}}, records.ErrDeltaExpired},
				"delta of now of another list": {records.Query[part]{Op: "other", ListOptions: twinplatform.ListOptions{Delta: m.mustList(records.Query[part]{Op: "list"}).Delta}}, records.ErrDelta},
				"no token":                     {records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Delta: "bm90aGluZyB0aGF0IHdhcyBldmVyIGhhbmRlZCBvdXQ"}}, records.ErrDelta},
			} {
				if _, err := m.list(ask.q); !errors.Is(err, ask.want) {
					t.Errorf("%s: %v, want %v", name, err, ask.want)
				}
			}
			q = records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{IfNoneMatch: whole.ETag}}
			if page := m.mustList(q); page.NotModified {
				t.Error("a list from before counts as unchanged")
			}
			// What is handed out now is good, also to a service that begins now.
			now := m.mustList(records.Query[part]{Op: "list"})
			m.put(part{ID: "d"})
			m.db = records.New(m.store)
			delta := m.mustList(records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Delta: now.Delta}})
			if got := ids(t, delta); !slices.Equal(got, []string{"d"}) {
				t.Errorf("the delta tells of %q", got)
			}
		})
	}
}
