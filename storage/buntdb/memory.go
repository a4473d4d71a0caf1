package buntdb

import "log/slog"

// memoryPerRecord is about how many bytes of memory a record takes in addition to its key
// and value: 30 to 70 with a key that shares nothing with its neighbours, and nearly none
// with one of some 80 bytes of which most is theirs too, since that is kept once.
const memoryPerRecord = 40

// memoryLimit warns of a store that takes more memory than it should as soon as that shows:
// while it is being read, since the system may end a process before it has read all.
type memoryLimit struct {
	path   string
	bytes  int64 // 0: no limit
	logger *slog.Logger
	warned bool
}

// check is called with the records that are read so far.
func (m *memoryLimit) check(l *loaded) {
	if m == nil || m.bytes <= 0 || m.warned {
		return
	}
	need := l.bytes + memoryPerRecord*int64(l.tree.Len())
	if need <= m.bytes {
		return
	}
	m.warned = true
	m.logger.Warn("buntdb: the store needs more memory than Options.MemoryBytes, and the system may end the process: "+
		"give it more, or open the store elsewhere and delete", "path", m.path,
		"records", l.tree.Len(), "bytes", need, "allowed", m.bytes, "read", l.pos.Offset, "of", l.size)
}
