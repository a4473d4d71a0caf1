package receiver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

const created = `{"eventType":"twins.twinCreated.v1","messageId":"1","content":{"displayName":"Pump house"}}`

// delivery is a request as the platform sends it.
func delivery(signedWith string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(created))
	receiver.Sign(r.Header, "1", time.Now(), []byte(created), signedWith)
	return r
}

// New is a whole endpoint: each event is handled once, however often it is sent.
func ExampleNew() {
	events := receiver.New(secret, func(_ context.Context, m receiver.Message) error {
		fmt.Println(m.EventType)
		return nil // an error has the event sent again
	})
	for _, signedWith := range []string{secret, secret, "another"} {
		w := httptest.NewRecorder()
		events.ServeHTTP(w, delivery(signedWith))
		fmt.Println(w.Code)
	}
	// Output:
	// twins.twinCreated.v1
	// 204
	// 204
	// 401
}

// An endpoint of your own verifies the signature over the body as received, and decodes
// it then.
func ExampleVerify() {
	r := delivery(secret)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(receiver.Verify("another", r.Header, body))
	if err := receiver.Verify(secret, r.Header, body); err != nil {
		fmt.Println(err)
		return
	}
	m, err := receiver.Parse(body)
	fmt.Println(m.EventType, string(m.Content), err)
	// Output:
	// receiver: the signature is not one of this secret
	// twins.twinCreated.v1 {"displayName":"Pump house"} <nil>
}

// Signatures of bodies can be repeated by who has seen one, and the platform sends an
// event again that was not answered: what was handled is remembered.
func ExampleHandled() {
	var handled receiver.Handled
	for _, id := range []string{"1", "2", "1"} {
		if handled.Has(id) {
			fmt.Println(id, "again")
			continue
		}
		fmt.Println(id)
		handled.Add(id) // once it was handled
	}
	// Output:
	// 1
	// 2
	// 1 again
}
