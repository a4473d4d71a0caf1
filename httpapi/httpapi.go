// Package httpapi serves the documented REST API as one http.Handler.
//
//	h, err := httpapi.New(httpapi.Config{
//		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{token: me}),
//		Schedules:     schedules.New(store, schedules.Config{}, scheduling.Feature, exchange.Feature),
//	})
//	if err != nil {
//		return err
//	}
//	mux.Handle("/api/", http.StripPrefix("/api", h))
//
// The handler holds no rule of the domains: whatever it can do, a Go program
// can do through the services, with the same checks and the same errors. It
// adds what belongs to HTTP: bearer tokens, rate limits, limits on bodies and
// time, links, and the documented error body on every failure.
//
// It expects nothing of the server around it. Deadlines, body limits and the
// recovery of panics are inside, and it may be mounted under any prefix.
//
// # Serving
//
// [New] makes the handler, [Serve] serves it safely, and [StaticTokens] is the simplest [Authenticator].
//
// # What there is
//
// [Operations] lists all operations, [NotImplemented] those that are known and not served, and [OpenAPI] is the
// document of them.
//
// # Around it
//
// Package console has pages for people, admin metrics and backups, journal the last requests, ratelimit allowances that
// several processes share. Package httpapitest is all of it in a test, and server is the program.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
	"github.com/seed-933f9a09/twinplatform/internal/cors"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Values of Config that stand for a choice.
const (
	// DefaultRate is the number of requests a minute, and at once, that a
	// principal may make.
	DefaultRate = 5_000
	// Unlimited turns the rate limit off.
	Unlimited = -1
	// DefaultMaxBody is the largest request body, in bytes.
	DefaultMaxBody = 1 << 20
	// DefaultTimeout is how long a request may take.
	DefaultTimeout = time.Minute
	// NoTimeout leaves the time of a request to the server around the handler.
	NoTimeout = -1
)

// Config sets what a [Handler] serves, to whom and within which limits. Every field but
// Authenticator may be left at its zero value.
type Config struct {
	// Authenticator knows who sends a request. Required.
	Authenticator Authenticator
	// Observer is called for each request once it is answered. Nil means none.
	Observer Observer

	// Schedules is the schedules area. The operations of an area that is nil
	// are unknown to the handler.
	Schedules *schedules.Service
	// Forms is the forms area.
	Forms *forms.Service
	// Twins is the twins area with access control.
	Twins *twins.Service
	// Webhooks is the webhooks area. Its deliveries are made by its Run.
	Webhooks *webhooks.Service
	// RealityData is the reality data area with detectors.
	RealityData *realitydata.Service
	// Transform is the transformations area with the registry of models.
	Transform *transform.Service

	// Vocabulary has the names that the deployment uses. The zero value uses those of the
	// specification.
	Vocabulary Vocabulary

	// BaseURL is the address under which clients reach the handler's root,
	// such as https://api.example.com/v1. Links in answers begin with it.
	// Empty means the host and the prefix of each request, and https when it
	// came over TLS.
	BaseURL string

	// Origins are the origins, such as https://app.example, whose pages may send requests and
	// read the answers in browsers; "*" stands for all. A browser asks (OPTIONS) without a
	// token whether it may, and is answered from the allowance of its network. Credentials of
	// browsers, such as cookies, are never allowed. Empty means none.
	Origins []string

	// Rate is the number of requests that a principal may make in a minute,
	// and the largest number at once; batches, clones, imports, analyses and other
	// work count for as many as [RecordsWrittenPerRequest] and
	// [RecordsReadPerRequest] say, once they are done, down to a debt of as many
	// requests. Requests without a valid token have such an
	// allowance for each network that they come from, an IPv4 address or 64 bits of an
	// IPv6 one, by the connection; addresses that need no token have one more for each
	// of them and each network. 0 means DefaultRate, Unlimited sets no limit.
	Rate int
	// RateLimiter takes the place of Rate, for processes that share allowances: see package
	// ratelimit. It may be a [RateCharger]. Nil means one of this handler.
	RateLimiter RateLimiter
	// MaxBody is the largest request body in bytes. 0 means DefaultMaxBody.
	MaxBody int64
	// UnknownMembers is what becomes of members of bodies that the operation does not
	// know. The zero value refuses them.
	UnknownMembers UnknownMembers
	// OperationStatus puts the status of an operation next to it in the answer to operations.get, as
	// {"operation": {...}, "status": "Running"}: pollers of Azure's libraries (core-lro, azcore) look for it there, at the
	// address of the header Operation-Location. Its values, NotStarted, Running, Succeeded and Failed, are theirs. The
	// specification has no such member, so that there is none unless this is set.
	OperationStatus bool
	// Timeout is how long a request may take, from its header to the last
	// byte of its answer. 0 means DefaultTimeout, NoTimeout sets no limit. A
	// shorter one of the server around the handler stays in force. Where bytes are sent
	// or given as they are (files, attachments, images, exports), what the client takes
	// does not count, as long as it takes no longer than Timeout and a second for each
	// 16 KiB.
	Timeout time.Duration

	// Env gives the clock of the rate limit and the logger. Each request is
	// logged as method, operation, status, duration, principal and request id, one
	// that failed with the code of its error, and a 401 with its reason, at level
	// Info; a failure of the platform also with its cause, at level Error.
	// Tokens, queries and bodies are never logged.
	Env twinplatform.Env
	// Unlogged reports that requests are not logged one by one, since Observer does it, as
	// package accesslog does. Failures of the platform are logged all the same.
	Unlogged bool
}

