package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
)

// checks are what has to hold before requests are to be sent here.
func (s *server) checks() []admin.Check {
	var writable func(context.Context) error
	return []admin.Check{
		{Name: "staying", Holds: func(context.Context) error {
			select {
			case <-s.leaving:
				return errors.New("the server is stopping")
			default:
				return nil
			}
		}},
		{Name: "seed", Holds: func(context.Context) error {
			if !s.open.Load() {
				return errors.New("the store is being opened, or the seed applied")
			}
			return nil
		}},
		{Name: "store", Holds: func(ctx context.Context) error {
			switch {
			case !s.open.Load():
				return errors.New("it is being opened")
			case writable == nil:
				writable = admin.Writable(s.store)
			}
			return writable(ctx)
		}},
		{Name: "work", Holds: func(context.Context) error {
			// Once all is open it takes a moment until the work begins.
			for range 100 {
				if s.open.Load() && s.Running() {
					return nil
				}
				time.Sleep(time.Millisecond)
			}
			return errors.New("operations are not worked off, and events are not delivered")
		}},
	}
}

// door is how the program's own commands find the operators' listener of the server that
// has a store open.
type door struct {
	Address string `json:"address"`
	Secret  string `json:"secret"`
}

// doorFile is where the door of a store's server stands, readable by its owner alone.
func (c *Config) doorFile() string { return c.DB + ".admin" }

// tend returns what serves those who run the server.
func (s *server) tend(ctx context.Context) (func(context.Context) error, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.Admin)
	if err != nil {
		return nil, fmt.Errorf("-admin: %w", err)
	}
	s.requests = admin.NewRequests()
	s.entry = door{Address: httpapi.LocalAddress(listener), Secret: rand.Text()}
	return func(ctx context.Context) error {
		return httpapi.Serve(ctx, listener, s.probes.Wrap(&s.operators), grace, s.log)
	}, nil
}

// operating is what those are served who run the server, once it is open.
func (s *server) operating() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", admin.New(admin.Config{
		Requests: s.requests, Store: s.store, Platform: s.Platform, Version: admin.BuildVersion(),
		Secret: s.entry.Secret, Hosts: s.cfg.AdminHosts, Restored: s.restored, Log: s.log,
	}))
	if s.cfg.Profiles {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return admin.KnownHosts(mux, s.cfg.AdminHosts...)
}

// restored makes a store that holds a backup that of this server: it is the one that
// writes in it from now on, and lets in whom its tokens name.
func (s *server) restored(ctx context.Context) error {
	if err := s.ClaimFormat(ctx, admin.BuildVersion().Version); err != nil {
		return err
	}
	return s.grant(ctx)
}

// showDoor writes the address of the operators' listener next to the store's file. Where that
// cannot be written the listener serves metrics and probes as ever, and the program's own
// commands do not find it.
func (s *server) showDoor(ctx context.Context) {
	if s.cfg.Admin == "" || !s.cfg.inFile() {
		return
	}
	file := s.cfg.doorFile()
	text, err := json.Marshal(s.entry)
	if err == nil {
		_ = s.disk.Remove(file) // of a server that died: it leads nowhere, and on a full disk it has a block
		err = replaceFile(s.disk, file, text, 0o600)
	}
	if err != nil {
		s.log.ErrorContext(ctx, "the file with the secret of -admin cannot be written: backup and restoration over "+
			"HTTP are not possible until the next start",
			"file", file, "error", withCure(err))
	}
}

// hideDoor removes what showDoor wrote.
func (s *server) hideDoor() error {
	if !s.open.Load() || s.cfg.Admin == "" || !s.cfg.inFile() {
		return nil
	}
	if err := s.disk.Remove(s.cfg.doorFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
