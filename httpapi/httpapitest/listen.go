package httpapitest

import (
	"net/http/httptest"
)

// Listen serves the harness on a free port of this machine until the test ends, for
// clients in other languages and processes, and returns the address. A test that
// calls it has sockets and goroutines, and does not work within a testing/synctest
// bubble.
func (tw *Harness) Listen() string {
	srv := httptest.NewServer(tw)
	tw.t.Cleanup(srv.Close)
	return srv.URL
}
