package oidc_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/oidc"
)

const realm = "https://login.example.com/realms/twins"

// direct sends requests to handlers by their hosts, without a network.
type direct map[string]http.Handler

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	h, ok := d[r.URL.Host]
	if !ok {
		return nil, errors.New("nothing is at " + r.URL.Host)
	}
	rec := httptest.NewRecorder()
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	served.RemoteAddr, served.RequestURI = "192.0.2.1:1234", r.URL.RequestURI()
	h.ServeHTTP(rec, served)
	res := rec.Result()
	res.Request = r
	return res, nil
}

// issuer is one whose keys and tokens a test makes.
type issuer struct {
	mu      sync.Mutex
	keys    []jose.JSONWebKey
	fetched int              // how often its keys were read
	answer  http.HandlerFunc // in place of the keys, where it is set
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/.well-known/openid-configuration") {
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": realm, "jwks_uri": realm + "/certs"})
		return
	}
	i.mu.Lock()
	i.fetched++
	answer, keys := i.answer, i.keys
	i.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: keys})
}

func (i *issuer) count() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetched
}

// key is one to sign with.
type key struct {
	id      string
	private crypto.Signer
	alg     jose.SignatureAlgorithm
}

var ecKey = sync.OnceValue(func() *ecdsa.PrivateKey {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return k
})

func (i *issuer) publish(keys ...key) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = nil
	for _, k := range keys {
		i.keys = append(i.keys, jose.JSONWebKey{Key: k.private.Public(), KeyID: k.id, Algorithm: string(k.alg), Use: "sig"})
	}
}

// token signs claims: those of Ann, with others in their place, or left out where they are nil.
func (k key) token(t *testing.T, kind string, change map[string]any) string {
	t.Helper()
	c := map[string]any{
		"iss": realm, "sub": "id-ann", "aud": []string{"account", "twin-api"}, "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
		"azp": "web", "scope": "openid twin-platform", "account_id": "acme", "name": "Ann Ångström", "email": "ann@example.org", "email_verified": true,
	}
	maps.Copy(c, change)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	opts := (&jose.SignerOptions{}).WithHeader("kid", k.id)
	if kind != "" {
		opts = opts.WithType(jose.ContentType(kind))
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: k.alg, Key: k.private}, opts)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := s.Sign(text)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func newKey(t *testing.T, id string) key {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key{id, private, jose.RS256}
}

// world is a verifier of the tokens of an issuer.
type world struct {
	*issuer
	t *testing.T
	v *oidc.Verifier
	k key
}

// inWorld runs a test whose time is its own.
func inWorld(t *testing.T, change func(*oidc.Config), test func(t *testing.T, w *world)) {
	t.Helper()
	k := newKey(t, "first")
	synctest.Test(t, func(t *testing.T) {
		w := &world{issuer: new(issuer), t: t, k: k}
		w.publish(k)
		cfg := oidc.Config{Issuer: realm, Audience: "twin-api", Client: &http.Client{Transport: direct{"login.example.com": w.issuer}}}
		if change != nil {
			change(&cfg)
		}
		v, err := oidc.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		w.v = v
		test(t, w)
	})
}

// verdict is what becomes of a token: good, refused, or unavailable where that is not known.
func (w *world) verdict(token string) string {
	_, err := w.v.Authenticate(w.t.Context(), token)
	switch {
	case err == nil:
		return "good"
	case errors.Is(err, twinplatform.Unauthenticated):
		return "refused"
	}
	return "unavailable"
}

func (w *world) want(want, token, what string) {
	w.t.Helper()
	if got := w.verdict(token); got != want {
		_, err := w.v.Authenticate(w.t.Context(), token)
		w.t.Errorf("%s is %s, want %s: %v", what, got, want, err)
	}
}

