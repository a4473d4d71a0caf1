package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/accesslog"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/httpapi/compress"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
	"github.com/seed-933f9a09/twinplatform/httpapi/ratelimit"
	"github.com/seed-933f9a09/twinplatform/httpapi/signin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// grace is how long requests under way may take to finish once the server is asked to
// stop.
const grace = 10 * time.Second

// server is everything that is served.
type server struct {
	*platform.Platform // nil until it is open

	cfg        Config
	disk       disk
	store      storage.Store
	files      *filestore.Store
	controls   *control.Controls
	requests   *admin.Requests // nil where no one asks for metrics
	access     *accesslog.Log
	probes     *admin.Probes
	who        principals
	entry      door // for those who run the server
	hangups    chan os.Signal
	demo       bool             // the callers may do everything
	pages      *console.Console // nil: none are served
	calls      *journal.Journal // for the console to show; nil: none is kept
	plans      []importedPlan
	background []func(context.Context) error // what is done besides the platform's work
	leaving    <-chan struct{}               // closed once the server is asked to stop
	log        *slog.Logger

	tokensRead string // the stamp of the tokens file that was read last
	usesFailed bool   // it was logged that last uses are not kept

	base string           // the address that clients reach
	oidc *signin.Provider // nil: none is served

	api, operators entrance
	open           atomic.Bool // the seed is applied, and everything served
}

