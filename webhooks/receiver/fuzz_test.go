package receiver_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// FuzzVerify: nothing that a sender writes is taken without the secret, or
// breaks the receiver.
func FuzzVerify(f *testing.F) {
	f.Add("sha256=00", "id", "1614265330", "v1,AAAA", []byte("{}"))
	f.Add(vectorSignature, "", "", "", []byte(vectorBody))
	f.Fuzz(func(t *testing.T, documented, id, timestamp, standard string, body []byte) {
		header := http.Header{"Signature": {documented}, "Webhook-Id": {id}, "Webhook-Timestamp": {timestamp}, "Webhook-Signature": {standard}}
		if receiver.Verify("a secret that is unknown", header, body) == nil {
			t.Fatal("taken without the secret")
		}
		_, _ = receiver.Parse(body)
		_ = receiver.VerifyAt(vectorSecret, header, body, time.Unix(0, 0))
	})
}
