package server

import (
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

const robotTokens = `[
	{"token": "t-admin", "principal": {"id": "ada", "accountId": "acme", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}},
	{"token": "t-robot", "principal": {"id": "robot", "accountId": "acme", "kind": "Service", "scopes": ["webhooks:modify"]},
		"grants": [{"twinId": "acme", "permissions": ["webhooks_maintainer"]}]},
	{"token": "t-other", "principal": {"id": "other", "accountId": "acme", "kind": "Service", "scopes": ["webhooks:modify"]}}
]`

// delivery is one request that a receiver got.
type delivery struct {
	header http.Header
	body   []byte
}

// endpoint is a local receiver, and the file with its certificate.
func endpoint(t *testing.T) (deliveries <-chan delivery, address, caFile string) {
	t.Helper()
	got := make(chan delivery, 10)
	srv := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got <- delivery{r.Header, body}
	}))
	t.Cleanup(srv.Close)
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})
	return got, srv.URL, fileWith(t, string(block))
}

// next is the delivery that comes next.
func next(t *testing.T, deliveries <-chan delivery) delivery {
	t.Helper()
	select {
	case d := <-deliveries:
		return d
	case <-time.After(time.Minute):
		t.Fatal("nothing was delivered")
		return delivery{}
	}
}

func TestEventsReachAReceiverThatIsAllowed(t *testing.T) {
	t.Parallel()
	deliveries, address, ca := endpoint(t)
	db := filepath.Join(t.TempDir(), "twin.db")
	key := fileWith(t, hex.EncodeToString(webhooks.GenerateSealingKey()))
	args := []string{"-db", db, "-tokens", fileWith(t, robotTokens), "-webhook-allow", "127.0.0.0/8", "-webhook-ca", ca, "-webhook-key", key}
	s := start(t, args...)

	body := `{"callbackUrl": "` + address + `", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"]}`
	s.callAs("t-other", "POST", "/webhooks/", body, http.StatusForbidden)
	made := s.callAs("t-robot", "POST", "/webhooks/", body, http.StatusAccepted).body
	secret := made["secret"].(string)
	s.callAs("t-robot", "PATCH", "/webhooks/"+made["id"].(string), `{"active": true}`, http.StatusOK)

	receive := func(s *running, name string) {
		t.Helper()
		twin := s.callAs("t-admin", "POST", "/twins/", `{"class": "Thing", "displayName": "`+name+`"}`, http.StatusCreated).body["twin"].(map[string]any)
		d := next(t, deliveries)
		if err := receiver.Verify(secret, d.header, d.body); err != nil {
			t.Error(err)
		}
		var message struct{ EventType, TwinID, WebhookID string }
		if err := json.Unmarshal(d.body, &message); err != nil {
			t.Fatal(err)
		}
		wantSame(t, "type, twin and webhook", []any{"twins.twinCreated.v1", twin["id"], made["id"]}, []any{message.EventType, message.TwinID, message.WebhookID})
	}
	receive(s, "Tower")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(file), secret) {
		t.Error("the store holds the secret as it is")
	}
	if strings.Contains(s.log.String(), secret) {
		t.Error("the log holds the secret")
	}
	receive(start(t, args...), "Bridge") // it is still known after a restart
}

func TestReceiversOfTheOwnNetworkAreRefusedUnlessAllowed(t *testing.T) {
	t.Parallel()
	_, address, ca := endpoint(t)
	s := start(t, "-tokens", fileWith(t, robotTokens), "-webhook-allow", "10.0.0.0/8", "-webhook-ca", ca)
	s.callAs("t-robot", "POST", "/webhooks/", `{"callbackUrl": "`+address+`", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"]}`, http.StatusUnprocessableEntity)
}
