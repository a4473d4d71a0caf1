package server

import (
	"errors"
	"math"
	"runtime/debug"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
)

func TestSizeTakesUnitsAndNoLimit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": noLimit, "7": 7, "2KiB": 2 << 10, "512MiB": 512 << 20, "3GiB": 3 << 30, "1TiB": 1 << 40} {
		if got, ok := size(text); got != want || !ok {
			t.Errorf("%s is %d bytes (%v), want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-1", "1.5GiB", "1GB", "GiB", "9999999999TiB"} {
		if got, ok := size(text); ok {
			t.Errorf("%q is taken for %d bytes", text, got)
		}
	}
}

func TestMemoryIsTheSmallestLimitThatHolds(t *testing.T) { //nolint:paralleltest // GOMEMLIMIT is the whole process's
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	const machine = "MemTotal:       4194304 kB\nMemFree: 1 kB\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing is known": {nil, 0},
		"a machine":        {map[string]string{"/proc/meminfo": machine}, 4 << 30},
		"a container":      {map[string]string{"/proc/meminfo": machine, groups + "/memory.max": "1073741824\n"}, 1 << 30},
		"no limit":         {map[string]string{"/proc/meminfo": machine, groups + "/memory.max": "max\n"}, 4 << 30},
		"the first version": {map[string]string{
			"/proc/meminfo": machine, groups + "/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 4 << 30},
		"a slice above": {map[string]string{
			"/proc/meminfo": machine, "/proc/self/cgroup": "0::/system.slice/twin.service\n",
			groups + "/system.slice/twin.service/memory.max": "max\n", groups + "/system.slice/memory.max": "2147483648\n",
		}, 2 << 30},
	} {
		got := memoryOf(func(file string) ([]byte, error) {
			if text, ok := tt.files[file]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("there is none")
		})
		if got != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, got, tt.want)
		}
	}
}

func TestBudgetFollowsTheOptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c    Config
		want platform.Budget
	}{
		{Config{StoreBytes: 400}, platform.Budget{Store: 400, Account: 100}},
		{Config{StoreBytes: 400, AccountBytes: 7}, platform.Budget{Store: 400, Account: 7}},
		{Config{StoreBytes: 400, AccountBytes: noLimit}, platform.Budget{Store: 400}},
		{Config{StoreBytes: noLimit}, platform.Budget{}},
	} {
		if got := tt.c.budget(); got != tt.want {
			t.Errorf("%d and %d are %+v, want %+v", tt.c.StoreBytes, tt.c.AccountBytes, got, tt.want)
		}
	}
	if b := new(Config).budget(); b.Store <= 0 || b.Store > math.MaxInt64/2 || b.Account != b.Store/4 {
		t.Errorf("without options the budget is %+v", b)
	}
}
