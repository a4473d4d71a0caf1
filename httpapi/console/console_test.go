package console_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

func TestEveryPageIsWellFormedAndReadingItChangesNothing(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	w := open(t, demo)
	for _, o := range httpapi.Operations()[:20] {
		r := httptest.NewRequest(
			o.Method, o.Path+"?colour=red", strings.NewReader(`{"a<b>&\"": "</script><script>alert(1)</script>"}`),
		)
		r.Header.Set("Authorization", "Bearer "+ownerToken)
		w.handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	before := w.state()
	pages := w.browser().crawl(400)
	if len(pages) < 25 {
		t.Errorf("%d pages are linked", len(pages))
	}
	if diff := cmp.Diff(before, w.state()); diff != "" {
		t.Errorf("reading pages has changed (-before +after):\n%s", diff)
	}
	for _, o := range httpapi.Operations()[:testsize.Of(len(httpapi.Operations()), 20)] {
		if _, ok := pages["/console/try/"+o.ID]; !ok {
			where := "/console/try/" + o.ID
			res := w.browser().get(where)
			if res.Code != http.StatusOK {
				t.Errorf("%s answers %d", where, res.Code)
			}
			parse(t, where, res.Body.Bytes())
		}
	}
}

func TestCallersWithoutRightsAreShownNothing(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	w := open(t, nil)
	owner, stranger := w.browser(), w.browser()
	owner.signIn(ownerToken)
	stranger.signIn(strangerTok)
	for where := range owner.crawl(150) {
		res := stranger.get(where)
		if res.Code >= 500 {
			t.Errorf("%s answers a stranger %d", where, res.Code)
		}
		for _, hidden := range []string{"North Bridge", "River Works", "mp_j30", planTwin, "Name of 1111"} {
			if u, err := url.Parse(where); err == nil && !strings.Contains(u.RawQuery, hidden) &&
				!strings.Contains(u.Path, hidden) && strings.Contains(res.Body.String(), hidden) {
				t.Errorf("%s shows a stranger %q", where, hidden)
			}
		}
	}
}

func TestNothingIsShownWithoutSigningIn(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	owner := w.browser()
	owner.signIn(ownerToken)
	for where := range owner.crawl(60) {
		res := w.browser().get(where)
		if want := http.StatusUnauthorized; res.Code != want && where != "/console/sign-in" {
			t.Errorf("%s answers %d, want %d", where, res.Code, want)
		}
		parse(t, where, res.Body.Bytes())
	}
}

func TestSessionsAreBoundedAndEnd(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	b := w.browser()
	if res := b.post(
		"/console/sign-in", url.Values{"token": {"nonsense"}},
	); res.Code != http.StatusUnauthorized || b.cookie != nil {
		t.Errorf("a wrong token answers %d, cookie %v", res.Code, b.cookie)
	}
	if res := b.post("/console/sign-in", url.Values{"token": {"unchecked"}}); res.Code != http.StatusServiceUnavailable {
		t.Errorf("a token that cannot be checked answers %d", res.Code)
	}
	b.signIn(ownerToken)
	want := &http.Cookie{
		Name: "twinplatform-console-4790", Value: b.cookie.Value, Path: "/console", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Raw: b.cookie.Raw,
	}
	if diff := cmp.Diff(want, b.cookie); diff != "" {
		t.Errorf("cookie (-want +got):\n%s", diff)
	}
	if strings.Contains(b.cookie.Value, ownerToken) || len(b.cookie.Value) < 26 {
		t.Errorf("the cookie is %q", b.cookie.Value)
	}
	opens := func(b *visitor) bool { return b.get("/console/").Code == http.StatusOK }
	for range 4 {
		w.now = w.now.Add(console.SessionIdle - time.Minute)
		if w.now.Sub(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)) < console.SessionLife && !opens(b) {
			t.Fatalf("a session in use is over at %s", w.now)
		}
	}
	if opens(b) {
		t.Error("a session lasts for longer than a day")
	}
	b.signIn(ownerToken)
	w.now = w.now.Add(console.SessionIdle)
	if opens(b) {
		t.Error("an idle session continues")
	}
	b.signIn(ownerToken)
	kept := *b.cookie
	b.post("/console/sign-out", nil)
	b.cookie = &kept
	if opens(b) {
		t.Error("a session continues after signing out")
	}
	b.signIn(ownerToken)
	kept = *b.cookie
	b.signIn(ownerToken)
	if old := w.browser(); true {
		if old.cookie = &kept; opens(old) {
			t.Error("a session continues after signing in again")
		}
	}
	delete(w.tokens, ownerToken)
	if opens(b) {
		t.Error("a session continues after its token has ended")
	}
	w.tokens[ownerToken] = principal("11111111-1111-4111-8111-111111111111", ownAccount)
	first := w.browser()
	first.signIn(ownerToken)
	w.now = w.now.Add(time.Second)
	for range console.MaxSessions {
		w.browser().signIn(ownerToken)
	}
	if opens(first) {
		t.Errorf("more than %d sessions continue", console.MaxSessions)
	}
}

