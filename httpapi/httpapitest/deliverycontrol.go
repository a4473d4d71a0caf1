package httpapitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/control"
)

// deliveryRoutes are the controls of deliveries.
func (tw *Harness) deliveryRoutes() map[string]control.Action {
	return map[string]control.Action{
		"GET /deliveries":         tw.showDeliveries,
		"POST /deliveries/fail":   tw.failDeliveries,
		"POST /deliveries/drain":  tw.drain,
		"POST /deliveries/replay": tw.replayDelivery,
	}
}

func (tw *Harness) showDeliveries(*http.Request) (any, error) {
	type delivery struct {
		At     time.Time       `json:"at"`
		URL    string          `json:"url"`
		Header http.Header     `json:"header"`
		Body   json.RawMessage `json:"body"`
		Status int             `json:"status,omitempty"`
		Fault  string          `json:"fault,omitempty"` // of the signature
	}
	out := []delivery{}
	for _, d := range tw.Webhooks.Deliveries() {
		one := delivery{At: d.At.UTC(), URL: d.URL, Header: d.Header, Body: d.Body, Status: d.Status}
		if d.Err != nil {
			one.Fault = d.Err.Error()
		}
		out = append(out, one)
	}
	return map[string]any{"deliveries": out}, nil
}

func (tw *Harness) failDeliveries(r *http.Request) (any, error) {
	body := struct {
		Times  int `json:"times"`
		Status int `json:"status"`
	}{Times: 1}
	if err := control.Read(r, &body); err != nil {
		return nil, err
	}
	if !canFail(body.Times, body.Status) {
		return nil, fmt.Errorf("%d attempts cannot fail with the status %d", body.Times, body.Status)
	}
	tw.Webhooks.FailNext(body.Times, body.Status)
	return nil, nil
}

func (tw *Harness) drain(r *http.Request) (any, error) {
	n, err := tw.Webhooks.drain(r.Context())
	return map[string]int{"attempts": n}, err
}

func (tw *Harness) replayDelivery(r *http.Request) (any, error) {
	var body struct {
		MessageID string `json:"messageId"`
	}
	if err := control.Read(r, &body); err != nil {
		return nil, err
	}
	return nil, tw.Webhooks.replay(r.Context(), body.MessageID)
}
