package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Prefix is where the controls of a server are, for suites in other languages.
// The bodies of requests and answers are JSON; durations are texts such as "90s".
//
//	GET    /_test/clock    {"now": "2026-01-05T09:00:00Z"}
//	POST   /_test/clock    {"advance": "60s"}, or {"step": "-10m"} for one that is set; answered as GET
//	GET    /_test/faults   {"faults": […]}, those that have still to happen
//	POST   /_test/faults   {"op": "tasks.create", "status": 429, "retryAfter": "60s", "times": 2, …}, the members of Fault
//	DELETE /_test/faults   nothing goes wrong any more
//	GET    /_test/journal  {"exchanges": […]}; of one operation with ?operation=tasks.create
//	DELETE /_test/journal  forgets them
//
//	GET    /_test/operations          {"kinds": ["tasks.create", …], "holding": […], "held": [{"id": "…", "kind": "…", "subjectIds": […]}]}
//	POST   /_test/operations          {"kind": "tasks.create", "percent": 40, "after": "60s", "afterPolls": 2, "failWith": "…"}, the methods of Hold
//	DELETE /_test/operations          releases all of them, or those of a ?kind
//	POST   /_test/operations/release  {"id": "…"}
//	POST   /_test/operations/fail     {"id": "…", "failWith": "AlreadyExists"}
//
// A harness of package httpapitest (WithControls) has these as well:
//
//	POST   /_test/tokens             {"permissions": ["schedules_read"], "expiresAfter": "1h"} is answered with {"token": "…"}
//	POST   /_test/snapshots          is answered with {"snapshot": 1}
//	POST   /_test/snapshots/restore  {"snapshot": 1}
//	GET    /_test/deliveries         {"deliveries": […]}, the attempts that the receiver got
//	POST   /_test/deliveries/fail    {"times": 2, "status": 503}; without status nothing is answered
//	POST   /_test/deliveries/drain   is answered with {"attempts": 1}
//	POST   /_test/deliveries/replay  {"messageId": "…"}
//
// The server of package httpapi/server with an OpenID Connect provider has this as well:
//
//	POST   /_test/oidc/keys  {"forget": true} signs with a new key; the earlier ones are still published without forget
//
// Requests that change something are answered with 204 unless documented otherwise.
// Errors have the documented form, with the code InvalidControl. No token is required:
// any caller that reaches the controls may do everything, except for pages of other sites
// in a browser, which get 403. The clock goes from 1970 to the beginning of 2262.
const Prefix = "/_test"

// maxControl is the size of the largest request to the controls, in bytes.
const maxControl = 1 << 20

// Action is what one of the controls does: it is answered with what it returns, nil with
// 204.
type Action func(r *http.Request) (any, error)

// ServeHTTP implements http.Handler.
func (a Action) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxControl)
	out, err := a(r)
	if err != nil {
		httpapi.WriteError(w, &twinplatform.Error{
			Kind: twinplatform.Invalid, Code: "InvalidControl",
			Message: err.Error(),
		})
		return
	}
	if out == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// Wrap serves the controls below Prefix, those of more as well, and all else by other. The
// keys of more are a method and a path below Prefix, such as "POST /tokens".
func (c *Controls) Wrap(other http.Handler, more map[string]Action) http.Handler {
	routes := c.routes()
	maps.Copy(routes, more)
	mux := http.NewServeMux()
	for pattern, action := range routes {
		method, path, _ := strings.Cut(pattern, " ")
		mux.Handle(method+" "+Prefix+path, action)
	}
	mux.Handle("/", Action(func(r *http.Request) (any, error) {
		return nil, fmt.Errorf("there is no control %s %s", r.Method, r.URL.Path)
	}))
	guard := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, Prefix+"/") {
			if err := guard.Check(r); err != nil {
				httpapi.WriteError(w, &twinplatform.Error{
					Kind: twinplatform.Forbidden, Code: "InvalidControl",
					Message: "Pages of other sites may not use the controls.",
				})
				return
			}
			mux.ServeHTTP(w, r)
			return
		}
		other.ServeHTTP(w, r)
	})
}

