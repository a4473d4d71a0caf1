package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// grace is how long requests under way may take to finish once the server was
// told to stop.
const grace = 10 * time.Second

// run serves until ctx is done, or writes the seed that -export asks for. It
// prints the banner to stdout, and logs to stderr.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) (err error) {
	cfg, err := parseConfig(args, env, stdout)
	if err != nil {
		return err
	}
	in, err := cfg.read()
	if err != nil {
		return err
	}
	in.log = newLogger(cfg.log, stderr)
	if cfg.export != "" {
		return export(ctx, cfg, in, stdout)
	}
	if err := withdraw(cfg.addrFile); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // serving closes it too
	if in.who == nil {
		in.who = demoAccess(demoTokenFor(listener.Addr()))
	}
	s, err := assemble(ctx, cfg, in)
	if s != nil {
		defer func() { err = errors.Join(err, s.Close()) }()
	}
	if ctx.Err() != nil {
		return nil // stopped before it served; a seed begun is made anew next time
	}
	if err != nil {
		return err
	}
	return s.serve(ctx, listener, cfg, stdout)
}

// input is what the files hold that the flags name.
type input struct {
	who   *access // nil without a tokens file
	hooks webhooks.Config
	world *platform.World // nil without a seed
	log   *slog.Logger
}

func (c *config) read() (in input, err error) {
	if c.tokens != "" {
		if in.who, err = loadAccess(c.tokens); err != nil {
			return in, err
		}
	}
	if in.hooks, err = c.webhooks.load(); err != nil {
		return in, err
	}
	in.world, err = loadWorld(c.seed)
	return in, err
}

func newLogger(format string, to io.Writer) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(to, nil))
	}
	return slog.New(slog.NewTextHandler(to, nil))
}

func openStore(db string, log *slog.Logger) (storage.Store, error) {
	if db == inMemory {
		return memory.New(), nil
	}
	store, err := buntdb.Open(db, buntdb.Options{Logger: log})
	if err != nil {
		return nil, fmt.Errorf("opening the store %s: %w", db, err)
	}
	return store, nil
}

// demoTokenFor returns a token that everybody knows where only this machine can
// reach the server, and one that nobody can guess elsewhere.
func demoTokenFor(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return demoToken
	}
	return rand.Text()
}

// server is everything that is served.
type server struct {
	*platform.Platform

	store   storage.Store
	files   *fileFolder
	handler http.Handler
	access  *access
	world   *platform.World // of the seed; nil without one
	log     *slog.Logger
}

// assemble opens the store, applies the seed and then what the tokens grant, and
// makes the handler. What it returns beside an error is to be closed as well.
func assemble(ctx context.Context, cfg config, in input) (*server, error) {
	s, err := open(cfg, in)
	if err != nil {
		return nil, err
	}
	if err := s.fill(ctx); err != nil {
		return s, err
	}
	rate := cfg.rate
	if rate == 0 {
		rate = httpapi.Unlimited
	}
	api, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(s.access.tokens()),
		Schedules:     s.Schedules, Forms: s.Forms, Twins: s.Twins, RealityData: s.RealityData, Transform: s.Transform, Webhooks: s.Webhooks,
		Rate: rate, BaseURL: cfg.baseURL,
		Env: twinplatform.Env{Logger: s.log},
	})
	if err != nil {
		return s, err
	}
	s.handler, err = s.files.besides(ctx, api, s.RealityData)
	return s, err
}

// open ties the areas over the store.
func open(cfg config, in input) (*server, error) {
	store, err := openStore(cfg.db, in.log)
	if err != nil {
		return nil, err
	}
	files, err := openFiles(cfg, in.log)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	s := &server{store: store, files: files, access: in.who, world: in.world, log: in.log}
	in.hooks.Applications = in.who
	s.Platform, err = platform.New(store, platform.Config{
		Env:         twinplatform.Env{Logger: in.log, Authorizer: in.who.authorizer(), Background: cfg.background, Retain: cfg.retain},
		RealityData: realitydata.Config{Containers: files},
		Webhooks:    in.hooks,
	})
	if err != nil {
		return nil, errors.Join(err, files.Close(), store.Close())
	}
	return s, nil
}

// fill applies the seed and the grants.
func (s *server) fill(ctx context.Context) error {
	if s.world != nil {
		if err := s.Seed(ctx, s.world, platform.SeedOptions{Owner: s.access.callers[0].principal}); err != nil {
			return err
		}
	}
	grants := &granting{store: s.store, svc: s.Twins, log: s.log}
	return grants.apply(ctx, s.access)
}

// serve answers requests and works off what waits until ctx is done or the store
// fails. Then it takes no more requests, lets those under way finish and leaves
// the rest of the work to the next start.
func (s *server) serve(ctx context.Context, listener net.Listener, cfg config, stdout io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	srv := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	working, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()
	worked, served := make(chan error, 1), make(chan error, 1)
	go func() {
		defer stop()
		worked <- s.Run(working)
	}()
	go func() {
		defer stop()
		served <- srv.Serve(listener)
	}()

	addr := dialable(listener.Addr())
	failed := announce(cfg.addrFile, addr)
	if failed != nil {
		stop()
	}
	s.banner(ctx, stdout, addr, cfg)
	<-ctx.Done()

	s.log.InfoContext(ctx, "stopping")
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := srv.Shutdown(limited); err != nil {
		s.log.WarnContext(ctx, "requests were cut off", "after", grace)
		failed = errors.Join(failed, srv.Close())
	}
	rest()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		failed = errors.Join(failed, err)
	}
	failed = errors.Join(failed, <-worked, withdraw(cfg.addrFile))
	s.log.InfoContext(ctx, "stopped")
	return failed
}

// announce writes the address to a file, which appears with all of it or not
// at all.
func announce(file, addr string) error {
	if file == "" {
		return nil
	}
	part := file + ".part"
	err := os.WriteFile(part, []byte(addr), 0o644)
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return fmt.Errorf("-addr-file: %w", err)
	}
	return nil
}

// withdraw removes the file with the address of a server that is gone, so that
// it sends nobody astray.
func withdraw(file string) error {
	if file == "" {
		return nil
	}
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		return fmt.Errorf("-addr-file: %s is a folder", file)
	}
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-addr-file: %w", err)
	}
	return nil
}

// dialable is the address under which this machine reaches a listener; one that
// listens everywhere is reached at the loopback address.
func dialable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}
	return loopback.String()
}
