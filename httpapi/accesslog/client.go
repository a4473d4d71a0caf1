package accesslog

import (
	"net/netip"
	"slices"
	"strings"
)

// client is the address that a request came from, and that of the trusted proxy that has
// passed it on, if one has: from the end of X-Forwarded-For backwards the first address that
// is none of a trusted proxy. What is before it anybody may have written.
func (l *Log) client(n *line) (client, proxy string) {
	peer, ok := address(n.remote)
	if !ok {
		return n.remote, "" // of a connection without addresses
	}
	at := peer
	hops := strings.Split(strings.Join(n.forwarded, ","), ",")
	for len(hops) > 0 && l.trusts(at) {
		next, ok := address(strings.TrimSpace(hops[len(hops)-1]))
		if !ok {
			break
		}
		at, hops = next, hops[:len(hops)-1]
	}
	if at != peer {
		proxy = peer.String()
	}
	return at.String(), proxy
}

func (l *Log) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(l.cfg.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// address reads an address with or without a port.
func address(s string) (netip.Addr, bool) {
	if both, err := netip.ParseAddrPort(s); err == nil {
		return both.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap().WithZone(""), err == nil
}
