// Package egress says where deliveries may go: to public HTTPS endpoints, and to
// what the program allows by name. Callback URLs are judged when they are set, and
// every address once more when it is dialled.
package egress

import (
	"errors"
	"net/netip"
	"slices"
)

// Guard decides which addresses deliveries may go to.
type Guard struct {
	allowed []netip.Prefix
	ports   []uint16 // of public addresses; nil for all
}

// NewGuard returns a guard that allows, besides the public Internet, the networks that
// are allowed, on any port. ports are those of public addresses; nil means all.
func NewGuard(allowed []netip.Prefix, ports []uint16) Guard {
	g := Guard{ports: slices.Clone(ports)}
	for _, p := range allowed {
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		g.allowed = append(g.allowed, p.Masked())
	}
	return g
}

// ErrBlocked reports that an address is not one that deliveries may go to. It names no
// address, since its text may reach those who chose the URL.
var ErrBlocked = errors.New("webhooks: the address is not one that deliveries may go to")

// special4 are the blocks of IPv4 that are not the public Internet.
var special4 = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4",
)

// global6 is what is given out of IPv6; special6 are the parts of it that stand
// for something else than one public host.
var (
	global6  = netip.MustParsePrefix("2000::/3")
	special6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)

// metadata are the addresses at which clouds give machines their credentials.
var metadata = []netip.Addr{
	netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("169.254.170.2"),
	netip.MustParseAddr("169.254.169.123"),
	netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("192.0.0.192"), netip.MustParseAddr("168.63.129.16"),
	netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"),
}

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

// check judges where a connection is about to go.
func (g Guard) check(addr netip.Addr, port uint16) error {
	if g.private(addr) {
		return nil
	}
	if !public(addr) || !g.port(port) {
		return ErrBlocked
	}
	return nil
}

// port reports whether deliveries may go to a port of a public address.
func (g Guard) port(port uint16) bool {
	return port != 0 && (g.ports == nil || slices.Contains(g.ports, port))
}

// private reports whether an address was allowed by name.
func (g Guard) private(addr netip.Addr) bool {
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	for _, p := range g.allowed {
		if p.Contains(addr) && (p.IsSingleIP() || !slices.Contains(metadata, addr)) {
			return true
		}
	}
	return false
}

// public reports whether an address is one host of the public Internet.
func public(addr netip.Addr) bool {
	if !addr.IsValid() || addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if slices.Contains(metadata, addr) {
		return false
	}
	within := func(p netip.Prefix) bool { return p.Contains(addr) }
	if addr.Is4() {
		return !slices.ContainsFunc(special4, within)
	}
	return global6.Contains(addr) && !slices.ContainsFunc(special6, within)
}
