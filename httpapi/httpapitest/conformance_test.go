package httpapitest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	if testing.Short() {
		t.Skip("all conversations once more")
	}
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
	if testing.Short() {
		t.Skip("all conversations once more")
	}
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

// What is left out by name would fail if it were not.
func TestEachStepThatIsPassedOverWouldDiffer(t *testing.T) {
	t.Parallel()
	s := func() conformance.Server { w := newRightWorld(t); return conformanceServer(w, w.handler, nil) }()
	names := make(map[string][]string)
	for _, name := range conformance.PassedOver() {
		operation, step, _ := strings.Cut(name, ": ")
		names["conversation "+operation] = append(names["conversation "+operation], step)
	}
	for _, check := range conformance.Checks() {
		if names[check.Name] == nil {
			continue
		}
		c := &collector{ctx: t.Context()}
		check.RunWhole(s, c)
		found := strings.Join(c.found, "\n")
		for _, step := range names[check.Name] {
			if !strings.Contains(found, "continues differently: "+step) {
				t.Errorf("%s: %q need not be passed over", check.Name, step)
			}
		}
		delete(names, check.Name)
	}
	for name := range names {
		t.Errorf("there is no %s of which to pass over something", name)
	}
}

// wantHeld are the steps of conversations, of which some are passed over: by area, so
// that none comes to be left out unseen.
var wantHeld = map[string]string{
	"accessControl":   "154 of 180",
	"baselines":       "72 of 72",
	"deliveries":      "3 of 14",
	"detectors":       "83 of 90",
	"forms":           "310 of 326",
	"operations":      "15 of 15",
	"realityData":     "186 of 210",
	"resources":       "474 of 479",
	"schedules":       "956 of 998",
	"tasks":           "223 of 240",
	"transformations": "467 of 478",
	"twins":           "193 of 234",
	"webhooks":        "36 of 48",
}

func TestOnlyDeclaredStepsArePassedOver(t *testing.T) {
	if testing.Short() {
		t.Skip("all conversations once more")
	}
	t.Parallel()
	w := newRightWorld(t)
	s := conformanceServer(w, w.handler, nil)
	steps := make(map[string]int)
	for _, c := range conversations.All() {
		steps["conversation "+c.Operation()] = len(c.Steps)
	}
	all, over := make(map[string]int), make(map[string]int)
	for _, check := range conformance.Checks() {
		area := string(check.Area)
		all[area] += steps[check.Name]
		if check.Unmet(s) != "" {
			over[area] += steps[check.Name]
			continue
		}
		c := &collector{ctx: t.Context()}
		check.Run(s, c)
		over[area] += c.passedOver
	}
	got := make(map[string]string)
	for area, n := range all {
		if n > 0 {
			got[area] = fmt.Sprintf("%d of %d", n-over[area], n)
		}
	}
	if diff := cmp.Diff(wantHeld, got); diff != "" {
		t.Errorf("steps that are held (-want +got):\n%s", diff)
	}
}
