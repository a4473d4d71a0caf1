package httpapitest_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest/internal/conformance"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// seen are the options with which the suite leaves nothing out.
func (w *rightWorld) seen(handler http.Handler) []httpapitest.ConformanceOption {
	observer := httpapitest.NewDeliveryObserver(callbackURL, w.deliver)
	w.receiver = observer
	return []httpapitest.ConformanceOption{
		httpapitest.ConformanceClient(&http.Client{Transport: serving(handler.ServeHTTP)}),
		httpapitest.ConformanceService("service"), httpapitest.ConformanceStranger("stranger"),
		httpapitest.ConformanceReader("reader", "reader"), httpapitest.ConformanceReceiver(observer),
	}
}

func TestHandlerConforms(t *testing.T) {
	t.Parallel()
	w := newRightWorld(t)
	httpapitest.Conformance(t, "https://twin.test", "admin", w.seen(w.handler)...)
}

func TestHandlerUnderAPrefixConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("all conversations once more")
	}
	t.Parallel()
	w := newRightWorld(t)
	httpapitest.Conformance(t, "https://twin.test/api/v1", "admin", w.seen(http.StripPrefix("/api/v1", w.handler))...)
}

// garden is how a deployment of gardens speaks.
func garden(t testing.TB) httpapi.Vocabulary {
	t.Helper()
	f, err := os.Open("../testdata/garden.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := httpapi.ParseVocabulary(f)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestHandlerUnderAVocabularyConforms(t *testing.T) {
	t.Parallel()
	v := garden(t)
	events, err := v.Deliveries()
	if err != nil {
		t.Fatal(err)
	}
	w := newRightWorld(t, func(p *platform.Config, api *httpapi.Config) { p.Webhooks.Envelope, api.Vocabulary = events.Write, v })
	httpapitest.Conformance(t, "https://twin.test/api", "admin",
		append(w.seen(http.StripPrefix("/api", w.handler)), httpapitest.ConformanceVocabulary(v))...)
}

func TestHarnessUnderAVocabularyConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("all conversations once more")
	}
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithVocabulary(garden(t)), httpapitest.WithRate(httpapi.Unlimited))
	observer := httpapitest.NewDeliveryObserver(httpapitest.CallbackURL, func(ctx context.Context) error {
		tw.Webhooks.Drain(ctx)
		return nil
	})
	tw.Webhooks.Handle(observer)
	httpapitest.Conformance(t, tw.URL, tw.TokenOf(tw.Admin()), httpapitest.ConformanceVocabulary(garden(t)),
		httpapitest.ConformanceClient(tw.ClientWith("")), httpapitest.ConformanceService(tw.TokenOf(robot(tw))),
		httpapitest.ConformanceReceiver(observer))
	for _, d := range tw.Webhooks.Deliveries() {
		if d.Err != nil {
			t.Errorf("a delivery of %s: %v", d.EventType, d.Err)
		}
	}
}

func TestChecksThatNeedAnotherCallerNameTheOption(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithRate(httpapi.Unlimited))
	server := conformance.Server{BaseURL: tw.URL, Token: tw.TokenOf(tw.Admin()), Client: tw.ClientWith(""), Patience: time.Second}
	named := make(map[string]bool)
	for _, check := range conformance.Checks() {
		option, _, _ := strings.Cut(check.Unmet(server), ":")
		named[option] = true
		if webhooks := check.Area == conformance.Webhooks; webhooks && option == "" {
			t.Errorf("%s: a user may have webhooks", check.Name)
		}
	}
	for _, option := range []string{"ConformanceService", "ConformanceReceiver", "ConformanceStranger", "ConformanceReader"} {
		if !named[option] {
			t.Errorf("no check names %s", option)
		}
	}
	server.ServiceToken = tw.TokenOf(robot(tw))
	for _, check := range conformance.Checks() {
		if missing := check.Unmet(server); check.Area == conformance.Webhooks && strings.Contains(missing, "Service") {
			t.Errorf("%s needs %s", check.Name, missing)
		}
	}
}

// What a harness adds takes nothing away.
func TestHarnessConforms(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithRate(httpapi.Unlimited))
	observer := httpapitest.NewDeliveryObserver(httpapitest.CallbackURL, func(ctx context.Context) error {
		tw.Webhooks.Drain(ctx)
		return nil
	})
	tw.Webhooks.Handle(observer)
	httpapitest.Conformance(t, tw.URL, tw.TokenOf(tw.Admin()),
		httpapitest.ConformanceClient(tw.ClientWith("")), httpapitest.ConformanceService(tw.TokenOf(robot(tw))),
		httpapitest.ConformanceReceiver(observer))
	for _, d := range tw.Webhooks.Deliveries() {
		if d.Err != nil {
			t.Errorf("a delivery of %s: %v", d.EventType, d.Err)
		}
	}
}

// What is left out by name is there to be left out.
func TestConversationsThatArePassedOverAreThere(t *testing.T) {
	t.Parallel()
	there := make(map[string]bool)
	for _, c := range conversations.All() {
		there[c.Operation()] = true
		for _, s := range c.Steps {
			there[c.Operation()+": "+s.Title] = true
		}
	}
	for _, name := range conformance.PassedOver() {
		if !there[name] {
			t.Errorf("there is no conversation and no step %q to pass over", name)
		}
	}
}
