package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// filesPath is where the bytes of reality data are served, beside the REST API.
const filesPath = "/files"

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
	s := &server{config: cfg, controls: httpapitest.NewControls(time.Now), log: slog.New(slog.NewTextHandler(stderr, nil))}
	if cfg.log == "json" {
		s.log = slog.New(slog.NewJSONHandler(stderr, nil))
	}
	if err := s.read(); err != nil {
		return err
	}
	defer func() {
		if s.Platform != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if cfg.export != "" {
		return s.writeExport(ctx, stdout)
	}
	if err := withdraw(cfg.addrFile); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // serving closes it too
	handler, err := s.handler(ctx, demoTokenFor(listener.Addr()))
	if ctx.Err() != nil {
		return nil // stopped before it served; a seed begun is made anew next time
	}
	if err != nil {
		return err
	}
	return s.serve(ctx, listener, handler, stdout)
}

// server is everything that is served.
type server struct {
	*platform.Platform // nil until it is open
	config

	files    *filestore.Store
	controls *httpapitest.Controls
	demo     bool             // the callers may do everything
	pages    *console.Console // nil: none are served
	plans    []importedPlan
	log      *slog.Logger
}

// folders opens the store and the folder for the bytes of reality data. Addresses
// of files are relative to the REST API, which makes them follow -base-url or the
// host that a request names.
func (s *server) folders() (store storage.Store, err error) {
	store, dir := storage.Store(memory.New()), s.config.files
	if s.db != inMemory {
		if store, err = buntdb.Open(s.db, buntdb.Options{Logger: s.log}); err != nil {
			return nil, fmt.Errorf("opening the store %s: %w", s.db, err)
		}
		dir = cmp.Or(dir, s.db+".files")
	}
	if c := (filestore.Config{BaseURL: filesPath, Logger: s.log}); dir == "" {
		s.files, err = filestore.Temporary(c)
	} else {
		s.files, err = filestore.Open(dir, c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the folder for files: %w", err), store.Close())
	}
	return store, nil
}

// open ties the areas over the store, and applies the seed and then what the
// tokens grant. Without a tokens file, who has the demo token may do everything.
func (s *server) open(ctx context.Context, demoToken string) error {
	events, err := s.words.Deliveries()
	if err != nil {
		return fmt.Errorf("-vocabulary: %s: %w", s.wordsFile, err)
	}
	store, err := s.folders()
	if err != nil {
		return err
	}
	env := twinplatform.Env{Now: s.controls.Now, Logger: s.log, Background: s.background, Retain: s.retain}
	if s.demo = s.callers == nil; s.demo {
		s.callers, env.Authorizer = demoCallers(demoToken), everything{}
	}
	s.hooks.Applications, s.hooks.Envelope = s.callers, events.Write
	s.Platform, err = platform.New(store, platform.Config{Env: env, RealityData: realitydata.Config{Containers: s.files}, Webhooks: s.hooks})
	if err != nil {
		return errors.Join(err, s.files.Close(), store.Close())
	}
	if err := s.Seed(ctx, s.world, platform.SeedOptions{Owner: s.callers[0].Principal}); err != nil {
		return err
	}
	if err := s.importFiles(ctx); err != nil {
		return err
	}
	if s.demo {
		return nil // and what a file granted waits for the file
	}
	return s.Grant(ctx, s.callers)
}

// handler opens the platform and makes what answers requests to it.
func (s *server) handler(ctx context.Context, demoToken string) (http.Handler, error) {
	if err := s.open(ctx, demoToken); err != nil {
		return nil, err
	}
	cfg := httpapi.Config{
		Authenticator: httpapi.StaticTokens(s.callers.Tokens()),
		Schedules:     s.Schedules, Forms: s.Forms, Twins: s.Twins, RealityData: s.RealityData, Transform: s.Transform, Webhooks: s.Webhooks,
		Rate: s.rate, BaseURL: s.baseURL, Vocabulary: s.words,
		Env: twinplatform.Env{Now: s.controls.Now, Logger: s.log},
	}
	serving := s.controls.Handler
	if !s.testing {
		serving = func(cfg httpapi.Config) (http.Handler, error) { return httpapi.New(cfg) }
	}
	s.controls.Moved = s.Webhooks.Wake
	api, err := serving(cfg)
	if err != nil {
		return nil, err
	}
	served, err := s.withConsole(httpapi.Beside(api, filesPath, s.files), cfg)
	if err != nil {
		return nil, err
	}
	return served, s.files.Follow(ctx, s.RealityData)
}

// writeExport writes what the store holds, after the seed where there is one, as a
// seed that is for its owner alone: it says who may do what.
func (s *server) writeExport(ctx context.Context, stdout io.Writer) error {
	if s.db != inMemory && s.world == nil {
		if _, err := os.Stat(s.db); err != nil { // which opening would make
			return fmt.Errorf("-export: %w", err)
		}
	}
	if err := s.open(ctx, demoToken); err != nil {
		return err
	}
	w, err := s.Export(ctx)
	if err != nil {
		return err
	}
	if s.export == toStdout {
		return w.Write(stdout)
	}
	if err := w.WriteFile(s.export); err != nil {
		return fmt.Errorf("-export: %w", err)
	}
	return nil
}

// serve answers requests and works off what waits until ctx is done or the store
// fails. Then it takes no more requests, lets those under way finish and leaves
// the rest of the work to the next start.
func (s *server) serve(ctx context.Context, listener net.Listener, handler http.Handler, stdout io.Writer) error {
	addr := httpapi.LocalAddress(listener)
	err := announce(s.addrFile, addr)
	if err == nil {
		s.banner(ctx, stdout, addr)
		err = httpapi.Serve(ctx, listener, handler, grace, s.log, s.Run)
	}
	err = errors.Join(err, withdraw(s.addrFile))
	s.log.InfoContext(ctx, "stopped")
	return err
}
