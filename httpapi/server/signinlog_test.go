package server

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Requests below /oidc are in the access log with who has signed in, and nothing of the log
// lets its reader in.
func TestSigningInIsLoggedWithItsCallerAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	const password, verifier = "ada-sesame-51", "0123456789abcdefghijklmnopqrstuvwxyz0123456789"
	s := start(t, "-oidc", "-log-requests", "-log", "json", "-oidc-client", "app=https://app.example/callback", "-tokens", fileWith(t, `[
		{"token": "`+password+`", "principal": {"id": "id-ada", "displayName": "Ada", "accountId": "a1", "kind": "User", "scopes": ["twin-platform"]}},
		{"token": "robot-sesame-52", "principal": {"id": "id-robot", "displayName": "Robot", "accountId": "a1", "kind": "Service", "scopes": ["twin-platform"]}}]`))
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	var secrets []string
	issued := func(body map[string]any) (access string) {
		for _, name := range []string{"access_token", "refresh_token", "id_token"} {
			if token, ok := body[name].(string); ok {
				secrets = append(secrets, token)
			}
		}
		access, _ = body["access_token"].(string)
		return access
	}
	s.callAs("", "GET", "/oidc/.well-known/openid-configuration", "", 200)
	issued(s.asForm("/oidc/token", 200, "grant_type", "client_credentials", "client_id", "id-robot", "client_secret", "robot-sesame-52").body)
	s.asForm("/oidc/token", 401, "grant_type", "client_credentials", "client_id", "id-robot", "client_secret", "robot-sesame-5")
	page := "/oidc/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"https://app.example/callback"}, "state": {"state-sesame-53"}, "nonce": {"nonce-sesame-54"},
		"scope": {"openid offline_access"}, "code_challenge_method": {"S256"}, "code_challenge": {"gAcAYNVW2n6YJjbo3LtrGPNMjGcFfq7MXQuhLh-wvFY"},
	}.Encode()
	back := s.asForm(page, 303, "user", "Ada", "password", password)
	to, err := url.Parse(back.header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	code := to.Query().Get("code")
	secrets = append(secrets, code, password, "robot-sesame-5", "state-sesame-53", "nonce-sesame-54", verifier, "unnamed-sesame-55", "ada-sesame-5")
	token := issued(s.asForm("/oidc/token", 200, "grant_type", "authorization_code", "client_id", "app", "code", code, "code_verifier", verifier, "redirect_uri", "https://app.example/callback").body)
	s.callAs(token, "GET", "/oidc/userinfo?access_token="+token, "", 200)
	page = s.base + "/oidc/device?user_code=ABCD-EFGH&unnamed-sesame-55"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, page, strings.NewReader(url.Values{"user": {"Ada"}, "password": {password + "x"}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()

	var got []string
	for _, line := range s.logged("request") {
		path, _, _ := strings.Cut(line["path"].(string), "?")
		got = append(got, fmt.Sprint(line["method"], " ", path, " ", line["status"], " ", line["principal"]))
	}
	wantSame(t, "the lines", []string{
		"GET /oidc/.well-known/openid-configuration 200 ", "POST /oidc/token 200 id-robot", "POST /oidc/token 401 ", "POST /oidc/authorize 303 id-ada",
		"POST /oidc/token 200 id-ada", "GET /oidc/userinfo 200 id-ada", "POST /oidc/device 401 ",
	}, got)
	log := s.log.String()
	for _, secret := range append(secrets, "ABCD-EFGH") {
		if at := strings.Index(log, secret); secret == "" || at >= 0 {
			t.Errorf("the log holds %q: …%s", secret, log[max(0, at-200):min(len(log), at+80)])
		}
	}
	if !strings.Contains(log, "code_challenge=•••") {
		t.Errorf("the log does not name the parameters:\n%s", log)
	}
}