// Run serves what cfg says until ctx is done, or the store fails: then it lets the requests
// under way finish, closes the store and leaves what is not done to the next start. SIGHUP has
// it read its tokens again.
func Run(ctx context.Context, cfg Config) error {
	cfg = cfg.withDefaults()
	if err := cfg.check(); err != nil {
		return err
	}
	if cfg.Out == nil {
		cfg.Out = io.Discard
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return serveAll(ctx, newServer(cfg), nil, cfg.Out)
}

func newServer(cfg Config) *server {
	s := &server{cfg: cfg, disk: systemDisk{}, controls: control.New(time.Now), log: cfg.Logger}
	s.who.clock = s.controls.Now
	return s
}

// serve answers requests and works off what waits until ctx is done or the store
// fails. Then it takes no more requests, lets those under way finish and leaves
// the rest of the work to the next start. From the beginning on the probes are
// answered.
func (s *server) serve(ctx context.Context, stdout io.Writer) error {
	if err := s.withdraw(); err != nil {
		return err
	}
	ctx, unwatch := whileWanted(ctx)
	defer unwatch()
	listener, err := s.listen(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // serving closes it too
	s.hangups = make(chan os.Signal, 1)
	signal.Notify(s.hangups, syscall.SIGHUP) // from now on: it would end the process
	defer signal.Stop(s.hangups)
	s.leaving = ctx.Done()
	ctx, stop := s.drained(ctx)
	defer stop()
	s.probes = admin.NewProbes(admin.BuildVersion(), s.log, s.checks()...)
	s.access = s.cfg.newAccess()
	work := []func(context.Context) error{
		s.access.Run,
		func(working context.Context) error {
			return s.work(working, ctx, listener.Addr(), httpapi.LocalAddress(listener), stdout)
		},
	}
	if s.cfg.Admin != "" {
		tended, err := s.tend(ctx)
		if err != nil {
			return err
		}
		work = append(work, tended)
	}
	err = httpapi.Serve(ctx, listener, s.probes.Wrap(&s.api), grace, s.log, work...)
	s.access.Flush(context.WithoutCancel(ctx)) // of those that were cut off
	err = errors.Join(err, s.withdraw(), s.hideDoor())
	s.log.InfoContext(ctx, "stopped")
	return err
}

// drained is done -drain after ctx is: meanwhile requests are still taken, and a load balancer
// sees from /readyz that it should send no more.
func (s *server) drained(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.cfg.Drain <= 0 {
		return context.WithCancel(ctx)
	}
	drained, stop := context.WithCancel(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(ctx, func() { time.AfterFunc(s.cfg.Drain, stop) })
	return drained, func() { unwatch(); stop() }
}

// work opens everything, lets requests in, and works off what waits until ctx is done.
// Once serving is over no one waits for a seed.
func (s *server) work(ctx, serving context.Context, bound net.Addr, addr string, stdout io.Writer) error {
	opening, stop := context.WithCancel(serving)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	s.base = cmp.Or(s.cfg.BaseURL, s.cfg.listensAt(addr))
	handler, err := s.handler(opening, demoTokenFor(bound))
	if opening.Err() != nil {
		return nil // stopped before it served; a seed begun is made again next time
	}
	if err != nil {
		return err
	}
	s.api.admit(handler)
	if s.cfg.Admin != "" {
		s.operators.admit(s.operating())
	}
	s.open.Store(true)
	// Who reads the address finds requests let in.
	if err := s.announce(ctx, addr); err != nil {
		return err
	}
	s.showDoor(ctx)
	s.logStart(ctx, bound)
	if s.demo && s.cfg.banner != "false" || s.cfg.showsBanner(stdout) {
		s.banner(ctx, stdout, addr)
	}
	reloading, end := context.WithCancel(ctx)
	var reloads sync.WaitGroup
	reloads.Go(func() { s.reload(reloading) })
	defer reloads.Wait()
	defer end()
	return s.workOff(ctx)
}

// workOff does what waits, and the background work of servers that share a store, until ctx
// is done or one of it fails.
func (s *server) workOff(ctx context.Context) error {
	work := append(s.background, s.Run)
	if s.files != nil {
		work = append(work, s.files.Run)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(work))
	for _, w := range work {
		go func() {
			defer stop()
			ended <- w(ctx)
		}()
	}
	var err error
	for range work {
		err = errors.Join(err, <-ended)
	}
	return err
}

// handler opens the platform and makes what answers requests to it.
func (s *server) handler(ctx context.Context, token string) (http.Handler, error) {
	if err := s.openAll(ctx, token); err != nil {
		return nil, err
	}
	cfg := httpapi.Config{
		Authenticator: &s.who,
		Schedules:     s.Schedules, Forms: s.Forms, Twins: s.Twins, RealityData: s.RealityData, Transform: s.Transform,
		Webhooks: s.Webhooks,
		Rate:     s.cfg.Rate, UnknownMembers: s.cfg.UnknownMembers, OperationStatus: s.cfg.OperationStatus,
		BaseURL: s.cfg.BaseURL, Origins: s.cfg.Origins, Vocabulary: s.cfg.Vocabulary,
		Env: twinplatform.Env{Now: s.controls.Now, Logger: s.log},
	}
	s.observed(&cfg)
	if err := s.shareRate(&cfg); err != nil {
		return nil, err
	}
	journaled := s.withJournal(&cfg)
	serving := s.controls.Handler
	if !s.cfg.TestControls {
		serving = func(cfg httpapi.Config) (http.Handler, error) { return httpapi.New(cfg) }
	}
	s.controls.Moved = func() error {
		s.Webhooks.Wake()
		return s.ForgetDue(context.WithoutCancel(ctx))
	}
	api, err := serving(cfg)
	if err != nil {
		return nil, err
	}
	api = compress.Handler(s.around(journaled(api)))
	if s.files != nil {
		api = httpapi.Mount(api, filesPath, s.access.Wrap(s.files))
	}
	served, err := s.withConsole(api, cfg)
	if err == nil {
		served, err = s.withSignIn(served)
	}
	if err == nil && s.files != nil {
		err = s.files.Follow(ctx, s.RealityData)
	}
	return served, err
}

// shareRate makes the allowances of requests those of all servers that share the store.
func (s *server) shareRate(cfg *httpapi.Config) error {
	if !s.cfg.shared() || cfg.Rate == httpapi.Unlimited {
		return nil
	}
	limiter, err := ratelimit.New(s.store, ratelimit.Config{Rate: cfg.Rate, Logger: s.log})
	if err != nil {
		return err
	}
	cfg.Rate, cfg.RateLimiter = 0, limiter
	s.background = append(s.background, limiter.Run)
	return nil
}

// entrance is shut until someone is behind it.
type entrance struct{ behind atomic.Pointer[http.Handler] }

func (e *entrance) admit(h http.Handler) { e.behind.Store(&h) }

// ServeHTTP implements http.Handler.
func (e *entrance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := e.behind.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, `{"error":{"code":"StoreUnavailable","message":"The server is starting. Try again."}}`)
}
