package webhooks_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// FuzzCallbackURL: whatever is taken as a callback URL is an HTTPS address of a
// public host, as the sender's own parser understands it.
func FuzzCallbackURL(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.url)
	}
	f.Add(callback)
	f.Add("https://[2606:4700::1111]/")
	f.Add("https://1.1.1.1:443/?a=b")
	svc := newService(memory.New(), webhooks.Config{})
	f.Fuzz(func(t *testing.T, text string) {
		_, err := svc.CreateWebhook(t.Context(), webhooks.NewWebhook{
			CallbackURL: text, Scope: webhooks.TwinScope, ScopeID: twinID, EventTypes: webhooks.EventTypes(),
		})
		if err != nil {
			return
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, text, nil)
		if err != nil {
			t.Fatalf("%q cannot be sent to: %v", text, err)
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Host == "" || req.URL.Host != u.Host {
			t.Fatalf("%q was taken", text)
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil {
			if a := addr.Unmap(); !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || addr.Zone() != "" {
				t.Fatalf("%q was taken", text)
			}
		}
	})
}
