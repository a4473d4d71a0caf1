package egress

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// MaxURL is the length of a callback URL, in bytes.
const MaxURL = 2_000

// CheckURL reports what is wrong with a callback URL; empty when nothing is. What it lets
// pass is judged again at every dial, when the address is known.
func (g Guard) CheckURL(text string) string {
	if len(text) > MaxURL {
		return "A callback URL has at most " + strconv.Itoa(MaxURL) + " characters."
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }):
		return "The callback URL is malformed."
	case u.Scheme != "https" || u.Opaque != "":
		return "A callback URL begins with https://."
	case u.User != nil:
		return "A callback URL carries no user information."
	case u.Fragment != "" || strings.Contains(text, "#"):
		return "A callback URL has no fragment."
	}
	port := uint64(443)
	if p := u.Port(); p != "" {
		if port, err = strconv.ParseUint(p, 10, 16); err != nil {
			return "The port of the callback URL is out of its bounds."
		}
	} else if strings.HasSuffix(u.Host, ":") {
		return "The callback URL is malformed."
	}
	return g.checkHost(u.Hostname(), uint16(port))
}

const notPublic = "The callback URL must be a public HTTPS endpoint."

func (g Guard) checkHost(host string, port uint16) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		if g.check(addr, port) != nil {
			return notPublic
		}
		return ""
	}
	if !hostName(host) {
		return notPublic
	}
	// Whether a name leads to a network that was allowed is known only when it
	// is dialled.
	intranet := len(g.allowed) > 0
	if !intranet && (neverPublic(host) || !g.port(port)) {
		return notPublic
	}
	return ""
}

// reserved are the names below which no public host is: RFC 6761, 6762 and 8375, and what
// ICANN leaves to private networks.
var reserved = []string{".localhost", ".local", ".internal", ".home.arpa"}

// neverPublic reports whether a name can lead to no public host, whatever it resolves to.
func neverPublic(host string) bool {
	host = "." + strings.ToLower(strings.TrimSuffix(host, "."))
	return strings.LastIndexByte(host, '.') == 0 ||
		slices.ContainsFunc(reserved, func(name string) bool { return strings.HasSuffix(host, name) })
}

// hostName reports whether host is a name and cannot be taken for an odd
// spelling of an address, such as 0x7f.1 or 2130706433.
func hostName(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 253 {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return false
		}
	}
	last := strings.ToLower(labels[len(labels)-1])
	number := strings.Trim(last, "0123456789") == "" ||
		strings.HasPrefix(last, "0x") && strings.Trim(last[2:], "0123456789abcdef") == ""
	return !number
}
