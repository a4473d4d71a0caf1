// Package cycle carries out requests: one function, [Server.Answer], turns each into its
// answer, by the [Route] that it is for. It knows no area and no service.
package cycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Exchange is one request and its answer.
type Exchange struct {
	server    *Server
	Route     *Route
	W         http.ResponseWriter
	R         *http.Request
	id        string // of the request
	began     time.Time
	principal twinplatform.Principal
	params    []param
	status    int                 // 0 until the header is sent
	err       *twinplatform.Error // what it failed with
	unread    []string            // see Observation
	limited   *deadline           // nil: no limit on its time
	taken     bool                // from the allowance of an address
	slot      string              // of which account it has a slot; "": it has none
	meter     *effort.Meter       // of its work; nil: no caller asks
	headers   [8]string           // of the answer: the values that were set first
	used      int
	size      int64 // of the answer's body, as far as it is written
	trace     twinplatform.Trace
}

// Answer carries out one request for a route, which is nil for what no operation does:
// authenticate, limit, decode, authorise and work in the domain, encode.
func (s *Server) Answer(found *Route, w http.ResponseWriter, r *http.Request) {
	if found != nil && !found.Matches(r) {
		found = nil
	}
	x := &Exchange{server: s, Route: found, W: w, R: r, id: RequestID(r), began: time.Now(), trace: traceOf(r)}
	x.Set(RequestIDHeader, x.id)
	x.deprecate()
	defer x.end()
	ctx := r.Context()
	if d := s.Timeout; d > 0 {
		limited := &deadline{Context: ctx, at: x.began.Add(d)}
		defer limited.end()
		ctx, x.limited = limited, limited
		x.setDeadlines()
	}
	defer x.charge()
	defer x.leaveSlot()
	ctx, err := x.enter(ctx)
	if err == nil {
		err = x.settled(ctx, x.Route.Serve(ctx, x))
	}
	if err != nil {
		x.fail(err)
	}
}

// enter lets the request in, up to its body, and returns the context in which it is served.
func (x *Exchange) enter(ctx context.Context) (context.Context, error) {
	if err := x.admit(ctx); err != nil {
		return ctx, err
	}
	x.server.Slots.note(slotsOf(&x.principal), x.began)
	if x.Route == nil {
		return ctx, x.server.unknown(x.R)
	}
	if x.principal.ReadOnly != nil && !x.Route.Shared {
		return ctx, problem.Refuses("The bearer of a share reads what is in its twin and does nothing else.")
	}
	if err := x.parseQuery(); err != nil {
		return ctx, err
	}
	if err := x.refuseCondition(); err != nil {
		return ctx, err
	}
	if x.Route.addressed() {
		return ctx, nil
	}
	ctx = x.measured(twinplatform.WithPrincipal(ctx, x.principal))
	if !x.Route.ReadOnly() {
		ctx = twinplatform.WithPatience(twinplatform.WithOperationKind(ctx, x.Route.ID), patience)
	}
	if x.Route.Computes && x.Route.Body == nil {
		return ctx, x.takeSlot()
	}
	return ctx, nil
}

// settled is the failure of a route in the words of the request. At an address that needs no
// token the guess is taken from the allowance of the guesser's network, where there is no
// such address.
func (x *Exchange) settled(ctx context.Context, err error) error {
	if !x.Route.addressed() {
		// Services speak of members and Go; only here is it known how they were sent.
		return x.translated(err)
	}
	if err == nil || x.server.Limit == nil || x.taken {
		return err
	}
	return cmp.Or(x.server.Limit.Take(ctx, allowance.OfNetwork(x.R.RemoteAddr)), err)
}

// admit finds out who calls and takes the request from the caller's allowance.
// A request that is refused counts as well, against that of the client's network, and
// that refusal comes first: guessing tokens is limited like everything else, and an
// operation without a scope costs what any other does. An address that needs no token is
// looked for first, see [Exchange.settled].
func (x *Exchange) admit(ctx context.Context) (err error) {
	var scopes []string
	// Clients look for metadata before they have a token (RFC 8615): that there is none is no secret.
	known := x.Route == nil && !strings.HasPrefix(x.R.URL.Path, "/.well-known/") ||
		x.Route != nil && len(x.Route.Scopes) > 0
	if x.Route != nil {
		scopes = x.Route.Scopes
		known = known && (!x.Route.Discovers || len(x.R.Header["Authorization"]) > 0)
	}
	if known {
		x.principal, err = x.server.authenticate(ctx, x.R, scopes)
		err = schemesTaken(err, x.R, x.Route != nil && x.Route.Shared)
	}
	switch {
	case x.server.Limit == nil || x.Route.addressed():
		return err
	case known && err == nil:
		return x.server.Limit.Take(ctx, x.principal.ID)
	}
	return cmp.Or(x.server.Limit.Take(ctx, allowance.OfNetwork(x.R.RemoteAddr)), err)
}

// OfStranger reports whether the request is of someone who did not say who that is, see Route.Discovers.
func (x *Exchange) OfStranger() bool { return x.principal.ID == "" }

// addressed reports whether a path of the route is an address that needs no token: its name
// is what opens it.
func (r *Route) addressed() bool { return r != nil && len(r.Scopes) == 0 && len(r.PathNames) > 0 }

