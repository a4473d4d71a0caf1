package httpapi

import (
	"log/slog"
	"strings"
	"sync"
	"time"
)

// serverErrors logs what net/http reports, a line for each Write. Of TLS handshakes that fail, such
// as those of a load balancer that looks whether the port is open, it logs one a second at most,
// and with the next one how many there were between.
type serverErrors struct {
	log *slog.Logger

	mu      sync.Mutex
	logged  time.Time // when the last handshake was
	between int       // failed since, and were not logged
}

// failedHandshake is how net/http begins the line of one; the client's address and the error follow.
const failedHandshake = "http: TLS handshake error from "

// Write implements io.Writer.
func (e *serverErrors) Write(line []byte) (int, error) {
	text := strings.TrimSuffix(string(line), "\n")
	if handshake, ok := strings.CutPrefix(text, failedHandshake); ok {
		client, err, _ := strings.Cut(handshake, ": ")
		e.failed(client, err)
	} else {
		e.log.Warn(text)
	}
	return len(line), nil
}

func (e *serverErrors) failed(client, err string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	if !e.logged.IsZero() && now.Sub(e.logged) < time.Second {
		e.between++
		return
	}
	e.logged = now
	e.log.Warn("TLS handshake failed", "client", client, "error", err, "more", e.between)
	e.between = 0
}

// flush logs how many are in no line yet.
func (e *serverErrors) flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.between > 0 {
		e.log.Warn("TLS handshakes failed", "more", e.between)
		e.between = 0
	}
}
