package httpapitest

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest/internal/conformance"
)

// Conformance holds a server to the documented behaviour, as named subtests over plain
// HTTP: whatever answers under baseURL, in whatever language it is written. token belongs
// to a caller who may make twins and do everything in them.
//
// Most of the subtests play recorded conversations of all areas, those whose names begin
// with conversation: their world is made through the API, and each answer is to be the
// recorded one, except for ids, tokens, versions and moments of the server's own, the
// names of its callers and the texts of errors. A step that needs what no client can
// make, or a caller that the suite is not given, is passed over, and the subtest logs
// that and why; so is the list of all that a caller sees, since there may be more of it.
// A server that does its work after the answer, or keeps no bytes of reality data, is
// held to a conversation as far as the first answer that differs by that.
//
// The suite makes its own twins with ids of its own, works in these alone, and
// deletes them again, so that it can run against a server that others use. Each
// failure says what the specification asks for and what came. What the server does
// not have is left out by name, see [ConformanceWithout]; what cannot be seen
// without an option is skipped, and the skipped test says which.
//
// A server that answers 429 is asked again after its Retry-After. Operations that
// the server accepts are followed to their end.
func Conformance(t *testing.T, baseURL, token string, options ...ConformanceOption) {
	t.Helper()
	c := conformanceRun{server: conformance.Server{
		BaseURL: baseURL, Token: token, Client: http.DefaultClient,
		Patience: 30 * time.Second,
	}}
	for _, option := range options {
		option(&c)
	}
	if err := c.speak(); err != nil {
		t.Fatalf("httpapitest: %v", err)
	}
	for _, area := range c.without {
		if !slices.Contains(conformance.Areas(), conformance.Area(area)) {
			t.Fatalf("httpapitest: there is no area %q to leave out; there are %q", area, conformance.Areas())
		}
	}
	for _, area := range conformance.Areas() {
		t.Run(string(area), func(t *testing.T) { c.run(t, area) })
	}
}

// ConformanceOption says more of the server that [Conformance] is to look at.
type ConformanceOption func(*conformanceRun)

// conformanceRun is what a call of Conformance is to do.
type conformanceRun struct {
	server  conformance.Server
	without []string

	vocabulary httpapi.Vocabulary
}

// speak makes the suite speak the vocabulary.
func (c *conformanceRun) speak() error {
	client := *c.server.Client
	over, err := c.vocabulary.Transport(c.server.BaseURL, client.Transport)
	if err != nil {
		return err
	}
	client.Transport = over
	c.server.Client = &client
	if c.server.Receiver != nil {
		events, err := c.vocabulary.Deliveries()
		c.server.Receiver.Read = events.Read
		return err
	}
	return nil
}

// ConformanceVocabulary holds a server to the documented behaviour that uses other names.
func ConformanceVocabulary(v httpapi.Vocabulary) ConformanceOption {
	return func(c *conformanceRun) { c.vocabulary = v }
}

// run does the checks of an area.
func (c *conformanceRun) run(t *testing.T, area conformance.Area) {
	if slices.Contains(c.without, string(area)) {
		t.Skip("left out by ConformanceWithout")
	}
	for _, check := range conformance.Checks() {
		if check.Area != area {
			continue
		}
		t.Run(check.Name, func(t *testing.T) {
			if missing := check.Unmet(c.server); missing != "" {
				t.Skipf("needs %s", missing)
			}
			check.Run(c.server, t)
		})
	}
}

// ConformanceWithout leaves areas out that the server does not have: requests,
// schedules, tasks, lists, deltas, versions, operations, resources, baselines,
// twins, accessControl, forms, realityData, detectors, transformations, webhooks or
// deliveries. Any other name fails the test.
func ConformanceWithout(areas ...string) ConformanceOption {
	return func(c *conformanceRun) { c.without = append(c.without, areas...) }
}

// ConformanceClient sends the requests through a client, such as one that reaches a
// handler without a socket. The default is http.DefaultClient.
func ConformanceClient(client *http.Client) ConformanceOption {
	return func(c *conformanceRun) { c.server.Client = client }
}

// ConformanceService is the token of a service application, which webhooks are for. Without
// it the caller of [Conformance] makes them; where the server forbids that, the checks of
// webhooks are skipped and name this option.
func ConformanceService(token string) ConformanceOption {
	return func(c *conformanceRun) { c.server.ServiceToken = token }
}

// ConformanceStranger is the token of a caller of another account, for whom nothing
// of what the suite makes exists.
func ConformanceStranger(token string) ConformanceOption {
	return func(c *conformanceRun) { c.server.StrangerToken = token }
}

// ConformanceReader is the token and the id of a caller of the same account, who
// holds nothing but what the suite grants.
func ConformanceReader(token, id string) ConformanceOption {
	return func(c *conformanceRun) { c.server.ReaderToken, c.server.ReaderID = token, id }
}

// ConformanceReceiver lets the suite see the deliveries of webhooks.
func ConformanceReceiver(r *DeliveryObserver) ConformanceOption {
	return func(c *conformanceRun) { c.server.Receiver = &r.receiver }
}

// DeliveryObserver is the endpoint at which [Conformance] sees deliveries: a handler
// that is served under the address that it was made with.
type DeliveryObserver struct{ receiver conformance.Receiver }

// NewDeliveryObserver returns an endpoint that the server under test reaches under
// url, which webhooks are given as their callback URL. deliver makes the server
// attempt what is due before it returns, as webhooks.Service.Deliver does; nil means
// that the server does so by itself, and the suite waits.
func NewDeliveryObserver(url string, deliver func(context.Context) error) *DeliveryObserver {
	return &DeliveryObserver{conformance.Receiver{URL: url, Deliver: deliver}}
}

// ServeHTTP takes a delivery, and answers 204.
func (o *DeliveryObserver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.receiver.ServeHTTP(w, r)
}