func TestGuessingTokensIsLimited(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for i := range console.MaxGuesses {
		if res := w.browser().post(
			"/console/sign-in", url.Values{"token": {fmt.Sprint("guess", i)}},
		); res.Code != http.StatusUnauthorized {
			t.Fatalf("guess %d answers %d", i, res.Code)
		}
	}
	if res := w.browser().post(
		"/console/sign-in", url.Values{"token": {ownerToken}},
	); res.Code != http.StatusTooManyRequests {
		t.Errorf("after %d guesses a token answers %d", console.MaxGuesses, res.Code)
	}
	w.now = w.now.Add(time.Minute)
	w.browser().signIn(ownerToken)
}

func TestAFloodOfWrongTokensDelaysNoOtherCaller(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	tries := func(from, token string) int {
		b := w.browser()
		b.from = from
		b.header.Set("X-Forwarded-For", fmt.Sprint("10.0.0.", len(from), ", ", token)) // which anybody may write
		return b.post("/console/sign-in", url.Values{"token": {token}}).Code
	}
	flood := func(address func(i int) string) {
		t.Helper()
		refused := 0
		for i := range 2 * console.MaxGuesses {
			if tries(address(i), fmt.Sprint("guess", i)) == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused != console.MaxGuesses {
			t.Errorf("from %s %d of %d guesses are not looked at, want half", address(0), refused, 2*console.MaxGuesses)
		}
	}
	flood(func(i int) string { return fmt.Sprint("203.0.113.5:", 1024+i) })
	flood(func(i int) string { return fmt.Sprintf("[2001:db8:1:2:%x::9]:443", i) })
	for from, want := range map[string]int{
		"203.0.113.5:9":          http.StatusTooManyRequests,
		"[::ffff:203.0.113.5]:9": http.StatusTooManyRequests,
		"[2001:db8:1:2::1]:9":    http.StatusTooManyRequests,
		"[2001:db8:1:2::1%lo]:9": http.StatusTooManyRequests,
		"203.0.113.6:9":          http.StatusSeeOther,
		"[2001:db8:1:3::1]:9":    http.StatusSeeOther,
		"127.0.0.1:9":            http.StatusSeeOther,
		"@":                      http.StatusSeeOther, // of a socket that has no addresses
	} {
		if got := tries(from, ownerToken); got != want {
			t.Errorf("a good token from %s answers %d, want %d", from, got, want)
		}
	}
	w.now = w.now.Add(time.Minute)
	if got := tries("203.0.113.5:9", ownerToken); got != http.StatusSeeOther {
		t.Errorf("a minute later a good token answers %d", got)
	}
}

func TestWhoGuessesIsRememberedWithinBounds(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	tries := func(from, token string) int {
		b := w.browser()
		b.from = from
		return b.post("/console/sign-in", url.Values{"token": {token}}).Code
	}
	for i := range console.MaxGuesses {
		tries("203.0.113.5:9", fmt.Sprint("guess", i))
	}
	if got := tries("203.0.113.5:9", ownerToken); got != http.StatusTooManyRequests {
		t.Errorf("who has guessed is answered %d", got)
	}
	for i := range console.MaxGuessers {
		w.now = w.now.Add(time.Microsecond)
		if got := tries(fmt.Sprintf("10.0.%d.%d:9", i/256, i%256), "guess"); got != http.StatusUnauthorized {
			t.Fatalf("the first guess from another address is answered %d", got)
		}
	}
	if got := tries("203.0.113.5:9", ownerToken); got != http.StatusSeeOther {
		t.Errorf("who made room for %d others is answered %d", console.MaxGuessers, got)
	}
}

func TestNothingIsTakenFromOtherSites(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	before := w.state()
	forms := make(map[string]bool)
	for where, p := range w.browser().crawl(200) {
		base, _ := url.Parse(where)
		for _, f := range p.forms {
			to, err := base.Parse(f)
			if err != nil {
				t.Fatal(err)
			}
			forms[to.String()] = true
		}
	}
	if len(forms) < 5 {
		t.Errorf("%d forms change something", len(forms))
	}
	for form := range forms {
		for name, header := range map[string]http.Header{
			"a site":                {"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"}},
			"a port of the host":    {"Sec-Fetch-Site": {"same-site"}, "Sec-Fetch-Mode": {"navigate"}},
			"an old browser's page": {"Origin": {"https://evil.example"}},
			"a page without a name": {"Origin": {"null"}},
		} {
			b := w.browser()
			b.header = header
			if res := b.post(form, nil); res.Code != http.StatusForbidden {
				t.Errorf("%s is taken from %s: %d", form, name, res.Code)
			}
		}
	}
	b := w.browser()
	b.header = http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}
	if res := b.get("/console/"); res.Code != http.StatusForbidden {
		t.Errorf("another site's page loads a page: %d", res.Code)
	}
	b.header.Set("Sec-Fetch-Mode", "navigate")
	if res := b.get("/console/"); res.Code != http.StatusOK {
		t.Errorf("a link of another site answers %d", res.Code)
	}
	if diff := cmp.Diff(before, w.state()); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
}

