// Package tree is the ordered map in which the embedded engines keep what they hold: a
// B+ tree that is copied on write, made for keys most of which begin as their neighbours do.
//
// A leaf keeps what its keys begin with once, and what follows in each in one piece of memory.
// A key is put together when a scan yields it.
package tree

// most is how many keys a node has at most.
const most = 63

// Map is an ordered map of keys to values. The zero value is empty. Copying it takes constant
// time; the first change to a part of either copy pays for that part. It is safe for
// concurrent use as long as nothing changes or copies it.
type Map struct {
	root  *node
	count int
	owner *owner
	last  spot // of the key that was set last
}

// spot is a leaf with what parts it from the next one: a key of a node above it. Keys that are
// set in their order mostly go where the one before them went. It counts as long as the leaf is
// the map's own and no node above it changes.
type spot struct {
	leaf  *node
	above *node // nil behind the last leaf
	at    int
}

// has reports whether a key that the map lacks belongs at the i-th place of the leaf.
func (s *spot) has(i int, key string) bool {
	return i > 0 && (i < s.leaf.len() || s.above == nil || s.above.greater(s.at, key))
}

// owner says whose a node is: a map changes its own nodes, and copies of others.
type owner struct{ _ byte }

// node is a leaf, with a value for each of its keys, or has children. Then its keys part
// these: each is greater than the keys of all children before it, and not greater than those
// behind it.
type node struct {
	owner *owner
	keys
	values   [][]byte
	children []*node
	next     int // behind the place of the key that was added last
}

// Len returns the number of keys.
func (m *Map) Len() int { return m.count }

// Copy returns another map that begins as m is.
func (m *Map) Copy() *Map {
	m.owner = new(owner)
	return &Map{root: m.root, count: m.count, owner: new(owner)}
}

// Get returns the value of a key.
func (m *Map) Get(key string) (value []byte, ok bool) {
	n := m.root
	if n == nil {
		return nil, false
	}
	for n.children != nil {
		n = n.children[n.child(key)]
	}
	i, found := n.find(key)
	if !found {
		return nil, false
	}
	return n.values[i], true
}

// First is the first that Scan would visit.
func (m *Map) First(prefix, after string) (key string, value []byte, ok bool) {
	if m.root == nil {
		return "", nil, false
	}
	from := max(prefix, after)
	n, i := m.root.seek(from, from != after)
	if n == nil || !n.begins(i, prefix) {
		return "", nil, false
	}
	return n.text(i), n.values[i], true
}

// seek is the place of the first key that is greater than from, or is from where that counts;
// nil where there is none in the node.
func (n *node) seek(from string, itself bool) (leaf *node, i int) {
	if n.children == nil {
		i, found := n.find(from)
		if found && !itself {
			i++
		}
		if i == n.len() {
			return nil, 0
		}
		return n, i
	}
	for at := n.child(from); at < len(n.children); at++ {
		if leaf, i = n.children[at].seek(from, itself); leaf != nil {
			return leaf, i
		}
	}
	return nil, 0
}

// child is the number of the child that has a key, if there is one.
func (n *node) child(key string) int {
	i, found := n.find(key)
	if found {
		i++
	}
	return i
}

// Scan calls visit for the keys that begin with prefix and are greater than after, in their
// order, until it returns false.
func (m *Map) Scan(prefix, after string, visit func(key string, value []byte) bool) {
	if m.root != nil {
		s := scan{prefix: prefix, after: after, from: max(prefix, after), some: 1, visit: visit}
		s.node(m.root)
	}
}

// scan is one that is under way.
type scan struct {
	prefix, after string
	from          string // the least key that it may yield; empty once the first is found
	some          int    // of how many keys it puts together the next ones
	visit         func(string, []byte) bool
}

// together is of how many keys at most a scan puts the next ones together: they are parts of
// one text, all of which stays as long as one of them does.
const together = 32

// node yields what is in a node, and reports whether the scan continues behind it.
func (s *scan) node(n *node) bool {
	if n.children == nil {
		return s.leaf(n)
	}
	i := 0
	if s.from != "" {
		i = n.child(s.from)
	}
	for ; i < len(n.children); i++ {
		if !s.node(n.children[i]) {
			return false
		}
	}
	return true
}

func (s *scan) leaf(n *node) bool {
	i := 0
	if s.from != "" {
		found := false
		if i, found = n.find(s.from); found && s.from == s.after {
			i++
		}
		s.from = ""
	}
	var room [together]string
	for i < n.len() && n.begins(i, s.prefix) {
		to := min(i+s.some, n.len())
		for !n.begins(to-1, s.prefix) {
			to--
		}
		s.some = min(4*s.some, together)
		for _, key := range n.texts(room[:0], i, to) {
			if !s.visit(key, n.values[i]) {
				return false
			}
			i++
		}
	}
	return i == n.len()
}

// Set sets the value of a key, and returns the one before.
func (m *Map) Set(key string, value []byte) (before []byte, had bool) {
	if n := m.last.leaf; n != nil && n.owner == m.owner {
		i, found := n.find(key)
		if found {
			before, n.values[i] = n.values[i], value
			return before, true
		}
		if n.len() < most && m.last.has(i, key) {
			n.put(i, key, value)
			m.count++
			return nil, false
		}
	}
	if m.root == nil {
		m.root = &node{owner: m.owner}
	}
	m.last = spot{}
	before, had, right := m.set(&m.root, key, value)
	if right.node != nil {
		m.root = &node{owner: m.owner, keys: keysOf(right.least), children: []*node{m.root, right.node}}
	}
	if !had {
		m.count++
	}
	return before, had
}