// routes are the controls of every server.
func (c *Controls) routes() map[string]Action {
	routes := c.Operations.holdRoutes()
	maps.Copy(routes, map[string]Action{
		"GET /clock":     c.showTime,
		"POST /clock":    c.moveClock,
		"GET /faults":    c.showFaults,
		"POST /faults":   c.addFault,
		"DELETE /faults": func(*http.Request) (any, error) { c.Faults.Clear(); return nil, nil },
		"GET /journal": func(r *http.Request) (any, error) {
			return c.showJournal(r.URL.Query().Get("operation"))
		},
		"DELETE /journal": func(*http.Request) (any, error) { c.Journal.Clear(); return nil, nil },
	})
	return routes
}

func (c *Controls) showTime(*http.Request) (any, error) {
	return map[string]time.Time{"now": c.Now().UTC()}, nil
}

func (c *Controls) moveClock(r *http.Request) (any, error) {
	var body struct {
		Advance Duration `json:"advance"`
		Step    Duration `json:"step"`
	}
	if err := Read(r, &body); err != nil {
		return nil, err
	}
	if body.Advance < 0 {
		return nil, errors.New("time passes forward only: a step sets the clock back")
	}
	if body.Step != 0 {
		if err := c.Step(time.Duration(body.Step)); err != nil {
			return nil, err
		}
	}
	if err := c.Advance(time.Duration(body.Advance)); err != nil {
		return nil, err
	}
	return c.showTime(r)
}

func (c *Controls) showFaults(*http.Request) (any, error) {
	pending := c.Faults.Pending()
	out := make([]faultOnTheWire, len(pending))
	for i, f := range pending {
		out[i] = onTheWire(f)
	}
	return map[string]any{"faults": out}, nil
}

func (c *Controls) addFault(r *http.Request) (any, error) {
	var body faultOnTheWire
	if err := Read(r, &body); err != nil {
		return nil, err
	}
	return nil, c.Faults.add(body.fault())
}

func (c *Controls) showJournal(op string) (any, error) {
	all := c.Journal.All()
	if op != "" {
		all = c.Journal.Of(op)
	}
	type exchange struct {
		Exchange
		Principal string          `json:"principal,omitempty"`
		Fault     *faultOnTheWire `json:"fault,omitempty"`
	}
	out := make([]exchange, len(all))
	for i, e := range all {
		out[i] = exchange{Exchange: e, Principal: e.Principal.ID}
		if e.Fault != nil {
			f := onTheWire(*e.Fault)
			out[i].Fault = &f
		}
	}
	return map[string]any{"exchanges": out}, nil
}

// Read reads the body of a request, and refuses members that nothing would read.
func Read(r *http.Request, to any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// Duration is written as Go does, such as "90s".
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
}

// faultOnTheWire is a Fault in JSON.
type faultOnTheWire struct {
	Op         string   `json:"op"`
	Times      int      `json:"times,omitempty"`
	Skip       int      `json:"skip,omitempty"`
	Status     int      `json:"status,omitempty"`
	Code       string   `json:"code,omitempty"`
	RetryAfter Duration `json:"retryAfter,omitempty"`
	Bare       bool     `json:"bare,omitempty"`
	Body       string   `json:"body,omitempty"`
	Lost       bool     `json:"lost,omitempty"`
	Truncated  bool     `json:"truncated,omitempty"`
	Latency    Duration `json:"latency,omitempty"`
}

func onTheWire(f Fault) faultOnTheWire {
	return faultOnTheWire{
		f.Op, f.Times, f.Skip, f.Status, f.Code, Duration(f.RetryAfter), f.Bare, f.Body, f.Lost,
		f.Truncated, Duration(f.Latency),
	}
}

func (f faultOnTheWire) fault() Fault {
	return Fault{
		f.Op, f.Times, f.Skip, f.Status, f.Code, time.Duration(f.RetryAfter), f.Bare, f.Body, f.Lost,
		f.Truncated, time.Duration(f.Latency),
	}
}
