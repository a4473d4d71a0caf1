package signin_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/signin"
	"github.com/seed-933f9a09/twinplatform/platform"
)

const (
	issuer   = "https://sign.example/oidc"
	callback = "https://app.example/callback"
	verifier = "a-verifier-of-43-characters-or-more-0123456789"
)

// world is a provider and who may sign in.
type world struct {
	t       *testing.T
	p       *signin.Provider
	now     time.Time
	callers platform.Callers
}

func newWorld(t *testing.T, change func(*signin.Config)) *world {
	t.Helper()
	w := &world{t: t, now: time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC)}
	w.callers = platform.Callers{
		{Token: "tok-ann", Name: "laptop", Expires: w.now.Add(90 * time.Minute), Principal: twinplatform.Principal{
			ID: "id-ann", DisplayName: "Ann Ångström", Email: "Ann@example.org", AccountID: "acme", Kind: twinplatform.User,
			Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		}},
		{Digest: platform.DigestOf("tok-ben"), Principal: twinplatform.Principal{
			ID: "id-ben", DisplayName: "Ben", AccountID: "zenith", Kind: twinplatform.User, Scopes: twinplatform.Scopes(),
		}},
		{Token: "tok-robot", Name: "ci", Principal: twinplatform.Principal{
			ID: "id-robot", AccountID: "acme", Kind: twinplatform.Service, Scopes: []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead},
		}},
	}
	cfg := signin.Config{
		Issuer: issuer, Callers: func() platform.Callers { return w.callers }, Now: func() time.Time { return w.now },
		Clients: []signin.Client{{ID: "app", Redirects: []string{callback, "http://127.0.0.1/back"}}, {ID: "other", Redirects: []string{"https://other.example/"}}},
		Origins: []string{"https://app.example"},
	}
	if change != nil {
		change(&cfg)
	}
	p, err := signin.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w.p = p
	return w
}

// answer is one of the provider.
type answer struct {
	status int
	header http.Header
	body   string
	member map[string]any
}

func (w *world) ask(method, path string, form url.Values, headers ...string) answer {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), method, "https://sign.example"+path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	rec := httptest.NewRecorder()
	w.p.ServeHTTP(rec, r)
	body, err := io.ReadAll(rec.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	a := answer{status: rec.Code, header: rec.Header(), body: string(body)}
	if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(body, &a.member); err != nil {
			w.t.Fatal(err)
		}
	}
	return a
}

func values(pairs ...string) url.Values {
	v := make(url.Values)
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// query is a request for a code, with members replaced, or left out where they are empty.
func query(pairs ...string) url.Values {
	v := values(
		"response_type", "code", "client_id", "app", "redirect_uri", callback, "scope", "openid profile email offline_access twin-platform",
		"state", "st&te", "nonce", "n-1", "code_challenge", challenge(verifier), "code_challenge_method", "S256",
	)
	for i := 0; i < len(pairs); i += 2 {
		if v.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			v.Del(pairs[i])
		}
	}
	return v
}

// code signs someone in.
func (w *world) code(user, password string, pairs ...string) string {
	w.t.Helper()
	a := w.ask("POST", "/authorize?"+query(pairs...).Encode(), values("user", user, "password", password))
	to, err := url.Parse(a.header.Get("Location"))
	if err != nil || a.status != http.StatusSeeOther || to.Query().Get("code") == "" {
		w.t.Fatalf("signing in: %d %v %s", a.status, a.header, a.body)
	}
	return to.Query().Get("code")
}

// redeem exchanges a code, with members replaced.
func (w *world) redeem(code string, pairs ...string) answer {
	w.t.Helper()
	form := values("grant_type", "authorization_code", "code", code, "client_id", "app", "redirect_uri", callback, "code_verifier", verifier)
	for i := 0; i < len(pairs); i += 2 {
		if form.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			form.Del(pairs[i])
		}
	}
	return w.ask("POST", "/token", form)
}

func (w *world) refresh(client, token string) answer {
	w.t.Helper()
	return w.ask("POST", "/token", values("grant_type", "refresh_token", "client_id", client, "refresh_token", token))
}

func (a answer) text(member string) string { s, _ := a.member[member].(string); return s }

