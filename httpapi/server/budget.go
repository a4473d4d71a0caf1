package server

import (
	"bytes"
	"context"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// The store has two fifths of the memory that the process may use: the collector of
// garbage lets the heap grow to twice what is alive, and requests want the rest. An account
// has a quarter of that.
const (
	storeParts, memoryParts = 2, 5
	accountsPerStore        = 4
)

// budget is the configured budget, or else a share of the memory.
func (c *Config) budget() platform.Budget {
	b := platform.Budget{Account: c.AccountBytes, Store: c.StoreBytes}
	if b.Store == 0 && !c.shared() {
		b.Store = memoryForStore(os.ReadFile)
	}
	if b.Account == 0 {
		b.Account = max(b.Store, 0) / accountsPerStore
	}
	return platform.Budget{Account: max(b.Account, 0), Store: max(b.Store, 0)}
}

// memoryForStore is how much of the memory that the process may use the store has; 0 where
// that is not known.
func memoryForStore(read func(file string) ([]byte, error)) int64 {
	return memoryOf(read) / memoryParts * storeParts
}

// noLimit is what an option of 0 bytes stands for.
const noLimit = -1

// size reads a number of bytes, such as 512MiB; 0 is no limit.
func size(s string) (int64, bool) {
	unit := int64(1)
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}} {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			s, unit = number, u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(s, 10, 62)
	switch {
	case err != nil || n > math.MaxInt64/uint64(unit):
		return 0, false
	case n == 0:
		return noLimit, true
	}
	return int64(n) * unit, true
}

// memoryOf is how many bytes of memory the process may use: GOMEMLIMIT, the limit of its
// control group or else what the machine has; 0 where nothing is known.
func memoryOf(read func(file string) ([]byte, error)) int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	most := int64(0)
	for _, limit := range append(groupLimits(read), physical(read)) {
		if limit > 0 && (most == 0 || limit < most) {
			most = limit
		}
	}
	return most
}

const groups = "/sys/fs/cgroup"

// groupLimits returns, in bytes, the memory limits of the control groups of the process,
// for version 1 and version 2. A group without a limit adds none.
func groupLimits(read func(file string) ([]byte, error)) (limits []int64) {
	files := []string{groups + "/memory.max", groups + "/memory/memory.limit_in_bytes"}
	text, _ := read("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		if group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			for ; len(group) > 1; group = path.Dir(group) {
				files = append(files, groups+group+"/memory.max")
			}
		}
	}
	for _, file := range files {
		text, _ := read(file)
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil {
			limits = append(limits, n)
		}
	}
	return limits
}

// physical is what the machine has.
func physical(read func(file string) ([]byte, error)) int64 {
	text, _ := read("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemTotal:" {
			n, _ := strconv.ParseInt(fields[1], 10, 53)
			return n << 10
		}
	}
	return 0
}

// reloadBudget reads the file of -config again for the budget: flags and environment stay
// what they are. A file that is no good changes nothing.
func (s *server) reloadBudget(ctx context.Context) {
	if s.cfg.reread == nil {
		return
	}
	now, err := s.cfg.reread()
	if err != nil {
		s.log.ErrorContext(ctx, "the budget was not reloaded", "error", err)
		return
	}
	b := now.budget()
	if b == s.Budget().Budget {
		return
	}
	s.SetBudget(b)
	s.log.InfoContext(ctx, "budget reloaded", "account", b.Account, "store", b.Store)
}