func TestABearerIsThePrincipalOfTheClaims(t *testing.T) {
	t.Parallel()
	ann := twinplatform.Principal{
		ID: "id-ann", DisplayName: "Ann Ångström", Email: "ann@example.org", AccountID: "acme", Kind: twinplatform.User, Scopes: []string{"openid", "twin-platform"}, Issuer: realm,
	}
	for name, test := range map[string]struct {
		claims map[string]any
		config func(*oidc.Config)
		want   func(*twinplatform.Principal)
	}{
		"as they are": {nil, nil, func(*twinplatform.Principal) {}},
		"an address that was not verified": {
			map[string]any{"email_verified": false},
			nil,
			func(p *twinplatform.Principal) { p.Email = "" },
		},
		"scp, and a name to sign in with": {
			map[string]any{"scope": nil, "scp": []string{"twin-platform"}, "name": nil, "preferred_username": "ann"},
			nil,
			func(p *twinplatform.Principal) { p.DisplayName, p.Scopes = "ann", []string{"twin-platform"} },
		},
		"a service application": {
			map[string]any{"sub": "robot", "azp": nil, "client_id": "robot"},
			nil,
			func(p *twinplatform.Principal) { p.ID, p.Kind = "robot", twinplatform.Service },
		},
		"roles that nobody asked for": {map[string]any{"roles": []string{"Account Administrator"}}, nil, func(*twinplatform.Principal) {}},
		"roles": {
			map[string]any{"groups": []string{"Account Administrator"}},
			func(c *oidc.Config) { c.RolesClaim = "groups" },
			func(p *twinplatform.Principal) {
				p.AdministratorRoles = []twinplatform.AdministratorRole{"Account Administrator"}
			},
		},
		"roles of other programs besides": {
			map[string]any{"groups": []string{"cooks", "Site Administrator", "", "AccountAdministrator"}},
			func(c *oidc.Config) { c.RolesClaim, c.AdministratorRole = "groups", "Site Administrator" },
			func(p *twinplatform.Principal) {
				p.AdministratorRoles = []twinplatform.AdministratorRole{"Site Administrator"}
			},
		},
		"scopes of other names": {
			map[string]any{"scope": "twins hooks.read twin-platform"},
			func(c *oidc.Config) {
				c.Scopes = map[string]string{"twins": twinplatform.ScopePlatform, "hooks.read": twinplatform.ScopeWebhooksRead}
			},
			func(p *twinplatform.Principal) { p.Scopes = []string{"twin-platform", "webhooks:read"} },
		},
		"another claim for the account": {
			map[string]any{"tid": "zenith"},
			func(c *oidc.Config) { c.AccountClaim, c.Account = "tid", "acme" },
			func(p *twinplatform.Principal) { p.AccountID = "zenith" },
		},
		"one account for all": {
			map[string]any{"account_id": nil},
			func(c *oidc.Config) { c.Account = "one" },
			func(p *twinplatform.Principal) { p.AccountID = "one" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inWorld(t, test.config, func(t *testing.T, w *world) {
				want := ann
				test.want(&want)
				got, err := w.v.Authenticate(t.Context(), w.k.token(t, "at+jwt", test.claims))
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Fatalf("%v %s", err, diff)
				}
				known, ok, err := w.v.Principal(t.Context(), want.AccountID, want.ID)
				if diff := cmp.Diff(want, known); err != nil || !ok || diff != "" {
					t.Errorf("the directory knows %t, %v %s", ok, err, diff)
				}
				if _, ok, _ := w.v.Principal(t.Context(), "another", want.ID); ok {
					t.Error("the directory knows the bearer in another account")
				}
				time.Sleep(time.Hour + oidc.DefaultLeeway)
				if _, ok, _ := w.v.Principal(t.Context(), want.AccountID, want.ID); ok {
					t.Error("the directory knows one whose token has expired")
				}
			})
		})
	}
}

func TestTokensThatAreNotForTheAPIAreRefused(t *testing.T) {
	t.Parallel()
	inWorld(t, nil, func(t *testing.T, w *world) {
		now := time.Now().Unix()
		for what, change := range map[string]map[string]any{
			"of another issuer":        {"iss": realm + "/"},
			"for another audience":     {"aud": "web"},
			"for no audience":          {"aud": nil},
			"expired":                  {"exp": now - 31},
			"without an end":           {"exp": nil},
			"not good yet":             {"nbf": now + 31},
			"issued tomorrow":          {"iat": now + 86_400},
			"an ID token":              {"at_hash": "x"},
			"a refresh token":          {"typ": "Refresh"},
			"without a subject":        {"sub": nil},
			"without an account":       {"account_id": nil},
			"with an account of lists": {"account_id": []string{"acme"}},
		} {
			w.want("refused", w.k.token(t, "JWT", change), "a token "+what)
		}
		for what, change := range map[string]map[string]any{"within the leeway": {"exp": now - 29, "iat": now + 30, "nbf": now + 30}, "for one audience": {"aud": "twin-api"}} {
			w.want("good", w.k.token(t, "", change), "a token "+what)
		}
		for _, kind := range []string{"logout+jwt", "secevent+jwt", "dpop+jwt"} {
			w.want("refused", w.k.token(t, kind, nil), "a token of type "+kind)
		}
		w.want("good", w.k.token(t, "application/at+jwt", nil), "an access token")
	})
}