// good reports whether the bearer of an access token may call.
func (w *world) good(a answer) bool {
	_, err := w.p.Authenticate(w.t.Context(), a.text("access_token"))
	if err != nil && !errors.Is(err, twinplatform.Unauthenticated) {
		w.t.Fatal(err)
	}
	return err == nil
}

// claims are what a token says.
func claims(t *testing.T, token string) (out map[string]any) {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAPersonSignsInByACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	page := w.ask("GET", "/authorize?"+query("login_hint", `"><script>`).Encode(), nil)
	if page.status != 200 || strings.Contains(page.body, "<script>") || !strings.Contains(page.body, "Sign in to app") ||
		!strings.Contains(page.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("the page is %d %v %s", page.status, page.header, page.body)
	}
	sent := w.ask("POST", "/authorize?"+query().Encode(), values("user", "ann@example.org", "password", "tok-ann"))
	to, err := url.Parse(sent.header.Get("Location"))
	if err != nil || sent.status != http.StatusSeeOther || !strings.HasPrefix(to.String(), callback+"?") || to.Query().Get("state") != "st&te" || to.Query().Get("iss") != issuer {
		t.Fatalf("sent back by %d to %v", sent.status, to)
	}
	got := w.redeem(to.Query().Get("code"))
	if got.status != 200 || got.text("token_type") != "Bearer" || got.member["expires_in"] != 3600.0 || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", got.status, got.member)
	}
	id := claims(t, got.text("id_token"))
	want := map[string]any{"iss": issuer, "sub": "id-ann", "aud": "app", "nonce": "n-1", "name": "Ann Ångström", "email": "Ann@example.org", "email_verified": true}
	for name, v := range want {
		if id[name] != v {
			t.Errorf("the ID token has %s %v, want %v", name, id[name], v)
		}
	}
	who, err := w.p.Authenticate(t.Context(), got.text("access_token"))
	if diff := cmp.Diff(w.callers[0].Principal, who); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	pageMessage := w.ask("GET", "/userinfo", nil, "Authorization: Bearer "+got.text("access_token"))
	if pageMessage.status != 200 || pageMessage.text("sub") != "id-ann" || pageMessage.text("name") != "Ann Ångström" {
		t.Errorf("the user is %d %v", pageMessage.status, pageMessage.member)
	}
	if a := w.ask("GET", "/userinfo", nil, "Authorization: Bearer "+got.text("id_token")); a.status != 401 {
		t.Errorf("an ID token is taken for an access token: %d", a.status)
	}
}

// People are sent to no address that a client has not registered, whatever is wrong.
func TestRedirectToAnUnregisteredAddressIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, to := range []string{
		"", "https://evil.example/callback", callback + "/", callback + "?a=b", callback + "/../x", "https://app.example.evil.example/callback",
		"https://app.example@evil.example/callback", "http://app.example/callback", "//evil.example", "javascript:alert(1)", "https://other.example/",
		"http://127.0.0.1:80@evil.example/back", "http://localhost/back", "http://127.0.0.1:1/other", "http://127.0.0.2:1/back",
	} {
		for _, wrong := range [][]string{nil, {"response_type", "token"}, {"code_challenge", ""}} {
			for _, method := range []string{"GET", "POST"} {
				a := w.ask(method, "/authorize?"+query(append(wrong, "redirect_uri", to)...).Encode(), values("user", "Ben", "password", "tok-ben"))
				if a.status != 400 || a.header.Get("Location") != "" || strings.Contains(a.body, "evil") {
					t.Errorf("%s %q %q: %d %v", method, to, wrong, a.status, a.header)
				}
			}
		}
	}
	if a := w.ask("GET", "/authorize?"+query().Encode()+"&redirect_uri=https://evil.example/", nil); a.status != 400 {
		t.Errorf("two addresses: %d", a.status)
	}
	w.code("Ben", "tok-ben", "redirect_uri", "http://127.0.0.1:51234/back")
}

