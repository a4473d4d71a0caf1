package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// newReceiver returns the endpoint: each event is printed to out once, as a line
// of JSON. The platform sends an event again until it gets an answer of the 200s
// within 5 seconds, so a receiver says yes only once the event is kept.
func newReceiver(secret string, out io.Writer) http.Handler {
	return receiver.New(secret, func(_ context.Context, m receiver.Message) error {
		line, err := json.Marshal(m)
		if err != nil {
			return err
		}
		_, err = out.Write(append(line, '\n'))
		return err
	})
}
