package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
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

// showDoor writes the address of the operators' listener next to the store's file.
func (s *server) showDoor() error {
	if s.cfg.Admin == "" || !s.cfg.inFile() {
		return nil
	}
	text, err := json.Marshal(s.entry)
	if err == nil {
		err = writeOwn(s.cfg.doorFile(), text)
	}
	if err != nil {
		return fmt.Errorf("-admin: %w", err)
	}
	return nil
}

// hideDoor removes what showDoor wrote.
func (s *server) hideDoor() error {
	if !s.open.Load() || s.cfg.Admin == "" || !s.cfg.inFile() {
		return nil
	}
	return os.Remove(s.cfg.doorFile())
}

// writeOwn writes a file that its owner alone can read. It appears with all of it or not
// at all.
func writeOwn(file string, text []byte) error {
	part := file + ".part"
	_ = os.Remove(part) // with whatever mode it was left
	err := os.WriteFile(part, text, 0o600)
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part)
	}
	return err
}
