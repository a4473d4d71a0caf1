package webhooks

import (
	"net"
	"net/http"
	"time"
)

// GuardedDialer is the dialer that a service with this configuration uses.
func GuardedDialer(cfg Config) *net.Dialer {
	cfg = cfg.withDefaults()
	return newDialer(cfg, newGuard(cfg.AllowPrivate, cfg.Ports))
}

// Sign signs as an attempt does.
func Sign(header http.Header, messageID string, at time.Time, body []byte, secrets ...Secret) {
	sign(header, messageID, at, body, secrets...)
}

// VerifyAt is Verify at another time.
var VerifyAt = verifyAt
