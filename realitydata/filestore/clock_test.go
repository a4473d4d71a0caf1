package filestore_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// An address is good for an hour by the wall clock: refused while that is ahead, good again when
// it is right, and never good for years since a clock was ahead when it was made.
func TestAddressesOutliveAClockThatWasWrongAndLastNoLonger(t *testing.T) {
	t.Parallel()
	var off atomic.Int64
	w := newWorld(t, filestore.Config{Now: func() time.Time { return noon.Add(time.Duration(off.Load())) }})
	ann := w.of("acme", "ann")
	id, address := w.data(ann)
	for _, s := range []struct {
		off    time.Duration
		status int
	}{
		{0, 201}, {-10 * time.Minute, 201}, {2 * time.Hour, 403}, {40 * 24 * time.Hour, 403}, {0, 201}, {-50 * 365 * 24 * time.Hour, 403}, {time.Minute, 201},
	} {
		off.Store(int64(s.off))
		if status, answer := w.put(address, "scan.las", "points"); status != s.status {
			t.Errorf("off by %v: %d %s, want %d", s.off, status, answer, s.status)
		}
	}
	for _, ahead := range []time.Duration{3 * time.Hour, 40 * 24 * time.Hour, 230 * 365 * 24 * time.Hour} {
		off.Store(int64(ahead))
		a, err := w.ReadAccess(ann, id, "")
		if err != nil {
			t.Fatal(err)
		}
		if status, answer := w.do(http.MethodGet, a.URL, "scan.las", http.NoBody); status != 200 {
			t.Errorf("%v ahead: %d %s", ahead, status, answer)
		}
		off.Store(0)
		if status, _ := w.do(http.MethodGet, a.URL, "scan.las", http.NoBody); status != 403 {
			t.Errorf("made by a clock that was %v ahead: %d", ahead, status)
		}
	}
}
