package framing

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// handshakes logs those that fail, such as those of a load balancer that looks whether the port
// is open: one a second at most, and with the next one how many there were between.
type handshakes struct {
	log *slog.Logger

	mu      sync.Mutex
	logged  time.Time // when the last one was
	between int       // failed since, and were not logged
}

func (h *handshakes) failed(ctx context.Context, client string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if !h.logged.IsZero() && now.Sub(h.logged) < time.Second {
		h.between++
		return
	}
	h.logged = now
	h.log.WarnContext(ctx, "TLS handshake failed", "client", client, "error", err, "more", h.between)
	h.between = 0
}

// flush logs how many are in no line yet.
func (h *handshakes) flush() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.between > 0 {
		h.log.Warn("TLS handshakes failed", "more", h.between)
		h.between = 0
	}
}
