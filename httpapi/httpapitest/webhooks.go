package httpapitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// CallbackURL is an address for webhooks of a harness. Deliveries to any other reach
// the same receiver.
const CallbackURL = "https://receiver.test/events"

// ErrUnknownSecret is found of the deliveries of a webhook whose secret the harness
// has not seen.
var ErrUnknownSecret = errors.New("httpapitest: the secret of the webhook is not known: say it with Webhooks.Trust")

// Webhooks is the webhooks area of a harness, with the endpoint that receives its
// deliveries, whatever their callback URL. Nothing is delivered until Drain:
//
//	tw.Webhooks.Subscribe(event.TypeTwinCreated)
//	… // a client makes a twin
//	tw.Webhooks.Drain(ctx)
//	got := tw.Webhooks.Deliveries()
//
// The endpoint checks each signature with the secret that was shown when the webhook
// was made, over HTTP or by CreateWebhook, and answers 204, and 401 to a bad one. It
// is safe for concurrent use.
type Webhooks struct {
	// Service is the webhooks area.
	*webhooks.Service

	tw *Harness

	mu       sync.Mutex
	secrets  map[string]string // by webhook
	endpoint http.Handler
	failures []int // what the next attempts are answered with; 0: nothing
	got      []Delivery
}

// Delivery is one attempt to deliver an event, as the receiver got it.
type Delivery struct {
	// Message is the body, decoded, in the specification's words. MessageID is the same in every attempt.
	receiver.Message

	At     time.Time   // by the clock of the harness
	URL    string      // the callback URL
	Header http.Header // of the request, with its signatures
	Body   []byte      // as it came
	// Err is the error of receiver.Verify for the signature; nil when it is good.
	Err error
	// Status is what was answered; 0 where nothing was.
	Status int
}

func newWebhooks(tw *Harness) *Webhooks {
	return &Webhooks{tw: tw, secrets: make(map[string]string)}
}

// Subscribe makes an active webhook that receives these events of anything in the account
// of the harness, and returns its id.
func (w *Webhooks) Subscribe(types ...webhooks.EventType) string {
	w.tw.t.Helper()
	ctx := twinplatform.WithPrincipal(w.tw.t.Context(), w.tw.application())
	made, err := w.CreateWebhook(ctx,
		webhooks.NewWebhook{CallbackURL: CallbackURL, Scope: webhooks.AccountScope, EventTypes: types})
	if err != nil {
		w.tw.t.Fatalf("httpapitest: subscribing to %v: %v", types, err)
	}
	id := made.Value().ID
	if _, err := w.UpdateWebhook(ctx, id, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
		w.tw.t.Fatalf("httpapitest: activating the webhook %s: %v", id, err)
	}
	return id
}

// application is a service application that administers the account.
func (tw *Harness) application() twinplatform.Principal {
	p := tw.Admin()
	p.ID, p.DisplayName, p.Kind = "33333333-3333-4333-8333-333333333333", "Subscriber", twinplatform.Service
	tw.TokenOf(p) // so that it is known
	return p
}

// CreateWebhook calls the Service, and gives the receiver the secret.
func (w *Webhooks) CreateWebhook(ctx context.Context, n webhooks.NewWebhook) (webhooks.WebhookResult, error) {
	made, err := w.Service.CreateWebhook(ctx, n)
	w.learn(made)
	return made, err
}

// UpdateWebhook calls the Service, and gives the receiver a new secret.
func (w *Webhooks) UpdateWebhook(ctx context.Context, id string, p webhooks.WebhookPatch,
	pre ...twinplatform.Precondition,
) (webhooks.WebhookResult, error) {
	res, err := w.Service.UpdateWebhook(ctx, id, p, pre...)
	w.learn(res)
	if secret, given := p.Secret.Get(); given && err == nil {
		w.Trust(id, secret.Reveal())
	}
	return res, err
}

func (w *Webhooks) learn(res webhooks.WebhookResult) {
	if !res.Secret.IsZero() {
		w.Trust(res.Value().ID, res.Secret.Reveal())
	}
}

// Trust reports which secret the deliveries of a webhook are to be signed with.
func (w *Webhooks) Trust(webhookID, secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.secrets[webhookID] = secret
}

// Handle lets an endpoint of the test's own answer in place of the receiver, which still
// writes down what comes. nil takes it away again.
func (w *Webhooks) Handle(endpoint http.Handler) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endpoint = endpoint
}

