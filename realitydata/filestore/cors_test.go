package filestore_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

const app = "https://app.example"

func TestBrowsersOfKnownOriginsMayUseAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{Origins: []string{app, "http://localhost:3000"}})
	_, address := w.data(w.of("acme", "ann"))
	for _, origin := range []string{app, "http://localhost:3000"} {
		// Browsers ask first, without a right too.
		for _, u := range []string{at(t, address, "a"), "http://files.test/data/a"} {
			asked := w.request("OPTIONS", u, nil, "Origin", origin, "Access-Control-Request-Method", "PUT",
				"Access-Control-Request-Headers", "x-ms-blob-type,x-ms-version").want(t, 204).header
			if asked.Get("Access-Control-Allow-Origin") != origin || !strings.Contains(asked.Get("Access-Control-Allow-Methods"), "PUT") ||
				asked.Get("Access-Control-Allow-Headers") != "x-ms-blob-type,x-ms-version" || asked.Get("Access-Control-Max-Age") == "" {
				t.Errorf("asked by %s: %v", origin, asked)
			}
		}
		w.blob("PUT", address, "a", "", "x", "Origin", origin, "x-ms-meta-crs", "x").want(t, 201)
		for _, got := range []answer{
			w.blob("GET", address, "a", "", "", "Origin", origin),
			w.blob("GET", address, "none", "", "", "Origin", origin),
			w.send("GET", address, "a", "", "", "Origin", origin),
			w.send("GET", "http://files.test/data", "a", "", "", "Origin", origin),
		} {
			h := got.header
			if h.Get("Access-Control-Allow-Origin") != origin || !slices.Contains(h.Values("Vary"), "Origin") || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%d for %s: %v", got.status, origin, h)
			}
			exposed := strings.Split(h.Get("Access-Control-Expose-Headers"), ", ")
			for name := range h {
				if name = strings.ToLower(name); (name == "etag" || strings.HasPrefix(name, "x-ms-")) && !slices.ContainsFunc(exposed, func(e string) bool { return strings.EqualFold(e, name) }) {
					t.Errorf("%d: %s cannot be read by %s: %q", got.status, name, origin, exposed)
				}
			}
		}
	}
}

func TestBrowsersOfOtherOriginsGetNothing(t *testing.T) {
	t.Parallel()
	for name, origins := range map[string][]string{"some are known": {app}, "none is": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, filestore.Config{Origins: origins})
			_, address := w.data(w.of("acme", "ann"))
			w.put(address, "a", "x")
			for _, origin := range []string{"https://evil.example", "https://app.example.evil.example", "http://app.example", "null", ""} {
				for _, got := range []answer{
					w.request("OPTIONS", at(t, address, "a"), nil, "Origin", origin, "Access-Control-Request-Method", "PUT"),
					w.send("GET", address, "a", "", "", "Origin", origin),
					w.blob("GET", address, "a", "", "", "Origin", origin),
				} {
					for header := range got.header {
						if strings.HasPrefix(header, "Access-Control-") {
							t.Errorf("%q gets %s: %s", origin, header, got.header.Get(header))
						}
					}
					if vary := slices.Contains(got.header.Values("Vary"), "Origin"); vary != (origins != nil) {
						t.Errorf("%q: Vary is %q", origin, got.header.Values("Vary"))
					}
				}
			}
		})
	}
	w := newWorld(t, filestore.Config{Origins: []string{app}})
	for _, asked := range [][2]string{{"https://evil.example", "PUT"}, {app, "PATCH"}} {
		got := w.request("OPTIONS", "http://files.test/data/a", nil, "Origin", asked[0], "Access-Control-Request-Method", asked[1])
		if got.status != 403 || !strings.Contains(got.body, `"CorsPreflightFailure"`) {
			t.Errorf("%s: %d %s", asked, got.status, got.body)
		}
	}
}

func TestAllOriginsAreAllowedWithoutCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{Origins: []string{"*"}})
	_, address := w.data(w.of("acme", "ann"))
	for _, got := range []answer{
		w.request("OPTIONS", at(t, address, "a"), nil, "Origin", app, "Access-Control-Request-Method", http.MethodGet).want(t, 204),
		w.send("GET", address, "a", "", "", "Origin", app).want(t, 404),
	} {
		if got.header.Get("Access-Control-Allow-Origin") != "*" || got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%d: %v", got.status, got.header)
		}
	}
}

func TestOriginsAreThoseOfBrowsers(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"", "app.example", "https://app.example/", "https://app.example/page", "HTTPS://app.example", "https://", "https://ann@app.example"} {
		if s, err := filestore.Open(t.TempDir(), filestore.Config{Origins: []string{origin}}); err == nil || !strings.Contains(err.Error(), "Config.Origins") {
			t.Errorf("%q: %v", origin, err)
			_ = s.Close()
		}
	}
}

func TestPreflightsHaveTheAllowanceOfANetwork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{Origins: []string{app}, Rate: 2})
	for i, want := range []int{204, 204, 429} {
		got := w.request("OPTIONS", "http://files.test/data/a", nil, "Origin", app, "Access-Control-Request-Method", "GET")
		if got.status != want {
			t.Errorf("request %d: %d, want %d", i, got.status, want)
		}
	}
}
