package admin

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Check is something that has to hold before a server is sent requests.
type Check struct {
	// Name is what clients are shown, such as "store".
	Name string
	// Holds returns why it does not hold, for the log alone. Its context ends after
	// [CheckTimeout].
	Holds func(ctx context.Context) error
}

const (
	// CheckTimeout is how long the checks may take together. What has not answered
	// by then does not hold.
	CheckTimeout = 2 * time.Second
	// CheckEvery is how long the outcome of the checks is valid for: everybody may ask,
	// and probes never make the server busy.
	CheckEvery = time.Second
)

// Probes answer what load balancers and orchestrators ask, without a token: /healthz
// says that the process answers, /readyz whether it should be sent requests, and
// /version which program it is. They are safe for concurrent use.
type Probes struct {
	version []byte
	checks  []Check
	log     *slog.Logger

	mu      sync.Mutex
	last    outcome
	pending chan struct{} // closed when the checks under way are done; nil when none are
}

// outcome is what came of the checks.
type outcome struct {
	at    time.Time
	holds []bool // nil when they have not come to an end in time
}

// NewProbes returns probes of which /readyz answers 200 while all the checks hold, and
// 503 otherwise. log takes why one does not; nil discards it.
func NewProbes(v Version, log *slog.Logger, checks ...Check) *Probes {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	version, _ := json.Marshal(v) // of texts alone
	return &Probes{version: version, checks: checks, log: log}
}

// Wrap serves the probes, and everything else by another handler. The paths of the probes
// are fixed, whatever the vocabulary of the other handler.
func (p *Probes) Wrap(other http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := p.at(r.URL.Path)
		switch {
		case answer == nil:
			other.ServeHTTP(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			reply(w, r, http.StatusMethodNotAllowed, []byte(`{"status":"method not allowed"}`))
		default:
			answer(w, r)
		}
	})
}

// at is what answers at a path; nil where no probe does.
func (p *Probes) at(path string) http.HandlerFunc {
	switch path {
	case "/healthz":
		return p.healthy
	case "/readyz":
		return p.ready
	case "/version":
		return p.serveVersion
	}
	return nil
}

func (p *Probes) healthy(w http.ResponseWriter, r *http.Request) {
	reply(w, r, http.StatusOK, []byte(`{"status":"ok"}`))
}

func (p *Probes) serveVersion(w http.ResponseWriter, r *http.Request) {
	reply(w, r, http.StatusOK, p.version)
}

func (p *Probes) ready(w http.ResponseWriter, r *http.Request) {
	holds := p.holding(r.Context())
	status, code := "ready", http.StatusOK
	body := []byte(`,"checks":{`)
	for i, c := range p.checks {
		word := `:"ok"`
		if holds == nil || !holds[i] {
			status, code, word = "not ready", http.StatusServiceUnavailable, `:"failed"`
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(strconv.AppendQuote(body, c.Name), word...)
	}
	if code != http.StatusOK {
		w.Header().Set("Retry-After", "1")
	}
	reply(w, r, code, append(append([]byte(`{"status":"`+status+`"`), body...), "}}"...))
}

// Outcome is what came of a check.
type Outcome struct {
	Name  string // of the check
	Holds bool
}

// Outcomes returns the outcome of each check, as /readyz shows them, at most CheckEvery
// old.
func (p *Probes) Outcomes(ctx context.Context) []Outcome {
	holds, out := p.holding(ctx), make([]Outcome, len(p.checks))
	for i, c := range p.checks {
		out[i] = Outcome{c.Name, holds != nil && holds[i]}
	}
	return out
}

// holding are which of the checks hold; nil when they do not come to an end. Concurrent
// callers get the same result.
func (p *Probes) holding(ctx context.Context) []bool {
	p.mu.Lock()
	if p.pending == nil && (p.last.at.IsZero() || time.Since(p.last.at) >= CheckEvery) {
		p.pending = make(chan struct{})
		go p.check(p.pending)
	}
	pending, last := p.pending, p.last
	p.mu.Unlock()
	if pending == nil {
		return last.holds
	}
	patience := time.NewTimer(CheckTimeout + CheckTimeout/10)
	defer patience.Stop()
	select {
	case <-pending:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.last.holds
	case <-patience.C:
	case <-ctx.Done():
	}
	return nil
}

// check makes the checks, and wakes those who wait.
func (p *Probes) check(done chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), CheckTimeout)
	defer cancel()
	holds := make([]bool, len(p.checks))
	for i, c := range p.checks {
		err := c.Holds(ctx)
		if holds[i] = err == nil; !holds[i] {
			p.log.WarnContext(ctx, "not ready", "check", c.Name, "error", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.pending = outcome{time.Now(), holds}, nil
	close(done)
}

// reply answers a probe.
func reply(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)+1))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(append(slices.Clip(body), '\n'))
	}
}

// probeKey is what Writable writes. No scope of the platform's records begins like it.
const probeKey = "admin/probe"

// writeEvery is after how long Writable writes again to a store that has taken a write.
const writeEvery = 10 * time.Second

// Writable is a check that a store takes writes: it writes one small value, at most
// once in ten seconds while that succeeds, and at once where a journey to a store behind a
// network has broken.
func Writable(s storage.Store) func(ctx context.Context) error {
	var mu sync.Mutex
	var wrote time.Time
	var broken int64
	return func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if stats, ok := storage.StatsOf(s); ok && stats.Failure != nil {
			return stats.Failure
		} else if ok && (stats.Full || stats.Remote != nil && stats.Remote.Broken != broken) {
			wrote = time.Time{}
			if stats.Remote != nil {
				broken = stats.Remote.Broken
			}
		}
		if time.Since(wrote) < writeEvery {
			return nil
		}
		now := time.Now()
		err := s.Update(ctx, func(w storage.Writer) error {
			return w.Put(probeKey, []byte(now.UTC().Format(time.RFC3339)))
		})
		if err == nil {
			wrote = now
		} else if wrote = (time.Time{}); ctx.Err() != nil {
			err = errors.Join(errors.New("the store has not answered in time"), err)
		}
		return err
	}
}
