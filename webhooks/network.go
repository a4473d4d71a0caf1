package webhooks

import (
	"net/netip"
	"strings"
)

// ParseNetworks returns the networks of a text such as "10.0.0.0/8, fd00::/8", as
// Config.AllowPrivate takes them.
func ParseNetworks(text string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for one := range strings.SplitSeq(text, ",") {
		p, err := netip.ParsePrefix(strings.TrimSpace(one))
		if err != nil {
			return nil, err
		}
		networks = append(networks, p)
	}
	return networks, nil
}