func TestTokensThatTheIssuerHasNotSignedAreRefused(t *testing.T) {
	t.Parallel()
	inWorld(t, nil, func(t *testing.T, w *world) {
		good := w.k.token(t, "at+jwt", nil)
		parts := strings.Split(good, ".")
		public := w.k.private.Public().(*rsa.PublicKey)
		hs := func(secret []byte) string {
			s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: secret}, (&jose.SignerOptions{}).WithHeader("kid", "first"))
			if err != nil {
				t.Fatal(err)
			}
			signed, err := s.Sign([]byte(`{"iss":"` + realm + `","aud":"twin-api","sub":"x","exp":99999999999,"account_id":"a"}`))
			if err != nil {
				t.Fatal(err)
			}
			token, _ := signed.CompactSerialize()
			return token
		}
		der, text := publicTexts(t, public)
		impostor := newKey(t, "first")
		wrongAlg := key{"first", w.k.private, jose.PS256}
		for what, token := range map[string]string{
			"with alg none":             encode(`{"alg":"none","kid":"first"}`) + "." + parts[1] + ".",
			"with alg none, signed":     encode(`{"alg":"none","kid":"first"}`) + "." + parts[1] + "." + parts[2],
			"with alg None":             encode(`{"alg":"NONE","kid":"first"}`) + "." + parts[1] + ".",
			"with HS256 by the DER key": hs(der),
			"with HS256 by the PEM key": hs(text),
			"by a key of the same name": impostor.token(t, "at+jwt", nil),
			"by another algorithm":      wrongAlg.token(t, "at+jwt", nil),
			"changed":                   parts[0] + "." + encode(`{"iss":"`+realm+`","aud":"twin-api","sub":"x","exp":99999999999,"account_id":"a"}`) + "." + parts[2],
			"without a signature":       parts[0] + "." + parts[1] + ".",
			"that is none":              "twp_ABCDEF",
			"that is empty":             "",
		} {
			w.want("refused", token, "a token "+what)
		}
		w.want("good", good, "the token itself")
		if n := w.count(); n != 1 {
			t.Errorf("the keys were read %d times, want once", n)
		}
	})
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	inWorld(t, nil, func(t *testing.T, w *world) {
		second := key{"second", ecKey(), jose.ES256}
		old := w.k.token(t, "at+jwt", nil)
		w.want("good", old, "a token of the first key")
		w.publish(w.k, second)
		time.Sleep(10 * time.Second)
		w.want("good", second.token(t, "at+jwt", nil), "a token of the second key")
		w.want("good", old, "a token of the first key, which is still published")
		w.publish(second)
		time.Sleep(time.Hour)
		w.want("good", w.k.token(t, "at+jwt", nil), "a token of a key that was known an hour ago, which waits for nobody")
		synctest.Wait()
		w.want("refused", w.k.token(t, "at+jwt", nil), "a token of a key that is no longer published")
		if n := w.count(); n != 3 {
			t.Errorf("the keys were read %d times, want 3", n)
		}
	})
}

// Tokens with unknown key ids cost the issuer and other callers nothing.
func TestUnknownKeysAreAskedForOnceInTenSeconds(t *testing.T) {
	t.Parallel()
	inWorld(t, nil, func(t *testing.T, w *world) {
		stranger := newKey(t, "")
		w.want("good", w.k.token(t, "at+jwt", nil), "a token of the issuer")
		forge := func(id string) string { stranger.id = id; return stranger.token(t, "at+jwt", nil) }
		for i := range 100 {
			w.want("refused", forge(strings.Repeat("x", 1+i)), "a token of a stranger")
		}
		if n := w.count(); n != 1 {
			t.Errorf("a moment after they were read the keys were read %d times more", n-1)
		}
		time.Sleep(time.Minute)
		var all sync.WaitGroup
		for i := range 100 {
			token := forge(strings.Repeat("y", 1+i))
			all.Go(func() { w.want("refused", token, "a token of a stranger") })
		}
		all.Wait()
		if n := w.count(); n != 2 {
			t.Errorf("for 100 strangers at once the keys were read %d times", n-1)
		}
	})
}

