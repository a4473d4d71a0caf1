package webhooks

import (
	"net"

	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// GuardedDialer is the dialer that a service with this configuration uses.
func GuardedDialer(cfg Config) *net.Dialer {
	cfg = cfg.withDefaults()
	return egress.NewDialer(cfg.connections(egress.NewGuard(cfg.AllowPrivate, cfg.Ports)))
}
