package httpapitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// holdRoutes are the controls of operations that wait.
func (o *Operations) holdRoutes() map[string]control {
	return map[string]control{
		"GET /operations":          o.tell,
		"POST /operations":         o.hold,
		"DELETE /operations":       func(r *http.Request) (any, error) { return nil, o.release(r.URL.Query().Get("kind")) },
		"POST /operations/release": o.endOne(false),
		"POST /operations/fail":    o.endOne(true),
	}
}

// deliveryRoutes are the controls of deliveries.
func (tw *Harness) deliveryRoutes() map[string]control {
	return map[string]control{
		"GET /deliveries":         tw.tellDeliveries,
		"POST /deliveries/fail":   tw.failDeliveries,
		"POST /deliveries/drain":  tw.drain,
		"POST /deliveries/replay": tw.replayDelivery,
	}
}

// endOne releases one operation, or fails it.
func (o *Operations) endOne(fails bool) control {
	return func(r *http.Request) (any, error) {
		var body struct {
			ID       string `json:"id"`
			FailWith string `json:"failWith"`
		}
		if err := read(r, &body); err != nil {
			return nil, err
		}
		if fails != (body.FailWith != "") {
			return nil, errors.New("failWith is the code of a failure, and of nothing else")
		}
		return nil, o.End(r.Context(), body.ID, body.FailWith)
	}
}

func (o *Operations) tell(*http.Request) (any, error) {
	type held struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	}
	kept := []held{}
	for _, op := range o.Held() {
		kept = append(kept, held{op.ID, op.Kind})
	}
	return map[string]any{"kinds": o.Kinds(), "holding": append([]string{}, o.Holding()...), "held": kept}, nil
}

func (o *Operations) hold(r *http.Request) (any, error) {
	var body struct {
		Kind       string    `json:"kind"`
		Percent    *int      `json:"percent"`
		After      *duration `json:"after"`
		AfterPolls *int      `json:"afterPolls"`
		FailWith   string    `json:"failWith"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	// What the methods would end the test for is an answer here.
	_, fails := failures()[body.FailWith]
	switch kinds := o.Kinds(); {
	case !slices.Contains(kinds, body.Kind):
		return nil, fmt.Errorf("there are no operations of the kind %q to hold; there are %q", body.Kind, kinds)
	case body.Percent != nil && (*body.Percent < 0 || *body.Percent > 99):
		return nil, fmt.Errorf("a running operation has 0 to 99 percent, not %d", *body.Percent)
	case body.After != nil && *body.After < 0, body.AfterPolls != nil && *body.AfterPolls < 0:
		return nil, fmt.Errorf("after and afterPolls are 0 or more")
	case body.FailWith != "" && !fails:
		return nil, fmt.Errorf("no operation fails with %q; the codes are %q", body.FailWith, o.Codes())
	}
	h := o.Hold(body.Kind)
	if body.Percent != nil {
		h.Percent(*body.Percent)
	}
	if body.After != nil {
		h.After(time.Duration(*body.After))
	}
	if body.AfterPolls != nil {
		h.AfterPolls(*body.AfterPolls)
	}
	if body.FailWith != "" {
		h.FailWith(body.FailWith)
	}
	return nil, nil
}

// release ends the hold of a kind, or every hold where none is named.
func (o *Operations) release(kind string) error {
	o.mu.Lock()
	holds := maps.Clone(o.holds)
	o.mu.Unlock()
	if kind != "" && holds[kind] == nil {
		return fmt.Errorf("operations of the kind %q are not held", kind)
	}
	for _, k := range slices.Sorted(maps.Keys(holds)) {
		if kind == "" || k == kind {
			holds[k].Release()
		}
	}
	return nil
}

func (tw *Harness) tellDeliveries(*http.Request) (any, error) {
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
	if err := read(r, &body); err != nil {
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
	if err := read(r, &body); err != nil {
		return nil, err
	}
	return nil, tw.Webhooks.replay(r.Context(), body.MessageID)
}