func TestDemoIsForThisMachineAlone(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	for host, want := range map[string]int{
		"localhost:4790": 200, "LOCALHOST": 200, "127.0.0.1:4790": 200, "127.9.9.9": 200, "[::1]:4790": 200,
		"console.localhost:80": 200,
		"evil.example":         421, "evil.example:4790": 421, "localhost.evil.example": 421, "10.0.0.1:4790": 421,
		"127.0.0.1.evil.example": 421, "": 421, "0.0.0.0:4790": 421,
	} {
		b := w.browser()
		b.host = host
		if res := b.get("/console/"); res.Code != want {
			t.Errorf("the host %q is answered %d, want %d", host, res.Code, want)
		}
		if res := b.post("/console/sign-in", url.Values{"token": {ownerToken}}); (res.Code == 421) != (want == 421) {
			t.Errorf("signing in at the host %q answers %d", host, res.Code)
		}
	}
	b := w.browser()
	b.header.Set("X-Forwarded-For", "192.0.2.1")
	if res := b.get("/console/"); res.Code != 421 {
		t.Errorf("through a proxy it answers %d", res.Code)
	}
	r := httptest.NewRequest("GET", "/console/", nil)
	r.Host, r.RemoteAddr = "localhost", "192.0.2.1:5000"
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	if rec.Code != 421 {
		t.Errorf("another machine is answered %d", rec.Code)
	}
}

func TestDemoCallersAreSwitchedAndSignedOut(t *testing.T) {
	t.Parallel()
	b := open(t, demo).browser()
	if p := parse(t, "/", b.get("/console/").Body.Bytes()); !strings.Contains(p.text, "Name of 1111") {
		t.Error("the first caller is not signed in at once")
	}
	b.post("/console/sign-in", url.Values{"demo": {"1"}})
	if p := parse(t, "/", b.get("/console/").Body.Bytes()); !strings.Contains(p.text, "Name of 3333") {
		t.Error("the second caller is not signed in when it is chosen")
	}
	b.post("/console/sign-out", nil)
	if res := b.get("/console/"); res.Code != http.StatusUnauthorized {
		t.Errorf("after signing out a page answers %d", res.Code)
	}
	b.cookie.Value = "a session of before a restart"
	if res := b.get("/console/"); res.Code != http.StatusOK {
		t.Errorf("an old cookie answers %d", res.Code)
	}
}