func TestTokensWithAKnownKeyDoNotWaitForTheIssuer(t *testing.T) {
	t.Parallel()
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.want("good", w.k.token(t, "at+jwt", nil), "a token of the issuer")
		w.mu.Lock()
		w.answer = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		w.mu.Unlock()
		stranger := newKey(t, "unknown")
		forged := stranger.token(t, "at+jwt", map[string]any{"exp": time.Now().Add(24 * time.Hour).Unix()})
		token := w.k.token(t, "at+jwt", map[string]any{"exp": time.Now().Add(24 * time.Hour).Unix()})
		time.Sleep(time.Hour)
		waiting := make(chan string)
		go func() { waiting <- w.verdict(forged) }()
		synctest.Wait() // the issuer hangs
		begun := time.Now()
		w.want("good", token, "a token of a known key")
		if took := time.Since(begun); took != 0 {
			t.Errorf("it waited %s", took)
		}
		if got := <-waiting; got != "unavailable" || time.Since(begun) > 10*time.Second {
			t.Errorf("the stranger is answered with %s after %s", got, time.Since(begun))
		}
	})
}

func TestAnIssuerThatIsDownShutsOnlyThoseOutWhoseKeysAreUnknown(t *testing.T) {
	t.Parallel()
	down := func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusServiceUnavailable) }
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.answer = down
		w.want("unavailable", w.k.token(t, "at+jwt", nil), "a token before the keys were read")
		w.answer = nil
		w.want("unavailable", w.k.token(t, "at+jwt", nil), "a token a moment after")
		time.Sleep(10 * time.Second)
		w.want("good", w.k.token(t, "at+jwt", nil), "a token once the issuer is up")
		w.answer = down
		for range 50 {
			time.Sleep(time.Hour)
			w.want("good", w.k.token(t, "at+jwt", nil), "a token while the issuer is down again")
			synctest.Wait()
		}
	})
}

func TestAnswersOfTheIssuerAreBounded(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"keys":[` + strings.Repeat(" ", 2<<20) + `]}`))
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/keys", http.StatusFound)
		},
		"no keys": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"first"}]}`))
		},
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`<html>`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.answer = answer
				w.want("unavailable", w.k.token(t, "at+jwt", nil), "a token")
			})
		})
	}
}

func TestPrincipalsOfTheProgramTakeThePlaceOfThoseOfClaims(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{"good": nil, "refused": twinplatform.Unauthenticated, "unavailable": errors.New("the directory is down")} {
		inWorld(t, func(c *oidc.Config) {
			c.Principal = func(_ context.Context, token *goidc.IDToken) (twinplatform.Principal, error) {
				return twinplatform.Principal{ID: "of-" + token.Subject, AccountID: "own"}, err
			}
		}, func(t *testing.T, w *world) {
			w.want(want, w.k.token(t, "at+jwt", map[string]any{"account_id": nil}), "a token")
			if who, _, _ := w.v.Principal(t.Context(), "own", "of-id-ann"); (who.ID != "") != (err == nil) {
				t.Errorf("%s: the directory knows %+v", want, who)
			}
		})
	}
}

func TestWrongConfigurationsAreRefused(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]oidc.Config{
		"no issuer":      {Audience: "a"},
		"no audience":    {Issuer: realm},
		"without TLS":    {Issuer: "http://login.example.com", Audience: "a"},
		"no address":     {Issuer: "login.example.com", Audience: "a"},
		"a query":        {Issuer: realm + "?a=b", Audience: "a"},
		"another scheme": {Issuer: "file:///etc", Audience: "a", AllowHTTP: true},
		"a long leeway":  {Issuer: realm, Audience: "a", Leeway: 6 * time.Minute},
	} {
		if _, err := oidc.New(cfg); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	for _, cfg := range []oidc.Config{
		{Issuer: "http://127.0.0.1:4790/oidc", Audience: "a"}, {Issuer: "http://localhost/", Audience: "a"}, {Issuer: "http://idp:8080", Audience: "a", AllowHTTP: true},
	} {
		if _, err := oidc.New(cfg); err != nil {
			t.Error(err)
		}
	}
}

func encode(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// publicTexts are what a public key is written as, which is no secret.
func publicTexts(t *testing.T, public *rsa.PublicKey) (der, text []byte) {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return der, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}
