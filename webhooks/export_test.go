package webhooks

import "net"

// GuardedDialer is the dialer that a service with this configuration uses.
func GuardedDialer(cfg Config) *net.Dialer {
	cfg = cfg.withDefaults()
	return newDialer(cfg, newGuard(cfg.AllowPrivate, cfg.Ports))
}