// found takes a request from the allowance that the client's network has at an address
// that there is, so that requests of strangers elsewhere exhaust none of it.
func (x *Exchange) found() error {
	if x.server.Limit == nil || !x.Route.addressed() || x.taken {
		return nil
	}
	x.taken = true
	return x.server.Limit.Take(x.R.Context(), allowance.OfAddress(x.Route.ID+"/"+x.Nth(0), x.R.RemoteAddr))
}

// end logs the request, calls the observer and keeps a panic from reaching the server.
func (x *Exchange) end() {
	v := recover()
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		x.abandon(err)
		x.observe()
		panic(v)
	}
	answered := x.status != 0
	if v != nil {
		x.log(slog.LevelError, "panic",
			append(x.attrs(), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))...)
		x.fail(fmt.Errorf("panic: %v", v))
	}
	if !x.server.Unlogged && x.server.Log.Enabled(x.R.Context(), slog.LevelInfo) {
		x.log(slog.LevelInfo, "request", x.attrs()...)
	}
	x.observe()
	if v != nil && answered {
		// The client has part of an answer; it must not take it for all.
		panic(http.ErrAbortHandler)
	}
}

// log writes a line that names the request.
func (x *Exchange) log(level slog.Level, text string, attrs ...slog.Attr) {
	if log := x.server.Log; log.Enabled(x.R.Context(), level) {
		log.LogAttrs(x.R.Context(), level, text, append(attrs, slog.String("request", x.id),
			slog.String("trace_id", x.trace.TraceID()), slog.String("span_id", x.trace.SpanID()))...)
	}
}

// attrs is all that is logged of a request: nothing that the client sent but
// the method.
func (x *Exchange) attrs() []slog.Attr {
	out := []slog.Attr{
		slog.String("method", x.R.Method),
		slog.String("operation", x.operationID()),
		slog.Int("status", x.status),
		slog.Duration("duration", time.Since(x.began)),
		slog.String("principal", x.principal.ID),
	}
	if x.err != nil {
		out = append(out, slog.String("code", x.err.Code))
	}
	if x.status == http.StatusUnauthorized || x.status == http.StatusForbidden {
		out = append(out, slog.String("reason", twinplatform.Cause(x.err).Error()))
	}
	return out
}

// patience is how long a request waits for work that has begun, before it is answered with
// the operation: a client waits for an answer, and may give up.
const patience = 5 * time.Second

// grace is the time to answer a client that its request took too long.
const grace = 5 * time.Second

// setDeadlines bounds the time for reading the body and writing the answer,
// unless the server's own bounds are narrower. Writers that know no deadlines
// refuse them, and are left alone.
func (x *Exchange) setDeadlines() {
	srv := x.httpServer()
	if srv == nil {
		return
	}
	within := x.server.Timeout
	ctl := http.NewResponseController(x.W)
	if !x.writesWithin(srv) {
		_ = ctl.SetWriteDeadline(x.began.Add(within + grace))
	}
	if x.Route != nil && (x.Route.Body != nil || x.Route.Raw) && (srv.ReadTimeout <= 0 || srv.ReadTimeout > within) {
		_ = ctl.SetReadDeadline(x.began.Add(within))
	}
}

// httpServer is the one around the handler; nil where there is none.
func (x *Exchange) httpServer() *http.Server {
	srv, _ := x.R.Context().Value(http.ServerContextKey).(*http.Server)
	return srv
}

func (x *Exchange) operationID() string {
	if x.Route == nil {
		return ""
	}
	return x.Route.ID
}

// Path returns a value of the request's path.
func (x *Exchange) Path(name string) string {
	if x.Route.Apart != "" && name == x.Route.behindApart() {
		name = behindName
	}
	return x.R.PathValue(name)
}

// Nth returns the value that stands for the i-th name in the route's path. It is
// kept out of its callers, of which there is one for each type of record.
func (x *Exchange) Nth(i int) string { return x.Path(x.Route.PathNames[i]) }

// Header returns a header of the request, several of one name as a list.
func (x *Exchange) Header(name string) string {
	values := x.R.Header.Values(name)
	if len(values) == 1 {
		return values[0]
	}
	return strings.Join(values, ", ")
}

// Preconditions returns what If-Match and If-None-Match demand of the record: none without
// these headers.
func (x *Exchange) Preconditions() (pre []twinplatform.Precondition) {
	if tags := x.Header(ifMatch); tags != "" {
		pre = append(pre, twinplatform.IfMatch(tags))
	}
	if tags := x.Header(ifNoneMatch); tags != "" {
		pre = append(pre, twinplatform.IfNoneMatch(tags))
	}
	return pre
}

// The headers of preconditions.
const (
	ifMatch     = "If-Match"
	ifNoneMatch = "If-None-Match"
)

// refuseCondition refuses a request for a version that its operation does not look at.
func (x *Exchange) refuseCondition() error {
	if x.Route.Conditional || x.Route.ReadOnly() || x.Header(ifMatch) == "" {
		return nil
	}
	return x.Route.Invalid(BadValue(ifMatch,
		"The operation changes no record that is there already, and takes no If-Match."))
}
