package httpapi_test

import (
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// clock stands still until a test moves it.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)} }

func (c *clock) env() twinplatform.Env {
	return twinplatform.Env{Now: func() time.Time { return c.now }}
}

const exceeded = `{"error":{"code":"RateLimitExceeded","message":"The client has sent more requests than it may."}}`

// covers: Conventions: http rule every operation is rate limited
// covers: Errors: http error RateLimitExceeded
// covers: Errors: http rule retry-after is a whole number of seconds
// covers: Everywhere: http error RateLimitExceeded
func TestRateLimit(t *testing.T) {
	t.Parallel()
	c := newClock()
	auth := httpapi.StaticTokens(map[string]twinplatform.Principal{
		token: me, "other": {ID: "other", AccountID: "acme", Scopes: me.Scopes}, "mine-too": me,
	})
	h := things(t, httpapi.Config{Rate: 6, Env: c.env(), Authenticator: auth}, thing())
	for i := range 6 {
		if w := ask(h, "GET", "/things/a", ""); w.Code != 200 {
			t.Fatalf("request %d: %d", i, w.Code)
		}
	}
	// Six a minute are one in ten seconds.
	same(t, shown(ask(h, "GET", "/things/a", "")), "429"+json+"Retry-After: 10\n"+exceeded)
	same(t, shown(ask(h, "GET", "/nowhere", "")), "429"+json+"Retry-After: 10\n"+exceeded)
	c.now = c.now.Add(9500 * time.Millisecond)
	same(t, shown(ask(h, "GET", "/things/a", "", "Authorization: Bearer mine-too")), "429"+json+"Retry-After: 1\n"+exceeded)
	if w := ask(h, "GET", "/things/a", "", "Authorization: Bearer other"); w.Code != 200 {
		t.Errorf("another principal: %d", w.Code)
	}
	c.now = c.now.Add(500 * time.Millisecond)
	if w := ask(h, "GET", "/things/a", ""); w.Code != 200 {
		t.Errorf("after the wait: %d", w.Code)
	}
	if w := ask(h, "GET", "/things/a", ""); w.Code != 429 {
		t.Errorf("one more: %d", w.Code)
	}
}

func TestRequestsWithoutTokenShareAnAllowance(t *testing.T) {
	t.Parallel()
	c := newClock()
	h := things(t, httpapi.Config{Rate: 2, Env: c.env()}, thing())
	codes := []int{}
	for _, authorization := range []string{"Authorization: ", "Authorization: Bearer wrong", "Authorization: Bearer wrong too"} {
		codes = append(codes, ask(h, "GET", "/things/a", "", authorization).Code)
	}
	if codes[0] != 401 || codes[1] != 401 || codes[2] != 429 {
		t.Errorf("answers %v", codes)
	}
	if w := ask(h, "GET", "/things/a", ""); w.Code != 200 {
		t.Errorf("with a token: %d", w.Code)
	}
}

func TestUnlimited(t *testing.T) {
	t.Parallel()
	c := newClock()
	h := things(t, httpapi.Config{Rate: httpapi.Unlimited, Env: c.env()}, thing())
	for i := range httpapi.DefaultRate + 1 {
		if w := ask(h, "GET", "/things/a", ""); w.Code != 200 {
			t.Fatalf("request %d: %d", i, w.Code)
		}
	}
}

func TestDefaultRate(t *testing.T) {
	t.Parallel()
	c := newClock()
	h := things(t, httpapi.Config{Env: c.env()}, thing())
	for i := range httpapi.DefaultRate {
		if w := ask(h, "GET", "/things/a", ""); w.Code != 200 {
			t.Fatalf("request %d: %d", i, w.Code)
		}
	}
	if w := ask(h, "GET", "/things/a", ""); w.Code != 429 {
		t.Errorf("request above the default: %d", w.Code)
	}
}
