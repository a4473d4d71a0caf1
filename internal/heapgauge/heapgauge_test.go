package heapgauge_test

import (
	"runtime"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
)

const mebibyte = 1 << 20

// TestPeakIsWhatIsHeldAtATime runs alone: it measures the process.
func TestPeakIsWhatIsHeldAtATime(t *testing.T) { //nolint:paralleltest // see above
	held := make([]byte, 20*mebibyte) // before, and therefore not counted
	for name, c := range map[string]struct {
		run         func() []byte
		least, most int64
	}{
		"nothing":                                {func() []byte { return nil }, 0, 1},
		"an answer":                              {func() []byte { return make([]byte, 30*mebibyte) }, 29, 35},
		"what is let go before the end":          {func() []byte { return hold(30)[:0:0] }, 26, 40},
		"what grows, and is let go":              {func() []byte { return grow(200) }, 125, 210},
		"one piece behind another":               {func() []byte { return churn(40) }, 0, 9},
		"an answer in addition to what was held": {func() []byte { return append(hold(10)[:0:0], make([]byte, 10*mebibyte)...) }, 9, 26},
	} {
		_, got := heapgauge.Peak(t, c.run)
		if got < c.least*mebibyte || got > c.most*mebibyte {
			t.Errorf("%s: %.1f MiB, want %d to %d", name, float64(got)/mebibyte, c.least, c.most)
		}
	}
	held[0] = 1
}

// hold holds so many MiB at a time in pieces of one, and returns the first.
func hold(n int) []byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = make([]byte, mebibyte)
	}
	for range 8 {
		churn(2) // the collector looks again
	}
	return all[0]
}

// churn holds one MiB after the other, and returns the last one.
func churn(n int) (last []byte) {
	for range n {
		last = make([]byte, mebibyte)
		runtime.Gosched()
	}
	return last
}

// grow holds one MiB more and more, up to n of them, and returns nothing of them.
func grow(n int) []byte {
	var all [][]byte
	for range n {
		all = append(all, make([]byte, mebibyte))
		runtime.Gosched() // the collector comes to its turn
	}
	return all[0][:0:0]
}
