package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Terminals are looked at and logs are kept, so the tokens of a file are in
// neither.
func TestTokensOfAFileAreNeverPrinted(t *testing.T) {
	t.Parallel()
	tokens := fileWith(t, `[{"token": "sesame-4711", "principal": {"id": "p1", "displayName": "Ada", "accountId": "`+demoPrincipal.AccountID+`",
		"kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}}]`)
	for _, args := range [][]string{nil, {"-seed", seedFile}, {"-log", "json"}} {
		s := start(t, append(args, "-tokens", tokens)...)
		s.callAs("sesame-4711", "GET", "/twins", "", http.StatusOK)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		if printed := s.banner + s.log.String(); strings.Contains(printed, "sesame") {
			t.Errorf("with %v the server prints a token:\n%s", args, printed)
		}
		if !strings.Contains(s.banner, "Bearer $TOKEN") {
			t.Errorf("with %v the banner does not say where the token goes:\n%s", args, s.banner)
		}
	}
}

// addresses are all of an answer that name a place.
func addresses(v any) (found []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, m := range v {
			found = append(found, addresses(m)...)
		}
	case []any:
		for _, m := range v {
			found = append(found, addresses(m)...)
		}
	case string:
		if strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "/") {
			found = append(found, v)
		}
	}
	return found
}

// linked are answers with addresses of every kind, by their paths.
var linked = []string{
	"/schedules/nb-plan/tasks?$top=1",
	"/reality-management/reality-data/" + cloud + "/readaccess?twinId=" + bridge,
	"/reality-management/reality-data/" + cloud + "/writeaccess?twinId=" + bridge,
	"/reality-analysis/detectors/" + url.PathEscape("@river-works/cracks"),
	"/twins?$top=1",
}

func TestAddressesInAnswersFollowTheBaseURL(t *testing.T) {
	t.Parallel()
	const base = "https://twin.example.com/api"
	s := start(t, "-seed", bridgeFile, "-base-url", base+"/")
	for _, path := range linked {
		found := addresses(s.call("GET", path, "", http.StatusOK).body)
		if len(found) == 0 {
			t.Errorf("GET %s names no address", path)
		}
		for _, a := range found {
			if !strings.HasPrefix(a, base+"/") {
				t.Errorf("GET %s names %s, want it under %s", path, a, base)
			}
		}
	}
}

// A server that listens everywhere is reached under names that it does not know:
// those of the requests.
func TestAddressesInAnswersFollowTheRequestWithoutABaseURL(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", bridgeFile, "-addr", "0.0.0.0:0")
	for _, path := range linked {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "tower.example.com:8080"
		for _, a := range addresses(s.send(req, s.token, http.StatusOK).body) {
			if !strings.HasPrefix(a, "http://tower.example.com:8080/") {
				t.Errorf("GET %s names %s, want it under the host of the request", path, a)
			}
		}
	}
}

// A server that starts with the controls of tests prints who may use them.
func TestTheBannerWarnsThatTestControlsAreOpenToEveryone(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"demo": nil, "tokens": {"-tokens", grantsTo(t, tower)}} {
		controlled, plain := start(t, append(args, "-test-controls")...), start(t, args...)
		const want = "/_test/ is open to everybody who reaches this server"
		if !strings.Contains(controlled.banner, controlled.base+want) {
			t.Errorf("%s: the banner with the controls is\n%s", name, controlled.banner)
		}
		if strings.Contains(plain.banner, "/_test/") {
			t.Errorf("%s: the banner without the controls is\n%s", name, plain.banner)
		}
	}
}
