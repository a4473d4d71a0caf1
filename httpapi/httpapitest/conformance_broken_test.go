package httpapitest_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest/internal/conformance"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// defect is one fault of a server.
type defect struct {
	does     string
	server   wrapper // of the answers; nil when they are right
	delivery wrapper // of the deliveries; nil when they are right
	// caught is the check that is to fail, behind its area and a slash.
	caught string
}

// collector keeps what is reported, by check.
type collector struct {
	ctx        context.Context
	found      []string
	passedOver int // steps of conversations
}

func (c *collector) Errorf(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

func (c *collector) Logf(format string, _ ...any) {
	if strings.HasPrefix(format, "passed over") {
		c.passedOver++
	}
}
func (c *collector) Context() context.Context { return c.ctx }

// conformanceServer is a world as the suite is configured for it.
func conformanceServer(w *rightWorld, api http.Handler, delivery wrapper) conformance.Server {
	inbox := &conformance.Receiver{URL: callbackURL, Deliver: w.deliver}
	w.receiver = inbox
	if delivery != nil {
		w.receiver = delivery(inbox)
	}
	return conformance.Server{
		BaseURL: "https://twin.test", Token: "admin", ServiceToken: "service", StrangerToken: "stranger", ReaderToken: "reader", ReaderID: "reader",
		Receiver: inbox, Client: &http.Client{Transport: serving(api.ServeHTTP)}, Patience: time.Minute,
	}
}

// failing are the checks that a server does not pass, of those that are asked for.
func failing(ctx context.Context, s conformance.Server, asked func(check string) bool) map[string][]string {
	out := make(map[string][]string)
	for _, check := range conformance.Checks() {
		name := string(check.Area) + "/" + check.Name
		if !asked(name) {
			continue
		}
		c := &collector{ctx: ctx}
		if check.Run(s, c); len(c.found) > 0 {
			out[name] = c.found
		}
	}
	return out
}

func TestBrokenHandlersAreCaught(t *testing.T) {
	t.Parallel()
	for _, d := range slices.Concat(authDefects, errorDefects, writeDefects, recordDefects, listDefects, deltaDefects, versionDefects, operationDefects, webhookDefects) {
		t.Run(d.does, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newRightWorld(t)
				api := w.handler
				if d.server != nil {
					api = d.server(api)
				}
				found := failing(t.Context(), conformanceServer(w, api, d.delivery), func(check string) bool { return check == d.caught })
				if found[d.caught] == nil {
					t.Errorf("a server that %s passes %q", d.does, d.caught)
				}
				for _, text := range found[d.caught] {
					t.Log(text)
				}
			})
		})
	}
}

// A limit is no reason to fail: the suite comes back when it is asked to.
func TestHandlerWithARateLimitConforms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newRightWorld(t, func(_ *platform.Config, api *httpapi.Config) { api.Rate = 30 })
		s := conformanceServer(w, w.handler, nil)
		// A conversation takes many requests, and virtual hours.
		brief := func(check string) bool { return !strings.Contains(check, "/conversation ") }
		if found := failing(t.Context(), s, brief); len(found) > 0 {
			t.Errorf("under a rate limit the handler fails %v", found)
		}
	})
}
