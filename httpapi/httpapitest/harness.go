package httpapitest

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Harness is the platform in a test: everything that is served, in memory, with a clock
// that the test moves and calls that fail on cue. Each is its own world, so that tests
// with one may run in parallel. It is safe for concurrent use, except for Restore.
type Harness struct {
	// Platform has the services (Twins, Schedules, Forms …). What they are called
	// with is done by the system, who may do everything, unless the context names
	// a principal.
	*platform.Platform

	// URL is the address of the API for the clients of Client, which alone know
	// it.
	URL string

	// Controls are the clock, the faults, the journal and what is held.
	*control.Controls
	// Webhooks is the webhooks area, with the receiver of its deliveries.
	Webhooks *Webhooks

	t       testing.TB
	opts    options
	ids     *sequence
	callers *callers
	core    atomic.Pointer[core]
	handler http.Handler
	kept    kept
}

// core is what one state of the world is served from.
type core struct {
	store    storage.Store
	env      twinplatform.Env
	platform *platform.Platform
	api      *httpapi.Handler
}

// The account that everybody of a harness belongs to.
const (
	AccountID   = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	adminID     = "11111111-1111-4111-8111-111111111111"
	adminToken  = "admin"
	harnessHost = "twins.test"
)

// New returns a platform that ends with the test. It opens no socket and starts
// no goroutine; it can be made within a testing/synctest bubble.
func New(t testing.TB, with ...Option) *Harness {
	t.Helper()
	o := options{now: defaultNow}
	for _, option := range with {
		if err := option(&o); err != nil {
			t.Fatalf("httpapitest: %v", err)
		}
	}
	tw := (&Harness{opts: o}).begin(t)
	tw.callers.add(adminToken, tw.Admin(), time.Time{})
	if err := tw.open(memory.New()); err != nil {
		t.Fatalf("httpapitest: %v", err)
	}
	owner := o.owner
	if owner.ID == "" {
		owner = tw.Admin()
	}
	for _, w := range o.worlds {
		if err := tw.Seed(t.Context(), w, platform.SeedOptions{Owner: owner}); err != nil {
			t.Fatalf("httpapitest: %v", err)
		}
	}
	return tw
}

// begin returns a harness with the same options that has no state yet.
func (tw *Harness) begin(t testing.TB) *Harness {
	c := control.ForTest(t, standing(tw.opts.now))
	begun := &Harness{
		URL: "http://" + harnessHost, Controls: c, t: t, opts: tw.opts, ids: new(sequence),
		callers: newCallers(c.Now),
	}
	c.Moved = func() error { return begun.core.Load().platform.ForgetDue(t.Context()) }
	begun.Webhooks = newWebhooks(begun)
	begun.handler = http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request,
	) {
		begun.Serve(begun.core.Load().api, w, r)
	})
	if begun.opts.controls {
		begun.handler = begun.Wrap(begun.handler, begun.harnessRoutes())
	}
	return begun
}

// open serves what a store holds, which it closes with the test.
func (tw *Harness) open(store storage.Store) error {
	cfg := platform.Config{Env: tw.env(), Webhooks: tw.opts.webhooks}
	cfg.Webhooks.Envelope = tw.opts.deliveries.Write
	cfg.Webhooks.Applications, cfg.Webhooks.Transport, cfg.Webhooks.Jitter = tw.callers, tw.Webhooks, webhooks.Off
	for _, configure := range tw.opts.platform {
		configure(&cfg)
	}
	auth := &authorizer{callers: tw.callers, otherwise: cfg.Env.Authorizer}
	cfg.Env.Authorizer = auth
	p, err := platform.New(store, cfg)
	if err != nil {
		return err
	}
	tw.t.Cleanup(func() {
		if err := p.Close(); err != nil {
			tw.t.Errorf("httpapitest: closing: %v", err)
		}
	})
	if auth.otherwise == nil {
		auth.otherwise = p.Twins
	}
	api, err := httpapi.New(tw.api(p))
	if err != nil {
		return err
	}
	tw.Platform, tw.Webhooks.Service = p, p.Webhooks
	tw.core.Store(&core{store, cfg.Env, p, api})
	return nil
}

// api is the configuration of the handler over a platform.
func (tw *Harness) api(p *platform.Platform) httpapi.Config {
	cfg := httpapi.Config{
		Authenticator: httpapi.BearerTokens(tw.callers),
		Twins:         p.Twins, Schedules: p.Schedules, Forms: p.Forms, RealityData: p.RealityData,
		Transform: p.Transform, Webhooks: p.Webhooks,
		Env: twinplatform.Env{Now: tw.Now}, Vocabulary: tw.opts.vocabulary,
	}
	for _, configure := range tw.opts.http {
		configure(&cfg)
	}
	return tw.Observed(cfg)
}

// env surrounds the services.
func (tw *Harness) env() twinplatform.Env {
	env := twinplatform.Env{Now: tw.Now, Elapsed: tw.Elapsed, Gate: tw.Gate()}
	if tw.opts.numbered {
		env.NewID, env.NewGUID = tw.ids.id, tw.ids.guid
	}
	return env
}

// ServeHTTP answers a request as a server with this world would, so that a harness
// can be mounted anywhere.
func (tw *Harness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w, learn := tw.Webhooks.overhear(w, r)
	defer learn()
	tw.handler.ServeHTTP(w, r)
}

// NewTwin makes a twin in the account of the harness and returns its id.
func (tw *Harness) NewTwin(name string) string {
	tw.t.Helper()
	ctx := twinplatform.WithPrincipal(tw.t.Context(), tw.Admin())
	res, err := tw.Twins.CreateTwin(ctx, twins.NewTwin{DisplayName: name, Class: twins.Thing})
	if err != nil {
		tw.t.Fatalf("httpapitest: making the twin %q: %v", name, err)
	}
	return res.Value().ID
}
