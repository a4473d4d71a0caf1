package signin

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Client is a program that people sign in to. It has no secret: who has a code needs what the
// program made it from (PKCE).
type Client struct {
	ID string
	// Redirects are the addresses that people may be sent back to, compared exactly. That of a
	// program at the loopback address 127.0.0.1 or [::1] may have another port. A client
	// without any signs in by device codes.
	Redirects []string
}

// CheckClient reports what is wrong with a client. Each of its addresses leads to a page
// over http or https, or has a scheme with a dot, such as com.example.app, which opens a
// program.
func CheckClient(c Client) error {
	if c.ID == "" || strings.ContainsFunc(c.ID, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("signin: %q is no id of a client", c.ID)
	}
	for _, redirect := range c.Redirects {
		if !redirectable(redirect) {
			return fmt.Errorf("signin: client %s cannot send people to %q: want the likes of "+
				"https://app.example/callback", c.ID, redirect)
		}
	}
	return nil
}

func redirectable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" || strings.Contains(address, "#") || u.User != nil {
		return false
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Host != ""
	}
	return strings.Contains(u.Scheme, ".")
}

// sends reports whether people may be sent back to an address.
func (c Client) sends(address string) bool {
	return slices.ContainsFunc(c.Redirects, func(known string) bool {
		return known == address || withoutPort(known) != "" && withoutPort(known) == withoutPort(address)
	})
}

// withoutPort is an address at the loopback interface without its port; empty for others.
func withoutPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil {
		return ""
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); ip == nil || host != "127.0.0.1" && host != "::1" {
		return ""
	}
	prefix := "http://" + u.Host
	rest, ok := strings.CutPrefix(address, prefix)
	if !ok {
		return ""
	}
	return host + " " + rest
}

// client is one that people sign in to.
func (p *Provider) client(id string) (Client, bool) {
	i := slices.IndexFunc(p.cfg.Clients, func(c Client) bool { return c.ID == id })
	if i < 0 {
		return Client{}, false
	}
	return p.cfg.Clients[i], true
}
