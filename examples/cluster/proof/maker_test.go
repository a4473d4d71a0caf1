package proof_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maker creates and deletes records whose ids the platform gives. Each attempt has its
// own name, so that one that was made twice, or was refused and made, is found.
type maker struct {
	*clients

	what    string
	path    string   // to create at
	token   string   // of who creates; empty: the person
	wrapped []string // where in the answer the record is
	body    func(name string) any
	list    string   // path of all of them
	listed  []string // where in its answers they are
	named   func(item map[string]any) string
	below   string // path of one, before its id; empty: none is deleted
	most    int    // that are there at a time; 0: any number
	prefix  string

	mu       sync.Mutex
	attempts map[string]*attempt
	alive    []*attempt // created for certain, and not deleted
	n        int
}

type attempt struct {
	name, id string
	created  outcome
	deleted  bool // for certain
}

// step creates something, or deletes something.
func (m *maker) step() {
	m.mu.Lock()
	var victim *attempt
	if n := len(m.alive); m.below != "" && n > 0 && (m.most > 0 && n >= m.most || number(5) == 0) {
		i := number(n)
		victim = m.alive[i]
		m.alive[i] = m.alive[n-1]
		m.alive = m.alive[:n-1]
	}
	m.n++
	name := fmt.Sprintf("%s-%05d", m.prefix, m.n)
	m.mu.Unlock()
	if victim != nil {
		m.remove(victim)
		return
	}
	a := m.send(m.any(), request{method: "POST", path: m.path, body: m.body(name), token: m.token})
	one := &attempt{name: name, created: a.outcome, id: a.text(append(m.wrapped, "id")...)}
	if a.outcome == refused && !a.passing() {
		m.fault("%s is refused with %d %s", m.what, a.status, a.raw)
	}
	pause() // or there were thousands of them to look through
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.attempts == nil {
		m.attempts = make(map[string]*attempt)
	}
	m.attempts[name] = one
	if a.outcome == made {
		m.alive = append(m.alive, one)
	}
}

func (m *maker) remove(a *attempt) {
	path := m.below + a.id
	doubt := false
	for {
		got := m.send(m.any(), request{method: "DELETE", path: path, token: m.token})
		switch {
		case got.outcome == made, doubt && got.status == 404:
			m.mu.Lock()
			a.deleted = true
			m.mu.Unlock()
			return
		case got.outcome == unknown:
			doubt = true
		case !got.passing():
			m.fault("deleting %s %s is refused with %d %s", m.what, a.name, got.status, got.raw)
			return
		}
		pause()
	}
}

// check wants of each attempt to have left what it was answered, at a node.
func (m *maker) check(node int) {
	there := make(map[string]int)
	token := m.token
	if token == "" {
		token = personToken
	}
	for _, item := range m.listAs(node, token, m.list, m.listed...) {
		there[m.named(item)]++
	}
	counts := make(map[string]int)
	for name, a := range m.attempts {
		n := there[name]
		counts[a.created.String()]++
		switch {
		case n > 1:
			m.fault("%s %s is there %d times", m.what, name, n)
		case a.deleted && n != 0:
			m.fault("%s %s is there, and its deletion was acknowledged", m.what, name)
		case a.created == made && !a.deleted && n == 0:
			m.fault("%s %s is lost, and was acknowledged", m.what, name)
		case a.created == refused && n != 0:
			m.fault("%s %s is there, and was refused", m.what, name)
		case a.created == unknown && n == 1:
			counts["of unknown outcome and there"]++
		}
	}
	m.t.Logf("node %d, %s: %v", node, m.what, counts)
}

// counter is a record whose member counts up, by conditional changes of several clients.
type counter struct {
	*clients

	what   string
	path   string
	wraps  []string // where in the answer the record is
	member string
	prefix string // of its values, before the number

	mu            sync.Mutex
	acked, doubts int
	seen          int // the largest value that was read
}

// step adds one, unless someone else is faster.
func (k *counter) step() {
	k.mu.Lock()
	least := k.seen
	k.mu.Unlock()
	a := k.send(k.any(), request{method: "GET", path: k.path})
	if a.outcome != made {
		pause()
		return
	}
	n, ok := k.value(a)
	if !ok {
		return
	}
	if n < least {
		k.fault("%s is %d at node %d, and was %d before", k.what, n, a.node, least)
	}
	changed := k.send(k.any(), request{method: "PATCH", path: k.path, ifMatch: a.header.Get("ETag"), body: map[string]any{k.member: k.prefix + strconv.Itoa(n+1)}})
	failed := ""
	if changed.outcome == made {
		failed, ok = k.await(changed)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen = max(k.seen, n)
	switch {
	case changed.outcome == made && failed == "" && ok:
		k.acked++
		k.seen = max(k.seen, n+1)
	case changed.outcome == made && !ok, changed.outcome == unknown:
		k.doubts++
	case changed.outcome == made, changed.code == "VersionMismatch", changed.passing():
	default:
		k.fault("%s: a change is refused with %d %s", k.what, changed.status, changed.raw)
	}
}

func (k *counter) value(a answer) (n int, ok bool) {
	text := a.text(append(slices.Clone(k.wraps), k.member)...)
	n, err := strconv.Atoi(strings.TrimPrefix(text, k.prefix))
	if err != nil {
		k.fault("%s says %q", k.what, text)
		return 0, false
	}
	return n, true
}

// check wants each acknowledged change to count once, at a node.
func (k *counter) check(node int) {
	n, ok := k.value(k.readAt(node, k.path))
	if ok && (n < k.acked || n > k.acked+k.doubts) {
		k.fault("%s is %d at node %d after %d changes that were acknowledged and %d of unknown outcome", k.what, n, node, k.acked, k.doubts)
	}
	k.t.Logf("node %d, %s: is at %d, %d acknowledged, %d of unknown outcome", node, k.what, n, k.acked, k.doubts)
}
