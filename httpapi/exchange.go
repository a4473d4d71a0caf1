package httpapi

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
)

// route is a row as the mux sees it. A nil row answers whatever no operation
// does.
type route struct {
	h   *Handler
	row *row
}

// exchange is one request and its answer.
type exchange struct {
	h         *Handler
	row       *row
	w         http.ResponseWriter
	r         *http.Request
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
	headers   [6]string           // of the answer: the values that were set first
	used      int
}

// ServeHTTP carries out one request: authenticate, limit, route, decode,
// authorise and work in the domain, encode.
func (rt route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rt.row != nil && !rt.row.of(r) {
		rt.row = nil
	}
	x := &exchange{h: rt.h, row: rt.row, w: w, r: r, id: requestID(r), began: time.Now()}
	x.set(RequestIDHeader, x.id)
	defer x.end()
	ctx := r.Context()
	if d := rt.h.cfg.Timeout; d > 0 {
		limited := &deadline{Context: ctx, at: x.began.Add(d)}
		defer limited.end()
		ctx, x.limited = limited, limited
		x.setDeadlines()
	}
	if err := x.answer(ctx); err != nil {
		x.fail(err)
	}
}

func (x *exchange) answer(ctx context.Context) error {
	if err := x.admit(ctx); err != nil {
		return err
	}
	x.h.slots.note(slotsOf(&x.principal), x.began)
	if x.row == nil {
		return x.h.unknown(x.r)
	}
	if err := x.parseQuery(); err != nil {
		return err
	}
	if err := x.refuseCondition(); err != nil {
		return err
	}
	if x.row.addressed() {
		return x.answerAt(ctx)
	}
	// Services speak of members and Go; only here is it known how they were sent.
	ctx, meter := x.measured(twinplatform.WithPrincipal(ctx, x.principal))
	if !x.row.reading() {
		ctx = twinplatform.WithOperationKind(ctx, x.row.ID)
	}
	defer x.charge(meter)
	defer x.leaveSlot()
	if x.row.computes && x.row.in == nil {
		if err := x.takeSlot(); err != nil {
			return err
		}
	}
	return x.spelt(x.row.serve(ctx, x))
}

// admit finds out who calls and takes the request from the caller's allowance.
// A request that is refused counts as well, against that of the client's network, and
// that refusal comes first: guessing tokens is limited like everything else, and an
// operation without a scope costs what any other does. An address that needs no token is
// looked for first, see [exchange.answerAt].
func (x *exchange) admit(ctx context.Context) (err error) {
	var scopes []string
	known := x.row == nil || len(x.row.Scopes) > 0
	if x.row != nil {
		scopes = x.row.Scopes
	}
	if known {
		x.principal, err = x.h.authenticate(ctx, x.r, scopes)
	}
	switch {
	case x.h.limit == nil || x.row.addressed():
		return err
	case known && err == nil:
		return x.h.limit.Take(ctx, x.principal.ID)
	}
	return cmp.Or(x.h.limit.Take(ctx, allowance.OfNetwork(x.r.RemoteAddr)), err)
}

// addressed reports whether a path of the row is an address that needs no token: its name
// is what opens it.
func (r *row) addressed() bool { return r != nil && len(r.Scopes) == 0 && len(r.names) > 0 }

// found takes a request from the allowance that the client's network has at an address
// that there is, so that requests of strangers elsewhere exhaust none of it.
func (x *exchange) found() error {
	if x.h.limit == nil || !x.row.addressed() || x.taken {
		return nil
	}
	x.taken = true
	return x.h.limit.Take(x.r.Context(), allowance.OfAddress(x.row.ID+"/"+x.nth(0), x.r.RemoteAddr))
}

// answerAt answers at an address that needs no token. Where there is none the guess is
// taken from the allowance of the guesser's network.
func (x *exchange) answerAt(ctx context.Context) error {
	err := x.row.serve(ctx, x)
	if err == nil || x.h.limit == nil || x.taken {
		return err
	}
	return cmp.Or(x.h.limit.Take(ctx, allowance.OfNetwork(x.r.RemoteAddr)), err)
}

// end logs the request, tells the observer of it and keeps a panic from reaching
// the server.
func (x *exchange) end() {
	v := recover()
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		x.abandon(err)
		x.observe()
		panic(v)
	}
	answered := x.status != 0
	if v != nil {
		x.log(slog.LevelError, "panic", append(x.attrs(), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))...)
		x.fail(fmt.Errorf("panic: %v", v))
	}
	if x.h.env.Logger.Enabled(x.r.Context(), slog.LevelInfo) {
		x.log(slog.LevelInfo, "request", x.attrs()...)
	}
	x.observe()
	if v != nil && answered {
		// The client has part of an answer; it must not take it for all.
		panic(http.ErrAbortHandler)
	}
}

// log writes a line that names the request.
func (x *exchange) log(level slog.Level, text string, attrs ...slog.Attr) {
	if log := x.h.env.Logger; log.Enabled(x.r.Context(), level) {
		log.LogAttrs(x.r.Context(), level, text, append(attrs, slog.String("request", x.id))...)
	}
}

// attrs is all that is logged of a request: nothing that the client sent but
// the method.
func (x *exchange) attrs() []slog.Attr {
	out := []slog.Attr{
		slog.String("method", x.r.Method),
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

// grace is the time to tell a client that its request took too long.
const grace = 5 * time.Second

// setDeadlines bounds the time for reading the body and writing the answer,
// unless the server's own bounds are narrower. Writers that know no deadlines
// refuse them, and are left alone.
func (x *exchange) setDeadlines() {
	srv := x.server()
	if srv == nil {
		return
	}
	within := x.h.cfg.Timeout
	ctl := http.NewResponseController(x.w)
	if !x.writesWithin(srv) {
		_ = ctl.SetWriteDeadline(x.began.Add(within + grace))
	}
	if x.row != nil && (x.row.in != nil || x.row.raw) && (srv.ReadTimeout <= 0 || srv.ReadTimeout > within) {
		_ = ctl.SetReadDeadline(x.began.Add(within))
	}
}

// server is the one around the handler; nil where there is none.
func (x *exchange) server() *http.Server {
	srv, _ := x.r.Context().Value(http.ServerContextKey).(*http.Server)
	return srv
}

func (x *exchange) operationID() string {
	if x.row == nil {
		return ""
	}
	return x.row.ID
}

// path returns a value of the request's path.
func (x *exchange) path(name string) string {
	if x.row.apart != "" && name == x.row.behindApart() {
		name = behindName
	}
	return x.r.PathValue(name)
}

// nth returns the value that stands for the i-th name in the row's path. It is
// kept out of its callers, of which there is one for each type of record.
func (x *exchange) nth(i int) string { return x.path(x.row.names[i]) }

// header returns a header of the request, several of one name as a list.
func (x *exchange) header(name string) string {
	values := x.r.Header.Values(name)
	if len(values) == 1 {
		return values[0]
	}
	return strings.Join(values, ", ")
}

// preconditions are those of a change: none without the headers.
func (x *exchange) preconditions() (pre []twinplatform.Precondition) {
	if tags := x.header(ifMatch); tags != "" {
		pre = append(pre, twinplatform.IfMatch(tags))
	}
	if tags := x.header(ifNoneMatch); tags != "" {
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
func (x *exchange) refuseCondition() error {
	if x.row.Conditional || x.row.reading() || x.header(ifMatch) == "" {
		return nil
	}
	return x.row.invalid(badValue(ifMatch, "The operation changes no record that is there already, and takes no If-Match."))
}