// FailNext answers the next n attempts with a status, such as 500; with 0 they are
// not answered at all. It comes behind what an earlier FailNext has left.
func (w *Webhooks) FailNext(n, status int) {
	w.tw.t.Helper()
	if !canFail(n, status) {
		w.tw.t.Fatalf("httpapitest: %d attempts cannot fail with the status %d", n, status)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failures = append(w.failures, slices.Repeat([]int{status}, n)...)
}

// canFail reports whether n attempts can be answered with a status.
func canFail(n, status int) bool { return n > 0 && (status == 0 || status >= 300 && status <= 599) }

// Drain makes every delivery that is due by the clock of the harness before it
// returns, and returns the number of attempts. What failed is due again later: see
// Advance.
func (w *Webhooks) Drain(ctx context.Context) int {
	w.tw.t.Helper()
	n, err := w.drain(ctx)
	if err != nil {
		w.tw.t.Fatalf("httpapitest: making the deliveries that are due: %v", err)
	}
	return n
}

func (w *Webhooks) drain(ctx context.Context) (total int, err error) {
	for {
		n, err := w.Deliver(ctx)
		if total += n; n == 0 || err != nil {
			return total, err
		}
	}
}

// Deliveries are all attempts so far, in the order in which they came.
func (w *Webhooks) Deliveries() []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.got)
}

// Replay makes a delivery once more, by its message id or by its id in the webhooks
// area, to each webhook that got it, and returns once that is done.
func (w *Webhooks) Replay(ctx context.Context, id string) {
	w.tw.t.Helper()
	if err := w.replay(ctx, id); err != nil {
		w.tw.t.Fatalf("httpapitest: %v", err)
	}
}

func (w *Webhooks) replay(ctx context.Context, id string) error {
	again := 0
	for _, webhookID := range w.receivers() {
		n, err := w.redeliver(ctx, webhookID, id)
		if err != nil {
			return fmt.Errorf("replaying %s: %w", id, err)
		}
		again += n
	}
	if again == 0 {
		return fmt.Errorf("nothing with the id %q was delivered, so nothing can be replayed", id)
	}
	_, err := w.drain(ctx)
	return err
}

// receivers are the webhooks that something was delivered to.
func (w *Webhooks) receivers() []string {
	ids := make(map[string]bool)
	for _, d := range w.Deliveries() {
		ids[d.WebhookID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// redeliver makes those deliveries of a webhook once more that have an id.
func (w *Webhooks) redeliver(ctx context.Context, webhookID, id string) (n int, err error) {
	for d, err := range twinplatform.AllIn(ctx, w.Service.Deliveries, webhookID, webhooks.DeliveryQuery{}) {
		if err != nil {
			return n, err
		}
		if d.ID != id && d.MessageID != id {
			continue
		}
		if _, err := w.Redeliver(ctx, webhookID, d.ID); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// RoundTrip implements http.RoundTripper for the deliveries: the receiver.
func (w *Webhooks) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	d := Delivery{At: w.tw.Now(), URL: r.URL.String(), Header: r.Header.Clone(), Body: body}
	d.Message, d.Err = receiver.Parse(w.tw.opts.deliveries.Read(body))
	answer := newAnswer()
	w.answer(&d, answer, r)
	w.mu.Lock()
	w.got = append(w.got, d)
	w.mu.Unlock()
	if d.Status == 0 {
		return nil, errCut
	}
	return answer.response(r, false), nil
}

// answer checks a delivery and answers it; the status stays 0 where nothing is to be
// answered.
func (w *Webhooks) answer(d *Delivery, rw *answer, r *http.Request) {
	w.mu.Lock()
	secret, known := w.secrets[d.WebhookID]
	endpoint := w.endpoint
	fails := len(w.failures) > 0
	if fails {
		d.Status, w.failures = w.failures[0], w.failures[1:]
	}
	w.mu.Unlock()
	switch {
	case d.Err != nil:
	case !known:
		d.Err = fmt.Errorf("%w (%s)", ErrUnknownSecret, d.WebhookID)
	default:
		d.Err = receiver.VerifyAt(secret, d.Header, d.Body, d.At)
	}
	switch {
	case fails && d.Status == 0:
		return
	case fails:
		rw.WriteHeader(d.Status)
	case endpoint != nil:
		in := r.Clone(r.Context())
		in.Body, in.RequestURI, in.Host = io.NopCloser(bytes.NewReader(d.Body)), r.URL.RequestURI(), r.URL.Host
		if served(endpoint, rw, in) {
			return
		}
		rw.WriteHeader(http.StatusOK)
	case d.Err != nil:
		rw.WriteHeader(http.StatusUnauthorized)
	default:
		rw.WriteHeader(http.StatusNoContent)
	}
	d.Status = rw.Status
}