func TestRequestsWithoutPKCEAreSentBackWithoutACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for want, pairs := range map[string][]string{
		"invalid_request":           {"code_challenge", ""},
		"invalid_request ":          {"code_challenge_method", "plain", "code_challenge", verifier},
		"invalid_request  ":         {"response_mode", "fragment"},
		"unsupported_response_type": {"response_type", "token"},
		"login_required":            {"prompt", "none"},
		"request_not_supported":     {"request", "e30.e30."},
	} {
		a := w.ask("POST", "/authorize?"+query(pairs...).Encode(), values("user", "Ben", "password", "tok-ben"))
		to, err := url.Parse(a.header.Get("Location"))
		if err != nil || to.Query().Get("error") != strings.TrimSpace(want) || to.Query().Has("code") || to.Query().Get("state") != "st&te" {
			t.Errorf("%q is answered with %d %v", pairs, a.status, to)
		}
	}
	a := w.ask("POST", "/authorize?"+query().Encode(), values("answer", "deny"))
	if !strings.Contains(a.header.Get("Location"), "error=access_denied") {
		t.Errorf("who does not want to sign in is sent to %s", a.header.Get("Location"))
	}
}

func TestWrongPasswordsAndServicesDoNotSignInOnThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, who := range [][2]string{{"Ben", "tok-ann"}, {"Ben", ""}, {"", "tok-ben"}, {"ci", "tok-robot"}, {"Ben", digestText("tok-ben")}} {
		a := w.ask("POST", "/authorize?"+query().Encode(), values("user", who[0], "password", who[1]))
		if a.status != 401 || a.header.Get("Location") != "" || !strings.Contains(a.body, `role="alert"`) || who[1] != "" && strings.Contains(a.body, who[1]) {
			t.Errorf("%q: %d %s", who, a.status, a.body)
		}
	}
}

func TestCodesAreGoodOnceAndForTheirClientAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for name, pairs := range map[string][]string{
		"without a verifier":    {"code_verifier", ""},
		"with another verifier": {"code_verifier", strings.Repeat("x", 43)},
		"with the challenge":    {"code_verifier", challenge(verifier)},
		"by another client":     {"client_id", "other"},
		"for another address":   {"redirect_uri", "https://other.example/"},
		"without an address":    {"redirect_uri", ""},
	} {
		code := w.code("Ben", "tok-ben")
		if a := w.redeem(code, pairs...); a.status != 400 || a.text("error") != "invalid_grant" || a.text("access_token") != "" {
			t.Errorf("%s: %d %v", name, a.status, a.member)
		}
		if a := w.redeem(code); a.status != 400 {
			t.Errorf("%s the code is good for another try: %d", name, a.status)
		}
	}
	code := w.code("Ben", "tok-ben")
	first := w.redeem(code)
	if !w.good(first) {
		t.Fatal("the first use is no good")
	}
	if again := w.redeem(code); again.text("error") != "invalid_grant" || w.good(first) || w.refresh("app", first.text("refresh_token")).status != 400 {
		t.Errorf("after a second use: %v", again.member)
	}
	late := w.code("Ben", "tok-ben")
	w.now = w.now.Add(time.Minute)
	if a := w.redeem(late); a.text("error") != "invalid_grant" {
		t.Errorf("a minute later: %v", a.member)
	}
	for _, pairs := range [][]string{{"client_id", "nobody"}, {"client_secret", "guess"}} {
		if a := w.redeem(w.code("Ben", "tok-ben"), pairs...); a.status != 401 || a.text("error") != "invalid_client" {
			t.Errorf("%q: %d %v", pairs, a.status, a.member)
		}
	}
}

