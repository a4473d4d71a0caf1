package main

import (
	"bytes"
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
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/httpapi/ratelimit"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const (
	// filesPath is where the bytes of reality data are served, beside the REST API.
	filesPath = "/files"
	// grace is how long requests under way may take to finish in the end.
	grace = 10 * time.Second
)

// run serves until ctx is done.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) (err error) {
	cfg, err := parse(args, env, stderr)
	if err != nil {
		return err
	}
	if cfg.health {
		return askHealth(ctx, cfg.addr, stdout)
	}
	n := &node{config: cfg, log: slog.New(slog.NewJSONHandler(stderr, nil))}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // serving closes it too
	if err := n.open(ctx, listener.Addr()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.platform.Close()) }()
	return n.serve(ctx, listener, stdout)
}

// node is one of several processes over one database.
type node struct {
	config

	log      *slog.Logger
	store    storage.Store
	platform *platform.Platform
	files    *filestore.Store // nil: there is no place for bytes
	callers  platform.Callers
}

// open ties the areas over the database, and applies the seed and what the tokens grant:
// any number of nodes may do so at once.
func (n *node) open(ctx context.Context, bound net.Addr) (err error) {
	cfg := platform.Config{Env: twinplatform.Env{Logger: n.log, Background: n.background, Lease: n.lease, Retain: n.retain}}
	cfg.Webhooks.Lease = n.lease
	var world *platform.World
	var key []byte
	err = cmp.Or(
		read("tokens", n.tokens, &n.callers, from(platform.ReadCallers)),
		read("seed", n.seed, &world, from(platform.ReadWorld)),
		read("file-key", n.fileKey, &key, filestore.ParseKey),
		read("webhook-key", n.hookKey, &cfg.Webhooks.SealingKey, webhooks.ParseSealingKey),
		read("webhook-ca", n.hookCA, &cfg.Webhooks.RootCAs, webhooks.ParseRootCAs),
	)
	if err == nil && n.hookNetworks != "" {
		cfg.Webhooks.AllowPrivate, err = webhooks.ParseNetworks(n.hookNetworks)
	}
	if err == nil && n.callers == nil {
		n.callers, err = demo(bound)
	}
	if err != nil {
		return err
	}
	cfg.Webhooks.Applications = n.callers
	if n.store, err = postgres.Open(ctx, n.db, postgres.Options{Schema: n.schema, Pooler: n.pooler, Logger: n.log}); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	if n.config.files != "" {
		n.files, err = filestore.OpenShared(n.config.files, filestore.Config{BaseURL: filesPath, Key: key, Logger: n.log})
		if err != nil {
			return errors.Join(err, n.store.Close())
		}
		cfg.RealityData.Containers, cfg.Env.Bytes = n.files, n.files
	}
	if n.platform, err = platform.New(n.store, cfg); err != nil {
		return errors.Join(err, n.store.Close())
	}
	err = n.platform.ClaimFormat(ctx, admin.BuildVersion().Version)
	if err == nil {
		err = n.platform.Seed(ctx, world, platform.SeedOptions{Owner: n.callers[0].Principal})
	}
	if err == nil {
		err = n.platform.Grant(ctx, n.callers)
	}
	if err == nil && n.files != nil {
		err = n.files.Follow(ctx, n.platform.RealityData)
	}
	if err != nil {
		return errors.Join(err, n.platform.Close())
	}
	return nil
}

// serve answers requests and works off what waits until ctx is done or the database
// fails for good.
func (n *node) serve(ctx context.Context, listener net.Listener, stdout io.Writer) error {
	cfg := httpapi.Config{
		Authenticator: httpapi.StaticTokens(n.callers.Tokens()), BaseURL: n.baseURL, Env: twinplatform.Env{Logger: n.log},
		Twins: n.platform.Twins, Schedules: n.platform.Schedules, Forms: n.platform.Forms,
		RealityData: n.platform.RealityData, Transform: n.platform.Transform, Webhooks: n.platform.Webhooks,
	}
	work := []func(context.Context) error{n.platform.Run}
	if n.rate == 0 {
		cfg.Rate = httpapi.Unlimited
	} else {
		limiter, err := ratelimit.New(n.store, ratelimit.Config{Rate: n.rate, Logger: n.log})
		if err != nil {
			return err
		}
		cfg.RateLimiter, work = limiter, append(work, limiter.Run)
	}
	api, err := httpapi.New(cfg)
	if err != nil {
		return err
	}
	served := http.Handler(api)
	if n.files != nil {
		served, work = httpapi.Beside(api, filesPath, n.files), append(work, n.files.Run)
	}
	probes := admin.NewProbes(admin.BuildVersion(), n.log, n.checks(ctx)...)
	addr := httpapi.LocalAddress(listener)
	if err := announce(n.addrFile, addr); err != nil {
		return err
	}
	n.log.InfoContext(ctx, "serving", "address", addr)
	fmt.Fprintf(stdout, "serving at http://%s\n", addr)
	// Who spreads requests hears of the end before it comes.
	drained, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(n.drain, stop) })()
	err = httpapi.Serve(drained, listener, probes.Beside(served), grace, n.log, work...)
	n.log.InfoContext(ctx, "stopped")
	return err
}

// checks are what has to hold before requests are to be sent here, until ctx is done.
func (n *node) checks(ctx context.Context) []admin.Check {
	return []admin.Check{
		{Name: "staying", Holds: func(context.Context) error { return ctx.Err() }},
		{Name: "store", Holds: admin.Writable(n.store)},
		{Name: "work", Holds: func(context.Context) error {
			if !n.platform.Running() {
				return errors.New("nobody works off operations and delivers events")
			}
			return nil
		}},
	}
}

// demo is who may call where no tokens are given: one person, and the same as a service
// application, which webhooks are for.
func demo(bound net.Addr) (platform.Callers, error) {
	if tcp, ok := bound.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return nil, errors.New("-tokens is missing: without it only 127.0.0.1 may be served at")
	}
	person := twinplatform.Principal{
		ID: "11111111-1111-4111-8111-111111111111", DisplayName: "Demo", AccountID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", Kind: twinplatform.User,
		Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
		AdministratorRoles: []string{twinplatform.AccountAdministrator},
	}
	service := person
	service.ID, service.DisplayName, service.Kind = "22222222-2222-4222-8222-222222222222", "Demo service", twinplatform.Service
	return platform.Callers{{Token: "demo", Principal: person}, {Token: "demo-service", Principal: service}}, nil
}

// read reads the file that a flag names, if it names one.
func read[T any](flag, file string, to *T, parse func([]byte) (T, error)) error {
	if file == "" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err == nil {
		*to, err = parse(data)
	}
	if err != nil {
		return fmt.Errorf("-%s: %w", flag, err)
	}
	return nil
}

func from[T any](read func(io.Reader) (T, error)) func([]byte) (T, error) {
	return func(b []byte) (T, error) { return read(bytes.NewReader(b)) }
}

// announce writes the address to a file, which appears with all of it.
func announce(file, addr string) error {
	if file == "" {
		return nil
	}
	err := os.WriteFile(file+".part", []byte(addr), 0o644)
	if err == nil {
		err = os.Rename(file+".part", file)
	}
	return err
}

// askHealth asks a node whether it is ready: for containers, which have no other program
// to ask with.
func askHealth(ctx context.Context, addr string, stdout io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	_ = resp.Body.Close()
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, answer)
	}
	if err == nil {
		_, err = stdout.Write(answer)
	}
	return err
}
