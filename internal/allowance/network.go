package allowance

import "net/netip"

// stranger begins the ids of allowances that belong to no principal. No principal's id
// begins with it.
const stranger = "\x00"

// Network is where a request comes from, by the address and port of its connection: an
// address of 32 bits, or the network of 64 bits of a longer one, all of which a customer that has
// one of it has. Those of no address, such as of a socket in the file system, are of one.
func Network(remote string) netip.Prefix {
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	addr, bits := from.Addr().Unmap().WithZone(""), 64
	if addr.Is4() {
		bits = 32
	}
	p, _ := addr.Prefix(bits)
	return p
}

// OfNetwork is the id of the allowance of a client's network, for requests of which
// the sender is unknown.
func OfNetwork(remote string) string { return stranger + "network/" + Network(remote).String() }

// OfAddress is the id of the allowance that a client's network has at an address which
// needs no token.
func OfAddress(address, remote string) string {
	return stranger + "address/" + Network(remote).String() + "/" + address
}