func TestSignInLeadsToPagesOfTheConsoleAlone(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for next, want := range map[string]string{
		"/requests": "requests", "/try/tasks.list": "try/tasks.list", "": "./", "//evil.example": "./",
		"https://evil.example": "./", "/\\evil.example": "./", "/a/../../x": "./", "/x?y=z": "./",
	} {
		res := w.browser().post("/console/sign-in", url.Values{"token": {ownerToken}, "next": {next}})
		if got := res.Header().Get("Location"); got != want {
			t.Errorf("next %q leads to %q, want %q", next, got, want)
		}
	}
}

// A browser resolves Location as the WHATWG says: it drops tabs and line ends, takes a
// backslash for a slash, and takes https:name for an address of another host.
func TestSignInNeverLeadsToAnotherHost(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	parts := []string{
		"/", "//", "\\", ":", "https:", "http:", "javascript:alert(1)", "evil.example", "evil.example/phish", "\t", "\n",
		"\r", " ", "\x00",
		"%2F", "%09", "%3A", "?", "#", "@", ".", "..", "é", "schedules", "a:b",
	}
	random := rand.New(rand.NewPCG(25, 4))
	nexts := []string{
		"/https:evil.example/phish", "/http:evil.example", "/\t//evil.example", "/ //evil.example",
		"/javascript:alert(1)",
	}
	for range 3_000 {
		next := "/"
		for range 1 + random.IntN(5) {
			next += parts[random.IntN(len(parts))]
		}
		nexts = append(nexts, next)
	}
	for _, next := range nexts {
		res := w.browser().post("/console/sign-in", url.Values{"token": {ownerToken}, "next": {next}})
		if to := res.Header().Get("Location"); res.Code != http.StatusSeeOther || !staysHere(to) {
			t.Errorf("next %q: %d, Location %q", next, res.Code, to)
		}
	}
	// The form of a page without a session leads to its next address, and nowhere else.
	form := w.browser().get("/console/https:evil.example/phish")
	found := regexp.MustCompile(`name="next" value="([^"]*)"`).FindStringSubmatch(form.Body.String())
	if found == nil {
		t.Fatalf("there is no form: %d", form.Code)
	}
	res := w.browser().post("/console/sign-in", url.Values{"token": {ownerToken}, "next": {found[1]}})
	if to := res.Header().Get("Location"); !staysHere(to) {
		t.Errorf("from /console/https:evil.example/phish sign-in leads to %q", to)
	}
}

// staysHere reports whether a reference is relative for every browser.
func staysHere(to string) bool {
	first, _, _ := strings.Cut(
		strings.NewReplacer("\t", "", "\r", "", "\n", "", "\\", "/").Replace(strings.TrimSpace(to)), "/",
	)
	return first != "" && !strings.Contains(first, ":")
}

func TestReadOnlyConsoleChangesNothing(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	open := func(readOnly bool) *visitor {
		return open(t, func(cfg *console.Config) {
			demo(cfg)
			cfg.ReadOnly = readOnly
		}).browser()
	}
	forms := func(b *visitor) map[string]bool {
		all := make(map[string]bool)
		for where, p := range b.crawl(200) {
			base, _ := url.Parse(where)
			for _, f := range p.forms {
				to, _ := base.Parse(f)
				all[to.Path] = true
			}
		}
		return all
	}
	all, b := forms(open(false)), open(true)
	for form := range forms(b) {
		if form != "/console/sign-in" && form != "/console/sign-out" {
			t.Errorf("a console that is read only has the form %s", form)
		}
		delete(all, form)
	}
	before := b.w.state()
	for form := range all {
		if res := b.post(form, url.Values{"body": {"{}"}}); res.Code != http.StatusForbidden {
			t.Errorf("a console that is read only answers %s with %d", form, res.Code)
		}
	}
	if diff := cmp.Diff(before, b.w.state()); diff != "" || len(all) < 3 {
		t.Errorf("%d forms changed (-before +after):\n%s", len(all), diff)
	}
}