// half is what a node was divided from: its keys are not less than least.
type half struct {
	node  *node
	least string
}

// own is the node at p, to be changed.
func (m *Map) own(p **node) *node {
	if n := *p; n.owner != m.owner {
		own := *n
		own.owner, own.rest, own.values, own.children = m.owner, grown(n.rest, 16), grown(n.values, 1),
			grown(n.children, 1)
		*p = &own
	}
	return *p
}

func (m *Map) set(p **node, key string, value []byte) (before []byte, had bool, right half) {
	n := m.own(p)
	if n.children != nil {
		i := n.child(key)
		if i < n.len() {
			m.last.above, m.last.at = n, i
		}
		before, had, right = m.set(&n.children[i], key, value)
		if right.node != nil {
			m.last = spot{}
			right = n.adopt(i, right)
		}
		return before, had, right
	}
	m.last.leaf = n
	i, found := n.find(key)
	if found {
		before, n.values[i] = n.values[i], value
		return before, true, half{}
	}
	if n.len() < most {
		n.put(i, key, value)
		return nil, false, half{}
	}
	m.last = spot{}
	return nil, false, n.divide(i, key, value)
}

// put adds a key to a leaf, at its place.
func (n *node) put(i int, key string, value []byte) {
	n.insert(i, key)
	n.values = opened(n.values, i, 1)
	n.values[i] = value
	n.next = i + 1
}

// divide adds a key to a full leaf, at its place, by dividing it: in the middle, or where a run
// of keys is added that come in order, so that what is before them stays full.
func (n *node) divide(i int, key string, value []byte) half {
	at := n.len() / 2
	if i == n.next || i == n.len() {
		at = i
	}
	right := &node{owner: n.owner}
	if at < n.len() {
		all := n.texts(nil, 0, n.len())
		right.keys, right.values = keysOf(all[at:]...), grown(n.values[at:], 1)
		n.keys, n.values = keysOf(all[:at]...), grown(n.values[:at], 1)
	}
	switch {
	case right.len() == 0:
		right.put(0, key, value)
	case i <= at:
		n.put(i, key, value)
	default:
		right.put(i-at, key, value)
	}
	first := right.text(0)
	return half{right, first[:min(common(n.text(n.len()-1), first)+1, len(first))]}
}

// adopt adds what the i-th child was divided from, by dividing the node if it is full.
func (n *node) adopt(i int, child half) (right half) {
	if n.len() == most {
		at := most / 2
		if i == most {
			at = most - 1
		}
		all := n.texts(nil, 0, most)
		right = half{&node{owner: n.owner, keys: keysOf(all[at+1:]...), children: grown(n.children[at+1:], 1)}, all[at]}
		n.keys, n.children = keysOf(all[:at]...), grown(n.children[:at+1], 1)
		if i > at {
			n, i = right.node, i-at-1
		}
	}
	n.insert(i, child.least)
	n.children = opened(n.children, i+1, 1)
	n.children[i+1] = child.node
	return right
}

// Delete removes a key, and returns its value.
func (m *Map) Delete(key string) (before []byte, had bool) {
	if _, had = m.Get(key); !had {
		return nil, false
	}
	m.last = spot{}
	before = m.remove(&m.root, key)
	for m.root != nil && m.root.children != nil && len(m.root.children) == 1 {
		m.root = m.root.children[0]
	}
	if m.count--; m.count == 0 {
		m.root = nil
	}
	return before, true
}

// remove removes a key that is below a node.
func (m *Map) remove(p **node, key string) (before []byte) {
	n := m.own(p)
	if n.children == nil {
		i, _ := n.find(key)
		before = n.values[i]
		n.values = closed(n.values, i)
		n.drop(i)
		n.next = 0
		return before
	}
	i := n.child(key)
	before = m.remove(&n.children[i], key)
	switch child := n.children[i]; {
	case child.empty():
		n.children = closed(n.children, i)
		if n.len() > 0 {
			n.drop(max(i-1, 0))
		}
	case child.len() >= most/4:
	case i > 0 && n.fits(i-1):
		m.join(n, i-1)
	case i < n.len() && n.fits(i):
		m.join(n, i)
	}
	return before
}

func (n *node) empty() bool { return len(n.values) == 0 && len(n.children) == 0 }

// fits reports whether the i-th child and the next one have room in one node.
func (n *node) fits(i int) bool { return n.children[i].len()+n.children[i+1].len() <= most*3/4 }

// join makes one of the i-th child of a node and the next one.
func (m *Map) join(n *node, i int) {
	left, right := m.own(&n.children[i]), n.children[i+1]
	all := left.texts(nil, 0, left.len())
	if left.children != nil {
		all = append(all, n.text(i))
	}
	left.keys = keysOf(right.texts(all, 0, right.len())...)
	left.values, left.children = append(left.values, right.values...), append(left.children, right.children...)
	left.next = 0
	n.children = closed(n.children, i+1)
	n.drop(i)
}
