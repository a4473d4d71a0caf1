// Package admin serves operators of a server what they need besides the REST API: probes
// of liveness and readiness, its version, metrics, and a backup of the store.
//
//	requests := admin.NewRequests()
//	api, err := httpapi.New(httpapi.Config{Authenticator: tokens, Schedules: p.Schedules, Observer: requests.Observe})
//	if err != nil {
//		return err
//	}
//	probes := admin.NewProbes(admin.BuildVersion(), nil, admin.Check{Name: "store", Holds: admin.Writable(store)})
//	go http.Serve(public, probes.Wrap(api))
//	go http.Serve(private, admin.New(admin.Config{Probes: probes, Requests: requests, Store: store, Platform: p}))
//
// The probes contain no secrets and may be served to everybody. The handler that New
// returns belongs on a listener that only operators reach: its metrics show how much the
// store holds, and a backup contains everything.
package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Config sets what a handler for operators serves. What is left at its zero value is left
// out of the metrics, or not served.
type Config struct {
	// Probes are served here too.
	Probes *Probes
	// Requests counts the requests of the REST API, which it observes.
	Requests *Requests
	// Store is measured, backed up and restored.
	Store storage.Store
	// Platform reports what is stored, and what waits to be done.
	Platform *platform.Platform
	// Version is the version of the program, for the metric of the build.
	Version Version

	// Secret is what requests for a backup and restorations carry as their bearer
	// token. Without one neither is served.
	Secret string
	// Hosts are names of the listener besides localhost and addresses, such as that by
	// which a Prometheus reaches it, without ports. See [KnownHosts].
	Hosts []string
	// Restored is called once the store holds what was restored, and before the client is
	// answered. Its error is logged, and answered as an internal one.
	Restored func(ctx context.Context) error
	// Log receives what no client is shown; nil discards it.
	Log *slog.Logger
}

// New returns a handler of
//
//	GET  /metrics             the metrics, in the text format of Prometheus
//	GET  /backup              everything in the store, as one committed state
//	POST /restore             replaces everything in the store by a backup
//	GET  /healthz, …          the probes
//
// [storage.Backup] writes a backup, and [platform.Restore] reads it: it refuses one of a
// later version, and after it clients are asked to list again. The bytes of reality data
// are not part of it.
func New(cfg Config) http.Handler {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	a := &admin{Config: cfg, began: time.Now(), census: census{platform: cfg.Platform}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", a.metrics)
	if cfg.Store != nil {
		mux.Handle("GET /backup", a.guarded(a.backup))
		mux.Handle("POST /restore", a.guarded(a.restore))
	}
	known := KnownHosts(mux, cfg.Hosts...)
	if cfg.Probes != nil {
		return cfg.Probes.Wrap(known)
	}
	return known
}

type admin struct {
	Config

	began  time.Time
	census census
}

// guarded serves those alone who know the secret. A page in a browser does
// not, whatever addresses it reaches.
func (a *admin) guarded(h http.HandlerFunc) http.Handler {
	want := sha256.Sum256([]byte(a.Secret))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(given))
		if a.Secret == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this needs the secret of the admin listener", http.StatusUnauthorized)
			return
		}
		h(w, r)
	})
}