func TestBrowsersAreSentFromTheRootToTheConsole(t *testing.T) {
	t.Parallel()
	b := open(t, demo).browser()
	if res := b.get("/"); res.Code != http.StatusUnauthorized {
		t.Errorf("a program that asks for the root is answered %d", res.Code)
	}
	b.header.Set("Accept", "text/html,application/xhtml+xml;q=0.9")
	for target, want := range map[string]string{"/": "302 console/", "/console": "303 console/"} {
		res := b.get(target)
		if got := fmt.Sprint(res.Code, " ", res.Header().Get("Location")); got != want {
			t.Errorf("%s is answered %s, want %s", target, got, want)
		}
	}
	if res := b.get("/twins"); res.Code != http.StatusUnauthorized || !strings.HasPrefix(
		res.Header().Get("Content-Type"), "application/json",
	) {
		t.Errorf("a browser that asks for twins is answered %d", res.Code)
	}
}

func TestConsoleWorksBelowAnyPrefix(t *testing.T) {
	t.Parallel()
	b := open(t, func(cfg *console.Config) {
		cfg.Path, cfg.API.BaseURL = "/pages/of/twins", "https://example.com/api"
	}).browser()
	res := b.post("/pages/of/twins/sign-in", url.Values{"token": {ownerToken}})
	if res.Code != http.StatusSeeOther || b.cookie.Path != "/api/pages/of/twins" || !b.cookie.Secure {
		t.Fatalf("signing in answers %d with %v", res.Code, b.cookie)
	}
	for _, where := range []string{"/", "/requests", "/try/tasks.list", "/nowhere/at/all"} {
		for _, link := range parse(t, where, b.get("/pages/of/twins"+where).Body.Bytes()).links {
			base, _ := url.Parse("https://example.com/api/pages/of/twins" + where)
			if to, err := base.Parse(link); err != nil || !strings.HasPrefix(
				to.String(), "https://example.com/api/pages/of/twins/",
			) {
				t.Errorf("%s links to %q: %v", where, link, to)
			}
		}
	}
}

func TestAssetsAreKeptForLongUnderNamesOfTheirContent(t *testing.T) {
	t.Parallel()
	b := open(t, nil).browser()
	body := b.get("/console/").Body.String()
	found := regexp.MustCompile(`assets/[^"]+`).FindAllString(body, -1)
	if len(found) != 3 {
		t.Fatalf("a page has the assets %q", found)
	}
	for _, asset := range found {
		res := b.get("/console/" + asset)
		if res.Code != 200 || !strings.Contains(res.Header().Get("Cache-Control"), "immutable") || res.Body.Len() == 0 {
			t.Errorf("%s answers %d, %v", asset, res.Code, res.Header())
		}
		wantHeaders(t, "/console/"+asset, res.Header())
		if res := b.get("/console/" + strings.Replace(asset, "console-", "console-0", 1)); res.Code != http.StatusNotFound {
			t.Errorf("an asset of another version answers %d", res.Code)
		}
	}
}

func TestConfigurationsThatContradictThemselvesAreRefused(t *testing.T) {
	t.Parallel()
	api := httpapi.Config{Authenticator: httpapi.StaticTokens(nil)}
	for name, cfg := range map[string]console.Config{
		"no authenticator":           {},
		"path without a slash":       {API: api, Path: "console"},
		"path with one at its end":   {API: api, Path: "/console/"},
		"path with a name in braces": {API: api, Path: "/{x}"},
		"demo without a token":       {API: api, Demo: []console.Caller{{Name: "Demo"}}},
	} {
		if _, err := console.New(cfg); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
