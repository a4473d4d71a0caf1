// Package freeport finds addresses for programs that tests start, and start again at the same one.
package freeport

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Systems take the ports of connections, and of listeners that ask for any, from the numbers
// above last. A port that was found by asking for any is soon another's.
const (
	first = 10_000
	last  = 32_767
)

var given sync.Map // by number

// Address is an address of the loopback interface at which nothing listens, host and port. A
// process gets each once, and what asks for any port gets none of them.
func Address(ctx context.Context) (string, error) {
	var failed []error
	for range 100 {
		port := first + rand.N(last-first+1)
		if _, taken := given.LoadOrStore(port, true); taken {
			continue
		}
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
		failed = append(failed, err)
	}
	return "", errors.Join(failed...)
}