// RateLimiter gives principals their allowances of requests. It is safe for concurrent
// use.
type RateLimiter interface {
	// Take takes one request from the allowance of an id: that of a principal, or one
	// that begins with a NUL, for a network from which requests without a valid token
	// come. It fails with a *twinplatform.Error of kind RateLimited that says when to
	// come again.
	Take(ctx context.Context, id string) error
}

// Handler serves the REST API. It is safe for concurrent use. While requests of several
// accounts come, large ones of one account (more than 32 KiB of JSON, analyses) are worked on
// at most at half of the cores, at least at one. Up to 100 wait for that; one more is
// 429 RateLimitExceeded.
type Handler struct {
	cfg Config
	served
	server cycle.Server
	pages  *cors.Policy // nil: none of other origins may do anything
}

// New returns a handler for the areas of cfg. It fails when cfg contradicts
// itself.
func New(cfg Config) (*Handler, error) { return serving(cfg, cfg.areas()) }

// featured fails where a service was made without what its operations need.
func featured(s *schedules.Service) error {
	if s == nil {
		return nil
	}
	return cmp.Or(scheduling.Registered(s.In("")), exchange.Registered(s.In("")))
}

// serving returns a handler for those of the areas that have a service.
func serving(cfg Config, areas []cycle.Area) (*Handler, error) {
	if cfg.Authenticator == nil {
		return nil, errors.New("httpapi: Config.Authenticator is required")
	}
	if err := checked(cfg.Authenticator); err != nil {
		return nil, fmt.Errorf("httpapi: Config.Authenticator: %w", err)
	}
	if err := featured(cfg.Schedules); err != nil {
		return nil, fmt.Errorf("httpapi: Config.Schedules: %w", err)
	}
	if cfg.RateLimiter != nil && cfg.Rate != 0 {
		return nil, errors.New("httpapi: Config.Rate is for the handler's own RateLimiter, and there is another")
	}
	if cfg.Rate < Unlimited || cfg.MaxBody < 0 {
		return nil, errors.New("httpapi: Config.Rate and Config.MaxBody may not be negative")
	}
	if !cfg.UnknownMembers.valid() {
		return nil, fmt.Errorf("httpapi: Config.UnknownMembers is %d, which is none of its values", cfg.UnknownMembers)
	}
	if err := CheckOrigins(cfg.Origins); err != nil {
		return nil, fmt.Errorf("httpapi: %w", err)
	}
	if cfg.BaseURL != "" {
		u, err := url.Parse(cfg.BaseURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" ||
			u.Fragment != "" {
			return nil, fmt.Errorf("httpapi: Config.BaseURL %q is no absolute http(s) address", cfg.BaseURL)
		}
		cfg.BaseURL = strings.TrimSuffix(cfg.BaseURL, "/")
	}
	if cfg.Rate == 0 {
		cfg.Rate = DefaultRate
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = DefaultMaxBody
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	h := &Handler{cfg: cfg}
	h.serveAs(cfg)
	areas = append(slices.DeleteFunc(areas, func(a cycle.Area) bool { return !a.Served }), documentArea(h))
	var err error
	if h.served, err = laidOut(areas, cfg.Vocabulary); err != nil {
		return nil, fmt.Errorf("httpapi: Config.Vocabulary: %w", err)
	}
	h.server.Dialect = h.dialect
	h.pages = pagesOf(cfg.Origins, h.routes, h.dialect)
	return h, nil
}

// serveAs sets up what all requests have in common.
func (h *Handler) serveAs(cfg Config) {
	env := cfg.Env.WithDefaults()
	h.server = cycle.Server{
		Ask: h.asked, Log: env.Logger, Slots: cycle.NewSlots(), Unlogged: cfg.Unlogged,
		BaseURL: cfg.BaseURL, Timeout: cfg.Timeout, MaxBody: cfg.MaxBody,
		OperationStatus: cfg.OperationStatus, RefuseUnknown: cfg.UnknownMembers == RefuseUnknown,
		ReportUnknown: cfg.UnknownMembers != IgnoreUnknown,
		Find:          func(r *http.Request) *cycle.Route { return h.found(h.find(r)) },
		Allowed: func(r *http.Request) string {
			if !canonical(r) {
				return ""
			}
			return h.allowed(r)
		},
		Unserved: func(r *http.Request) string { return h.unserved(r) },
	}
	switch {
	case cfg.RateLimiter != nil:
		h.server.Limit = cfg.RateLimiter
	case cfg.Rate != Unlimited:
		h.server.Limit = allowance.New(cfg.Rate, env.Now)
	}
	if cfg.Observer != nil {
		h.server.Observe = func(ctx context.Context, o cycle.Observation) { cfg.Observer(ctx, Observation(o)) }
	}
}

// ServeHTTP answers a request of the REST API.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.preflight(w, r) {
		return
	}
	if h.dialect != nil && len(h.dialect.Headers) > 0 {
		w, r = h.dialect.Outgoing(w), h.dialect.Incoming(r)
	}
	r = h.respelled(rooted(r))
	h.server.Answer(h.matched(r), w, r)
}

