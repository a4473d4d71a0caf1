package server

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Whatever is asked of whichever operation, the log of the whole platform holds
// no bearer token and no secret of a webhook.
func TestLogOfEveryOperationHoldsNoTokenAndNoSecret(t *testing.T) {
	t.Parallel()
	const (
		person, program = "token-of-a-person-5d0c41", "token-of-a-program-9b7e23"
		wrong           = "token-of-nobody-77aa10"
		secret          = "secret-of-a-webhook-0123456789abcdef"
	)
	entry := func(token, kind string) string {
		return fmt.Sprintf(`{"token": %q, "principal": {"id": "id-of-%s", "accountId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
			"kind": %q, "scopes": ["twin-platform", "webhooks:read", "webhooks:modify"], "organizationAdmin": true}}`, token, kind, kind)
	}
	s := start(t, "-seed", seedFile, "-rate", "0", "-log-requests", "-tokens", fileWith(t, "["+entry(person, "User")+","+entry(program, "Service")+"]"))
	body := fmt.Sprintf(`{"callbackUrl": "https://receiver.example.com/", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"], "secret": %q}`, secret)
	asked, made := 0, false
	for _, o := range httpapi.Operations() {
		path := strings.NewReplacer("{scheduleId}", "mp-j30-a2-nr1", "{", "", "}", "").Replace(o.Path)
		for _, authorization := range []string{"Bearer " + person, "Bearer " + program, "Bearer " + wrong, "Basic " + person, person} {
			req, err := http.NewRequestWithContext(t.Context(), o.Method, s.base+path+"?token="+person, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", authorization)
			res, err := s.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			asked++
			made = made || o.ID == "webhooks.create" && res.StatusCode == http.StatusAccepted
		}
	}
	if !made {
		t.Error("no webhook was made with the secret")
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	log := s.log.String()
	if n := strings.Count(log, "msg=request"); n != asked {
		t.Errorf("%d of %d requests are in the log", n, asked)
	}
	for _, hidden := range []string{person, program, wrong, secret} {
		if at := strings.Index(log, hidden); at >= 0 {
			t.Errorf("the log holds %q: …%s", hidden, log[max(0, at-200):min(len(log), at+80)])
		}
	}
}