func TestRefreshTokensRotate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	first := w.redeem(w.code("Ben", "tok-ben"))
	if a := w.refresh("other", first.text("refresh_token")); a.text("error") != "invalid_grant" {
		t.Errorf("another client refreshes: %v", a.member)
	}
	second := w.refresh("app", first.text("refresh_token"))
	if second.status != 200 || second.text("refresh_token") == first.text("refresh_token") || second.text("id_token") == "" || !w.good(second) {
		t.Fatalf("%d %v", second.status, second.member)
	}
	wider := values("grant_type", "refresh_token", "client_id", "app", "refresh_token", second.text("refresh_token"), "scope", "twin-platform webhooks:modify")
	if a := w.ask("POST", "/token", wider); a.text("error") != "invalid_scope" {
		t.Errorf("more than was granted: %v", a.member)
	}
	wider.Set("scope", "openid")
	fewer := w.ask("POST", "/token", wider)
	if who, err := w.p.Authenticate(t.Context(), fewer.text("access_token")); err != nil || len(who.Scopes) != 0 {
		t.Errorf("with openid alone the bearer may %q, %v", who.Scopes, err)
	}
	// Use of an old one shows that it was stolen.
	if a := w.refresh("app", first.text("refresh_token")); a.text("error") != "invalid_grant" || w.good(second) || w.good(fewer) {
		t.Errorf("after a second use: %v", a.member)
	}
	if a := w.refresh("app", fewer.text("refresh_token")); a.text("error") != "invalid_grant" {
		t.Errorf("the newest one is still good: %v", a.member)
	}
	without := w.redeem(w.code("Ben", "tok-ben", "scope", "openid twin-platform"))
	if without.text("refresh_token") != "" || !w.good(without) {
		t.Errorf("without offline_access: %v", without.member)
	}
	long := w.redeem(w.code("Ben", "tok-ben"))
	w.now = w.now.Add(signin.DefaultRefreshTime)
	if a := w.refresh("app", long.text("refresh_token")); a.text("error") != "invalid_grant" {
		t.Errorf("after its time: %v", a.member)
	}
}

// Nothing outlasts the token of the file, and nothing is left when it is taken back.
func TestWhatIsIssuedEndsWithTheTokenOfTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	ann, ben := w.redeem(w.code("id-ann", "tok-ann")), w.redeem(w.code("Ben", "tok-ben"))
	robot := w.ask("POST", "/token", values("grant_type", "client_credentials", "client_id", "ci", "client_secret", "tok-robot"))
	if !w.good(ann) || !w.good(ben) || !w.good(robot) {
		t.Fatal("what was issued is no good")
	}
	w.now = w.now.Add(time.Hour)
	if w.good(ann) || w.good(ben) || w.good(robot) {
		t.Error("access tokens are good after an hour")
	}
	renewed := w.refresh("app", ann.text("refresh_token"))
	if renewed.member["expires_in"] != 1800.0 || !w.good(renewed) {
		t.Errorf("half an hour before the token of the file expires: %v", renewed.member)
	}
	w.now = w.now.Add(30 * time.Minute)
	if a := w.refresh("app", renewed.text("refresh_token")); w.good(renewed) || a.text("error") != "invalid_grant" {
		t.Errorf("after that: %v", a.member)
	}
	again := w.refresh("app", ben.text("refresh_token"))
	service := w.ask("POST", "/token", values("grant_type", "client_credentials", "client_id", "ci", "client_secret", "tok-robot"))
	if !w.good(again) || !w.good(service) {
		t.Fatal("others cannot sign in any more")
	}
	w.callers = w.callers[:1]
	if a := w.refresh("app", again.text("refresh_token")); w.good(again) || w.good(service) || a.text("error") != "invalid_grant" {
		t.Errorf("of those who were taken out of the file: %v", a.member)
	}
}

func TestAServiceApplicationIsItsOwnClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	form := values("grant_type", "client_credentials", "scope", "twin-platform webhooks:modify openid")
	basic := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("id-robot:"+url.QueryEscape("tok-robot")))
	got := w.ask("POST", "/token", form, basic)
	who, err := w.p.Authenticate(t.Context(), got.text("access_token"))
	want := w.callers[2].Principal
	want.Scopes = []string{twinplatform.ScopePlatform}
	if diff := cmp.Diff(want, who); err != nil || diff != "" || got.text("scope") != "twin-platform" || got.text("refresh_token")+got.text("id_token") != "" {
		t.Errorf("%v %v %s", got.member, err, diff)
	}
	for _, wrong := range [][2]string{{"id-robot", "tok-ann"}, {"id-ann", "tok-ann"}, {"app", ""}, {"", ""}} {
		form.Set("client_id", wrong[0])
		form.Set("client_secret", wrong[1])
		if a := w.ask("POST", "/token", form); a.status != 401 || a.text("error") != "invalid_client" || a.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: %d %v", wrong, a.status, a.member)
		}
	}
}

func TestADeviceIsLetInByItsCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	begin := func() (answer, func() answer) {
		d := w.ask("POST", "/device_authorization", values("client_id", "other", "scope", "openid offline_access twin-platform"))
		return d, func() answer {
			return w.ask("POST", "/token", values("grant_type", "urn:ietf:params:oauth:grant-type:device_code", "client_id", "other", "device_code", d.text("device_code")))
		}
	}
	device, poll := begin()
	if page := w.ask("GET", strings.TrimPrefix(device.text("verification_uri_complete"), issuer), nil); !strings.Contains(page.body, device.text("user_code")) {
		t.Errorf("the page is %s", page.body)
	}
	said := []string{poll().text("error"), poll().text("error")}
	w.now = w.now.Add(10 * time.Second)
	said = append(said, poll().text("error"))
	stolen := w.ask("POST", "/token", values("grant_type", "urn:ietf:params:oauth:grant-type:device_code", "client_id", "app", "device_code", device.text("device_code")))
	if diff := cmp.Diff([]string{"authorization_pending", "slow_down", "authorization_pending"}, said); diff != "" || stolen.text("error") != "invalid_grant" {
		t.Errorf("%s, another client: %v", diff, stolen.member)
	}
	sign := func(code, password, answer string) pageMessage {
		a := w.ask("POST", "/device", values("code", code, "user", "Ben", "password", password, "answer", answer))
		return pageMessage{a.status, strings.Contains(a.body, "Done")}
	}
	for _, wrong := range []pageMessage{sign(device.text("user_code"), "guess", "allow"), sign("BBBB-BBBB", "tok-ben", "allow")} {
		if wrong != (pageMessage{401, false}) {
			t.Errorf("%+v", wrong)
		}
	}
	if got := sign(" "+strings.ToLower(device.text("user_code")), "tok-ben", "allow"); got != (pageMessage{200, true}) {
		t.Errorf("%+v", got)
	}
	got := poll()
	if got.text("refresh_token") == "" || !w.good(got) || claims(t, got.text("id_token"))["aud"] != "other" || poll().text("error") != "invalid_grant" {
		t.Errorf("%v", got.member)
	}
	device, poll = begin()
	sign(device.text("user_code"), "", "deny")
	denied := poll().text("error")
	_, poll = begin()
	w.now = w.now.Add(10 * time.Minute)
	if diff := cmp.Diff([]string{"access_denied", "expired_token"}, []string{denied, poll().text("error")}); diff != "" {
		t.Error(diff)
	}
}

// message is the message of a page.
type pageMessage struct {
	status int
	done   bool
}

func TestTokensOfOthersAreNotGood(t *testing.T) {
	t.Parallel()
	w, stranger := newWorld(t, nil), newWorld(t, nil)
	token := w.redeem(w.code("Ben", "tok-ben")).text("access_token")
	head, rest, _ := strings.Cut(token, ".")
	body, signature, _ := strings.Cut(rest, ".")
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	header, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		t.Fatal(err)
	}
	other := newWorld(t, func(c *signin.Config) { c.Audience = "another" })
	for name, bad := range map[string]string{
		"none":                    part(strings.Replace(string(header), "RS256", "none", 1)) + "." + body + ".",
		"none, signed":            part(strings.Replace(string(header), "RS256", "none", 1)) + "." + body + "." + signature,
		"HS256":                   part(strings.Replace(string(header), "RS256", "HS256", 1)) + "." + body + "." + signature,
		"without a signature":     head + "." + body + ".",
		"changed":                 head + "." + part(`{"iss":"`+issuer+`","aud":"twinplatform","sub":"id-ann","exp":99999999999}`) + "." + signature,
		"in two parts":            head + "." + body,
		"of another start":        stranger.redeem(stranger.code("Ben", "tok-ben")).text("access_token"),
		"for another audience":    other.redeem(other.code("Ben", "tok-ben")).text("access_token"),
		"an ID token":             w.redeem(w.code("Ben", "tok-ben")).text("id_token"),
		"a refresh token":         w.redeem(w.code("Ben", "tok-ben")).text("refresh_token"),
		"a token of the file":     "tok-ben",
		"empty":                   "",
		"with a padded signature": token + "=",
	} {
		if _, err := w.p.Authenticate(t.Context(), bad); !errors.Is(err, twinplatform.Unauthenticated) || strings.Contains(fmt.Sprint(err), "tok-") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	keys := func() int { return len(w.ask("GET", "/keys", nil).member["keys"].([]any)) }
	before := w.redeem(w.code("Ben", "tok-ben"))
	if err := w.p.Rotate(false); err != nil {
		t.Fatal(err)
	}
	after := w.refresh("app", before.text("refresh_token"))
	if keys() != 2 || !w.good(before) || !w.good(after) {
		t.Errorf("%d keys; signed before: %t, after: %t", keys(), w.good(before), w.good(after))
	}
	if err := w.p.Rotate(true); err != nil {
		t.Fatal(err)
	}
	if keys() != 1 || w.good(before) || w.good(after) || !w.good(w.refresh("app", after.text("refresh_token"))) {
		t.Errorf("%d keys, and what the forgotten ones signed is good: %t", keys(), w.good(after))
	}
}

func TestPagesOfKnownOriginsAskForTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for origin, want := range map[string]string{"https://app.example": "https://app.example", "https://evil.example": ""} {
		for _, path := range []string{"/.well-known/openid-configuration", "/keys", "/token", "/userinfo", "/device_authorization"} {
			asked := w.ask("OPTIONS", path, nil, "Origin: "+origin, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")
			if got := asked.header.Get("Access-Control-Allow-Origin"); got != want || (asked.status == 204) != (want != "") {
				t.Errorf("%s from %s: %d %q", path, origin, asked.status, got)
			}
		}
		for _, sent := range []answer{w.ask("GET", "/keys", nil, "Origin: "+origin), w.ask("POST", "/token", values("grant_type", "x"), "Origin: "+origin)} {
			if got := sent.header.Get("Access-Control-Allow-Origin"); got != want || sent.header.Get("Vary") != "Origin" || sent.header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("from %s: %d %v", origin, sent.status, sent.header)
			}
		}
		if page := w.ask("GET", "/authorize?"+query().Encode(), nil, "Origin: "+origin); page.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("scripts of %s read the page to sign in on", origin)
		}
	}
}

func TestStrangersHaveTheAllowanceOfTheirNetworkAndNoRoomWithoutEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *signin.Config) { c.Rate = 2 })
	w.ask("GET", "/keys", nil)
	w.ask("GET", "/keys", nil)
	if a := w.ask("POST", "/token", values("grant_type", "x")); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Errorf("the third request: %d %v", a.status, a.header)
	}
	w = newWorld(t, nil)
	begin := values("client_id", "app")
	for range 10_000 {
		w.ask("POST", "/device_authorization", begin)
	}
	if a := w.ask("POST", "/device_authorization", begin); a.status != 503 || a.text("error") != "temporarily_unavailable" {
		t.Errorf("when it is full: %d %v", a.status, a.member)
	}
	w.now = w.now.Add(10 * time.Minute)
	if a := w.ask("POST", "/device_authorization", begin); a.status != 200 {
		t.Errorf("when the others have expired: %d %v", a.status, a.member)
	}
}

func TestWrongConfigurationsAreRefused(t *testing.T) {
	t.Parallel()
	known := func() platform.Callers { return nil }
	for name, cfg := range map[string]signin.Config{
		"no issuer":        {Callers: known},
		"no callers":       {Issuer: issuer},
		"an origin":        {Issuer: issuer, Callers: known, Origins: []string{"app.example"}},
		"no id":            {Issuer: issuer, Callers: known, Clients: []signin.Client{{}}},
		"a script":         {Issuer: issuer, Callers: known, Clients: []signin.Client{{ID: "a", Redirects: []string{"javascript:alert(1)"}}}},
		"a fragment":       {Issuer: issuer, Callers: known, Clients: []signin.Client{{ID: "a", Redirects: []string{callback + "#"}}}},
		"a path":           {Issuer: issuer, Callers: known, Clients: []signin.Client{{ID: "a", Redirects: []string{"/callback"}}}},
		"a user in it":     {Issuer: issuer, Callers: known, Clients: []signin.Client{{ID: "a", Redirects: []string{"https://a@b.example/"}}}},
		"no dotted scheme": {Issuer: issuer, Callers: known, Clients: []signin.Client{{ID: "a", Redirects: []string{"data:text/html,x"}}}},
	} {
		if _, err := signin.New(cfg); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// digestText is what a file has in place of a token.
func digestText(token string) string {
	text, _ := platform.DigestOf(token).MarshalText()
	return string(text)
}
