package admin

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// KnownHosts answers requests that name this machine, and 421 for any other name: a page
// whose name its owner leads to an address of the operator's machine, as by DNS
// rebinding, is to read nothing. Known are addresses, localhost, names below .localhost,
// and names, which are compared without case and without their ports.
func KnownHosts(h http.Handler, names ...string) http.Handler {
	known := make([]string, len(names))
	for i, name := range names {
		known[i] = hostName(name)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := hostName(r.Host); !local(name) && !slices.Contains(known, name) {
			http.Error(w, "this listener does not answer under this host name", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// hostName is the name or the address in a Host header, as names are compared.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// local reports whether no resolver is asked for a name. A request without one comes from
// no browser.
func local(name string) bool {
	if name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	name, _, _ = strings.Cut(name, "%") // of a zone
	_, err := netip.ParseAddr(name)
	return err == nil
}