// Operations lists what the handler serves.
func (h *Handler) Operations() []Operation {
	h.listed.Do(func() { h.operations = operations(h.routes()) })
	return cloned(h.operations)
}

// OperationOf returns the operation that a request is for. It looks at method and path
// alone, the path as the handler would get it.
func (h *Handler) OperationOf(r *http.Request) (Operation, bool) {
	r = h.respelled(rooted(r))
	if !canonical(r) {
		return Operation{}, false
	}
	if n := h.find(r); n != unknown {
		return h.route(int(n)).Operation, true
	}
	return Operation{}, false
}

// rooted returns r with a path that begins with a slash, which http.StripPrefix
// may have taken along with the prefix.
func rooted(r *http.Request) *http.Request {
	if strings.HasPrefix(r.URL.Path, "/") || r.Method == http.MethodConnect || r.RequestURI == "*" {
		return r
	}
	out, u := *r, *r.URL
	u.Path = "/" + u.Path
	if u.RawPath != "" {
		u.RawPath = "/" + u.RawPath
	}
	out.URL = &u
	return &out
}

// canonical reports whether the mux will take the path as it is: it redirects to
// cleaned paths, and takes an escaped slash for the end of the path.
func canonical(r *http.Request) bool {
	path := r.URL.EscapedPath()
	if r.Method == http.MethodConnect || r.RequestURI == "*" || strings.Contains(path, "//") {
		return false
	}
	if !strings.Contains(path, "/.") && !strings.Contains(path, "/%2") {
		return true
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case ".", "..", "%2f", "%2F":
			return false
		}
	}
	return true
}
